"""`ruleplay fit` learns from a CSV file, says how well, and writes rules that can be read."""

import html
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from typer.testing import CliRunner

from ruleplay.cli import app
from ruleplay.learners.classifier import XCSClassifier

ROOT = Path(__file__).parents[2]


def call(*arguments, **options):
    return CliRunner().invoke(app, ["fit", *map(str, arguments)], **options)


@pytest.fixture(scope="module")
def iris(tmp_path_factory):
    data = load_iris(as_frame=True)
    path = tmp_path_factory.mktemp("data") / "iris.csv"
    data.data.assign(species=data.target_names[data.target]).to_csv(path, index=False)
    return path


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    """Return a table with all that tables have: dates, ids, commas, gaps, categories."""
    random, n = np.random.default_rng(0), 300
    colour, size = random.choice(["red", "green", "blue", "black"], n), 10 * random.random(n)
    table = pd.DataFrame(
        {
            "id": [f"C{k:04d}" for k in range(n)],
            "when": [f"2024-01-{1 + k % 28:02d}" for k in range(n)],
            "colour": colour,
            "size": [f"{value:.2f}".replace(".", ",") for value in size],
            "weight": np.where(random.random(n) < 0.1, "NA", random.integers(1, 50, n)),
            "bought": np.where(np.isin(colour, ["red", "blue"]) & (size > 4), "yes", "no"),
        }
    )
    table.loc[3, "bought"] = ""
    path = tmp_path_factory.mktemp("data") / "shop.csv"
    table.to_csv(path, index=False, sep=";")
    return path


def test_iris_is_learned_and_its_rules_are_read(iris, tmp_path):
    model, page = tmp_path / "iris.ruleplay", tmp_path / "iris.html"
    result = call(iris, "--target", "species", "--save", model, "--report", page)
    assert result.exit_code == 0, result.output
    found = re.search(r"accuracy +([0-9.]+)  \((\d+) of 39; 95 % interval", result.stdout)
    assert float(found[1]) > 0.85
    assert "always 'setosa': accuracy 0.333, balanced 0.333" in result.stdout
    assert re.search(r"in short, \d rules? instead of \d+, with accuracy", result.stdout)
    assert re.search(r"IF .*petal .* THEN \w+  \(\d+ of \d+ rows right\)", result.stdout)
    read = CliRunner().invoke(app, ["rules", str(model)])
    assert read.exit_code == 0
    listed = [line.strip() for line in result.stdout.splitlines() if " rows right)" in line]
    assert read.stdout.splitlines()[: len(listed)] == listed
    first = CliRunner().invoke(app, ["rules", str(model), "--top", "1"]).stdout.splitlines()
    more = len(listed) - 2
    assert first[:2] == [listed[0], f"ELSE ... ({more} more rule{'s' * (more > 1)})"]
    assert XCSClassifier.load(model).classes_.tolist() == ["setosa", "versicolor", "virginica"]
    text = page.read_text(encoding="utf-8")
    assert "virginica" in text
    assert not re.search(r"(src|href)=\"?https?:", text)
    assert "default-src 'none'" in html.unescape(text)
    for label in ("Accuracy against the number of rules", "Right answers against their"):
        assert f'role="img" aria-label="{label}' in text


def test_a_messy_table_is_learned_in_its_own_words(shop):
    result = call(shop, "--target", "bought", "--separator", ";")
    assert result.exit_code == 0, result.output
    assert "  id: left out: a different text in each row" in result.stderr
    assert "  when: dates, 2024-01-01 to 2024-01-28" in result.stderr
    assert "1 row has no 'bought' and is left out" in result.stderr
    assert "decimal commas: " in result.stderr
    assert re.search(r"size ≥ [34]\.\d+ AND colour in \{blue, red\} THEN yes", result.stdout)


def test_rules_of_a_saved_model_speak_of_categories_and_against_classes(shop, tmp_path):
    model = tmp_path / "shop.ruleplay"
    assert call(shop, "--target", "bought", "--separator", ";", "--save", model).exit_code == 0
    told = CliRunner().invoke(app, ["rules", str(model), "--all", "--top", "40"]).stdout
    assert re.search(r"colour in \{[a-z, ]+\}", told)
    values = map(float, re.findall(r"THEN not yes \(value ([\d.]+)", told))
    assert min(values) < 100.0
    judge = ["--compact", "--data", str(shop), "--separator", ";"]
    short = CliRunner().invoke(app, ["rules", str(model), *judge]).stdout
    assert "colour in {" in short
    assert "colour =" not in told + short


