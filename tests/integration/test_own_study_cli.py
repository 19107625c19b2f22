"""`ruleplay reproduce --study FILE` runs, resumes and reports a study of the user's own."""

import json
import os
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from own_studies import TINY, write_study
from ruleplay.cli import app
from ruleplay.experiments.live import StudyFollower
from ruleplay.experiments.storage.store import Store

PYTHON = """
from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.envs import make_real_multiplexer
from ruleplay.envs.problem import register_problem
from ruleplay.experiments.spec import RunSpec
from ruleplay.experiments.study import Cell
from ruleplay.studies import OwnStudy


@register_problem("my-multiplexer")
def make_mine():
    return make_real_multiplexer(bits=6)


def run_of(batch):
    return RunSpec(
        preset="mine",
        agent="xcs-er",
        problem_name="my-multiplexer",
        xcs=XCSConfig(population_size=60, ga_threshold=12, cover_spread=1.0),
        replay=ReplayConfig(batch_size=batch, warmup=50, capacity=500),
        steps=400,
        curve_points=20,
    )


study = OwnStudy(
    title="A problem of mine",
    cells=[Cell(run_of(2), "batches of 2"), Cell(run_of(4), "batches of 4")],
    seeds=2,
)
"""


@pytest.fixture(autouse=True)
def at_home(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def call(*arguments):
    return CliRunner().invoke(app, list(map(str, arguments)))


def reproduce(*arguments):
    return call("reproduce", "--jobs", "1", *arguments)


def test_a_grid_is_run_compared_and_reported(tmp_path):
    write_study(tmp_path)
    result = reproduce("--study", "batches.toml")
    assert result.exit_code == 0, result.output
    assert "6 of 6 runs are in batches-results, 6 of them new" in result.stderr
    assert "report: batches-results/report/index.html" in result.stderr
    for words in ("replay_batch_size=2", "replay_batch_size=4", "Reward per step", "Holm p"):
        assert words in result.stdout
    page = (tmp_path / "batches-results" / "report" / "index.html").read_text(encoding="utf-8")
    assert "<h1>Do batches matter?</h1>" in page
    assert "ruleplay reproduce --study batches.toml --out batches-results" in page
    again = reproduce("--study", "batches.toml")
    assert "all 6 runs were in batches-results already: nothing to do" in again.stderr


def test_a_longer_study_goes_on_where_the_shorter_one_ended(tmp_path):
    path = write_study(tmp_path)
    assert reproduce("--study", path, "--reps", 2, "--out", "st").exit_code == 0
    page = tmp_path / "st" / "report" / "index.html"
    assert "2 of 6 runs are still lacking." in page.read_text(encoding="utf-8")
    write_study(tmp_path, TINY.replace("seeds = 3", "seeds = 4"))
    result = reproduce("--study", path, "--out", "st")
    assert "8 of 8 runs are in st, 4 of them new" in result.stderr
    assert "are still lacking" not in page.read_text(encoding="utf-8")


def test_the_report_needs_no_study_file(tmp_path):
    path = write_study(tmp_path)
    reproduce("--study", path, "--out", "st", "--reps", 1)
    path.unlink()
    result = call("report", "st", "--out", "page", "--figures", "svg")
    assert result.exit_code == 0, result.output
    assert "Do batches matter?" in (tmp_path / "page" / "index.html").read_text(encoding="utf-8")
    assert (tmp_path / "page" / "figures" / "problem-0.svg").exists()


def test_json_has_cells_and_comparisons(tmp_path):
    result = reproduce("--study", write_study(tmp_path), "--json")
    document = json.loads(result.stdout)
    assert [cell["n"] for cell in document["cells"]] == [3, 3]
    (pair,) = document["comparisons"]
    assert (pair["first"], pair["n"], pair["p"]) == ("replay_batch_size=2", 3, pair["holm_p"])
    assert document["runs"] == 6


def test_watch_follows_it(tmp_path):
    reproduce("--study", write_study(tmp_path), "--out", "st")
    state = StudyFollower(tmp_path / "st").state()
    assert (state["done"], state["total"], state["phase"]) == (6, 6, "done")
    names = [cell["name"] for cell in state["cells"]]
    assert names == ["rmp6 xcs-er (replay_batch_size=2)", "rmp6 xcs-er (replay_batch_size=4)"]


def test_folders_are_not_shared_by_studies(tmp_path):
    path = write_study(tmp_path)
    reproduce("--study", path, "--out", "st", "--reps", 1)
    other = write_study(tmp_path, TINY, "other.toml")
    for arguments in (["--study", other], ["--study", "literal", "--reps", 1]):
        result = reproduce(*arguments, "--out", "st")
        assert result.exit_code == 1
        assert "st holds results of the study 'batches.toml': name another folder" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--quick"], "takes no --quick"),
        (["--problem", "wbc"], "unknown problem: 'wbc'"),
        (["--agent", "xcs"], "unknown agent: 'xcs'"),
    ],
)
def test_wrong_usage_is_refused_before_anything_is_written(tmp_path, arguments, said):
    result = reproduce("--study", write_study(tmp_path), *arguments)
    assert result.exit_code == 2
    assert said in result.stderr
    assert not (tmp_path / "batches-results").exists()


