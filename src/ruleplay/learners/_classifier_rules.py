"""Take a classifier's rules, and single rows, to where decisions are explained and compacted."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ruleplay.engine import XCS
from ruleplay.errors import ConfigError
from ruleplay.learners._scaling import Bounds
from ruleplay.rules import RuleSet


def deciding_rules(engine: XCS, bounds: Bounds, prior: NDArray[np.float64]) -> RuleSet:
    """Return what decides: the most frequent class where no rule matches.

    Rows are clipped to bounds that the engine's own may exceed by a margin; rules are read
    within them, unless linear models depend on the engine's.
    """
    rules = RuleSet.of(engine, default_action=int(prior.argmax()))
    if rules.weights is not None:
        return rules
    return replace(rules, low=bounds[0], high=bounds[1])


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
