"""Other readings of the paper's text follow the oracle to the last bit.

Most are compared interpreted; one of each kind of run has all that go together, compiled.
"""

import pytest

from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.envs import make_problem
from ruleplay.errors import ConfigError

from .test_engine_equals_oracle import assert_same_rules
from .test_run_equals_oracle import (
    CHAIN,
    SEED,
    SMALL,
    World,
    assert_same_curve,
    assert_same_memory,
    follow_alternating,
    follow_episodes,
    make_pair,
)
from .test_run_equals_oracle import chain as make_chain

PRINTED = {"first_ends": True, "keep_last": False}


def replay(**changes):
    return ReplayConfig(**{"capacity": 300, "batch_size": 4, "warmup": 50, **changes})


YOUNG = {"fitness_averaging": True, "initial_experience": 1}
CHILDREN = {
    "inherited_fitness": "macro",
    "inherited_model": "none",
    "ga_subsumers": "parents",
    "subsumption_threshold": 5,
}
LEARNERS = {
    "fitness-averages": {"fitness_averaging": True},
    "first-experience": {"initial_experience": 1},
    "macro-fitness": {"inherited_fitness": "macro"},
    "new-models": {"inherited_model": "none"},
    "macro-tournament": {"selection": "macro_tournament"},
    "parents-subsume": {"ga_subsumers": "parents", "subsumption_threshold": 5},
}
EXPLOITS = {
    "exploits-learned": {"exploit_learning": True},
    "exploits-on-the-clock": {"exploit_clock": True},
}
SINGLE = {
    **{name: (changes, None) for name, changes in {**LEARNERS, **EXPLOITS}.items()},
    "exploits-learned-replay": ({"exploit_learning": True}, replay()),
    "explore-steps-kept": ({}, replay(kept_steps="explore")),
    "covering-in-replay": ({}, replay(covering=True)),
    "all": (
        {**YOUNG, **CHILDREN, "exploit_clock": True, "detailed_curve": True},
        replay(kept_steps="explore", covering=True),
    ),
}
MULTI = {
    **{name: (changes, replay()) for name, changes in LEARNERS.items()},
    "new-linear-models": ({"prediction": "linear", "inherited_model": "none"}, replay()),
    "printed-entries": ({}, replay(**PRINTED)),
    "printed-entries-bootstrap": ({"bootstrap_on_truncation": True}, replay(**PRINTED)),
    "first-ends": ({}, replay(first_ends=True)),
    "first-ends-newest": ({}, replay(first_ends=True, include_newest=True)),
    "last-forgotten": ({}, replay(keep_last=False)),
    "covering-in-replay": ({}, replay(covering=True)),
    "all": ({**YOUNG, **CHILDREN}, replay(covering=True, **PRINTED)),
}


def cases(table):
    return [
        pytest.param(*case, id=name, marks=() if name == "all" else pytest.mark.uncompiled)
        for name, case in table.items()
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("changes", "settings"), cases(SINGLE))
def test_an_alternating_run_is_equal(changes, settings):
    config = XCSConfig(**{**SMALL, **changes})
    engine, oracle = make_pair(make_problem("rmp3"), config, settings, 600)
    record = engine.run(make_problem("rmp3"), 600, curve_points=7)
    diary = follow_alternating(oracle, World(make_problem("rmp3"), SEED), 600)
    assert_same_rules(engine, oracle)
    assert_same_curve(record, diary, points=7)
    assert_same_memory(engine, oracle)
    engine.check()
    assert engine.microclassifiers == 120  # deletion has been at work


@pytest.mark.slow
@pytest.mark.parametrize(("changes", "settings"), cases(MULTI))
def test_a_run_over_the_chain_is_equal(changes, settings):
    config = XCSConfig(**{**CHAIN, "bootstrap_on_truncation": False, **changes})
    engine, oracle = make_pair(make_chain(), config, settings, 600)
    record = engine.run(make_chain(), 600, curve_points=11)
    diary = follow_episodes(oracle, World(make_chain(), SEED), 600, limit=30)
    assert_same_rules(engine, oracle)
    assert_same_curve(record, diary, points=11)
    assert_same_memory(engine, oracle)
    engine.check()


def test_readings_change_what_is_learned():
    """Were a switch without effect, equality with the oracle would say nothing."""
    plain = run_single({}, replay())
    for changes, settings in SINGLE.values():
        assert run_single(changes, settings or replay()) != plain, (changes, settings)


def run_single(changes, settings):
    engine, _ = make_pair(make_problem("rmp3"), XCSConfig(**{**SMALL, **changes}), settings, 400)
    engine.run(make_problem("rmp3"), 400)
    return engine.export()["fitness"].tolist()


def test_printed_entries_lack_the_last_step_and_have_the_first_twice():
    config = XCSConfig(**{**CHAIN, "bootstrap_on_truncation": False})
    engine, _ = make_pair(make_chain(), config, replay(**PRINTED), 60)
    engine.run(make_chain(), 60)  # two episodes of 30 steps
    assert engine.state.arrays.state["stored"][0] == 60
    assert engine.state.memory.terminal[:60].nonzero()[0].tolist() == [0, 30]


def test_printed_entries_need_not_have_a_newest_one():
    with pytest.raises(ConfigError, match="replay_keep_last must be True"):
        replay(keep_last=False, include_newest=True)


def test_a_detailed_curve_tells_explore_steps_apart_and_changes_nothing_else():
    plain, _ = make_pair(make_problem("rmp3"), XCSConfig(**SMALL), None, 400)
    config = XCSConfig(**SMALL, detailed_curve=True)
    detailed, _ = make_pair(make_problem("rmp3"), config, None, 400)
    before = plain.run(make_problem("rmp3"), 400, curve_points=4).curve
    curve = detailed.run(make_problem("rmp3"), 400, curve_points=4).curve
    assert {name: curve[name].tolist() for name in before} == {
        name: values.tolist() for name, values in before.items()
    }
    rules = {"generality_micro", "rule_error"}
    assert set(curve) - set(before) == {"explore_reward", "explore_error", *rules}
    assert 400 < curve["explore_reward"][-1] < 600  # random answers to a yes-no question
    assert curve["reward"][-1] > curve["explore_reward"][-1]
    assert 0 < curve["generality_micro"][-1] < 1
    assert 0 < curve["rule_error"][-1] < 1000
