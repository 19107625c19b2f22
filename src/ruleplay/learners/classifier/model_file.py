"""A classifier's notes in a model file: what the engine does not know, as plain values."""

from typing import Any

import numpy as np

from ruleplay.contrib.symbols.spans import spans_in
from ruleplay.engine import XCS
from ruleplay.engine.inputs import checked_integer
from ruleplay.learners.classifier.by_hand.demands import RULES, plain_rules
from ruleplay.learners.classifier.labels import class_notes
from ruleplay.learners.classifier.settings import read_plan
from ruleplay.learners.common.categories import Categories, category_bounds
from ruleplay.learners.common.layout import Layout
from ruleplay.learners.common.model_notes import (
    as_plain,
    plain_values,
    read_generator,
    read_values,
    typed,
)
from ruleplay.learners.common.scaling import Bounds, checked_margin, given_bounds
from ruleplay.learners.common.training_table import read_table_notes
from ruleplay.rules.origins import NOTE, noted_origins

LEARNER = "classifier"
NOT_KEPT = ("callback",)


def notes_of(estimator: Any) -> dict[str, Any]:
    """Return what a file must hold besides the engine to make a classifier again."""
    low, high = estimator.bounds_
    return {
        "learner": LEARNER,
        "parameters": plain_parameters(estimator),
        "classes": plain_values("classes", estimator.classes_),
        "weight_sums": estimator._weight_sums.tolist(),
        "bounds": [low.tolist(), high.tolist()],
        "categories": {
            str(k): plain_values(f"categories of column {k}", known)
            for k, known in estimator.categories_.items()
        },
        "has_feature_names": hasattr(estimator, "feature_names_in_"),
        "n_steps": estimator.n_steps_,
        "validation_scores": getattr(estimator, "validation_scores_", None),
        "share_power": estimator.share_power_,
        "oob_score": _number_or_none(getattr(estimator, "oob_score_", np.nan)),
        "random": estimator._rng.bit_generator.state,
        **_table_notes(estimator),
    }


def _table_notes(estimator: Any) -> dict[str, Any]:
    """Return what is known about the file that a classifier was learned from, if it was one."""
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
    weights = kept["class_weight"]
    if isinstance(weights, dict):
        labels = plain_values("labels in class_weight", np.array(list(weights)))
        kept["class_weight"] = {**labels, "weights": [float(w) for w in weights.values()]}
    if not isinstance(kept["random_state"], (int, np.integer)):
        kept["random_state"] = None
    for name in {"bounds", "categorical_features", "forbidden_features"} & kept.keys():
        kept[name] = as_plain(kept[name])
    for name in RULES:
        if kept.get(name) is not None:
            kept[name] = plain_rules(estimator, name)
    return {
        name: value.item() if isinstance(value, np.generic) else value
        for name, value in kept.items()
    }


def rebuild(cls: Any, engine: XCS) -> Any:
    """Return a classifier made of an engine with notes; any error means that they are odd."""
    notes = engine.about
    estimator = cls(**read_parameters(notes["parameters"]))
    classes = read_values(notes["classes"])
    if len(classes) != engine.n_actions or not np.array_equal(np.unique(classes), classes):
        raise ValueError(f"classes must be {engine.n_actions} labels in order")
    sums = np.array(notes["weight_sums"], np.float64)
    if sums.shape != (engine.n_actions,) or not (sums >= 0).all() or not 0 < sums.sum() < np.inf:
        raise ValueError(f"weight_sums must be {engine.n_actions} weights")
    estimator.engine_, estimator.classes_ = engine, classes
    estimator._weight_sums, estimator.class_prior_ = sums, sums / sums.sum()
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
    estimator.share_power_ = _read_power(notes.get("share_power", 1.0))
    if notes.get("oob_score") is not None:
        estimator.oob_score_ = typed(notes["oob_score"], float)
    estimator._rng = read_generator(notes["random"])
    if "training_table" in notes:
        names = list(getattr(estimator, "feature_names_in_", ()))
        known = {names[k]: values.tolist() for k, values in estimator.categories_.items()}
        estimator.training_table_ = read_table_notes(notes["training_table"], names, known)
    read_plan(estimator)
    _keep_what_was_chosen(estimator, engine)
    estimator._check_unchanged()
    noted_origins(notes.get(NOTE, []), engine.n_features)
    named = {name: notes[name] for name in ("feature_names", NOTE) if name in notes}
    engine.about = class_notes(classes) | estimator._notes_for_readers() | named
    return estimator


def _keep_what_was_chosen(estimator: Any, engine: XCS) -> None:
    """Give a parameter the value that an earlier version meant."""
    step = engine.config.mutation_step
    if estimator.mutation_step == step:  # once a share of the engine's range
        room = 1.0 + 2.0 * checked_margin(estimator.margin, estimator.n_features_in_)
        near = step * room
        exact = (near, np.nextafter(near, 2.0), np.nextafter(near, 0.0))
        estimator.mutation_step = float(next((s for s in exact if s / room == step), near))


def _read_power(value: Any) -> float:
    power: float = typed(value, float)
    if not 0.0 < power < np.inf:
        raise ValueError(f"share_power must lie in (0, inf), got {power}")
    return power


def read_parameters(parameters: Any) -> dict[str, Any]:
    """Return the parameters that `plain_parameters` was given."""
    read: dict[str, Any] = dict(typed(parameters, dict))
    weights = read["class_weight"]
    if isinstance(weights, dict):
        labels = read_values(weights).tolist()
        read["class_weight"] = dict(zip(labels, weights["weights"], strict=True))
    return read


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
