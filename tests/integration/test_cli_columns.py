"""A messy file is read column by column, and new rows, frames and exports read it alike."""

import re
import sqlite3

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from ruleplay.cli import app
from ruleplay.learners.classifier import XCSClassifier
from ruleplay.learners.rule_list import RuleListClassifier
from ruleplay.rules import RuleSet

KEPT = ["joined", "share", "price", "temp", "tickets", "zip", "city"]


def call(*arguments):
    return CliRunner().invoke(app, list(map(str, arguments)))


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Return a messy table and the model that learns from it, and what was said."""
    random, n = np.random.default_rng(0), 400
    joined = pd.Timestamp("2023-01-01") + pd.to_timedelta(random.integers(0, 700, n), unit="D")
    tickets, share = random.integers(0, 9, n), random.integers(0, 101, n)
    table = pd.DataFrame(
        {
            "account_no": [str(number) for number in random.integers(4 * 10**17, 5 * 10**17, n)],
            "joined": joined.strftime("%d.%m.%Y"),
            "share": [f"{number}%" for number in share],
            "price": [f"${number:,}" for number in random.integers(500, 90_000, n)],
            "temp": np.where(random.random(n) < 0.1, -999, random.normal(15, 8, n).round(1)),
            "tickets": tickets,
            "zip": random.choice(["02683", "10115", "00501"], n),
            "city": [f"c{k % 40}" if k < 320 else f"r{k}" for k in random.permutation(n)],
        }
    )
    late = joined > pd.Timestamp("2023-12-01")
    table["gone"] = np.where((tickets >= 3) & late & (share < 80), "yes", "no")
    folder = tmp_path_factory.mktemp("messy")
    data, model = folder / "messy.csv", folder / "messy.ruleplay"
    table.to_csv(data, index=False, sep=";")
    result = call("fit", data, "--target", "gone", "--save", model, "--epochs", 150)
    assert result.exit_code == 0, result.output
    return data, model, result


def test_every_column_has_a_line_that_says_what_it_is(files):
    told = files[2].stderr
    for name in KEPT:
        assert re.search(rf"^  {name}: (dates|numbers|whole numbers|text), ", told, re.MULTILINE)
    assert "account_no: left out" in told
    assert "--column NAME=KIND (text, number, date or ignore)" in told


def test_rules_speak_of_dates_and_whole_numbers(files):
    told = files[2].stdout
    assert re.search(r"joined [≤≥] 202\d-\d\d-\d\d", told)
    assert re.search(r"tickets [≤≥] \d( |$)", told)


def test_predictions_and_frames_are_read_as_the_file_was(files, tmp_path):
    data, model, _ = files
    out = tmp_path / "out.csv"
    result = call("predict", model, data, "--all", "--out", out)
    assert result.exit_code == 0, result.output
    assert "no numbers" not in result.stderr
    answers = pd.read_csv(out, sep=";")["predicted_gone"].tolist()
    classifier = XCSClassifier.load(model)
    texts = pd.read_csv(data, sep=";", dtype=str)
    assert classifier.predict(texts).tolist() == answers
    read = pd.read_csv(data, sep=";", parse_dates=["joined"], dayfirst=True)
    assert classifier.predict(read).tolist() == answers


def test_exports_take_such_values_as_they_are(files, tmp_path):
    data, model, _ = files
    source = call("rules", model, "--format", "python").stdout
    assert "joined is a date, as 31.12.2024." in source
    assert "temp: -999 says that it is missing." in source
    assert "city: what is not named is (other)." in source
    module = {}
    exec(source, module)
    texts = pd.read_csv(data, sep=";", dtype=str)
    listed = RuleListClassifier.load(model)
    expected = listed.predict(texts).tolist()
    assert [module["decide"](row) for row in texts.to_dict("records")] == expected
    query = call("rules", model, "--format", "sql", "--table", "messy").stdout
    with sqlite3.connect(":memory:") as database:
        texts.to_sql("messy", database, index=False)
        assert [row[-1] for row in database.execute(query)] == expected
    out = tmp_path / "rules.json"
    assert call("rules", model, "--out", out).exit_code == 0
    assert RuleSet.from_json(out).features == listed.ruleset_.features


def test_a_person_may_say_what_a_column_is(files):
    kinds = ("--column", "zip=number", "--column", "joined=text", "--column", "city=ignore")
    told = call("fit", files[0], "--target", "gone", "--epochs", 1, *kinds).stderr
    assert "zip: whole numbers, 501 to 10115" in told
    assert "city: left out: as asked" in told
    wrong = call("fit", files[0], "--target", "gone", "--column", "zipp=text")
    assert wrong.exit_code == 2
    assert "--column: unknown column: 'zipp'; did you mean 'zip'?" in wrong.stderr
