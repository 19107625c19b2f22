"""A model of `fit` reads a frame of the same file as its file was read; odd notes are refused."""

import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from ruleplay import XCSClassifier
from ruleplay.errors import ModelFileError, UnknownCategoryWarning
from ruleplay.learners.classifier.model_file import notes_of
from ruleplay.learners.common.columns import Columns
from ruleplay.learners.common.training_table import TrainingTable

RANDOM = np.random.default_rng(0)
SIZES = RANDOM.integers(0, 40, 80)
TEXT = pd.DataFrame(
    {
        "id": [f"C{k}" for k in range(80)],
        "price": [f"{size / 4:.2f}".replace(".", ",") for size in SIZES],
        "size": [str(size) if size != 7 else "?" for size in SIZES],
        "zip": RANDOM.choice(["02683", "10115", "00501"], 80),
        "active": RANDOM.choice(["true", "false"], 80),
    },
    dtype=object,
)
LABELS = pd.Series(np.where(SIZES > 20, "yes", "no"))
COLUMNS = Columns(
    {"price": "decimal comma", "size": "plain"},
    {"zip": ["00501", "02683", "10115"], "active": ["false", "true"]},
    {"id": "a different text in each row"},
    ["a remark"],
)


@pytest.fixture(scope="module")
def model():
    rows = COLUMNS.read(TEXT)
    made = XCSClassifier(n_steps=2000, population_size=200, random_state=0).fit(rows, LABELS)
    made.training_table_ = TrainingTable.of("shop.csv", "bought", COLUMNS, rows, LABELS)
    return made


@pytest.fixture
def loaded(model, tmp_path):
    model.save(tmp_path / "model")
    return XCSClassifier.load(tmp_path / "model")


def test_the_file_keeps_how_columns_were_read_and_what_they_held(model, loaded):
    table = loaded.training_table_
    assert table == model.training_table_
    assert table.columns.left_out == {"id": "a different text in each row"}
    assert table.n_rows == 80
    assert table.class_counts == LABELS.value_counts().to_dict()
    assert table.summaries["size"].missing == int((SIZES == 7).sum())
    assert table.summaries["price"].quartiles[-1] == SIZES.max() / 4
    assert sum(table.summaries["zip"].counts) == 80


def test_the_file_keeps_a_typical_row_of_each_class(model, loaded):
    rows = COLUMNS.read(TEXT)
    codes = {name: rows[name].cat.codes.to_numpy() for name in ("zip", "active")}
    known = rows.assign(**codes).to_numpy(np.float64)
    answers = LABELS.to_numpy(str)
    examples = loaded.training_table_.examples
    assert [label for label, _ in examples] == LABELS.value_counts().index.tolist()
    for label, values in examples:
        place = np.flatnonzero((known == np.array(values, np.float64)).all(axis=1))
        assert label in answers[place]
        low, high = np.quantile(known[answers == label, 0], [0.2, 0.8])
        assert low <= values[0] <= high


@pytest.mark.parametrize(
    "changed",
    [
        lambda frame: frame,
        lambda frame: frame.drop(columns="id"),
        lambda frame: frame[frame.columns[::-1]],
        lambda frame: frame.assign(active=frame["active"] == "true"),
        lambda frame: frame.assign(active=frame["active"].str.upper()),
        lambda frame: frame.assign(zip=frame["zip"].astype(int)),
        lambda frame: frame.assign(zip=frame["zip"].astype(float)),
        lambda frame: frame.assign(size=pd.to_numeric(frame["size"], errors="coerce")),
        lambda frame: frame.assign(price=SIZES / 4),
        lambda frame: COLUMNS.read(frame),
    ],
    ids=[
        "text",
        "features-only",
        "other-order",
        "truth-values",
        "capitals",
        "whole-numbers",
        "floats",
        "numbers-with-gaps",
        "numbers",
        "as-learned",
    ],
)
def test_a_frame_of_the_same_file_is_read_as_fit_has_read_it(loaded, changed):
    expected = loaded.predict_proba(COLUMNS.read(TEXT))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(loaded.predict_proba(changed(TEXT)), expected)


def test_a_column_of_mostly_unknown_values_warns(loaded):
    frame = TEXT.assign(zip="99999")
    with pytest.warns(UnknownCategoryWarning, match=r"'zip': 80 of 80 values .* such as '99999'"):
        loaded.predict(frame)


def test_few_unknown_values_and_missing_ones_do_not_warn(loaded):
    frame = TEXT.assign(active=[None] * 70 + ["true"] * 6 + ["perhaps"] * 4)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        loaded.predict(frame)


