"""`fit`, `rules` and `predict` learn, show and answer quantities from CSV files."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from ruleplay import RuleListRegressor, XCSRegressor
from ruleplay.cli import app


def call(*arguments, **options):
    return CliRunner().invoke(app, list(map(str, arguments)), **options)


def flats(count, seed):
    """Make flats whose price follows another line in each of two districts."""
    random = np.random.default_rng(seed)
    district = random.choice(["Harbour", "Hill", "Mill"], count)
    area = random.uniform(20, 150, count).round(1)
    price = 40 + np.where(district == "Hill", 5.0, 3.0) * area + random.normal(0, 15, count)
    return pd.DataFrame({"area": area, "district": district, "price": price.round(0).astype(int)})


SMALL = ("--set", "n_steps=3000", "--set", "population_size=300", "--set", "error_threshold=20")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with a table, a model of it, its page, and what `fit` said."""
    folder = tmp_path_factory.mktemp("flats")
    flats(400, 0).to_csv(folder / "flats.csv", index=False)
    flats(60, 1).to_csv(folder / "new.csv", index=False)
    saved, page = folder / "price.ruleplay", folder / "price.html"
    done = call(
        *("fit", folder / "flats.csv", "--target", "price", *SMALL),
        *("--save", saved, "--report", page),
    )
    assert done.exit_code == 0, done.output
    (folder / "said.txt").write_text(done.stdout, encoding="utf-8")
    (folder / "remarks.txt").write_text(done.stderr, encoding="utf-8")
    return folder


def test_fit_says_that_the_target_is_a_quantity_and_how_to_change_it(folder):
    remarks = (folder / "remarks.txt").read_text(encoding="utf-8")
    assert "300 rows to learn from, 100 to test with, 2 columns, the quantity 'price'" in remarks
    found = re.search(
        r"price is taken for a quantity: (\d+) different numbers, (\d+) to (\d+) "
        r"\(for classes: --column price=text\)",
        remarks,
    )
    price = flats(400, 0)["price"]
    assert [int(n) for n in found.groups()] == [price.nunique(), price.min(), price.max()]


def test_large_numbers_and_dates_are_in_words_that_people_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table, days = flats(400, 0), np.arange(400) % 365
    table["sold"] = (pd.Timestamp("2021-01-01") + pd.to_timedelta(days, "D")).strftime("%F")
    table["price"] = table["price"] * 5003 + 4000 * days
    table.to_csv("flats.csv", index=False)
    fit = ("fit", "flats.csv", "--target", "price", *SMALL[:-1], "error_threshold=100000")
    done = call(*fit, "--save", "price.ruleplay", "--report", "price.html")
    assert done.exit_code == 0, done.output
    page = (tmp_path / "price.html").read_text(encoding="utf-8")
    predicted = call("predict", "price.ruleplay", "flats.csv", "--out", "answers.csv")
    read = call("rules", "price.ruleplay")
    assert f"{table['price'].min()} to {table['price'].max()} (for classes" in done.stderr
    assert "as a program" not in done.stderr
    for text in (done.output, predicted.output, read.output, page.split("<script")[0]):
        assert not re.search(r"\de\+\d", text)
    for text in (done.stdout, read.stdout, page):
        assert "In a formula, sold counts days from 1970-01-01." in text


def test_fit_sums_up_in_the_targets_unit(folder):
    said = (folder / "said.txt").read_text(encoding="utf-8")
    found = re.match(
        r"on new rows like these, answers will be off by about (\d+); always answering the mean, "
        r"(\d+), would be off by (\d+), the list of 1 rule and one for all other rows by (\d+)\n",
        said,
    )
    off, mean, usual, listed = map(int, found.groups())
    assert off < 25
    assert listed < 25
    assert 100 < usual < 250
    assert 300 < mean < 450
    assert re.search(r"IF district in \{Hill\} THEN price = \d+ \+ \d\.\d+ area ± \d+ \(", said)
    assert "in nine of ten" in said
    assert "shorter and longer lists" in said


def test_the_figures_are_those_of_the_rows_held_out(folder):
    done = call("fit", folder / "flats.csv", "--target", "price", *SMALL, "--json")
    document = json.loads(done.stdout)
    assert document["task"] == "quantity"
    assert document["rows"] == {"train": 300, "test": 100}
    tested, usual = document["test"], document["test"]["always_mean"]
    assert tested["root_mean_squared_error"] < 25 < usual["root_mean_squared_error"]
    assert tested["r2"] > 0.95 > usual["r2"]
    assert not tested["no_better_than_mean"]
    short = document["short_list"]
    assert sum(rule["rows"] for rule in [*short["rules"], short["otherwise"]]) == 300
    assert short["otherwise"]["condition"] == ""
    assert short["front"][0]["rules"] == 0


def test_the_page_draws_answers_and_errors(folder):
    page = (folder / "price.html").read_text(encoding="utf-8")
    assert 'aria-label="Answers against what is right"' in page
    assert 'aria-label="Root mean squared error against the number of rules"' in page
    assert page.count('class="dot"') >= 100
    assert "is taken for a quantity" in page
    assert not re.search(r"(src|href)=\"?https?:", page)


