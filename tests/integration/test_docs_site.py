"""The documentation builds without a warning, and its pages fetch nothing from elsewhere."""

import importlib.util
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LARGEST_PICTURE = 150_000

FETCHING = {
    "audio": ("src",),
    "embed": ("src",),
    "iframe": ("src",),
    "image": ("href", "xlink:href"),
    "img": ("src", "srcset"),
    "link": ("href",),
    "object": ("data",),
    "script": ("src",),
    "source": ("src", "srcset"),
    "video": ("src", "poster"),
}
ELSEWHERE = re.compile(r"^\s*(https?:)?//", re.IGNORECASE)
STYLE_URL = re.compile(r"""(url\(|@import)\s*["']?(https?:)?//""", re.IGNORECASE)


class Fetches(HTMLParser):
    """Collect what a page loads by itself, and what its images are called."""

    def __init__(self):
        super().__init__()
        self.urls, self.unnamed = [], []

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if tag == "link" and found.get("rel") in ("canonical", "next", "prev", "alternate"):
            return
        self.urls += [found[name] for name in FETCHING.get(tag, ()) if found.get(name)]
        if tag == "img" and not found.get("alt"):
            self.unnamed.append(found.get("src"))


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    for package in ("material", "mkdocstrings"):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"building the site needs {package}: pip install 'ruleplay[docs]'")
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


def read(page):
    parser = Fetches()
    parser.feed(page.read_text(encoding="utf-8"))
    return parser


def test_every_page_is_built(site):
    built = {page.relative_to(site).with_suffix("") for page in site.rglob("*.html")}
    pages = {page.relative_to(ROOT / "docs").with_suffix("") for page in ROOT.glob("docs/**/*.md")}
    assert pages <= built


def test_pages_and_styles_load_nothing_from_other_hosts(site):
    for page in site.rglob("*.html"):
        urls = read(page).urls
        assert urls, page
        assert not [url for url in urls if ELSEWHERE.match(url)], page
    for style in site.rglob("*.css"):
        assert not STYLE_URL.search(style.read_text(encoding="utf-8")), style


def test_what_pages_load_is_there(site):
    for page in site.rglob("*.html"):
        for url in read(page).urls:
            path = url.partition("#")[0].partition("?")[0]
            if page.name != "404.html" and path and not path.startswith("data:"):
                assert (page.parent / path).is_file(), (page, url)


def test_every_picture_has_words(site):
    for page in site.rglob("*.html"):
        assert read(page).unnamed == [], page


def test_the_reference_shows_docstrings_and_settings(site):
    learners = (site / "api" / "learners.html").read_text(encoding="utf-8")
    assert "Learn rules from labelled rows" in learners
    settings = (site / "api" / "settings.html").read_text(encoding="utf-8")
    assert "replay_batch_size" in settings
    assert "eps_0" in settings


def test_pictures_of_the_gallery_are_small():
    pictures = list((ROOT / "docs" / "images" / "gallery").glob("*"))
    examples = {path.stem for path in (ROOT / "examples").glob("*.py")}
    assert {picture.stem for picture in pictures} == examples
    assert all(picture.stat().st_size < LARGEST_PICTURE for picture in pictures)
