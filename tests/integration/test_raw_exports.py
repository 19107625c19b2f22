"""Exported lists take rows as files have them, and answer with the class, in every language."""

import csv
import json
import shutil
import sqlite3
import subprocess

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from ruleplay import RuleListClassifier
from ruleplay.cli import app
from unit.rules.export_runners import C_TEXTS_MAIN, COMPILER, WARNINGS

NODE = """
import { readFileSync } from "node:fs";
import { decide } from "./rules.mjs";
const rows = JSON.parse(readFileSync("rows.json", "utf-8"));
console.log(JSON.stringify(rows.map(decide)));
"""


def call(*arguments):
    done = CliRunner().invoke(app, [*map(str, arguments)])
    assert done.exit_code == 0, done.output
    return done.stdout


def orders(n, seed):
    """Make orders with all that files have: commas of both kinds, gaps, truth values, codes."""
    random = np.random.default_rng(seed)
    price, stock = random.gamma(3, 10, n), random.integers(0, 9000, n)
    express, code = random.random(n) < 0.5, random.choice(["007", "042", "100"], n)
    late = np.where(express, price > 40, (stock < 3000) | (code == "042"))
    gaps = random.random((3, n)) < 0.05
    return pd.DataFrame(
        {
            "price": np.where(gaps[0], "?", [f"{x:.2f}".replace(".", ",") for x in price]),
            "stock": np.where(gaps[1], "", [f"{x:,}" for x in stock]),
            "express": np.where(gaps[2], "?", express.astype(str)),
            "code": [f"K{text}" for text in code],
            "late": np.where(late, "yes", "it's fine"),
        }
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("orders")
    orders(500, 0).to_csv(place / "old.csv", index=False)
    strange = orders(300, 1).drop(columns="late")
    strange.loc[:5, "code"] = "K999"
    strange.loc[6:9, "express"] = ["TRUE", " false", "true ", ""]
    strange.to_csv(place / "new.csv", index=False)
    call("fit", place / "old.csv", "--target", "late", "--save", place / "m.ruleplay")
    return place


@pytest.fixture(scope="module")
def rows(folder):
    """Return the new rows as a program finds them that knows nothing of columns."""
    with (folder / "new.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def expected(folder):
    text = call("predict", folder / "m.ruleplay", folder / "new.csv")
    answers = [row["predicted_late"] for row in csv.DictReader(text.splitlines())]
    assert len(set(answers)) == 2
    frame = pd.read_csv(folder / "new.csv")
    assert RuleListClassifier.load(folder / "m.ruleplay").predict(frame).tolist() == answers
    return answers


def names_of(folder):
    return RuleListClassifier.load(folder / "m.ruleplay").ruleset_.feature_names


@pytest.mark.parametrize("more", [[], ["--all"]], ids=["list", "vote"])
def test_python_takes_rows_of_text_by_name_or_in_order(folder, rows, expected, more):
    space = {}
    exec(call("rules", folder / "m.ruleplay", "--format", "python", *more), space)
    by_name = [space["decide"](row) for row in rows]
    in_order = [space["decide"]([row[name] for name in space["FEATURES"]]) for row in rows]
    assert by_name == in_order
    if not more:
        assert by_name == expected
    row = rows[20] | {"express": rows[20]["express"] == "True"}
    assert space["decide"](row) == by_name[20]


@pytest.mark.parametrize("more", [[], ["--all"]], ids=["list", "vote"])
def test_python_takes_numbers_and_truth_values_too(folder, rows, more):
    space = {}
    exec(call("rules", folder / "m.ruleplay", "--format", "python", *more), space)
    columns = RuleListClassifier.load(folder / "m.ruleplay").estimator_.training_table_.columns
    frame = columns.read(pd.DataFrame(rows))
    frame["express"] = frame["express"].map({"True": True, "False": False}).astype(object)
    typed = frame.to_dict("records")
    assert list(map(space["decide"], typed)) == list(map(space["decide"], rows))


def test_a_query_takes_a_table_of_text_as_it_was_imported(folder, rows, expected):
    query = call("rules", folder / "m.ruleplay", "--format", "sql", "--table", "orders")
    with sqlite3.connect(":memory:") as database:
        database.execute("CREATE TABLE orders (price TEXT, stock TEXT, express TEXT, code TEXT)")
        database.executemany("INSERT INTO orders VALUES (:price, :stock, :express, :code)", rows)
        assert [row[-1] for row in database.execute(query)] == expected


def test_a_query_takes_numbers_and_truth_values_too(folder, rows, expected):
    query = call("rules", folder / "m.ruleplay", "--format", "sql", "--table", "orders")
    columns = RuleListClassifier.load(folder / "m.ruleplay").estimator_.training_table_.columns
    frame = columns.read(pd.DataFrame(rows)).astype({"code": object})
    frame["express"] = frame["express"].map({"True": 1, "False": 0}).astype(float)
    frame["express"] = frame["express"].astype("Int64")
    with sqlite3.connect(":memory:") as database:
        frame.to_sql("orders", database, index=False)
        assert [row[-1] for row in database.execute(query)] == expected


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node")
@pytest.mark.parametrize("by_name", [True, False], ids=["objects", "arrays"])
def test_javascript_takes_rows_of_text(folder, rows, expected, tmp_path, by_name):
    module = call("rules", folder / "m.ruleplay", "--format", "javascript")
    lists = [[row[name] for name in names_of(folder)] for row in rows]
    (tmp_path / "rules.mjs").write_text(module, encoding="utf-8")
    (tmp_path / "rows.json").write_text(json.dumps(rows if by_name else lists), encoding="utf-8")
    (tmp_path / "main.mjs").write_text(NODE, encoding="utf-8")
    done = subprocess.run(
        ["node", "main.mjs"], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == expected


@pytest.mark.skipif(COMPILER is None, reason="there is no compiler of C")
def test_c_takes_rows_of_text(folder, rows, expected, tmp_path):
    names = names_of(folder)
    source = call("rules", folder / "m.ruleplay", "--format", "c")
    (tmp_path / "rules.c").write_text(source, encoding="utf-8")
    (tmp_path / "main.c").write_text(
        C_TEXTS_MAIN.replace("SIZE", str(len(names))), encoding="utf-8"
    )
    files = [str(tmp_path / name) for name in ("rules.c", "main.c")]
    subprocess.run([COMPILER, *WARNINGS, *files, "-o", str(tmp_path / "decide")], check=True)
    lines = "".join("\t".join(row[name] for name in names) + "\n" for row in rows)
    done = subprocess.run(
        [str(tmp_path / "decide")], input=lines, capture_output=True, encoding="utf-8", check=True
    )
    assert done.stdout.splitlines() == expected
