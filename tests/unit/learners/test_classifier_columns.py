"""Columns of categories are learned as codes and read as categories."""

import numpy as np
import pandas as pd
import pytest

from ruleplay.errors import ConfigError
from ruleplay.learners.classifier import XCSClassifier
from ruleplay.learners.common.categories import encode_categories, find_categories

SIZES = ["small", "large", "huge"]


def sample(seed=0, n_rows=200):
    """Make rows whose label depends on the size, a category, and on nothing else."""
    rng = np.random.default_rng(seed)
    size = pd.Categorical(rng.choice(SIZES, n_rows), categories=SIZES)
    frame = pd.DataFrame({"noise": rng.random(n_rows), "size": size})
    return frame, np.where(size == "large", "yes", "no")


def small(**settings):
    return XCSClassifier(**{"n_steps": 5000, "population_size": 400, "random_state": 0} | settings)


def test_categories_of_a_dtype_keep_their_order():
    frame, _ = sample()
    found = find_categories(frame, "from_dtype")
    assert {k: known.tolist() for k, known in found.items()} == {1: SIZES}
    codes = encode_categories(frame, found)["size"]
    assert codes.tolist() == [SIZES.index(value) for value in frame["size"]]


def test_other_values_are_sorted():
    frame = pd.DataFrame({"a": ["z", None, "b"], "n": [3, 1, 3]})
    found = find_categories(frame, ["a", "n"])
    assert {k: known.tolist() for k, known in found.items()} == {
        0: ["b", "z", "(missing)"],
        1: [1, 3],
    }


@pytest.mark.parametrize(
    "wanted", [["size"], [1], np.array([1]), [False, True]], ids=["name", "number", "array", "mask"]
)
def test_columns_are_chosen_by_name_number_or_mask(wanted):
    assert list(find_categories(sample()[0].astype({"size": str}), wanted)) == [1]


@pytest.mark.parametrize(
    "wanted", [["colour"], [2], [-1], [True], "size", 7, [[1]]], ids=lambda value: repr(value)
)
def test_columns_that_are_not_there_are_refused(wanted):
    with pytest.raises(ConfigError, match="categorical_features must be"):
        small(categorical_features=wanted).fit(*sample())


def test_values_that_cannot_be_ordered_are_refused():
    frame = pd.DataFrame({"a": [1, "one", 2]})
    with pytest.raises(ConfigError, match="column 0 must all be text or all be numbers"):
        find_categories(frame, [0])


def test_a_column_of_no_category_is_refused():
    with pytest.raises(ConfigError, match="column 0 must have at least one value"):
        find_categories(pd.DataFrame({"a": [None, None]}), [0])


def test_unknown_and_missing_values_have_no_code():
    codes = encode_categories([[5, 1.0], [7, 2.0], [None, 3.0]], {0: np.array([3, 5], object)})
    np.testing.assert_array_equal(codes.astype(float), [[1, 1], [np.nan, 2], [np.nan, 3]])


def test_rules_name_the_categories():
    # Over 20 seeds the accuracy is 1.
    frame, labels = sample()
    model = small().fit(frame, labels)
    assert model.score(frame, labels) > 0.97
    table = model.rules_
    assert list(table)[:3] == ["lower_noise", "upper_noise", "in_size"]
    sure = table[(table["prediction"] > 990) & (table["class"] == "yes") & (table["error"] < 10)]
    sure = sure[sure["experience"] > 20]
    assert set(sure["in_size"]) <= {("large",), ()}
    assert "size in {large} THEN yes" in model.rules_text(top=None)
    *lines, _ = model.rules_text(None).splitlines()
    for line, members in zip(lines, table["in_size"], strict=True):
        phrase = f"size in {{{', '.join(members)}}} "
        assert (phrase in line) == (len(members) < 3)


def test_a_rule_has_the_categories_that_it_matches():
    frame, labels = sample()
    model = small(margin=0.7).fit(frame, labels)
    table = model.rules_
    for code, category in enumerate(SIZES):
        rows = np.column_stack([np.linspace(0.3, 0.7, 20), np.full(20, code)])
        has = np.array([category in members for members in table["in_size"]])
        for row, payoffs in zip(rows, model._predictions(model._columns(rows)), strict=True):
            inside = has & (table["lower_noise"] <= row[0]) & (row[0] <= table["upper_noise"])
            votes = table[inside].groupby("class")[["prediction", "fitness"]]
            expected = [np.average(v["prediction"], weights=v["fitness"]) for _, v in votes]
            np.testing.assert_allclose(payoffs[~np.isnan(payoffs)], expected, rtol=1e-6)


def test_an_unknown_category_counts_as_missing():
    frame, labels = sample()
    model = small().fit(frame, labels)
    new = pd.DataFrame({"noise": [0.5, 0.5], "size": ["tiny", None]})
    one, other = model.predict_proba(new)
    np.testing.assert_array_equal(one, other)


def test_other_dtypes_with_the_same_values_are_the_same():
    frame, labels = sample()
    model = small().fit(frame, labels)
    reordered = frame.assign(size=frame["size"].cat.reorder_categories(SIZES[::-1]))
    for same in (reordered, frame.astype({"size": object})):
        np.testing.assert_array_equal(model.predict_proba(same), model.predict_proba(frame))


def test_integer_codes_of_an_array_can_be_categories():
    rng = np.random.default_rng(1)
    rows = rng.choice([10, 20, 40], (200, 2))
    model = small(categorical_features=[0]).fit(rows, rows[:, 0] == 20)
    assert model.score(rows, rows[:, 0] == 20) == 1.0
    assert "x0 in {20}" in model.rules_text(None)
    assert model.categories_[0].tolist() == [10, 20, 40]


def test_text_that_is_not_declared_gives_the_usual_error():
    frame, labels = sample()
    frame = frame.assign(size=frame["size"].astype(object))
    with pytest.raises(ValueError, match="could not convert string to float"):
        small().fit(frame, labels)
    with pytest.raises(ValueError, match="could not convert string to float"):
        small(categorical_features=None).fit(*sample())


def test_a_name_that_reads_like_a_condition_is_kept_whole():
    frame, labels = sample()
    frame = frame.rename(columns={"noise": "<1> AND more", "size": "a AND b"})
    text = small().fit(frame, labels).rules_text(None)
    assert "a AND b in {large}" in text
    assert "<1> AND more ≤" in text
