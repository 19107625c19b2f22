"""Saved lists about a quantity are the same in another process; odd files are refused."""

import copy

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from elsewhere import apply_elsewhere
from ruleplay import RuleListRegressor, XCSRegressor
from ruleplay.errors import ModelFileError
from ruleplay.learners.rule_list_regressor.model_file import LISTS, notes_of

RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(
    {
        "area": RNG.uniform(20, 150, 300),
        "district": pd.Categorical(RNG.choice(["Hill", "Mill"], 300)),
    }
)
PRICES = pd.Series(np.where(FRAME["district"] == "Hill", 5.0, 3.0) * FRAME["area"], name="price")

LOAD = """
import json, sys
import pandas as pd
from ruleplay import RuleListRegressor
model = RuleListRegressor.load(sys.argv[1])
frame = pd.read_json(sys.argv[2], orient="split", precise_float=True)
print(json.dumps([model.predict(frame).tolist(), model.text()]))
"""


def small(**settings):
    population = XCSRegressor(n_steps=2000, population_size=200, error_threshold=20.0)
    return RuleListRegressor(**{"estimator": population, "random_state": 0} | settings)


@pytest.fixture(scope="module")
def model():
    return small().fit(FRAME, PRICES)


@pytest.fixture
def saved(model, tmp_path):
    model.save(tmp_path / "price.ruleplay")
    return tmp_path / "price.ruleplay"


def test_another_process_predicts_the_same(model, saved, tmp_path):
    predictions, text = apply_elsewhere(LOAD, saved, FRAME, tmp_path)
    np.testing.assert_array_equal(predictions, model.predict(FRAME))
    assert text == model.text()


def test_loaded_lists_are_the_saved_ones(model, saved):
    loaded = RuleListRegressor.load(saved)
    assert str(loaded.front()) == str(model.front())
    assert loaded.n_rules_ == model.n_rules_
    for one, other in zip(loaded.front(), model.front(), strict=True):
        assert one.ruleset.to_json() == other.ruleset.to_json()
        assert one.text() == other.text()
    assert loaded.feature_names_in_.tolist() == list(FRAME)
    assert loaded.estimator.get_params() == model.estimator.get_params()


def test_the_regressor_can_be_read_from_the_file_of_its_lists(model, saved):
    loaded = XCSRegressor.load(saved)
    np.testing.assert_array_equal(loaded.predict(FRAME), model.estimator_.predict(FRAME))


def test_lists_of_constants_are_kept(tmp_path):
    population = XCSRegressor(n_steps=1000, population_size=200, prediction="scalar")
    model = small(estimator=population).fit(FRAME, PRICES)
    model.save(tmp_path / "model")
    loaded = RuleListRegressor.load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.predict(FRAME), model.predict(FRAME))


def test_lists_that_have_not_been_learned_cannot_be_saved(tmp_path):
    with pytest.raises(NotFittedError):
        small().save(tmp_path / "model")


def test_the_file_of_a_regressor_alone_has_no_list(model, tmp_path):
    model.estimator_.save(tmp_path / "regressor")
    with pytest.raises(ModelFileError, match="there is no list of rules"):
        RuleListRegressor.load(tmp_path / "regressor")


def replaced(lists, path, value):
    """Return notes with another value at a place."""
    changed = copy.deepcopy(lists)
    inner = changed
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return changed


ODD = {
    "no-lists": (["lists"], None),
    "not-even-one-list": (["lists"], []),
    "chosen-is-none": (["chosen"], 77),
    "no-parameters": (["parameters"], None),
    "unknown-parameter": (["parameters", "speed"], 11),
    "too-many-rules": (["parameters", "max_rules"], 10**6),
    "estimator-of-other-kind": (["parameters", "estimator"], "best"),
    "list-of-other-kind": (["lists", -1], 3),
    "no-rules": (["lists", -1, "rules"], []),
    "rule-of-unknown-feature": (["lists", -1, "rules", 0, "if"], {"smell": [0, 1]}),
    "rule-of-unknown-target": (["lists", -1, "rules", 0, "then"], "size"),
    "unknown-category": (["lists", -1, "rules", 0, "if"], {"district": {"in": ["Port"]}}),
    "last-rule-with-a-condition": (["lists", -1, "rules", -1, "if"], {"area": [20.0, 30.0]}),
    "too-few-weights": (["lists", -1, "rules", 0, "weights"], [1.0]),
    "error-below-zero": (["lists", 0, "train_error"], -1.5),
    "error-of-other-kind": (["lists", 0, "held_out_error"], "high"),
}


@pytest.mark.parametrize(("path", "value"), ODD.values(), ids=ODD)
def test_odd_lists_are_refused(path, value, model, tmp_path):
    engine = model.estimator_.engine_
    plain, notes = engine.about, notes_of(model)
    try:
        engine.about = plain | notes | {LISTS: replaced(notes[LISTS], path, value)}
        engine.save(tmp_path / "odd")
    finally:
        engine.about = plain
    assert XCSRegressor.load(tmp_path / "odd").n_steps_ == 2000
    with pytest.raises(ModelFileError, match="notes on the regressor are damaged"):
        RuleListRegressor.load(tmp_path / "odd")
