"""Take a classifier's rules, and single rows, to where they are read, explained, compacted."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ruleplay.engine import XCS
from ruleplay.errors import ConfigError
from ruleplay.learners.classifier.categories import Categories
from ruleplay.learners.common.scaling import Bounds
from ruleplay.rules import RuleSet
from ruleplay.rules.features import features_of, plain_label


def reading_notes(classes: NDArray[Any], categories: Categories) -> dict[str, Any]:
    """Return what readers of an engine's rules must know of classes and categories."""
    notes: dict[str, Any] = {
        "action_names": [str(label) for label in classes],
        "classes": {"values": [plain_label(label) for label in classes]},
    }
    if categories:
        notes["categories"] = {
            str(k): {"values": [plain_label(value) for value in known]}
            for k, known in categories.items()
        }
    return notes


def deciding_rules(engine: XCS, bounds: Bounds, prior: NDArray[np.float64]) -> RuleSet:
    """Return what decides: the most frequent class where no rule matches.

    Rows are clipped to bounds that the engine's own may exceed by a margin: what a rule says
    beyond them never matters, and is not shown.
    """
    features = (
        feature if feature.categories else replace(feature, low=float(low), high=float(high))
        for feature, low, high in zip(features_of(engine), *bounds, strict=True)
    )
    return RuleSet.of(engine, int(prior.argmax()), tuple(features))


def as_table(row: Any, names: NDArray[Any] | None) -> Any:
    """Return one row, a sequence or a table of one, as a table with the names of its columns."""
    if isinstance(row, pd.Series):
        return row.to_frame().T
    if isinstance(row, pd.DataFrame) or np.ndim(row) == 2:
        if len(row) != 1:
            raise ConfigError(f"row must be a single one, got {len(row)} rows")
        return row
    values = np.empty((1, len(row)), object)
    values[0] = row
    return values if names is None else pd.DataFrame(values, columns=names)


def class_numbers(labels: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.int64]:
    """Return the place of each label among the classes."""
    unknown = np.setdiff1d(labels, classes)
    if len(unknown):
        raise ConfigError(f"y must hold the classes {classes} only, got {unknown}")
    return np.searchsorted(classes, labels).astype(np.int64)
