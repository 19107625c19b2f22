"""A classifier explains its answers, and its rules can be made few."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError

from ruleplay.errors import ConfigError
from ruleplay.learners.classifier import XCSClassifier

DATA = load_iris(as_frame=True)
FRAME, LABELS = DATA.data, DATA.target_names[DATA.target]


def small(**settings):
    return XCSClassifier(**{"n_steps": 8000, "population_size": 500, "random_state": 0} | settings)


@pytest.fixture(scope="module")
def model():
    return small().fit(FRAME, LABELS)


def test_an_explanation_is_that_of_the_prediction(model):
    for k in range(0, 150, 10):
        told = model.explain(FRAME.iloc[k])
        row = FRAME.iloc[[k]]
        assert model.classes_[told.action] == model.predict(row)[0]
        np.testing.assert_array_equal(told.values, model.engine_.predict(row.to_numpy())[0])


@pytest.mark.filterwarnings("error")
def test_a_row_may_be_given_in_any_form(model):
    row = FRAME.iloc[3]
    said = {str(model.explain(one)) for one in (row, FRAME.iloc[[3]], row.tolist(), row.to_numpy())}
    assert len(said) == 1
    text = said.pop()
    assert text.startswith("sepal length (cm) 4.60, ")
    assert ": setosa\n  setosa: value " in text
    assert "THEN" not in text


def test_where_no_rule_speaks_the_most_frequent_class_is_explained():
    labels = np.where(FRAME.iloc[:, 0] > 5.0, "long", "short")
    model = small(n_steps=3, cover_spread=0.01).fit(FRAME.to_numpy(), labels)
    told = next(told for row in FRAME.to_numpy() if (told := model.explain(row)).is_default)
    assert model.classes_[told.action] == "long" == model.predict([told.observation])[0]


def test_a_class_without_rules_counts_with_its_share_of_the_rows():
    rows = FRAME.to_numpy()
    model = small(n_steps=20, min_actions=1, cover_spread=0.2).fit(rows, LABELS)
    told = [model.explain(row) for row in rows]
    assert [model.classes_[one.action] for one in told] == model.predict(rows).tolist()
    silent = [one for one in told if np.isnan(one.values[one.action]) and not one.is_default]
    assert len(silent) > 10


def test_a_margin_is_not_shown():
    rows = np.random.default_rng(0).random((200, 10))
    model = small().fit(rows, rows[:, 0] > 0.5)
    assert model.engine_.low[0] < model.bounds_[0][0]
    told = [model.explain(row) for row in rows[:50]]
    np.testing.assert_array_equal([one.values for one in told], model.engine_.predict(rows[:50]))
    phrases = pd.concat([one.votes["if"] for one in told])
    numbers = phrases.str.findall(r"-?\d+\.\d+").explode().dropna().astype(float)
    assert len(numbers) > 100
    assert numbers.between(0.0, 1.0).all()


def test_missing_values_and_categories_can_be_explained():
    frame = pd.DataFrame(
        {
            "weight": [3.1, 4.0, None, 5.2] * 10,
            "colour": pd.Categorical(["red", "green", "blue", "green"] * 10),
        }
    )
    model = small().fit(frame, ["ripe", "raw", "raw", "raw"] * 10)
    text = str(model.explain(frame.iloc[2]))
    assert text.startswith("weight missing, colour blue: raw")
    assert str(model.explain([None, "blue"])) == text


def test_linear_models_are_explained_too():
    model = small(prediction="linear").fit(FRAME, LABELS)
    told = model.explain(FRAME.iloc[60])
    assert model.classes_[told.action] == model.predict(FRAME.iloc[[60]])[0]


@pytest.mark.parametrize("method", ["evaluate", "greedy"])
def test_few_rules_decide_as_all_do(model, method):
    made = model.compact(FRAME, method=method)
    assert made.ruleset.ordered == (method == "evaluate")
    assert made.after < made.before == model.engine_.macroclassifiers
    assert made.agreement > 0.85
    decided = model.classes_[made.ruleset.actions(FRAME.to_numpy())]
    assert (decided == model.predict(FRAME)).mean() > 0.9


def test_with_labels_a_list_agrees_with_them(model):
    shuffled = np.random.default_rng(0).permutation(["no", "yes"] * 75)
    short = np.where(FRAME["petal length (cm)"] < 3, "short", "long")
    other = small(n_steps=500).fit(FRAME, shuffled)
    made = other.compact(FRAME, np.where(short == "short", "no", "yes"), max_rules=3)
    assert made.score_after == 1.0 > made.score_before
    assert made.after <= 3
    assert made.loss == made.score_before - 1.0


def test_the_number_of_rules_is_limited(model):
    assert model.compact(FRAME, max_rules=1).after <= 1


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda model: model.explain(FRAME.iloc[:2]), "row must be a single one, got 2 rows"),
        (lambda model: model.compact(FRAME, ["rose"] * 150), "y must hold the classes"),
        (lambda model: model.compact(FRAME, method="magic"), "method must be one of"),
        (lambda model: model.compact(FRAME.iloc[:1]), "observations must be at least 2 rows"),
    ],
    ids=["two-rows", "unknown-label", "method", "one-row"],
)
def test_what_cannot_be_is_refused(model, ask, message):
    with pytest.raises(ConfigError, match=message):
        ask(model)


def test_before_fit_there_is_nothing_to_explain():
    for ask in (lambda: small().explain(FRAME.iloc[0]), lambda: small().compact(FRAME)):
        with pytest.raises(NotFittedError):
            ask()
