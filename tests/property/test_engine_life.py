"""Whatever is done to an engine, in whatever order, its invariants hold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from property.samples import INTERPRETED, bytes_of, configs, quick, reload, replays
from ruleplay.engine import XCS
from ruleplay.envs import make_problem
from ruleplay.errors import ConfigError

pytestmark = [
    pytest.mark.interpreted,
    pytest.mark.uncompiled,
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
]

REWARDS = [0.0, 1.0, -3.5, 1000.0, 1e9]


class Life:
    """An engine and what may happen to it; every event draws from a generator of its own."""

    def __init__(self, engine, problem=None):
        self.engine = engine
        self.problem = problem
        self.episode_open = False

    def observation(self, rng):
        """Draw an observation: inside, on the border, or outside, which is clipped."""
        x = rng.uniform(-0.3, 1.3, self.engine.n_features)
        return np.where(rng.random(len(x)) < 0.2, rng.integers(0, 2, len(x)), x)

    def act(self, rng):
        action = self.engine.act(self.observation(rng), explore=bool(rng.integers(2)))
        assert 0 <= action < self.engine.n_actions

    def learn(self, rng):
        before = self.engine.learning_steps
        following = self.observation(rng) if rng.integers(2) else None
        action = int(rng.integers(self.engine.n_actions))
        self.engine.learn(self.observation(rng), action, rng.choice(REWARDS), following)
        assert self.engine.learning_steps == before + 1

    def learn_batch(self, rng):
        rows = int(rng.integers(0, 40))
        self.engine.learn_batch(
            rng.uniform(-0.1, 1.1, (rows, self.engine.n_features)),
            rng.integers(0, self.engine.n_actions, rows),
            rng.choice(REWARDS, rows),
        )

    def step(self, rng):
        ends = rng.random() < 0.2
        terminated = bool(ends and rng.integers(2))
        action = self.engine.step(
            self.observation(rng), rng.choice(REWARDS), terminated, bool(ends and not terminated)
        )
        assert action == -1 if ends else 0 <= action < self.engine.n_actions

    def predict(self, rng):
        before = bytes_of(self.engine)
        self.engine.predict(rng.random((5, self.engine.n_features)))
        assert bytes_of(self.engine) == before

    def refuse(self, rng):
        before = bytes_of(self.engine)
        x = self.observation(rng)
        x[rng.integers(len(x))] = rng.choice([np.nan, np.inf, -np.inf])
        for call in (self.engine.act, self.engine.step, lambda x: self.engine.learn(x, 0, 1.0)):
            with pytest.raises(ConfigError):
                call(x)
        assert bytes_of(self.engine) == before

    def reload(self, rng):
        self.engine = reload(self.engine)

    def run(self, rng):
        if self.problem is not None:
            self.engine.run(self.problem, int(rng.integers(1, 60)), int(rng.integers(1, 9)))


def assert_sound(engine):
    """Check the engine, and once more what can be seen from outside."""
    engine.check()
    rules = engine.export()
    assert rules["numerosity"].sum() == engine.microclassifiers
    assert engine.microclassifiers <= engine.config.population_size
    assert len(rules["action"]) == engine.macroclassifiers
    assert (rules["lower"] <= rules["upper"]).all()
    assert (rules["lower"] >= 0).all()
    assert (rules["upper"] <= 1).all()
    assert (rules["numerosity"] >= 1).all()
    assert ((rules["action"] >= 0) & (rules["action"] < engine.n_actions)).all()


def live(life, events):
    for number, (name, seed) in enumerate(events):
        getattr(life, name)(np.random.default_rng([number, seed]))
        assert_sound(life.engine)


def histories(*names):
    """Draw events by name, each with a seed."""
    event = st.tuples(st.sampled_from(names), st.integers(0, 2**16))
    return st.lists(event, min_size=5, max_size=12 if INTERPRETED else 40)


COMMON = ("act", "learn", "learn_batch", "step", "predict", "refuse", "reload")
PROBLEMS = {
    "single-step": (lambda: make_problem("rmp3"), "alternate"),
    "multi-step": (lambda: make_problem("chain", n=5, time_limit=20), "epsilon_greedy"),
}


@given(data=st.data(), seed=st.integers(0, 2**32), events=histories(*COMMON))
@quick(60)
def test_invariants_hold_without_replay(data, seed, events):
    n_actions = data.draw(st.integers(1, 4))
    d = data.draw(st.sampled_from([1, 2, 5, 17]))
    config = data.draw(configs(n_actions))
    live(Life(XCS(config, n_actions=n_actions, low=[0] * d, high=[1] * d, seed=seed)), events)


@given(data=st.data(), seed=st.integers(0, 2**32), events=histories(*COMMON))
@quick(60)
def test_invariants_hold_with_replay(data, seed, events):
    n_actions = data.draw(st.integers(1, 4))
    d = data.draw(st.sampled_from([1, 2, 5, 17]))
    config, replay = data.draw(configs(n_actions)), data.draw(replays())
    live(
        Life(XCS(config, replay, n_actions=n_actions, low=[0] * d, high=[1] * d, seed=seed)),
        events,
    )


@pytest.mark.parametrize(("make", "exploration"), PROBLEMS.values(), ids=PROBLEMS)
@given(data=st.data(), seed=st.integers(0, 2**32), events=histories("run", *COMMON))
@quick(30)
def test_invariants_hold_with_compiled_runs_in_between(make, exploration, data, seed, events):
    problem = make()
    config = data.draw(configs(2, exploration=exploration))
    replay = data.draw(st.none() | replays())
    engine = XCS(config, replay, n_actions=2, low=problem.low, high=problem.high, seed=seed)
    live(Life(engine, problem), events)


@given(
    data=st.data(),
    seed=st.integers(0, 2**32),
    events=histories("act", "learn", "step", "predict", "refuse", "reload"),
)
@quick(40)
def test_invariants_hold_with_linear_predictions(data, seed, events):
    d = data.draw(st.integers(1, 4))
    config = data.draw(
        configs(
            2,
            prediction="linear",
            rls_initial_gain=data.draw(st.sampled_from([0.1, 1.0, 500.0])),
            rls_forgetting=data.draw(st.sampled_from([1.0, 0.99])),
            rls_gain_limit=data.draw(st.sampled_from([None, 600.0])),
            prediction_limit=data.draw(st.sampled_from([None, 2000.0])),
        )
    )
    live(Life(XCS(config, data.draw(replays()), n_actions=2, low=[0] * d, high=[1] * d)), events)


@pytest.mark.parametrize(
    ("fixed", "names"),
    [
        ({"selection": "roulette", "crossover": "two_point"}, ("act", "learn", "reload")),
        ({"condition": "center_spread"}, ("learn_batch", "reload")),
    ],
    ids=["roulette-two-point", "center-spread"],
)
@given(data=st.data(), seed=st.integers(0, 2**32))
@quick(20)
def test_invariants_hold_for_every_family(fixed, names, data, seed):
    config = data.draw(configs(3, **fixed))
    engine = XCS(config, n_actions=3, low=[0, 0], high=[1, 1], seed=seed)
    live(Life(engine), data.draw(histories(*names)))
