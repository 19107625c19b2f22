"""An agent's rules can be read, explained and made few in the environment's own terms."""

import itertools
import re

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.vector import VectorEnv

from ruleplay.errors import ConfigError, NotTrainedError
from ruleplay.evaluation import make_again
from ruleplay.learners.agent import XCSAgent
from ruleplay.learners.agent.interface import make_interface
from ruleplay.rules import Feature, RuleSet, rules_records
from ruleplay.rules.thresholds import scale
from ruleplay.rules.wording import phrase

SIDE = 6
SMALL = {"population_size": 300, "error_threshold": 0.1, "initial_prediction": 0.0}


class Corridor(gymnasium.Env):
    """Walk left (5) or right (6) through rooms to the last one; other lights go on at random."""

    observation_space = spaces.MultiDiscrete([SIDE, 4], start=[1, 0])
    action_space = spaces.Discrete(2, start=5)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.room, self.left = int(self.np_random.integers(1, SIDE)), 12
        return self._seen(), {}

    def step(self, action):
        assert action in (5, 6)
        self.room = max(1, self.room + (1 if action == 6 else -1))
        self.left -= 1
        return self._seen(), -1.0, self.room == SIDE, self.left == 0, {}

    def _seen(self):
        return np.array([self.room, self.np_random.integers(4)])


@pytest.fixture(scope="module")
def walker():
    names = {"feature_names": ["room", "light"], "action_names": ["left", "right"]}
    return XCSAgent(Corridor(), seed=0, **names, **SMALL).learn(3000)


@pytest.fixture(scope="module")
def cliff_walker():
    return XCSAgent("CliffWalking-v1", seed=0).learn(8000)


# --- explaining -------------------------------------------------------------------------------


def test_an_explanation_is_that_of_the_action_taken(walker):
    for seen in itertools.product(range(1, SIDE), range(4)):
        told = walker.explain(seen)
        assert 5 + told.action == walker.predict(np.array(seen))[0]
        np.testing.assert_array_equal(told.values, walker.engine.predict([seen])[0])


def test_an_explanation_speaks_of_features_and_actions_by_name(walker):
    text = str(walker.explain([3, 1]))
    assert text.startswith("room 3, light 1: right\n  right: value ")
    assert "left: value" in text


def test_numbered_states_are_explained_in_their_parts(cliff_walker):
    told = cliff_walker.explain(36)  # the start
    assert str(told).startswith("row 3, column 0: up\n")
    assert told.votes["if"].iloc[0] == "row = 3 AND column = 0"


def test_where_no_rule_matches_the_action_taken_most_often_is_explained():
    settings = {"error_threshold": 1.0, "initial_prediction": 0.0}
    agent = XCSAgent("CliffWalking-v1", seed=1, **settings).learn(101)
    in_the_cliff = 40  # whoever steps there is put back to the start at once
    told = agent.explain(in_the_cliff)
    assert told.is_default
    assert told.action == agent.predict(in_the_cliff)[0]
    assert "because no rule matches" in str(told)
    assert told.action != 0  # else the test would say nothing


def test_one_observation_is_explained_at_a_time(walker):
    with pytest.raises(ConfigError, match="observation must be a single one, got 1 in a list"):
        walker.explain([[3, 1]])


# --- compacting -------------------------------------------------------------------------------


def test_a_list_is_judged_by_episodes(walker):
    made = walker.compact(episodes=10, make_env=Corridor)
    assert made.ruleset.ordered
    assert (made.before, made.after) == (walker.engine.macroclassifiers, 0)
    assert made.ruleset.text() == "ALWAYS right"
    assert made.score_before == made.score_after == pytest.approx(-2.5, abs=0.7)
    assert made.loss == 0.0


def test_a_list_of_a_known_environment_needs_no_help(cliff_walker):
    made = cliff_walker.compact(max_rules=3, episodes=2, max_episode_steps=100)
    assert made.after <= 3
    assert made.score_before == -13
    assert made.score_after == -13
    text = made.ruleset.text()
    assert re.search(r"row = 3|row ≥ 3", text)
    assert "." not in re.sub(r"\(.*?\)", "", text)  # whole numbers only


