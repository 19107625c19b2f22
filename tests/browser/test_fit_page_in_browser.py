"""The page of `ruleplay fit` and the explorer of its model: all fields, real rows, nothing cut."""

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from browser.looks import faint_texts, overflow
from ruleplay.cli import app
from ruleplay.learners.rule_list import RuleListClassifier

N_ROWS = 160
READY = ".explorer[data-ready]"
NUMBERS = [f"measure {k}" for k in range(11)]

START = "document.querySelector('.explorer').explorer.observation.values"
CONDITIONS = """() => {
  const { rules } = document.querySelector('.explorer').explorer;
  return Array.from({ length: rules.size }, (_, rule) => rules.conditions(rule));
}"""


def made_up():
    """Return a table of 14 columns, one a date, two of categories, of which some decide."""
    random = np.random.default_rng(3)
    table = pd.DataFrame(random.normal(50, 9, (N_ROWS, 11)).round(1), columns=NUMBERS)
    days = random.integers(0, 900, N_ROWS)
    table["signed up"] = (pd.Timestamp("2021-01-01") + pd.to_timedelta(days, "D")).strftime("%F")
    table["plan"] = random.choice(["Basic", "Pro", "Team"], N_ROWS)
    table["city"] = random.choice([f"city {k:02d}" for k in range(14)], N_ROWS)
    leaves = (table["plan"] == "Basic") & (days > 300)
    table["leaves"] = np.where(leaves, "yes", "no")
    table.loc[::9, "measure 3"] = np.nan
    return table


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return a folder with the table, a model, its page and the page of all its rules."""
    folder = tmp_path_factory.mktemp("fit")
    made_up().to_csv(folder / "clients.csv", index=False)
    fit = ["fit", "clients.csv", "--target", "leaves", "--epochs", "60"]
    read = ["rules", "model.ruleplay", "--all", "--out", "rules.html"]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for words in ([*fit, "--save", "model.ruleplay", "--report", "page.html"], read):
            result = CliRunner().invoke(app, words)
            assert result.exit_code == 0, result.output
    return folder


def opened(visit, path, **settings):
    page = visit(path, **settings)
    page.locator(".explorer").evaluate("place => place.scrollIntoView()")
    page.wait_for_selector(READY)
    return page


@pytest.mark.parametrize("name", ["page.html", "rules.html"])
@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1300, "light")])
def test_nothing_is_cut_and_all_can_be_read(made, visit, name, width, scheme):
    page = opened(visit, made / name, width=width, color_scheme=scheme)
    assert overflow(page) == 0
    assert faint_texts(page) == []
    boxes = "[...document.querySelectorAll('.fields, .rule-list')]"
    assert page.evaluate(f"{boxes}.every((e) => getComputedStyle(e).overflow === 'visible')")
    fields = page.locator(".field")
    assert fields.count() == 14
    assert all(field.is_visible() for field in fields.all())


@pytest.mark.parametrize("width", [390, 1300])
def test_names_of_classes_are_not_broken(made, visit, width):
    page = visit(made / "page.html", width=width)
    lines = page.evaluate(
        """() => [...document.querySelectorAll(".confusions tbody th")].map((head) => {
          head.textContent = "hypothyroidism";
          const range = document.createRange();
          range.selectNodeContents(head);
          return range.getClientRects().length;
        })"""
    )
    assert lines == [1, 1]
    assert overflow(page) == 0


def test_the_list_is_ordered_and_ends_with_what_is_decided_otherwise(made, visit):
    page = opened(visit, made / "page.html")
    model = RuleListClassifier.load(made / "model.ruleplay")
    chosen = model.front().of_length(model.n_rules_)
    items = page.locator("ol.rule-list > li")
    assert items.count() == model.n_rules_ + 1
    texts = [" ".join(text.split()) for text in items.all_inner_texts()]
    for place, (text, (rows, right)) in enumerate(zip(texts, chosen.counts, strict=True)):
        assert f"{right} of {rows} rows right" in text
        assert text.startswith("IF" if place < model.n_rules_ else "OTHERWISE")
    assert "signed up ≥ 2021" in texts[0]
    assert page.locator("ol.rule-list .bar i.match").count() == model.n_rules_ + 1
    assert page.locator(".confusions td").count() == 4
    assert page.locator(".importance li").count() == 14


@pytest.mark.parametrize("name", ["page.html", "rules.html"])
def test_the_explorer_begins_at_a_row_that_was_learned_from(made, visit, name):
    page = opened(visit, made / name)
    model = RuleListClassifier.load(made / "model.ruleplay").estimator_
    known = model.numbers(made_up().drop(columns="leaves"))
    start = np.array(page.evaluate(START), np.float64)
    same = np.isclose(known, start, equal_nan=True).all(axis=1)
    assert same.any()
    truth = made_up()["leaves"][same].iloc[0]
    count = {"page.html": 120, "rules.html": 2}[name]  # all that were learned from; one of a class
    said = f" of {count}, in truth {truth}"
    assert said in page.locator(".observation output").inner_text()
    page.get_by_label("Next row").click()
    other = np.array(page.evaluate(START), np.float64)
    assert np.isclose(known, other, equal_nan=True).all(axis=1).any()
    page.get_by_label("measure 0", exact=True).fill("51.25")
    assert page.locator(".observation output").inner_text().endswith("changed")


def test_rows_of_a_file_are_drawn_on_request(made, visit, monkeypatch):
    monkeypatch.chdir(made)
    words = ["rules", "model.ruleplay", "--data", "clients.csv", "--out", "dots.html"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    page = opened(visit, made / "dots.html")
    assert page.evaluate("document.querySelector('.explorer').explorer.known.length") == N_ROWS
    assert f"Dots: {N_ROWS} rows of clients.csv." in page.locator(".planes").inner_text()
    made_up().drop(columns="leaves").to_csv(made / "new.csv", index=False)
    refused = CliRunner().invoke(app, [*words[:3], "new.csv", "--out", "more.html"])
    assert refused.exit_code == 2
    assert "new.csv has no column 'leaves', which has the classes" in refused.output


def test_classes_categories_and_dates_are_spoken_of_as_the_terminal_does(made, visit):
    page = opened(visit, made / "rules.html")
    rules = RuleListClassifier.load(made / "model.ruleplay").estimator_.ruleset_
    assert page.evaluate(CONDITIONS) == [rules.phrases(place) for place in range(len(rules))]
    said = page.locator("main").inner_text()
    assert "action" not in said
    assert "not yes" in said
    date = page.get_by_label("signed up", exact=True)
    assert date.get_attribute("type") == "date"
    date.fill("2022-05-04")
    assert page.evaluate(START)[11] == (pd.Timestamp("2022-05-04") - pd.Timestamp(0)).days
    low, high = made_up()["signed up"].min(), made_up()["signed up"].max()
    assert f"{low} to {high}" in page.locator(".field", has_text="signed up").inner_text()
