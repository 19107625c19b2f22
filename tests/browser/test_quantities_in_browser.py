"""The explorer says of quantities what the regressor says, and shows it on maps."""

import numpy as np
import pandas as pd
import pytest

from browser.looks import faint_texts, overflow, picture_of
from ruleplay import RuleListRegressor, XCSRegressor
from ruleplay.cli.reading.intervals import COVERAGE, intervals_of
from ruleplay.report.explorer import render_explorer
from ruleplay.rules.deciding import deciding_rules
from ruleplay.rules.drawing.planes import along_axis
from ruleplay.rules.quantities import error_digits, rounded

ESTIMATES = """(rows) => rows.map((row) => {
  const { rules } = document.querySelector('.explorer').explorer;
  return estimatesAt(rules, rules.explain(row.map((value) => value ?? NaN)))
    .map(({ value, deviation, half }) => [value, deviation, half]);
})"""

SAYINGS = """() => {
  const { rules } = document.querySelector('.explorer').explorer;
  return Array.from({ length: rules.size }, (_, rule) => rules.speaksFor(rule));
}"""

ON_MAP = """(cells) => {
  const { values, halves } = document.querySelector('.explorer').explorer.maps;
  return cells.map(([right, up]) => [values, halves].map((grid) => grid[up * SIDE + right]));
}"""

RIGHT_AND_UP = "document.querySelector('.explorer').explorer.plane"


def surface(n_features, rng, n=300):
    """Draw rows of numbers, of which the first two or five say a target in thousands."""
    rows = pd.DataFrame(
        rng.uniform(-3.0, 7.0, (n, n_features)), columns=[f"x{k}" for k in range(n_features)]
    )
    bent = 900.0 * np.sin(rows["x0"]) + 400.0 * np.maximum(rows["x1"], 1.0)
    more = 100.0 * rows[[f"x{k}" for k in range(2, min(n_features, 5))]].sum(axis=1)
    return rows, (5000.0 + bent + more + rng.normal(0.0, 40.0, n)).rename("load")


def flats(rng, n=300):
    """Draw rows with categories and gaps."""
    area, rooms = rng.uniform(20.0, 150.0, n), rng.integers(1, 6, n).astype(float)
    district = rng.choice(["Harbour", "Hill", "Mill"], n)
    price = 40.0 + np.where(district == "Hill", 5.0, 3.0) * area + 8.0 * rooms
    area[::9], rooms[::11] = np.nan, np.nan
    rows = pd.DataFrame({"area": area, "rooms": rooms, "district": pd.Categorical(district)})
    return rows, pd.Series(price + rng.normal(0.0, 9.0, n), name="price")


def two_targets(rng):
    rows, load = surface(2, rng)
    return rows, pd.DataFrame({"load": load, "heat": 0.001 * rows["x1"] ** 2 + 2.0})


TABLES = {
    "2-D": (lambda rng: surface(2, rng), {}),
    "10-D": (lambda rng: surface(10, rng), {}),
    "10-D-quadratic": (lambda rng: surface(10, rng), {"prediction": "quadratic"}),
    "constants": (lambda rng: surface(2, rng), {"prediction": "scalar"}),
    "categories-and-gaps": (flats, {}),
    "categories-quadratic": (flats, {"prediction": "quadratic"}),
    "two-targets": (two_targets, {}),
    "three-populations": (lambda rng: surface(2, rng), {"n_populations": 3}),
}


def learned(name):
    """Return a regressor, and rows that it has not seen."""
    make, settings = TABLES[name]
    rows, targets = make(np.random.default_rng(7))
    model = XCSRegressor(n_steps=3000, population_size=200, random_state=0, **settings)
    return model.fit(rows[:200], targets[:200]), rows[200:]


def open_rules(visit, folder, source, *, intervals=None, **settings):
    path = folder / "rules.html"
    path.write_text(render_explorer(source, name="test", intervals=intervals), encoding="utf-8")
    page = visit(path, **settings)
    page.wait_for_selector(".explorer[data-ready]")
    return page


