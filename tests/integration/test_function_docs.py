"""The table of functions in the documentation is that of its runs."""

from pathlib import Path

import pandas as pd
import pytest

from scripts import load_script

ROOT = Path(__file__).parents[2]

pytestmark = [pytest.mark.interpreted, pytest.mark.uncompiled]


def test_the_table_is_that_of_the_runs():
    runs = pd.read_csv(ROOT / "docs" / "results" / "functions.csv")
    text = (ROOT / "docs" / "functions.md").read_text(encoding="utf-8")
    assert load_script("function_table").markdown(runs) in text
