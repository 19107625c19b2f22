"""What model files note of any learner of tables, besides its engine and what it predicts."""

from typing import Any

import numpy as np

from ruleplay.contrib.symbols.spans import spans_in
from ruleplay.engine import XCS
from ruleplay.engine.inputs import checked_integer
from ruleplay.learners.common.categories import Categories, category_bounds
from ruleplay.learners.common.layout import Layout
from ruleplay.learners.common.model_notes import (
    as_plain,
    plain_values,
    read_generator,
    read_values,
    typed,
)
from ruleplay.learners.common.scaling import Bounds, given_bounds
from ruleplay.learners.common.training_table import read_table_notes

NOT_KEPT = ("callback",)
LISTS = ("bounds", "categorical_features", "forbidden_features")  # parameters that may be arrays


def table_learner_notes(estimator: Any) -> dict[str, Any]:
    """Return what is known of rows, features and training."""
    low, high = estimator.bounds_
    return {
        "bounds": [low.tolist(), high.tolist()],
        "categories": {
            str(k): plain_values(f"categories of column {k}", known)
            for k, known in estimator.categories_.items()
        },
        "has_feature_names": hasattr(estimator, "feature_names_in_"),
        "n_steps": estimator.n_steps_,
        "validation_scores": getattr(estimator, "validation_scores_", None),
        "oob_score": _number_or_none(getattr(estimator, "oob_score_", np.nan)),
        "random": estimator._rng.bit_generator.state,
        **_table_notes(estimator),
    }


def _table_notes(estimator: Any) -> dict[str, Any]:
    """Return what is known about the file that a model was learned from, if it was one."""
    if not hasattr(estimator, "training_table_"):
        return {}
    return {"training_table": estimator.training_table_.notes()}


def _number_or_none(value: float) -> float | None:
    """Return a number; None for NaN, which files do not have."""
    return None if np.isnan(value) else value


def plain_parameters(estimator: Any) -> dict[str, Any]:
    """Return the parameters as plain values; a random state in use and a callback are left."""
    parameters = estimator.get_params(deep=False)
    kept = {name: value for name, value in parameters.items() if name not in NOT_KEPT}
    if not isinstance(kept["random_state"], (int, np.integer)):
        kept["random_state"] = None
    return {
        name: as_plain(value) if name in LISTS else plain_number(value)
        for name, value in kept.items()
    }


def plain_number(value: Any) -> Any:
    """Return a number of NumPy as one of Python, and anything else as it is."""
    return value.item() if isinstance(value, np.generic) else value


def restore_table_learner(estimator: Any, engine: XCS, notes: dict[str, Any]) -> None:
    """Give an estimator what was noted; any error means that the notes are odd."""
    estimator.engine_ = engine
    layout = estimator.layout_ = Layout(tuple(spans_in(engine.config, engine.n_features)))
    n_features = estimator.n_features_in_ = len(layout.spans)
    estimator.categories_ = _read_categories(notes["categories"], layout)
    estimator.bounds_ = _read_bounds(notes["bounds"], engine, layout, estimator.categories_)
    if typed(notes["has_feature_names"], bool):
        names = typed(notes["feature_names"], list)
        if len(names) != n_features or {type(name) for name in names} != {str}:
            raise ValueError(f"feature_names must be {n_features} names")
        estimator.feature_names_in_ = np.array(names, object)
    estimator.n_steps_ = checked_integer("n_steps", notes["n_steps"], 0)
    if notes["validation_scores"] is not None:
        scores = typed(notes["validation_scores"], list)
        estimator.validation_scores_ = [float(score) for score in scores]
    if notes.get("oob_score") is not None:
        estimator.oob_score_ = typed(notes["oob_score"], float)
    estimator._rng = read_generator(notes["random"])
    if "training_table" in notes:
        names = list(getattr(estimator, "feature_names_in_", ()))
        known = {names[k]: values.tolist() for k, values in estimator.categories_.items()}
        estimator.training_table_ = read_table_notes(notes["training_table"], names, known)


def _read_bounds(notes: Any, engine: XCS, layout: Layout, categories: Categories) -> Bounds:
    low, high = given_bounds(notes, len(layout.spans))
    expected = low.copy(), high.copy()
    category_bounds(*expected, categories)
    if not np.array_equal((low, high), expected):
        raise ValueError("the bounds of categorical columns must be those of their codes")
    widest = layout.column_bounds((low, high))
    if not ((widest[0] >= engine.low) & (widest[1] <= engine.high)).all():
        raise ValueError("bounds must lie within those of the engine")
    return low, high


def _read_categories(notes: Any, layout: Layout) -> Categories:
    categories: Categories = {}
    for text, known in typed(notes, dict).items():
        k = checked_integer("column", int(text), 0, len(layout.spans) - 1)
        categories[k] = read_values(known)
        if len(set(known["values"])) != len(known["values"]):
            raise ValueError(f"the categories of column {k} must be different")
    for k, span in enumerate(layout.spans):
        if span.nominal and len(categories.get(k, ())) != span.end - span.first:
            raise ValueError(f"column {k} must have {span.end - span.first} categories")
    return dict(sorted(categories.items()))
