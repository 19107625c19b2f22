"""Classes by their labels and by their numbers."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ruleplay.errors import ConfigError
from ruleplay.rules.features import plain_label


def class_notes(classes: NDArray[Any]) -> dict[str, Any]:
    """Return what readers of an engine's rules must know of the classes."""
    return {
        "action_names": [str(label) for label in classes],
        "classes": {"values": [plain_label(label) for label in classes]},
    }


def class_numbers(labels: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.int64]:
    """Return the place of each label among the classes."""
    unknown = np.setdiff1d(labels, classes)
    if len(unknown):
        raise ConfigError(f"y must hold the classes {classes} only, got {unknown}")
    return np.searchsorted(classes, labels).astype(np.int64)
