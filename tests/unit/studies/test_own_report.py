"""The report on a user's own study: its numbers are SciPy's, and its page is about that study."""

import math
import re

import numpy as np
import pytest
from scipy import stats as scipy_stats

from own_studies import TINY, MadeUpResults, write_study
from ruleplay.errors import StoreError
from ruleplay.experiments.storage.results import FailedRun
from ruleplay.studies.own.analysis import analyse_own
from ruleplay.studies.own.report import write_own_report
from ruleplay.studies.own.tables import cell_table, make_own_tables, pair_table, warnings_of

TWO, FOUR, EIGHT = (f"replay_batch_size={n}" for n in (2, 4, 8))
THREE_CELLS = TINY.replace("[2, 4]", "[2, 4, 8]").replace("seeds = 3", "seeds = 12")


def draw(mean, seed, n=12):
    return np.random.default_rng(seed).normal(mean, 1.0, n)


VALUES = {TWO: draw(10.0, 1), FOUR: draw(10.2, 2), EIGHT: draw(15.0, 3)}


@pytest.fixture
def results(tmp_path):
    figures = {label: {"reward": values} for label, values in VALUES.items()}
    return MadeUpResults(write_study(tmp_path, THREE_CELLS), figures)


def analysis_of(results):
    return analyse_own(results, results.description)


def test_all_cells_of_a_problem_are_compared_two_sided(results):
    pairs = analysis_of(results).pairs
    assert [(pair.first, pair.second) for pair in pairs] == [
        (TWO, FOUR),
        (TWO, EIGHT),
        (FOUR, EIGHT),
    ]
    for pair in pairs:
        expected = scipy_stats.wilcoxon(VALUES[pair.second], VALUES[pair.first])
        assert pair.comparison.p == pytest.approx(expected.pvalue)
        assert pair.comparison.alternative == "two-sided"
        difference = VALUES[pair.second] - VALUES[pair.first]
        assert pair.comparison.difference == pytest.approx(difference.mean())


def test_holm_counts_all_comparisons_of_the_study(results):
    pairs = analysis_of(results).pairs
    by_p = sorted(pairs, key=lambda pair: pair.comparison.p)
    assert by_p[0].holm_p == pytest.approx(min(1.0, 3 * by_p[0].comparison.p))
    assert by_p[2].holm_p == pytest.approx(by_p[2].comparison.p)
    assert [pair.finding for pair in pairs] == ["not told apart", "B is higher", "B is higher"]


def test_with_a_baseline_others_are_compared_with_it_alone(tmp_path):
    text = THREE_CELLS.replace("[settings]", f'baseline = "{FOUR}"\n[settings]', 1)
    figures = {label: {"reward": values} for label, values in VALUES.items()}
    pairs = analysis_of(MadeUpResults(write_study(tmp_path, text), figures)).pairs
    assert [(pair.first, pair.second) for pair in pairs] == [(FOUR, TWO), (FOUR, EIGHT)]


def test_only_seeds_that_both_cells_have_are_compared(tmp_path):
    figures = {TWO: {"reward": VALUES[TWO][:7]}, FOUR: {"reward": VALUES[FOUR]}}
    results = MadeUpResults(write_study(tmp_path), figures)
    (pair,) = analysis_of(results).pairs
    assert pair.comparison.n == 7
    expected = scipy_stats.wilcoxon(VALUES[FOUR][:7], VALUES[TWO][:7]).pvalue
    assert pair.comparison.p == pytest.approx(expected)


def test_a_cell_has_its_mean_interval_and_number_of_runs(results):
    row = cell_table(analysis_of(results)).rows[2]
    assert (row["cell"], row["n"]) == (EIGHT, 12)
    assert row["reward"] == pytest.approx(VALUES[EIGHT].mean())
    low, high = scipy_stats.t.interval(
        0.95, 11, VALUES[EIGHT].mean(), scipy_stats.sem(VALUES[EIGHT])
    )
    assert row["reward_low"] == pytest.approx(low, abs=0.25)
    assert row["reward_high"] == pytest.approx(high, abs=0.25)
    assert row["reward_interval"].startswith(f"{VALUES[EIGHT].mean():.2f} [")


