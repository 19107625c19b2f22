"""Portraits are the study's own runs, looked at on the way."""

from dataclasses import replace

import numpy as np
import pytest

from fake_results import FakeResults, save_fake_portrait
from ruleplay.envs import make_problem
from ruleplay.errors import StoreError
from ruleplay.experiments.portraits import (
    MOMENTS,
    portrait_path,
    portrayed_runs,
    read_portrait,
    reduce_portrait,
    round_floats,
    save_portrait,
)
from ruleplay.experiments.runner import run_study
from ruleplay.experiments.spec import specify_run
from ruleplay.experiments.storage.compact import export_compact
from ruleplay.experiments.storage.store import Store
from ruleplay.experiments.study import Cell, Study
from ruleplay.experiments.trial import make_engine, run_trial
from tiny_study import made_up_trial, tiny_spec

CAR = specify_run("stein2020/mountaincar", "xcs-er", {"replay_warmup": 100}, steps=1500)
MARIO = "stein2020/mario"


@pytest.fixture(scope="module")
def portrait():
    return run_trial(CAR, 3, portrait=True).portrait


@pytest.fixture
def some(tmp_path):
    """Return made-up results, the digest of the cell that has a portrait, and this portrait."""
    results = FakeResults((MARIO,), reps=2)
    results.path = tmp_path / "results"
    results.path.mkdir()
    save_fake_portrait(results, MARIO, "xcs", sizes=(20,) * 16)
    digest = specify_run(MARIO, "xcs").digest()
    return results, digest, read_portrait(results.path, digest)


def test_a_portrait_ends_as_the_run_does(portrait):
    """Episodes go on through the snapshots, as if nobody had looked."""
    problem = make_problem(CAR.problem_name, **CAR.problem_options)
    engine = make_engine(CAR, problem, 3)
    engine.run(problem, CAR.steps, CAR.curve_points)
    wanted = engine.export()
    *_, (step, last) = portrait.snapshots()
    assert step == CAR.steps
    for name in ("weights", "fitness", "error", "numerosity", "experience", "action"):
        np.testing.assert_array_equal(last[name], wanted[name].astype(last[name].dtype))


def test_bounds_are_in_the_problems_units_and_open_at_the_edge(portrait):
    problem = make_problem("mountaincar")
    lower, upper = portrait.rules["lower"], portrait.rules["upper"]
    assert (lower < upper).all()
    known = lower[np.isfinite(lower).all(axis=1)]
    assert (known > problem.low).all()
    assert (known < problem.high).all()
    assert np.isinf(lower).any()


def test_snapshots_are_taken_more_often_in_the_beginning(portrait):
    assert portrait.steps.tolist() == [15 * moment for moment in MOMENTS]
    assert portrait.sizes.sum() == len(portrait.rules["action"])
    assert portrait.sizes[0] < portrait.sizes[-1]


def test_a_saved_portrait_is_the_same(portrait, tmp_path):
    save_portrait(portrait_path(tmp_path, CAR.digest(), 3), portrait)
    read = read_portrait(tmp_path, CAR.digest())
    assert read.seed == 3
    np.testing.assert_array_equal(read.sizes, portrait.sizes)
    for name, part in portrait.rules.items():
        np.testing.assert_array_equal(read.rules[name], part)


def test_only_the_first_run_over_a_plane_is_portrayed():
    dqn = specify_run("stein2020/mountaincar", "dqn")
    study = Study((Cell(CAR), Cell(tiny_spec()), Cell(dqn), Cell(CAR, "other")), (3, 4))
    assert portrayed_runs(study) == {(CAR.digest(), 3)}


class MadeUp:
    """An executor that does no run, and counts those it is asked for."""

    workers = 1

    def __init__(self, portrait):
        self.portrait, self.tasks = portrait, []

    def outcomes(self, tasks):
        for task in tasks:
            self.tasks.append(task)
            trial = made_up_trial(task.spec, task.seed)
            yield replace(trial, portrait=self.portrait) if task.portrait else trial


def test_snapshots_are_taken_in_the_run_itself_and_kept(tmp_path, portrait):
    study, executor = Study((Cell(CAR),), (3, 4)), MadeUp(portrait)
    with Store.open(tmp_path / "store", create=True) as store:
        run_study(study, store, executor, portraits=True)
        assert [(task.seed, task.portrait) for task in executor.tasks] == [(3, True), (4, False)]
        path = portrait_path(store.path, CAR.digest(), 3)
        assert read_portrait(store.path, CAR.digest()).steps.tolist() == portrait.steps.tolist()
        assert run_study(study, store, executor, portraits=True).was_complete
        path.unlink()
        outcome = run_study(study, store, executor, portraits=True)
        assert (outcome.finished_before, outcome.finished_now) == (1, 1)
        assert path.exists()
        path.unlink()
        assert run_study(study, store, executor).was_complete


def test_a_compact_folder_has_smaller_portraits(some, tmp_path):
    results, digest, portrait = some
    export_compact(results, tmp_path / "compact")
    small = read_portrait(tmp_path / "compact", digest)
    assert len(small.steps) < len(portrait.steps)
    assert small.steps[-1] == portrait.steps[-1]
    *_, (_, last) = portrait.snapshots()
    *_, (_, reduced) = small.snapshots()
    np.testing.assert_array_equal(reduced["action"], last["action"])
    np.testing.assert_allclose(reduced["lower"], last["lower"], rtol=2.0**-12)
    one, two = (portrait_path(path, digest, 0) for path in (results.path, tmp_path / "compact"))
    assert two.stat().st_size < one.stat().st_size / 2


def test_reducing_twice_changes_nothing(some):
    once = reduce_portrait(some[2])
    twice = reduce_portrait(once)
    assert twice.steps.tolist() == once.steps.tolist()
    for name, part in once.rules.items():
        np.testing.assert_array_equal(twice.rules[name], part)


def test_rounding_keeps_what_is_no_usual_number():
    values = np.array([0.0, -1.0, 1e30, np.inf, -np.inf, np.nan], np.float32)
    np.testing.assert_array_equal(round_floats(values)[[0, 1, 3, 4, 5]], values[[0, 1, 3, 4, 5]])
    assert round_floats(values)[2] == pytest.approx(1e30, rel=2.0**-12)


def test_results_without_a_portrait_have_none(tmp_path):
    assert read_portrait(tmp_path, CAR.digest()) is None


@pytest.mark.parametrize("damage", ["cut", "short", "foreign"])
def test_a_damaged_portrait_is_refused(some, damage):
    results, digest, portrait = some
    path = portrait_path(results.path, digest, 0)
    if damage == "cut":
        path.write_bytes(path.read_bytes()[:200])
    elif damage == "short":
        portrait.rules["action"] = portrait.rules["action"][:5]
        save_portrait(path, portrait)
    else:
        np.savez(path, other=np.zeros(3))
    with pytest.raises(StoreError, match=r"-0\.npz"):
        read_portrait(results.path, digest)
