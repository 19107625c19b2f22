"""What `ruleplay fit` has made leaves the tool: the short list is saved, shown and exported."""

import json
import re
import sqlite3
import warnings

import numpy as np
import pandas as pd
import pytest

from integration.customers import call
from ruleplay import RuleListClassifier, XCSClassifier
from ruleplay.rules import RuleSet

FEATURES = ["tenure", "price", "plan", "is_active"]


@pytest.fixture(scope="module")
def folder(customers_folder):
    return customers_folder


@pytest.fixture(scope="module")
def model(customers_model):
    return customers_model


def list_in(text):
    """Return the lines of a list in what `fit` or `rules` printed."""
    return [line.strip() for line in text.splitlines() if re.search(r"rows? right\)$", line)]


def test_the_list_that_fit_printed_is_the_first_thing_that_rules_shows(folder, model):
    shown = call("rules", model)
    assert shown.exit_code == 0
    assert list_in(shown.stdout) == list_in((folder / "said.txt").read_text(encoding="utf-8"))
    assert len(list_in(shown.stdout)) > 1
    assert "'churn' from 450 rows of" in shown.stderr
    assert "column 'customer' was left out: a different text in each row" in shown.stderr
    assert re.search(r"made of \d+ rules: --all", shown.stderr)


def test_all_rules_are_shown_on_request(model):
    shown = call("rules", model, "--all", "--top", 3)
    assert shown.stdout.count("(value") == 3
    assert re.search(r"3 of \d+ rules, the strongest first", shown.stderr)


def test_another_length_is_chosen_from_what_fit_has_kept(model):
    shown = call("rules", model, "--max-rules", 1)
    assert len(list_in(shown.stdout)) == 2
    assert "there are lists of" in shown.stderr


def test_json_tells_the_list_its_rows_and_what_was_learned_from(model):
    document = json.loads(call("rules", model, "--json").stdout)
    assert document["decides"] == "first"
    assert sum(rule["rows"] for rule in document["rules"]) <= 450
    assert {"rows", "right"} <= document["otherwise"].keys()
    table = document["learned_from"]
    assert table["target"] == "churn"
    assert table["columns"]["price"]["written"] == "decimal comma"
    assert table["columns"]["tenure"]["missing"] > 0
    assert table["columns"]["is_active"]["rows"].keys() == {"False", "True"}
    assert table["left_out"].keys() == {"customer"}
    assert sum(table["classes"].values()) == table["rows"] == 450


@pytest.mark.parametrize("form", ["json", "csv", "py", "txt", "html", "c", "js", "sql", "pmml"])
def test_every_form_writes_the_list(model, tmp_path, form):
    path = tmp_path / f"churn.{form}"
    done = call("rules", model, "--out", path)
    assert done.exit_code == 0, done.output
    count = RuleListClassifier.load(model).n_rules_
    text = path.read_text(encoding="utf-8")
    if form == "json":
        assert len(RuleSet.from_json(path)) == count
    elif form == "csv":
        assert len(pd.read_csv(path)) == count
    elif form == "txt":
        assert len(list_in(text)) == count + 1
    elif form in ("py", "c", "js", "sql"):
        assert f"Rules: {count}, written by ruleplay" in text


def test_a_query_decides_about_raw_rows_as_the_list_does(folder, model, tmp_path):
    rows = pd.read_csv(folder / "new.csv")
    columns = RuleListClassifier.load(model).estimator_.training_table_.columns
    path = tmp_path / "decide.sql"
    assert call("rules", model, "--out", path, "--table", "customers").exit_code == 0
    with sqlite3.connect(":memory:") as database:
        read = columns.read(rows).assign(customer=rows["customer"])
        read.astype({"plan": object, "is_active": object}).to_sql("customers", database)
        decided = pd.read_sql(path.read_text(encoding="utf-8"), database)["decision"]
    expected = RuleListClassifier.load(model).predict(rows)
    assert decided.tolist() == expected.tolist()


def test_a_frame_of_the_same_file_is_read_in_python_as_fit_read_it(folder, model):
    text = pd.read_csv(folder / "churn.csv", dtype=str)
    frame = pd.read_csv(folder / "churn.csv")
    assert frame["is_active"].dtype == bool
    for kind in (XCSClassifier, RuleListClassifier):
        loaded = kind.load(model)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            np.testing.assert_array_equal(loaded.predict(frame), loaded.predict(text))
            np.testing.assert_array_equal(loaded.predict(frame[FEATURES]), loaded.predict(text))
    assert XCSClassifier.load(model).score(frame, frame["churn"]) > 0.9


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--all", "--max-rules", 2], "--all contradicts --compact and --max-rules"),
        (["--all", "--compact"], "--all contradicts --compact and --max-rules"),
    ],
)
def test_options_that_contradict_each_other_are_refused(model, arguments, message):
    done = call("rules", model, *arguments)
    assert done.exit_code == 2
    assert message in done.stderr


def test_an_explanation_names_categories_and_takes_them(model):
    told = call("rules", model, "--explain", "3,20.5,Größe 5,True")
    assert told.exit_code == 0, told.output
    assert "plan Größe 5, is_active True: yes" in told.stdout
