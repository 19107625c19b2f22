"""The explorer decides as the engine does, and explains it to whoever asks."""

import re

import numpy as np
import pytest
from typer.testing import CliRunner

from browser.looks import faint_texts, overflow, picture_of
from ruleplay.cli import app
from ruleplay.config import XCSConfig
from ruleplay.engine import XCS
from ruleplay.report.explorer import render_explorer
from ruleplay.rules import Feature, Outcome, RuleSet, explain
from ruleplay.rules.wording import set_phrase
from unit.rules.rule_samples import actions, named, rule, rule_set, slow_down

PREDICT = """(rows) => rows.map((row) => {
  const observation = row.map((value) => value ?? NaN);
  const values = document.querySelector('.explorer').explorer.rules.predict(observation);
  return Array.from(values, (value) => (Number.isNaN(value) ? null : value));
})"""

SEEN = """(rows) => {
  const { rules, plane } = document.querySelector('.explorer').explorer;
  return rows.map((row) => {
    const [right, up] = plane.map((k) => {
      const { low, high } = rules.model.features[k];
      return Math.floor(((row[k] - low) / (high - low)) * SIDE);
    });
    return valuesOverPlane(rules, row, plane).map((grid) => {
      const value = grid[up * SIDE + right];
      return Number.isNaN(value) ? null : value;
    });
  });
}"""


def learned(prediction, n_features, **changes):
    """Let an engine learn a little, so that parts of its world are not covered."""
    rng = np.random.default_rng(n_features)
    low, high = np.full(n_features, -3.0), np.linspace(1.0, 50.0, n_features)
    config = XCSConfig(population_size=80, ga_threshold=5, prediction=prediction, **changes)
    about = {"feature_names": [f"sensor {k}" for k in range(n_features)]}
    engine = XCS(config, n_actions=3, low=low, high=high, about=about)
    rows = low + rng.random((200, n_features)) * (high - low)
    actions = rng.integers(0, 3, len(rows))
    engine.learn_batch(rows, actions, 100.0 * rng.random(len(rows)) + 50.0 * actions)
    return engine


def open_rules(visit, folder, source, **settings):
    path = folder / "rules.html"
    path.write_text(render_explorer(source, name="test"), encoding="utf-8")
    page = visit(path, **settings)
    page.wait_for_selector(".explorer[data-ready]")
    return page


def around(source, count=300):
    """Draw observations inside and around the ranges."""
    span = source.high - source.low
    shares = 1.2 * np.random.default_rng(1).random((count, len(span))) - 0.1
    return source.low + shares * span


@pytest.mark.parametrize(
    ("prediction", "n_features", "changes"),
    [
        ("scalar", 5, {}),
        ("linear", 2, {}),
        ("linear", 4, {"prediction_limit": 60.0}),
    ],
    ids=["scalar", "linear", "linear-limited"],
)
def test_the_page_predicts_what_the_engine_predicts(
    visit, tmp_path, prediction, n_features, changes
):
    engine = learned(prediction, n_features, **changes)
    page = open_rules(visit, tmp_path, engine)
    rows = around(engine)
    wanted = engine.predict(rows)
    assert 0.0 < np.isnan(wanted).mean() < 1.0  # some actions have no rule somewhere
    found = np.array(page.evaluate(PREDICT, rows.tolist()), np.float64)
    np.testing.assert_allclose(found, wanted, rtol=1e-12)


def test_missing_values_are_contained_in_all_intervals(visit, tmp_path):
    rules = slow_down()
    rules = rules.take(range(len(rules)), missing_values="match")
    page = open_rules(visit, tmp_path, rules)
    rows = np.array([[np.nan, 0.5], [70.0, np.nan], [np.nan, np.nan]])
    asked = [[None if np.isnan(value) else value for value in row] for row in rows.tolist()]
    found = np.array(page.evaluate(PREDICT, asked), np.float64)
    np.testing.assert_allclose(found, rules.values(rows), rtol=1e-12)
    page.get_by_label("angle", exact=True).fill("")
    assert "angle missing" in page.locator(".decision").inner_text()


def test_the_map_shows_what_is_predicted(visit, tmp_path):
    engine = learned("linear", 4)
    page = open_rules(visit, tmp_path, engine)
    plane = page.evaluate("document.querySelector('.explorer').explorer.plane")
    rows = np.repeat([(engine.low + engine.high) / 2], 30, axis=0)
    cells = np.random.default_rng(2).integers(0, 100, (30, 2))
    for k, cell in zip(plane, cells.T, strict=True):
        rows[:, k] = engine.low[k] + (cell + 0.5) / 100 * (engine.high[k] - engine.low[k])
    found = np.array(page.evaluate(SEEN, rows.tolist()), np.float64)
    np.testing.assert_allclose(found, engine.predict(rows), rtol=1e-9)


