"""What must always hold of an engine; tests and loading ask for what does not."""

from typing import Any

import numpy as np

from ruleplay.core.state.agent import limits_of_rules
from ruleplay.core.state.counters import COUNTERS
from ruleplay.core.state.described import LARGEST_MODEL, LARGEST_PAYOFF, SLACK, Fields, faults
from ruleplay.core.state.population import ESTIMATES
from ruleplay.engine.state import Engine
from ruleplay.replay.component_state import RING, SLOTS, component_states
from ruleplay.replay.returns import EXPLORED, LAST, TERMINAL


def broken_invariants(engine: Engine) -> list[str]:
    """Return a sentence for each invariant that an engine breaks; none if all is well."""
    arrays = engine.state.arrays
    population, params, state = arrays.population, arrays.params[0], arrays.state[0]
    counts, stride = population.counts, int(params["stride"])
    if (counts < 0).any() or (counts > stride).any():
        return [f"rules per action must lie in [0, {stride}], got {counts.tolist()}"]
    checks = _check_rules(engine, state) + _check_columns(engine) + _check_state(engine, state)
    if engine.replay is not None:
        checks += _check_memory(engine, state)
    broken = [sentence for holds, sentence in checks if not holds]
    for trait in engine.state.traits:
        if hasattr(trait, "faults"):
            broken += trait.faults(engine.state.agent)
    for account in component_states(engine.state.memory):
        broken += account.faults(int(state["stored"]), params)
    return broken


def _check_rules(engine: Engine, state: Any) -> list[tuple[bool, str]]:
    rules = engine.state.arrays.population.rules[engine.state.places()]
    micro = int(rules["numerosity"].sum())
    n_max = engine.config.population_size
    return [
        *_within("", ESTIMATES, rules, limits_of_rules(engine.state.agent)),
        (micro == state["micro"], f"micro must be {micro}, got {state['micro']}"),
        (micro <= n_max, f"microclassifiers must number at most {n_max}, got {micro}"),
        (_is_close(rules["fitness"].sum(), state["fitness_sum"]), "fitness_sum must be the sum"),
        (_is_close(rules["volume"].sum(), state["volume_sum"]), "volume_sum must be the sum"),
    ]


def _check_state(engine: Engine, state: Any) -> list[tuple[bool, str]]:
    previous = engine.state.arrays.scratch.previous
    return [
        *_within("", COUNTERS, engine.state.arrays.state, limits_of_rules(engine.state.agent)),
        (_is_state(engine, previous), "the previous state must lie in [0, 1]"),
        (
            all(stream.any() for stream in _streams(engine)),
            "random states must not be zero",
        ),
    ]


def _within(
    what: str, fields: Fields, records: Any, limits: dict[str, float]
) -> list[tuple[bool, str]]:
    return [(False, sentence) for sentence in faults(what, fields, records, limits)]


def _check_columns(engine: Engine) -> list[tuple[bool, str]]:
    """Compare bounds, hashes and votes with what the alleles and rules imply."""
    population, places = engine.state.arrays.population, engine.state.places()
    alleles = population.alleles[places]
    before = _columns(population, places)
    engine.derive()
    same = [
        bool(np.array_equal(old, new))
        for old, new in zip(before, _columns(population, places), strict=True)
    ]
    names = ("bounds", "cells", "votes", "hashes", "volumes")
    checks = [
        (ok, f"{name} must follow from the alleles") for ok, name in zip(same, names, strict=True)
    ]
    for name in ("weights", "gain"):
        values = getattr(population, name)
        sizes = np.abs(values[places]) if len(values) else np.zeros(0)
        sane = bool((sizes <= LARGEST_MODEL).all())
        checks.append((sane, f"{name} must lie in [{-LARGEST_MODEL:g}, {LARGEST_MODEL:g}]"))
    inside = bool(((alleles >= 0) & (alleles <= 1)).all())
    checks.append((inside, "alleles must lie in [0, 1]"))
    checks.append((_all_distinct(engine, places), "no two rules may be identical"))
    return checks


def _streams(engine: Engine) -> list[Any]:
    return [engine.state.arrays.rng, engine.state.arrays.env_rng, *engine.state.memory[SLOTS:RING]]


def _columns(population: Any, places: Any) -> list[Any]:
    return [
        population.bounds[places],
        population.cells[:, places],
        population.votes[:, places],
        population.hashes[places],
        population.rules["volume"][places].copy(),
    ]


def _all_distinct(engine: Engine, places: Any) -> bool:
    population, stride = (
        engine.state.arrays.population,
        int(engine.state.arrays.params["stride"][0]),
    )
    table = np.column_stack([population.bounds[places], places // stride])
    return len(np.unique(table, axis=0)) == len(places)


def _check_memory(engine: Engine, state: Any) -> list[tuple[bool, str]]:
    states, actions, rewards, next_states, terminal = engine.state.memory[:SLOTS]
    size = engine.state.remembered
    return [
        (_is_state(engine, states[:size]), "stored states must lie in [0, 1]"),
        (_is_state(engine, next_states[:size]), "stored next states must lie in [0, 1]"),
        (
            bool((np.abs(rewards[:size]) <= LARGEST_PAYOFF).all()),
            f"stored rewards must lie in [{-LARGEST_PAYOFF:g}, {LARGEST_PAYOFF:g}]",
        ),
        (
            bool(((actions[:size] >= 0) & (actions[:size] < engine.n_actions)).all()),
            "stored actions must be actions",
        ),
        _check_flags(engine, terminal[:size]),
    ]


def _check_flags(engine: Engine, flags: Any) -> tuple[bool, str]:
    if engine.replay is not None and engine.replay.return_steps == 1:
        return bool((flags <= 1).all()), "terminal flags must be 0 or 1"
    known = [int(end | mark) for end in (0, TERMINAL, LAST) for mark in (0, EXPLORED)]
    return bool(np.isin(flags, known).all()), f"flags of experiences must be among {known}"


def _is_state(engine: Engine, values: Any) -> bool:
    inside = (values >= 0) & (values <= 1)
    if engine.config.missing_values == "match":
        inside |= np.isnan(values)
    return bool(inside.all())


def _is_close(fresh: float, running: float) -> bool:
    return bool(abs(fresh - running) <= SLACK * max(1.0, abs(fresh)))
