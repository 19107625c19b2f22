"""A saved engine goes on as if nothing had happened, and so does one that is watched."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from property.samples import bytes_of, configs, quick, reload, replays
from ruleplay.engine import XCS
from ruleplay.envs import make_problem

pytestmark = [pytest.mark.interpreted, pytest.mark.filterwarnings("ignore::RuntimeWarning")]

seeds = st.integers(0, 2**32)
memories = st.none() | replays()


def play(engine, rng, steps):
    """Walk on a line of 5 places with `step`, learn and act in between; list the actions."""
    actions, place = [], 0.0
    for t in range(steps):
        ends = t % 17 == 16
        action = engine.step([place, rng.random()], float(place == 1.0), False, ends)
        place = 0.0 if ends else min(1.0, max(0.0, place + (0.25 if action else -0.25)))
        actions.append(action)
        if t % 5 == 0:
            actions.append(engine.act(rng.random(2), explore=True))
            engine.learn(rng.random(2), t % 2, 1.0, rng.random(2) if t % 2 else None)
    return actions


@given(data=st.data(), seed=seeds, before=st.integers(0, 120))
@quick(20)
def test_after_save_and_load_the_next_100_actions_are_the_same(data, seed, before):
    config, replay = data.draw(configs(2)), data.draw(memories)
    engine = XCS(config, replay, n_actions=2, low=[0, 0], high=[1, 1], seed=seed, horizon=300)
    play(engine, np.random.default_rng(1), before)
    twin = reload(engine)
    assert bytes_of(twin) == bytes_of(engine)
    ours = play(engine, np.random.default_rng(2), 100)
    assert play(twin, np.random.default_rng(2), 100) == ours
    assert bytes_of(twin) == bytes_of(engine)


PROBLEMS = {
    "single-step": (lambda: make_problem("rmp3"), "alternate"),
    "multi-step": (lambda: make_problem("chain", n=5, time_limit=20), "epsilon_greedy"),
}


@pytest.mark.parametrize(("make", "exploration"), PROBLEMS.values(), ids=PROBLEMS)
@given(data=st.data(), seed=seeds, steps=st.integers(1, 250))
@quick(10)
def test_a_run_that_is_watched_has_the_same_bits(make, exploration, data, seed, steps):
    problem = make()
    config = data.draw(configs(2, exploration=exploration))
    replay = data.draw(memories)
    space = {"n_actions": 2, "low": problem.low, "high": problem.high, "seed": seed}
    alone, watched = XCS(config, replay, **space), XCS(config, replay, **space)
    seen = []
    one = alone.run(make(), steps, curve_points=9)
    other = watched.run(make(), steps, 9, lambda done, total: seen.append((done, total)))
    assert bytes_of(alone) == bytes_of(watched)
    for name in one.curve:
        assert one.curve[name].tobytes() == other.curve[name].tobytes()
    assert one.episode_returns.tolist() == other.episode_returns.tolist()
    assert one.first_reward_step == other.first_reward_step
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})
    assert seen[-1] == (steps, steps)


@pytest.mark.parametrize(("make", "exploration"), PROBLEMS.values(), ids=PROBLEMS)
@given(data=st.data(), seed=seeds)
@quick(5)
def test_a_loaded_engine_runs_on_with_the_same_bits(make, exploration, data, seed):
    problem = make()
    config = data.draw(configs(2, exploration=exploration))
    engine = XCS(
        config,
        data.draw(memories),
        n_actions=2,
        low=problem.low,
        high=problem.high,
        seed=seed,
    )
    engine.run(problem, 130)
    twin = reload(engine)
    assert twin.horizon == engine.horizon == 130
    engine.run(make(), 90)
    twin.run(make(), 90)
    assert bytes_of(twin) == bytes_of(engine)


@given(seed=seeds, rows=st.integers(0, 60), data=st.data())
@quick(10)
def test_a_batch_is_learned_like_its_rows(seed, rows, data):
    config, replay = data.draw(configs(2)), data.draw(memories)
    rng = np.random.default_rng(seed)
    x, actions, rewards = rng.random((rows, 2)), rng.integers(0, 2, rows), rng.random(rows)
    space = {"n_actions": 2, "low": [0, 0], "high": [1, 1], "seed": seed}
    whole, single = XCS(config, replay, **space), XCS(config, replay, **space)
    whole.learn_batch(x, actions, rewards)
    for row, action, reward in zip(x, actions, rewards, strict=True):
        single.learn(row, action, reward)
    assert bytes_of(whole) == bytes_of(single)
