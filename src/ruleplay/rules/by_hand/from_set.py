"""Rules of a set as a person would write them, and the other way round."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ruleplay.engine.inputs import shown
from ruleplay.errors import ConfigError
from ruleplay.output.names import unknown_name
from ruleplay.rules.by_hand.rule import Condition, Rule, in_order
from ruleplay.rules.category_sets import category_slices
from ruleplay.rules.features import Feature, Outcome
from ruleplay.rules.ruleset import RuleSet


def rules_of_set(rules: RuleSet) -> tuple[Rule, ...]:
    """Return the rules of a set that hold for any value, in its order of strength."""
    inside = (rules.lower <= rules.high) & (rules.upper >= rules.low)
    for k in rules.category_slices:
        inside[:, k] = rules.allowed_of(k).any(axis=1)
    return tuple(
        Rule(
            {
                feature.name: _condition(rules, place, k)
                for k, feature in enumerate(rules.features)
                if rules.limits(place, k)
            },
            rules.labels[rules.action[place]],
        )
        for place in rules.order.tolist()
        if inside[place].all()
    )


def _condition(rules: RuleSet, place: int, k: int) -> Any:
    if rules.features[k].categories:
        return frozenset(rules.members(place, k))
    return float(rules.lower[place, k]), float(rules.upper[place, k])


def within_reach(
    rules: Sequence[Rule], features: tuple[Feature, ...], what: str
) -> list[Rule | None]:
    """Return rules without categories that features do not have.

    None stands for a rule that would then hold for no value of a feature, nor does one whose
    interval lies beyond the feature's range. `what` is the name of the rules in errors.
    """
    found: list[Rule | None] = []
    for i, rule in enumerate(rules):
        conditions: dict[str | int, Any] = {}
        for name, condition in rule.conditions.items():
            feature = features[feature_number(f"{what}[{i}]", name, features)]
            if isinstance(condition, frozenset) and feature.categories:
                known = set(feature.categories) | set(map(str, feature.categories))
                conditions[name] = frozenset(v for v in condition if v in known or str(v) in known)
            else:
                conditions[name] = condition if _overlaps(condition, feature) else frozenset()
        found.append(Rule(conditions, rule.label) if all(conditions.values()) else None)
    return found


def _overlaps(condition: Condition, feature: Feature) -> bool:
    """Tell whether an interval has values within a feature's range; anything else is left alone."""
    if isinstance(condition, frozenset) or feature.categories:
        return True
    return condition[0] <= feature.high and condition[1] >= feature.low


def set_of_rules(
    rules: Sequence[Rule],
    features: tuple[Feature, ...],
    outcomes: tuple[Outcome, ...],
    what: str = "rules",
    **settings: Any,
) -> RuleSet:
    """Return rules as a set over features and classes that must have what they speak of.

    `what` is the name of the rules in errors. Nothing is known yet of what rules are worth: each
    predicts 1 and has a vote of 1.
    """
    slices = category_slices(features)
    bounds = np.full((len(rules), len(features), 2), (-math.inf, math.inf))
    allowed = np.ones((len(rules), sum(len(f.categories) for f in features)), np.bool_)
    actions = np.zeros(len(rules), np.int64)
    for i, rule in enumerate(rules):
        where = f"{what}[{i}]"
        actions[i] = _place(where, "class", rule.label, [outcome.label for outcome in outcomes])
        for name, condition in rule.conditions.items():
            k = feature_number(where, name, features)
            if features[k].categories:
                allowed[i, slices[k]] = _flags(where, features[k], condition)
            else:
                bounds[i, k] = _sides(where, features[k], condition)
    ones = np.ones(len(rules))
    return RuleSet(
        lower=bounds[:, :, 0],
        upper=bounds[:, :, 1],
        allowed=allowed,
        action=actions,
        prediction=ones,
        error=0.0 * ones,
        fitness=ones,
        numerosity=ones.astype(np.int64),
        experience=np.zeros(len(rules), np.int64),
        features=features,
        outcomes=outcomes,
        **settings,
    )


def feature_number(where: str, name: str | int, features: Sequence[Feature]) -> int:
    """Return the number of a feature that is given by name or number, or refuse it."""
    names = [feature.name for feature in features]
    if name in names:
        return names.index(str(name))
    if isinstance(name, str) and not name.isdecimal():
        raise ConfigError(f"{where}: {unknown_name('feature', name, names)}")
    if int(name) >= len(names):
        raise ConfigError(
            f"{where}: the number of a feature must lie in [0, {len(names) - 1}], got {name}"
        )
    return int(name)


def _flags(where: str, feature: Feature, condition: Condition) -> list[bool]:
    """Tell of each category whether a condition allows it."""
    if not isinstance(condition, frozenset):
        raise ConfigError(
            f"{where}, feature {feature.name!r}: its values are categories, so that the "
            f"condition must be a set of them, got {list(condition)}"
        )
    what = f"category of {feature.name!r}"
    chosen = {_place(where, what, value, feature.categories) for value in in_order(condition)}
    return [place in chosen for place in range(len(feature.categories))]


def _sides(where: str, feature: Feature, condition: Condition) -> tuple[float, float]:
    """Return an interval, open where it reaches the end of a feature's range."""
    here = f"{where}, feature {feature.name!r}"
    if isinstance(condition, frozenset):
        raise ConfigError(
            f"{here}: its values are numbers, so that the condition must be [lower, upper], got "
            f"categories {in_order(condition)}"
        )
    lower, upper = condition
    if not _overlaps(condition, feature):
        raise ConfigError(
            f"{here}: the interval must have values within the feature's range "
            f"[{feature.low:g}, {feature.high:g}], got [{lower:g}, {upper:g}]"
        )
    return (
        -math.inf if lower <= feature.low else lower,
        math.inf if upper >= feature.high else upper,
    )


def _place(where: str, what: str, value: Any, known: Sequence[Any]) -> int:
    """Return the place of a class or category, by its value, else by its name."""
    for same in (lambda one: one == value, lambda one: str(one) == str(value)):
        for place, one in enumerate(known):
            if same(one):
                return place
    text = unknown_name(what, str(value), map(str, known)) if known else shown(value)
    raise ConfigError(f"{where}: {text}")
