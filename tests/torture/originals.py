"""Healthy engines, tiny ones, of the kinds that files and inputs are tried on."""

from itertools import product
from typing import Any

import numpy as np

from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.engine import XCS

N_FEATURES, N_ACTIONS = 3, 2  # as the problem rmp3 has
SMALL = {"population_size": 24, "ga_threshold": 8}
MEMORY = {"capacity": 16, "batch_size": 2, "warmup": 5}
SAMPLERS = ("uniform", "prioritized", "stratified")
STORAGES = ("fifo", "reservoir", "protected")
CONDITIONS = ("unordered", "center_spread")
PREDICTIONS = ("scalar", "linear")

Recipe = tuple[dict[str, Any], dict[str, Any] | None]  # settings of XCS and of replay

MORE_DISCOVERY = {"split_refuted": 4, "verify_subsumption": 4, "specify": True}
DOUBLE = {"target_interval": 7, "double_estimation": True}
GUIDED = {"exploration": "epsilon_greedy", "exploration_persistence": 2.0, "count_bonus": 1.0}
SEQUENCES = {"return_steps": 3, "cut_at_exploration": True, "return_choice": "best"}
MIXED = {"interpolation": 0.3, "interpolation_distance": 0.5}

# Few enough to be compiled, and together they have every member of every family.
COMPILED: dict[str, Recipe] = {
    "alone": ({"condition": "center_spread"}, None),
    "uniform": ({}, {}),
    "prioritized-reservoir": (
        {"condition": "center_spread", "selection": "roulette", "crossover": "two_point"},
        {"sampling": "prioritized", "storage": "reservoir", "importance": "all"},
    ),
    "stratified-protected-gaps": (
        {"missing_values": "match"},
        {"sampling": "stratified", "storage": "protected", "strata_grid": 3},
    ),
    "linear-sequences": (
        {"prediction": "linear", "exploration": "epsilon_greedy", "rls_forgetting": 0.985},
        {"return_steps": 5, "return_choice": "rewarded", "action_gap": 0.5},
    ),
    "linear-prioritized-protected-double-discoverer": (
        {"prediction": "linear", "rls_gain_limit": 100.0, **DOUBLE, **MORE_DISCOVERY},
        {"sampling": "prioritized", "storage": "protected"},
    ),
    "guided-sequences-frozen": (
        {"target_interval": 5, "gradient_scaling": True, **GUIDED},
        {"sampling": "stratified", **SEQUENCES, **MIXED},
    ),
    "linear-stratified-reservoir": (
        {"prediction": "linear", "condition": "center_spread", "prediction_limit": 5000.0},
        {"sampling": "stratified", "storage": "reservoir"},
    ),
}

# Every way to sample, to store, to match and to predict: for runs without compilation.
INTERPRETED: dict[str, Recipe] = COMPILED | {
    "-".join((sampling, storage, prediction, condition)): (
        {"prediction": prediction, "condition": condition},
        {"sampling": sampling, "storage": storage},
    )
    for sampling, storage, prediction, condition in product(
        SAMPLERS, STORAGES, PREDICTIONS, CONDITIONS
    )
}


def make_original(name: str, seed: int = 0) -> XCS:
    """Return an engine that has learned a little."""
    settings, replay = INTERPRETED[name]
    engine = XCS(
        XCSConfig(**{**SMALL, **settings}),
        None if replay is None else ReplayConfig(**{**MEMORY, **replay}),
        n_actions=N_ACTIONS,
        low=[-1.0] * N_FEATURES,
        high=[3.0] * N_FEATURES,
        seed=seed,
        horizon=1000,
        about={"feature_names": ["a", "b", "c"], "action_names": ["left", "right"]},
    )
    live(engine, 120, seed)
    return engine


def live(engine: XCS, steps: int, seed: int) -> None:
    """Let an engine learn as its kind does: step by step, or from a batch."""
    rng = np.random.default_rng(seed)
    spread = (engine.high - engine.low) * 0.999
    rows = engine.low + spread * rng.random((steps + 1, engine.n_features))
    rewards = 1000.0 * (rows[:-1, 0] > rows[:-1, -1])
    ends = rng.random(steps) < 0.1
    if is_played(engine):
        engine.start_episode()
        for row, reward, end in zip(rows, rewards, ends, strict=False):
            engine.step(row, reward, end, False)
        return
    actions = rng.integers(0, engine.n_actions, steps)
    following = () if engine.replay is None else (rows[1:], ends)  # as a classifier, or an agent
    engine.learn_batch(rows[:-1], actions, rewards, *following)


def is_played(engine: XCS) -> bool:
    """Tell whether an engine's memory wants whole episodes."""
    return engine.replay is not None and engine.replay.return_steps > 1


def kinds_known(names: tuple[str, ...] = tuple(COMPILED)) -> set[Any]:
    """Return the kinds of kernels that these originals need."""
    known = set()
    for name in names:
        settings, replay = INTERPRETED[name]
        config = XCSConfig(**{**SMALL, **settings})
        memory = None if replay is None else ReplayConfig(**{**MEMORY, **replay})
        known.add(kinds_of(XCS(config, memory, n_actions=2, low=[0.0], high=[1.0])))
    return known


def kinds_of(engine: XCS) -> tuple[str, ...]:
    """Return the kinds of kernels that an engine needs."""
    memory = [] if engine.replay is None else engine.state.memory[6:]
    return tuple(type(part).__name__ for part in (*engine.state.agent.traits, *memory))
