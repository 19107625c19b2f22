"""The tables of functions in the documentation are those of their runs."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ruleplay.envs.functions import FUNCTIONS, values_at
from scripts import load_script

ROOT = Path(__file__).parents[2]

pytestmark = [pytest.mark.interpreted, pytest.mark.uncompiled]


def test_the_table_is_that_of_the_runs():
    runs = pd.read_csv(ROOT / "docs" / "results" / "functions.csv")
    text = (ROOT / "docs" / "functions.md").read_text(encoding="utf-8")
    assert load_script("function_table").markdown(runs) in text


def test_the_race_is_that_of_the_runs():
    race = load_script("function_race")
    runs = race.read_runs(ROOT / "docs" / "results" / "function_race.jsonl")
    assert race.markdown(runs) in (ROOT / "docs" / "functions.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("function", list(FUNCTIONS))
def test_the_race_is_over_the_problems_functions(function):
    course, known = load_script("function_race_course"), FUNCTIONS[function]
    points = np.random.default_rng(0).random((50, 2))
    values = values_at(known.number, known.low + (known.high - known.low) * points)
    np.testing.assert_allclose(course.values_at(function, points), values, rtol=1e-12, atol=1e-12)


def test_a_race_is_won_by_the_first_at_the_mark():
    race = load_script("function_race")
    course = [(0.1, 0.5), (0.2, 0.3), (0.3, 0.4), (0.4, 0.2)]
    assert [race.first_at(course, mark) for mark in (0.5, 0.35, 0.1)] == [0.1, 0.2, float("inf")]
    assert race.final_error(course) == 0.2
