"""Categories without an order are learned as sets: any of them may belong together."""

import numpy as np
import pandas as pd
import pytest

from ruleplay.errors import UnknownCategoryWarning
from ruleplay.learners.classifier import XCSClassifier
from ruleplay.learners.common.layout import Layout
from ruleplay.rules import RuleSet
from ruleplay.rules.spelling import ABSENT

COLOURS = ["amber", "blue", "coral", "denim", "ebony"]
WARM = ("amber", "coral", "ebony")


def sample(n_rows=400, seed=0, ordered=False):
    """Make rows whose label depends on whether the colour is one of three that stand apart."""
    rng = np.random.default_rng(seed)
    colour = pd.Categorical(rng.choice(COLOURS, n_rows), COLOURS, ordered=ordered)
    frame = pd.DataFrame({"noise": rng.random(n_rows), "colour": colour})
    return frame, np.where(np.isin(colour, WARM), "warm", "cold")


@pytest.fixture(scope="module")
def model():
    return XCSClassifier(n_steps=20_000, population_size=300, random_state=0).fit(*sample())


def test_a_rule_names_categories_that_are_no_neighbours(model):
    assert "colour in {amber, coral, ebony} THEN warm" in model.rules_text(top=None)
    frame, labels = sample(seed=1)
    assert model.score(frame, labels) == 1.0


def test_rules_decide_as_the_engine_does_also_if_values_are_missing(model):
    frame, _ = sample(seed=2)
    frame.loc[:50, "colour"] = None
    frame.loc[25:80, "noise"] = np.nan
    rules = model.ruleset_
    numbers = rules.encode(frame)
    decided = np.asarray(rules.labels)[rules.actions(numbers)]
    np.testing.assert_array_equal(decided, model.predict(frame))
    again = RuleSet.from_json(rules.to_json())
    np.testing.assert_array_equal(again.values(numbers), rules.values(numbers))


def test_a_file_keeps_sets(model, tmp_path):
    frame, _ = sample(seed=3)
    model.save(tmp_path / "m.ruleplay")
    again = XCSClassifier.load(tmp_path / "m.ruleplay")
    assert again.layout_ == model.layout_
    np.testing.assert_array_equal(again.predict_proba(frame), model.predict_proba(frame))
    assert again.rules_text(top=5) == model.rules_text(top=5)


def test_an_ordered_dtype_keeps_its_order():
    model = XCSClassifier(n_steps=2000, population_size=200, random_state=0)
    model.fit(*sample(ordered=True))
    assert model.engine_.config.condition == "center_spread"
    places = [[COLOURS.index(name) for name in names] for names in model.rules_["in_colour"]]
    assert all(found == list(range(min(found), max(found) + 1)) for found in places if found)


def test_linear_models_take_places_as_numbers():
    model = XCSClassifier(n_steps=500, population_size=200, prediction="linear", random_state=0)
    model.fit(*sample())
    assert model.engine_.n_features == 2


def test_a_feature_may_have_more_categories_than_a_word_has_bits():
    values = [f"v{k:03d}" for k in range(100)]
    rng = np.random.default_rng(0)
    chosen = rng.choice(values, 3000)
    frame = pd.DataFrame({"value": pd.Categorical(chosen, values)})
    labels = np.array([int(name[1:]) % 2 for name in chosen])
    model = XCSClassifier(n_steps=100_000, replay="uniform", random_state=0).fit(frame, labels)
    assert model.engine_.n_features == 100
    assert model.score(frame, labels) > 0.9


def test_a_layout_widens_rows_and_bounds():
    layout = Layout.of(3, {1: 2})
    rows = np.array([[5.0, 1.0, 7.0], [5.0, np.nan, 7.0]])
    expected = [[5, 0, 1, 7], [5, np.nan, np.nan, 7]]
    np.testing.assert_array_equal(layout.columns(rows), expected)
    low, high = layout.column_bounds((np.array([1.0, 0, 2]), np.array([6.0, 1, 8])))
    assert (low.tolist(), high.tolist()) == ([1, 0, 0, 2], [6, 1, 1, 8])


@pytest.fixture(scope="module")
def with_gaps():
    """Learn from rows of which those without a colour are all warm."""
    frame, labels = sample()
    frame.loc[::7, "colour"] = None
    labels[::7] = "warm"
    return XCSClassifier(n_steps=20_000, population_size=300, random_state=0).fit(frame, labels)


def test_missing_categories_are_a_category(with_gaps, tmp_path):
    assert with_gaps.categories_[1].tolist() == [*COLOURS, ABSENT]
    assert "colour in {amber, coral, ebony, (missing)} THEN warm" in with_gaps.rules_text(top=None)
    remark = "where (missing) is a category, only those that allow it."
    assert with_gaps.rules_text(top=1).endswith(remark)
    frame, _ = sample(seed=4)
    frame["colour"] = None
    assert set(with_gaps.predict(frame)) == {"warm"}
    frame["colour"] = "unheard of"
    with pytest.warns(UnknownCategoryWarning):
        assert set(with_gaps.predict(frame)) == {"warm"}
    with_gaps.save(tmp_path / "m.ruleplay")
    again = XCSClassifier.load(tmp_path / "m.ruleplay")
    assert again.ruleset_.features == with_gaps.ruleset_.features
    rules = again.ruleset_
    assert set(rules.actions(rules.encode([[0.5, None], [0.1, "?"], [0.9, "gold"]]))) == {1}
    assert "colour (missing)" in again.explain([0.5, None]).text()


def test_numbers_may_be_categories_beside_missing_ones():
    rows = np.array([[1.0], [2.0], [np.nan]] * 40)
    labels = np.array(["a", "b", "c"] * 40)
    model = XCSClassifier(
        n_steps=5000, population_size=200, categorical_features=[0], random_state=0
    ).fit(rows, labels)
    assert model.categories_[0].tolist() == [1.0, 2.0, ABSENT]
    assert model.predict(rows[:3]).tolist() == ["a", "b", "c"]


def test_missing_values_of_an_order_stay_missing():
    frame, labels = sample(ordered=True)
    frame.loc[:9, "colour"] = None
    model = XCSClassifier(n_steps=2000, population_size=200, random_state=0).fit(frame, labels)
    assert model.categories_[1].tolist() == COLOURS
