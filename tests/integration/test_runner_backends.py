"""Every back end gives the same results, whatever dies on the way."""

import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from ruleplay.errors import ConfigError
from ruleplay.experiments import workers
from ruleplay.experiments.executors import DaskExecutor, LocalExecutor
from ruleplay.experiments.runner import RunEnded, StudyPlanned, run_study
from ruleplay.experiments.storage.store import Store
from ruleplay.experiments.study import Cell, Study
from tiny_study import tiny_spec, tiny_study

STUDY = tiny_study(24, steps=2000)


def run(folder, executor, study=STUDY, on_event=lambda event: None):
    with Store.open(folder, create=True) as store:
        outcome = run_study(study, store, executor, on_event)
        return outcome, store.canonical_digest()


def on_first_run(action):
    """Return a listener that acts when the first run has ended."""
    pending = [action]

    def listen(event):
        if isinstance(event, RunEnded) and pending:
            pending.pop()()

    return listen


def workers_of(parent):
    """List the workers that a process has started: other tests' helpers may be alive, too."""
    listing = Path(f"/proc/{parent}/task").glob("*/children")
    children = [int(pid) for listed in listing for pid in listed.read_text().split()]
    commands = {pid: Path(f"/proc/{pid}/cmdline").read_bytes() for pid in children}
    return [pid for pid in children if b"ruleplay.experiments.workers" in commands[pid]]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    outcome, digest = run(tmp_path_factory.mktemp("plain") / "store", LocalExecutor(1))
    assert (outcome.finished_now, outcome.failures) == (24, ())
    return digest


def test_two_processes_give_what_one_gives(tmp_path, undisturbed):
    assert run(tmp_path / "store", LocalExecutor(2))[1] == undisturbed


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_a_run_whose_process_was_killed_is_done_again(tmp_path, undisturbed):
    def kill_a_worker():
        os.kill(workers_of(os.getpid())[0], signal.SIGKILL)

    executor = LocalExecutor(2)
    outcome, digest = run(tmp_path / "store", executor, on_event=on_first_run(kill_a_worker))
    assert outcome.failures == ()
    assert digest == undisturbed


def test_a_dask_worker_killed_in_the_middle_changes_nothing(tmp_path, undisturbed):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
        ) as cluster,
        distributed.Client(cluster) as client,
    ):

        def kill_a_worker():
            pids = client.run(os.getpid)
            os.kill(next(iter(pids.values())), signal.SIGKILL)

        executor = DaskExecutor(1, cluster.scheduler_address)
        outcome, digest = run(tmp_path / "store", executor, on_event=on_first_run(kill_a_worker))
    assert outcome.failures == ()
    assert digest == undisturbed


def test_dask_makes_a_cluster_of_its_own(tmp_path, undisturbed):
    pytest.importorskip("distributed")
    assert run(tmp_path / "store", DaskExecutor(2))[1] == undisturbed


def test_a_scheduler_that_does_not_answer_is_refused(tmp_path):
    pytest.importorskip("distributed")
    with pytest.raises(ConfigError, match="no Dask scheduler answers at nonsense"):
        run(tmp_path / "store", DaskExecutor(1, "nonsense://here"))


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
def test_a_process_that_has_grown_too_large_is_replaced(tmp_path, monkeypatch):
    hired = []
    start = workers.Worker.__init__
    monkeypatch.setattr(workers, "LARGEST", 1)
    monkeypatch.setattr(workers.Worker, "__init__", lambda self: (hired.append(1), start(self))[1])
    study = tiny_study(4)
    outcome, digest = run(tmp_path / "store", LocalExecutor(2), study)
    assert (outcome.finished_now, len(hired)) == (4, 4)
    assert digest == run(tmp_path / "plain", LocalExecutor(1), study)[1]


class Deadly(dict):
    """Options that end the process they are sent to."""

    def __reduce__(self):
        return os._exit, (1,)


def test_a_run_that_kills_its_process_fails_alone(tmp_path):
    deadly = replace(tiny_spec(ga_threshold=11), problem_options=Deadly())
    study = Study((*tiny_study().cells, Cell(deadly, "deadly")), (0,))
    outcome, _ = run(tmp_path / "store", LocalExecutor(2), study)
    assert outcome.finished_now == 2
    ((run_lost, failure),) = outcome.failures
    assert run_lost.cell.variant == "deadly"
    assert failure.error == "its process died 3 times"


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_failing_run_is_recorded_and_the_others_go_on(tmp_path, jobs):
    broken = replace(tiny_spec(), problem_name="rmp7")
    study = Study((Cell(broken, "broken"), Cell(tiny_spec())), (0, 1))
    outcome, _ = run(tmp_path / "store", LocalExecutor(jobs), study)
    assert (outcome.finished_now, len(outcome.failures)) == (2, 2)
    with Store.open(tmp_path / "store") as store:
        failed = store.failures()
    assert [(run.variant, run.seed) for run in failed] == [("broken", 0), ("broken", 1)]
    assert all("make_problem" in run.traceback for run in failed)


def test_finished_runs_are_not_done_again_and_failed_ones_are(tmp_path):
    broken = replace(tiny_spec(), problem_name="rmp7")
    study = Study((Cell(broken, "broken"), Cell(tiny_spec())), (0, 1))
    run(tmp_path / "store", LocalExecutor(1), study)
    events = []
    outcome, _ = run(tmp_path / "store", LocalExecutor(1), study, events.append)
    assert events[0] == StudyPlanned(total=4, finished=2)
    assert [event.run.cell.variant for event in events[1:]] == ["broken", "broken"]
    assert (outcome.finished_before, outcome.finished_now) == (2, 0)
    assert not outcome.was_complete


def test_a_complete_store_gives_nothing_to_do(tmp_path):
    study = tiny_study(4)
    _, before = run(tmp_path / "store", LocalExecutor(1), study)
    events = []
    outcome, after = run(tmp_path / "store", LocalExecutor(2), study, events.append)
    assert outcome.was_complete
    assert events == [StudyPlanned(total=4, finished=4)]
    assert after == before


def test_progress_is_told_after_each_run(tmp_path):
    events = []
    run(tmp_path / "store", LocalExecutor(1), tiny_study(6), events.append)
    assert [event.done for event in events[1:]] == [1, 2, 3, 4, 5, 6]
    assert events[-1].seconds_left == 0.0
    assert all(event.seconds_left > 0.0 for event in events[1:-1])


def test_more_repetitions_add_to_what_is_there(tmp_path):
    run(tmp_path / "store", LocalExecutor(1), tiny_study(4))
    outcome, grown = run(tmp_path / "store", LocalExecutor(1), tiny_study(8))
    assert (outcome.finished_before, outcome.finished_now) == (4, 4)
    assert run(tmp_path / "whole", LocalExecutor(1), tiny_study(8))[1] == grown
