"""Read a population: its rules as a table, as sentences and as plain values.

Everything is in the user's units. Observations outside the scaling bounds are clipped to
them, so an interval that reaches a bound is open on that side; a feature whose interval
reaches both bounds does not matter to the rule and is left out of sentences.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ruleplay.config import XCSConfig

Vector = NDArray[np.float64]

COLUMNS = ("prediction", "error", "fitness", "numerosity", "experience", "generality")


class Readable(Protocol):
    """What reading needs of an engine."""

    @property
    def config(self) -> XCSConfig:
        """Return the configuration."""

    @property
    def low(self) -> Vector:
        """Return what an observation's features are at least, (features,)."""

    @property
    def high(self) -> Vector:
        """Return what an observation's features are at most, (features,)."""

    @property
    def n_actions(self) -> int:
        """Return the number of actions."""

    @property
    def about(self) -> dict[str, Any]:
        """Return notes: `feature_names` and `action_names` are used if they fit."""

    def export(self) -> dict[str, NDArray[Any]]:
        """Return the parts of all rules by name; bounds scaled to [0, 1]."""


class Names(NamedTuple):
    """What features and actions are called."""

    features: tuple[str, ...]
    actions: tuple[str, ...]


def names_of(engine: Readable) -> Names:
    """Return the names that the engine carries, or x0, x1, ... and 0, 1, ..."""
    n_features = len(engine.low)
    features = _fitting(engine.about.get("feature_names"), n_features)
    actions = _fitting(engine.about.get("action_names"), engine.n_actions)
    return Names(
        features or tuple(f"x{k}" for k in range(n_features)),
        actions or tuple(str(k) for k in range(engine.n_actions)),
    )


def rules_table(engine: Readable) -> pd.DataFrame:
    """Return one row per rule, those with most fitness and numerosity first.

    `lower_` and `upper_` bounds of each feature, `action`, then prediction, error, fitness,
    numerosity, experience and generality (the share of the input space). The prediction of
    a linear model is that at its box's centre; the model itself, in the user's units, is
    `intercept` + the sum of `slope_<feature>` times the feature.
    """
    names, parts = names_of(engine), engine.export()
    lower, upper = _user_bounds(engine, parts)
    columns: dict[str, Any] = {}
    for k, name in enumerate(names.features):
        columns[f"lower_{name}"] = lower[:, k]
        columns[f"upper_{name}"] = upper[:, k]
    columns["action"] = np.array(names.actions, object)[parts["action"]]
    columns["generality"] = parts["volume"]
    columns |= {name: parts[name] for name in COLUMNS[1:-1]}
    columns |= _predictions(engine, names, parts)
    order = np.argsort(-parts["fitness"] * parts["numerosity"], kind="stable")
    first = [name for name in columns if name.startswith(("lower_", "upper_"))]
    models = [name for name in columns if name.startswith(("intercept", "slope_"))]
    table = pd.DataFrame(columns)[[*first, "action", *COLUMNS, *models]]
    return table.iloc[order].reset_index(drop=True)


def rules_text(engine: Readable, top: int | None = 10) -> str:
    """Return the first rules of the table as sentences, one a line.

    `IF 0.10 <= x <= 0.52 AND y <= 0.40 THEN red (prediction 998.1, error 3.2, ...)`
    """
    digits = value_digits(engine)
    return "\n".join(rule_sentence(record, digits) for record in rules_records(engine, top))


def rules_records(engine: Readable, top: int | None = None) -> list[dict[str, Any]]:
    """Return the first rules of the table as plain values.

    `condition` holds the bounds of the features that matter, by name; `if` is the same as a
    phrase.
    """
    names, table = names_of(engine), rules_table(engine).head(top)
    records = []
    for row in table.to_dict("records"):
        condition = {
            name: [row.pop(f"lower_{name}"), row.pop(f"upper_{name}")] for name in names.features
        }
        phrases = [
            _phrase(name, condition[name], (low, high))
            for name, low, high in zip(names.features, engine.low, engine.high, strict=True)
        ]
        matters = {
            name: bounds
            for (name, bounds), phrase in zip(condition.items(), phrases, strict=True)
            if phrase
        }
        text = " AND ".join(filter(None, phrases)) or "anything"
        records.append({"if": text, "condition": matters, **row})
    return records


def rule_sentence(record: dict[str, Any], digits: int) -> str:
    """Return one of `rules_records` as a sentence, payoffs with so many decimals."""
    where = " at the centre" if "intercept" in record else ""
    return (
        f"IF {record['if']} THEN {record['action']} ("
        f"prediction {fixed(record['prediction'], digits)}{where}, "
        f"error {fixed(record['error'], digits)}, fitness {record['fitness']:.3f}, "
        f"numerosity {record['numerosity']}, experience {record['experience']})"
    )


def value_digits(engine: Readable) -> int:
    """Return how many decimals of a payoff matter: a hundredth of the error threshold."""
    return max(0, 2 - math.floor(math.log10(engine.config.error_threshold)))


def fixed(value: float, digits: int) -> str:
    """Return a number with so many decimals, and zero without a sign.

    >>> fixed(-1e-9, 1)
    '0.0'
    """
    return f"{round(value, digits) + 0.0:.{digits}f}"


def _fitting(names: Any, count: int) -> tuple[str, ...] | None:
    """Return names from a file if there are enough of them, all different and printable."""
    if not isinstance(names, Sequence) or isinstance(names, str) or len(names) != count:
        return None
    good = all(isinstance(name, str) and name and name.isprintable() for name in names)
    return tuple(names) if good and len(set(names)) == count else None


def _user_bounds(engine: Readable, parts: dict[str, NDArray[Any]]) -> tuple[Vector, Vector]:
    """Return the bounds in the user's units; those at the edge are exactly `low` or `high`."""
    low, high = engine.low, engine.high
    lower, upper = (low + parts[side].astype(float) * (high - low) for side in ("lower", "upper"))
    return np.where(parts["lower"] <= 0, low, lower), np.where(parts["upper"] >= 1, high, upper)


def _predictions(
    engine: Readable, names: Names, parts: dict[str, NDArray[Any]]
) -> dict[str, Vector]:
    """Return the predictions at the centres and, of linear models, the models."""
    if "weights" not in parts:
        return {"prediction": parts["prediction"]}
    weights = parts["weights"]
    centre = (parts["lower"].astype(float) + parts["upper"]) / 2
    values = weights[:, 0] + (weights[:, 1:] * centre).sum(axis=1)
    limit = engine.config.prediction_limit
    slopes = weights[:, 1:] / (engine.high - engine.low)
    return {
        "prediction": values if limit is None else np.clip(values, -limit, limit),
        "intercept": weights[:, 0] - slopes @ engine.low,
        **{f"slope_{name}": slopes[:, k] for k, name in enumerate(names.features)},
    }


def _phrase(name: str, bounds: list[float], whole: tuple[float, float]) -> str:
    """Return the interval of a feature in words; nothing if it is the whole range."""
    (lower, upper), (low, high) = bounds, whole
    digits = max(0, 2 - math.floor(math.log10(high - low)))
    at_least = f"{lower:.{digits}f} <= " if lower > low else ""
    at_most = f" <= {upper:.{digits}f}" if upper < high else ""
    if at_least and not at_most:
        return f"{name} >= {lower:.{digits}f}"
    return f"{at_least}{name}{at_most}" if at_most else ""
