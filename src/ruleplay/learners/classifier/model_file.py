"""A classifier's notes in a model file: what the engine does not know, as plain values."""

from typing import Any

import numpy as np

from ruleplay.engine import XCS
from ruleplay.learners.classifier.by_hand.demands import RULES, plain_rules
from ruleplay.learners.classifier.labels import class_notes
from ruleplay.learners.classifier.settings import read_plan
from ruleplay.learners.common.model_notes import (
    plain_values,
    read_values,
    typed,
)
from ruleplay.learners.common.scaling import checked_margin
from ruleplay.learners.common.table_notes import (
    plain_parameters,
    restore_table_learner,
    table_learner_notes,
)
from ruleplay.rules.origins import NOTE, noted_origins

LEARNER = "classifier"


def notes_of(estimator: Any) -> dict[str, Any]:
    """Return what a file must hold besides the engine to make a classifier again."""
    return {
        "learner": LEARNER,
        "parameters": classifier_parameters(estimator),
        "classes": plain_values("classes", estimator.classes_),
        "weight_sums": estimator._weight_sums.tolist(),
        "share_power": estimator.share_power_,
        **table_learner_notes(estimator),
    }


def classifier_parameters(estimator: Any) -> dict[str, Any]:
    """Return the parameters as plain values; weights of classes and rules by hand in words."""
    kept = plain_parameters(estimator)
    weights = kept["class_weight"]
    if isinstance(weights, dict):
        labels = plain_values("labels in class_weight", np.array(list(weights)))
        kept["class_weight"] = {**labels, "weights": [float(w) for w in weights.values()]}
    for name in RULES:
        if kept.get(name) is not None:
            kept[name] = plain_rules(estimator, name)
    return kept


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
    estimator.classes_ = classes
    estimator._weight_sums, estimator.class_prior_ = sums, sums / sums.sum()
    restore_table_learner(estimator, engine, notes)
    estimator.share_power_ = _read_power(notes.get("share_power", 1.0))
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
    """Return the parameters that `classifier_parameters` was given."""
    read: dict[str, Any] = dict(typed(parameters, dict))
    weights = read["class_weight"]
    if isinstance(weights, dict):
        labels = read_values(weights).tolist()
        read["class_weight"] = dict(zip(labels, weights["weights"], strict=True))
    return read
