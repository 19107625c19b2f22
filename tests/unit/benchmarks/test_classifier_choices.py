"""The classifier's defaults were chosen on tuning sets, and by what the committed runs say."""

from pathlib import Path

import pandas as pd
import pytest

from ruleplay import XCSClassifier
from ruleplay.benchmarks.real_data.lists import REPORTED, TUNING
from scripts import load_script

pytestmark = pytest.mark.uncompiled

DOCS = Path(__file__).parents[3] / "docs"
RUNS = pd.read_csv(DOCS / "results" / "real-data" / "choices.csv")
choices = load_script("classifier_choices")


def test_choices_were_made_on_all_tuning_sets_and_no_other():
    assert set(RUNS["set"]) == set(TUNING)
    assert not set(RUNS["set"]) & set(REPORTED)
    assert set(RUNS["choice"]) == set(choices.CHOICES)
    assert not RUNS.duplicated(["choice", "set", "fold"]).any()


@pytest.mark.parametrize("choice", [name for name in choices.CHOICES if name != "defaults"])
def test_a_choice_is_not_the_default(choice):
    [(name, value)] = choices.CHOICES[choice].items()
    assert getattr(XCSClassifier(), name) != value
    assert choice == f"{name}={value!r}"


def test_the_page_shows_the_means_of_the_runs():
    assert choices.markdown(RUNS) in (DOCS / "protocol.md").read_text()


def test_the_page_on_the_classifier_says_what_calibration_gains():
    page = " ".join((DOCS / "classifier.md").read_text().split())
    loss = RUNS.pivot(index="set", columns="choice", values="log_loss")
    mean = loss.mean().round(3)
    gains = int((loss["defaults"] < loss["calibrate=False"]).sum())
    told = f"log loss is {mean['defaults']}, and {mean['calibrate=False']} without calibration"
    assert f"{told}; it is smaller on {gains} of the sets" in page
    assert f"With ten populations it is {mean['n_populations=10']}." in page
