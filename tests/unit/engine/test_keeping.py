"""What a run keeps: judged at checkpoints, tested on other starts, a population like any other."""

from functools import partial

import numpy as np
import pytest

from property.samples import bytes_of, reload
from ruleplay.config import KeepConfig, ReplayConfig, XCSConfig
from ruleplay.engine import XCS, uniting
from ruleplay.engine.checkpoints import PopulationKeeper, learn_and_keep
from ruleplay.engine.uniting import LastPopulations, copy_of, strongest_part, united, with_rules_of
from ruleplay.envs import make_problem
from ruleplay.errors import ConfigError
from ruleplay.experiments.spec import RunSpec, specify_run
from ruleplay.experiments.trial import run_trial

pytestmark = [pytest.mark.interpreted, pytest.mark.filterwarnings("ignore::RuntimeWarning")]

MAKE = partial(make_problem, "chain", n=4, time_limit=20)
CONFIG = XCSConfig(
    population_size=40, exploration="epsilon_greedy", ga_threshold=10, initial_prediction="hopeful"
)
REPLAY = ReplayConfig(capacity=200, batch_size=2, warmup=20)


def engine_of(seed=0, **changes):
    problem = MAKE()
    shape = {"n_actions": problem.n_actions, "low": problem.low, "high": problem.high}
    return XCS(CONFIG, REPLAY, **shape, seed=seed, **changes)


def kept_by(policy, seed=0, steps=600, **changes):
    keep = KeepConfig(policy=policy, **{"checkpoints": 6, "episodes": 3, **changes})
    engine = engine_of(seed)
    return engine, learn_and_keep(engine, MAKE, steps, keep)


def test_checkpoints_change_nothing_of_what_is_learned():
    plain = engine_of()
    record = plain.run(MAKE(), 600)
    engine, kept = kept_by("validated")
    assert bytes_of(engine) == bytes_of(plain)
    assert kept.record.episode_returns.tolist() == record.episode_returns.tolist()
    assert [point.step for point in kept.checkpoints] == [100, 200, 300, 400, 500, 600]


def test_the_last_population_is_the_engine_itself():
    engine, kept = kept_by("last")
    assert kept.engine is engine
    assert kept.kept_step == 600
    assert kept.validation_steps == 0
    assert len(kept.test.returns) == 100


def test_the_best_validated_population_is_kept():
    _, kept = kept_by("validated", seed=2)
    scores = [point.greedy for point in kept.checkpoints]
    best = max(point.step for point in kept.checkpoints if point.greedy == max(scores))
    assert kept.kept_step == best
    assert kept.validation_steps == 6 * 3 * 20
    again = kept.engine.evaluate(MAKE(), 3, (1 << 40) + 2)
    assert again.returns.mean() == max(scores)


def test_the_best_population_online_is_that_of_the_best_stretch():
    engine, kept = kept_by("online", seed=1)
    returns = kept.record.episode_returns
    stretches = returns.reshape(6, 5).mean(axis=1)  # all episodes last 20 steps
    assert [point.online for point in kept.checkpoints] == pytest.approx(stretches)
    assert kept.kept_step == 100 * (6 - np.argmax(stretches[::-1]))
    assert kept.validation_steps == 0
    assert kept.engine is not engine


def test_an_average_holds_the_rules_of_the_last_populations():
    engine, kept = kept_by("average", average_over=3)
    assert kept.engine.microclassifiers == 3 * engine.microclassifiers
    assert kept.engine.config.population_size == 120
    assert kept.engine.macroclassifiers >= engine.macroclassifiers
    kept.engine.check()