def test_the_model_is_a_list_and_the_regressor_that_it_is_made_of(folder):
    model = RuleListRegressor.load(folder / "price.ruleplay")
    rows = flats(60, 1)
    assert model.score(rows, rows["price"]) > 0.97
    assert XCSRegressor.load(folder / "price.ruleplay").score(rows, rows["price"]) > 0.97
    assert model.estimator_.training_table_.target_style == "plain"


def test_rules_shows_the_list_all_rules_and_other_lengths(folder):
    saved = folder / "price.ruleplay"
    model = RuleListRegressor.load(saved)
    shown = call("rules", saved)
    assert shown.stdout.strip() == model.text()
    assert "in predictions of rows held out in turn" in shown.stderr
    assert "'price' from 300 rows of" in shown.stderr
    assert call("rules", saved, "--max-rules", 0).stdout.startswith("ALWAYS price = ")
    everything = call("rules", saved, "--all", "--top", 3).stdout
    assert len(re.findall(r"THEN price = .* \(seen \d+ times?\)", everything)) == 3
    assert json.loads(call("rules", saved, "--json").stdout)["front"] == model.front().records()


def test_rules_of_a_list_are_written_as_json_and_read_again(folder, tmp_path):
    written = tmp_path / "price.json"
    assert call("rules", folder / "price.ruleplay", "--out", written).exit_code == 0
    listed = call("rules", folder / "price.ruleplay").stdout
    assert call("rules", written).stdout == listed
    told = call("rules", written, "--explain", "50,Hill").stdout
    assert told.startswith("area 50, district Hill: price = ")


@pytest.mark.parametrize("arguments", [(), ("--all",)])
def test_a_page_has_the_list_what_it_says_and_rows_of_a_table(folder, tmp_path, arguments):
    page, data = tmp_path / "price.html", folder / "flats.csv"
    done = call("rules", folder / "price.ruleplay", *arguments, "--out", page, "--data", data)
    assert done.exit_code == 0, done.output
    text = page.read_text(encoding="utf-8")
    assert text.count('<li class="otherwise">') == 1
    assert "price from " in text
    model = json.loads(re.search(r'id="model">(.*?)</script>', text)[1])
    assert model["known"] == "rows of flats.csv"
    assert (model["intervals"] is None) == (not arguments)
    assert ["known_answers", "f8", 300] in model["columns"]


def test_rows_without_the_quantity_are_refused_on_a_page(folder, tmp_path):
    flats(20, 2).drop(columns="price").to_csv(tmp_path / "new.csv", index=False)
    wanted = ("--out", tmp_path / "price.html", "--data", tmp_path / "new.csv")
    done = call("rules", folder / "price.ruleplay", *wanted)
    assert done.exit_code == 2
    assert "has no column 'price', which has the quantity" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--compact"], "--compact makes lists of rules that decide"),
        (["--format", "sql"], "rules about quantities cannot be written as SQL"),
        (["--format", "card"], "a model card needs a model of XCSClassifier"),
    ],
)
def test_what_rules_about_quantities_cannot_be_is_said(folder, arguments, message):
    done = call("rules", folder / "price.ruleplay", *arguments)
    assert done.exit_code == 2
    assert message in done.stderr


def test_predict_answers_with_errors_and_reasons(folder, tmp_path):
    out = tmp_path / "answers.csv"
    done = call("predict", folder / "price.ruleplay", folder / "new.csv", "--explain", "--out", out)
    assert done.exit_code == 0, done.output
    table, rows = pd.read_csv(out), flats(60, 1)
    assert list(table) == [*rows, "predicted_price", "off_by", "reason"]
    expected = RuleListRegressor.load(folder / "price.ruleplay").predict(rows)
    np.testing.assert_allclose(table["predicted_price"], expected, atol=0.051)
    assert table["reason"].str.match(r"rule \d: .*price = .* ± ").all()
    found = re.search(r"off by (\d+) \(root mean square; R² ([\d.]+)\) in 60 rows", done.stdout)
    true_error = np.sqrt(np.mean((expected - rows["price"]) ** 2))
    assert int(found[1]) == pytest.approx(true_error, abs=0.6)
    assert float(found[2]) == pytest.approx(
        1 - true_error**2 / rows["price"].var(ddof=0), abs=0.002
    )


def test_predict_asks_all_rules_and_takes_what_is_missing(folder, tmp_path):
    rows = flats(30, 2).drop(columns=["price", "district"])
    rows.to_csv(tmp_path / "new.csv", index=False)
    done = call(
        *("predict", folder / "price.ruleplay", tmp_path / "new.csv", "--all", "--json"),
        *("--explain",),
    )
    document = json.loads(done.stdout)
    assert document["decided_by"] == "all rules"
    assert document["test"] is None
    assert document["answers"]["least"] <= document["answers"]["mean"]
    assert all("THEN price = " in one["reason"] for one in document["predictions"])
    assert document["columns"]["district"]["is_there"] is False


