"""The page of a user's own study works in a browser, wide and narrow, light and dark."""

import re

import numpy as np
import pytest
from typer.testing import CliRunner

from browser.looks import faint_texts, overflow
from own_studies import TINY, MadeUpResults, write_study
from ruleplay.cli import app
from ruleplay.envs import make_problem
from ruleplay.studies.own.report import write_own_report


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own")
    text = TINY.replace("[2, 4]", "[2, 4, 8, 16]").replace("seeds = 3", "seeds = 12")
    random = np.random.default_rng(0)
    figures = {
        f"replay_batch_size={n}": {"reward": random.normal(700 + 5 * n, 20, 12)}
        for n in (2, 4, 8, 16)
    }
    results = MadeUpResults(write_study(folder, text), figures)
    return write_own_report(results, results.description, folder / "report", None)


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_and_can_be_read(report, visit, width, scheme):
    page = visit(report, width=width, color_scheme=scheme)
    page.wait_for_selector("#problem-0 [data-charts][data-ready]")
    assert overflow(page) <= 0
    assert faint_texts(page) == []
    assert page.locator(".dots .range b").count() == 4
    assert page.locator("#problem-0 button.agent").count() == 4


def test_means_lie_in_order_on_their_scale(report, visit):
    page = visit(report)
    places = page.locator(".dots .range b").evaluate_all(
        "dots => dots.map((dot) => dot.getBoundingClientRect().x)"
    )
    ranges = page.locator(".dots .range").first.bounding_box()
    assert places == sorted(places)
    assert all(ranges["x"] < place < ranges["x"] + ranges["width"] for place in places)


FUNCTIONS = """
title = "How rules come to know a function"
presets = ["functions/crossed-ridge"]
agents = ["xcs-er"]
seeds = 1
steps = 3000

[settings]
population_size = 500
"""

READY = ".explorer[data-ready]"
COURSE = f'document.querySelector("{READY}").explorer.course'


@pytest.fixture(scope="module")
def functions(tmp_path_factory):
    """Run a small study of a function, and return its page."""
    folder = tmp_path_factory.mktemp("functions")
    study, out = write_study(folder, FUNCTIONS), folder / "results"
    done = CliRunner().invoke(app, ["reproduce", "--study", str(study), "--out", str(out)])
    assert done.exit_code == 0, done.output
    return out / "report" / "index.html"


def opened(visit, path, **settings):
    page = visit(path, **settings)
    page.locator(".explorer").evaluate("place => place.scrollIntoView()")
    page.wait_for_selector(READY)
    return page


def test_what_a_function_pays_is_no_performance(functions):
    text = functions.read_text(encoding="utf-8")
    assert "<h3>System error</h3>" in text
    assert '"title": "Reward"' not in text


def test_maps_of_the_course_of_learning_come_near_to_the_function(functions, visit):
    page = opened(visit, functions)
    assert page.locator(".course figcaption").all_inner_texts()[-1] == "The function"
    said = page.locator(".course figure .small").all_inner_texts()
    off = [float(re.match(r"off by ([\d.]+) on average", text)[1]) for text in said[:-1]]
    assert len(off) == 4
    assert off[-1] < 0.5 * off[0]
    truth = np.array(page.evaluate(f"Array.from({COURSE}.truth)")).reshape(100, 100)
    points = np.array([[0.01, 0.01], [-0.99, 0.99]])
    problem = make_problem("function", function="crossed-ridge")
    wanted = problem.function(points)
    assert [truth[50, 50], truth[99, 0]] == pytest.approx(wanted, rel=1e-6)


def test_a_click_into_a_map_of_the_course_shows_the_rules_of_that_time(functions, visit):
    page = opened(visit, functions)
    before = page.locator(".time output").inner_text()
    page.locator(".course canvas").first.click()
    after = page.locator(".time output").inner_text()
    assert before != after
    assert page.locator(".course figcaption").first.inner_text().split()[1] in after
    assert "value = " in page.locator(".decision").inner_text()


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_maps_of_functions_fit_and_can_be_read(functions, visit, width, scheme):
    page = opened(visit, functions, width=width, color_scheme=scheme)
    assert overflow(page) <= 0
    assert faint_texts(page) == []
