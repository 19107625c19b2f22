"""Ray runs a study as well as this machine's own processes do."""

import pytest

from ruleplay.errors import ConfigError
from ruleplay.experiments.executors import LocalExecutor, RayExecutor
from ruleplay.experiments.runner import run_study
from ruleplay.experiments.storage.store import Store
from tiny_study import tiny_study

pytest.importorskip("ray")

STUDY = tiny_study(8, steps=2000)


def run(folder, executor):
    with Store.open(folder, create=True) as store:
        outcome = run_study(STUDY, store, executor)
        return outcome, store.canonical_digest()


def test_ray_gives_what_one_process_gives(tmp_path):
    outcome, digest = run(tmp_path / "ray", RayExecutor(2))
    assert (outcome.finished_now, outcome.failures) == (8, ())
    assert digest == run(tmp_path / "plain", LocalExecutor(1))[1]


def test_a_cluster_that_does_not_answer_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="Ray cannot be reached"):
        run(tmp_path / "ray", RayExecutor(1, "nonsense://here"))
