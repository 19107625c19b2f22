"""Rules from one engine in another: what widening, copies and unions of populations share."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ruleplay.core.components.seams import Encoding
from ruleplay.core.state.population import RULE
from ruleplay.engine import XCS

Vector = NDArray[np.float64]
Parts = dict[str, NDArray[Any]]  # of all rules, by name, grouped by action


def empty_like(
    engine: XCS,
    *,
    n_actions: int | None = None,
    low: ArrayLike | None = None,
    high: ArrayLike | None = None,
    population_size: int | None = None,
    error_threshold: float | None = None,
    seed: int | None = None,
    memory: bool = True,
) -> XCS:
    """Return an engine without rules that is made as another one, but for what is given."""
    config = engine.config
    if population_size is not None:
        config = replace(config, population_size=population_size)
    if error_threshold is not None:
        config = replace(config, error_threshold=error_threshold)
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


def replace_rules(engine: XCS, parts: Parts) -> None:
    """Let an engine have other rules than it has, in place; they need not be grouped."""
    population, places = engine.state.arrays.population, engine.places()
    population.cells[0, places] = 255  # what is not taken matches nothing, and has no vote
    population.cells[engine.n_features, places] = 0
    population.votes[:, places] = 0.0
    order = np.argsort(parts["action"], kind="stable")
    fill_rules(engine, {name: part[order] for name, part in parts.items()})


def engine_of_boxes(engine: XCS, lower: Vector, upper: Vector, actions: NDArray[np.int64]) -> XCS:
    """Return an engine as another one whose rules are boxes, grouped by action; it has no memory.

    Bounds, (rules, features), are scaled to [0, 1]. The rules know as little as new ones.
    """
    config, size = engine.config, len(actions)
    rules = np.zeros(size, RULE)
    rules["prediction"], rules["error"] = config.initial_prediction, config.initial_error
    rules["fitness"], rules["set_size"], rules["numerosity"] = config.initial_fitness, 1.0, 1
    rules["time_stamp"] = engine.state.arrays.state["clock"]
    made = empty_like(engine, population_size=engine.n_actions + 1 + size, memory=False)
    alleles = encode_boxes(engine, lower, upper).reshape(size, -1).astype(np.float32)
    known = {"action": actions, "rules": rules, "alleles": alleles}
    others = {one.name: np.zeros((size, *one.array.shape[1:])) for one in made.state.per_rule()}
    fill_rules(made, {**others, **known})
    relearn(made)
    return made


def encode_boxes(engine: XCS, lower: Vector, upper: Vector) -> Vector:
    """Return the alleles of intervals, (rules, features, 2), as the encoding writes them."""
    encoding, alleles = engine.state.traits.condition, np.zeros((*lower.shape, 2), np.float32)
    write: Any = Encoding.set_interval
    for row, lows, highs in zip(alleles, lower, upper, strict=True):
        for k, (low, high) in enumerate(zip(lows, highs, strict=True)):
            write(encoding, row.reshape(-1), k, float(low), float(high))
    return alleles.astype(float)


def merge_equal(engine: XCS, parts: Parts) -> Parts:
    """Return the parts of an engine's rules, equal ones merged into the most experienced."""
    table = np.column_stack(
        [engine.state.arrays.population.bounds[engine.places()], parts["action"]]
    )
    order = np.argsort(-parts["rules"]["experience"], kind="stable")
    _, first, number = np.unique(table[order], axis=0, return_index=True, return_inverse=True)
    if len(first) == len(table):
        return parts
    keep = order[first]
    numerosity = np.bincount(number.ravel(), parts["rules"]["numerosity"][order])
    merged = {name: part[keep] for name, part in parts.items()}
    merged["rules"]["numerosity"] = numerosity
    in_order = np.argsort(keep)  # old places are grouped by action
    return {name: part[in_order] for name, part in merged.items()}


def sum_up(engine: XCS) -> None:
    """Let the counters hold the sums over all rules."""
    state, rules = engine.state.arrays.state, engine.state.arrays.population.rules[engine.places()]
    state["micro"] = rules["numerosity"].sum()
    state["fitness_sum"] = rules["fitness"].sum()
    state["volume_sum"] = rules["volume"].sum()


def relearn(engine: XCS) -> None:
    """Let every rule learn as fast as a new one: what it predicts is a first guess only.

    Its experience starts anew, and with it early averaging; so does the gain of its model.
    """
    population, places = engine.state.arrays.population, engine.places()
    population.rules["experience"][places] = 0
    if hasattr(engine.state.traits.prediction, "inputs"):
        size = population.weights.shape[1]
        population.gain[places] = 0.0
        for k in range(size):
            population.gain[places, k * size + k] = engine.config.rls_initial_gain
    engine.derive()
