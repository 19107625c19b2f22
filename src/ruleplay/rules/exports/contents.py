"""What every written form of rules is made of: conditions, answers, and what stands at its head.

Conditions on categories name them, whatever numbers stand for them within a `RuleSet`.
"""

import re
from collections.abc import Collection
from typing import TYPE_CHECKING, Any, NamedTuple

from ruleplay.errors import ConfigError
from ruleplay.output.files import MAKER
from ruleplay.output.harmless import visible
from ruleplay.rules.dates import DATES, EXAMPLES
from ruleplay.rules.features import Feature, plain_label
from ruleplay.rules.spelling import ABSENT, PLAIN
from ruleplay.rules.table import records_of
from ruleplay.rules.text import value_digits
from ruleplay.rules.wording import missing_sentence, rule_sentence

if TYPE_CHECKING:
    from ruleplay.rules.ruleset import RuleSet


class Interval(NamedTuple):
    """A condition on a number; a side that leaves none out is infinite."""

    feature: int
    lower: float
    upper: float


class Choice(NamedTuple):
    """A condition on a category: the places of those that a rule allows."""

    feature: int
    places: tuple[int, ...]


def intervals_of(rules: "RuleSet", place: int) -> list[Interval]:
    """Return the conditions on numbers of the rule at a place that leave any out."""
    return [
        Interval(k, float(rules.lower[place, k]), float(rules.upper[place, k]))
        for k, feature in enumerate(rules.features)
        if not feature.categories and rules.limits(place, k)
    ]


def choices_of(rules: "RuleSet", place: int) -> list[Choice]:
    """Return the conditions on categories of the rule at a place that leave any out."""
    return [
        Choice(k, tuple(map(feature.categories.index, rules.members(place, k))))
        for k, feature in enumerate(rules.features)
        if feature.categories and rules.limits(place, k)
    ]


def excluded_of(rules: "RuleSet", choice: Choice) -> list[int]:
    """Return the places of the categories that a rule does not allow."""
    places = range(len(rules.features[choice.feature].categories))
    return [place for place in places if place not in choice.places]


def conditions_of(rules: "RuleSet", place: int) -> list[Interval | Choice]:
    """Return the conditions of the rule at a place in the order of the features."""
    return sorted([*intervals_of(rules, place), *choices_of(rules, place)], key=lambda c: c.feature)


def labels_of(feature: Feature) -> tuple[Any, ...]:
    """Return a feature's categories as text, truth values or numbers."""
    return tuple(map(plain_label, feature.categories))


def answers_of(rules: "RuleSet") -> tuple[Any, ...]:
    """Return what is answered: the actions' numbers, or the classes as plain values."""
    return (
        tuple(map(plain_label, rules.labels)) if rules.classifies else tuple(range(rules.n_actions))
    )


def answers_of_one_type(rules: "RuleSet") -> tuple[Any, ...]:
    """Return the answers, as text if they are of several types."""
    answers = answers_of(rules)
    return answers if len(set(map(type, answers))) == 1 else tuple(map(str, answers))


def may_miss(rules: "RuleSet") -> bool:
    """Tell whether values may be missing."""
    return rules.missing_values == "match"


def has_categories(rules: "RuleSet") -> bool:
    """Tell whether a feature has categories."""
    return any(feature.categories for feature in rules.features)


def commas_of(rules: "RuleSet") -> dict[int, str]:
    """Return how features are written whose numbers have commas or units, by their number."""
    plain = (PLAIN, *DATES)
    return {k: f.written for k, f in enumerate(rules.features) if f.written not in plain}


def dates_of(rules: "RuleSet") -> dict[int, str]:
    """Return how features are written that are dates, by their number."""
    return {k: f.written for k, f in enumerate(rules.features) if f.written in DATES}


def stand_ins_of(rules: "RuleSet") -> dict[int, float]:
    """Return the numbers that say that a feature is missing, by the feature's number."""
    return {k: f.stand_in for k, f in enumerate(rules.features) if f.stand_in is not None}


def groups_of(rules: "RuleSet") -> dict[int, int]:
    """Return the place of the category of all that are not named, by the feature's number."""
    return {k: f.others for k, f in enumerate(rules.features) if f.others is not None}


def absent_of(rules: "RuleSet") -> dict[int, int]:
    """Return the place of the category of missing and unknown values, by the feature's number."""
    return {k: int(f.absent) for k, f in enumerate(rules.features) if f.names_absent}


def absent_names(rules: "RuleSet") -> dict[int, str]:
    """Return the category of missing and unknown values, by the feature's number."""
    return dict.fromkeys(absent_of(rules), ABSENT)


def headings(rules: "RuleSet") -> list[str]:
    """Return lines that say what is written: rules, features, missing values, how some are read."""
    features = ", ".join(f"{k} {_described(feature)}" for k, feature in enumerate(rules.features))
    return [
        f"Rules: {len(rules)}, written by {MAKER}.",
        visible(f"Features of an observation: {features}."),
        missing_sentence(rules.missing_values, rules.features),
        *(visible(line) for line in map(_reading, rules.features) if line),
    ]


def _reading(feature: Feature) -> str:
    """Say how a feature is read, unless that goes without saying."""
    if feature.written in DATES:
        return f"{feature.name} is a date, as {EXAMPLES[feature.written]}."
    if feature.stand_in is not None:
        return f"{feature.name}: {feature.stand_in:g} says that it is missing."
    if feature.others is not None:
        return f"{feature.name}: what is not named is {feature.categories[feature.others]}."
    return ""


def _described(feature: Feature) -> str:
    """Return a feature's name, and which categories there are."""
    categories = ", ".join(map(str, feature.categories))
    return f"{feature.name} (one of {categories})" if categories else feature.name


def comments_of(rules: "RuleSet") -> list[str]:
    """Return the rules of a list as sentences, to be written above what they say."""
    digits = value_digits(rules)
    return [visible(rule_sentence(record, digits)) for record in records_of(rules)]


def variables_of(rules: "RuleSet", reserved: Collection[str]) -> list[str]:
    """Return variables named after the features, or numbered where that is impossible."""
    plain = [_word(name) for name in rules.feature_names]
    taken = set(reserved)
    variables = []
    for k, name in enumerate(plain):
        usable = name.isidentifier() and name not in taken and plain.count(name) == 1
        variables.append(name if usable else f"x_{k}_")
        taken.add(variables[-1])
    return variables


def _word(name: str) -> str:
    return re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_").lower()


def refuse_linear(rules: "RuleSet", form: str) -> None:
    """Refuse rules that predict by linear models; a list decides without what it predicts."""
    if rules.weights is not None and not rules.ordered:
        raise ConfigError(
            f"rules with linear predictions cannot be written as {form}: use Python, C or "
            "JavaScript, or make a list of them by compact"
        )