def test_the_best_average_is_kept():
    _, kept = kept_by("validated_average", seed=2, average_over=3)
    scores = [point.greedy for point in kept.checkpoints]
    best = max(point.step for point in kept.checkpoints if point.greedy == max(scores))
    assert kept.kept_step == best
    assert kept.validation_steps == 6 * 3 * 20
    assert kept.engine.config.population_size == 40 * min(3, best // 100)
    again = kept.engine.evaluate(MAKE(), 3, (1 << 40) + 2)
    assert again.returns.mean() == max(scores)
    kept.engine.check()


def test_judging_averages_changes_nothing_of_what_is_learned():
    engine, _ = kept_by("validated_average", average_over=3)
    plain, _ = kept_by("last")
    assert bytes_of(engine) == bytes_of(plain)


def test_only_the_last_populations_are_together():
    engine, last = engine_of(), LastPopulations(2)
    for steps in (100, 100, 100):
        engine.run(MAKE(), steps)
        last.add(engine)
    assert len(last) == 2
    assert last.united().config.population_size == 80


def test_of_populations_for_which_there_is_no_room_the_last_ones_are_together(monkeypatch):
    engine, last = engine_of(), LastPopulations(3)
    for _ in range(3):
        engine.run(MAKE(), 100)
        last.add(engine)
    for room, size in ((119, 80), (39, 40)):
        monkeypatch.setattr(uniting, "largest_population", lambda *sizes, room=room: room)
        assert last.united().config.population_size == size


def test_an_engine_with_the_rules_of_others_keeps_its_memory_and_learns_on():
    engine, kept = kept_by("average", average_over=3)
    whole = with_rules_of(engine, kept.engine)
    whole.check()
    rows = np.linspace(0, 1, 9)[:, None]
    np.testing.assert_array_equal(whole.predict(rows), kept.engine.predict(rows))
    np.testing.assert_array_equal(whole.remembered(), engine.remembered())
    assert whole.learning_steps == engine.learning_steps
    assert bytes_of(reload(whole)) == bytes_of(whole)
    whole.run(MAKE(), 100)
    whole.check()


def test_the_strongest_part_has_the_rules_of_most_fitness_and_the_memory():
    engine, kept = kept_by("average", average_over=3)
    whole = with_rules_of(engine, kept.engine)
    part = strongest_part(whole, 40)
    part.check()
    assert part.microclassifiers <= 40
    fitness = np.sort(whole.export()["fitness"])[::-1]
    np.testing.assert_array_equal(
        np.sort(part.export()["fitness"])[::-1], fitness[: part.macroclassifiers]
    )
    np.testing.assert_array_equal(part.remembered(), engine.remembered())
    part.run(MAKE(), 100)
    part.check()


def test_the_union_of_a_population_with_itself_predicts_the_same():
    engine, _ = kept_by("last")
    both = united([copy_of(engine), copy_of(engine)])
    both.check()
    rows = np.linspace(0, 1, 9)[:, None]
    np.testing.assert_allclose(both.predict(rows), engine.predict(rows))
    assert both.macroclassifiers == engine.macroclassifiers


def test_a_copy_predicts_the_same_and_learns_apart(tmp_path):
    engine, _ = kept_by("last")
    before, rows = bytes_of(engine), np.linspace(0, 1, 9)[:, None]
    copy = copy_of(engine)
    copy.check()
    np.testing.assert_array_equal(copy.predict(rows), engine.predict(rows))
    assert copy.state.arrays.params["p_ini"][0] == 0.0  # hope has ended, and stays so
    assert reload(copy).state.arrays.params["p_ini"][0] == 0.0
    copy.learn([0.0], 1, 5.0)
    assert bytes_of(engine) == before


def test_evaluation_leaves_the_engine_as_it_is_and_depends_on_its_seed_alone():
    engine, _ = kept_by("last")
    before = bytes_of(engine)
    first, again = (engine.evaluate(MAKE(), 5, seed=3) for _ in range(2))
    assert bytes_of(engine) == before
    assert first.returns.tolist() == again.returns.tolist()
    assert first.lengths.tolist() == [20] * 5


def test_evaluation_takes_action_0_where_no_rule_matches():
    played = engine_of(largest_return=1.0).evaluate(MAKE(), 2)
    assert played.returns.tolist() == [17.0, 17.0]  # forward, forward, ...


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"policy": "best"}, "keep_policy must be one of"),
        (
            {"policy": "average", "average_over": 5, "checkpoints": 4},
            r"keep_average_over must lie in \[2, 4\] for keep_checkpoints = 4, got 5",
        ),
        ({"episodes": 0}, r"keep_episodes must be an integer in \[1, inf\), got 0"),
    ],
)
def test_what_cannot_be_kept_is_refused(settings, message):
    with pytest.raises(ConfigError, match=message):
        KeepConfig(**settings)


