"""The agent keeps the promises of its interface, whatever it learns."""

import itertools
import re
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from ruleplay.config import XCSConfig
from ruleplay.engine import XCS
from ruleplay.envs import make_problem
from ruleplay.errors import ConfigError, ModelFileError, NotTrainedError
from ruleplay.experiments.spec import specify_run
from ruleplay.learners.agent import XCSAgent
from ruleplay.learners.agent.actors import best_actions

SPACES = {
    "box": spaces.Box(-1, 3, (3,), np.float32),
    "picture": spaces.Box(0, 255, (1, 3), np.uint8),
    "discrete": spaces.Discrete(6, start=2),
    "multi-discrete": spaces.MultiDiscrete([3, 4]),
    "multi-binary": spaces.MultiBinary(3),
}
all_spaces = pytest.mark.parametrize("space", SPACES.values(), ids=SPACES)
SMALL = {"population_size": 100, "replay_capacity": 200}


class Guess(gymnasium.Env):
    """Draw observations from a space; an action above average is right if the first number is."""

    def __init__(self, space, first_action=0, length=5):
        self.observation_space = space
        self.action_space = spaces.Discrete(2, start=first_action)
        self.length = length

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        if seed is not None:
            self.observation_space.seed(seed)
        self.left = self.length
        self.seen = self.observation_space.sample()
        return self.seen, {}

    def step(self, action):
        assert self.action_space.contains(action)
        self.left -= 1
        reward = float((np.ravel(self.seen)[0] > 1) == (action > self.action_space.start))
        self.seen = self.observation_space.sample()
        return self.seen, reward, False, self.left == 0, {}


def guesser(space=SPACES["discrete"], seed=0, steps=150, **settings):
    return XCSAgent(Guess(space), seed=seed, **{**SMALL, **settings}).learn(steps)


@pytest.fixture(scope="module")
def trained():
    return guesser()


# --- spaces and prediction --------------------------------------------------------------------


@all_spaces
def test_every_space_is_learned_in_and_predicted_for(space):
    agent = XCSAgent(Guess(space, first_action=3), **SMALL).learn(120)
    batch = np.stack([space.sample() for _ in range(4)])
    actions, state = agent.predict(batch, state="kept")
    assert state == "kept"
    assert actions.shape == (4,)
    assert set(actions) <= {3, 4}
    assert [agent.predict(one)[0] for one in batch] == actions.tolist()
    agent.engine.check()
    assert agent.evaluate(2).lengths == (5, 5)


def test_a_shape_between_is_refused(trained):
    for wrong in (np.zeros((2, 2)), np.zeros((1, 1, 1))):
        with pytest.raises(ConfigError, match=r"observation must have shape \(\)"):
            trained.predict(wrong)


def test_predicting_and_evaluating_do_not_change_the_agent(trained, tmp_path):
    trained.save(tmp_path / "before")
    trained.predict(np.arange(2, 8))
    trained.predict(3, deterministic=False)
    trained.evaluate(3)
    trained.save(tmp_path / "after")
    assert (tmp_path / "before").read_bytes() == (tmp_path / "after").read_bytes()


def test_a_prediction_may_be_as_random_as_learning_is(trained):
    assert trained.exploration_rate == 0.02
    agent = guesser(epsilon_end=1.0)
    drawn = {int(agent.predict(3, deterministic=False)[0]) for _ in range(20)}
    assert drawn == {0, 1}


def test_the_best_action_is_the_default_where_no_rule_matches():
    nan = np.nan
    values = np.array([[1.0, 2.0, nan], [nan, -5.0, nan], [nan, nan, nan], [3.0, 3.0, 0.0]])
    assert best_actions(values, 2).tolist() == [1, 1, 2, 0]


def test_the_default_is_the_action_taken_most_often():
    taken = []
    env = gymnasium.wrappers.TransformAction(
        gymnasium.make("CliffWalking-v1"),
        lambda action: taken.append(int(action)) or action,
        spaces.Discrete(4),
    )
    agent = XCSAgent(env, error_threshold=1.0, initial_prediction=0.0).learn(101)
    in_the_cliff = 40  # whoever steps there is put back to the start at once
    assert np.isnan(agent.engine.predict([[3, 4]])).all()
    assert agent.predict(in_the_cliff)[0] == np.bincount(taken).argmax()


# --- learning ---------------------------------------------------------------------------------


