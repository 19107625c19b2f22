"""Exported rules read values as files have them: dates, numbers with units, stand-ins, the rest.

The columns are read as `ruleplay predict` reads them; every language must answer the same about
the texts themselves.
"""

import sqlite3

import pandas as pd
import pytest

from ruleplay.learners.common.columns import OTHER, Columns
from ruleplay.rules import RuleSet
from ruleplay.rules.dates import DATE, DAY_FIRST, MONTH_FIRST, days_in
from ruleplay.rules.spelling import ABSENT
from unit.rules.export_runners import C_TEXTS_MAIN, compile_c, run_javascript, run_program
from unit.rules.export_samples import document

pytestmark = [pytest.mark.interpreted, pytest.mark.uncompiled]

CITIES = ["Bonn", "Köln", "Ulm", "Jena", OTHER]
WITH_ABSENT = {
    "ward": ["East", "West", ABSENT],
    "town": ["Bonn", "Ulm", OTHER, ABSENT],
    "is_old": ["false", "true", ABSENT],
}
COLUMNS = Columns(
    numbers={
        "begun": DATE,
        "joined": DAY_FIRST,
        "left": MONTH_FIRST,
        "share": "unit",
        "price": "decimal comma",
        "temp": "plain",
        "stock": "thousands",
    },
    categories={
        "city": CITIES,
        "is_new": ["False", "True"],
        **{name: known[:-1] for name, known in WITH_ABSENT.items()},
    },
    stand_ins={"temp": -999.0, "stock": 99999.0},
    grouped=["city", "town"],
)
TEXTS = {
    "begun": ["2024-03-05", "2023-2-9", "1999/12/31", "2024-02-29", "2023-02-29", "5.3.2024",
              "2024-03-05 18:30", "2024-03-05T06:15:30", "soon", "?", "2024-13-01"],
    "joined": ["05.03.2024", "5.3.24", "31/12/1999", "1-1-70", "2024-03-05", "30.02.2024",
               "05.03.24 7:05 PM", "5.3.2024 12:00 am", "32.1.2024", "", "n/a", "1.2"],
    "left": ["03/05/2024", "3/5/69", "12/31/99", "2/29/2023", "13/1/2024", "2024-03-05", "none",
             "03/05/2024 23:59", "3/5"],
    "share": ["53%", "7 %", " 80% ", "-", "12", "$1,250", "1,250.5 €", "much"],
    "price": ["1.234,5", "12,5", "3", "1.5", "", "-0,25", "12,5 €", "abc"],
    "temp": ["-999", "-999.0", "15.5", " 1e1", "NaN", "hot", "20", "0", "."],
    "stock": ["1,250", "99,999", "99999", "300", "?", "12,345"],
    "city": ["Bonn", " Köln", "Aachen", "(other)", "?", "", "None", "Ulm ", "Jena"],
    "is_new": ["True", "FALSE", " true", "", "maybe"],
    "ward": ["East", " West", "", "NA", "(missing)", "North", "east"],
    "town": ["Ulm", "Jena", "", "None", "(missing)", "(other)", "Bonn "],
    "is_old": ["True", "false ", "", "?", "maybe"],
}  # fmt: skip
LIMITS = {
    "begun": days_in("2023-06-30", DATE),
    "joined": days_in("2000-01-01", DATE),
    "left": days_in("2024-03-05 12:00", DATE),
    "share": 50.0,
    "price": 5.0,
    "temp": 12.0,
    "stock": 1000.0,
}
NAMES = [*COLUMNS.numbers, *COLUMNS.categories]


def features(whole):
    written = COLUMNS.numbers.items()
    numbers = [
        {"name": name, "low": -1e6, "high": 1e6, "whole": whole, "written": style}
        for name, style in written
    ]
    for feature in numbers:
        if feature["name"] in COLUMNS.stand_ins:
            feature["stand_in"] = COLUMNS.stand_ins[feature["name"]]
    return [
        *numbers,
        {"name": "city", "categories": CITIES, "groups_others": True},
        {"name": "is_new", "categories": ["False", "True"]},
        *(
            {"name": name, "categories": known, "groups_others": OTHER in known}
            for name, known in WITH_ABSENT.items()
        ),
    ]


def rule(condition, then, value):
    figures = {"error": 0.0, "fitness": 0.5, "numerosity": 1, "experience": 9}
    return {"if": condition, "then": then, "prediction": value, **figures}


