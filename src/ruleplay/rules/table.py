"""Read a population: its rules as a table and as plain values.

Everything is in the user's units. Observations outside the scaling bounds are clipped to
them, so an interval that reaches a bound is open on that side; a feature whose interval
reaches both bounds does not matter to the rule and is left out of sentences.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ruleplay.config import XCSConfig
from ruleplay.harmless import guarded_cell
from ruleplay.inputs import checked_integer
from ruleplay.rules.wording import phrase

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
        """Return notes: names of features and actions, and `whole_features`, if they fit."""

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


def whole_features(engine: Readable) -> tuple[bool, ...]:
    """Tell which features take whole numbers only, as the engine's notes say; else none does."""
    n_features, stated = len(engine.low), engine.about.get("whole_features")
    flags = stated if isinstance(stated, list) else []
    if len(flags) != n_features or any(type(flag) is not bool for flag in flags):
        return (False,) * n_features
    return tuple(flags)


def rules_table(engine: Readable) -> pd.DataFrame:
    """Return one row per rule, those with most fitness and numerosity first.

    `lower_` and `upper_` bounds of each feature, `action`, then prediction, error, fitness,
    numerosity, experience and generality (the share of the input space). The prediction of
    a linear model is that at its box's centre; the model itself, in the user's units, is
    `intercept` + the sum of `slope_<feature>` times the feature. A decision list keeps its
    order.
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
    first = [name for name in columns if name.startswith(("lower_", "upper_"))]
    models = [name for name in columns if name.startswith(("intercept", "slope_"))]
    table = pd.DataFrame(columns)[[*first, "action", *COLUMNS, *models]]
    return table.iloc[reading_order(engine, parts)].reset_index(drop=True)


def rules_csv(engine: Readable, top: int | None = None) -> str:
    """Return the first rules of the table as comma-separated values.

    Names that spreadsheets would compute, such as `=1+1`, begin with an apostrophe.
    """
    table = rules_table(engine).head(checked_top(top)).rename(columns=guarded_cell)
    table["action"] = table["action"].map(guarded_cell)
    text: str = table.to_csv(index=False, lineterminator="\n")
    return text


def rules_records(engine: Readable, top: int | None = None) -> list[dict[str, Any]]:
    """Return the first rules of the table as plain values.

    `condition` holds the bounds of the features that matter, by name; `if` is the same as a
    phrase.
    """
    names, whole = names_of(engine), whole_features(engine)
    records = []
    for row in rules_table(engine).head(checked_top(top)).to_dict("records"):
        matters, phrases = {}, []
        for k, name in enumerate(names.features):
            bounds = [row.pop(f"lower_{name}"), row.pop(f"upper_{name}")]
            text = phrase(name, bounds, (engine.low[k], engine.high[k]), whole[k])
            if text:
                matters[name] = bounds
                phrases.append(text)
        records.append({"if": " AND ".join(phrases) or "anything", "condition": matters, **row})
    return records


def prediction_size(engine: Readable) -> float:
    """Return what nine of ten rules' predictions do not exceed in size; 0 without rules."""
    values = _predictions(engine, names_of(engine), engine.export())["prediction"]
    sizes = np.abs(values[np.isfinite(values)])
    return float(np.quantile(sizes, 0.9)) if len(sizes) else 0.0


def reading_order(engine: Readable, parts: dict[str, NDArray[Any]]) -> NDArray[np.intp]:
    """Return the rules from the strongest to the weakest; a list's rules as they stand."""
    if getattr(engine, "ordered", False):
        return np.arange(len(parts["action"]))
    return np.argsort(-parts["fitness"] * parts["numerosity"], kind="stable")


def checked_top(top: Any) -> int | None:
    """Return how many rules are asked for, None for all, or refuse it."""
    return None if top is None else checked_integer("top", top, 0)


def _fitting(names: Any, count: int) -> tuple[str, ...] | None:
    """Return names from a file if there are enough of them, all different."""
    if not isinstance(names, Sequence) or isinstance(names, str) or len(names) != count:
        return None
    good = all(isinstance(name, str) and name for name in names)
    return tuple(names) if good and len(set(names)) == count else None


def _user_bounds(engine: Readable, parts: dict[str, NDArray[Any]]) -> tuple[Vector, Vector]:
    """Return the bounds in the user's units; those at the edge are exactly `low` or `high`."""
    if "user_lower" in parts:
        return parts["user_lower"], parts["user_upper"]
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
