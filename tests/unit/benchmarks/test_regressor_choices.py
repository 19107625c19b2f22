"""The regressor's defaults were chosen on tuning sets, and by what the committed runs say."""

from pathlib import Path

import pandas as pd
import pytest

from ruleplay import XCSRegressor
from ruleplay.benchmarks.real_data.regression.lists import REPORTED, TUNING
from scripts import load_script

pytestmark = pytest.mark.uncompiled

DOCS = Path(__file__).parents[3] / "docs"
RUNS = pd.read_csv(DOCS / "results" / "real-data-regression" / "choices.csv")
choices = load_script("regressor_choices")


def test_choices_were_made_on_all_tuning_sets_and_no_other():
    assert set(RUNS["set"]) == set(TUNING)
    assert not set(RUNS["set"]) & set(REPORTED)
    assert set(RUNS["choice"]) == set(choices.CHOICES)
    assert not RUNS.duplicated(["choice", "set"]).any()
    assert len(RUNS) == len(TUNING) * len(choices.CHOICES)


@pytest.mark.parametrize("choice", [name for name in choices.CHOICES if name != "defaults"])
def test_a_choice_is_not_the_default(choice):
    [(name, value)] = choices.CHOICES[choice].items()
    assert getattr(XCSRegressor(), name) != value
    assert choice == f"{name}={value!r}"


def test_the_page_shows_the_means_of_the_runs():
    assert choices.markdown(RUNS) in (DOCS / "protocol-regression.md").read_text()


def test_the_defaults_are_the_best_of_them():
    assert choices.summarize(RUNS)["ratio"].idxmin() == "defaults"
