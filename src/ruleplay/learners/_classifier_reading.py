"""Read a classifier's rules: in the users' units, with their classes and categories."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ruleplay.config import XCSConfig
from ruleplay.engine import XCS
from ruleplay.envs.classification import RIGHT_REWARD
from ruleplay.learners._classifier_columns import Categories
from ruleplay.learners._scaling import Bounds
from ruleplay.rules import (
    RuleSet,
    names_of,
    rules_records,
    rules_table,
    sentences,
)

Vector = NDArray[np.float64]
Parts = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class View:
    """The rules of an engine, from the weightiest on, within the bounds of the features.

    Features are clipped to these bounds, which the engine's own may exceed by a margin:
    what a rule says beyond them never matters, and is not shown.
    """

    config: XCSConfig
    low: Vector
    high: Vector
    n_actions: int
    about: dict[str, Any]
    parts: Parts
    members: dict[int, NDArray[np.bool_]]  # which categories a rule has, by column

    def export(self) -> Parts:
        """Return the parts of all rules by name; bounds scaled to [0, 1]."""
        return self.parts


def view_rules(engine: XCS, bounds: Bounds, categories: Categories) -> View:
    """Take the rules out of an engine."""
    parts = engine.export()
    order = np.argsort(-parts["fitness"] * parts["numerosity"], kind="stable")
    parts = {name: part[order] for name, part in parts.items()}
    members = {k: _members(engine, parts, k, len(known)) for k, known in categories.items()}
    low, high = bounds
    if not (np.array_equal(low, engine.low) and np.array_equal(high, engine.high)):
        parts = _rescaled(engine, parts, bounds)
    return View(engine.config, low, high, engine.n_actions, engine.about, parts, members)


def class_table(view: View, classes: NDArray[Any], categories: Categories) -> pd.DataFrame:
    """Return the table of rules with labels for actions, and categories for their codes."""
    table = rules_table(view).rename(columns={"action": "class"})
    names = names_of(view)
    labels = dict(zip(names.actions, classes, strict=True))
    table["class"] = table["class"].map(labels)
    for k, known in categories.items():
        name, place = names.features[k], 2 * k - sum(other < k for other in categories)
        table = table.drop(columns=[f"lower_{name}", f"upper_{name}"])
        table.insert(place, f"in_{name}", [tuple(known[row]) for row in view.members[k]])
    return table


def class_text(view: View, categories: Categories, top: int | None) -> str:
    """Return the first rules as sentences."""
    return "\n".join(sentences(view, class_records(view, categories, top)))


def class_records(view: View, categories: Categories, top: int | None) -> list[dict[str, Any]]:
    """Return the first rules as plain values; one of low prediction speaks against its class."""
    records = worded_records(view, view.members, categories, top)
    for record in records:
        if record["prediction"] < RIGHT_REWARD / 2:
            record["action"] = f"not {record['action']}"
    return records


def list_records(rules: RuleSet, categories: Categories) -> list[dict[str, Any]]:
    """Return the rules of a list as plain values, with categories for their codes."""
    members = {}
    for k, known in categories.items():
        codes = np.arange(len(known))
        members[k] = (rules.lower[:, [k]] <= codes) & (codes <= rules.upper[:, [k]])
    return worded_records(rules, members, categories, None)


def worded_records(
    source: View | RuleSet,
    members: dict[int, NDArray[np.bool_]],
    categories: Categories,
    top: int | None,
) -> list[dict[str, Any]]:
    """Return the first rules as plain values whose `if` has categories for their codes."""
    features = names_of(source).features
    tokens = [f"<{k}>" for k in range(len(features))]  # names could look like more conditions
    records = rules_records(_renamed(source, tokens), top)
    for number, record in enumerate(records):
        phrases = []
        for token, phrase in zip(record["condition"], record["if"].split(" AND "), strict=False):
            k = tokens.index(token)
            if k in categories:
                chosen = ", ".join(map(str, categories[k][members[k][number]]))
                phrases.append(f"{features[k]} in {{{chosen}}}")
            else:
                phrases.append(phrase.replace(token, features[k]))
        record["if"] = " AND ".join(phrases) or "anything"
        record["condition"] = {
            features[tokens.index(token)]: bounds for token, bounds in record["condition"].items()
        }
    return records


def _renamed(source: View | RuleSet, features: list[str]) -> View | RuleSet:
    """Return the same rules with other names of features."""
    if isinstance(source, RuleSet):
        return replace(source, names=source.names._replace(features=tuple(features)))
    return replace(source, about=source.about | {"feature_names": features})


def _members(engine: XCS, parts: Parts, column: int, count: int) -> NDArray[np.bool_]:
    """Tell which codes lie in each rule's interval, (rules, codes), just as the engine does."""
    low, high = engine.low[column], engine.high[column]
    states = ((np.arange(count) - low) * (1.0 / (high - low))).astype(np.float32)
    lower, upper = parts["lower"][:, [column]], parts["upper"][:, [column]]
    inside: NDArray[np.bool_] = (lower <= states) & (states <= upper)
    return inside


def _rescaled(engine: XCS, parts: Parts, bounds: Bounds) -> Parts:
    """Return the parts with everything that is scaled scaled to other bounds."""
    low, high = bounds
    offset = (low - engine.low) / (engine.high - engine.low)
    share = (high - low) / (engine.high - engine.low)
    lower, upper = (
        (parts[side].astype(np.float64) - offset) / share for side in ("lower", "upper")
    )
    # An interval that lies outside stays there: no value is in it.
    scaled = {"lower": np.maximum(lower, 0.0), "upper": np.minimum(upper, 1.0)}
    scaled["volume"] = np.maximum(scaled["upper"] - scaled["lower"], 0.0).prod(axis=1)
    if "weights" in parts:
        slopes = parts["weights"][:, 1:]
        first = parts["weights"][:, 0] + slopes @ offset
        scaled["weights"] = np.column_stack([first, slopes * share])
    return parts | scaled
