"""Every form of rules speaks of one model: categories by name, and what a missing value means."""

import csv
import io
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib import rc_context
from typer.testing import CliRunner

from ruleplay.cli import app
from ruleplay.engine import XCS
from ruleplay.learners.classifier import XCSClassifier
from ruleplay.report.explorer import render_explorer
from ruleplay.rules import RuleSet, draw_map, explain, rules_text

TARIFFS = ["Basic", "Pro (annual)", "Team, large", "Zürich"]
MISSING = re.compile("missing value satisfies every condition|missing_values")
CODES = (  # a category's place where its name should be
    r"\btariff\b\s*(≤|≥|=|<=|>=|<|>)\s*-?\d",
    r"\d\s*(≤|<=|<)\s*tariff\b",
    r"\b(lower|upper)_tariff\b",
    r'"tariff": \[\s*(-?\d|null)',
    r"\btariff (in \{)?\d",
)
EXAMPLE = '4.5,"Team, large",True,?'


def shop(rows=400):
    """Make rows whose label depends on a number and a category; a third of a column is missing."""
    random = np.random.default_rng(0)
    tenure, tariff = random.random(rows) * 10, random.choice(TARIFFS, rows)
    bought = np.isin(tariff, TARIFFS[1:3]) & (tenure > 3.0)
    table = pd.DataFrame({"tenure": tenure.round(2), "tariff": tariff})
    table["active"] = np.where(random.random(rows) < 0.5, "True", "False")
    table["zip"] = np.where(random.random(rows) < 0.3, np.nan, random.integers(100, 999, rows))
    return table.astype({"tariff": "category", "active": "category"}), np.where(bought, "yes", "no")


@pytest.fixture(scope="module")
def model():
    settings = {"n_steps": 6000, "population_size": 300, "random_state": 0}
    return XCSClassifier(**settings).fit(*shop())


@pytest.fixture(scope="module")
def folder(model, tmp_path_factory):
    """Return a folder with the model, with its short list, and with the rows as a table."""
    place = tmp_path_factory.mktemp("forms")
    model.save(place / "shop.ruleplay")
    rows, labels = shop()
    rows.assign(bought=labels).to_csv(place / "shop.csv", index=False)
    (place / "list.json").write_text(short_list(model).to_json(), encoding="utf-8")
    return place


def short_list(model):
    return model.compact(shop()[0]).ruleset


def command(*arguments):
    result = CliRunner().invoke(app, list(map(str, arguments)))
    assert result.exit_code == 0, result.output
    return result.stdout


def written(folder, source, suffix):
    path = folder / f"out{suffix}"
    command("rules", folder / source, "--out", path, "--force")
    return path.read_text(encoding="utf-8")


def drawn(folder, source):
    """Draw the rules over the tariff, with letters instead of outlines."""
    path = folder / "map.svg"
    with rc_context({"svg.fonttype": "none"}):
        command("rules", folder / source, "--map", path, "--features", "tariff,tenure", "--force")
    return path.read_text(encoding="utf-8")


FORMS = {
    "terminal": lambda folder, source: command("rules", folder / source, "--top", 300),
    "json": lambda folder, source: command("rules", folder / source, "--json"),
    "csv": lambda folder, source: command("rules", folder / source, "--format", "csv"),
    "python": lambda folder, source: command("rules", folder / source, "--format", "python"),
    "html": lambda folder, source: command("rules", folder / source, "--format", "html"),
    "c": lambda folder, source: command("rules", folder / source, "--format", "c"),
    "javascript": lambda folder, source: command(
        "rules", folder / source, "--format", "javascript"
    ),
    "sql": lambda folder, source: command("rules", folder / source, "--format", "sql"),
    **{
        f"file{suffix}": lambda folder, source, suffix=suffix: written(folder, source, suffix)
        for suffix in (".txt", ".json", ".csv", ".py", ".html", ".c", ".js", ".sql")
    },
    "explanation": lambda folder, source: command("rules", folder / source, "--explain", EXAMPLE),
    "explanation-json": lambda folder, source: command(
        "rules", folder / source, "--explain", EXAMPLE, "--json"
    ),
}


