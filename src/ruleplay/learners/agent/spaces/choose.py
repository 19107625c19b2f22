"""Choose how the observations of a space become features, and refuse spaces that have none."""

import math
import operator
import warnings
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from gymnasium import spaces

from ruleplay.errors import ConfigError
from ruleplay.learners.agent.spaces.encoder import Encoder
from ruleplay.learners.agent.spaces.parts import (
    AnyEncoder,
    Part,
    PartsEncoder,
    path_name,
    plain_parts,
)

HowDiscrete = str | Sequence[int]


def choose_encoder(space: spaces.Space[Any], encode_discrete: HowDiscrete) -> AnyEncoder:
    """Return the encoder for an observation space, or refuse the space."""
    if not isinstance(space, (spaces.Dict, spaces.Tuple)):
        return _plain_encoder(space, encode_discrete, "observation space")
    if encode_discrete not in ("ordinal", "one_hot"):
        raise ConfigError(
            "encode_discrete must be 'ordinal' or 'one_hot' for observations of several parts, "
            f"got {encode_discrete!r}"
        )
    found = dict(plain_parts(space))
    texts = [path_name(path) for path, one in found.items() if _is_text(one)]
    parts = [
        Part(path, _plain_encoder(one, encode_discrete, f"observation part {path_name(path)}"))
        for path, one in found.items()
        if not _is_text(one)
    ]
    if not parts:
        raise ConfigError(f"observation space must have parts of numbers, got {space}")
    if texts:
        warnings.warn(
            f"rules cannot read text, and do without the part {', '.join(texts)} of observations: "
            "if it changes what is right, wrap the environment such that it tells that in numbers",
            stacklevel=4,
        )
    return PartsEncoder(tuple(parts))


def _is_text(space: spaces.Space[Any]) -> bool:
    return isinstance(space, spaces.Text) or getattr(space.dtype, "kind", "") == "U"


def _plain_encoder(space: spaces.Space[Any], encode_discrete: HowDiscrete, what: str) -> Encoder:
    if isinstance(space, spaces.Discrete):
        return _discrete_encoder(space, encode_discrete)
    if isinstance(space, (spaces.Box, spaces.MultiDiscrete, spaces.MultiBinary)):
        shape = tuple(int(size) for size in space.shape)
        if math.prod(shape) < 1:
            raise ConfigError(f"{what} must not be empty, got {space}")
        return Encoder(shape)
    raise ConfigError(
        f"{what} must be Box, Discrete, MultiDiscrete, MultiBinary, or a Dict or Tuple of them, "
        f"got {type(space).__name__}: wrap the environment in "
        "a gymnasium.wrappers.TransformObservation of your own"
    )


def _discrete_encoder(space: spaces.Discrete, encode_discrete: HowDiscrete) -> Encoder:
    count, first = int(space.n), int(space.start)
    if encode_discrete == "ordinal":
        return Encoder(())
    if encode_discrete == "one_hot":
        return Encoder((), first, (count,), one_hot=True)
    sizes: tuple[int, ...] = ()
    if not isinstance(encode_discrete, str):
        with suppress(TypeError):
            sizes = tuple(operator.index(size) for size in encode_discrete)
    if min(sizes, default=0) < 1 or math.prod(sizes) != count:
        raise ConfigError(
            "encode_discrete must be 'ordinal', 'one_hot' or sizes whose product is "
            f"{count}, got {encode_discrete!r}"
        )
    return Encoder((), first, sizes)
