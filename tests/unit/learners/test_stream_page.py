"""The page about streams says what its file of results says, and the benchmark counts right."""

from pathlib import Path

import pytest

from scripts import load_script

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def benchmark_script():
    return load_script("streams")


@pytest.fixture(scope="module")
def quantity_script():
    return load_script("stream_quantities")


def test_the_tables_are_those_of_the_results(benchmark_script, quantity_script):
    page, tables = (ROOT / "docs" / "streams.md").read_text(), {}
    for benchmark in (benchmark_script.BENCHMARK, quantity_script.BENCHMARK):
        tables |= benchmark.make_tables(benchmark_script.read_rows(benchmark.results))
    assert benchmark_script.refresh(page, tables) == page
    assert page.count("<!-- streams: ") == len(tables)


class Fixed:
    def predict_one(self, x):
        return 1.0

    def learn_one(self, x, y):
        pass


def test_a_run_on_quantities_has_its_errors(quantity_script):
    examples = [({}, 1.0), ({}, 2.0), ({}, -2.0)]
    assert quantity_script.judge(examples, Fixed()) == {
        "examples": "3",
        "mae": "1.3333",
        "rmse": "1.8257",
    }


def test_figures_of_different_units_have_no_overall_mean(benchmark_script):
    rows = [{"stream": "A", "seed": "0", "learner": "x", "mae": "2.5"}]
    assert benchmark_script.table(rows, "mae", 1, overall=False).splitlines()[-1] == "| A | 2.5 |"


@pytest.mark.parametrize(
    ("after", "recovery"),
    [
        ([True] * 2000, 250),
        ([False] * 100 + [True] * 1900, 345),
        ([False] * 2000, 2000),
    ],
    ids=["never-fell", "fell-for-100", "never-recovered"],
)
def test_recovery_is_counted_from_the_drift(benchmark_script, after, recovery):
    right = [True] * 2000 + after
    assert benchmark_script.examples_to_recover(right, 2000, 4000) == recovery


def test_a_run_without_drift_has_its_accuracy_only(benchmark_script):
    assert benchmark_script.summarise([True, False, True, True], 0) == {
        "examples": "4",
        "accuracy": "75.00",
    }


def row(stream, seed, learner, accuracy):
    return {"stream": stream, "seed": seed, "learner": learner, "accuracy": accuracy}


def test_a_table_shows_means_over_the_seeds_that_are_complete(benchmark_script):
    rows = [
        row("A", "0", "x", "80"),
        row("A", "1", "x", "90"),
        row("B", "0", "x", "50"),
        row("B", "1", "x", "60"),
        row("A", "2", "x", "10"),
    ]
    text = benchmark_script.table(rows, "accuracy", 1)
    assert text.splitlines()[0] == "Seeds: 0, 1"
    assert text.splitlines()[-3:] == ["| A | 85.0 |", "| B | 55.0 |", "| **mean** | 70.0 |"]
