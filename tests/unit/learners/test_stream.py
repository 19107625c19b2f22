"""XCSStream learns from examples one at a time, whatever they look like."""

import copy
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("river")

from ruleplay import XCSStream
from ruleplay.engine.transfer import relearn
from ruleplay.errors import ConfigError, NotTrainedError

SCALAR = {"prediction": "scalar", "replay": None}


def sides(count, seed=0, flipped=False, low=0.0, high=1.0):
    """Draw points of a square, labelled by the half they lie in."""
    rng = np.random.default_rng(seed)
    for a, b in rng.random((count, 2)):
        scaled = {"a": low + a * (high - low), "b": float(b)}
        yield scaled, ("left" if (a < 0.5) != flipped else "right")


def taught(examples, **parameters):
    model = XCSStream(**{"seed": 1, **parameters})
    return go_on(model, examples)


def go_on(model, examples):
    for x, y in examples:
        model.learn_one(x, y)
    return model


def accuracy(model, examples):
    hits = [model.predict_one(x) == y for x, y in examples]
    return sum(hits) / len(hits)


def test_nothing_is_predicted_before_anything_is_learned():
    model = XCSStream()
    assert model.predict_proba_one({"a": 1.0}) == {}
    assert model.predict_one({"a": 1.0}) is None
    with pytest.raises(NotTrainedError, match="no rules yet"):
        model.rules_text()


def test_the_first_examples_are_predicted_by_their_classes_alone():
    model = taught(list(sides(10)), grace_period=50)
    labels = [y for _, y in sides(10)]
    assert model.predict_proba_one({"a": 0.1})["left"] == labels.count("left") / 10


@pytest.mark.slow
@pytest.mark.parametrize(
    "parameters",
    [
        pytest.param({}, id="linear-drift"),
        pytest.param(SCALAR, id="scalar"),
        pytest.param({"replay": "prioritized"}, id="prioritized", marks=pytest.mark.uncompiled),
    ],
)
def test_it_learns(parameters):
    """Seeds 0 to 9: 0.98 and more with linear models, 0.98 and more with scalar ones."""
    model = taught(sides(1500), **parameters)
    assert accuracy(model, sides(300, seed=7)) > 0.9
    model._engine.check()


def test_ranges_need_not_be_known():
    narrow, wide = sides(300), sides(1500, seed=2, low=-50.0, high=50.0)
    model = taught(narrow)
    before = (model._engine.low[0], model._engine.high[0])
    go_on(model, wide)
    assert model._engine.low[0] < -50 < before[0] < before[1] < 50 < model._engine.high[0]
    assert accuracy(model, sides(300, seed=7, low=-50.0, high=50.0)) > 0.9
    model._engine.check()


def test_classes_may_turn_up_late():
    model = taught(sides(400))
    go_on(model, [({"a": a, "b": 2.0}, "above") for a in np.linspace(0, 1, 300).tolist()])
    assert model.predict_one({"a": 0.5, "b": 2.0}) == "above"
    assert set(model.predict_proba_one({"a": 0.5})) == {"left", "right", "above"}
    assert model._engine.n_actions == 3
    model._engine.check()


def test_one_class_alone_is_certain():
    model = taught([({"a": float(k)}, "only") for k in range(60)])
    assert model.predict_proba_one({"a": 3.0}) == {"only": 1.0}


@pytest.mark.parametrize(
    ("first", "parameters"),
    [("b", {}), ("a", SCALAR)],
    ids=["linear-what-matters-comes", "scalar-what-matters-stays"],
)
def test_features_come_and_go(first, parameters):
    """Seeds 0 to 9: 0.98 and more with linear models, 0.98 and more with scalar ones."""
    model = taught((({first: x[first]}, y) for x, y in sides(500)), **parameters)
    assert model._features.names == [first]
    go_on(model, sides(1500, seed=3))
    assert sorted(model._features.names) == ["a", "b"]
    assert accuracy(model, (({"a": x["a"]}, y) for x, y in sides(300, seed=7))) > 0.85
    go_on(model, (({"a": x["a"]}, y) for x, y in sides(200, seed=8)))
    assert model.predict_one({}) in ("left", "right")
    model._engine.check()


def test_words_and_truth_values_are_features():
    rng = np.random.default_rng(0)
    colours = rng.choice(["red", "green", "blue"], 1200).tolist()
    examples = [({"colour": c, "big": bool(k % 2)}, c == "red") for k, c in enumerate(colours)]
    model = taught(examples)
    assert accuracy(model, examples[-200:]) > 0.95


def test_rules_name_the_words_of_a_feature():
    colours = np.random.default_rng(0).choice(["red", "green", "blue"], 600).tolist()
    model = taught([({"colour": c, "size": k % 7}, c) for k, c in enumerate(colours)])
    text = model.rules_text(top=None)
    assert re.search(r"colour in \{(red|green|blue)\}", text)
    assert not re.search(r"colour [≤≥=]|≤ colour", text)
    assert set().union(*model.rules_["in_colour"]) == {"red", "green", "blue"}
    assert " THEN not " in text


