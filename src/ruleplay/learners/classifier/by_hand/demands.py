"""What people demand of an engine's rules, read from the parameters and checked."""

import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ruleplay.engine import XCS
from ruleplay.engine.inputs import shown
from ruleplay.errors import ConfigError
from ruleplay.learners.classifier.by_hand.boxes import Boxes, boxes_in, place_boxes
from ruleplay.learners.common.layout import Layout
from ruleplay.rules import Feature, Rule, RuleSet
from ruleplay.rules.by_hand.from_json import rules_of_records
from ruleplay.rules.by_hand.from_set import feature_number, set_of_rules, within_reach
from ruleplay.rules.features import outcomes_of

RULES = ("start_rules", "protected_rules", "forbidden_rules")  # parameters


class Demands(NamedTuple):
    """What an engine begins with, what it must keep, and what its rules must not be.

    `start` and `protect` are engines that have these rules, which know nothing yet. None: no such
    demand is made.
    """

    start: XCS | None = None
    protect: XCS | None = None
    forbidden: Boxes | None = None
    unused: tuple[int, ...] = ()  # columns that no condition may limit


def read_demands(
    estimator: Any, engine: XCS, layout: Layout, features: tuple[Feature, ...]
) -> Demands:
    """Return the demands that an estimator's parameters make on its engine, or refuse them."""
    given = {name: given_rules(estimator, name) for name in RULES}
    given["start_rules"] = _possible(given["start_rules"], features)
    sets = {
        name: set_of_rules(rules, features, outcomes_of(engine), name)
        for name, rules in given.items()
        if rules
    }
    placed = {name: place_boxes(engine, rules, layout, name) for name, rules in sets.items()}
    forbidden = boxes_in(placed["forbidden_rules"]) if "forbidden_rules" in placed else None
    numbers = unused_features(estimator, features)
    for name in ("start_rules", "protected_rules"):
        if name in placed:
            check_allowed(name, placed[name], sets[name], forbidden, numbers)
    columns = [c for k in numbers for c in range(layout.spans[k].first, layout.spans[k].end)]
    return Demands(
        placed.get("start_rules"), placed.get("protected_rules"), forbidden, tuple(columns)
    )


def given_rules(estimator: Any, name: str) -> tuple[Rule, ...]:
    """Return the rules that a parameter holds, or refuse it."""
    given = getattr(estimator, name)
    if given is None:
        return ()
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise ConfigError(
            f"{name} must be None or a list of rules, as ruleplay.read_rules returns one, "
            f"got {shown(given)}"
        )
    try:
        return rules_of_records(given)
    except ConfigError as error:
        raise ConfigError(str(error).replace("rules[", f"{name}[", 1)) from None


def _possible(rules: Sequence[Rule], features: tuple[Feature, ...]) -> tuple[Rule, ...]:
    """Return the rules to start from that hold for any value, and warn of the others.

    Rows to learn from need not have all values that such rules speak of, as in cross-validation.
    """
    reached = within_reach(rules, features, "start_rules")
    lost = [i for i, rule in enumerate(reached) if rule is None]
    if lost:
        warnings.warn(
            f"{len(lost)} of {len(rules)} start_rules hold for no value that the features have "
            f"here, and are left out, such as start_rules[{lost[0]}]",
            stacklevel=4,
        )
    return tuple(rule for rule in reached if rule is not None)


def plain_rules(estimator: Any, name: str) -> list[dict[str, Any]]:
    """Return the rules that a parameter holds as plain values, features by name if possible."""
    names: dict[str | int, str] = dict(enumerate(getattr(estimator, "feature_names_in_", ())))
    return [
        Rule({names.get(key, key): c for key, c in rule.conditions.items()}, rule.label).plain()
        for rule in given_rules(estimator, name)
    ]


def unused_features(estimator: Any, features: Sequence[Feature]) -> list[int]:
    """Return the numbers of the features that conditions must not limit, or refuse them."""
    given = estimator.forbidden_features
    if given is None:
        return []
    if not isinstance(given, (Sequence, np.ndarray)) or isinstance(given, str):
        raise ConfigError(
            "forbidden_features must be None or a list of names or numbers of features, "
            f"got {shown(given)}"
        )
    for name in given:
        if not isinstance(name, (str, int, np.integer)) or isinstance(name, bool):
            raise ConfigError(
                f"forbidden_features must hold names or numbers of features, got {shown(name)}"
            )
    if len(given) and estimator.prediction != "scalar":
        raise ConfigError(
            "prediction must be 'scalar' with forbidden_features, for linear models use all "
            f"features, got {estimator.prediction!r}"
        )
    return sorted({feature_number("forbidden_features", name, features) for name in given})


def check_allowed(
    name: str, placed: XCS, rules: RuleSet, forbidden: Boxes | None, unused: Sequence[int]
) -> None:
    """Refuse rules to begin with that must not be."""
    for i in range(len(rules)):
        for k in unused:
            if rules.limits(i, k):
                raise ConfigError(
                    f"{name}[{i}] must not have a condition on {rules.features[k].name!r}, "
                    "which is one of the forbidden_features"
                )
    if forbidden is not None and boxes_in(placed).inside(forbidden).any():
        raise ConfigError(f"{name} must not hold one of the forbidden_rules, or a narrower one")