def test_learning_anew_forgets_the_file(model, tmp_path):
    model.save(tmp_path / "model")
    again = XCSClassifier.load(tmp_path / "model").set_params(n_steps=50)
    again.fit(COLUMNS.read(TEXT), LABELS)
    assert not hasattr(again, "training_table_")


def test_a_column_that_is_not_there_is_missing_in_each_row():
    rows = COLUMNS.read(TEXT.drop(columns=["zip", "price"]))
    assert rows["zip"].isna().all()
    assert rows["price"].isna().all()
    assert COLUMNS.lacking(TEXT.drop(columns=["zip", "price"])) == ["price", "zip"]


SUMMARIES = {
    "price": [0, [0.0, 1.0, 2.0, 3.0, 4.0], []],
    "size": [0, [0.0, 1.0, 2.0, 3.0, 4.0], []],
    "zip": [0, [], [1, 2, 3]],
    "active": [0, [], [1, 2]],
}
ODD = {
    "name-of-other-kind": {"name": 3},
    "target-of-other-kind": {"target": None},
    "rows-below-zero": {"rows": -1},
    "counts-of-other-kind": {"classes": {"no": "many"}},
    "unknown-style": {"styles": {"price": "roman", "size": "plain"}},
    "style-of-other-kind": {"styles": {"price": ["plain"], "size": "plain"}},
    "too-few-styles": {"styles": {"price": "plain"}},
    "style-of-categories": {"styles": {"price": "plain", "size": "plain", "zip": "plain"}},
    "left-out-of-other-kind": {"left_out": {"id": "why"}},
    "reason-of-other-kind": {"left_out": [["id", 3]]},
    "remarks-of-other-kind": {"remarks": [1]},
    "no-summaries": {"summaries": None},
    "too-few-summaries": {"summaries": {"price": SUMMARIES["price"]}},
    "too-few-quartiles": {"summaries": SUMMARIES | {"size": [0, [1.0, 2.0], []]}},
    "quartiles-in-disorder": {"summaries": SUMMARIES | {"size": [0, [1, 2, 3, 5, 4], []]}},
    "quartiles-of-other-kind": {"summaries": SUMMARIES | {"size": [0, ["a"] * 5, []]}},
    "too-few-counts": {"summaries": SUMMARIES | {"zip": [0, [], [1, 2]]}},
    "counts-below-zero": {"summaries": SUMMARIES | {"zip": [0, [], [1, 2, -3]]}},
    "whole-categories": {"whole": ["zip"]},
    "stand-in-of-categories": {"stand_ins": {"zip": -999.0}},
    "stand-in-of-other-kind": {"stand_ins": {"size": "-999"}},
    "groups-of-numbers": {"grouped": ["size"]},
    "decision-of-other-kind": {"decisions": {"size": 3}},
    "examples-of-other-kind": {"examples": "many"},
    "example-without-a-class": {"examples": [["maybe", [1.0, 2.0, 0.0, 1.0]]]},
    "example-of-too-few-values": {"examples": [["no", [1.0, 2.0, 0.0]]]},
    "example-of-no-category": {"examples": [["no", [1.0, 2.0, 0.5, 1.0]]]},
    "example-of-text": {"examples": [["no", [1.0, "2", 0.0, 1.0]]]},
    "summary-of-other-kind": {"summaries": SUMMARIES | {"zip": "short"}},
}


@pytest.mark.parametrize("changes", ODD.values(), ids=ODD)
def test_odd_notes_on_the_table_are_refused(changes, model, tmp_path):
    engine = model.engine_
    plain, notes = engine.about, notes_of(model)
    try:
        table = notes["training_table"] | changes
        engine.about = plain | notes | {"training_table": table}
        engine.save(tmp_path / "odd")
    finally:
        engine.about = plain
    with pytest.raises(ModelFileError, match="notes on the classifier are damaged"):
        XCSClassifier.load(tmp_path / "odd")


def test_a_file_from_before_columns_had_more_notes_is_read(model, tmp_path):
    engine = model.engine_
    plain, notes = engine.about, notes_of(model)
    later = ("whole", "stand_ins", "grouped", "decisions", "examples")
    table = {name: note for name, note in notes["training_table"].items() if name not in later}
    try:
        engine.about = plain | notes | {"training_table": table}
        engine.save(tmp_path / "old")
    finally:
        engine.about = plain
    assert XCSClassifier.load(tmp_path / "old").training_table_ == replace(
        model.training_table_, examples=()
    )
