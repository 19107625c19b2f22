"""Make engines, populations by hand and random configurations for the engine's tests."""

import os
import tempfile
from pathlib import Path

import numba
import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.engine import XCS

INTERPRETED = bool(numba.config.DISABLE_JIT)
SEARCH = int(os.environ.get("RULEPLAY_SEARCH", "0"))  # a factor: look for new examples


def quick(count):
    """Try a number of examples, the same ones every time unless a search is asked for."""
    return settings(
        max_examples=count * SEARCH if SEARCH else max(count // 5, 3) if INTERPRETED else count,
        derandomize=not SEARCH,
        deadline=None,
        database=None,
        print_blob=bool(SEARCH),
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


def make_engine(
    n_features=3, n_actions=2, *, seed=0, horizon=0, replay=None, about=None, **changes
):
    """Make a small engine whose observations lie in [0, 1]."""
    config = XCSConfig(**{"population_size": 60, "ga_threshold": 8, **changes})
    return XCS(
        config,
        replay,
        n_actions=n_actions,
        low=np.zeros(n_features),
        high=np.ones(n_features),
        seed=seed,
        horizon=horizon,
        about=about,
    )


def train(engine, steps, seed=1):
    """Let an engine learn a payoff that depends on observation and action."""
    rng = np.random.default_rng(seed)
    rows = rng.random((steps, engine.n_features))
    actions = rng.integers(0, engine.n_actions, steps)
    engine.learn_batch(rows, actions, 1000.0 * ((rows[:, 0] > 0.5) == (actions == 0)))
    return engine


def live(engine, steps, seed):
    """Walk on a line for a number of steps; episodes end by chance, of both kinds."""
    rng, action = np.random.default_rng(seed), engine.step([0.5])
    for _ in range(steps):
        x, chance = rng.random(1), rng.random()
        action = engine.step(x, 10.0 * x[0] * (action == 1), chance < 0.05, 0.05 <= chance < 0.1)
        if action < 0:
            action = engine.step(rng.random(1))
    return engine


def agent_of(engine):
    """Bundle an engine's arrays as kernels take them."""
    return engine.state.agent


def plant(engine, lower, upper, actions, **columns):
    """Give an engine these rules and no others; return their places.

    Rules must be sorted by action. Columns are those of the rules' records.
    """
    population, state = engine.state.arrays.population, engine.state.arrays.state
    stride = int(engine.state.arrays.params["stride"][0])
    actions = np.asarray(actions, np.int64)
    assert (np.diff(actions) >= 0).all()
    counts = np.bincount(actions, minlength=engine.n_actions)
    population.counts[:] = counts
    places = np.concatenate([a * stride + np.arange(count) for a, count in enumerate(counts)])
    alleles = np.empty((len(actions), 2 * engine.n_features), np.float32)
    alleles[:, 0::2], alleles[:, 1::2] = lower, upper
    population.alleles[places] = alleles
    defaults = {"prediction": 10.0, "fitness": 0.01, "set_size": 1.0, "numerosity": 1}
    for name in population.rules.dtype.names:
        values = columns.get(name, defaults.get(name, 0))
        column = population.rules[name]
        column[places] = values
    engine.derive()
    rules = population.rules[places]
    state["micro"] = rules["numerosity"].sum()
    state["fitness_sum"] = rules["fitness"].sum()
    state["volume_sum"] = rules["volume"].sum()
    state["clock"] = max(int(state["clock"][0]), int(rules["time_stamp"].max(initial=0)))
    return places


# Where files cost least: saving flushes them to the disk.
SCRATCH = "/dev/shm" if os.path.isdir("/dev/shm") else None


def bytes_of(engine):
    """Return what `save` writes: equal bytes, equal engines."""
    with tempfile.TemporaryDirectory(dir=SCRATCH) as folder:
        path = Path(folder) / "engine.ruleplay"
        engine.save(path)
        return path.read_bytes()


def reload(engine):
    """Return the engine that comes back from a file."""
    with tempfile.TemporaryDirectory(dir=SCRATCH) as folder:
        path = Path(folder) / "engine.ruleplay"
        engine.save(path)
        return XCS.load(path)


# --- random configurations ------------------------------------------------------------------

fractions = st.sampled_from([0.0, 0.04, 0.5, 1.0])
positive_fractions = st.sampled_from([0.01, 0.2, 0.7, 1.0])


@st.composite
def configs(draw, n_actions, **fixed):
    """Draw settings that all lead to the same compiled kernels."""
    theta_mna = draw(st.none() | st.integers(1, n_actions))
    smallest = max(2, (theta_mna or n_actions) + 1)
    chosen = {
        "population_size": draw(st.integers(smallest, smallest + 3) | st.integers(smallest, 90)),
        "min_actions": theta_mna,
        "learning_rate": draw(positive_fractions),
        "discount": draw(fractions),
        "accuracy_scale": draw(positive_fractions),
        "error_threshold": draw(st.sampled_from([1e-6, 0.5, 10.0, 1e4])),
        "accuracy_power": draw(st.sampled_from([1.0, 5.0, 2.5, 40.0])),
        "deletion_threshold": draw(st.sampled_from([0, 2, 20])),
        "fitness_fraction": draw(fractions),
        "initial_prediction": draw(st.sampled_from([-5.0, 0.0, 10.0])),
        "initial_error": draw(st.sampled_from([0.0, 30.0])),
        "initial_fitness": draw(positive_fractions),
        "cover_spread": draw(positive_fractions),
        "mutation_rate": draw(fractions),
        "mutation_step": draw(positive_fractions),
        "action_mutation_rate": draw(fractions) if n_actions > 1 else 0.0,
        "crossover_rate": draw(fractions),
        "ga_threshold": draw(st.sampled_from([0, 3, 25])),
        "tournament_fraction": draw(positive_fractions),
        "fitness_reduction": draw(positive_fractions),
        "error_reduction": draw(positive_fractions),
        "subsumption_threshold": draw(st.sampled_from([0, 3, 20])),
        "ga_subsumption": draw(st.booleans()),
        "action_set_subsumption": draw(st.booleans()),
        "early_averaging": draw(st.booleans()),
        "update_order": draw(st.sampled_from(["prediction_first", "error_first"])),
        "bootstrap_on_truncation": draw(st.booleans()),
        "epsilon_start": draw(fractions),
        "epsilon_end": draw(fractions),
        "epsilon_fraction": draw(fractions),
    }
    return XCSConfig(**{**chosen, **fixed})


@st.composite
def replays(draw):
    """Draw a small replay memory."""
    capacity = draw(st.integers(1, 20))
    return ReplayConfig(
        capacity=capacity,
        batch_size=draw(st.integers(1, min(capacity, 5))),
        warmup=draw(st.integers(0, 10)),
        include_newest=draw(st.booleans()),
        ga_clock=draw(st.sampled_from(["environment", "replay"])),
    )
