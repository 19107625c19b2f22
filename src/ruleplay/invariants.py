"""What must always hold of an engine; tests and loading ask for what does not."""

from typing import Any

import numpy as np

from ruleplay.core.exploration import LAST_MARK, NEXT_MARK, REPEATED
from ruleplay.core.frozen import cells_of
from ruleplay.core.population import places_of
from ruleplay.entry import rebuild_door
from ruleplay.replay.accounts import RING, SLOTS
from ruleplay.replay.returns import EXPLORED, LAST, TERMINAL

_TOLERANCE = 1e-6  # of running sums against fresh ones


def broken_invariants(engine: Any) -> list[str]:
    """Return a sentence for each invariant that an engine breaks; none if all is well."""
    arrays = engine._arrays
    population, params, state = arrays.population, arrays.params[0], arrays.state[0]
    counts, stride = population.counts, int(params["stride"])
    if (counts < 0).any() or (counts > stride).any():
        return [f"rules per action must lie in [0, {stride}], got {counts.tolist()}"]
    checks = _check_rules(engine, state) + _check_columns(engine) + _check_state(engine, state)
    if engine.replay is not None:
        checks += _check_memory(engine, state)
    if engine._arrays.explorer:
        checks += _check_explorer(engine)
    if engine._arrays.frozen:
        checks += _check_frozen(engine, state)
    broken = [sentence for holds, sentence in checks if not holds]
    for account in engine._accounts:
        broken += account.faults(engine._ring, int(state["stored"]), params)
    return broken


def _check_rules(engine: Any, state: Any) -> list[tuple[bool, str]]:
    rules = engine._arrays.population.rules[engine.places()]
    micro = int(rules["numerosity"].sum())
    n_max = engine.config.population_size
    checks = [
        (
            bool(((rules["numerosity"] >= 1) & (rules["numerosity"] <= n_max)).all()),
            f"numerosity must lie in [1, {n_max}]",
        ),
        (micro == state["micro"], f"micro must be {micro}, got {state['micro']}"),
        (micro <= n_max, f"microclassifiers must number at most {n_max}, got {micro}"),
        (bool((rules["experience"] >= 0).all()), "experience must not be negative"),
        (
            bool((rules["time_stamp"] <= state["clock"]).all()),
            "time stamps must not lie in the future",
        ),
        (bool((rules["fitness"] >= 0).all()), "fitness must not be negative"),
        (bool((rules["error"] >= 0).all()), "error must not be negative"),
        (bool((rules["set_size"] >= 1 - _TOLERANCE).all()), "set size must be at least 1"),
        (_is_close(rules["fitness"].sum(), state["fitness_sum"]), "fitness_sum must be the sum"),
        (_is_close(rules["volume"].sum(), state["volume_sum"]), "volume_sum must be the sum"),
    ]
    for name in ("prediction", "error", "fitness", "set_size", "volume"):
        checks.append((bool(np.isfinite(rules[name]).all()), f"{name} must be finite"))
    return checks


def _check_state(engine: Any, state: Any) -> list[tuple[bool, str]]:
    previous = engine._arrays.scratch.previous
    return [
        (bool(state["time"] >= 0 and state["clock"] >= 0), "times must not be negative"),
        (bool(state["stored"] >= 0), "stored must not be negative"),
        (bool(state["has_previous"] in (0, 1)), "has_previous must be 0 or 1"),
        (
            bool(0 <= state["previous_action"] < engine.n_actions),
            "the previous action must be an action",
        ),
        (_is_state(engine, previous), "the previous state must lie in [0, 1]"),
        (
            all(stream.any() for stream in _streams(engine)),
            "random states must not be zero",
        ),
        (
            bool(np.isfinite([state["previous_value"], state["surprise"]]).all()),
            "the previous value must be finite",
        ),
    ]


