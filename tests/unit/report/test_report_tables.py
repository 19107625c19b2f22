import csv
import io
import math

import pytest

from fake_results import FakeResults
from ruleplay.report.table import Column, Table, escape_latex
from ruleplay.report.text import DASH, interval, mean_sd, number, p_value, signed, stars
from ruleplay.studies.literal.analysis import other_table
from ruleplay.studies.paper import extra_tables, tables
from ruleplay.studies.paper.analysis import analyse
from ruleplay.studies.paper.printed import load_paper
from ruleplay.studies.reporting import make_tables

SMALL = ("stein2020/rmp6", "stein2020/chain16")


@pytest.fixture(scope="module")
def full():
    return analyse(FakeResults())


@pytest.fixture(scope="module")
def small():
    return analyse(FakeResults(SMALL))


def rows_of(table):
    return list(csv.DictReader(io.StringIO(table.csv())))


def test_a_study_like_the_papers_matches_it_in_every_cell(full):
    assert full.tally("single-step").counts["match"] == 28
    assert full.tally("multi-step").counts["match"] == 84
    assert full.tally("single-step").same_effects == full.tally("single-step").effects == 16


def test_a_row_of_another_mean_is_found():
    shifts = {("stein2020/rmp6", "xcs", "macroclassifiers"): 5.0}
    analysis = analyse(FakeResults(SMALL, shifts=shifts))
    report = analysis.problems[0]
    assert report.cell("xcs", "macroclassifiers").judgement.verdict == "differs"
    assert report.cell("xcs", "macroclassifiers").judgement.sds == pytest.approx(5.0)
    assert report.cell("xcs", "reward").judgement.verdict == "match"


def test_single_step_problems_get_t_tests_and_multi_step_problems_wilcoxon(small):
    tests = {
        cell.problem.kind: {
            c.comparison.test for c in small.cells(cell.problem.kind) if c.comparison
        }
        for cell in small.cells()
    }
    assert "t" in tests["single-step"]
    assert tests["multi-step"] == {"wilcoxon"}


def test_holm_is_taken_over_each_of_the_papers_tables(small):
    cells = [cell for cell in small.cells("single-step") if cell.comparison]
    assert len(cells) == 4
    least = min(cells, key=lambda cell: cell.comparison.p)
    assert least.holm_p == pytest.approx(4 * least.comparison.p)


def test_pairs_are_the_seeds_that_both_agents_have():
    results = FakeResults(("stein2020/rmp6",), reps=12)
    results._rows = [r for r in results._rows if not (r["agent"] == "xcs" and r["seed"] < 4)]
    cell = analyse(results).problems[0].cell("xcs-er", "reward")
    assert (cell.ours.n, cell.comparison.n) == (12, 8)


def test_runs_outside_the_paper_are_listed_apart():
    results = FakeResults(SMALL)
    problem = load_paper().problem("stein2020/rmp6")
    results.add(problem, problem.row("xcs"), 5, steps=1000, variant="short")
    analysis = analyse(results)
    assert [sample.key.variant for sample in analysis.others] == ["short"]
    assert len(analysis.problems[0].samples["xcs"].runs) == 30
    assert rows_of(other_table(analysis))[0]["n"] == "5"


def test_another_variant_stands_in_where_the_presets_settings_were_not_run():
    results = FakeResults(())
    problem = load_paper().problem("stein2020/rmp6")
    results.add(problem, problem.row("xcs"), 5, steps=1000, variant="short")
    sample = analyse(results).problems[0].samples["xcs"]
    assert not sample.as_published


def test_result_tables_have_the_papers_rows_and_show_both_generalities(small):
    table = tables.result_table(small, "single-step")
    assert [row["agent"] for row in table.rows] == ["XCS-ER", "XCS"]
    assert table.rows[0]["reward"] == "957.6 ± 3.1 ↑**"
    assert {"generality", "generality_volume"} <= {column.key for column in table.columns}


