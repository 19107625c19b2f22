"""Frames of polars are learned from as those of pandas are."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.inspection import permutation_importance

from ruleplay import Rule, XCSClassifier, read_rules

pl = pytest.importorskip("polars")

SIZES = ["small", "medium", "large"]
SETTINGS = {"n_steps": 3000, "population_size": 200, "random_state": 0}


def columns(rows=300):
    """Return columns with gaps, and labels that depend on two of them."""
    random = np.random.default_rng(0)
    length = [None if x < 0.1 else x * 10 for x in random.random(rows).tolist()]
    size, colour = random.choice(SIZES, rows).tolist(), random.choice(["b", "a"], rows).tolist()
    colour[3] = None
    count = random.integers(0, 9, rows).tolist()
    count[5] = None
    active = random.choice([True, False, None], rows).tolist()
    labels = [
        "yes" if s != "large" and (x or 0) > 4 else "no" for s, x in zip(size, length, strict=True)
    ]
    return {
        "length": length,
        "size": size,
        "colour": colour,
        "count": count,
        "active": active,
    }, labels


def polars_frame(size=None, colour=None):
    values, labels = columns()
    types = {"size": size or pl.Enum(SIZES), "colour": colour or pl.Categorical}
    return pl.DataFrame(values, schema_overrides=types), pl.Series("label", labels)


def pandas_frame():
    values, labels = columns()
    frame = pd.DataFrame({**values, "active": pd.Series(values["active"], dtype=float)})
    frame["size"] = pd.Categorical(frame["size"], SIZES)
    frame["colour"] = pd.Categorical(frame["colour"])
    return frame, np.array(labels)


@pytest.mark.parametrize("colour", [pl.Categorical, pl.String], ids=["categorical", "text"])
def test_the_same_is_learned_as_from_pandas(colour):
    ours = XCSClassifier(**SETTINGS).fit(*polars_frame(colour=colour))
    theirs = XCSClassifier(**SETTINGS).fit(*pandas_frame())
    assert ours.ruleset_.to_json() == theirs.ruleset_.to_json()
    assert ours.feature_names_in_.tolist() == theirs.feature_names_in_.tolist()
    assert [known.tolist() for known in ours.categories_.values()] == [
        SIZES,
        ["a", "b", "(missing)"],
    ]
    np.testing.assert_array_equal(
        ours.predict_proba(polars_frame()[0]), theirs.predict_proba(pandas_frame()[0])
    )


def test_a_frame_is_asked_in_every_way():
    frame, labels = polars_frame()
    model = XCSClassifier(**SETTINGS).fit(frame, labels)
    assert model.score(frame, labels) > 0.7
    assert set(model.predict(frame)) == {"yes", "no"}
    assert "size " in str(model.explain(frame[:1]))
    assert model.compact(frame, labels).after <= 10
    rules = model.ruleset_
    encoded = rules.encode(frame)
    np.testing.assert_array_equal(encoded, rules.encode(pandas_frame()[0].astype(object)))
    found = permutation_importance(model, frame[:100], labels[:100].to_numpy(), n_repeats=1)
    assert found.importances_mean.shape == (5,)


def test_partial_fit_takes_frames():
    frame, labels = polars_frame()
    model = XCSClassifier(**SETTINGS)
    model.partial_fit(frame, labels, classes=labels.unique())
    assert model.partial_fit(frame, labels).score(frame, labels) > 0.4


def test_an_unknown_category_is_missing():
    frame, labels = polars_frame(size=pl.String)
    model = XCSClassifier(**SETTINGS).fit(frame, labels)
    odd = frame[:1].with_columns(pl.lit("huge").alias("size"))
    gap = frame[:1].with_columns(pl.lit(None, pl.String).alias("size"))
    np.testing.assert_array_equal(model.predict_proba(odd), model.predict_proba(gap))


def test_text_that_is_no_category_is_refused():
    frame = pl.DataFrame({"word": ["x", "y"], "at": [1.0, 2.0]})
    with pytest.raises(ValueError, match="could not convert string to float"):
        XCSClassifier(**SETTINGS, categorical_features=None).fit(frame, pl.Series([0, 1]))


def test_other_columns_can_be_chosen_by_name():
    frame, labels = polars_frame()
    settings = {**SETTINGS, "categorical_features": ["size", "colour", "count"]}
    model = XCSClassifier(**settings).fit(frame, labels)
    assert model.categories_[3].tolist() == [*map(float, range(9)), "(missing)"]


def test_streams_take_rows_by_name():
    pytest.importorskip("river")
    from ruleplay import XCSStream

    frame, labels = polars_frame()
    model = XCSStream(seed=0, population_size=200)
    for row, label in zip(frame.iter_rows(named=True), labels, strict=True):
        model.learn_one(row, label)
    assert set(model.ruleset_.feature_names) == set(frame.columns)


WITHOUT_PYARROW = """
import sys
sys.modules["pyarrow"] = None
import polars as pl
from ruleplay.learners.common.frames import as_pandas
frame = as_pandas(pl.DataFrame({"size": ["s", None, "l"], "count": [1, None, 3]}))
print(frame["size"].cat.categories.tolist(), frame["count"].tolist())
"""


def test_no_other_package_is_needed():
    command = [sys.executable, "-c", WITHOUT_PYARROW]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout == "['l', 's'] [1.0, nan, 3.0]\n"


def test_chunks_may_be_frames_of_polars():
    frame, labels = polars_frame(size=pl.String)
    chunks = [(frame[k : k + 70], labels[k : k + 70]) for k in range(0, 300, 70)]
    model = XCSClassifier(**SETTINGS).fit_chunks(chunks)
    whole = XCSClassifier(**SETTINGS).fit(frame, labels)
    assert {k: v.tolist() for k, v in model.categories_.items()} == {
        k: v.tolist() for k, v in whole.categories_.items()
    }
    assert model.score(frame, labels) > 0.9


def test_rules_by_hand_may_be_a_frame_of_polars():
    frame = pl.DataFrame(
        {"class": ["yes", "no"], "lower_weight": [0.5, None], "in_size": [["s", "l"], None]}
    )
    assert read_rules(frame) == (
        Rule({"weight": (0.5, None), "size": {"s", "l"}}, "yes"),
        Rule({}, "no"),
    )
