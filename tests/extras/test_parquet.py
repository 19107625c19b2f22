"""A Parquet file is read in chunks as a CSV file is."""

import numpy as np
import pandas as pd
import pytest

import ruleplay
from ruleplay.errors import ConfigError

pytest.importorskip("pyarrow")


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    size, colour = rng.random(300), rng.choice(["red", "blue", "?"], 300)
    kind = np.where((size > 0.5) & (colour == "red"), "a", "b")
    table = pd.DataFrame({"size": size, "colour": colour, "kind": kind})
    table.to_parquet(tmp_path / "rows.parquet", row_group_size=70)
    table.to_csv(tmp_path / "rows.csv", index=False)
    return tmp_path


def test_both_files_teach_the_same(table):
    texts = []
    for name in ("rows.parquet", "rows.csv"):
        chunks = ruleplay.read_chunks(table / name, "kind", chunk_rows=70, missing=["?"])
        model = ruleplay.XCSClassifier(n_steps=3000, population_size=100, random_state=0)
        texts.append(model.fit_chunks(chunks).rules_text(top=None))
    assert texts[0] == texts[1]
    assert "colour in {red}" in texts[0]


def test_an_unknown_column_is_refused(table):
    with pytest.raises(ConfigError, match="has no column 'sort'; it has"):
        list(ruleplay.read_chunks(table / "rows.parquet", "sort"))