def test_a_typed_observation_is_explained(visit, tmp_path):
    rules = slow_down()
    page = open_rules(visit, tmp_path, rules)
    page.get_by_label("speed", exact=True).fill("75")
    page.get_by_label("angle", exact=True).fill("0.5")
    reasons = explain(rules, [75.0, 0.5])
    sentence = page.locator(".decision").inner_text()
    assert "speed 75, angle 0.50 the decision is stop" in sentence
    assert f"worth {reasons.values[0]:.1f}, the mean of 3 rules" in sentence
    votes = page.locator(".reasons [role=region] tbody tr").all_inner_texts()
    assert len(votes) == len(reasons.votes)
    for row, vote in zip(votes, reasons.votes.to_dict("records"), strict=True):
        assert vote["if"] in row
        assert f"{100 * vote['share']:.0f} %" in row


def test_what_is_no_number_is_refused_in_words(visit, tmp_path):
    page = open_rules(visit, tmp_path, slow_down())
    page.get_by_label("speed", exact=True).fill("")
    assert page.locator(".message").inner_text() == "speed must be a number."
    page.get_by_label("speed", exact=True).fill("20")
    assert page.locator(".message").inner_text() == ""
    assert "speed 20" in page.locator(".decision").inner_text()


def test_without_a_rule_the_default_is_explained(visit, tmp_path):
    rules = rule_set(rule(speed=(90.0, np.inf), action=0), default_action=1)
    page = open_rules(visit, tmp_path, rules)
    sentence = page.locator(".decision").inner_text()
    assert sentence.endswith("the decision is go, the default, because no rule matches.")


def test_of_a_list_the_first_rule_decides(visit, tmp_path):
    rules = rule_set(
        rule(speed=(10.0, 60.0), action=1, prediction=5.0),
        rule(speed=(0.0, 80.0), action=0, prediction=9.0),
        ordered=True,
        default_action=1,
    )
    page = open_rules(visit, tmp_path, rules)
    rows = around(rules)
    found = np.array(page.evaluate(PREDICT, rows.tolist()), np.float64)
    np.testing.assert_allclose(found, rules.values(rows))
    assert "rule 1 of the list is the first that matches" in page.locator(".decision").inner_text()


def test_a_value_that_is_the_same_everywhere_is_said_once(visit, tmp_path):
    rules = rule_set(rule(action=1, prediction=5.0), ordered=True, default_action=1)
    page = open_rules(visit, tmp_path, rules)
    assert page.locator(".planes + .small").inner_text().endswith("the best action is worth 5.0.")
    assert page.locator(".plane .small").nth(2).inner_text() == "5.0"


def test_the_table_searches_sorts_and_turns_pages(visit, tmp_path):
    engine = learned("scalar", 5)
    rules = RuleSet.of(engine)
    page = open_rules(visit, tmp_path, engine)
    table = page.locator(".all-rules")
    assert f"1 to 25 of {len(rules)} rules" in table.locator("output").inner_text()
    table.get_by_role("button", name="Next").click()
    assert f"26 to 50 of {len(rules)} rules" in table.locator("output").inner_text()
    table.get_by_role("button", name="fitness").click()
    first = float(table.locator("tbody td:nth-child(6)").first.inner_text())
    assert first == pytest.approx(rules.fitness.max(), abs=1e-3)
    assert table.locator("th[aria-sort=descending]").inner_text() == "fitness"
    table.get_by_role("searchbox").fill("sensor 3 2")
    sentences = [line for line in rules.text().splitlines() if "sensor 3" in line]
    shown = table.locator("tbody td:nth-child(2)").all_inner_texts()
    assert shown
    assert all("sensor 3" in text for text in shown)
    assert len(sentences) >= len(shown)


def test_conditions_read_as_in_python(visit, tmp_path):
    rules = rule_set(
        rule(speed=(1.6, 3.2)), rule(angle=(-0.5, np.inf)), rule(speed=(2.0, 2.2)), rule(),
        features=named("speed", "angle", whole=True), fitness=np.array([4.0, 3.0, 2.0, 1.0]),
    )  # fmt: skip
    page = open_rules(visit, tmp_path, rules)
    wanted = [re.match(r"IF (.*) THEN", line)[1] for line in rules.text().splitlines()]
    assert page.locator(".all-rules tbody td:nth-child(2)").all_inner_texts() == wanted