def figures(value, off):
    """Return a value in the figures that matter if it may be so far off."""
    return rounded(float(value), error_digits(float(off)))


def asked(numbers):
    return [[None if np.isnan(value) else value for value in row] for row in numbers.tolist()]


@pytest.mark.parametrize("name", TABLES)
def test_the_page_predicts_what_the_regressor_predicts(visit, tmp_path, name):
    model, rows = learned(name)
    page = open_rules(visit, tmp_path, model.ruleset_, intervals=intervals_of(model))
    numbers = model.numbers(rows)
    found = np.array(page.evaluate(ESTIMATES, asked(numbers)), np.float64)
    values, deviations = model.predict(rows, return_std=True)
    low, high = model.interval(rows, COVERAGE)
    shape = (len(rows), -1)
    np.testing.assert_allclose(found[:, :, 0], values.reshape(shape), rtol=1e-9)
    np.testing.assert_allclose(found[:, :, 1], deviations.reshape(shape), rtol=1e-6)
    half = (high - low).reshape(shape) / 2
    np.testing.assert_allclose(found[:, :, 2], half, rtol=1e-6)


@pytest.mark.parametrize("name", TABLES)
def test_rules_read_as_in_python(visit, tmp_path, name):
    model, _ = learned(name)
    rules = model.ruleset_
    page = open_rules(visit, tmp_path, rules)
    wanted = [rules.speaks_for(place) for place in range(len(rules))]
    assert page.evaluate(SAYINGS) == wanted


@pytest.mark.parametrize("name", ["2-D", "10-D-quadratic", "categories-and-gaps"])
def test_the_map_shows_what_is_predicted(visit, tmp_path, name):
    model, _ = learned(name)
    rules = model.ruleset_
    page = open_rules(visit, tmp_path, rules, intervals=intervals_of(model))
    plane = page.evaluate(RIGHT_AND_UP)
    at = np.array(page.evaluate("document.querySelector('.explorer').explorer.observation.values"))
    cells = np.random.default_rng(2).integers(0, 100, (40, 2))
    points = np.repeat([at], len(cells), axis=0)
    for k, cell in zip(plane, cells.T, strict=True):
        points[:, k] = along_axis(rules.features[k], 100)[cell]
    found = np.array(page.evaluate(ON_MAP, cells.tolist()), np.float64)
    spoken = rules.matches(points).any(axis=1)
    assert spoken.sum() > 10
    np.testing.assert_allclose(found[spoken, 0], rules.estimates(points)[spoken, 0], rtol=1e-9)
    assert np.isnan(found[~spoken, 0]).all()
    half = model._spoken(points)[1][:, 0] * model.deviations_[0].reach(COVERAGE)
    np.testing.assert_allclose(found[:, 1], half, rtol=1e-6)


def test_a_typed_observation_has_a_value_an_interval_and_its_rules(visit, tmp_path):
    model, _ = learned("categories-and-gaps")
    rules = model.ruleset_
    page = open_rules(visit, tmp_path, rules, intervals=intervals_of(model))
    page.get_by_label("area", exact=True).fill("85")
    page.get_by_label("rooms", exact=True).fill("")
    page.locator(".observation select").select_option(label="Hill")
    row = pd.DataFrame({"area": [85.0], "rooms": [np.nan], "district": ["Hill"]})
    row["district"] = pd.Categorical(row["district"], ["Harbour", "Hill", "Mill"])
    (value,), (off,) = model.predict(row, return_std=True)
    (low,), (high,) = model.interval(row, COVERAGE)
    said = page.locator(".decision").inner_text()
    answer = f"{figures(value, off)} ± {figures(off, off)}"
    assert said.startswith(f"At area 85, rooms missing, district Hill: price = {answer}, the mean")
    ends = [figures(end, (high - low) / 2) for end in (low, high)]
    assert said.endswith(f"90 % are expected between {ends[0]} and {ends[1]}.")
    votes = page.locator(".reasons [role=region] tbody tr").all_inner_texts()
    wanted = model.explain(row.iloc[0].tolist()).votes
    assert len(votes) == min(len(wanted), 8)
    assert all(" price = " in vote.replace("\t", " ") and "±" in vote for vote in votes)


