"""A regressor's notes in a model file: what the engine does not know, as plain values."""

from typing import Any

import numpy as np

from ruleplay.engine import XCS
from ruleplay.learners.common.model_notes import typed
from ruleplay.learners.common.table_notes import (
    plain_parameters,
    restore_table_learner,
    table_learner_notes,
)
from ruleplay.learners.regressor.deviations import LEVELS, Deviations
from ruleplay.learners.regressor.settings import read_plan
from ruleplay.learners.regressor.targets import Targets

LEARNER = "regressor"
PARTS = ("low", "mean", "high", "deviation", "shift", "scale")


def notes_of(estimator: Any) -> dict[str, Any]:
    """Return what a file must hold besides the engine to make a regressor again."""
    targets = estimator.targets_
    return {
        "learner": LEARNER,
        "parameters": plain_parameters(estimator),
        "targets": {
            "names": list(targets.names),
            **{part: getattr(targets, part).tolist() for part in PARTS},
        },
        "is_flat": bool(estimator._is_flat),
        "column_means": estimator._fill.tolist(),
        "deviations": [[one.factor, list(one.quantiles)] for one in estimator.deviations_],
        **table_learner_notes(estimator),
    }


def rebuild(cls: Any, engine: XCS) -> Any:
    """Return a regressor made of an engine with notes; any error means that they are odd."""
    notes = engine.about
    estimator = cls(**typed(notes["parameters"], dict))
    n_targets = engine.n_actions
    restore_table_learner(estimator, engine, notes)
    estimator.targets_ = _read_targets(notes["targets"], n_targets)
    estimator._is_flat = typed(notes["is_flat"], bool)
    if estimator._is_flat and n_targets > 1:
        raise ValueError("several targets cannot be a vector")
    estimator._fill = _numbers(notes["column_means"], engine.n_features)
    estimator.deviations_ = tuple(map(_read_deviations, typed(notes["deviations"], list)))
    if len(estimator.deviations_) != n_targets:
        raise ValueError(f"deviations must be those of {n_targets} targets")
    read_plan(estimator)
    estimator._check_unchanged(n_targets)
    engine.about = estimator._notes()
    return estimator


def _read_targets(notes: Any, n_targets: int) -> Targets:
    names = tuple(typed(name, str) for name in typed(notes["names"], list))
    if len(names) != n_targets or not all(names) or len(set(names)) != n_targets:
        raise ValueError(f"targets must have {n_targets} different names")
    targets = Targets(names, *(_numbers(notes[part], n_targets) for part in PARTS))
    if not ((targets.low <= targets.mean) & (targets.mean <= targets.high)).all():
        raise ValueError("the mean of a target must lie within its range")
    if not ((targets.scale > 0.0) & (targets.deviation >= 0.0)).all():
        raise ValueError("the scale of a target must be positive")
    return targets


def _read_deviations(notes: Any) -> Deviations:
    factor, quantiles = typed(notes, list)
    sizes = _numbers(quantiles, LEVELS if quantiles else 0)
    if not 0.0 <= typed(factor, float) < np.inf or (np.diff(sizes, prepend=0.0) < 0.0).any():
        raise ValueError("deviations must be a factor, and sizes in order")
    return Deviations(factor, tuple(sizes.tolist()))


def _numbers(values: Any, size: int) -> Any:
    numbers = np.array([typed(value, float) for value in typed(values, list)], np.float64)
    if numbers.shape != (size,) or not np.isfinite(numbers).all():
        raise ValueError(f"{size} finite numbers are expected")
    return numbers