def test_it_lives_the_very_life_of_a_compiled_run():
    spec = specify_run("stein2020/chain16", "xcs-er", {"replay_warmup": 50})
    agent = XCSAgent(
        "ruleplay/Chain-v0", preset="stein2020/chain16", seed=3, replay_warmup=50
    ).learn(2000)
    problem = make_problem(spec.problem_name, **spec.problem_options)
    engine = XCS(spec.xcs, spec.replay, n_actions=2, low=problem.low, high=problem.high, seed=3)
    record = engine.run(problem, 2000)
    assert agent.episode_returns == record.episode_returns.tolist()
    for name, part in engine.export().items():
        np.testing.assert_array_equal(agent.engine.export()[name], part)


def test_steps_and_episodes_are_counted(trained):
    assert trained.num_timesteps == 150
    assert trained.warmup_steps == 15
    assert trained.engine.learning_steps == 150
    assert len(trained.episode_returns) == len(trained.episode_lengths) == 3 + 27
    assert set(trained.episode_lengths) == {5}


def test_nothing_is_played_at_random_when_nothing_is_unknown():
    agent = guesser(error_threshold=0.1, initial_prediction=0.0)
    assert agent.warmup_steps == 0
    assert agent.num_timesteps == 150


def test_the_same_seed_gives_the_same_agent(tmp_path):
    files = [tmp_path / name for name in "abc"]
    for path, seed in zip(files, (5, 5, 6), strict=True):
        guesser(seed=seed).save(path)
    first, same, other = (path.read_bytes() for path in files)
    assert first == same != other


def test_learning_goes_on_or_starts_counting_anew():
    agent = guesser()
    agent.learn(20, reset_num_timesteps=False)
    assert (agent.num_timesteps, agent.engine.learning_steps) == (170, 170)
    agent.learn(10)
    assert (agent.num_timesteps, agent.engine.learning_steps) == (10, 180)
    assert agent.episode_lengths == [5, 5]


def test_a_callback_stops_the_call():
    steps = []

    def stop_at_40(agent):
        steps.append(agent.num_timesteps)
        agent.predict(3)
        return agent.num_timesteps < 40

    agent = XCSAgent(Guess(SPACES["discrete"]), **SMALL).learn(100, callback=stop_at_40)
    assert steps == list(range(11, 41))
    assert agent.num_timesteps == 40


def test_what_a_broken_call_leaves_open_is_forgotten(tmp_path):
    def fail(agent):
        raise KeyboardInterrupt

    agent = guesser()
    with pytest.raises(KeyboardInterrupt):
        agent.learn(10, callback=fail)
    before = agent.engine.learning_steps
    agent.learn(7)
    assert agent.engine.learning_steps == before + 7


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_environments_side_by_side_share_one_population(mode):
    def build():
        makers = [lambda: Guess(SPACES["discrete"])] * 3
        return XCSAgent(SyncVectorEnv(makers, autoreset_mode=mode), **SMALL)

    agents = [build().learn(150) for _ in range(2)]
    first, same = (agent.engine.export() for agent in agents)
    assert agents[0].num_timesteps == agents[0].engine.learning_steps >= 150
    assert set(agents[0].episode_lengths) == {5}
    np.testing.assert_array_equal(first["prediction"], same["prediction"])
    assert agents[0].predict(np.array([2, 7, 4]))[0].shape == (3,)
    assert agents[0].evaluate(2, env=Guess(SPACES["discrete"])).lengths == (5, 5)
    agents[0].engine.check()


def test_bounds_are_observed_in_the_warm_up():
    space = spaces.Box(-np.inf, np.inf, (2,))
    env = gymnasium.wrappers.TransformObservation(
        Guess(SPACES["box"]), lambda seen: seen[:2] * 1000, space
    )
    agent = XCSAgent(env, bounds="observe", **SMALL).learn(200)
    assert agent.warmup_steps == 20
    assert (agent.engine.low > -2100).all()
    assert (agent.engine.high > 1000).all()
    assert agent.predict([1e5, -1e5])[0] in (0, 1)


def test_progress_is_shown_on_standard_error(capsys):
    guesser(steps=100).learn(100, progress_bar=True)
    assert "100" in capsys.readouterr().err


def test_a_warm_up_without_rewards_warns():
    env = gymnasium.wrappers.TransformReward(Guess(SPACES["discrete"]), lambda reward: 0.0)
    with pytest.warns(UserWarning, match="no reward in 10 steps of random play"):
        XCSAgent(env, **SMALL).learn(100)


