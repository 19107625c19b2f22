"""Populations of one kind: copies of one, several put together, the strongest part of one.

Populations of the same learner err in different ways, at different times too. Where the rules of
several vote, much of that cancels out.
"""

from collections import deque
from collections.abc import Sequence

import numpy as np

from ruleplay.engine import XCS
from ruleplay.engine.build import largest_population
from ruleplay.engine.transfer import Parts, empty_like, fill_rules, rules_of
from ruleplay.engine.widening import move_rest


def copy_of(engine: XCS) -> XCS:
    """Return another engine with the same rules and counters, without memory."""
    other = empty_like(engine, memory=False)
    other.state.arrays.state[:] = engine.state.arrays.state
    other.state.arrays.state["stored"] = 0
    other.state.recall_hope()
    other.start_episode()
    fill_rules(other, rules_of(engine))
    return other


def united(engines: Sequence[XCS]) -> XCS:
    """Return one engine with the rules of several of one kind: they all vote.

    Rules with equal conditions and actions become one, of the last engine's making, with the
    sum of their fitness and numerosity.
    """
    newest = engines[-1]
    all_parts = [rules_of(engine) for engine in reversed(engines)]
    bounds = [
        engine.state.arrays.population.bounds[engine.places()] for engine in reversed(engines)
    ]
    parts = {name: np.concatenate([one[name] for one in all_parts]) for name in all_parts[0]}
    keys = np.column_stack([parts["action"], np.concatenate(bounds)])
    _, first, number = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    kept = {name: values[first].copy() for name, values in parts.items()}
    for name in ("fitness", "numerosity"):
        kept["rules"][name] = np.bincount(number.ravel(), parts["rules"][name])
    size = len(engines) * newest.config.population_size
    other = empty_like(newest, population_size=size, memory=False)
    other.state.arrays.state[:] = newest.state.arrays.state
    other.state.recall_hope()
    fill_rules(other, kept)
    return other


class LastPopulations:
    """Copies of the last populations that an engine went through, and what they are together."""

    def __init__(self, most: int) -> None:
        self._last: deque[XCS] = deque(maxlen=most)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._last)

    def add(self, engine: XCS) -> None:
        """Take in the present population; the oldest one goes if there are too many."""
        self._last.append(copy_of(engine))

    def united(self) -> XCS:
        """Return one engine with the rules of all of them, without a memory.

        Where there is no room for so many rules, the last ones have to do.
        """
        newest = self._last[-1]
        most = largest_population(newest.config, None, newest.n_actions, newest.n_features)
        fitting = max(1, most // newest.config.population_size)
        return united(list(self._last)[-fitting:])


def with_rules_of(engine: XCS, other: XCS) -> XCS:
    """Return an engine with another one's rules and room for them, and all else as it is."""
    return _refilled(engine, rules_of(other), other.config.population_size)


def strongest_part(engine: XCS, population_size: int) -> XCS:
    """Return an engine that is smaller: of its rules it has those of most fitness."""
    parts = rules_of(engine)
    order = np.argsort(-parts["rules"]["fitness"], kind="stable")
    fits = np.cumsum(parts["rules"]["numerosity"][order]) <= population_size
    kept = np.sort(order[fits])
    return _refilled(engine, {name: part[kept] for name, part in parts.items()}, population_size)


def _refilled(engine: XCS, parts: Parts, population_size: int) -> XCS:
    """Return an engine of another size with other rules; memory and counters stay."""
    made = empty_like(engine, population_size=population_size)
    fill_rules(made, parts)
    move_rest(engine, made)
    return made
