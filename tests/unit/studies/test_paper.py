import pytest

from ruleplay.experiments.spec import list_presets, specify_run
from ruleplay.studies.paper.printed import BASELINE, METRICS, Printed, load_paper

PAPER = load_paper()


def cells(kind):
    return [
        (problem, row, cell)
        for problem in PAPER.problems
        if problem.kind == kind
        for row in problem.rows
        for cell in row.cells.values()
    ]


def test_all_cells_of_both_result_tables_are_there():
    assert len(cells("single-step")) == 28
    assert len(cells("multi-step")) == 84


def test_all_p_values_are_there():
    rows = [(problem, row) for problem in PAPER.problems for row in problem.rows]
    single = [row for problem, row in rows if problem.single_step]
    multi = [row for problem, row in rows if not problem.single_step]
    assert sum(len(row.shapiro) for row in single) == 28
    assert sum(len(row.comparison) for row in single) == 16
    assert sum(len(row.shapiro) for row in multi) == 66
    assert sum(len(row.comparison) for row in multi) == 36


def test_each_problem_is_a_preset_and_each_xcs_row_a_run():
    for problem in PAPER.problems:
        assert problem.preset in list_presets()
        for agent in problem.agents:
            if agent.startswith("xcs"):
                specify_run(problem.preset, agent)


@pytest.mark.parametrize(
    ("preset", "agent", "metric", "mean", "sd", "arrow", "stars", "bold"),
    [
        ("mario", "xcs-er-8", "reward", 959.67, 1.72, "up", 2, True),
        ("wbc", "xcs-er", "reward", 989.34, 0.72, "down", 2, False),
        ("wbc", "xcs", "generality", 1.00e-7, 2.86e-8, None, 0, False),
        ("chain16", "xcs-er", "otm", 95.3, 63.6, "down", 2, False),
        ("cartpole-t", "dqn", "otm", 38.75, 2.19, None, 2, True),
        ("mountaincar-t", "xcs", "system_error", 1.2e21, 6.3e21, None, 0, False),
    ],
)
def test_cells_read_as_printed(preset, agent, metric, mean, sd, arrow, stars, bold):
    cell = PAPER.problem(f"stein2020/{preset}").row(agent).cells[metric]
    assert cell.sd is not None
    assert (cell.mean.value, cell.sd.value) == (mean, sd)
    assert (cell.arrow, cell.stars, cell.bold) == (arrow, stars, bold)


@pytest.mark.parametrize(
    ("text", "half_unit"),
    [("959.67", 0.005), ("0.0010", 0.00005), ("2.86E-8", 5e-11), ("3.5E5", 5000.0), ("9", 0.5)],
)
def test_the_last_digit_tells_the_rounding(text, half_unit):
    assert Printed(text).half_unit == pytest.approx(half_unit)


def test_a_spread_printed_as_zero_is_at_most_half_a_unit():
    cell = PAPER.problem("stein2020/cartpole").row("xcs").cells["generality"]
    assert cell.spread == pytest.approx(0.00005)


def test_only_the_arrow_that_a_note_names_is_missing():
    wrong = [
        (problem.title, row.label, cell.metric)
        for problem, row, cell in cells("single-step") + cells("multi-step")
        if row.agent != BASELINE
        and cell.arrow != direction_of(problem.change(row.agent, cell.metric))
    ]
    assert wrong == [("CartPole T", "DQNT", "otm")]


def direction_of(change):
    return "up" if change > 0 else "down" if change < 0 else None


def test_only_the_stars_that_a_note_names_contradict_the_tests():
    wrong = [
        (problem.title, row.label, cell.metric)
        for problem, row, cell in cells("single-step") + cells("multi-step")
        if not cell.is_count
        and row.agent != BASELINE
        and cell.stars != row.comparison[cell.metric].stars
    ]
    assert wrong == [("MountainCar T", "XCST-ER", "macroclassifiers")]


def test_only_the_p_value_that_a_note_names_lacks_its_star():
    wrong = [
        (problem.title, row.label, metric)
        for problem in PAPER.problems
        for row in problem.rows
        for table in (row.shapiro, row.comparison)
        for metric, p in table.items()
        if p.stars != (p.value < 0.05) + (p.value < 0.01)
    ]
    assert wrong == [("MountainCar T", "XCST", "otm")]


def test_notes_name_a_metric_of_their_problem():
    for problem in PAPER.problems:
        assert problem.notes
        assert {note.metric for note in problem.notes} <= set(problem.metrics) <= set(METRICS)
