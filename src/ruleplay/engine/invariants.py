"""What must always hold of an engine; tests and loading ask for what does not."""

from typing import Any

import numpy as np

from ruleplay.core.described import LARGEST_MODEL, LARGEST_PAYOFF, SLACK, Fields, faults
from ruleplay.core.exploration import LAST_MARK, NEXT_MARK, REPEATED
from ruleplay.core.frozen import cells_of
from ruleplay.core.params import COUNTERS
from ruleplay.core.population import ESTIMATES, places_of
from ruleplay.engine.state import Engine
from ruleplay.replay.accounts import RING, SLOTS, accounts_of
from ruleplay.replay.returns import EXPLORED, LAST, TERMINAL

FROZEN_ESTIMATES = tuple(one for one in ESTIMATES if one.name in ("prediction", "fitness"))


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
    if engine.state.arrays.explorer:
        checks += _check_explorer(engine)
    if engine.state.arrays.frozen:
        checks += _check_frozen(engine, state)
    broken = [sentence for holds, sentence in checks if not holds]
    for account in accounts_of(engine.state.memory):
        broken += account.faults(int(state["stored"]), params)
    return broken


def _limits(engine: Engine, state: Any) -> dict[str, float]:
    """Return the bounds of numbers that only an engine knows, by the words for them."""
    n_max = engine.config.population_size
    return {
        "n_max": n_max + SLACK,
        "set_size": n_max + 2 + SLACK,  # two offspring may be in transit
        "clock": int(state["clock"]),
        "last_action": engine.n_actions - 1,
    }


def _check_rules(engine: Engine, state: Any) -> list[tuple[bool, str]]:
    rules = engine.state.arrays.population.rules[engine.state.places()]
    micro = int(rules["numerosity"].sum())
    n_max = engine.config.population_size
    return [
        *_within("", ESTIMATES, rules, _limits(engine, state)),
        (micro == state["micro"], f"micro must be {micro}, got {state['micro']}"),
        (micro <= n_max, f"microclassifiers must number at most {n_max}, got {micro}"),
        (_is_close(rules["fitness"].sum(), state["fitness_sum"]), "fitness_sum must be the sum"),
        (_is_close(rules["volume"].sum(), state["volume_sum"]), "volume_sum must be the sum"),
    ]


def _check_state(engine: Engine, state: Any) -> list[tuple[bool, str]]:
    previous = engine.state.arrays.scratch.previous
    return [
        *_within("", COUNTERS, engine.state.arrays.state, _limits(engine, state)),
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
        _check_payoffs(engine, size),
    ]


def _check_flags(engine: Engine, flags: Any) -> tuple[bool, str]:
    if engine.replay is not None and engine.replay.return_steps == 1:
        return bool((flags <= 1).all()), "terminal flags must be 0 or 1"
    known = [int(end | mark) for end in (0, TERMINAL, LAST) for mark in (0, EXPLORED)]
    return bool(np.isin(flags, known).all()), f"flags of experiences must be among {known}"


def _check_explorer(engine: Engine) -> list[tuple[bool, str]]:
    notes = engine.state.arrays.explorer.notes
    return [
        (
            bool(-1 <= notes[REPEATED] < engine.n_actions),
            "the repeated action must be an action or -1",
        ),
        (
            bool(np.isin(notes[[NEXT_MARK, LAST_MARK]], (0, 1)).all()),
            "marks of actions must be 0 or 1",
        ),
    ]


def _check_frozen(engine: Engine, state: Any) -> list[tuple[bool, str]]:
    frozen, n_features = engine.state.arrays.frozen, engine.n_features
    places = places_of(frozen.counts, int(engine.state.arrays.params["stride"][0]))
    bounds, rules = frozen.bounds[places], frozen.rules[places]
    lower, upper = bounds[:, :n_features], bounds[:, n_features:]
    copied = places if len(frozen.weights) else slice(0)
    latest = int(state["time"]) // engine.config.target_interval
    return [
        (
            bool(((lower >= 0) & (lower <= upper) & (upper <= 1)).all()),
            "bounds of copied rules must be intervals in [0, 1]",
        ),
        (
            bool(np.array_equal(frozen.cells[:, places], cells_of(frozen, places))),
            "cells of copied rules must follow from their bounds",
        ),
        *_within("copied ", FROZEN_ESTIMATES, rules, _limits(engine, state)),
        (
            bool((np.abs(frozen.weights[copied]) <= LARGEST_MODEL).all()),
            f"copied weights must be at most {LARGEST_MODEL:g} in size",
        ),
        (
            -1 <= int(frozen.interval[0]) <= latest,
            f"the copy must be from an interval in [-1, {latest}], got {frozen.interval[0]}",
        ),
    ]


def _check_payoffs(engine: Engine, size: int) -> tuple[bool, str]:
    discoverer = engine.state.arrays.discoverer
    payoffs = discoverer.payoffs[:size] if discoverer else np.zeros(0)
    sane = bool((np.isnan(payoffs) | (np.abs(payoffs) <= LARGEST_PAYOFF)).all())
    return sane, f"noted payoffs must be at most {LARGEST_PAYOFF:g} in size, or NaN for none"


def _is_state(engine: Engine, values: Any) -> bool:
    inside = (values >= 0) & (values <= 1)
    if engine.config.missing_values == "match":
        inside |= np.isnan(values)
    return bool(inside.all())


def _is_close(fresh: float, running: float) -> bool:
    return bool(abs(fresh - running) <= SLACK * max(1.0, abs(fresh)))