@pytest.mark.parametrize("source", ["shop.ruleplay", "list.json"])
@pytest.mark.parametrize("form", FORMS)
def test_every_form_names_categories_and_speaks_of_missing_values(folder, form, source):
    text = FORMS[form](folder, source)
    assert re.search(r"Team, large", text)
    assert MISSING.search(text)
    for code in CODES:
        assert not re.search(code, text), re.search(code, text)


@pytest.mark.parametrize("source", ["shop.ruleplay", "list.json"])
def test_a_map_has_the_categories_on_its_axis_and_in_its_title(folder, source):
    text = drawn(folder, source)
    assert all(f">{tariff}</text>" in text for tariff in TARIFFS)
    assert re.search(r"where active = (True|False), zip = \d+", text)


@pytest.mark.parametrize("how", ["--compact", "--strongest"])
@pytest.mark.parametrize("form", ["text", "json", "page"])
def test_every_form_of_fit_names_categories_and_speaks_of_missing_values(folder, form, how):
    page, call = folder / "fit.html", ["fit", folder / "shop.csv", "--target", "bought", how]
    if form == "page":
        command(*call, "--report", page, "--force")
        text = page.read_text(encoding="utf-8")
    else:
        text = command(*call, *(["--json"] if form == "json" else []))
    assert re.search(r"tariff in \{[^}]*Team, large", text)
    assert MISSING.search(text)
    for code in CODES:
        assert not re.search(code, text), re.search(code, text)


READERS = {
    "text": lambda rules: rules.text(),
    "records": lambda rules: json.dumps(rules.records(), ensure_ascii=False),
    "table": lambda rules: rules.table().to_string(),
    "page": lambda rules: render_explorer(rules, name="shop"),
    "explanation": lambda rules: explain(rules, rules.encode([[4.5, TARIFFS[2], "True", None]])[0]),
}


@pytest.mark.parametrize("reader", READERS)
def test_an_engine_on_its_own_names_categories_too(model, folder, reader):
    for engine in (model.engine_, XCS.load(folder / "shop.ruleplay")):
        text = str(READERS[reader](RuleSet.of(engine)))
        assert re.search(r"Team, large", text)
        for code in CODES:
            assert not re.search(code, text), re.search(code, text)


@pytest.mark.parametrize("which", ["all", "list"])
def test_the_python_function_takes_and_returns_what_the_user_has(model, which):
    rules = model.ruleset_ if which == "all" else short_list(model)
    space = {}
    exec(compile(rules.to_python(), "rules.py", "exec"), space)
    rows = shop()[0].astype(object)
    rows.loc[::7, "tariff"] = None
    rows.loc[::11, "tariff"] = "unheard of"
    rows.loc[::13, "tenure"] = None
    decided = [space["decide"](row) for row in rows.to_numpy(object).tolist()]
    assert decided == model.classes_[rules.actions(rules.encode(rows))].tolist()
    assert set(decided) == {"yes", "no"}


def test_json_conditions_are_lists_of_categories(model):
    document = json.loads(model.ruleset_.to_json())
    assert document["features"][1] == {"name": "tariff", "categories": TARIFFS}
    conditions = [rule["if"]["tariff"] for rule in document["rules"] if "tariff" in rule["if"]]
    assert len(conditions) > 20
    assert all(set(condition["in"]) < set(TARIFFS) for condition in conditions)


def test_json_comes_back_with_categories_classes_and_decisions(model):
    rows = model.ruleset_.encode(shop()[0])
    for rules in (model.ruleset_, short_list(model)):
        again = RuleSet.from_json(rules.to_json())
        assert again.to_json() == rules.to_json()
        assert (again.features, again.outcomes) == (rules.features, rules.outcomes)
        np.testing.assert_array_equal(again.values(rows), rules.values(rows))
        assert again.text() == rules.text()


