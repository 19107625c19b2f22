"""Make the pictures that the documentation shows: photographs of pages, figures of results.

    python docs/make_screenshots.py

Needs the packages of the extra `dev` and an installed Chromium.
"""

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright
from sklearn.datasets import load_iris

from ruleplay import XCSClassifier
from ruleplay.experiments.storage.compact import open_results
from ruleplay.report.curves import save_figure
from ruleplay.report.explorer import render_explorer
from ruleplay.studies.beyond.effects import draw_effects
from ruleplay.studies.page import render_page
from ruleplay.studies.paper.analysis import analyse
from ruleplay.studies.reporting import make_tables

DOCS = Path(__file__).parent
IMAGES = DOCS / "images"
SIZE = {"width": 1280, "height": 900}


def write_pages(folder: Path) -> None:
    """Write the report of the committed results, and the explorer of a small classifier."""
    analysis = analyse(open_results(DOCS / "results" / "stein2020"))
    report = render_page(analysis, make_tables(analysis), source="stein2020")
    (folder / "report.html").write_text(report, encoding="utf-8")
    flowers = load_iris(as_frame=True)
    classifier = XCSClassifier(random_state=0)
    classifier.fit(flowers.data, flowers.target_names[flowers.target])
    explorer = render_explorer(classifier.engine_, name="iris.ruleplay")
    (folder / "explorer.html").write_text(explorer, encoding="utf-8")


def take_pictures(browser: Browser, folder: Path) -> None:
    """Photograph each page where it is worth looking at."""
    page = browser.new_page(viewport=SIZE)
    page.goto((folder / "report.html").as_uri())
    page.wait_for_selector("#mario [data-charts][data-ready]")
    page.screenshot(path=IMAGES / "report.png")
    page.locator("#mario .rule-map").evaluate("section => section.scrollIntoView()")
    page.wait_for_selector("#mario .explorer[data-ready]")
    page.locator("#mario .time input").fill("3")
    page.locator("#mario .rule-map").evaluate("section => section.scrollIntoView()")
    page.screenshot(path=IMAGES / "rule-map.png")
    page.goto((folder / "explorer.html").as_uri())
    page.wait_for_selector(".explorer[data-ready]")
    page.get_by_label("petal length (cm)", exact=True).fill("4.9")
    page.get_by_label("petal width (cm)", exact=True).fill("1.7")
    page.screenshot(path=IMAGES / "explorer.png")


def draw_figures() -> None:
    """Draw what the committed results show."""
    effects = draw_effects(analyse(open_results(DOCS / "results" / "beyond")))
    assert effects is not None
    save_figure(effects, IMAGES / "factors.svg")


def main() -> None:
    """Write the pages to a folder that is not kept, and photograph them; draw the figures."""
    draw_figures()
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as name, sync_playwright() as driver:
        write_pages(Path(name))
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        take_pictures(browser, Path(name))
        browser.close()


if __name__ == "__main__":
    main()
