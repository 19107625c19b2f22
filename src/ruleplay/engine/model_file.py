"""One file per engine, without pickle: a JSON header, then raw arrays.

    8 bytes   magic
    8 bytes   length of the header, little-endian
    32 bytes  SHA-256 of header and payload
    header    JSON: format, configuration, numbers of rules and experiences
    payload   the arrays in the order of the header, little-endian, C order

Loading trusts nothing: sizes are bounded before memory is taken, the payload's digest and
every invariant are checked, and nothing from the file is ever executed.
"""

import hashlib
import json
import math
import os
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.core.exploration import Guided
from ruleplay.core.state.counters import COUNTERS, STATE
from ruleplay.core.state.described import record_type
from ruleplay.engine.invariants import broken_invariants
from ruleplay.engine.state import Engine
from ruleplay.errors import ModelFileError, RuleplayError
from ruleplay.output.files import write_whole
from ruleplay.replay.component_state import component_states

MAGIC = b"RULEPLAY"
FORMAT = 3
LATER_COUNTERS = {"reward_size": 2, "payoff_size": 2}  # since which format they are there
START = 48  # bytes before the header
LARGEST_HEADER = 1 << 24
LARGEST_PAYLOAD = 1 << 34


def to_bytes(engine: Engine) -> bytes:
    """Return an engine as the content of a file."""
    arrays = [np.ascontiguousarray(array) for _, array in _parts(engine)]
    payload = b"".join(array.tobytes() for array in arrays)
    header = {
        "format": FORMAT,
        "config": engine.config.as_dict(),
        "replay": None if engine.replay is None else engine.replay.as_dict(),
        "n_actions": engine.n_actions,
        "low": engine.low.tolist(),
        "high": engine.high.tolist(),
        "seed": engine.seed,
        "horizon": engine.horizon,
        "about": engine.about,
        "counts": engine.state.arrays.population.counts.tolist(),
        "stored": engine.state.remembered,
    }
    if engine.largest_return is not None:
        header["largest_return"] = engine.largest_return
    copied = engine.state.copied()
    if copied:
        header["copied_counts"] = {name: one.counts.tolist() for name, one in copied.items()}
    text = json.dumps(header, sort_keys=True).encode()
    digest = hashlib.sha256(text + payload).digest()
    return b"".join([MAGIC, len(text).to_bytes(8, "little"), digest, text, payload])


def save(engine: Engine, path: str | PathLike[str]) -> None:
    """Write an engine whole or not at all."""
    write_whole(path, to_bytes(engine))


def load(cls: Any, path: str | PathLike[str]) -> Any:
    """Read an engine of class `cls`, or raise ModelFileError that says what is wrong."""
    try:
        with Path(path).open("rb") as file:
            start = file.read(START)
            length = _header_length(start, os.fstat(file.fileno()).st_size, path)
            digest = hashlib.file_digest(file, "sha256").digest()  # before all of it is read
            _check_digest(digest, start, path)
            file.seek(START)
            inside = file.read()
    except OSError as error:
        raise ModelFileError(f"{path}: {error.strerror or error}") from None
    return _engine_in(cls, inside, length, path)


def from_bytes(cls: Any, content: bytes) -> Any:
    """Return the engine that `to_bytes` was given, or raise ModelFileError."""
    name, start, inside = "the content", content[:START], content[START:]
    length = _header_length(start, len(content), name)
    _check_digest(hashlib.sha256(inside).digest(), start, name)
    return _engine_in(cls, inside, length, name)


def _header_length(start: bytes, size: int, name: Any) -> int:
    """Return the length of the header that the first bytes announce, if it can be right."""
    if len(start) < START or start[:8] != MAGIC:
        raise ModelFileError(f"{name}: not a ruleplay model file")
    length = int.from_bytes(start[8:16], "little")
    if length > LARGEST_HEADER:
        raise ModelFileError(f"{name}: the header is larger than {LARGEST_HEADER} bytes")
    if size - START - length > LARGEST_PAYLOAD:
        raise ModelFileError(f"{name}: the payload is larger than {LARGEST_PAYLOAD} bytes")
    return length


def _check_digest(digest: bytes, start: bytes, name: Any) -> None:
    if digest != start[16:]:
        raise ModelFileError(
            f"{name}: the content does not match its digest (truncated or damaged)"
        )


def _engine_in(cls: Any, inside: bytes, length: int, name: Any) -> Any:
    """Return the engine that header and payload describe; errors speak of it by its name."""
    header = _header(inside[:length], name)
    try:
        engine = _build(cls, header)
    except (
        RuleplayError,
        KeyError,
        TypeError,
        ValueError,
        OverflowError,
        MemoryError,
        RecursionError,
    ) as error:
        raise ModelFileError(f"{name}: the header does not describe a model: {error}") from None
    settled = [array.copy() for array in _fixed_arrays(engine)]
    _fill(engine, memoryview(inside)[length:], header["format"], name)
    if not all(map(np.array_equal, settled, _fixed_arrays(engine))):
        raise ModelFileError(f"{name}: the model contradicts its settings")
    engine.state.recall_hope()
    engine.derive()
    for trait in engine.state.traits:
        if hasattr(trait, "derive"):
            trait.derive(engine.state.agent)
    broken = broken_invariants(engine)
    if broken:
        raise ModelFileError(f"{name}: the model is inconsistent: {broken[0]}")
    return engine