def test_single_step_problems_have_no_episodes_to_judge():
    engine = XCS(XCSConfig(), n_actions=2, low=[0] * 6, high=[1] * 6)
    with pytest.raises(ConfigError, match="must have some"):
        learn_and_keep(engine, partial(make_problem, "rmp6"), 10, KeepConfig())


def spec_of(**overrides):
    return specify_run("stein2020/chain16", "xcs-er", {"replay_warmup": 10, **overrides}, steps=400)


def test_a_run_that_keeps_has_figures_of_its_own():
    trial = run_trial(spec_of(keep_policy="validated", keep_checkpoints=4), seed=3)
    assert {"greedy", "greedy_length", "kept_step", "kept_rules"} <= trial.summary.keys()
    assert trial.summary["validation_steps"] == 4 * 10 * 200
    greedy = trial.course.curve["greedy"]
    assert np.isnan(greedy[0])
    assert np.isfinite(greedy[-1])
    assert "greedy" not in run_trial(spec_of(), seed=3).summary


def test_what_is_kept_is_part_of_a_specification():
    plain, keeping = spec_of(), spec_of(keep_policy="online")
    assert plain.keep is None
    assert plain.digest() != keeping.digest()
    assert RunSpec.from_dict(keeping.as_dict()) == keeping


@pytest.mark.parametrize(
    ("scores", "newest_of_equals", "kept"),
    [
        ([1.0, 2.0, 2.0, 1.0], True, 2),
        ([1.0, 2.0, 2.0, 1.0], False, 1),
        ([-np.inf, -np.inf], True, 1),
        ([-np.inf, -np.inf], False, 0),
        ([np.nan, np.nan, 1.0, np.nan], True, 2),
    ],
)
def test_of_equal_scores_the_newest_or_the_oldest_population_is_kept(
    scores, newest_of_equals, kept
):
    keeper = PopulationKeeper(newest_of_equals=newest_of_equals, with_memory=False)
    engine = engine_of(largest_return=1.0)
    for step, score in enumerate(scores):
        engine.learn([0.0], 1, 5.0)
        keeper.offer(engine, score, step)
    assert keeper.step == kept
    assert keeper.choose().learning_steps == kept + 1
    assert keeper.scores == [-np.inf if np.isnan(score) else score for score in scores]


def test_a_small_rise_is_kept_but_is_no_progress():
    keeper = PopulationKeeper(newest_of_equals=False, with_memory=True, tolerance=0.1)
    engine = engine_of(largest_return=1.0)
    for step, score in enumerate([0.5, 0.55, 0.6, 0.8]):
        keeper.offer(engine, score, step)
        assert (keeper.step, keeper.offers_since_rise) == (step, (0, 1, 2, 0)[step])


@pytest.mark.parametrize("with_memory", [True, False])
def test_what_is_kept_has_its_memory_or_not(with_memory):
    keeper = PopulationKeeper(newest_of_equals=True, with_memory=with_memory)
    assert keeper.choose() is None
    engine = engine_of(largest_return=1.0)
    engine.learn([0.0], 1, 5.0)
    keeper.offer(engine, 1.0)
    assert len(keeper.choose().remembered()) == int(with_memory)
