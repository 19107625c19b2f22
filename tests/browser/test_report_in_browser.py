"""The report works in a browser: tables, curves and rule maps, by mouse and by keys."""

import re

import pytest

from browser.looks import faint_texts, overflow, picture_of
from fake_results import FakeResults, save_fake_portrait
from ruleplay.studies.page import render_page
from ruleplay.studies.paper.analysis import analyse
from ruleplay.studies.reporting import make_tables

PRESETS = ("stein2020/mario", "stein2020/mountaincar")
CHARTS = "#mario [data-charts][data-ready]"
MAP = "#mario .explorer[data-ready]"
GROUP = f'document.querySelector("{CHARTS}").charts'
EXPLORER = f'document.querySelector("{MAP}").explorer'


def write_page(results, path):
    analysis = analyse(results)
    page = render_page(analysis, make_tables(analysis), source="study")
    path.write_text(page, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    results = FakeResults(PRESETS, single=3)
    results.path = folder
    for agent in ("xcs", "xcs-er"):
        save_fake_portrait(results, PRESETS[0], agent)
        save_fake_portrait(results, PRESETS[1], agent, linear=True)
    return write_page(results, folder / "index.html")


@pytest.fixture(scope="module")
def page(report, long_visit):
    """Open the report once; each test leaves it as it was."""
    opened = long_visit(report)
    opened.wait_for_selector("#mountaincar [data-charts][data-ready]")
    return opened


def column(table, number):
    return table.locator(f"tbody tr:visible td:nth-child({number})").all_inner_texts()


def cells(page):
    """Return the table of cells of the single-step problems, opened."""
    details = page.locator("details", has=page.locator("summary", has_text="cell by cell")).first
    details.evaluate("details => { details.open = true; }")
    return details


def test_headings_sort_tables(page):
    table = cells(page).locator("table")
    heading = table.locator("th", has_text="Difference in paper SDs")
    number = 1 + heading.evaluate("cell => cell.cellIndex")
    heading.locator("button").focus()
    page.keyboard.press("Enter")
    up = [float(text) for text in column(table, number) if re.search(r"\d", text)]
    assert heading.get_attribute("aria-sort") == "ascending"
    page.keyboard.press("Enter")
    down = [float(text) for text in column(table, number) if re.search(r"\d", text)]
    assert heading.get_attribute("aria-sort") == "descending"
    assert up == sorted(up)
    assert down == sorted(up, reverse=True)
    assert len(up) > 5


def test_a_filter_keeps_the_rows_with_its_words(page):
    details = cells(page)
    details.locator("input[type=search]").fill("xcs-er-8 reward")
    rows = details.locator("tbody tr:visible")
    assert rows.count() == 1
    assert "XCS-ER-8" in rows.first.inner_text()
    assert details.locator("output").inner_text().startswith("1 of ")
    details.locator("input[type=search]").fill("")
    assert rows.count() == 12


def test_the_legend_shows_and_hides_agents(page):
    shown = f"{GROUP}.charts[0].chart.series.filter((s) => s.agent === 1 && s.show).length"
    assert page.evaluate(shown) == 3  # the mean and the edges of its band
    button = page.locator(f"{CHARTS} button.agent").nth(1)
    button.click()
    assert button.get_attribute("aria-pressed") == "false"
    assert page.evaluate(shown) == 0
    button.click()
    assert page.evaluate(shown) == 3


def test_keys_read_values_off_a_curve(page):
    page.locator(f"{CHARTS} .chart").first.focus()
    page.keyboard.press("ArrowRight")
    first = page.locator(f"{CHARTS} .readout").first.inner_text()
    page.keyboard.press("Shift+ArrowRight")
    later = page.locator(f"{CHARTS} .readout").first.inner_text()
    assert first.startswith("step ")
    assert "XCS-ER-8" in later
    assert "±" in later
    assert first != later


def test_hovering_reads_values_off_a_curve(page):
    box = page.locator(f"{CHARTS} .u-over").first
    box.hover()
    assert "XCS " in page.locator(f"{CHARTS} .readout").first.inner_text()


def test_single_runs_are_drawn_on_request(page):
    lines = f"{GROUP}.charts[0].chart.series.length"
    before = page.evaluate(lines)
    page.locator(f"{CHARTS} button.single").click()
    assert page.evaluate(lines) == before + 3 * 3
    page.locator(f"{CHARTS} button.single").click()
    assert page.evaluate(lines) == before


def test_without_single_runs_there_is_no_button(visit, tmp_path):
    page = visit(write_page(FakeResults(PRESETS[:1], reps=3), tmp_path / "bands.html"))
    page.wait_for_selector(CHARTS)
    assert page.locator("button.agent").count() == 3
    assert page.locator("button.single").count() == 0
    assert page.locator(".explorer").count() == 0


def picture(page):
    return picture_of(page.locator(f"{MAP} canvas").nth(1))


@pytest.fixture
def map_page(page):
    """Return the page at its first map, the point in the middle."""
    page.locator("#mario .explorer").scroll_into_view_if_needed()
    page.wait_for_selector(MAP)
    page.wait_for_function(f"{EXPLORER}.maps.planes[1].canvas.width > 100")
    page.evaluate(f"{EXPLORER}.take(0.5, 0.5)")
    return page


def test_the_slider_moves_the_map_through_learning(map_page):
    slider = map_page.locator(f"{MAP} .time input")
    when = map_page.locator(f"{MAP} .time output")
    assert "200 rules" in when.inner_text()
    late = picture(map_page)
    slider.focus()
    map_page.keyboard.press("Home")
    assert "5 rules" in when.inner_text()
    assert picture(map_page) != late
    map_page.keyboard.press("End")
    assert picture(map_page) == late


def test_a_click_on_the_map_lists_the_rules_that_vote_there(map_page):
    sentence = map_page.locator(f"{MAP} .decision")
    before = sentence.inner_text()
    box = map_page.locator(f"{MAP} canvas").first.bounding_box()
    map_page.mouse.click(box["x"] + 0.4 * box["width"], box["y"] + 0.3 * box["height"])
    assert sentence.inner_text() != before
    wanted = map_page.evaluate(
        f"{EXPLORER}.rules.explain({EXPLORER}.observation.values).votes.length"
    )
    map_page.locator(f"{MAP} .reasons button").click()
    assert map_page.locator(f"{MAP} .reasons [role=region] tbody tr").count() == wanted > 8


def test_keys_move_the_point_of_a_map(map_page):
    map_page.locator(f"{MAP} canvas").first.focus()
    sentence = map_page.locator(f"{MAP} .decision")
    assert "x 0.50, y 0.50" in sentence.inner_text()
    map_page.keyboard.press("Shift+ArrowRight")
    map_page.keyboard.press("ArrowUp")
    assert "x 0.60, y 0.52" in sentence.inner_text()


def test_what_is_folded_away_is_drawn_when_it_is_opened(map_page):
    details = map_page.locator(f"{MAP} details").first
    assert details.locator(".uplot").count() == 0
    details.locator("summary").click()
    details.locator(".uplot").wait_for()
    details.locator("summary").click()


def test_the_scale_of_the_map_and_the_sentence_below_agree(map_page):
    scale = map_page.locator(f"{MAP} .plane .small").nth(2)
    low, high = scale.evaluate("note => [note.firstChild.data, note.lastChild.data]")
    sentence = map_page.locator(f"{MAP} .planes + .small").inner_text()
    assert f"is worth {low} to {high}" in sentence


def test_another_agent_has_a_map_of_its_own(map_page):
    first = map_page.evaluate(f"{EXPLORER}.rules.fitness[0]")
    map_page.locator("#mario select[data-models]").select_option(label="XCS")
    map_page.wait_for_selector("#mario .explorer[data-ready='rules-mario-xcs']")
    assert map_page.evaluate(f"{EXPLORER}.rules.fitness[0]") != first


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_texts_can_be_read(report, visit, theme):
    page = visit(report, color_scheme=theme)
    page.locator("#mario .explorer").scroll_into_view_if_needed()
    page.wait_for_selector(MAP)
    assert faint_texts(page) == []


def test_the_button_turns_light_to_dark(page):
    background = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(background) == "rgb(255, 255, 255)"
    page.locator("#theme").click()
    assert page.evaluate(background) == "rgb(18, 21, 26)"
    assert page.locator("#theme").inner_text() == "Light"
    page.locator("#theme").click()
    assert page.evaluate(background) == "rgb(255, 255, 255)"


def test_a_phone_needs_no_sideways_scrolling(report, visit):
    page = visit(report, width=390)
    page.locator("#mario .explorer").scroll_into_view_if_needed()
    page.wait_for_selector(MAP)
    assert overflow(page) == 0