def bought(**changes):
    """Return rules of a classifier about a tariff, a category, and a number."""
    tariff = Feature.of_categories("tariff", ("Basic", "Pro", "Team, large"))
    return rule_set(
        rule(speed=(0.5, 1.2), angle=(0.1, np.inf), action=1, prediction=1000.0, fitness=0.9),
        rule(speed=(1.0, np.inf), action=0, prediction=200.0, fitness=0.8),
        rule(speed=(-np.inf, 0.0), action=0, prediction=900.0, fitness=0.7),
        rule(speed=(0.2, 0.8), action=0, prediction=900.0, fitness=0.6),
        **{
            "features": (tariff, Feature("angle", -1.0, 1.0)),
            "outcomes": (Outcome("no", "no"), Outcome("yes", "yes")),
            "missing_values": "match",
            "against_below": 500.0,
            **changes,
        },
    )


def test_categories_and_classes_read_as_in_python(visit, tmp_path):
    rules = bought()
    page = open_rules(visit, tmp_path, rules)
    records = rules.records()
    assert "tariff in {Pro} AND angle ≥ 0.10" in [record["if"] for record in records]
    assert "not no" in [record["then"] for record in records]
    cells = page.locator(".all-rules tbody")
    assert cells.locator("td:nth-child(2)").all_inner_texts() == [r["if"] for r in records]
    assert cells.locator("td:nth-child(3)").all_inner_texts() == [r["then"] for r in records]
    assert "A missing value satisfies every condition" in page.locator(".observation").inner_text()


@pytest.mark.parametrize("count", [1, 2, 3, 6, 21])
def test_any_set_of_categories_reads_as_in_python(visit, tmp_path, count):
    page = open_rules(visit, tmp_path, bought())
    feature = Feature.of_categories("x", [f"c{k}" for k in range(count)])
    sets = [feature.categories[:size] for size in range(count + 1)]
    told = page.evaluate(
        """([categories, sets]) => sets.map((members) =>
          setPhraseOf({ name: "x", categories }, (name) => members.includes(name)))""",
        [feature.categories, sets],
    )
    assert told == [set_phrase(feature, members) for members in sets]


def test_rows_of_two_categories_fill_the_place_where_these_meet(visit, tmp_path):
    page = open_rules(visit, tmp_path, bought())
    places = page.evaluate(
        """() => {
          const places = [];
          const note = (x, y) => places.push([x, y]);
          const get = (_, name) => (name === "arc" ? note : () => 0);
          const context = new Proxy({}, { get, set: () => true });
          const feature = { categories: ["a", "b", "c"], low: 0, high: 2 };
          const known = Array.from({ length: 90 }, () => ({ values: [1, 1], answer: 0 }));
          const paint = paintRows(known, [0, 1], { features: [feature, feature] }, () => "red");
          paint(context, { x: 0, y: 0, width: 3, height: 3 });
          return places;
        }"""
    )
    right, down = np.array(places).T
    assert ((right > 1.1) & (right < 1.9) & (down > 1.1) & (down < 1.9)).all()
    assert abs(np.corrcoef(right, down)[0, 1]) < 0.2
    counts, *_ = np.histogram2d(right, down, bins=3)
    assert counts.min() >= 5  # of 90 rows, in each of nine parts


def test_a_category_is_chosen_by_its_name(visit, tmp_path):
    rules = bought()
    page = open_rules(visit, tmp_path, rules)
    choice = page.locator(".observation select")
    for name in ("Basic", "Pro", "Team, large", "missing"):
        choice.select_option(label=name)
        number = rules.features[0].number(name)
        told = explain(rules, [number, 0.0])
        sentence = page.locator(".decision").inner_text()
        assert f"At tariff {name}, angle 0.00 the decision is {told.chosen}" in sentence
    assert page.locator(".observation").inner_text().count("tariff") == 1


def test_maps_and_curves_have_a_place_for_each_category(visit, tmp_path):
    rules = bought()
    page = open_rules(visit, tmp_path, rules)
    seen = page.evaluate(
        """() => {
          const { rules } = document.querySelector('.explorer').explorer;
          const [first] = valuesOverPlane(rules, [0, 0.5], [0, 1]);
          return [10, 50, 90].map((x) => first[75 * SIDE + x]).map((v) => v || null);
        }"""
    )
    wanted = rules.values([[0.0, 0.5], [1.0, 0.5], [2.0, 0.5]])[:, 0]
    assert seen == [None if np.isnan(value) else value for value in wanted]
    page.locator("canvas").first.press("ArrowLeft")
    assert "tariff" in page.locator(".decision").inner_text()


def test_curves_show_every_action_through_the_point(visit, tmp_path):
    engine = learned("linear", 2)
    page = open_rules(visit, tmp_path, engine)
    page.locator("details select").select_option("1")
    drawn = page.evaluate("document.querySelector('.explorer').explorer.curves.chart.data")
    rows = np.repeat([(engine.low + engine.high) / 2], 100, axis=0)
    rows[:, 1] = drawn[0]
    found = np.array(drawn[1:], np.float64).T
    np.testing.assert_allclose(found, engine.predict(rows), rtol=1e-9)


