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


def test_tables_of_a_comparison_on_real_data_are_rebuilt(tmp_path):
    figures = "0.75,0.5,0.5,0.25,3,4,1.5,0.5"
    fields = "list,contender,set,seed,fold,status,version,accuracy,balanced_accuracy,auc,log_loss"
    rest = "rules,conditions,fit_seconds,predict_seconds,reason"
    rows = [f"tuning,xcs,bupa,100,0,ok,1.0,{figures},"]
    rows += [f"tuning,xcs,bupa,100,1,ok,1.0,{figures.replace('0.75', '0.25')},"]
    (tmp_path / "runs.csv").write_text("\n".join([f"{fields},{rest}", *rows]) + "\n")
    page = f"<!-- table: sets-accuracy of {tmp_path} -->\n<!-- end of table -->"
    assert "| bupa | 0.500 |" in refresh_tables.refresh(page)
    first = page.replace(" -->\n", ", first 1 folds -->\n", 1)
    assert "| bupa | 0.750 |" in refresh_tables.refresh(first)
