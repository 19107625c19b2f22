"""All that an engine remembers, as one value: what is saved, copied, counted follows from it.

Every array is described where it is declared (`ruleplay.core.state.arrays`); components bring
their own.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.core.state.agent import Agent, AgentArrays, Traits
from ruleplay.core.state.arrays import PLACE, SLOT, Array, described
from ruleplay.core.state.population import places_of
from ruleplay.replay.component_state import component_states
from ruleplay.replay.memory import Memory, NoReplay

Saved = tuple[NDArray[Any], Any]  # an array, and which of its entries a file holds


class Described(NamedTuple):
    """An array with its name and its description."""

    name: str
    array: NDArray[Any]
    what: Array


class EngineState(NamedTuple):
    """The rules and all that belongs to them, the memory, the components."""

    arrays: AgentArrays
    memory: Memory | NoReplay
    traits: Traits
    agent: Agent  # all but the memory, as kernels take it

    @property
    def stride(self) -> int:
        """Return how many places an action has."""
        return int(self.arrays.params["stride"][0])

    @property
    def capacity(self) -> int:
        """Return how many experiences there is room for."""
        return 0 if isinstance(self.memory, NoReplay) else len(self.memory.actions)

    @property
    def remembered(self) -> int:
        """Return how many experiences are in the memory now."""
        return min(int(self.arrays.state["stored"][0]), self.capacity)

    def places(self) -> NDArray[np.int64]:
        """Return the places of all rules in population order."""
        return places_of(self.arrays.population.counts, self.stride)

    def per_rule(self) -> list[Described]:
        """Return what rules are made of: the arrays per place from which all others follow."""
        return [one for one in _parts(self.arrays.population) if _is_kept(one, PLACE)]

    def per_experience(self) -> list[NDArray[Any]]:
        """Return the arrays with one row for each slot of the memory, without accounts."""
        parts = [*_parts(self.memory), *(one for trait in self.traits for one in _parts(trait))]
        return [one.array for one in parts if _is_kept(one, SLOT)]

    def copied(self) -> dict[str, Any]:
        """Return the components that keep arrays per place, by their names.

        How many rules of each action these hold stands in their `counts`.
        """
        return {
            name: trait
            for name, trait in zip(Traits._fields, self.traits, strict=True)
            if any(what.per == PLACE for what in described(type(trait)).values())
        }

    def saved(self) -> list[Saved]:
        """Return what a model file holds, in the order of the file."""
        accounts = component_states(self.memory)
        slots = self.per_experience() + [array for one in accounts for array in one.slots()]
        found: list[Saved] = [(one.array, self.places()) for one in self.per_rule()]
        found += [(array, slice(self.remembered)) for array in slots]
        copied = self.copied()
        for trait in copied.values():
            places = places_of(trait.counts, self.stride)
            found += [(one.array, places) for one in _parts(trait) if _is_kept(one, PLACE)]
        others = [trait for name, trait in self.traits._asdict().items() if name not in copied]
        whole = [one.array for one in self._main_parts() if _is_kept(one, "")]
        whole += [array for trait in others for array in _whole(trait)]
        whole += [array for one in accounts for array in one.whole()]
        whole += [array for trait in copied.values() for array in _whole(trait)]
        return found + [(array, ...) for array in whole]

    def nbytes(self) -> int:
        """Return how many bytes all of it takes; what two parts share counts once."""
        parts = (self.arrays, self.memory, self.traits)
        sizes = {id(array): array.nbytes for array in _leaves(*parts)}
        return sum(sizes.values())

    def _main_parts(self) -> list[Described]:
        """Return the described arrays of agent and memory, without those of components."""
        return [*_parts_of_agent(self.arrays), *_parts(self.memory)]

    def recall_hope(self) -> None:
        """Let p_ini be 0 if hope has ended, after the counters were copied from elsewhere."""
        if self.arrays.state["hope_ended"][0]:
            self.arrays.params["p_ini"] = 0.0
            self.arrays.params["hope_ends"] = 0


class Engine(Protocol):
    """What modules of this folder need of an engine."""

    config: XCSConfig
    replay: ReplayConfig | None
    n_actions: int
    n_features: int
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    seed: int
    horizon: int
    about: dict[str, Any]
    largest_return: float | None
    state: EngineState

    def derive(self) -> None:
        """Derive bounds, hashes and votes from alleles and rules."""


def _parts(value: Any, name: str = "") -> list[Described]:
    """Return the described arrays of a part."""
    return [
        Described(f"{name}{field}", getattr(value, field), what)
        for field, what in described(type(value)).items()
        if value
    ]


def _parts_of_agent(main: tuple[Any, ...]) -> Iterator[Described]:
    """Return the described arrays of an agent's main parts, in order."""
    own = described(AgentArrays)
    for field, part in zip(AgentArrays._fields, main, strict=False):
        if field in own:
            yield Described(field, part, own[field])
        elif isinstance(part, tuple):
            yield from _parts(part, f"{field}.")


def _is_kept(one: Described, per: str) -> bool:
    """Tell whether a file holds an array with an entry for each of something; none: as a whole."""
    return one.what.saved and one.what.per == per and len(one.array) > 0


def _whole(component: Any) -> list[NDArray[Any]]:
    """Return a component's arrays that a file holds as they are; all, if none is described."""
    if described(type(component)):
        return [one.array for one in _parts(component) if _is_kept(one, "")]
    return [part for part in component if isinstance(part, np.ndarray)]


def _leaves(*parts: Any) -> Iterator[NDArray[Any]]:
    """Return all arrays in nested tuples."""
    for part in parts:
        if isinstance(part, tuple):
            yield from _leaves(*part)
        elif isinstance(part, np.ndarray):
            yield part
