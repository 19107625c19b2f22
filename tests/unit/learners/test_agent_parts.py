"""Observations of several parts become named features, in any nesting."""

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from ruleplay import XCSAgent
from ruleplay.errors import ConfigError, ModelFileError
from ruleplay.learners.agent.interface import choose_bounds, make_interface
from ruleplay.learners.agent.spaces import (
    Encoder,
    choose_encoder,
    declared_bounds,
    encoder_from_dict,
    grain_of,
    whole_features,
)
from ruleplay.rules import EpisodeScore

SMALL = {"population_size": 100, "replay_capacity": 200}
ARM = spaces.Dict(
    {
        "arm": spaces.Dict(
            {"angle": spaces.Box(-1, 1, (2,)), "grips": spaces.Tuple([spaces.Discrete(3, start=4)])}
        ),
        "lamps": spaces.MultiBinary(2),
    }
)
HELD = {"arm": {"angle": np.array([0.5, -1.0]), "grips": (5,)}, "lamps": np.array([0, 1], np.int8)}
CARDS = spaces.Tuple([spaces.Discrete(4), spaces.MultiDiscrete([2, 3])])
TALE = spaces.Dict({"place": spaces.Discrete(3), "tale": spaces.Text(9)})


class Parts(gymnasium.Env):
    """Draw observations from a space; action 1 pays."""

    action_space = spaces.Discrete(2)

    def __init__(self, space=ARM):
        self.observation_space = space

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        if seed is not None:
            self.observation_space.seed(seed)
        self.left = 5
        return self.observation_space.sample(), {}

    def step(self, action):
        self.left -= 1
        return self.observation_space.sample(), float(action), self.left == 0, False, {}


def test_parts_are_named_by_their_paths():
    interface = make_interface(Parts(), None, None, None)
    assert interface.feature_names == (
        *("arm.angle.0", "arm.angle.1", "arm.grips.0", "lamps.0", "lamps.1"),
    )
    assert interface.whole_features == (False, False, True, True, True)
    np.testing.assert_array_equal(interface.row(HELD), [0.5, -1, 5, 0, 1])
    assert make_interface(Parts(CARDS), None, None, None).feature_names == ("x0", "x1.0", "x1.1")


def test_numbered_parts_may_have_a_feature_for_each_value():
    interface = make_interface(Parts(), "one_hot", None, None)
    assert interface.feature_names[2:5] == (
        *("arm.grips.0_is_4", "arm.grips.0_is_5", "arm.grips.0_is_6"),
    )
    np.testing.assert_array_equal(interface.row(HELD), [0.5, -1, 0, 1, 0, 0, 1])
    with pytest.raises(ConfigError, match="'ordinal' or 'one_hot' for observations of several"):
        make_interface(Parts(), (3, 1), None, None)


def test_bounds_and_states_of_parts_are_put_together():
    encoder = choose_encoder(ARM, "ordinal")
    np.testing.assert_array_equal(
        declared_bounds(ARM, encoder), [[-1, -1, 4, 0, 0], [1, 1, 6, 1, 1]]
    )
    assert grain_of(ARM, encoder) == (np.inf, 0)
    cards = choose_encoder(CARDS, "ordinal")
    states, finest = grain_of(CARDS, cards)
    assert (round(states), finest) == (24, 4)
    assert whole_features(CARDS, cards) == (True,) * 3


def test_users_give_bounds_to_the_real_numbers_among_parts():
    encoder = choose_encoder(ARM, "ordinal")
    low, high = choose_bounds(Parts(), encoder, (-5, [5, 6, 7, 8, 9]))
    assert (low.tolist(), high.tolist()) == ([-5, -5, 4, 0, 0], [5, 6, 6, 1, 1])
    low, _ = choose_bounds(Parts(), encoder, "observe")
    assert np.isnan(low).tolist() == [True, True, False, False, False]
    with pytest.raises(ConfigError, match="bounds must be None for Tuple"):
        choose_bounds(Parts(CARDS), choose_encoder(CARDS, "ordinal"), "observe")


def test_several_observations_are_a_list_or_parts_of_several():
    interface = make_interface(Parts(), None, None, None)
    listed, single = interface.rows([HELD, HELD])
    assert (listed.shape, single) == ((2, 5), False)
    stacked = {
        "arm": {"angle": np.array([[0.5, -1.0]] * 2), "grips": (np.array([5, 5]),)},
        "lamps": np.array([[0, 1]] * 2),
    }
    rows, single = interface.rows(stacked)
    assert not single
    np.testing.assert_array_equal(rows, listed)
    assert interface.encode([]).shape == (0, 5)
    with pytest.raises(ConfigError, match="all be of one, or all of as many"):
        interface.rows({**stacked, "lamps": np.array([0, 1])})
    with pytest.raises(ConfigError, match="must be a single one, got 2"):
        interface.row(stacked)