def test_csv_cells_are_lists_of_categories(model):
    cells = list(csv.DictReader(io.StringIO(model.ruleset_.to_csv())))
    assert {row["missing_values"] for row in cells} == {"match"}
    assert {row["class"] for row in cells} == {"yes", "no"}
    for row, members in zip(cells, model.rules_["in_tariff"], strict=True):
        assert json.loads(row["in_tariff"]) == list(members)


@pytest.mark.parametrize("suffix", [".txt", ".json", ".csv", ".py", ".html", ".c", ".js", ".sql"])
def test_our_own_files_are_replaced_without_a_question(folder, suffix):
    path = folder / f"again{suffix}"
    for _ in range(2):
        command("rules", folder / "shop.ruleplay", "--out", path)


def test_all_forms_agree_on_what_a_rule_says(model):
    rules = model.ruleset_
    *lines, _ = rules_text(rules, None).splitlines()
    for line, record in zip(lines, rules.records(), strict=True):
        assert line.startswith(f"IF {record['if']} THEN {record['then']} (")
        assert (record["then"] == record["action"]) == (record["prediction"] >= 500)


def test_conditions_that_let_every_category_pass_are_not_said(model):
    for record, members in zip(model.rules_records(), model.rules_["in_active"], strict=True):
        assert ("active" in record["condition"]) == (len(members) < 2)
        assert ("active in" in record["if"]) == (len(members) < 2)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ("4.5,Gold,True,1", "tariff must be one of Basic, Pro (annual), Team, large, Zürich, or ?"),
        ("4.5,Basic,True", "--explain must be 4 values separated by commas (tenure, tariff, "),
        ("x,Basic,True,1", "tenure must be a number, or ?, got 'x'"),
    ],
    ids=["category", "too-few", "number"],
)
def test_odd_values_are_refused_in_a_sentence(folder, values, message):
    result = CliRunner().invoke(app, ["rules", str(folder / "shop.ruleplay"), "--explain", values])
    assert result.exit_code == 2
    assert message in result.stderr


def test_linear_models_with_categories_are_the_same_everywhere():
    rows, labels = shop()
    rows = rows.drop(columns="zip")
    model = XCSClassifier(n_steps=2000, population_size=200, random_state=0, prediction="linear")
    rules = model.fit(rows, labels).ruleset_
    numbers = rules.encode(rows)
    np.testing.assert_allclose(rules.values(numbers), model.engine_.predict(numbers), rtol=1e-6)
    again = RuleSet.from_json(rules.to_json())
    np.testing.assert_array_equal(again.values(numbers), rules.values(numbers))
    space = {}
    exec(compile(rules.to_python(), "rules.py", "exec"), space)
    decided = [space["decide"](row) for row in rows.to_numpy(object).tolist()]
    assert decided == model.classes_[rules.actions(numbers)].tolist()
    with pytest.raises(ValueError, match="tariff must be known, got 'Gold'"):
        space["decide"]([1.0, "Gold", "True"])


def test_the_map_of_a_category_alone_can_be_drawn(model, tmp_path):
    rules = model.ruleset_
    assert draw_map(rules, ["active", "tariff"], path=tmp_path / "map.png", resolution=20)


def test_files_of_rules_written_before_categories_are_read():
    path = Path(__file__).parent.parent / "data" / "rules_version_1.json"
    rules = RuleSet.from_json(path)
    assert rules.text().splitlines() == [
        "IF speed ≥ 50 THEN stop (value 1.0, error 1.0, seen 10 times)",
        "ELSE IF 10 ≤ speed ≤ 20 AND angle ≤ 0.25 THEN go (value 2.0, error 1.0, seen 10 times)",
        "ELSE go",
    ]
    assert rules.actions([[60.0, 0.0], [15.0, 0.0], [30.0, 0.0]]).tolist() == [0, 1, 1]