def test_numbers_with_commas_are_quantities_too(folder, tmp_path):
    table = flats(120, 3).assign(price=lambda t: [f"{p},5" for p in t["price"]])
    table.to_csv(tmp_path / "comma.csv", index=False, sep=";")
    saved = tmp_path / "comma.ruleplay"
    done = call("fit", tmp_path / "comma.csv", "--target", "price", *SMALL, "--save", saved)
    assert done.exit_code == 0, done.output
    scored = call("predict", saved, tmp_path / "comma.csv", "--out", tmp_path / "out.csv")
    assert re.search(r"off by \d+ \(root mean square; R² 0\.9", scored.stdout)


def test_noise_is_no_better_than_the_mean(tmp_path):
    random = np.random.default_rng(0)
    table = pd.DataFrame({"x": random.random(120).round(3), "y": random.normal(size=120).round(3)})
    table.to_csv(tmp_path / "noise.csv", index=False)
    done = call(
        "fit", tmp_path / "noise.csv", "--target", "y", "--set", "n_steps=2000", "--seed", 1
    )
    assert done.stdout.startswith("the model is no better than always answering the mean, ")


def test_few_numbers_stay_classes_unless_somebody_says_so(tmp_path):
    table = flats(200, 0)
    table["price"] = (table["price"] > 300).astype(int) + (table["price"] > 450)
    table.to_csv(tmp_path / "few.csv", index=False)
    classes = call("fit", tmp_path / "few.csv", "--target", "price", "--set", "n_steps=500")
    assert "3 classes of 'price'" in classes.stderr
    numbers = call(
        *("fit", tmp_path / "few.csv", "--target", "price", "--set", "n_steps=500"),
        *("--column", "price=number"),
    )
    assert "the quantity 'price'" in numbers.stderr


def test_a_quantity_may_be_tested_with_another_file_and_without_a_list(folder):
    done = call(
        *("fit", folder / "flats.csv", "--target", "price", "--test", folder / "new.csv"),
        *("--strongest", "--top", 2, *SMALL),
    )
    assert done.exit_code == 0, done.output
    assert "on 60 rows that it has not learned from" in done.stdout
    assert len(re.findall(r"THEN price = ", done.stdout)) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--set", "class_weight=balanced"], "class_weight is for classes, and 'price' is a"),
        (["--forbid-feature", "area"], "--forbid-feature is for classes"),
        (["--column", "price=date"], "this is the target, whose values are classes"),
        (["--test-share", "1"], "--test-share must lie in [0, 1)"),
    ],
)
def test_options_that_do_not_suit_a_quantity_are_refused(folder, arguments, message):
    done = call("fit", folder / "flats.csv", "--target", "price", *arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert done.stderr.strip().splitlines()[-1].startswith("error: ")


@pytest.mark.parametrize(
    ("prices", "message"),
    [
        (["5"] * 30, "is '5' in each row: there is nothing to tell apart"),
        ([*map(str, range(29)), "inf"], "is infinite in 1 row, such as 'inf': correct these rows"),
        ([*map(str, range(25)), *["about 300"] * 5], "has 25 numbers and 5 texts such as"),
    ],
    ids=["constant", "infinite", "text"],
)
def test_targets_that_cannot_be_learned_are_refused_in_one_line(tmp_path, prices, message):
    pd.DataFrame({"area": range(30, 60), "price": prices}).to_csv(tmp_path / "odd.csv", index=False)
    done = call("fit", tmp_path / "odd.csv", "--target", "price")
    assert done.exit_code == 2
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_single_row_is_refused(tmp_path):
    (tmp_path / "one.csv").write_text("area,price\n50,300\n", encoding="utf-8")
    done = call("fit", tmp_path / "one.csv", "--target", "price", "--column", "price=number")
    assert done.exit_code == 2
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.fixture(scope="module")
def sine(tmp_path_factory):
    """Return the model of a short run on a function."""
    saved = tmp_path_factory.mktemp("sine") / "sine.ruleplay"
    done = call("run", "functions/sine", "--steps", 1500, "--save", saved)
    assert done.exit_code == 0, done.output
    return saved


def test_rules_about_a_function_say_its_value(sine):
    lines = call("rules", sine, "--top", 5).stdout.splitlines()
    assert len(lines) == 5
    assert all(re.search(r"THEN value = .* ± [\d.]+ \(seen \d+ times?\)$", line) for line in lines)
    told = call("rules", sine, "--explain", "0.5,0.25").stdout
    assert told.startswith("x 0.50, y 0.25: value = ")


def test_the_page_about_a_function_speaks_of_values(sine, tmp_path):
    page = tmp_path / "sine.html"
    assert call("rules", sine, "--out", page).exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert re.search(
        r"the mean of all that match is taken\. 2 features; value from -1\.0+ to 1\.", text
    )
    assert "actions: " not in text
