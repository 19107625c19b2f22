"""The page of a user's own study works in a browser, wide and narrow, light and dark."""

import numpy as np
import pytest

from browser.looks import faint_texts, overflow
from own_studies import TINY, MadeUpResults, write_study
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