@pytest.mark.parametrize(
    ("space", "paid_from", "played"),
    [("box", 1, 1000), ("box", 1234, 1234), ("box", 2300, 2000), ("discrete", 1234, 1000)],
)
def test_play_at_random_goes_on_for_longer_while_nothing_is_paid(space, paid_from, played):
    steps = itertools.count(1)
    env = gymnasium.wrappers.TransformReward(
        Guess(SPACES[space]), lambda reward: float(next(steps) >= paid_from)
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        agent = XCSAgent(env, **SMALL).learn(20_000, lambda agent: False)
    assert agent.warmup_steps == played
    share = agent.engine.config.epsilon_fraction
    assert share == pytest.approx(0.1 if played == 1000 else 0.1 + played / 20_000)


def test_environments_side_by_side_explore_as_long_as_one():
    makers = [lambda: Guess(SPACES["box"])] * 3
    env = SyncVectorEnv(makers, autoreset_mode=AutoresetMode.NEXT_STEP)
    agent = XCSAgent(env, **SMALL).learn(500)
    assert agent.warmup_steps > 50  # not a multiple of three
    assert agent.engine.config.epsilon_fraction == pytest.approx(0.1)


# --- evaluation -------------------------------------------------------------------------------


def test_an_evaluation_depends_on_its_seed_only(trained):
    first = trained.evaluate(10)
    assert trained.evaluate(10) == first
    assert trained.evaluate(10, seed=1).returns == trained.evaluate(10, seed=1).returns
    assert first.mean == pytest.approx(np.mean(first.returns))


def test_while_learning_it_is_evaluated_elsewhere():
    results = []

    def look(agent):
        if agent.num_timesteps == 60:
            results.append(agent.evaluate(2, max_episode_steps=20))

    looked = XCSAgent("CliffWalking-v1").learn(100, callback=look)
    plain = XCSAgent("CliffWalking-v1").learn(100)
    assert len(results) == 1
    np.testing.assert_array_equal(
        looked.engine.export()["prediction"], plain.engine.export()["prediction"]
    )


def test_an_environment_that_is_in_use_and_cannot_be_made_again_is_left_alone():
    agent = guesser()
    with pytest.raises(ConfigError, match=re.escape("pass evaluate(env=...)")):
        agent.learn(5, callback=lambda agent: agent.evaluate(1))


# --- rules and files --------------------------------------------------------------------------


def test_rules_speak_the_language_of_the_environment():
    agent = XCSAgent(Guess(SPACES["box"]), feature_names=["x", "y", "z"], **SMALL).learn(120)
    table = agent.rules()
    assert {"lower_x", "upper_z", "action", "prediction"} <= set(table.columns)
    assert len(table) == agent.engine.macroclassifiers
    assert agent.rules_text(top=2).count("THEN") == 2
    assert len(agent.rules_text(top=None).splitlines()) == len(table)


def test_a_saved_agent_goes_on_as_if_nothing_had_happened(trained, tmp_path):
    path = tmp_path / "agent.ruleplay"
    trained.save(path)
    copies = [XCSAgent.load(path, env=Guess(SPACES["discrete"])) for _ in range(2)]
    everything = np.arange(2, 8)
    for agent in copies:
        np.testing.assert_array_equal(agent.predict(everything)[0], trained.predict(everything)[0])
        assert agent.num_timesteps == 150
        agent.learn(50, reset_num_timesteps=False)
    first, second = (agent.engine.export()["prediction"] for agent in copies)
    np.testing.assert_array_equal(first, second)
    assert copies[0].num_timesteps == 200


def test_without_an_environment_a_loaded_agent_only_predicts(tmp_path):
    path = tmp_path / "agent.ruleplay"
    XCSAgent("CliffWalking-v1").learn(60).save(path)
    agent = XCSAgent.load(path)
    assert agent.predict(36)[0] in range(4)
    for ask in (lambda: agent.learn(5), agent.evaluate):
        with pytest.raises(ConfigError, match=r"no environment.*env='CliffWalking-v1'"):
            ask()
    with pytest.raises(ConfigError, match="the agent was made for observations of shape"):
        agent.set_env("CartPole-v1")
    agent.set_env("CliffWalking-v1")
    assert agent.learn(5).num_timesteps == 5


def test_other_models_are_not_taken_for_agents(tmp_path):
    path = tmp_path / "engine.ruleplay"
    engine = XCS(XCSConfig(), n_actions=2, low=[0], high=[1])
    engine.save(path)
    with pytest.raises(ModelFileError, match="not saved by an XCSAgent"):
        XCSAgent.load(path)
    for notes in ({}, {"encoder": {"shape": [2**70]}}, {"first_action": "x"}):
        engine.about = {"learner": "agent", **notes}
        engine.save(path)
        with pytest.raises(ModelFileError, match="notes on the agent are damaged"):
            XCSAgent.load(path)


def test_a_file_that_was_tampered_with_is_refused(trained, tmp_path):
    path = tmp_path / "agent.ruleplay"
    trained.save(path)
    content = path.read_bytes()
    for place in np.linspace(0, len(content) - 1, 40, dtype=int):
        path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        with pytest.raises(ModelFileError):
            XCSAgent.load(path)
    path.write_bytes(content[:-7])
    with pytest.raises(ModelFileError):
        XCSAgent.load(path)


def test_counts_at_their_limit_stay_there(trained, tmp_path):
    path = tmp_path / "agent.ruleplay"
    trained.save(path)
    engine = XCS.load(path)
    most = {"actions_taken": [2**62] * engine.n_actions, "num_timesteps": 2**62}
    engine.about.update(most)
    engine.save(path)
    tired = XCSAgent.load(path)
    tired._action_counts += 7
    tired.save(path)
    XCSAgent.load(path)
    assert {name: XCS.load(path).about[name] for name in most} == most


@pytest.mark.parametrize(
    "notes",
    [
        {"whole_features": [1]},
        {"whole_features": []},
        {"whole_features": None},
        {"feature_names": ["a", "b"]},
        {"action_names": "no"},
        {"actions_taken": [1, -1]},
        {"actions_taken": [1, 2, 3]},
        {"num_timesteps": 1.5},
        {"first_action": True},
    ],
    ids=str,
)
def test_notes_that_make_no_sense_are_refused(trained, tmp_path, notes):
    path = tmp_path / "agent.ruleplay"
    trained.save(path)
    engine = XCS.load(path)
    engine.about.update(notes)
    engine.save(path)
    with pytest.raises(ModelFileError, match="notes on the agent are damaged"):
        XCSAgent.load(path)


# --- refusals ---------------------------------------------------------------------------------


def test_an_agent_that_has_not_learned_says_so():
    agent = XCSAgent("CartPole-v1")
    for ask in (agent.evaluate, agent.rules, agent.rules_text, lambda: agent.predict([0] * 4)):
        with pytest.raises(NotTrainedError, match=re.escape("call learn() first")):
            ask()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"env": "NoSuchPole-v1"}, "env 'NoSuchPole-v1' cannot be made"),
        ({"env": 17}, "env must be the name of an environment"),
        ({"action_grid": 3}, r"action_grid must be None for Discrete\(2\), got 3"),
        ({"seed": -1}, "seed must be an integer in"),
        ({"bounds": (1, -1)}, r"high\[0\] - low\[0\] must lie in"),
        ({"learning_rate": 7}, r"learning_rate \(beta\) must lie in"),
        ({"min_actions": 9}, r"min_actions \(theta_mna\) must lie in \[1, 2\]"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_what_cannot_be_is_refused_at_once(arguments, message):
    with pytest.raises(ConfigError, match=message):
        XCSAgent(**{"env": "CartPole-v1", **arguments})


@pytest.mark.parametrize("steps", [0, -5, 2.5, True], ids=str)
def test_a_number_of_steps_is_a_positive_integer(steps):
    with pytest.raises(ConfigError, match="total_timesteps must be an integer"):
        XCSAgent("CartPole-v1").learn(steps)


class BadPay(Guess):
    """Pay what is no reward at some step."""

    def __init__(self, reward, when):
        super().__init__(SPACES["discrete"])
        self.bad, self.when, self.steps = reward, when, 0

    def step(self, action):
        self.steps += 1
        seen, reward, *rest = super().step(action)
        return seen, self.bad if self.steps == self.when else reward, *rest


@pytest.mark.parametrize("when", [3, 120], ids=["warm-up", "later"])
@pytest.mark.parametrize("reward", [np.nan, np.inf, "much", None])
def test_a_reward_that_is_none_is_called_that(reward, when):
    agent = XCSAgent(BadPay(reward, when), **SMALL)
    with pytest.raises(ConfigError, match="reward of the environment must be a number"):
        agent.learn(200)