def test_json_has_every_figure_and_the_same_seed_gives_the_same(iris):
    arguments = ("-", "--target", "species", "--json", "--seed", 3, "--epochs", 60)
    first, second = (json.loads(call(*arguments, input=iris.read_bytes()).stdout) for _ in range(2))
    assert first.pop("seconds") > 0
    assert second.pop("seconds") > 0
    assert first == second
    assert first["rows"] == {"train": 111, "test": 39}
    assert first["test"]["majority"]["accuracy"] == pytest.approx(1 / 3)
    counts = np.array(first["test"]["confusions"]["counts"])
    assert counts.sum() == 39
    assert first["test"]["accuracy"] == pytest.approx(np.trace(counts) / 39)
    decided = [*first["short_list"]["rules"], first["short_list"]["otherwise"]]
    assert sum(rule["rows"] for rule in decided) == 111


def test_a_test_file_takes_the_place_of_held_out_rows(iris):
    result = call(iris, "--target", "species", "--test", iris, "--json", "--epochs", 60)
    assert json.loads(result.stdout)["rows"] == {"train": 150, "test": 150}


def test_without_held_out_rows_nothing_is_claimed(iris):
    result = call(
        iris, "--target", "species", "--test-share", 0, "--epochs", 60, "--strongest", "--top", 2
    )
    assert "no rows were held out" in result.stdout
    assert "the strongest of" in result.stdout
    assert len([line for line in result.stdout.splitlines() if line.startswith("IF ")]) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--set", "foo=1"], "unknown setting: 'foo'"),
        (["--set", "learning_rate=2"], "learning_rate (beta) must lie in (0, 1]"),
        (["--set", "class_weight=light"], "class_weight"),
        (["--test", "x.csv", "--test-share", "0.5"], "exclude each other"),
        (["--save", "/nowhere/model"], "there is no folder"),
        (["--save", "model.json"], "--save must not end in .json"),
        (["--report", "page.txt"], "--report must end in .html"),
        (["--drop", "petal"], "--drop: unknown column: 'petal'"),
    ],
)
def test_wrong_usage_is_said_in_one_line(iris, arguments, message):
    result = call(iris, "--target", "species", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.splitlines()[-1].startswith("error: ")


def test_linear_predictions_need_all_values(shop):
    result = call(shop, "--target", "bought", "--separator", ";", "--set", "prediction=linear")
    assert result.exit_code == 2
    assert "prediction must be 'scalar' if values are missing (column 'weight')" in result.stderr


def test_a_list_of_a_saved_model_is_judged_by_rows_or_refused(shop, tmp_path):
    model = tmp_path / "shop.ruleplay"
    forgetful = ("--set", "replay=none", "--epochs", 100)
    learned = call(shop, "--target", "bought", "--separator", ";", "--save", model, *forgetful)
    assert learned.exit_code == 0
    command = ["rules", str(model), "--compact"]
    alone = CliRunner().invoke(app, command)
    assert alone.exit_code == 2
    assert "--compact needs rows that judge the rules of shop.ruleplay" in alone.stderr
    assert "add --data FILE.csv" in alone.stderr
    judged = CliRunner().invoke(app, [*command, "--data", str(shop), "--separator", ";", "--json"])
    made = json.loads(judged.stdout)["compaction"]
    assert made["judged_on"] == "given observations"
    assert made["agreement"] > 0.95
    assert re.search(r"% of held-out observations$", judged.stderr, re.MULTILINE)
    short = json.loads(judged.stdout)["rules"]
    assert any("colour" in rule["condition"] for rule in short)


def test_a_list_of_a_model_that_remembers_is_judged_by_what_it_does(iris, tmp_path):
    model = tmp_path / "iris.ruleplay"
    replay = ("--set", "replay=uniform", "--set", "replay_warmup=0", "--epochs", 5)
    assert call(iris, "--target", "species", *replay, "--save", model).exit_code == 0
    told = CliRunner().invoke(app, ["rules", str(model), "--compact"])
    assert told.exit_code == 0, told.output
    assert "% of held-out remembered observations" in told.stderr


@pytest.mark.parametrize(
    ("columns", "arguments", "message"),
    [
        ("colour,size", ["--compact"], "has no column 'when', which the model learns from"),
        ("colour,size", [], "--data needs --compact, or a page"),
    ],
    ids=["column", "compact"],
)
def test_data_that_cannot_judge_are_refused(shop, tmp_path, columns, arguments, message):
    model, data = tmp_path / "shop.ruleplay", tmp_path / "other.csv"
    done = call(shop, "--target", "bought", "--separator", ";", "--save", model, "--epochs", 1)
    assert done.exit_code == 0
    data.write_text(f"{columns}\nred,1\nblue,2\n")
    told = CliRunner().invoke(app, ["rules", str(model), *arguments, "--data", str(data)])
    assert told.exit_code == 2
    assert message in told.stderr


def test_a_model_that_has_learned_nothing_says_so(iris, tmp_path):
    random = np.random.default_rng(0)
    table = pd.DataFrame({"x": random.random(200), "y": random.choice(["a", "b"], 200)})
    table.to_csv(tmp_path / "noise.csv", index=False)
    told = call(tmp_path / "noise.csv", "--target", "y", "--epochs", 2, "--seed", 1)
    assert "the model is no better than always answering 'b'" in told.stdout
    assert ", 1 column, 2 classes" in told.stderr
    assert "no better" not in call(iris, "--target", "species", "--epochs", 20).stdout


def test_a_summary_in_plain_words_comes_first(iris):
    told = call(iris, "--target", "species", "--epochs", 20).stdout
    assert re.match(
        r"of 100 new rows like these, about \d+ will be answered rightly \(\d+ to ", told
    )
    assert "always answering 'setosa' would be right in about 33, the list of " in told


def test_few_rows_of_a_class_and_many_classes_are_said(tmp_path):
    data = tmp_path / "many.csv"
    rows = [f"{k % 40},{k % 7},class {k % 40}" for k in range(200)]
    data.write_text("a,b,y\n" + "\n".join(rows))
    told = call(data, "--target", "y", "--epochs", 1, "--strongest").stderr
    assert "40 classes have fewer than 10 rows to learn from" in told
    assert "40 classes are many for rules" in told


def test_missing_values_are_counted_by_column(shop, tmp_path):
    page = tmp_path / "shop.html"
    how = ["--target", "bought", "--separator", ";", "--epochs", 1, "--report", page]
    told = call(shop, *how).stderr
    assert "missing in rows to learn from</th>" in page.read_text(encoding="utf-8")
    assert re.search(r"missing in the 22\d rows to learn from: 'weight' \d+$", told, re.MULTILINE)


def test_what_is_missing_is_told_in_the_order_of_the_file(tmp_path):
    kind, size, label = ["a", "?", "b", "a"], [1.5, 2.5, "?", 4.5], ["x", "y", "x", "y"]
    table = pd.DataFrame({"kind": kind * 10, "size": size * 10, "label": label * 10})
    table.to_csv(tmp_path / "t.csv", index=False)
    told = call(tmp_path / "t.csv", "--target", "label", "--test-share", 0, "--epochs", 1).stderr
    assert "the 40 rows to learn from: 'kind' 10, 'size' 10\n" in told


def test_a_mark_in_some_rows_says_something_and_the_same_in_all_does_not(tmp_path):
    random = np.random.default_rng(0)
    mark = np.where(random.random(200) < 0.4, "x", "")
    table = pd.DataFrame({"mark": mark, "size": random.random(200).round(3), "one": 1})
    table["number"] = np.where(mark == "x", "7", "")
    table["once"] = ["b"] + ["a"] * 199  # with this seed the first row is a test row
    table["left"] = np.where(mark == "x", "yes", "no")
    table.to_csv(tmp_path / "t.csv", index=False)
    result = call(tmp_path / "t.csv", "--target", "left", "--seed", 5)
    assert "  mark: text, 1 category\n" in result.stderr
    assert "  one: left out: the same value in each row\n" in result.stderr
    number = "the same value in each row that has one (else --column number=text)"
    assert f"  number: left out: {number}\n" in result.stderr
    assert "  once: left out: the same value in each row to learn from\n" in result.stderr
    assert re.search(r"mark in \{(x|\(missing\))\} THEN (yes|no)", result.stdout)


# --- odd signs ----------------------------------------------------------------------------------

ESCAPES = "\x1b]0;title\x07\x1b[2J\x9b31m\u202e"


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """Return a table whose labels, header and categories have odd and harmful signs."""
    random, n = np.random.default_rng(0), 160
    size, kind = random.random(n).round(3), random.choice([f"a{ESCAPES}b", "c\xa0d"], n)
    table = pd.DataFrame({"si\xa0ze": size, f"ki{ESCAPES}nd": kind})
    table["city"] = np.where(size > 0.5, "New\xa0York", f"Rio{ESCAPES}!")
    path = tmp_path_factory.mktemp("data") / "odd.csv"
    table.to_csv(path, index=False)
    return path


def test_odd_names_stay_in_figures_and_lists(odd):
    result = call(odd, "--target", "city")
    assert result.exit_code == 0, result.output
    assert re.search(r"IF si\xa0ze [≤≥] 0\.[45]\d* THEN", result.stdout)
    right, rows = re.search(r"New\xa0York  \((\d+) of (\d+) rows right\)", result.stdout).groups()
    assert int(right) > 0.95 * int(rows)
    document = json.loads(call(odd, "--target", "city", "--json").stdout)
    assert set(document["classes"]) == {"New\xa0York", f"Rio{ESCAPES}!"}
    assert f"ki{ESCAPES}nd" in document["categories"]
    listed = document["short_list"]
    assert listed["otherwise"]["right"] > 0.95 * listed["otherwise"]["rows"] > 0


@pytest.mark.parametrize("form", [(), ("--strongest",), ("--json",), ("--drop", "si\xa0ze")])
def test_harmful_signs_reach_no_terminal(odd, tmp_path, form):
    model, page = tmp_path / "odd.ruleplay", tmp_path / "odd.html"
    fitted = call(odd, "--target", "city", "--save", model, "--report", page, *form)
    assert fitted.exit_code == 0, fitted.output
    shown = [fitted.output, page.read_text(encoding="utf-8")]
    for options in ([], ["--json"], ["--explain", "0.5,c\xa0d"][: 2 * ("--drop" not in form)]):
        told = CliRunner().invoke(app, ["rules", str(model), *options])
        assert told.exit_code == 0, told.output
        shown.append(told.output)
    for suffix in ("txt", "json", "py", "svg"):
        path, option = tmp_path / f"rules.{suffix}", "--map" if suffix == "svg" else "--out"
        done = CliRunner().invoke(app, ["rules", str(model), option, str(path)])
        assert done.exit_code == 0, done.output
        shown.append(path.read_text(encoding="utf-8"))
    shown.append(call(odd, "--target", f"no{ESCAPES}").output)
    for text in shown:
        assert not set("\x1b\x07\x9b\u202e") & set(text)
    assert "\\x1b" in fitted.output or "\\u001b" in fitted.output


# --- nothing to say, and nothing lost -----------------------------------------------------------


@pytest.fixture(scope="module")
def lopsided(tmp_path_factory):
    """Return a table of 200 rows, 4 of them of another class for no reason."""
    random = np.random.default_rng(0)
    table = pd.DataFrame({"a": random.random(200).round(3), "b": random.random(200).round(3)})
    table["label"] = np.where(np.arange(200) % 50 == 7, "fraud", "ok")
    path = tmp_path_factory.mktemp("data") / "lopsided.csv"
    table.to_csv(path, index=False)
    return path


def test_a_list_without_rules_says_what_is_always_answered(lopsided, tmp_path):
    page = tmp_path / "page.html"
    result = call(lopsided, "--target", "label", "--epochs", 5, "--report", page)
    assert result.exit_code == 0, result.output
    assert re.search(r"in short, one answer instead of \d+ rules", result.stdout)
    assert "  ALWAYS ok  (147 of 150 rows right)" in result.stdout
    assert "missing value" not in result.stdout
    text = re.sub(r"<[^>]*>", " ", page.read_text(encoding="utf-8"))
    assert re.search(r"ALWAYS\s+ok\s+147 of 150 rows right", text)


def test_the_model_is_written_before_anything_that_may_fail(lopsided, tmp_path, monkeypatch):
    def fail(*_, **__):
        raise RuntimeError("no list today")

    monkeypatch.setattr("ruleplay.cli.fitting.fitting.shorten", fail)
    model = tmp_path / "model.ruleplay"
    result = call(lopsided, "--target", "label", "--epochs", 5, "--save", model)
    assert isinstance(result.exception, RuntimeError)
    assert XCSClassifier.load(model).classes_.tolist() == ["fraud", "ok"]


def test_an_interruption_after_learning_says_where_the_model_is(lopsided, tmp_path, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("ruleplay.cli.fitting.fitting.shorten", interrupt)
    model = tmp_path / "model.ruleplay"
    arguments = (lopsided, "--target", "label", "--epochs", 5)
    saved, not_saved = call(*arguments, "--save", model), call(*arguments)
    assert (saved.exit_code, not_saved.exit_code) == (130, 130)
    assert saved.stderr.endswith(f"interrupted: all was learned; the model is in {model}\n")
    assert not_saved.stderr.endswith("interrupted: all was learned; nothing was written\n")


@pytest.mark.parametrize(
    "rows",
    [
        "1,p\n2,p\n3,q\n4,q\n",
        "1,p\n,p\n,q\n4,q\n",
        "1,p\n2,p\n3,p\n4,q\n",
    ],
    ids=["four-rows", "gaps", "a-class-of-one-row"],
)
def test_tiny_tables_are_learned(tmp_path, rows):
    data = tmp_path / "tiny.csv"
    data.write_text("x,y\n" + rows)
    for options in ([], ["--json"], ["--test", data], ["--test-share", 0]):
        result = call(data, "--target", "y", "--epochs", 1, *options)
        assert result.exit_code == 0, result.output


@pytest.mark.parametrize("place", range(4))
def test_a_single_row_without_gaps_is_enough(tmp_path, place):
    """A list is learned from complete rows; if they are held out, the strongest rules do."""
    rows = [[str(k * 5 % 7), "", "pq"[k % 2]] for k in range(10)]
    rows[place][1], rows[-1][:2] = "1", ["", "2"]
    data = tmp_path / "gaps.csv"
    data.write_text("\n".join(["x,z,y", *map(",".join, rows)]))
    result = call(data, "--target", "y", "--epochs", 1, "--test-share", 0)
    assert result.exit_code == 0, result.output


def test_the_yardstick_is_the_most_frequent_class_whatever_rows_weigh(lopsided):
    arguments = (lopsided, "--target", "label", "--epochs", 5, "--set", "class_weight=balanced")
    result = call(*arguments)
    assert "always 'ok': accuracy 0.980, balanced 0.500" in result.stdout
    assert "class_weight" not in result.output
    majority = json.loads(call(*arguments, "--json").stdout)["test"]["majority"]
    assert majority["class"] == "ok"


def written(tmp_path, *rules):
    path = tmp_path / "rules.json"
    path.write_text(json.dumps([{"if": conditions, "then": label} for conditions, label in rules]))
    return path


def test_rules_by_hand_are_started_from_and_reported(iris, tmp_path):
    narrow = {"petal width (cm)": [None, 0.8]}
    rules = written(tmp_path, (narrow, "setosa"), ({"petal length (cm)": [90, None]}, "virginica"))
    page = tmp_path / "iris.html"
    arguments = (iris, "--target", "species", "--epochs", 3, "--start-from", rules)
    result = call(*arguments, "--report", page)
    assert result.exit_code == 0, result.output
    assert "of 2 rules by hand 1 is in the model; on the rows that it has" in result.stdout
    assert "1 hold for no value of these rows" in result.stdout
    assert "  IF petal width (cm) ≤ 0.80 THEN setosa  (37 of 37 rows right)" in result.stdout
    assert "Rules by hand" in page.read_text(encoding="utf-8")
    found = json.loads(call(*arguments, "--json").stdout)["rules_by_hand"]
    assert found == [
        {
            "if": "petal width (cm) ≤ 0.80",
            "class": "setosa",
            "protected": False,
            "in_model": True,
            "rows": 37,
            "right": 37,
        }
    ]


def test_rules_are_protected_and_features_forbidden(iris, tmp_path):
    rules, model = written(tmp_path, ({"0": [None, 5]}, "virginica")), tmp_path / "a.ruleplay"
    arguments = ("--epochs", 30, "--set", "population_size=20", "--save", model)
    forbidden = ("--forbid-feature", "petal width (cm)", "--forbid-feature", "petal length (cm)")
    result = call(
        iris, "--target", "species", "--start-from", rules, "--protect", *arguments, *forbidden
    )
    assert result.exit_code == 0, result.output
    assert "of 1 rule by hand 1 is in the model" in result.stdout
    assert "rows right, protected)" in result.stdout
    assert "IF" in result.stdout.partition("in short")[2]
    assert "petal" not in result.stdout
    told = CliRunner().invoke(app, ["rules", str(model), "--all", "--top", "1000"]).stdout
    assert "by hand, protected" in told
    assert "petal" not in told
    short = CliRunner().invoke(app, ["rules", str(model), "--compact"]).stdout
    assert "petal" not in short


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--protect"], "--protect needs --start-from"),
        (["--start-from", "nowhere.json"], "nowhere.json: No such file"),
        (["--forbid-feature", "petal"], "forbidden_features: unknown feature: 'petal'"),
        (["--set", "start_rules=3"], "unknown setting: 'start_rules'"),
    ],
)
def test_demands_that_make_no_sense_are_refused(iris, options, message):
    result = call(iris, "--target", "species", *options)
    assert result.exit_code != 0
    assert message in result.output


def test_a_rule_that_does_not_fit_the_data_is_refused(iris, tmp_path):
    rules = written(tmp_path, ({"petal width": [None, 5]}, "virginica"))
    result = call(iris, "--target", "species", "--start-from", rules)
    assert result.exit_code != 0
    assert "start_rules[0]: unknown feature: 'petal width'; did you mean" in result.output