def test_cell_tables_have_a_row_per_cell(full):
    assert len(rows_of(tables.cell_table(full, "single-step"))) == 28
    rows = rows_of(tables.cell_table(full, "multi-step"))
    assert len(rows) == 84
    assert rows[0]["paper"] == "0.56 ± 0.37 ↓**"
    assert {row["verdict"] for row in rows} == {"match"}


def test_missing_agents_leave_missing_cells():
    analysis = analyse(FakeResults(SMALL, skip_agents=("dqn",)))
    assert analysis.tally("multi-step").counts["missing"] == 2
    assert analysis.tally("multi-step").cells == 14


def test_without_the_baseline_there_is_nothing_to_compare_with():
    analysis = analyse(FakeResults(SMALL, skip_agents=("xcs",)))
    assert all(cell.comparison is None for cell in analysis.cells())
    assert make_tables(analysis)


def test_divergence_is_split_by_whether_a_reward_was_met(small):
    rows = {row["agent"]: row for row in extra_tables.divergence_table(small).rows}
    assert (rows["XCS-ER"]["diverged"], rows["XCS-ER"]["n"]) == (9, 30)
    assert rows["XCS-ER"]["never"] + rows["XCS-ER"]["after"] == 9
    assert rows["XCS-ER"]["never"] == 5
    assert rows["DQN"]["diverged"] == 0


def test_probability_of_improvement_knows_which_way_is_better(small):
    rows = {
        (row["problem"], row["agent"], row["metric"]): row
        for row in extra_tables.interval_table(small).rows
    }
    assert rows["6-RMP", "XCS-ER", "System error"]["better"] > 0.99
    assert rows["16-Chain", "XCS-ER", "OTM"]["better"] < 0.5
    assert "better" not in rows["6-RMP", "XCS", "Reward"]


def test_aggregates_are_shares_of_the_largest_return(small):
    for row in extra_tables.aggregate_table(small).rows:
        assert 0 < row["iqm_low"] <= row["iqm"] <= row["iqm_high"] <= 1


def test_one_run_per_cell_makes_all_tables():
    for table in make_tables(analyse(FakeResults(SMALL, reps=1))).values():
        assert table.markdown()
        assert table.latex()
        assert "nan" not in table.csv().lower()


def test_runs_are_named_by_digest_and_seeds(small):
    row = rows_of(extra_tables.run_table(small))[0]
    assert row["seeds"] == "0-29"
    assert row["published"] == "True"
    assert small.samples[0].key.digest.startswith(row["digest"])


def test_tables_escape_what_their_formats_would_misread():
    table = Table("x", "A & B", [Column("a", "a_b"), Column("b", "%", number=True)], [{"a": "x|*"}])
    assert "| x\\|\\* |  |" in table.markdown()
    assert r"a\_b & \%" in table.latex()
    assert r"\caption{A \& B.}" in table.latex()
    assert table.csv() == "a\nx|*\n"


def test_latex_prints_text_as_it_is():
    assert escape_latex("a_b ± 5 % ↑") == r"a\_b $\pm$ 5 \% $\uparrow$"


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0.000"), (2151.764, "2152"), (12345.6, "12346"), (-0.05, "-0.05000"), (1e-9, "1e-9")],
)
def test_numbers_have_four_digits(value, text):
    assert number(value) == text


def test_numbers_that_are_none_are_dashes():
    assert number(math.nan) == DASH
    assert number(math.inf) == "∞"
    assert p_value(math.nan) == DASH
    assert interval((math.nan, math.nan)) == DASH
    assert signed(math.nan) == DASH


def test_means_are_written_to_the_last_digit_of_their_spread():
    assert mean_sd(880.123, 3.54) == "880.1 ± 3.5"
    assert mean_sd(1.2e21, 6.3e21) == "(1.2 ± 6.3)e21"
    assert mean_sd(0.88, 0.0) == "0.88 ± 0.00"
    assert mean_sd(5.0, math.nan) == "5.000"


def test_stars_are_the_papers():
    assert [stars(p) for p in (0.05, 0.049, 0.0099, math.nan)] == ["", "*", "**", ""]
