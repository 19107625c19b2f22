"""Rules that people write as boxes of an engine: bounds of its columns, scaled to [0, 1]."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.engine import XCS
from ruleplay.engine.transfer import engine_of_boxes
from ruleplay.errors import ConfigError
from ruleplay.learners.common.layout import Layout
from ruleplay.rules import RuleSet
from ruleplay.rules.origins import Key, keys_of
from ruleplay.rules.thresholds import scale

Bounds = NDArray[np.float32]


class Boxes(NamedTuple):
    """Boxes exactly as an engine has them, each with the class of its rule."""

    lower: Bounds  # (boxes, columns)
    upper: Bounds
    action: NDArray[np.int64]

    def take(self, places: Sequence[int]) -> "Boxes":
        """Return the boxes at some places."""
        chosen = list(places)
        return Boxes(self.lower[chosen], self.upper[chosen], self.action[chosen])

    def inside(self, other: "Boxes") -> NDArray[np.bool_]:
        """Tell which boxes lie within one of others that is for the same class."""
        found = np.zeros(len(self.action), np.bool_)
        for lower, upper, action in zip(*other, strict=True):
            within = (self.lower >= lower).all(axis=1) & (self.upper <= upper).all(axis=1)
            found |= within & (self.action == action)
        return found


def boxes_in(engine: XCS) -> Boxes:
    """Return the boxes of an engine's rules."""
    parts = engine.export()
    return Boxes(parts["lower"], parts["upper"], parts["action"].astype(np.int64))


def engine_keys(engine: XCS) -> list[Key]:
    """Return what tells an engine's rules from each other."""
    return keys_of(*boxes_in(engine))


def place_boxes(engine: XCS, rules: RuleSet, layout: Layout, what: str) -> XCS:
    """Return an engine as another one with these rules, which know nothing yet; once each.

    `what` is the name of the rules in errors.
    """
    _check_neighbours(rules, layout, what)
    lower, upper = _columns_of(engine, rules, layout)
    table = np.unique(np.column_stack([rules.action, lower, upper]), axis=0)
    columns = table[:, 1:].reshape(len(table), 2, -1)
    return engine_of_boxes(engine, columns[:, 0], columns[:, 1], table[:, 0].astype(np.int64))


def _columns_of(engine: XCS, rules: RuleSet, layout: Layout) -> tuple[Bounds, Bounds]:
    """Return bounds as an engine scales and rounds the values that they are compared with."""
    size = len(rules), engine.n_features
    lower, upper = np.zeros(size, np.float32), np.ones(size, np.float32)
    for k, span in enumerate(layout.spans):
        if span.nominal:
            upper[:, span.first : span.end] = rules.allowed_of(k)
            continue
        ends = engine.low[span.first], engine.high[span.first]
        lower[:, span.first] = scale(rules.lower[:, k], *ends)
        upper[:, span.first] = scale(rules.upper[:, k], *ends)
    return lower, upper


def _check_neighbours(rules: RuleSet, layout: Layout, what: str) -> None:
    """Refuse sets of categories that have an order unless they are neighbours."""
    for k, span in enumerate(layout.spans):
        if span.nominal or not rules.features[k].categories:
            continue
        for i, flags in enumerate(rules.allowed_of(k)):
            places = np.flatnonzero(flags)
            if len(places) <= places[-1] - places[0]:
                raise ConfigError(
                    f"{what}[{i}], feature {rules.features[k].name!r}: its categories are in "
                    f"order, so that neighbours must be allowed, got {_shown(rules.members(i, k))}"
                )


def _shown(members: Sequence[object]) -> list[str]:
    return [str(value) for value in members]
