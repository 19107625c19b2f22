"""Rules from one engine in another: what widening, copies and unions of populations share."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ruleplay.engine import XCS
from ruleplay.engine.doors import rebuild_door

Parts = dict[str, NDArray[Any]]  # of all rules, by name, grouped by action


def empty_like(
    engine: XCS,
    *,
    n_actions: int | None = None,
    low: ArrayLike | None = None,
    high: ArrayLike | None = None,
    population_size: int | None = None,
    memory: bool = True,
) -> XCS:
    """Return an engine without rules that is made as another one, but for what is given."""
    config = engine.config
    if population_size is not None:
        config = replace(config, population_size=population_size)
    if not memory:  # nothing can look at it
        config = replace(config, split_refuted=0, verify_subsumption=0)
    return XCS(
        config,
        engine.replay if memory else None,
        n_actions=engine.n_actions if n_actions is None else n_actions,
        low=engine.low if low is None else low,
        high=engine.high if high is None else high,
        seed=engine.seed,
        horizon=engine.horizon,
        about=engine.about,
        largest_return=engine.largest_return,
    )


def rules_of(engine: XCS) -> Parts:
    """Return copies of what all rules of an engine are made of."""
    population, places = engine._arrays.population, engine.places()
    parts = {
        "action": places // int(engine._arrays.params["stride"][0]),
        "rules": np.asarray(population.rules[places]),
        "alleles": population.alleles[places],
    }
    if len(population.weights):
        parts |= {"weights": population.weights[places], "gain": population.gain[places]}
    return parts


def fill_rules(engine: XCS, parts: Parts) -> None:
    """Write rules, grouped by action, into an engine that has none; sum up over them."""
    arrays, stride = engine._arrays, int(engine._arrays.params["stride"][0])
    arrays.population.counts[:] = np.bincount(parts["action"], minlength=engine.n_actions)
    places = engine.places()
    assert np.array_equal(places // stride, parts["action"])
    for name in ("rules", "alleles", "weights", "gain"):
        if name in parts:
            getattr(arrays.population, name)[places] = parts[name]
    rebuild_door(engine._layout)(engine._agent_bundle.address)
    sum_up(engine)


def sum_up(engine: XCS) -> None:
    """Let the counters hold the sums over all rules."""
    state, rules = engine._arrays.state, engine._arrays.population.rules[engine.places()]
    state["micro"] = rules["numerosity"].sum()
    state["fitness_sum"] = rules["fitness"].sum()
    state["volume_sum"] = rules["volume"].sum()
