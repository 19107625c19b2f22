"""The paper's study has the paper's cells; its runs are ordered and estimated sensibly."""

from dataclasses import replace
from pathlib import Path

import pytest

from ruleplay.errors import ConfigError, RuleplayError
from ruleplay.experiments import executors
from ruleplay.experiments.executors import make_executor
from ruleplay.experiments.spec import specify_run
from ruleplay.experiments.storage.compact import open_results
from ruleplay.experiments.study import Cell, Study, restrict
from ruleplay.experiments.time_left import TimeLeft
from ruleplay.experiments.trial import Failure
from ruleplay.studies.beyond.plan import beyond_study
from ruleplay.studies.literal.plan import literal_study
from ruleplay.studies.paper.plan import paper_study
from tiny_study import made_up_trial

SINGLE_STEP = {"mario", "rmp6", "wbc"}
MULTI_STEP = {"chain16", "chain16-t", "cartpole", "cartpole-t", "mountaincar", "mountaincar-t"}


def names(study):
    return {(c.spec.preset.removeprefix("stein2020/"), c.spec.agent) for c in study.cells}


def test_the_papers_cells_are_there_with_thirty_seeds():
    study = paper_study()
    both = {(p, a) for p in SINGLE_STEP | MULTI_STEP for a in ("xcs", "xcs-er")}
    assert names(study) == both | {("mario", "xcs-er-8")} | {(p, "dqn") for p in MULTI_STEP}
    assert study.seeds == tuple(range(30))
    assert len(study.runs()) == 25 * 30


def test_problems_and_agents_can_be_chosen():
    assert names(paper_study(["rmp6", "stein2020/chain16"], ["xcs", "dqn"])) == {
        ("rmp6", "xcs"),
        ("chain16", "xcs"),
        ("chain16", "dqn"),
    }
    assert names(paper_study(["wbc"], ["xcs-er-2"])) == {("wbc", "xcs-er-2")}
    assert names(paper_study(["wbc", "wbc"], ["xcs", "xcs"])) == {("wbc", "xcs")}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"problems": ["rmp7"]}, "unknown problem: 'rmp7'; did you mean 'rmp6'"),
        ({"agents": ["xcsf"]}, "agent must be"),
        ({"problems": ["rmp6"], "agents": ["dqn"]}, "none of the agents dqn learns these"),
        ({"reps": 0}, r"reps must be an integer in \[1, inf\), got 0"),
    ],
)
def test_impossible_studies_are_refused(arguments, message):
    with pytest.raises(ConfigError, match=message):
        paper_study(**arguments)


def test_a_part_of_any_study_can_be_chosen():
    part = restrict(beyond_study(reps=1), ["cartpole-v1", "chain16"], ["dqn", "xcs"])
    assert [cell.name for cell in part.cells] == [
        "beyond/chain16 xcs",
        "beyond/chain16 dqn",
        "beyond/cartpole-v1 xcs",
        "beyond/cartpole-v1 dqn",
    ]
    whole = literal_study()
    assert restrict(whole).cells == whole.cells
    for problems, agents, message in (
        (["chains"], None, "unknown problem: 'chains'; did you mean 'chain64'"),
        (
            ["chain16"],
            ["dqn-tuned"],
            "unknown agent: 'dqn-tuned'; known are 'xcs', 'xcs-er', 'dqn'",
        ),
    ):
        with pytest.raises(ConfigError, match=message):
            restrict(beyond_study(reps=1), problems, agents)


def test_a_quick_study_is_the_first_seeds_of_the_whole_one_without_networks():
    quick, full = paper_study(quick=True), paper_study()
    assert names(quick) == {name for name in names(full) if name[1] != "dqn"}
    assert quick.seeds == (0, 1, 2)
    assert {run.key for run in quick.runs()} < {run.key for run in full.runs()}
    assert names(paper_study(["chain16"], ["dqn"], quick=True)) == {("chain16", "dqn")}


def test_the_committed_results_are_those_of_todays_studies():
    for folder, study in (("stein2020", paper_study()), ("beyond", beyond_study())):
        results = open_results(Path(__file__).parents[3] / "docs" / "results" / folder)
        committed = {cell.digest for cell in results.cells()}
        assert {cell.spec.digest() for cell in study.cells} <= committed


def test_a_run_that_stands_in_two_cells_is_done_once():
    study = paper_study(["rmp6"], ["xcs-er", "xcs-er-4"], reps=2)
    assert len(study.cells) == 2
    assert [run.seed for run in study.runs()] == [0, 1]


def test_first_runs_compile_each_combination_once_and_unlike_ones_side_by_side():
    runs = paper_study(reps=2).runs()
    first = [run.spec for run in runs[:12]]
    combinations = [(spec.problem_name, spec.replay is None) for spec in first]
    assert len(set(combinations)) == 12
    assert {spec.xcs.prediction for spec in first[:2]} == {"scalar", "linear"}
    assert {run.seed for run in runs[:19]} == {0}


def test_networks_come_last_and_seeds_in_turn():
    runs = paper_study(["chain16"], reps=2).runs()
    order = [(run.spec.agent, run.seed) for run in runs]
    assert order == [
        ("xcs", 0),
        ("xcs-er", 0),
        ("xcs", 1),
        ("xcs-er", 1),
        ("dqn", 0),
        ("dqn", 1),
    ]


def test_a_cell_has_a_name_for_people():
    spec = specify_run("stein2020/chain16-t", "xcs-er")
    assert Cell(spec).name == "chain16-t xcs-er"
    assert Cell(spec, "eps_0 = 1").name == "chain16-t xcs-er (eps_0 = 1)"


