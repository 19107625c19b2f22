"""A run's record: windows, means, episodes."""

import numpy as np
import pytest

from property.samples import agent_of, make_engine, plant
from ruleplay.engine.recorder import MEASURES, allocate_recorder, finish_episode, record_step
from ruleplay.engine.run_record import RunRecord, trailing_mean

pytestmark = [pytest.mark.interpreted, pytest.mark.filterwarnings("ignore::RuntimeWarning")]


@pytest.mark.parametrize(
    ("steps", "points", "window", "rows"),
    [
        (100, 10, 10, 10),
        (101, 10, 11, 10),
        (5, 200, 1, 5),
        (1, 1, 1, 1),
        (7, 3, 3, 3),
        (10, 1, 10, 1),
    ],
)
def test_windows_cover_all_steps(steps, points, window, rows):
    recorder = allocate_recorder(steps, points, episodic=True)
    assert recorder.counters["window"] == window
    assert recorder.curve.shape == (rows, len(MEASURES))
    assert window * rows >= steps > window * (rows - 1)
    assert len(recorder.returns) == len(recorder.lengths) == steps
    assert len(allocate_recorder(steps, points, episodic=False).returns) == 0


def recorded(rewards, endings=(), points=3):
    """Record steps of an engine with two rules, three microclassifiers."""
    engine = make_engine(1, 2)
    plant(engine, [[0.0], [0.0]], [[0.5], [1.0]], [0, 1], numerosity=[2, 1])
    agent = agent_of(engine)
    recorder = allocate_recorder(len(rewards), points, episodic=True)
    for t, reward in enumerate(rewards):
        recorder.counters["length"] += 1
        record_step(recorder, agent, reward, 2.0 * t)
        if t in endings:
            finish_episode(recorder)
    return recorder


def test_the_curve_holds_the_mean_of_each_window():
    record = RunRecord.of(recorded([1.0, 3.0, 0.0, 0.0, -6.0, 2.0, 9.0]), n_features=2)
    assert record.curve["step"].tolist() == [3.0, 6.0, 7.0]
    assert record.curve["reward"].tolist() == [4 / 3, -4 / 3, 9.0]
    assert record.curve["system_error"].tolist() == [2.0, 8.0, 12.0]
    assert record.curve["macroclassifiers"].tolist() == [2.0, 2.0, 2.0]
    assert record.curve["microclassifiers"].tolist() == [3.0, 3.0, 3.0]
    assert record.curve["generality_volume"].tolist() == [0.75, 0.75, 0.75]
    assert record.mean("reward") == pytest.approx(9 / 7)
    assert record.mean("system_error") == pytest.approx(6.0)


def test_episodes_and_the_first_reward_are_noted():
    record = RunRecord.of(recorded([0.0, 0.0, 5.0, 1.0, 0.0, 7.0], endings=(1, 4)), n_features=1)
    assert record.episode_returns.tolist() == [0.0, 6.0]
    assert record.episode_lengths.tolist() == [2, 3]
    assert record.first_reward_step == 3
    assert record.otm == 3.0
    assert record.otm_trailing == pytest.approx((0.0 + 3.0) / 2)


def test_a_run_without_reward_or_episodes_says_so():
    record = RunRecord.of(recorded([0.0, -1.0]), n_features=1)
    assert record.first_reward_step is None
    assert record.otm is None
    assert record.otm_trailing is None
    assert record.summary()["otm"] is None


def test_the_summary_names_both_readings_of_generality():
    summary = RunRecord.of(recorded([1.0, 1.0]), n_features=3).summary()
    assert summary["generality_volume"] == 0.75
    assert summary["generality_half_width"] == 0.75 / 8
    assert set(summary) == {
        "reward",
        "system_error",
        "macroclassifiers",
        "generality_volume",
        "generality_half_width",
        "otm",
        "otm_trailing",
        "first_reward_step",
    }


def test_an_unfinished_run_is_summarized_by_what_there_is():
    recorder = recorded([1.0, 2.0, 3.0, 4.0], points=2)
    recorder.curve[1] = 0.0
    record = RunRecord.of(recorder, n_features=1)
    assert record.curve["reward"].tolist() == [1.5]
    assert record.curve["step"].tolist() == [2.0]


@pytest.mark.parametrize("size", [0, 1, 99, 100, 101, 250])
def test_the_trailing_mean_looks_back_a_hundred_episodes(size):
    returns = np.random.default_rng(0).normal(size=size)
    expected = [returns[max(0, t - 99) : t + 1].mean() for t in range(size)]
    assert trailing_mean(returns) == pytest.approx(expected)