def rules_about(name, ordered, whole=False):
    """Return rules that tell small, large and missing values of one feature apart."""
    if name == "city":
        parts = [{"in": ["Jena"]}, {"in": CITIES[1:-1]}, {"in": ["Bonn"]}, {"in": CITIES[1:]}]
    elif name in WITH_ABSENT:
        *others, last, absent = WITH_ABSENT[name]
        parts = [{"in": others[:1]}, {"in": [last]}, {"in": [absent]}, {"in": [*others, absent]}]
    elif name == "is_new":
        parts = [{"in": ["True"]}, {"in": ["False"]}]
    else:
        limit = LIMITS[name]
        parts = [[9e5, 1e6], [None, limit], [limit, None]]
    answers = ("maybe */", "no", "yes", "no")
    records = [
        rule({name: part}, answer, 900.0 - 10 * k)
        for k, (part, answer) in enumerate(zip(parts, answers, strict=False))
    ]
    return RuleSet.from_json(document(ordered, "match", features(whole), records))


def rows_about(name):
    """Return rows of text in which one feature has each of its texts."""
    usual = {known: texts[0] for known, texts in TEXTS.items()}
    return [{**usual, name: text} for text in TEXTS[name]]


def expected(rules, rows):
    """Answer as `predict` does: read the columns, and ask the rules."""
    table = COLUMNS.read(pd.DataFrame(rows, dtype=object))
    actions = rules.actions(rules.encode(table))
    return [rules.labels[action] for action in actions]


CASES = pytest.mark.parametrize("name", NAMES)
FORMS = pytest.mark.parametrize("ordered", [True, False], ids=["list", "vote"])


@CASES
@FORMS
def test_python_reads_texts_as_predict_does(name, ordered):
    rules, rows = rules_about(name, ordered), rows_about(name)
    space = {}
    exec(rules.to_python(), space)
    assert [space["decide"](row) for row in rows] == expected(rules, rows)


@CASES
@FORMS
@pytest.mark.parametrize("whole", [True, False], ids=["days", "times"])
def test_sqlite_reads_texts_as_predict_does(name, ordered, whole):
    rules, rows = rules_about(name, ordered, whole), rows_about(name)
    if whole:
        rows = [row for row in rows if ":" not in row[name]]
    columns = ", ".join(f'"{title}" TEXT' for title in NAMES)
    with sqlite3.connect(":memory:") as database:
        database.execute(f"CREATE TABLE t ({columns})")
        marks = ", ".join(f":{title}" for title in NAMES)
        database.executemany(f"INSERT INTO t VALUES ({marks})", rows)
        answers = [row[-1] for row in database.execute(rules.to_sql("t"))]
    assert answers == expected(rules, rows)


def test_javascript_reads_texts_as_predict_does(tmp_path):
    for name in NAMES:
        rules, rows = rules_about(name, ordered=True), rows_about(name)
        assert run_javascript(rules, rows, tmp_path) == expected(rules, rows), name


def test_c_reads_texts_as_predict_does(tmp_path):
    for name in NAMES:
        rules, rows = rules_about(name, ordered=True), rows_about(name)
        program = compile_c(rules, tmp_path, main=C_TEXTS_MAIN)
        lines = "".join("\t".join(row[title] for title in NAMES) + "\n" for row in rows)
        names = dict(zip(rules.labels, rules.outcome_names, strict=True))
        assert run_program(program, lines).splitlines() == [
            names[answer] for answer in expected(rules, rows)
        ]


def test_dates_and_times_may_be_objects_in_python():
    rules = rules_about("joined", ordered=True)
    space = {}
    exec(rules.to_python(), space)
    text, date = "31.12.1999 23:00", pd.Timestamp("1999-12-31 23:00")
    usual = rows_about("city")[0]
    told = space["decide"](usual | {"joined": text})
    for value in (date, date.date(), days_in(text, DAY_FIRST)):
        assert space["decide"](usual | {"joined": value}) == told


def test_rules_from_a_file_keep_how_values_are_read():
    rules = rules_about("temp", ordered=True)
    again = RuleSet.from_json(rules.to_json())
    assert again.features == rules.features
    assert [f.stand_in for f in again.features[5:7]] == [-999.0, 99999.0]
    assert again.features[7].groups_others


def test_few_excluded_categories_are_named_instead_of_many_allowed():
    rules = rules_about("city", ordered=True)
    assert "\"city\" NOT IN ('Bonn')" in rules.to_sql()
    assert "city not in ('Bonn',)" in rules.to_python()
    assert '!["Bonn"].includes(city)' in rules.to_javascript()


def test_every_form_says_how_unusual_columns_are_read():
    rules = rules_about("temp", ordered=True)
    for text in (rules.to_python(), rules.to_sql(), rules.to_javascript(), rules.to_c()):
        assert "joined is a date, as 31.12.2024." in text
        assert "temp: -999 says that it is missing." in text
        assert "city: what is not named is (other)." in text