def ended(run, seconds, prepared=0.0, compiled=0.0):
    times = {"seconds": seconds, "prepared": prepared, "compiled": compiled}
    return replace(made_up_trial(run.spec, run.seed), **times)


def test_the_time_left_is_not_known_before_there_is_evidence():
    runs = paper_study(["rmp6", "mario"], ["xcs", "xcs-er"], reps=2).runs()
    clock = TimeLeft(runs, {})
    assert clock.seconds_left(2) is None
    assert clock.compiling == 4
    clock.note(runs[0], Failure(digest=runs[0].digest, seed=0, error="went wrong"))
    assert clock.seconds_left(2) is None
    clock.note(runs[1], ended(runs[1], 1.0, prepared=30.0))
    assert clock.seconds_left(2) > 0.0


def test_what_runs_took_before_is_no_evidence_of_how_long_kernels_take():
    runs = paper_study(["rmp6"], ["xcs"], reps=2).runs()
    assert TimeLeft(runs, {runs[0].digest: 1.0}).seconds_left(1) is None


def test_the_time_left_follows_the_shortest_run_of_each_kind():
    short, long = specify_run("stein2020/rmp6"), specify_run("stein2020/mario")
    runs = Study((Cell(short), Cell(long)), (0, 1, 2)).runs()
    clock = TimeLeft(runs, {long.digest(): 10.0})
    clock.note(runs[0], ended(runs[0], 25.0))
    clock.note(runs[1], ended(runs[1], 10.0))
    assert clock.seconds_left(1) == 2 * 25.0 + 2 * 10.0
    clock.note(runs[2], ended(runs[2], 2.0))
    assert clock.seconds_left(2) == (1 * 2.0 + 2 * 10.0) / 2
    failure = Failure(digest=runs[4].digest, seed=2, error="went wrong")
    clock.note(runs[4], failure)
    assert clock.seconds_left(1) == 2 * 10.0


def test_cells_without_a_run_are_weighed_by_their_steps():
    cells = [Cell(specify_run("stein2020/rmp6", steps=n), f"{n}") for n in (1000, 5000)]
    runs = Study(tuple(cells), (0,)).runs()
    clock = TimeLeft(runs, {})
    clock.note(runs[0], ended(runs[0], 2.0))
    assert clock.seconds_left(4) == pytest.approx(10.0)  # one run, whoever does it


def test_the_time_left_counts_what_is_still_to_be_compiled():
    runs = paper_study(["rmp6", "mario"], ["xcs", "xcs-er"], reps=2).runs()
    clock = TimeLeft(runs, {run.digest: 1.0 for run in runs})
    assert clock.compiling == 4
    first = ended(runs[0], 1.0, prepared=30.0, compiled=28.0)  # with all that the others share
    clock.note(runs[0], first)
    assert clock.compiling == 3
    assert clock.seconds_left(2) == (7 * 1.0 + 3 * 10.0) / 2
    assert clock.seconds_left(99) == 1.0 + 10.0  # nothing ends before what it waits for
    for run in runs[1:4]:
        clock.note(run, ended(run, 1.0, prepared=10.0))
    assert clock.compiling == 0
    assert clock.seconds_left(2) == 4 * 1.0 / 2


def test_kernels_that_come_from_the_cache_are_not_called_compiling():
    runs = paper_study(["rmp6", "mario"], ["xcs", "xcs-er"], reps=2).runs()
    clock = TimeLeft(runs, {})
    clock.note(runs[0], ended(runs[0], 1.0, prepared=9.5))
    assert clock.compiling == 0


def test_the_time_left_counts_what_comes_after_the_runs():
    runs = paper_study(["mario"], ["xcs"], reps=2).runs()
    clock = TimeLeft(runs, {runs[0].digest: 2.0}, more=5.0)
    for run in runs:
        clock.note(run, ended(run, 2.0))
    assert clock.seconds_left(4) == 5.0


def test_networks_are_known_to_take_long():
    rules, network = specify_run("stein2020/chain16"), specify_run("stein2020/chain16", "dqn")
    runs = Study((Cell(rules), Cell(network)), (0,)).runs()
    clock = TimeLeft(runs, {})
    clock.note(runs[0], ended(runs[0], 1.0))
    assert clock.seconds_left(1) == pytest.approx(30.0)
    assert TimeLeft(runs[1:], {}).seconds_left(1) is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("cloud",), "backend must be one of local, dask, ray, got 'cloud'"),
        (("local", 0), r"jobs must be an integer in \[1, inf\), got 0"),
        (("local", 2, "tcp://host:1"), "the back end 'local' has no address"),
    ],
)
def test_impossible_executors_are_refused(arguments, message):
    with pytest.raises(ConfigError, match=message):
        make_executor(*arguments)


@pytest.mark.parametrize("backend", ["dask", "ray"])
def test_a_back_end_that_is_not_installed_names_its_extra(backend, monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(executors.importlib, "import_module", missing)
    with pytest.raises(RuleplayError, match=rf"pip install 'ruleplay\[{backend}\]'"):
        make_executor(backend, 2)


def test_the_literal_study_changes_one_reading_at_a_time():
    study = literal_study(reps=2)
    presets = {
        (cell.spec.preset, cell.spec.agent): cell for cell in study.cells if not cell.variant
    }
    assert len(presets) == 6
    assert study.seeds == (0, 1)
    for cell in study.cells:
        base = presets[cell.spec.preset, cell.spec.agent]
        if cell.variant:
            assert cell.spec.digest() != base.spec.digest()
    assert len({cell.spec.digest() for cell in study.cells}) == len(study.cells)