def _fixed_arrays(engine: Engine) -> list[NDArray[Any]]:
    """List the arrays of components that follow from the settings; kernels trust their numbers."""
    return [array for one in engine.state.traits for array in getattr(one, "fixed", ())]


def _header(text: bytes, name: Any) -> dict[str, Any]:
    try:
        read = json.loads(text)
    except (UnicodeDecodeError, ValueError, RecursionError):
        raise ModelFileError(f"{name}: the header is damaged") from None
    header: dict[str, Any] = read if isinstance(read, dict) else {}
    found = header.get("format")
    if type(found) is not int or not 1 <= found <= FORMAT:
        raise ModelFileError(f"{name}: format {found!r} is not supported, only 1 to {FORMAT}")
    return header


def _build(cls: Any, header: dict[str, Any]) -> Any:
    """Return an empty engine as configured; its untouched arrays take no memory yet."""
    replay, version = header["replay"], header["format"]
    engine = cls(
        XCSConfig.from_dict(header["config"]),
        None if replay is None else ReplayConfig.from_dict(replay),
        n_actions=header["n_actions"],
        low=header["low"],
        high=header["high"],
        seed=header["seed"],
        horizon=header["horizon"],
        about=header["about"],
        largest_return=header.get("largest_return"),
    )
    limit = 0 if replay is None else engine.replay.capacity
    if type(header["stored"]) is not int or not 0 <= header["stored"] <= limit:
        raise ValueError(f"stored must be an integer in [0, {limit}]")
    engine.state.arrays.population.counts[:] = _checked_counts(engine, header["counts"])
    for name, trait in engine.state.copied().items():
        given = header["frozen_counts"] if version < 3 else header["copied_counts"][name]
        trait.counts[:] = _checked_counts(engine, given)
    engine.state.arrays.state["stored"] = header["stored"]
    return engine


def _checked_counts(engine: Engine, given: Any) -> Any:
    """Return numbers of rules per action that the engine has room for."""
    counts, stride = np.array(given, np.int64), int(engine.state.arrays.params["stride"][0])
    if counts.shape != (engine.n_actions,) or (counts < 0).any() or (counts > stride).any():
        raise ValueError(f"counts must be {engine.n_actions} integers in [0, {stride}]")
    if counts.sum() > engine.config.population_size:
        raise ValueError(f"counts must add up to at most {engine.config.population_size}")
    return counts


def _fill(engine: Engine, payload: memoryview, version: int, name: Any) -> None:
    """Copy the payload of a file of some format into the engine's arrays."""
    parts, counters = _parts_in(engine, version), _counters_in(version)
    dtypes = [counters if array.dtype == STATE else array.dtype for _, array in parts]
    sizes = [math.prod(array.shape) for _, array in parts]
    expected = sum(count * dtype.itemsize for count, dtype in zip(sizes, dtypes, strict=True))
    if len(payload) != expected:
        raise ModelFileError(
            f"{name}: the payload must have {expected} bytes, got {len(payload)} "
            "(truncated or damaged)"
        )
    size, offset = engine.state.remembered, 0
    for ((target, chosen), array), dtype, count in zip(parts, dtypes, sizes, strict=True):
        values = np.frombuffer(payload, dtype, count, offset).reshape(array.shape)
        offset += values.nbytes
        if dtype == array.dtype:
            target[chosen] = values
        else:
            for field in dtype.names or ():
                target[field] = values[field]
    if int(engine.state.arrays.state["stored"][0]) < 0 or engine.state.remembered != size:
        raise ModelFileError(f"{name}: the memory must hold {engine.state.remembered} experiences")
    for account in component_states(engine.state.memory):
        account.restore(size, engine.state.arrays.params[0])


def _parts_in(engine: Engine, version: int) -> list[tuple[tuple[Any, Any], Any]]:
    """List what a file of some format holds.

    Before format 3 whoever explored with notes had a counter, too, which counted nothing.
    """
    parts, explorer = _parts(engine), engine.state.traits.exploration
    if version < 3 and isinstance(explorer, Guided):
        at = next(i for i, ((array, _), _) in enumerate(parts) if array is explorer.notes)
        counter = np.zeros(1, np.uint32)
        parts.insert(at + 1, ((counter, ...), counter))
    return parts


def _counters_in(version: int) -> "np.dtype[np.void]":
    """Return the type of the counters in files of some format; later ones are 0 there."""
    return record_type([one for one in COUNTERS if LATER_COUNTERS.get(one.name, 1) <= version])


def _parts(engine: Engine) -> list[tuple[tuple[Any, Any], Any]]:
    """List what a file holds: (array and which of it, values to write), in a fixed order."""
    return [((array, which), array[which]) for array, which in engine.state.saved()]