def test_of_a_list_the_first_rule_speaks(visit, tmp_path):
    rows, prices = flats(np.random.default_rng(7))
    population = XCSRegressor(n_steps=3000, population_size=200)
    model = RuleListRegressor(3, estimator=population, random_state=0).fit(rows[:200], prices[:200])
    rules = model.ruleset_
    page = open_rules(visit, tmp_path, rules)
    numbers = model.estimator_.numbers(rows[200:])
    found = np.array(page.evaluate(ESTIMATES, asked(numbers)), np.float64)
    np.testing.assert_allclose(found[:, 0, 0], model.predict(rows[200:]), rtol=1e-9)
    deciding = deciding_rules(rules, numbers)
    np.testing.assert_allclose(found[:, 0, 1], rules.error[deciding], rtol=1e-9)
    assert page.evaluate(SAYINGS) == [rules.speaks_for(place) for place in range(len(rules))]
    said = page.locator(".decision").inner_text()
    assert "of the list is the first that matches" in said
    listed = page.locator(".rule-list li").all_inner_texts()
    assert len(listed) == len(rules)
    assert "OTHERWISE" in listed[-1]


def test_boxes_around_the_point_follow_it(visit, tmp_path):
    page = open_rules(visit, tmp_path, learned("2-D")[0].ruleset_)
    canvas = page.locator("canvas").first
    everything = picture_of(canvas)
    page.get_by_label("only boxes around the point").check()
    around = picture_of(canvas)
    assert around != everything
    assert "around the point" in page.locator(".plane").first.inner_text()
    page.locator("canvas").nth(1).press("ArrowLeft")
    assert picture_of(canvas) != around


def test_another_target_has_other_maps(visit, tmp_path):
    page = open_rules(visit, tmp_path, learned("two-targets")[0].ruleset_)
    canvas = page.locator("canvas").nth(1)
    first = picture_of(canvas)
    page.get_by_label("Target").select_option(label="heat")
    assert picture_of(canvas) != first
    assert page.locator(".plane figcaption").nth(1).inner_text() == "heat"


def test_curves_show_the_quantity_and_its_ends(visit, tmp_path):
    model, _ = learned("2-D")
    page = open_rules(visit, tmp_path, model.ruleset_, intervals=intervals_of(model))
    drawn = page.evaluate("document.querySelector('.explorer').explorer.curves.chart.data")
    at = page.evaluate("document.querySelector('.explorer').explorer.observation.values")
    along = page.evaluate("Number(document.querySelector('.explorer').explorer.along.value)")
    rows = np.repeat([at], 100, axis=0)
    rows[:, along] = drawn[0]
    high, low, values = np.array(drawn[1:], np.float64)
    np.testing.assert_allclose(values, model.ruleset_.estimates(rows)[:, 0], rtol=1e-9)
    assert (low < values).all()
    np.testing.assert_allclose(high - values, values - low, rtol=1e-9)


def test_no_rules_are_no_trouble(visit, tmp_path):
    rules = learned("2-D")[0].ruleset_.take([])
    page = open_rules(visit, tmp_path, rules)
    assert "the usual value, because no rule matches" in page.locator(".decision").inner_text()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_texts_can_be_read(visit, tmp_path, theme):
    page = open_rules(visit, tmp_path, learned("10-D")[0].ruleset_, color_scheme=theme)
    assert faint_texts(page) == []


def test_a_phone_needs_no_sideways_scrolling(visit, tmp_path):
    page = open_rules(visit, tmp_path, learned("10-D")[0].ruleset_, width=390)
    assert overflow(page) == 0