def test_networks_in_a_file_are_refused_without_their_packages(tmp_path, monkeypatch):
    monkeypatch.setattr("ruleplay.baselines.dqn_is_installed", lambda: False)
    text = 'presets = "stein2020/chain16"\nagents = ["xcs", "dqn"]\nsteps = 20000\n'
    result = reproduce("--study", write_study(tmp_path, text))
    assert result.exit_code == 1
    assert "the agent 'dqn' needs an extra" in result.stderr
    assert not (tmp_path / "batches-results").exists()


def test_a_bad_file_is_wrong_usage(tmp_path):
    write_study(tmp_path, 'preset = "rmp6"')
    result = reproduce("--study", "batches.toml")
    assert result.exit_code == 2
    expected = "error: study 'batches.toml': unknown key: 'preset'; did you mean 'presets'"
    assert result.stderr.startswith(expected)


def run_command(*arguments, **options):
    command = [sys.executable, "-m", "ruleplay.cli", "reproduce", *map(str, arguments)]
    return subprocess.Popen(command, text=True, stderr=subprocess.PIPE, **options)


def test_problems_of_a_python_file_are_known_to_the_command_and_its_workers(tmp_path):
    write_study(tmp_path, PYTHON, "mine.py")
    process = run_command("--study", "mine.py", "--jobs", 2, stdout=subprocess.PIPE)
    printed, said = process.communicate(timeout=600)
    assert process.returncode == 0, said
    assert "4 of 4 runs are in mine-results, 4 of them new" in said
    assert "batches of 2" in printed
    report = subprocess.run(
        [sys.executable, "-m", "ruleplay.cli", "report", "mine-results"], capture_output=True
    )
    assert report.returncode == 0, report.stderr  # without the module


@pytest.mark.skipif(os.name != "posix", reason="kills by signal")
def test_a_killed_study_goes_on_as_if_nothing_had_happened(tmp_path):
    text = TINY.replace("seeds = 3", "seeds = 40").replace("steps = 400", "steps = 3000")
    path = write_study(tmp_path, text)
    process = run_command("--study", path, "--jobs", 1, "--out", "killed")
    for _ in range(8):
        process.stderr.readline()
    process.kill()
    process.communicate()
    with Store.open(tmp_path / "killed") as store:
        assert 0 < len(store.summaries()) < 80
    assert reproduce("--study", path, "--out", "killed").exit_code == 0
    assert reproduce("--study", path, "--out", "calm").exit_code == 0
    digests = []
    for name in ("killed", "calm"):
        with Store.open(tmp_path / name) as store:
            digests.append(store.canonical_digest())
    assert digests[0] == digests[1]