def test_rules_are_in_the_features_own_units():
    model = taught(sides(800, low=100.0, high=300.0))
    table = model.rules_
    assert {"lower_a", "upper_b", "class", "prediction"} <= set(table.columns)
    assert set(table["class"]) == {"left", "right"}
    assert table["lower_a"].min() >= model._engine.low[0] > 50.0
    assert model.rules_text(top=3).count("IF ") == 3


def test_drift_is_noticed_and_what_is_outdated_forgotten():
    model = taught(sides(1500), replay="drift")
    assert model.n_drifts == 0
    stored = int(model._engine.state.arrays.state["stored"][0])
    go_on(model, sides(250, seed=5, flipped=True))
    assert model.n_drifts >= 1
    assert int(model._engine.state.arrays.state["stored"][0]) < stored
    model._engine.check()


def test_reacting_to_drift_recovers_faster_than_fifo():
    """Seeds 0 to 9: drift 0.95 and more, fifo 0.04 and less."""
    found = {}
    for replay in ("drift", "fifo"):
        model = go_on(taught(sides(2000), replay=replay), sides(300, seed=5, flipped=True))
        found[replay] = accuracy(model, sides(300, seed=7, flipped=True))
    assert found["drift"] > found["fifo"] + 0.5


def test_relearning_starts_experience_and_gains_anew_and_keeps_predictions():
    engine = taught(sides(300))._engine
    rows = np.random.default_rng(0).random((50, 2))
    before = engine.predict(rows)
    relearn(engine)
    engine.check()
    assert (engine.export()["experience"] == 0).all()
    gain = engine.state.arrays.population.gain[engine.places()].reshape(-1, 3, 3)
    assert (gain == 100.0 * np.eye(3)).all()
    assert np.array_equal(engine.predict(rows), before, equal_nan=True)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))])
@pytest.mark.parametrize("count", [20, 300], ids=["collecting", "learning"])
def test_a_copy_goes_on_as_the_original(copied, count):
    model = taught(sides(count))
    twin = copied(model)
    for one in (model, twin):
        go_on(one, sides(200, seed=4))
    for x, _ in sides(50, seed=7):
        assert twin.predict_proba_one(x) == model.predict_proba_one(x)


def test_the_seed_decides():
    answers = [
        [taught(sides(200), seed=seed).predict_proba_one(x) for x, _ in sides(20, seed=7)]
        for seed in (1, 1, 2)
    ]
    assert answers[0] == answers[1] != answers[2]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (
            {"replay": "newest"},
            "replay must be one of None, 'fifo', 'reservoir', 'drift', 'prioritized', "
            "'stratified', got 'newest'",
        ),
        ({"grace_period": 0}, r"grace_period must be an integer in \[1, "),
        ({"specific_features": 0}, r"specific_features must lie in \(0, inf\), got 0"),
        ({"drift_delta": 1}, r"drift_delta must lie in \(0, 1\), got 1"),
        ({"learning_rate": 0}, r"learning_rate \(beta\) must lie in \(0, 1\], got 0"),
        ({"replay_capacity": 0}, r"replay_capacity \(N\) must be an integer in \[1, inf\), got 0"),
    ],
)
def test_parameters_are_checked_with_the_first_example(parameters, message):
    with pytest.raises(ConfigError, match=message):
        XCSStream(**parameters).learn_one({"a": 1.0}, 0)


def test_without_river_the_message_names_the_extra():
    script = (
        "import sys; sys.modules['river'] = None\n"
        "import ruleplay\n"
        "try: ruleplay.XCSStream\n"
        "except ImportError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.strip() == "learners of streams need River: pip install 'ruleplay[river]'"


def test_memory_is_counted_without_compiled_code():
    model = XCSStream(seed=0, grace_period=5, replay_capacity=1000)
    before = model._raw_memory_usage
    for k in range(8):
        model.learn_one({"a": k / 8.0, "b": -k}, k % 2)
    assert model._engine.nbytes > 20 * 1000  # two states of two features, action, reward, ...
    assert before + model._engine.nbytes < model._raw_memory_usage < 10_000_000


@pytest.mark.parametrize("example", [None, 3, "a", [("a", 1.0)], np.zeros(2)], ids=repr)
def test_an_example_that_maps_nothing_is_refused(example):
    model = taught(sides(5))
    for call in (model.predict_one, model.predict_proba_one, lambda x: model.learn_one(x, "left")):
        with pytest.raises(ConfigError, match="an example must map names of features to values"):
            call(example)


def test_a_class_without_a_hash_is_refused_before_anything_is_learned():
    model = taught(sides(5))
    before = pickle.dumps(model)
    with pytest.raises(ConfigError, match="a class must be hashable, got list"):
        model.learn_one({"a": 0.5, "c": "new"}, [])
    assert pickle.dumps(model) == before
