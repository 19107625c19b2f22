"""Saved lists are the same in another process; anything odd in their file is refused."""

import copy

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError

from elsewhere import apply_elsewhere
from ruleplay import RuleListClassifier, XCSClassifier
from ruleplay.errors import ModelFileError
from ruleplay.learners.rule_list.model_file import LISTS, notes_of

IRIS = load_iris(as_frame=True)
NAMES = IRIS.target_names[IRIS.target]
FRAME = IRIS.data.assign(
    origin=pd.Categorical(np.where(IRIS.target == 1, "north", "south")), code=IRIS.target % 2
)

LOAD = """
import json, sys
import pandas as pd
from ruleplay import RuleListClassifier
model = RuleListClassifier.load(sys.argv[1])
frame = pd.read_json(sys.argv[2], orient="split", precise_float=True)
print(json.dumps([model.predict_proba(frame).tolist(), model.text()]))
"""


def small(**settings):
    population = XCSClassifier(n_steps=2000, population_size=200)
    return RuleListClassifier(**{"estimator": population, "random_state": 0} | settings)


@pytest.fixture(scope="module")
def model():
    return small().fit(FRAME, NAMES)


@pytest.fixture
def saved(model, tmp_path):
    model.save(tmp_path / "iris.ruleplay")
    return tmp_path / "iris.ruleplay"


def test_another_process_decides_the_same(model, saved, tmp_path):
    probabilities, text = apply_elsewhere(LOAD, saved, FRAME, tmp_path)
    np.testing.assert_array_equal(probabilities, model.predict_proba(FRAME))
    assert text == model.text()


def test_loaded_lists_are_the_saved_ones(model, saved):
    loaded = RuleListClassifier.load(saved)
    assert str(loaded.front()) == str(model.front())
    assert loaded.n_rules_ == model.n_rules_
    for one, other in zip(loaded.front(), model.front(), strict=True):
        assert one.ruleset.to_json() == other.ruleset.to_json()
        assert one.text() == other.text()
        np.testing.assert_array_equal(one.class_weights, other.class_weights)
        np.testing.assert_array_equal(one.class_counts, other.class_counts)
    assert loaded.feature_names_in_.tolist() == list(FRAME)
    np.testing.assert_array_equal(loaded.classes_, model.classes_)


def test_the_length_that_was_taken_is_kept_beside_the_others(model, tmp_path):
    model.take(1).save(tmp_path / "short.ruleplay")
    loaded = RuleListClassifier.load(tmp_path / "short.ruleplay")
    assert loaded.n_rules_ == 1
    assert len(loaded.front()) == len(model.front())


def test_the_classifier_can_be_read_from_the_file_of_its_lists(model, saved):
    loaded = XCSClassifier.load(saved)
    assert loaded.rules_.equals(model.estimator_.rules_)
    np.testing.assert_array_equal(
        loaded.predict_proba(FRAME), model.estimator_.predict_proba(FRAME)
    )


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"max_rules": np.int64(3), "class_weight": {"setosa": 1, "versicolor": 2, "virginica": 1}},
        {"estimator": None, "categorical_features": ["code"], "max_rules": 2},
    ],
    ids=["usual", "weights", "no-estimator"],
)
def test_parameters_are_kept(settings, tmp_path):
    wanted = small(**settings)
    made = RuleListClassifier.of(small().fit(FRAME, NAMES).estimator_, FRAME, NAMES)
    made.set_params(**wanted.get_params(deep=False)).save(tmp_path / "model")
    loaded = RuleListClassifier.load(tmp_path / "model")
    population = loaded.estimator
    assert (population is None) == (wanted.estimator is None)
    if population is not None:
        assert population.get_params() == wanted.estimator.get_params()
    for name in ("max_rules", "class_weight", "categorical_features", "random_state"):
        assert getattr(loaded, name) == getattr(wanted, name)


def test_a_list_without_rules_is_kept(tmp_path):
    rows, labels = np.zeros((40, 1)), np.array(["no"] * 39 + ["yes"])
    rows[:, 0] = np.arange(40)
    model = small(max_rules=0).fit(rows, labels)
    model.save(tmp_path / "empty")
    loaded = RuleListClassifier.load(tmp_path / "empty")
    assert loaded.text() == model.text()
    assert loaded.n_rules_ == 0


