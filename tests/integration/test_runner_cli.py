"""`ruleplay reproduce` runs what is missing, reports, and ends with the right code."""

import io
import json
from dataclasses import replace

import pytest
from rich.console import Console
from typer.testing import CliRunner

import ruleplay.studies.reporting
from ruleplay.cli import app
from ruleplay.cli.reproduce import choose_study
from ruleplay.cli.terminal.study_progress import StudyLines
from ruleplay.experiments.portraits import read_portrait
from ruleplay.experiments.runner import RunEnded
from ruleplay.experiments.storage.plan_file import read_progress
from ruleplay.experiments.storage.store import Store
from ruleplay.experiments.study import Cell, Study
from ruleplay.studies.paper import plan as plan_module
from tiny_study import tiny_spec, tiny_study

WRITTEN = []


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Let the paper be a tiny study, and its report an empty page."""

    def write_report(folder):
        page = folder / "report" / "index.html"
        page.parent.mkdir(exist_ok=True)
        page.write_text("a page")
        WRITTEN.append(page)
        return page

    WRITTEN.clear()
    monkeypatch.setattr(plan_module, "paper_study", lambda *_, **__: tiny_study(4))
    monkeypatch.setattr(ruleplay.studies.reporting, "write_report", write_report)


def call(*arguments):
    return CliRunner().invoke(app, ["reproduce", "--jobs", "1", *map(str, arguments)])


def test_a_study_is_run_and_reported(tmp_path):
    result = call("--out", tmp_path / "results")
    assert result.exit_code == 0, result.output
    assert "4 runs, 4 to do" in result.stderr
    assert f"4 of 4 runs are in {tmp_path / 'results'}, 4 of them new" in result.stderr
    assert f"report: {tmp_path / 'results' / 'report' / 'index.html'}" in result.stderr
    assert "xcs-er-2" in result.stdout
    assert read_progress(tmp_path / "results").phase == "done"
    with Store.open(tmp_path / "results") as store:
        assert len(store.summaries()) == 4


def test_a_complete_store_is_left_alone_and_said_to_be(tmp_path):
    call("--out", tmp_path / "results")
    result = call("--out", tmp_path / "results")
    assert result.exit_code == 0
    assert f"all 4 runs were in {tmp_path / 'results'} already: nothing to do" in result.stderr
    assert len(WRITTEN) == 1


def test_a_report_that_was_cut_short_is_made_anew(tmp_path, monkeypatch):
    def cut_short(folder):
        raise KeyboardInterrupt

    call("--out", tmp_path / "results")
    monkeypatch.setattr(plan_module, "paper_study", lambda *_, **__: tiny_study(6))
    with monkeypatch.context() as patch:
        patch.setattr(ruleplay.studies.reporting, "write_report", cut_short)
        assert call("--out", tmp_path / "results").exit_code == 130
    again = call("--out", tmp_path / "results")
    assert "all 6 runs were in" in again.stderr
    assert len(WRITTEN) == 2
    call("--out", tmp_path / "results")
    assert len(WRITTEN) == 2


@pytest.mark.parametrize("where", ["describe_cells", "write_page", "print_cells", "say_outcome"])
def test_an_interruption_after_the_runs_says_that_they_are_kept(tmp_path, monkeypatch, where):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(f"ruleplay.cli.reproduce.{where}", interrupt)
        result = call("--out", tmp_path / "results")
    assert result.exit_code == 130
    assert "nothing was written" not in result.stderr
    assert f"kept in {tmp_path / 'results'}; the same command goes on from there" in result.stderr
    again = call("--out", tmp_path / "results")
    assert "all 4 runs were in" in again.stderr


def test_a_finished_study_leaves_no_helper_files(tmp_path):
    call("--out", tmp_path / "results")
    names = sorted(path.name for path in (tmp_path / "results").glob("index*"))
    assert names == ["index.sqlite"]


def test_json_is_one_document_with_every_figure(tmp_path):
    result = call("--out", tmp_path / "results", "--json")
    document = json.loads(result.stdout)
    assert (document["runs"], document["finished_before"], document["finished_now"]) == (4, 0, 4)
    assert document["failed"] == []
    assert document["report"] == str(WRITTEN[0])
    cells = {cell["agent"]: cell for cell in document["cells"]}
    assert set(cells) == {"xcs-er", "xcs-er-2"}
    assert cells["xcs-er"]["runs"] == 2
    assert 400 < cells["xcs-er"]["reward"]["mean"] < 1000
    assert cells["xcs-er"]["otm"] == {"mean": None, "sd": None}
    assert cells["xcs-er"]["diverged"] is None


def test_a_failed_run_is_reported_last_and_in_the_exit_code(tmp_path, monkeypatch):
    broken = replace(tiny_spec("xcs-er-3"), problem_name="rmp7")
    study = Study((Cell(broken), Cell(tiny_spec())), (0,))
    monkeypatch.setattr(plan_module, "paper_study", lambda *_, **__: study)
    result = call("--out", tmp_path / "results", "--json")
    assert result.exit_code == 1
    (failed,) = json.loads(result.stdout)["failed"]
    assert (failed["agent"], failed["seed"]) == ("xcs-er-3", 0)
    assert "make_problem" in failed["traceback"]
    assert "failed: rmp6 xcs-er-3, seed 0: ConfigError" in result.stderr
    assert "1 of 2 runs are in" in result.stderr
    assert len(WRITTEN) == 1


def test_the_whole_study_goes_on_where_the_quick_one_ended(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    studies = {True: tiny_study(2), False: tiny_study(4)}
    monkeypatch.setattr(plan_module, "paper_study", lambda *_, quick, **__: studies[quick])
    assert call("--quick").exit_code == 0
    result = call()
    assert result.exit_code == 0
    assert "4 of 4 runs are in ruleplay-results, 2 of them new" in result.stderr


def test_a_store_in_use_or_damaged_is_an_error(tmp_path):
    with Store.open(tmp_path / "results", create=True):
        result = call("--out", tmp_path / "results")
    assert result.exit_code == 1
    assert "error: another process is writing to" in result.stderr
    (tmp_path / "results" / "index.sqlite").write_text("mine")
    result = call("--out", tmp_path / "results")
    assert result.exit_code == 1
    assert "file is not a database" in result.stderr
    assert (tmp_path / "results" / "index.sqlite").read_text() == "mine"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--backend", "cloud"],
        ["--jobs", "0"],
        ["--reps", "0"],
        ["--address", "tcp://somewhere:1"],
        ["--colour"],
    ],
)
def test_wrong_usage_is_refused_before_anything_is_written(tmp_path, arguments):
    result = call("--out", tmp_path / "results", *arguments)
    assert result.exit_code == 2
    assert not (tmp_path / "results").exists()


def test_unknown_problems_and_agents_are_wrong_usage(tmp_path, monkeypatch):
    monkeypatch.undo()
    for option, name in (("--problem", "rmp7"), ("--agent", "xcsf")):
        result = call("--out", tmp_path / "results", option, name)
        assert result.exit_code == 2
        assert name in result.stderr


def test_an_unknown_study_names_those_there_are(tmp_path):
    result = call("--study", "litteral", "--out", tmp_path / "results")
    assert result.exit_code == 2
    assert "unknown study: 'litteral'; did you mean 'literal'?" in result.stderr
    assert "(a study of your own is a file, NAME.toml or NAME.py)" in result.stderr


def test_without_its_packages_dqn_is_left_out_or_refused_by_name(monkeypatch, capsys):
    monkeypatch.undo()
    monkeypatch.setattr("ruleplay.baselines.dqn_is_installed", lambda: False)
    study = choose_study("paper", ["chain16", "rmp6"], None, 2, quick=False)
    assert {cell.spec.agent for cell in study.cells} == {"xcs", "xcs-er"}
    assert "DQN is left out" in capsys.readouterr().err
    result = CliRunner().invoke(app, ["reproduce", "--agent", "dqn"])
    assert result.exit_code == 1
    assert "the agent 'dqn' needs an extra: pip install 'ruleplay[dqn]'" in result.stderr


def test_with_its_packages_dqn_takes_part(monkeypatch):
    monkeypatch.undo()
    monkeypatch.setattr("ruleplay.baselines.dqn_is_installed", lambda: True)
    study = choose_study("paper", ["chain16"], None, 2, quick=False)
    assert [cell.spec.agent for cell in study.cells] == ["xcs", "xcs-er", "dqn"]


def test_runs_that_lack_their_rule_map_are_done_again(tmp_path, monkeypatch):
    call("--out", tmp_path / "results")
    key = tiny_study(4).runs()[0].key
    monkeypatch.setattr("ruleplay.experiments.runner.portrayed_runs", lambda study: {key})
    result = call("--out", tmp_path / "results")
    assert "4 of 4 runs are in" in result.stderr
    assert "1 of them new" in result.stderr
    assert read_portrait(tmp_path / "results", key[0]).seed == key[1]
    assert len(WRITTEN) == 2  # the report is written anew, for the maps


@pytest.mark.parametrize(
    ("compiling", "said"),
    [(0, "about 0:01:40 left"), (1, "left (compiling: 1 more kind of run)"), (7, "7 more kinds")],
)
def test_the_time_left_says_that_kernels_are_being_compiled(compiling, said):
    written = io.StringIO()
    lines = StudyLines(Console(file=written))
    lines.note(RunEnded(tiny_study(2).runs()[0], 1.0, None, 1, 2, 100.0, compiling))
    assert said in written.getvalue()


def test_what_nobody_knows_yet_is_not_told():
    written = io.StringIO()
    lines = StudyLines(Console(file=written))
    lines.note(RunEnded(tiny_study(2).runs()[0], 1.0, None, 1, 2, None, 3))
    assert "time left not known yet (compiling: 3 more kinds of run)" in written.getvalue()
