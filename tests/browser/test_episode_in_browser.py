"""The page of `ruleplay play` shows an episode, marks the rule that fires, and asks about it."""

import pytest
from typer.testing import CliRunner

from hill_list import push_where_it_rolls
from ruleplay.cli import app


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    """Return the page of a list that pushes left where the car rolls left."""
    folder = tmp_path_factory.mktemp("episode")
    (folder / "car.json").write_text(push_where_it_rolls().to_json())
    path = folder / "car.html"
    arguments = ["play", str(folder / "car.json"), "--env", "ruleplay/MountainCar-v0"]
    result = CliRunner().invoke(app, [*arguments, "--out", str(path)])
    assert result.exit_code == 0, result.output
    return path


def go_to(page, place):
    """Move the slider; return the moment that is shown."""
    slider = page.get_by_role("slider", name="Moment of the episode")
    slider.fill(str(place))
    moments = page.evaluate("document.querySelector('.episode').episode.moments")
    return moments[place]


def test_the_rule_that_fires_is_marked(visit, page_file):
    page = visit(page_file)
    last = page.evaluate("document.querySelector('.episode').episode.moments.length - 1")
    for place in (0, last // 3, last // 2, last - 1):
        moment = go_to(page, place)
        marked = page.locator(".rule-list li.fires")
        assert marked.count() == 1
        assert ("OTHERWISE" in marked.inner_text()) == (moment["fires"] is None)
        assert moment["seen"] == page.locator(".seen").inner_text()
    go_to(page, last)
    assert page.locator(".rule-list li.fires").count() == 0
    assert "The end." in page.locator(".because").inner_text()


def test_playing_moves_on_and_stops(visit, page_file):
    page = visit(page_file)
    before = page.locator("img").get_attribute("src")
    page.get_by_role("button", name="Play").click()
    page.wait_for_timeout(1000)
    page.get_by_role("button", name="Pause").click()
    assert page.locator("img").get_attribute("src") != before
    stopped = page.evaluate("document.querySelector('.episode').episode.at")
    assert stopped > 0
    page.wait_for_timeout(250)
    assert page.evaluate("document.querySelector('.episode').episode.at") == stopped


def test_the_explorer_asks_about_the_moment_of_the_stop(visit, page_file):
    page = visit(page_file)
    page.locator("#ask").scroll_into_view_if_needed()
    page.wait_for_selector(".explorer[data-ready]")
    moment = go_to(page, 40)
    asked = page.evaluate("document.querySelector('.explorer').explorer.observation.values")
    assert asked == pytest.approx(moment["row"], abs=1e-6)


def test_the_page_fits_a_narrow_screen(visit, page_file):
    page = visit(page_file, width=390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
