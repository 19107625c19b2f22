"""A run's rules are compacted to a short list, judged in episodes of unseen starts."""

from dataclasses import replace

import pytest

from property.samples import make_engine, plant
from ruleplay.experiments.compacting import compact_figures, episode_maker
from ruleplay.experiments.spec import specify_run
from ruleplay.experiments.trial import learn, make_problem_of
from ruleplay.experiments.trial import make_engine as engine_of

pytestmark = [
    pytest.mark.interpreted,
    pytest.mark.uncompiled,
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
]

CHANGES = {"keep_compact_to": 3, "keep_checkpoints": 1, "replay_warmup": 10}
CHAIN = {"n": 4, "time_limit": 20}


def chain_engine():
    """Make an engine that always goes to the end of the chain, by two rules."""
    engine = make_engine(1, 2, seed=0)
    plant(engine, [[0.0], [0.0]], [[1.0], [1.0]], [0, 1], prediction=[9.0, 1.0])
    return engine


def test_an_episode_ends_at_the_time_limit():
    env = episode_maker("chain", CHAIN)()
    env.reset(seed=0)
    ends = [env.step(0)[2:4] for _ in range(20)]
    assert ends == [(False, False)] * 19 + [(False, True)]


def test_a_population_that_always_does_the_same_needs_no_rule():
    figures = compact_figures(episode_maker("chain", CHAIN), chain_engine(), 5)
    assert figures["compact_rules"] == 0
    assert figures["compact_before"] == figures["compact_after"] == 17.0


def test_a_run_tells_of_its_compact_list_only_if_asked():
    spec = specify_run("ruleplay/chain", "xcs-er", CHANGES)
    spec = replace(spec, steps=150, problem_options={**spec.problem_options, **CHAIN})
    figures = learn(spec, engine_of(spec, make_problem_of(spec), 0)).figures
    assert figures["compact_rules"] <= 3
    silent = replace(spec, keep=replace(spec.keep, compact_to=0))
    assert silent.digest() != spec.digest()
    assert "compact_rules" not in learn(silent, engine_of(spec, make_problem_of(spec), 0)).figures