def test_the_loss_is_measured_on_other_episodes(walker):
    seeds = []

    class Noted(Corridor):
        def reset(self, *, seed=None, options=None):
            seeds.append(seed)
            return super().reset(seed=seed)

    walker.compact(episodes=7, seed=50, make_env=Noted)
    assert set(seeds[:7]) == set(range(50, 57))
    assert set(seeds[-200:]) == set(range(57, 157))


def test_the_same_question_has_the_same_answer_and_changes_nothing(walker, tmp_path):
    walker.save(tmp_path / "before")
    for method in ("evaluate", "greedy"):
        first, second = (walker.compact(method, episodes=3, make_env=Corridor) for _ in range(2))
        assert first.ruleset.to_json() == second.ruleset.to_json()
        assert first.agreement == second.agreement
    walker.save(tmp_path / "after")
    assert (tmp_path / "before").read_bytes() == (tmp_path / "after").read_bytes()


def test_greedy_keeps_rules_that_vote():
    agent = XCSAgent(Corridor(), seed=0, ga_threshold=10, **SMALL).learn(3000)
    made = agent.compact("greedy", tolerance=0.0)
    assert not made.ruleset.ordered
    assert 0 < made.after < made.before
    assert made.agreement == 1.0
    everywhere = np.array(list(itertools.product(range(1, SIDE), range(4))))
    agreed = made.ruleset.actions(everywhere) + 5 == agent.predict(everywhere)[0]
    assert agreed.all()


@pytest.mark.parametrize("method", ["evaluate", "greedy"])
def test_without_a_memory_states_are_visited_in_new_episodes(method):
    agent = XCSAgent(Corridor(), seed=0, replay=None, **SMALL).learn(2000)
    made = agent.compact(method, episodes=5, make_env=Corridor)
    assert made.after < made.before
    assert made.agreement > 0.9


def test_a_loaded_agent_without_an_environment_can_be_compacted_by_its_memory(walker, tmp_path):
    walker.save(tmp_path / "walker.ruleplay")
    loaded = XCSAgent.load(tmp_path / "walker.ruleplay")
    assert loaded.compact("greedy").after == walker.compact("greedy").after
    with pytest.raises(ConfigError, match="the agent has no environment"):
        loaded.compact()
    assert loaded.compact(episodes=2, make_env=Corridor).after == 0


@pytest.mark.parametrize(
    "arguments",
    [{"vectorization_mode": "sync"}, {"vectorization_mode": "vector_entry_point"}, {}],
    ids=["one-by-one", "all-at-once", "as-usual"],
)
def test_several_environments_are_made_again_as_single_ones(arguments):
    envs = gymnasium.make_vec("CartPole-v1", 3, **arguments)
    again = make_again(envs)
    assert not isinstance(again, VectorEnv)
    assert again.spec.max_episode_steps == 500
    agent = XCSAgent(envs, seed=0, **SMALL).learn(300)
    assert agent.rules().columns[0] == "lower_position"
    assert len(agent.evaluate(2).lengths) == 2
    assert agent.compact(max_rules=2, episodes=2).after <= 2


def test_an_environment_is_made_again_with_its_own_time_limit_and_options():
    env = gymnasium.make("FrozenLake-v1", max_episode_steps=7, is_slippery=False)
    again = make_again(env)
    assert again.spec.max_episode_steps == 7
    assert again.spec.kwargs["is_slippery"] is False
    envs = gymnasium.make_vec("FrozenLake-v1", 2, max_episode_steps=7, is_slippery=False)
    assert make_again(envs).spec.max_episode_steps == 7
    assert env.spec.kwargs == again.spec.kwargs


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"method": "magic"}, "method must be one of 'evaluate', 'greedy'"),
        ({"episodes": 0}, "episodes must be an integer in"),
        ({"seed": -1}, "seed must be an integer in"),
        ({"make_env": None}, r"cannot be made again: pass compact\(make_env="),
        ({"make_env": "CartPole-v1"}, "the agent was made for observations of shape"),
        ({"max_rules": -1}, "max_rules must be an integer in"),
        ({"tolerance": 1.0}, "tolerance must lie in"),
    ],
    ids=lambda value: str(value)[:25],
)
def test_what_cannot_be_compacted_is_refused(walker, arguments, message):
    with pytest.raises(ConfigError, match=message):
        walker.compact(**{"make_env": Corridor, "episodes": 2, **arguments})