def test_saving_leaves_the_engine_as_it_is(model, saved):
    assert saved.exists()
    assert LISTS not in model.estimator_.engine_.about


def test_lists_that_have_not_been_learned_cannot_be_saved(tmp_path):
    with pytest.raises(NotFittedError):
        small().save(tmp_path / "model")


def test_a_flipped_byte_is_refused(saved):
    content = bytearray(saved.read_bytes())
    rng = np.random.default_rng(0)
    for place in [0, 20, 60, len(content) - 1, *rng.integers(48, len(content), 20)]:
        damaged = content.copy()
        damaged[place] ^= 1
        saved.write_bytes(damaged)
        with pytest.raises(ModelFileError):
            RuleListClassifier.load(saved)


def test_the_file_of_a_classifier_alone_has_no_list(model, tmp_path):
    model.estimator_.save(tmp_path / "classifier")
    with pytest.raises(ModelFileError, match="there is no list of rules"):
        RuleListClassifier.load(tmp_path / "classifier")


def test_the_file_of_an_engine_is_refused(model, tmp_path):
    model.estimator_.engine_.save(tmp_path / "engine")
    with pytest.raises(ModelFileError, match="not saved by a classifier"):
        RuleListClassifier.load(tmp_path / "engine")


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
    "lists-of-other-kind": (["lists"], {"0": []}),
    "not-even-one-list": (["lists"], []),
    "chosen-is-none": (["chosen"], 77),
    "chosen-of-other-kind": (["chosen"], "1"),
    "no-parameters": (["parameters"], None),
    "unknown-parameter": (["parameters", "speed"], 11),
    "too-many-rules": (["parameters", "max_rules"], 10**6),
    "estimator-of-other-kind": (["parameters", "estimator"], "best"),
    "list-of-other-kind": (["lists", -1], 3),
    "no-rules": (["lists", -1, "rules"], None),
    "fewer-rules": (["lists", -1, "rules"], []),
    "rule-of-unknown-feature": (["lists", -1, "rules", 0, "if"], {"smell": [0, 1]}),
    "rule-of-unknown-class": (["lists", -1, "rules", 0, "then"], "rose"),
    "bounds-of-other-kind": (["lists", -1, "rules", 0, "if"], {"sepal length (cm)": ["a", 1]}),
    "unknown-category": (["lists", -1, "rules", 0, "if"], {"origin": {"in": ["west"]}}),
    "unknown-default": (["lists", -1, "default"], 3),
    "default-of-other-kind": (["lists", -1, "default"], True),
    "too-few-counts": (["lists", -1, "class_counts"], [[1, 2, 3]]),
    "counts-of-other-kind": (["lists", 0, "class_counts"], [["a", "b", "c"]]),
    "counts-below-zero": (["lists", 0, "class_counts"], [[-1, 2, 3]]),
    "halves-of-rows": (["lists", 0, "class_counts"], [[0.5, 2, 3]]),
    "uneven-counts": (["lists", 0, "class_counts"], [[1], [2, 3]]),
    "weights-below-zero": (["lists", 0, "class_weights"], [[-1.0, 2.0, 3.0]]),
    "weights-too-large": (["lists", 0, "class_weights"], [[1e305, 2.0, 3.0]]),
    "accuracy-above-one": (["lists", 0, "train_accuracy"], 1.5),
    "accuracy-of-other-kind": (["lists", 0, "held_out_accuracy"], "high"),
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
    assert XCSClassifier.load(tmp_path / "odd").n_steps_ == 2000
    with pytest.raises(ModelFileError, match="notes on the classifier are damaged"):
        RuleListClassifier.load(tmp_path / "odd")


def test_lists_in_disorder_are_refused(model, tmp_path):
    engine = model.estimator_.engine_
    plain, notes = engine.about, notes_of(model)
    lists = notes[LISTS] | {"lists": notes[LISTS]["lists"][::-1]}
    try:
        engine.about = plain | notes | {LISTS: lists}
        engine.save(tmp_path / "odd")
    finally:
        engine.about = plain
    with pytest.raises(ModelFileError, match="from the shortest to the longest"):
        RuleListClassifier.load(tmp_path / "odd")
