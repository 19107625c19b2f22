"""A CSV file is read in chunks, with text as categories."""

import numpy as np
import pandas as pd
import pytest

import ruleplay
from ruleplay.errors import ConfigError
from ruleplay.learners.common import chunk_files

TABLE = pd.DataFrame(
    {
        "size": [1.5, 2.5, np.nan, 4.5, 5.5],
        "colour": ["red", None, "blue", "red", "green"],
        "code": [1, 2, 1, 2, 3],
        "kind": ["a", "b", "a", "b", "a"],
    }
)


@pytest.fixture
def path(tmp_path):
    TABLE.to_csv(tmp_path / "rows.csv", index=False)
    return tmp_path / "rows.csv"


def test_chunks_hold_all_rows_in_order(path):
    chunks = list(ruleplay.read_chunks(path, "kind", chunk_rows=2))
    assert [len(X) for X, _ in chunks] == [2, 2, 1]
    assert [label for _, labels in chunks for label in labels] == TABLE["kind"].tolist()
    assert np.array_equal(
        np.concatenate([X["size"] for X, _ in chunks]), TABLE["size"], equal_nan=True
    )


def test_a_file_can_be_read_again(path):
    chunks = ruleplay.read_chunks(path, "kind")
    assert len(list(chunks)) == len(list(chunks)) == 1


def test_text_is_categories_and_so_are_numbers_if_asked(path):
    ((X, _),) = ruleplay.read_chunks(path, "kind", categorical=["code"])
    assert X["colour"].cat.categories.tolist() == ["blue", "green", "red"]
    assert X["code"].cat.categories.tolist() == ["1", "2", "3"]
    assert X["size"].dtype == float


def test_columns_can_be_left_out_and_texts_be_missing(path):
    ((X, _),) = ruleplay.read_chunks(path, "kind", drop=["code"], missing=["red"])
    assert list(X.columns) == ["size", "colour"]
    assert X["colour"].isna().tolist() == [True, True, False, True, False]


def test_a_classifier_learns_from_a_file(path):
    model = ruleplay.XCSClassifier(n_steps=100, population_size=50, random_state=0)
    model.fit_chunks(ruleplay.read_chunks(path, "kind", chunk_rows=2))
    assert model.categories_[1].tolist() == ["blue", "green", "red", "(missing)"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"target": "sort"}, "has no column 'sort'; it has"),
        ({"target": "kind", "drop": ["x"]}, "has no column 'x'"),
        ({"target": "kind", "chunk_rows": 0}, "chunk_rows must be an integer in"),
    ],
)
def test_odd_requests_are_refused(path, options, message):
    with pytest.raises(ConfigError, match=message):
        list(ruleplay.read_chunks(path, **options))


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="there is no such file"):
        ruleplay.read_chunks(tmp_path / "rows.csv", "kind")


def test_parquet_without_its_reader_says_what_to_install(tmp_path, monkeypatch):
    (tmp_path / "rows.parquet").touch()
    monkeypatch.setattr(chunk_files, "find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"pip install 'ruleplay\[parquet\]'"):
        list(ruleplay.read_chunks(tmp_path / "rows.parquet", "kind"))
