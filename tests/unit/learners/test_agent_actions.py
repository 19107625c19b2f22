"""Action spaces of any kind become a number of fixed actions, which environments get as theirs."""

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.vector import SyncVectorEnv

from ruleplay import XCSAgent
from ruleplay.engine import XCS
from ruleplay.errors import ConfigError, ModelFileError
from ruleplay.learners.agent.actors import random_choice
from ruleplay.learners.agent.refining import refined_actions
from ruleplay.learners.agent.spaces import Actions, choose_actions

SMALL = {"population_size": 100, "replay_capacity": 200}

# space, action_grid, number of actions, the last one, its name
SPACES = {
    "discrete": (spaces.Discrete(3, start=4), None, 3, 6, "6"),
    "multi-discrete": (spaces.MultiDiscrete([2, 3]), None, 6, [1, 2], "a0 = 1, a1 = 2"),
    "multi-discrete-from": (
        spaces.MultiDiscrete([2, 3], start=[5, -1]),
        None,
        6,
        [6, 1],
        "a0 = 6, a1 = 1",
    ),
    "multi-binary": (spaces.MultiBinary(3), None, 8, [1, 1, 1], "a0 = 1, a1 = 1, a2 = 1"),
    "box-1": (spaces.Box(-2, 2, (1,)), None, 5, [2.0], "a0 = 2.0"),
    "box-2": (spaces.Box(-1, 1, (2,)), None, 9, [1.0, 1.0], "a0 = 1.0, a1 = 1.0"),
    "box-5": (spaces.Box(-1, 1, (5,)), None, 243, [1.0] * 5, None),
    "box-8": (spaces.Box(-1, 1, (8,)), None, 256, [1.0] * 8, None),
    "box-table": (spaces.Box(0, 1, (1, 2), np.float64), (2, 4), 8, [[1, 1]], None),
    "box-whole": (spaces.Box(0, 2, (1,), np.int32), None, 3, [2], "a0 = 2"),
    "box-one-value": (spaces.Box(0, 1, (1,)), 1, 1, [0.5], "a0 = 0.5"),
}
all_spaces = pytest.mark.parametrize("case", SPACES.values(), ids=SPACES)
short = pytest.mark.parametrize(
    "name", ["discrete", "multi-discrete", "multi-binary", "box-1", "box-table"]
)


class Aim(gymnasium.Env):
    """Pay the sum of an action's numbers."""

    observation_space = spaces.Box(0, 1, (1,), np.float64)

    def __init__(self, space, length=6):
        self.action_space, self.length = space, length

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.left = self.length
        return self.np_random.random(1), {}

    def step(self, action):
        assert self.action_space.contains(action), action
        self.left -= 1
        return self.np_random.random(1), float(np.sum(action)), self.left == 0, False, {}


@all_spaces
def test_a_space_has_its_actions(case):
    space, grid, count, last, name = case
    actions = choose_actions(space, grid)
    assert actions.count == count
    taken = actions.take(np.int64(count - 1))
    assert space.contains(taken)
    np.testing.assert_allclose(taken, last)
    assert np.shape(actions.take(np.array([0, 0]))) == (2, *space.shape)
    names = actions.plain_names()
    assert len(set(names)) == count
    assert name in (None, names[-1])
    assert actions.fit(space)
    assert not actions.fit(spaces.Discrete(7))


@all_spaces
def test_actions_survive_as_plain_values(case):
    actions = choose_actions(case[0], case[1])
    assert Actions.from_about(actions.as_about(), actions.count) == actions


def test_what_an_environment_does_to_an_action_stays_there():
    actions = choose_actions(spaces.Box(-1, 1, (1,)))
    actions.take(0)[:] = 7.0
    assert actions.take(0) == -1.0


def test_names_have_as_many_decimals_as_they_need():
    assert choose_actions(spaces.Box(0, 1, (1,)), 3).plain_names(["u"]) == [
        "u = 0.0",
        "u = 0.5",
        "u = 1.0",
    ]
    assert choose_actions(spaces.Box(0, 1, (1,)), 4).plain_names(["u"])[1] == "u = 0.3333"


@pytest.mark.parametrize(
    ("space", "grid", "message"),
    [
        (spaces.MultiDiscrete([20, 20]), None, r"at most 256, got 20 x 20: offer fewer"),
        (spaces.MultiBinary(9), None, "at most 256, got 2 x 2"),
        (spaces.Box(-1, 1, (9,)), None, "at most 256"),
        (spaces.Box(-1, 1, (2,)), 17, "at most 256, got 17 x 17"),
        (spaces.Box(-1, np.inf, (1,)), None, "action space must have finite bounds"),
        (spaces.Box(-1e308, 1e308, (1,), np.float64), None, "must have finite bounds"),
        (None, None, "got NoneType"),
        (spaces.Text(3), None, "action space must be Discrete, Multi.* got Text.*TransformAction"),
        (spaces.Tuple([spaces.Discrete(2)]), None, "got Tuple"),
        (spaces.Discrete(3), 5, r"action_grid must be None for Discrete\(3\), got 5"),
        (spaces.Box(-1, 1, (2,)), (3,), r"action_grid must be None, or .* or 2 of them, got \(3,"),
        (spaces.Box(-1, 1, (2,)), 0, r"an integer in \[1, 64\]"),
        (spaces.Box(-1, 1, (2,)), 2.5, "action_grid must be"),
        (spaces.Box(-1, 1, (2,)), "many", "action_grid must be"),
    ],
    ids=str,
)
def test_what_is_no_number_of_actions_is_refused(space, grid, message):
    with pytest.raises(ConfigError, match=message):
        XCSAgent(Aim(space), action_grid=grid)


