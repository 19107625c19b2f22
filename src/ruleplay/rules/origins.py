"""Where rules come from: learned, or written by a person, and then maybe protected.

An engine's notes say which boxes a person gave it, by the columns that they limit; whatever rule
has exactly that box and that action is the person's.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ruleplay.rules.features import Readable

Integers = NDArray[np.int64]
Key = tuple[int, bytes]  # a rule's action, and its bounds

LEARNED, BY_HAND, PROTECTED = range(3)
ORIGINS = ("learned", "by hand", "protected")
NOTE = "by_hand"  # the engine's note


def origins_of(engine: "Readable", parts: dict[str, NDArray[Any]]) -> Integers:
    """Return the origin of each rule of an engine; odd notes are not believed."""
    try:
        known = noted_origins(engine.about.get(NOTE, []), len(engine.low))
    except (KeyError, TypeError, ValueError, IndexError):
        known = {}
    if not known:
        return np.zeros(len(parts["action"]), np.int64)
    keys = keys_of(parts["lower"], parts["upper"], parts["action"])
    return np.array([known.get(key, LEARNED) for key in keys], np.int64)


def keys_of(lower: Any, upper: Any, actions: Any) -> list[Key]:
    """Return what tells rules from each other."""
    bounds = np.ascontiguousarray(np.hstack([lower, upper]), np.float32) + np.float32(0.0)
    return [(int(a), row.tobytes()) for a, row in zip(actions, bounds, strict=True)]


def noted_origins(notes: Any, n_columns: int) -> dict[Key, int]:
    """Return the origins that notes tell, by the rules' keys; odd ones raise an error."""
    known = {}
    for note in notes:
        lower, upper = np.zeros((1, n_columns), np.float32), np.ones((1, n_columns), np.float32)
        for text, sides in note["columns"].items():
            k = range(n_columns)[int(text)]
            lower[0, k], upper[0, k] = (float(side) for side in sides)
        key = keys_of(lower, upper, [int(note["action"])])[0]
        known[key] = PROTECTED if note["protected"] is True else BY_HAND
    return known


def note_origins(known: dict[Key, int]) -> list[dict[str, Any]]:
    """Return notes that tell origins; columns that a rule leaves free are left out."""
    notes = []
    for (action, bounds), origin in known.items():
        lower, upper = np.frombuffer(bounds, np.float32).reshape(2, -1)
        limited = np.flatnonzero((lower > 0.0) | (upper < 1.0))
        columns = {str(k): [_short(lower[k]), _short(upper[k])] for k in limited}
        notes.append({"action": action, "columns": columns, "protected": origin == PROTECTED})
    return notes


def _short(bound: Any) -> float:
    """Return a number of nine digits, which are enough to tell each bound from all others."""
    return float(f"{bound:.9g}")