def test_another_plane_and_another_slice_are_other_maps(visit, tmp_path):
    page = open_rules(visit, tmp_path, learned("linear", 4))
    canvas = page.locator("canvas").nth(2)
    pictures = [picture_of(canvas)]
    plane = page.evaluate("document.querySelector('.explorer').explorer.plane")
    free = next(k for k in range(4) if k not in plane)
    page.get_by_label(f"sensor {free}", exact=True).fill("0.9")
    pictures.append(picture_of(canvas))
    page.locator(".controls select").first.select_option(str(free))
    pictures.append(picture_of(canvas))
    assert len(set(pictures)) == 3


def test_a_single_feature_is_a_band(visit, tmp_path):
    low, high = np.array([0.0]), np.array([10.0])
    engine = XCS(XCSConfig(population_size=80), n_actions=3, low=low, high=high)
    rows = np.linspace(0.0, 10.0, 60)[:, np.newaxis]
    engine.learn_batch(rows, np.arange(60) % 3, rows[:, 0])
    page = open_rules(visit, tmp_path, engine)
    found = np.array(page.evaluate(PREDICT, rows.tolist()), np.float64)
    np.testing.assert_allclose(found, engine.predict(rows), rtol=1e-12)
    box = page.locator("canvas").first.bounding_box()
    page.mouse.click(box["x"] + 0.9 * box["width"], box["y"] + 50)
    assert "At x0 9.0" in page.locator(".decision").inner_text()


def test_no_rules_are_no_trouble(visit, tmp_path):
    page = open_rules(visit, tmp_path, slow_down().take([]))
    assert "the default, because no rule matches" in page.locator(".decision").inner_text()
    assert "0 to 0 of 0 rules" in page.locator(".all-rules output").inner_text()


def test_predictions_that_are_no_usual_numbers_are_shown(visit, tmp_path):
    rules = rule_set(
        rule(action=0, prediction=np.inf), rule(action=1, prediction=np.nan), rule(action=1)
    )
    page = open_rules(visit, tmp_path, rules)
    assert "the decision is stop: worth ∞" in page.locator(".decision").inner_text()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_texts_can_be_read(visit, tmp_path, theme):
    page = open_rules(visit, tmp_path, slow_down(), color_scheme=theme)
    assert faint_texts(page) == []


def test_a_phone_needs_no_sideways_scrolling(visit, tmp_path):
    page = open_rules(visit, tmp_path, learned("scalar", 5), width=390)
    assert overflow(page) == 0


def test_names_cannot_become_markup(visit, tmp_path):
    names = actions("</script><b id='evil'>", "<img src=x>")
    rules = slow_down()
    page = open_rules(visit, tmp_path, rules.take(range(len(rules)), outcomes=names))
    assert page.locator("#evil").count() == 0
    assert page.locator("img").count() == 0
    assert "<img src=x>" in page.locator(".reasons").inner_text()


def test_the_command_writes_the_page(visit, tmp_path):
    source, target = tmp_path / "rules.json", tmp_path / "page.html"
    source.write_text(slow_down().to_json(), encoding="utf-8")
    result = CliRunner().invoke(
        app, ["rules", str(source), "--format", "html", "--out", str(target)]
    )
    assert result.exit_code == 0
    assert result.stdout == ""
    page = visit(target)
    page.wait_for_selector(".explorer[data-ready]")
    assert page.locator("h1").inner_text() == "Rules of rules.json"


def test_a_person_s_rules_have_a_tag_and_can_be_searched(visit, tmp_path):
    rules = rule_set(
        rule(action=0, prediction=5.0),
        rule(speed=(50.0, np.inf), action=1, prediction=9.0),
        rule(angle=(0.0, np.inf), action=1, prediction=8.0),
        origin=np.array([0, 1, 2]),
    )
    page = open_rules(visit, tmp_path, rules)
    assert "A person wrote 2 of them." in page.locator("main > p").first.inner_text()
    tags = page.locator(".all-rules .tag")
    assert tags.all_inner_texts() == ["by hand", "by hand, protected"]
    page.get_by_label("speed", exact=True).fill("75")
    assert page.locator(".reasons .tag").all_inner_texts()[0] == "by hand"
    page.get_by_label("Search").fill("protected")
    assert page.locator(".all-rules tbody tr").count() == 1
    assert "angle" in page.locator(".all-rules tbody tr").inner_text()


def test_rules_that_were_learned_have_no_tag(visit, tmp_path):
    page = open_rules(visit, tmp_path, slow_down())
    assert page.locator(".tag").count() == 0
    assert "A person" not in page.locator("main > p").first.inner_text()