def test_an_agent_that_has_not_learned_has_nothing_to_say():
    agent = XCSAgent("CliffWalking-v1")
    for ask in (agent.compact, lambda: agent.explain(3)):
        with pytest.raises(NotTrainedError, match=re.escape("call learn() first")):
            ask()


# --- whole numbers ----------------------------------------------------------------------------


class Still(gymnasium.Env):
    """An environment with any observations in which nothing happens."""

    def __init__(self, observation_space):
        self.observation_space = observation_space
        self.action_space = spaces.Discrete(2)


@pytest.mark.parametrize(
    ("space", "how", "whole"),
    [
        (spaces.Discrete(12), "ordinal", [True]),
        (spaces.Discrete(12), (3, 4), [True, True]),
        (spaces.Discrete(3), "one_hot", [True] * 3),
        (spaces.MultiDiscrete([3, 4]), None, [True, True]),
        (spaces.MultiBinary(3), None, [True] * 3),
        (spaces.Box(0, 255, (1, 2), np.uint8), None, [True, True]),
        (spaces.Box(0, 1, (2,)), None, [False, False]),
    ],
    ids=["ordinal", "sizes", "one-hot", "multi-discrete", "multi-binary", "bytes", "real"],
)
def test_models_say_which_features_are_whole_numbers(space, how, whole):
    about = make_interface(Still(space), how, None, None).as_about()
    assert about["whole_features"] == whole


@pytest.mark.parametrize("count", [2, 4, 7, 12, 255])
@pytest.mark.parametrize("first", [0, 3])
def test_a_bound_at_a_whole_number_includes_it(count, first):
    low, high = float(first), float(first + count - 1)
    states = scale(np.arange(low, high + 1), np.array(low), np.array(high))
    for lower, upper in itertools.combinations_with_replacement(range(min(count, 12)), 2):
        bounds = [low + float(states[k]) * (high - low) for k in (lower, upper)]
        values = _values_of(phrase(Feature("n", low, high, True), *bounds), low, high)
        assert values == set(range(first + lower, first + upper + 1))


def test_sentences_about_whole_numbers_say_what_the_engine_matches():
    env = Still(spaces.MultiDiscrete([4, 7]))
    env.reset = lambda **_: (env.observation_space.sample(), {})
    env.step = lambda action: (env.observation_space.sample(), float(action), False, False, {})
    env.observation_space.seed(0)
    agent = XCSAgent(env, ga_threshold=5, cover_spread=0.3, **SMALL).learn(2000)
    states = np.array(list(itertools.product(range(4), range(7))))
    rules = RuleSet.of(agent.engine).strongest()
    assert len(rules) > 50
    for listed in (agent.engine, rules):
        records = rules_records(listed)
        matched = rules.take(np.argsort(-rules.fitness * rules.numerosity, kind="stable"))
        for record, inside in zip(records, matched.matches(states).T, strict=True):
            said = [_values_of(record["if"], 0, 3, "x0"), _values_of(record["if"], 0, 6, "x1")]
            expected = [row[0] in said[0] and row[1] in said[1] for row in states]
            assert inside.tolist() == expected, record["if"]


def _values_of(sentence, low, high, name="n"):
    """Return the whole numbers that a sentence allows for a feature."""
    values = set(range(int(low), int(high) + 1))
    for part in sentence.split(" AND "):
        if name not in part.split():
            continue
        if "between" in part:
            return set()
        terms = re.sub(r"(?<![≤≥])=", "==", part).replace("≤", "<=").replace("≥", ">=")
        values = {value for value in values if eval(terms, {name: value})}
    return values
