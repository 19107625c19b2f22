"""A saved classifier is the same in another process; anything odd in its file is refused."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError

from elsewhere import apply_elsewhere
from ruleplay.engine import XCS
from ruleplay.errors import ConfigError, ModelFileError
from ruleplay.learners.classifier import XCSClassifier
from ruleplay.learners.classifier.model_file import notes_of

IRIS = load_iris(as_frame=True)
FRAME = IRIS.data.assign(
    origin=pd.Categorical(
        np.where(IRIS.target > 1, "north", "south"), categories=["south", "north"]
    )
)
NAMES = IRIS.target_names[IRIS.target]

LOAD = """
import json, sys
import pandas as pd
from ruleplay import XCSClassifier
model = XCSClassifier.load(sys.argv[1])
frame = pd.read_json(sys.argv[2], orient="split", precise_float=True)
print(json.dumps([model.predict_proba(frame).tolist(), model.predict(frame).tolist()]))
"""


def small(**settings):
    return XCSClassifier(**{"n_steps": 1000, "population_size": 200, "random_state": 0} | settings)


@pytest.fixture(scope="module")
def model():
    return small().fit(FRAME, NAMES)


@pytest.fixture
def saved(model, tmp_path):
    model.save(tmp_path / "iris.ruleplay")
    return tmp_path / "iris.ruleplay"


def test_another_process_predicts_the_same(model, saved, tmp_path):
    probabilities, labels = apply_elsewhere(LOAD, saved, FRAME, tmp_path)
    assert labels == model.predict(FRAME).tolist()
    np.testing.assert_array_equal(probabilities, model.predict_proba(FRAME))


def test_a_loaded_classifier_is_the_saved_one(model, saved):
    loaded = XCSClassifier.load(saved)
    assert loaded.get_params() == model.get_params()
    assert loaded.rules_.equals(model.rules_)
    assert loaded.rules_text() == model.rules_text()
    assert loaded.feature_names_in_.tolist() == list(FRAME)
    assert loaded.categories_[4].tolist() == ["south", "north"]
    assert loaded.engine_.about == model.engine_.about
    assert loaded.n_steps_ == 1000


@pytest.mark.parametrize("settings", [{}, {"replay": "uniform"}], ids=["plain", "replay"])
def test_a_loaded_classifier_goes_on_as_the_saved_one(settings, tmp_path):
    one = small(**settings).fit(FRAME, NAMES)
    one.save(tmp_path / "model")
    other = XCSClassifier.load(tmp_path / "model")
    for classifier in (one, other):
        classifier.partial_fit(FRAME, NAMES)
    assert one.rules_.equals(other.rules_)


@pytest.mark.parametrize(
    ("labels", "settings"),
    [
        (IRIS.target.to_numpy() * 5 - 3, {"class_weight": {-3: 1, 2: 2.5, 7: 1}}),
        (IRIS.target.to_numpy() > 0, {"bounds": (0, np.full(4, 9.0)), "margin": 1.0}),
        (IRIS.target.to_numpy().astype(np.float32), {"random_state": np.random.RandomState(0)}),
        (NAMES.astype(object), {"early_stopping": True, "callback": print}),
        (NAMES, {"prediction": "linear", "population_size": np.int64(150)}),
    ],
    ids=["integers", "booleans", "floats", "objects", "text"],
)
def test_labels_and_parameters_of_all_kinds_are_kept(labels, settings, tmp_path):
    rows = IRIS.data.to_numpy()
    model = small(**settings).fit(rows, labels)
    model.save(tmp_path / "model")
    loaded = XCSClassifier.load(tmp_path / "model")
    assert loaded.classes_.dtype == model.classes_.dtype
    np.testing.assert_array_equal(loaded.predict(rows), model.predict(rows))
    np.testing.assert_array_equal(loaded.class_prior_, model.class_prior_)
    assert loaded.class_weight == model.class_weight
    assert getattr(loaded, "validation_scores_", 0) == getattr(model, "validation_scores_", 0)
    assert not hasattr(loaded, "feature_names_in_")
    assert loaded.callback is None


def test_saving_leaves_the_engine_as_it_is(model, saved):
    assert saved.exists()
    assert set(model.engine_.about) == {"feature_names", "action_names", "classes", "categories"}


def test_a_classifier_that_has_not_learned_cannot_be_saved(tmp_path):
    with pytest.raises(NotFittedError):
        small().save(tmp_path / "model")


def test_categories_that_are_no_plain_values_cannot_be_saved(tmp_path):
    days = pd.Categorical(pd.to_datetime(["2026-01-01", "2026-01-02"] * 10))
    model = small(n_steps=50).fit(pd.DataFrame({"day": days}), [0, 1] * 10)
    with pytest.raises(ConfigError, match="categories of column 0 must be text, numbers or"):
        model.save(tmp_path / "model")
    assert not list(tmp_path.iterdir())


def test_a_flipped_byte_is_refused(saved):
    content = bytearray(saved.read_bytes())
    rng = np.random.default_rng(0)
    for place in [0, 20, 60, len(content) - 1, *rng.integers(48, len(content), 20)]:
        damaged = content.copy()
        damaged[place] ^= 1
        saved.write_bytes(damaged)
        with pytest.raises(ModelFileError):
            XCSClassifier.load(saved)


def test_the_file_of_another_learner_is_refused(model, tmp_path):
    model.engine_.save(tmp_path / "engine")
    with pytest.raises(ModelFileError, match="not saved by an XCSClassifier"):
        XCSClassifier.load(tmp_path / "engine")


ODD = {
    "no-classes": {"classes": None},
    "too-few-classes": {"classes": {"dtype": "U", "values": ["a", "b"]}},
    "classes-in-disorder": {"classes": {"dtype": "U", "values": ["c", "b", "a"]}},
    "classes-of-other-kind": {"classes": {"dtype": "<i8", "values": [0.5, 1.5, 2.5]}},
    "nested-classes": {"classes": {"dtype": "|O", "values": [[0], [1], [2]]}},
    "classes-as-records": {"classes": {"dtype": "i4,i4", "values": [0, 1, 2]}},
    "huge-text": {"classes": {"dtype": "<U99999999", "values": ["a", "b", "c"]}},
    "negative-weights": {"weight_sums": [1.0, -1.0, 1.0]},
    "no-weights": {"weight_sums": [0.0, 0.0, 0.0]},
    "too-many-weights": {"weight_sums": [1.0] * 4},
    "text-for-weights": {"weight_sums": "none"},
    "reversed-bounds": {"bounds": [[9.0] * 5, [0.0] * 5]},
    "bounds-outside": {"bounds": [[-1e9] * 5, [1e9] * 5]},
    "too-few-bounds": {"bounds": [[0.0] * 4, [1.0] * 4]},
    "column-outside": {"categories": {"5": {"dtype": "|O", "values": ["a", "b"]}}},
    "column-by-name": {"categories": {"origin": {"dtype": "|O", "values": ["a", "b"]}}},
    "equal-categories": {"categories": {"4": {"dtype": "|O", "values": ["a", "a"]}}},
    "no-categories": {"categories": {"4": {"dtype": "|O", "values": []}}},
    "other-number-of-categories": {"categories": {"4": {"dtype": "|O", "values": ["a", "b", "c"]}}},
    "names-of-other-kind": {"feature_names": [0, 1, 2, 3, 4]},
    "too-few-names": {"feature_names": ["a"]},
    "no-number-of-steps": {"n_steps": -1},
    "scores-of-other-kind": {"validation_scores": ["good"]},
    "no-power": {"share_power": 0.0},
    "power-of-other-kind": {"share_power": "much"},
    "oob-score-of-other-kind": {"oob_score": "good"},
    "random-numbers": {"random": {"bit_generator": "MT19937"}},
    "no-random-numbers": {"random": None},
    "no-parameters": {"parameters": None},
    "unknown-parameter": {"parameters": {"class_weight": None, "speed": 11}},
    "other-settings": {"parameters": {"class_weight": None, "ga_threshold": 3}},
}


@pytest.mark.parametrize("changes", ODD.values(), ids=ODD)
def test_odd_notes_are_refused(changes, model, tmp_path):
    engine = model.engine_
    plain = engine.about
    try:
        engine.about = plain | notes_of(model) | changes
        engine.save(tmp_path / "odd")
    finally:
        engine.about = plain
    assert XCS.load(tmp_path / "odd").macroclassifiers > 0
    with pytest.raises(ModelFileError, match="notes on the classifier are damaged"):
        XCSClassifier.load(tmp_path / "odd")


def test_files_of_earlier_versions_keep_what_these_chose(tmp_path):
    rng = np.random.default_rng(0)
    rows, labels = rng.random((60, 20)), rng.integers(0, 3, 60)
    model = XCSClassifier(n_steps=300, population_size=700, mutation_step=0.25, random_state=0)
    model.fit(rows, labels)
    model.population_size = None  # 700 was chosen,
    model.mutation_step = model.engine_.config.mutation_step  # and steps were the engine's
    model.save(tmp_path / "old.ruleplay")
    again = XCSClassifier.load(tmp_path / "old.ruleplay")
    assert (again.population_size, again.engine_.config.population_size) == (None, 700)
    assert again.mutation_step == pytest.approx(0.25)
    np.testing.assert_array_equal(again.predict_proba(rows), model.predict_proba(rows))
    again.set_params(warm_start=True).fit(rows, labels)