def _check_columns(engine: Any) -> list[tuple[bool, str]]:
    """Compare bounds, hashes and votes with what the alleles and rules imply."""
    population, places = engine._arrays.population, engine.places()
    alleles = population.alleles[places]
    before = _columns(population, places)
    rebuild_door(engine._kinds)(engine._plain)
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
        finite = len(values) == 0 or bool(np.isfinite(values[places]).all())
        checks.append((finite, f"{name} must be finite"))
    inside = bool(((alleles >= 0) & (alleles <= 1)).all())
    checks.append((inside, "alleles must lie in [0, 1]"))
    checks.append((_all_distinct(engine, places), "no two rules may be identical"))
    return checks


def _streams(engine: Any) -> list[Any]:
    return [engine._arrays.rng, engine._env_rng, *engine._ring[SLOTS:RING]]


def _columns(population: Any, places: Any) -> list[Any]:
    return [
        population.bounds[places],
        population.cells[:, places],
        population.votes[:, places],
        population.hashes[places],
        population.rules["volume"][places].copy(),
    ]


def _all_distinct(engine: Any, places: Any) -> bool:
    population, stride = engine._arrays.population, int(engine._arrays.params["stride"][0])
    table = np.column_stack([population.bounds[places], places // stride])
    return len(np.unique(table, axis=0)) == len(places)


def _check_memory(engine: Any, state: Any) -> list[tuple[bool, str]]:
    states, actions, rewards, next_states, terminal = engine._ring[:SLOTS]
    size = min(int(state["stored"]), engine.replay.capacity)
    return [
        (_is_state(engine, states[:size]), "stored states must lie in [0, 1]"),
        (_is_state(engine, next_states[:size]), "stored next states must lie in [0, 1]"),
        (bool(np.isfinite(rewards[:size]).all()), "stored rewards must be finite"),
        (
            bool(((actions[:size] >= 0) & (actions[:size] < engine.n_actions)).all()),
            "stored actions must be actions",
        ),
        _check_flags(engine, terminal[:size]),
        _check_payoffs(engine, size),
    ]


def _check_flags(engine: Any, flags: Any) -> tuple[bool, str]:
    if engine.replay.return_steps == 1:
        return bool((flags <= 1).all()), "terminal flags must be 0 or 1"
    known = [int(end | mark) for end in (0, TERMINAL, LAST) for mark in (0, EXPLORED)]
    return bool(np.isin(flags, known).all()), f"flags of experiences must be among {known}"


def _check_explorer(engine: Any) -> list[tuple[bool, str]]:
    notes = engine._arrays.explorer.notes
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


def _check_frozen(engine: Any, state: Any) -> list[tuple[bool, str]]:
    frozen, n_features = engine._arrays.frozen, engine.n_features
    places = places_of(frozen.counts, int(engine._arrays.params["stride"][0]))
    bounds, rules = frozen.bounds[places], frozen.rules[places]
    lower, upper = bounds[:, :n_features], bounds[:, n_features:]
    numbers = [rules["prediction"], rules["fitness"]]
    if len(frozen.weights):
        numbers.append(frozen.weights[places])
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
        (
            all(bool(np.isfinite(values).all()) for values in numbers),
            "predictions and fitness of copied rules must be finite",
        ),
        (bool((rules["fitness"] >= 0).all()), "fitness of copied rules must not be negative"),
        (
            -1 <= int(frozen.interval[0]) <= latest,
            f"the copy must be from an interval in [-1, {latest}], got {frozen.interval[0]}",
        ),
    ]


def _check_payoffs(engine: Any, size: int) -> tuple[bool, str]:
    discoverer = engine._arrays.discoverer
    payoffs = discoverer.payoffs[:size] if discoverer else np.zeros(0)
    return not np.isinf(payoffs).any(), "noted payoffs must be finite, or NaN for none"


def _is_state(engine: Any, values: Any) -> bool:
    inside = (values >= 0) & (values <= 1)
    if engine.config.missing_values == "match":
        inside |= np.isnan(values)
    return bool(inside.all())


def _is_close(fresh: float, running: float) -> bool:
    return bool(abs(fresh - running) <= _TOLERANCE * max(1.0, abs(fresh)))
