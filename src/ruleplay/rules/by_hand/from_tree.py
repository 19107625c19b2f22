"""Rules from a fitted decision tree of scikit-learn: each leaf is one."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ruleplay.errors import ConfigError
from ruleplay.rules.by_hand.rule import Interval, Rule

_LEAF = -1
_EVERYTHING = (-math.inf, math.inf)


def is_tree(source: Any) -> bool:
    """Tell whether something is a decision tree that classifies, without importing scikit-learn."""
    names = {cls.__name__ for cls in type(source).__mro__}
    return "BaseDecisionTree" in names and "ClassifierMixin" in names


def rules_of_tree(tree: Any) -> tuple[Rule, ...]:
    """Return a rule for each leaf, for the class that the tree answers there."""
    if not hasattr(tree, "tree_"):
        raise ConfigError("the decision tree must be fitted")
    if tree.n_outputs_ != 1:
        raise ConfigError(f"the decision tree must have one output, got {tree.n_outputs_}")
    names = getattr(tree, "feature_names_in_", range(tree.n_features_in_))
    nodes, answers = tree.tree_, tree.tree_.value[:, 0].argmax(axis=1)
    return tuple(
        Rule({names[k]: sides for k, sides in box.items()}, tree.classes_[answers[leaf]])
        for leaf, box in _leaves(nodes, 0, {})
    )


def _leaves(
    nodes: Any, node: int, box: dict[int, Interval]
) -> Iterator[tuple[int, dict[int, Interval]]]:
    """Yield the leaves under a node with the intervals of features that lead there."""
    if nodes.children_left[node] == _LEAF:
        yield node, box
        return
    k = int(nodes.feature[node])
    lower, upper = box.get(k, _EVERYTHING)
    last = largest_on_the_left(float(nodes.threshold[node]))
    left, right = (lower, min(upper, last)), (max(lower, math.nextafter(last, math.inf)), upper)
    yield from _leaves(nodes, nodes.children_left[node], {**box, k: left})
    yield from _leaves(nodes, nodes.children_right[node], {**box, k: right})


def largest_on_the_left(threshold: float) -> float:
    """Return the largest number that a tree sends to the left of a threshold.

    It rounds numbers to float32 before it compares them.

    >>> largest_on_the_left(0.5) > 0.5, np.float32(largest_on_the_left(0.5)) == 0.5
    (True, np.True_)
    """
    below = np.float32(threshold)
    if below > threshold:
        below = np.nextafter(below, np.float32(-np.inf))
    halfway = (float(below) + float(np.nextafter(below, np.float32(np.inf)))) / 2.0
    return halfway if np.float32(halfway) <= threshold else math.nextafter(halfway, -math.inf)
