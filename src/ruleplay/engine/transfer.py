"""Rules from one engine in another: what widening, copies and unions of populations share."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ruleplay.engine import XCS

Parts = dict[str, NDArray[Any]]  # of all rules, by name, grouped by action


def empty_like(
    engine: XCS,
    *,
    n_actions: int | None = None,
    low: ArrayLike | None = None,
    high: ArrayLike | None = None,
    population_size: int | None = None,
    seed: int | None = None,
    memory: bool = True,
) -> XCS:
    """Return an engine without rules that is made as another one, but for what is given."""
    config = engine.config
    if population_size is not None:
        config = replace(config, population_size=population_size)
    if not memory:  # nothing can look at it
        lookers = [one for one in engine.state.traits if hasattr(one, "memory_settings")]
        idle = {name for one in lookers for name in one.memory_settings()}
        config = replace(config, options=tuple(one for one in config.options if one[0] not in idle))
    return XCS(
        config,
        engine.replay if memory else None,
        n_actions=engine.n_actions if n_actions is None else n_actions,
        low=engine.low if low is None else low,
        high=engine.high if high is None else high,
        seed=engine.seed if seed is None else seed,
        horizon=engine.horizon,
        about=engine.about,
        largest_return=engine.largest_return,
    )


def rules_of(engine: XCS) -> Parts:
    """Return copies of what all rules of an engine are made of."""
    places = engine.places()
    parts = {one.name: np.asarray(one.array[places]) for one in engine.state.per_rule()}
    return {"action": places // engine.state.stride, **parts}


def fill_rules(engine: XCS, parts: Parts) -> None:
    """Write rules, grouped by action, into an engine that has none; sum up over them."""
    counts = np.bincount(parts["action"], minlength=engine.n_actions)
    engine.state.arrays.population.counts[:] = counts
    places = engine.places()
    assert np.array_equal(places // engine.state.stride, parts["action"])
    for one in engine.state.per_rule():
        one.array[places] = parts[one.name]
    engine.derive()
    sum_up(engine)


def sum_up(engine: XCS) -> None:
    """Let the counters hold the sums over all rules."""
    state, rules = engine.state.arrays.state, engine.state.arrays.population.rules[engine.places()]
    state["micro"] = rules["numerosity"].sum()
    state["fitness_sum"] = rules["fitness"].sum()
    state["volume_sum"] = rules["volume"].sum()


def relearn(engine: XCS) -> None:
    """Let every rule learn as fast as a new one: what it predicts is a first guess only.

    Its experience starts anew, and with it early averaging; so does the gain of its linear
    model.
    """
    population, places = engine.state.arrays.population, engine.places()
    population.rules["experience"][places] = 0
    if engine.config.prediction == "linear":
        size = engine.n_features + 1
        population.gain[places] = 0.0
        for k in range(size):
            population.gain[places, k * size + k] = engine.config.rls_initial_gain
    engine.derive()
