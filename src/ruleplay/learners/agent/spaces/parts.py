"""Observations of several parts, `Dict` and `Tuple` spaces in each other, as one vector.

A part is found by its path: keys of dictionaries and positions in tuples, from outside in.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces

from ruleplay.errors import ConfigError
from ruleplay.learners.agent.spaces.encoder import Encoder, Vector

Path = tuple[str | int, ...]


class Part(NamedTuple):
    """A plain space within others."""

    path: Path
    encoder: Encoder

    def names(self) -> list[str]:
        """Return what its features are called: the path, then the place in an array.

        >>> Part(("arm", 0), Encoder((2,))).names(), Part((1,), Encoder(())).names()
        (['arm.0.0', 'arm.0.1'], ['x1'])
        """
        base, encoder = path_name(self.path), self.encoder
        if encoder.one_hot:
            return [f"{base}_{name}" for name in encoder.plain_names()]
        if encoder.shape == ():
            return [base]
        return [".".join(map(str, (base, *place))) for place in np.ndindex(encoder.shape)]


def path_name(path: Path) -> str:
    """Return a path as a name; one that begins with a number gets a letter.

    >>> path_name(("arm", "angle")), path_name((0, "angle"))
    ('arm.angle', 'x0.angle')
    """
    name = ".".join(map(str, path))
    return f"x{name}" if name[:1].isdigit() else name


def plain_parts(space: spaces.Space[Any], path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield the plain spaces in a space with their paths, in their order."""
    if isinstance(space, spaces.Dict):
        for key, inner in space.spaces.items():
            if type(key) not in (str, int):
                raise ConfigError(f"keys of observations must be text or integers, got {key!r}")
            yield from plain_parts(inner, (*path, key))
    elif isinstance(space, spaces.Tuple):
        for place, inner in enumerate(space.spaces):
            yield from plain_parts(inner, (*path, place))
    else:
        yield path, space


def part_at(content: Any, path: Path) -> Any:
    """Return what an observation, or a space, has at a path."""
    found = content
    for key in path:
        try:
            found = found[key]
        except (KeyError, IndexError, TypeError):
            raise ConfigError(
                f"observation must have the part {path_name(path)}, got {type(content).__name__}"
            ) from None
    return found


@dataclass(frozen=True)
class PartsEncoder:
    """How an observation of several parts becomes a vector: the features of one after another."""

    parts: tuple[Part, ...]

    @property
    def n_features(self) -> int:
        """Return how many features an observation has."""
        return sum(part.encoder.n_features for part in self.parts)

    def vector(self, observation: Any) -> Vector:
        """Return the features of one observation."""
        return np.concatenate(
            [part.encoder.vector(part_at(observation, part.path)) for part in self.parts]
        )

    def rows(self, observations: Any) -> Vector:
        """Return the features of several observations: a list of them, or parts of several."""
        if isinstance(observations, list):
            found = np.array([self.vector(one) for one in observations], np.float64)
            return found.reshape(-1, self.n_features)
        return self.one_or_several(observations)[0]

    def one_or_several(self, observation: Any) -> tuple[Vector, bool]:
        """Return the features of one observation or of several, and whether it is only one.

        Several are a list of observations, or one observation whose parts have a first axis more.
        """
        if isinstance(observation, list) and _holds_observations(observation):
            return self.rows(observation), False
        found = [
            part.encoder.one_or_several(part_at(observation, part.path)) for part in self.parts
        ]
        if len({(len(rows), is_single) for rows, is_single in found}) > 1:
            raise ConfigError("the parts of an observation must all be of one, or all of as many")
        return np.concatenate([rows for rows, _ in found], axis=1), found[0][1]

    def part_names(self) -> list[str]:
        """Return what the parts are called."""
        return [path_name(part.path) for part in self.parts]

    def plain_names(self) -> list[str]:
        """Return what features without names are called."""
        return [name for part in self.parts for name in part.names()]

    def as_dict(self) -> dict[str, Any]:
        """Return plain values from which `from_dict` makes an equal encoder."""
        return {"parts": [{"path": list(path), **one.as_dict()} for path, one in self.parts]}

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> "PartsEncoder":
        """Make an encoder from what `as_dict` returned."""
        parts = []
        for one in content["parts"]:
            if not one["path"] or any(type(key) not in (str, int) for key in one["path"]):
                raise ConfigError("the path of a part must be text and integers")
            parts.append(Part(tuple(one["path"]), Encoder.from_dict(one)))
        if not parts:
            raise ConfigError("an encoder of parts must have some")
        return cls(tuple(parts))


AnyEncoder = Encoder | PartsEncoder


def encoder_from_dict(content: Mapping[str, Any]) -> AnyEncoder:
    """Make the encoder of a plain space, or of several parts, from what `as_dict` returned."""
    return (PartsEncoder if "parts" in content else Encoder).from_dict(content)


def encoded_spaces(space: spaces.Space[Any], encoder: AnyEncoder) -> list[tuple[Any, Encoder]]:
    """Return the plain spaces that an encoder reads, with what encodes each."""
    if isinstance(encoder, Encoder):
        return [(space, encoder)]
    return [(part_at(space, part.path), part.encoder) for part in encoder.parts]


def _holds_observations(content: list[Any]) -> bool:
    """Tell whether a list holds observations of several parts, and is not one of a tuple."""
    return bool(content) and isinstance(content[0], (Mapping, tuple))