def test_an_observation_without_a_part_is_refused():
    interface = make_interface(Parts(), None, None, None)
    with pytest.raises(ConfigError, match=r"observation must have the part arm\.angle, got dict"):
        interface.row({"lamps": [0, 1]})


@pytest.mark.parametrize("how", ["ordinal", "one_hot"])
@pytest.mark.parametrize("space", [ARM, CARDS], ids=["dict", "tuple"])
def test_an_encoder_of_parts_survives_as_plain_values(space, how):
    encoder = choose_encoder(space, how)
    assert encoder_from_dict(encoder.as_dict()) == encoder


@pytest.mark.parametrize(
    "content",
    [
        {"parts": []},
        {"parts": [{"path": [], **Encoder(()).as_dict()}]},
        {"parts": [{"path": [None], **Encoder(()).as_dict()}]},
    ],
    ids=["none", "nowhere", "no-key"],
)
def test_parts_that_make_no_sense_are_refused(content):
    with pytest.raises(ConfigError, match="part"):
        encoder_from_dict(content)


def test_text_is_left_out_with_a_warning():
    with pytest.warns(UserWarning, match="rules cannot read text, and do without the part tale"):
        interface = make_interface(Parts(TALE), None, None, None)
    assert interface.feature_names == ("place",)
    np.testing.assert_array_equal(interface.row({"place": 2, "tale": "once"}), [2])
    with pytest.raises(ConfigError, match="must have parts of numbers"):
        make_interface(Parts(spaces.Dict({"tale": spaces.Text(9)})), None, None, None)


def test_a_part_of_another_kind_is_refused_by_name():
    space = spaces.Dict({"a": spaces.Discrete(2), "b": spaces.Sequence(spaces.Discrete(2))})
    with pytest.raises(ConfigError, match=r"observation part b must be Box.*got Sequence"):
        XCSAgent(Parts(space))


def test_a_picture_among_parts_is_refused_by_name():
    picture = spaces.Box(0, 255, (84, 84, 3), np.uint8)
    with pytest.raises(ConfigError, match=r"the part eye of obs.* 84 x 84 x 3 numbers.*MinAtar"):
        XCSAgent(Parts(spaces.Dict({"eye": picture, "compass": spaces.Discrete(4)})))


@pytest.mark.parametrize("space", [ARM, CARDS], ids=["dict", "tuple"])
def test_an_agent_learns_predicts_and_is_saved(space, tmp_path):
    agent = XCSAgent(Parts(space), **SMALL).learn(120)
    seen = space.sample()
    assert agent.predict(seen)[0] in (0, 1)
    assert agent.predict([seen, seen])[0].shape == (2,)
    assert "IF" in agent.rules_text(1)
    assert agent.explain(seen).seen.startswith(agent.engine.about["feature_names"][0])
    agent.save(tmp_path / "agent.ruleplay")
    again = XCSAgent.load(tmp_path / "agent.ruleplay", env=Parts(space))
    assert again.evaluate(3).returns == agent.evaluate(3).returns
    with pytest.raises(ConfigError, match="the agent was made for observations with the parts"):
        again.set_env(Parts(TALE))


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("space", [ARM, CARDS, TALE], ids=["dict", "tuple", "text"])
@pytest.mark.filterwarnings("ignore:rules cannot read text")
def test_several_environments_with_parts_share_a_population(space, mode):
    envs = SyncVectorEnv([lambda: Parts(space)] * 3, autoreset_mode=mode)
    agent = XCSAgent(envs, **SMALL).learn(90)
    assert set(agent.episode_lengths) == {5}
    assert agent.predict(envs.reset(seed=0)[0])[0].shape == (3,)


def test_rules_about_parts_are_made_few_by_episodes():
    agent = XCSAgent(Parts(CARDS), **SMALL).learn(200)
    made = agent.compact(max_rules=2, episodes=3, make_env=lambda: Parts(CARDS))
    assert made.ruleset.feature_names == ("x0", "x1.0", "x1.1")
    scored = EpisodeScore(lambda: Parts(CARDS), 2, encode=agent._interface.encode)
    assert scored(lambda rows: np.ones(len(rows), np.int64)) == 5


def test_a_file_with_a_damaged_part_is_refused(tmp_path):
    agent = XCSAgent(Parts(CARDS), **SMALL).learn(60)
    agent.engine.about["encoder"]["parts"][0]["path"] = [{}]
    agent.save(tmp_path / "agent.ruleplay")
    with pytest.raises(ModelFileError, match="notes on the agent are damaged"):
        XCSAgent.load(tmp_path / "agent.ruleplay")


def test_features_without_bounds_are_observed_and_others_keep_theirs():
    space = spaces.Box(np.array([-np.inf, 0.0]), np.array([np.inf, 2.0]), dtype=np.float64)
    first, same = (XCSAgent(Parts(space), seed=3, **SMALL).learn(120).engine for _ in range(2))
    assert np.isfinite(first.low).all()
    assert (first.low[1], first.high[1]) == (0.0, 2.0)
    np.testing.assert_array_equal([first.low, first.high], [same.low, same.high])
