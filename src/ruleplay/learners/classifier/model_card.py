"""Say in Markdown what a classifier is, what it has learned from, and what it cannot do."""

import inspect
import platform
import re
from html import escape
from importlib.metadata import version
from typing import Any

from ruleplay.learners.classifier.by_hand.demands import RULES
from ruleplay.output.harmless import visible
from ruleplay.rules import Feature, RuleSet, fixed
from ruleplay.rules.text import sentences
from ruleplay.rules.wording import missing_sentence

TOP = 10  # rules that are shown
MOST_CATEGORIES = 12  # of a feature that are named
PACKAGES = ("numpy", "numba", "scikit-learn")

_MARK = "<!-- A model card, written by ruleplay. -->"
_STEERING = re.compile(r"([\\`*_\[\]|~#])")

_ABOUT = """A classifier whose model is a set of rules that people can read, learned by XCS, a
learning classifier system. Each rule predicts, within a box of the feature space, 1000 times the
probability of a class. The predictions of all rules that match a row, weighted by fitness,
decide."""

_LOAD = """```python
from ruleplay import XCSClassifier

model = XCSClassifier.load("{file}")
model.predict(rows)        # classes
print(model.explain(row))  # why
```

Written by `model.save("{file}")`, without pickled code."""


def write_card(model: Any, rules: RuleSet, title: str, file: str, right: Any) -> str:
    """Return the card of a fitted classifier with these rules.

    `right` tells of some rows whether they are classified right; None: nobody has looked.
    """
    sections = {
        "What it is": [_ABOUT],
        "What it has learned from": [*_data(model), _features(rules)],
        "Settings": [_settings(model)],
        "How well it does": [_accuracy(right)],
        "Rules": _rules(rules),
        "Missing values": [_missing(rules)],
        "How to load it": [_LOAD.format(file=_code(file))],
        "Limits": [_limits()],
        "Written with": [_versions()],
    }
    parts = [_MARK, f"# {_plain(title)}"]
    for heading, paragraphs in sections.items():
        parts += [f"## {heading}", *paragraphs]
    return "\n\n".join(parts) + "\n"


def _accuracy(right: Any) -> str:
    if right is None:
        return "Not measured: `model_card(X, y)` does so on rows of yours."
    return (
        f"{100 * right.mean():.1f} % of {len(right)} rows given with their classes are right. "
        "If it has learned from them, that says little about others."
    )


def _plain(text: Any) -> str:
    """Return text that is no Markdown and no HTML."""
    return _STEERING.sub(r"\\\1", escape(visible(str(text)), quote=False))


def _code(text: str) -> str:
    """Return a file's name that ends neither the string nor the code it stands in."""
    return re.sub(r'[`"\\]', "_", visible(text))


def _data(model: Any) -> list[str]:
    """Say how many rows there were, and of which classes."""
    count = fixed(model._weight_sums.sum(), 0)
    shares = zip(model.classes_.tolist(), model.class_prior_.tolist(), strict=True)
    rows = [[_plain(label), f"{100 * share:.1f} %"] for label, share in shares]
    told = f"{count} rows, counted by their weights, in {model.n_steps_} presentations."
    return [told, _table(["class", "share of the rows"], rows)]


def _features(rules: RuleSet) -> str:
    rows = [[_plain(feature.name), _values(feature)] for feature in rules.features]
    return _table(["feature", "values"], rows)


def _values(feature: Feature) -> str:
    """Say which categories a feature has, or between which numbers it lies."""
    if not feature.categories:
        return " to ".join(fixed(end, feature.digits) for end in (feature.low, feature.high))
    named = ", ".join(map(_plain, feature.categories[:MOST_CATEGORIES]))
    rest = len(feature.categories) - MOST_CATEGORIES
    return f"{named} and {rest} more" if rest > 0 else named


def _settings(model: Any) -> str:
    """List the parameters that are not as they are by default."""
    defaults = inspect.signature(type(model).__init__).parameters
    given = model.get_params(deep=False)
    changed = [
        [f"`{name}`", _plain(f"{len(value)} rules" if name in RULES else repr(value))]
        for name, value in given.items()
        if repr(value) != repr(defaults[name].default)
    ]
    if not changed:
        return "All settings are the defaults."
    return "All others are the defaults.\n\n" + _table(["setting", "value"], changed)


def _rules(rules: RuleSet) -> list[str]:
    """Say how many rules there are, and what the strongest are."""
    strongest = [f"1. {_plain(line)}" for line in sentences(rules, TOP)]
    wrote = f" A person wrote {rules.hand_written} of them." if rules.hand_written else ""
    return [
        f"{len(rules)} rules, which stand for {int(rules.numerosity.sum())}.{wrote} The strongest:",
        "\n".join(strongest),
    ]


def _missing(rules: RuleSet) -> str:
    told = missing_sentence(rules.missing_values, rules.features)
    unknown = " A category that was not met in training counts as missing."
    return told + (unknown if any(feature.categories for feature in rules.features) else "")


def _limits() -> str:
    """List what the answers cannot be asked for."""
    limits = (
        "A number outside of the values above is taken for the nearest one within.",
        "Where no rule speaks about a class, its share of the training rows counts instead.",
        "Rules say what goes with a class in these rows. They do not say what causes it.",
        "Rows of another kind than those above were not seen: nothing is known about them.",
    )
    return "\n".join(f"- {limit}" for limit in limits)


def _versions() -> str:
    found = {name: version(name) for name in PACKAGES}
    known = {"ruleplay": version("ruleplay"), "Python": platform.python_version(), **found}
    return ", ".join(f"{name} {number}" for name, number in known.items()) + "."


def _table(heads: list[str], rows: list[list[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
