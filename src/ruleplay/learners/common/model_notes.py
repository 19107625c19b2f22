"""What a model file says about a learner beside its engine: plain values that trust nothing.

The engine's file has a digest and no code. The notes inside are checked when they are read:
anything odd raises ModelFileError.
"""

from collections.abc import Callable, Mapping
from os import PathLike
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ruleplay.engine import XCS
from ruleplay.engine.inputs import checked_about
from ruleplay.errors import ConfigError, ModelFileError

Learner = TypeVar("Learner")

LARGEST_ITEM = 16  # bytes of a number
LARGEST_TEXT = 1 << 24

_ODD = (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError)


def save_with_notes(engine: XCS, notes: Mapping[str, Any], path: str | PathLike[str]) -> None:
    """Write an engine and notes on its learner to one file; the engine stays as it is."""
    names = engine.about
    try:
        engine.about = checked_about({**names, **notes})
        engine.save(path)
    finally:
        engine.about = names


def load_learner(
    path: str | PathLike[str], learner: str, title: str, rebuild: Callable[[XCS], Learner]
) -> Learner:
    """Read the learner that an engine with notes makes, or say what is wrong with the file.

    `learner` is what its notes call it, `title` what people do.
    """
    engine = XCS.load(path)
    if engine.about.get("learner") != learner:
        raise ModelFileError(f"{path}: the model was not saved by {title}")
    try:
        return rebuild(engine)
    except _ODD as error:
        raise ModelFileError(
            f"{path}: the notes on the {learner} are damaged: {type(error).__name__}: {error}"
        ) from None


def plain_values(what: str, values: NDArray[Any]) -> dict[str, Any]:
    """Return text, numbers or booleans as plain values with their kind."""
    plain = values.tolist()
    kinds = {type(value) for value in plain}
    if values.dtype.kind not in "biufUO" or not kinds <= {str, int, float, bool}:
        shown = sorted(kind.__name__ for kind in kinds)
        raise ConfigError(
            f"{what} must be text, numbers or booleans to be saved, got {', '.join(shown)}"
        )
    kind = "U" if values.dtype.kind == "U" else values.dtype.str
    return {"dtype": kind, "values": plain}


def read_values(notes: Any) -> NDArray[Any]:
    """Return the values that `plain_values` was given, or refuse them."""
    dtype, values = np.dtype(typed(notes["dtype"], str)), typed(notes["values"], list)
    if dtype.kind not in "biufUO" or dtype.itemsize > LARGEST_ITEM:
        raise ValueError(f"values of dtype {dtype} are not supported")
    if not values or not {type(value) for value in values} <= {str, int, float, bool}:
        raise TypeError("values must be text, numbers or booleans")
    if len(values) * max(len(str(value)) for value in values) > LARGEST_TEXT:
        raise ValueError(f"values must take at most {LARGEST_TEXT} characters")
    array = np.empty(len(values), object)
    array[:] = values
    if dtype.kind != "O":
        array = array.astype(dtype)
    if array.tolist() != values:
        raise ValueError(f"values must be of dtype {dtype}")
    return array


def as_plain(value: Any) -> Any:
    """Return arrays, tuples and lists of them as lists."""
    if isinstance(value, (list, tuple)):
        return [as_plain(item) for item in value]
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


def read_generator(state: Any) -> np.random.Generator:
    """Return a generator of random numbers in the state that was written, or refuse it."""
    generator = np.random.default_rng(0)
    generator.bit_generator.state = state
    if generator.bit_generator.state != state:
        raise ValueError("the state of the random numbers must be as it was written")
    return generator


def typed(value: Any, kind: type) -> Any:
    """Return a value if it is of a kind, or refuse it."""
    if type(value) is not kind:
        raise TypeError(f"a {kind.__name__} is expected, got {type(value).__name__}")
    return value
