"""The tables in the documentation are what the committed results say."""

import importlib.util
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
SPEC = importlib.util.spec_from_file_location("refresh_tables", DOCS / "refresh_tables.py")
refresh_tables = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(refresh_tables)


@pytest.mark.parametrize("page", refresh_tables.pages_with_tables(), ids=lambda page: page.stem)
def test_tables_follow_from_the_results(page):
    text = page.read_text()
    assert refresh_tables.refresh(text) == text


def test_there_is_a_page_to_check():
    assert DOCS / "reproduction.md" in refresh_tables.pages_with_tables()
