"""The pictures of the documentation are those of the present sources."""

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BY_HAND = {"cycle.svg", "replay.svg", "rule.svg"}
SHOWN = re.compile(r"!\[[^\]]*\]\((?:docs/)?images/([^)]+)\)")


@pytest.fixture(scope="module")
def pictures():
    spec = importlib.util.spec_from_file_location("pictures", ROOT / "docs" / "pictures.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_pictures_are_current(pictures):
    assert pictures.outdated() == [], "python docs/pictures.py makes them anew"
    assert all((pictures.IMAGES / name).is_file() for name in pictures.PICTURES)


def test_every_picture_that_is_shown_is_made_by_the_command_or_drawn_by_hand(pictures):
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    shown = {name for page in pages for name in SHOWN.findall(page.read_text(encoding="utf-8"))}
    assert shown == set(pictures.PICTURES) | BY_HAND


def test_a_changed_source_makes_a_picture_outdated(pictures, tmp_path, monkeypatch):
    (tmp_path / "page.css").write_text("a {}")
    monkeypatch.setattr(pictures, "ROOT", tmp_path)
    picture = pictures.Picture(print, ("*.css",))
    before = picture.digest()
    assert picture.digest() == before
    (tmp_path / "page.css").write_text("b {}")
    assert picture.digest() != before
