"""Rules can be put into an engine, taken out and replaced, and it stays sound."""

import numpy as np
import pytest

from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.engine import XCS
from ruleplay.engine.transfer import engine_of_boxes, replace_rules, rules_of
from ruleplay.learners.classifier.by_hand.boxes import Boxes, boxes_in
from ruleplay.learners.classifier.by_hand.planting import trimmed
from ruleplay.learners.classifier.by_hand.upkeep import open_columns

pytestmark = pytest.mark.uncompiled


def lived(condition="center_spread", **changes):
    """Return an engine that has learned a little."""
    settings = {"population_size": 40, "ga_threshold": 5, "condition": condition} | changes
    engine = XCS(
        XCSConfig(**settings), ReplayConfig(capacity=50), n_actions=2, low=[0, 0, 0], high=[1, 2, 4]
    )
    rng = np.random.default_rng(0)
    rows = rng.random((60, 3)) * [1, 2, 4]
    engine.learn_batch(rows, rng.integers(0, 2, 60), 100.0 * rng.random(60))
    return engine


@pytest.mark.parametrize("condition", ["center_spread", "unordered"])
@pytest.mark.parametrize("prediction", ["scalar", "linear"])
def test_boxes_become_rules_that_know_nothing(condition, prediction):
    engine = lived(condition, prediction=prediction)
    lower = np.array([[0.25, 0.0, 0.5], [0.0, 0.0, 0.0], [0.1, 0.7, 0.3]])
    upper = np.array([[0.5, 1.0, 1.0], [1.0, 1.0, 1.0], [0.1, 0.9, 0.8]])
    made = engine_of_boxes(engine, lower, upper, np.array([0, 0, 1]))
    boxes = boxes_in(made)
    np.testing.assert_allclose(boxes.lower, lower, atol=2e-7)
    np.testing.assert_allclose(boxes.upper, upper, atol=2e-7)
    assert (boxes.lower <= lower.astype(np.float32)).all()  # nothing is lost by rounding
    assert (boxes.upper >= upper.astype(np.float32)).all()
    assert boxes.action.tolist() == [0, 0, 1]
    assert made.export()["experience"].tolist() == [0, 0, 0]
    if prediction == "linear":
        assert (made.state.arrays.population.gain[made.places(), 0] == 1.0).all()


def test_rules_are_replaced_in_place():
    engine = lived()
    parts = rules_of(engine)
    count = len(parts["action"])
    few = {name: part[::-3] for name, part in parts.items()}
    replace_rules(engine, few)
    assert engine.macroclassifiers == len(few["action"]) < count
    engine.check()
    rng = np.random.default_rng(1)
    engine.learn_batch(rng.random((40, 3)), rng.integers(0, 2, 40), rng.random(40))
    engine.check()


@pytest.mark.parametrize("condition", ["center_spread", "unordered"])
def test_columns_are_opened_and_equal_rules_become_one(condition):
    engine = lived(condition)
    before, micro = boxes_in(engine), engine.microclassifiers
    open_columns(engine, (0, 2))
    after = boxes_in(engine)
    assert (after.lower[:, [0, 2]] == 0.0).all()
    assert (after.upper[:, [0, 2]] == 1.0).all()
    assert {*after.lower[:, 1]} == {*before.lower[:, 1]}
    assert engine.microclassifiers == micro
    engine.check()


def test_too_many_rules_lose_the_weakest_but_those_that_are_kept():
    engine = lived(population_size=10)
    parts = rules_of(engine)
    parts = {name: np.concatenate([part, part[:1]]) for name, part in parts.items()}
    parts["rules"]["numerosity"] = 1
    parts["rules"]["fitness"] = np.linspace(0.1, 1.0, len(parts["action"]))
    count = len(parts["action"])
    parts["rules"]["numerosity"][1] = 12 - (count - 1)  # two too many
    kept = np.zeros(count, np.bool_)
    kept[0] = True
    left = trimmed(parts, kept, engine)
    assert left["rules"]["numerosity"].sum() == 10
    assert left["rules"]["fitness"][0] == parts["rules"]["fitness"][0]


def test_a_box_lies_within_another_of_the_same_class_only():
    wide = Boxes(np.zeros((1, 2), np.float32), np.ones((1, 2), np.float32), np.array([1]))
    inner = np.array([[0.2, 0.0], [0.0, 0.0], [0.5, 0.5]], np.float32)
    some = Boxes(inner, np.ones((3, 2), np.float32), np.array([1, 0, 1]))
    assert some.inside(wide).tolist() == [True, False, True]
    assert wide.inside(some).tolist() == [False]
    assert wide.inside(wide).tolist() == [True]