@short
def test_an_agent_acts_in_its_space(name, tmp_path):
    space, grid, count, *_ = SPACES[name]
    agent = XCSAgent(Aim(space), action_grid=grid, **SMALL).learn(150)
    action = agent.predict([0.5])[0]
    assert space.contains(action)
    assert agent.predict([[0.5], [0.7]])[0].shape == (2, *space.shape)
    assert agent.engine.n_actions == count
    agent.save(tmp_path / "agent.ruleplay")
    again = XCSAgent.load(tmp_path / "agent.ruleplay", env=Aim(space))
    assert again.evaluate(3).returns == agent.evaluate(3).returns
    made = agent.compact(max_rules=2, episodes=2, make_env=lambda: Aim(space))
    assert set(made.ruleset.action) <= set(range(count))
    with pytest.raises(ConfigError, match="the agent was made for"):
        again.set_env(Aim(spaces.Discrete(11)))


@short
def test_several_environments_take_actions_of_their_space(name):
    space, grid, *_ = SPACES[name]
    envs = SyncVectorEnv([lambda: Aim(space)] * 2)
    agent = XCSAgent(envs, action_grid=grid, **SMALL).learn(60)
    assert set(agent.episode_lengths) == {6}


def test_an_agent_finds_the_best_of_real_numbers():
    agent = XCSAgent(Aim(spaces.Box(-1, 1, (1,)), length=1)).learn(1000)
    assert agent.predict([0.5])[0] == 1.0
    assert agent.evaluate(5).mean == 1.0


def test_random_actions_of_real_numbers_are_held():
    drawn = {}
    for name in ("box-1", "multi-discrete"):
        choose = random_choice(choose_actions(SPACES[name][0]), np.random.default_rng(0))
        drawn[name] = np.diff([choose(np.zeros(1)) for _ in range(1000)])
    assert (drawn["box-1"] != 0).mean() < 0.1
    assert (drawn["multi-discrete"] != 0).mean() > 0.7


@pytest.mark.parametrize(
    "change",
    [
        {"dtype": "O"},
        {"dtype": "no"},
        {"dtype": 3},
        {"shape": [2]},
        {"shape": [-1]},
        {"table": [[0.0]]},
        {"table": [["x"]] * 5},
    ],
    ids=str,
)
def test_damaged_notes_on_actions_are_refused(change, tmp_path):
    agent = XCSAgent(Aim(spaces.Box(-1, 1, (1,))), **SMALL).learn(30)
    agent.save(tmp_path / "agent.ruleplay")
    engine = XCS.load(tmp_path / "agent.ruleplay")
    engine.about["actions"].update(change)
    engine.save(tmp_path / "agent.ruleplay")
    with pytest.raises(ModelFileError, match="notes on the agent are damaged"):
        XCSAgent.load(tmp_path / "agent.ruleplay")


# --- finer actions ----------------------------------------------------------------------------


def test_actions_are_refined_around_the_most_used_one():
    plane = choose_actions(spaces.Box(-1, 1, (2,)))
    finer = refined_actions(plane, 4)
    assert finer.table[:9] == plane.table
    assert finer.table[9:] == ((-0.5, 0.0), (0.5, 0.0), (0.0, -0.5), (0.0, 0.5))
    assert refined_actions(finer, 9).table[13:15] == ((-0.75, 0.0), (-0.25, 0.0))
    with pytest.raises(ConfigError, match="needs actions of real numbers"):
        refined_actions(Actions(3), 0)
    with pytest.raises(ConfigError, match="at most 256, got 264"):
        refined_actions(choose_actions(spaces.Box(-1, 1, (8,))), 0)


def test_an_agent_goes_on_with_finer_actions(tmp_path):
    agent = XCSAgent("Pendulum-v1", seed=0, **SMALL).learn(200)
    before = agent.engine.predict([[1.0, 0.0, 0.0]])[0]
    count = agent.refine_actions().engine.n_actions
    np.testing.assert_array_equal(agent.engine.predict([[1.0, 0.0, 0.0]])[0][:5], before)
    assert count in (6, 7)
    agent.learn(300)
    agent.engine.check()
    assert len(set(agent.engine.export()["action"])) == count
    assert agent.engine.about["action_names"][5].startswith("torque = ")
    agent.save(tmp_path / "agent.ruleplay")
    again = XCSAgent.load(tmp_path / "agent.ruleplay", env="Pendulum-v1")
    assert again.evaluate(1).returns == agent.evaluate(1).returns
    assert again._interface.actions == agent._interface.actions