def test_several_metrics_are_one_family(tmp_path):
    text = TINY.replace("[settings]", 'metric = ["reward", "system_error"]\n[settings]', 1)
    figures = {TWO: {"reward": VALUES[TWO], "system_error": VALUES[FOUR]}}
    figures[FOUR] = {"reward": VALUES[EIGHT], "system_error": VALUES[EIGHT]}
    pairs = analysis_of(MadeUpResults(write_study(tmp_path, text), figures)).pairs
    assert [pair.metric for pair in pairs] == ["reward", "system_error"]
    smallest = min(pair.comparison.p for pair in pairs)
    assert min(pair.holm_p for pair in pairs) == pytest.approx(2 * smallest)


def test_one_run_each_gives_figures_and_no_verdict(tmp_path):
    results = MadeUpResults(
        write_study(tmp_path), {TWO: {"reward": [1.0]}, FOUR: {"reward": [2.0]}}
    )
    analysis = analysis_of(results)
    (pair,) = analysis.pairs
    assert math.isnan(pair.holm_p)
    assert pair.finding == "too few runs"
    assert "4 of 6 runs are still lacking." in warnings_of(analysis)
    assert any("rest on 1 pairs of runs or fewer" in text for text in warnings_of(analysis))


def test_runs_that_never_differ_are_called_equal(tmp_path):
    figures = {TWO: {"reward": [1.0, 2.0, 3.0]}, FOUR: {"reward": [1.0, 2.0, 3.0]}}
    (pair,) = analysis_of(MadeUpResults(write_study(tmp_path), figures)).pairs
    assert (pair.finding, pair.comparison.p) == ("equal in every pair", 1.0)


def text_of(page):
    """Return what a reader sees of a page."""
    without = re.sub(r"<(style|script)\b.*?</\1>", "", page, flags=re.DOTALL)
    return re.sub(r"<[^>]+>", " ", without)


def test_the_page_is_about_the_study_and_not_about_the_paper(results, tmp_path):
    path = write_own_report(results, results.description, tmp_path / "report", None)
    text = text_of(path.read_text(encoding="utf-8"))
    assert "<h1>Do batches matter?</h1>" in path.read_text(encoding="utf-8")
    assert "Two batches in very short runs." in text
    assert "36 runs of 3 cells, seeds 0-11." in text
    assert "ruleplay reproduce --study batches.toml" in text
    for word in ("paper", "Stein, ", "doi", "verdict", "XCS-ER", "beyond"):
        assert word not in text, word
    assert "replay_batch_size = [2, 4, 8]" in text  # the file itself


def test_tables_lie_beside_the_page(results, tmp_path):
    write_own_report(results, results.description, tmp_path / "report", ["svg"])
    names = {path.name for path in (tmp_path / "report" / "tables").glob("*.csv")}
    assert names == {"cells.csv", "pairs.csv", "runs.csv"}
    assert (tmp_path / "report" / "figures" / "problem-0.svg").exists()


def test_failed_runs_are_listed(results, tmp_path):
    key = results.cells()[0]
    results._failures.append(FailedRun(*key[:3], 4, "ValueError: no luck", ""))
    results._failures.append(FailedRun("other", "xcs", "", 4, "of another study", ""))
    page = write_own_report(results, results.description, tmp_path / "report", None)
    text = text_of(page.read_text(encoding="utf-8"))
    assert "Failed runs: 1" in text
    assert "ValueError: no luck" in text
    assert "of another study" not in text


def test_hostile_names_are_only_text(tmp_path):
    evil = "<script data-evil>1</script>"
    text = TINY.replace("Do batches matter?", evil) + f'\n[variants."{evil}"]\n'
    label = f"{evil}, replay_batch_size=2"
    results = MadeUpResults(write_study(tmp_path, text), {label: {"reward": [1.0, 2.0]}})
    page = write_own_report(results, results.description, tmp_path / "report", ["svg"])
    assert "<script data-evil>" not in page.read_text(encoding="utf-8")


def test_a_study_without_runs_has_no_report(tmp_path):
    results = MadeUpResults(write_study(tmp_path), {})
    with pytest.raises(StoreError, match="has no finished runs"):
        write_own_report(results, results.description, tmp_path / "report", None)


def test_a_single_cell_has_no_comparisons(tmp_path):
    text = TINY.replace("[2, 4]", "[2]")
    results = MadeUpResults(write_study(tmp_path, text), {TWO: {"reward": [1.0, 2.0, 3.0]}})
    analysis = analysis_of(results)
    assert pair_table(analysis).rows == []
    assert set(make_own_tables(analysis)) == {"cells", "runs"}
    write_own_report(results, results.description, tmp_path / "report", None)
