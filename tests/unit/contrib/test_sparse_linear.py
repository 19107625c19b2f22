"""Models of some columns: as linear ones, but for the columns that they leave out."""

import numpy as np
import pytest

from ruleplay import XCS, XCSConfig
from ruleplay.contrib.sparse_linear import columns_in
from ruleplay.core.components.seams import Prediction
from ruleplay.engine.refitting import refit
from ruleplay.errors import ConfigError
from ruleplay.rules import RuleSet
from ruleplay.testing import check_component

pytestmark = pytest.mark.uncompiled

RNG = np.random.default_rng(3)
ROWS = RNG.random((120, 4))
PAYOFFS = 1.0 + 2.0 * ROWS[:, 1] - ROWS[:, 3] + 0.1 * RNG.normal(size=120)


def learned(rows=ROWS, **settings):
    config = XCSConfig(population_size=60, error_threshold=0.1, rls_initial_gain=50.0, **settings)
    engine = XCS(config, n_actions=1, low=[0.0] * 4, high=[1.0] * 4, seed=1)
    for row, payoff in zip(rows, PAYOFFS, strict=True):
        engine.learn(row, 0, payoff)
    return engine


def test_a_model_of_all_columns_is_the_linear_one_bit_by_bit():
    sparse, linear = learned(prediction="sparse_linear").export(), learned(prediction="linear")
    for name, part in linear.export().items():
        np.testing.assert_array_equal(sparse[name], part)


def test_columns_left_out_have_no_weight_and_rules_tell_what_the_engine_does():
    engine = learned(prediction="sparse_linear", model_columns="1-1,3-3")
    refit(engine, ROWS, PAYOFFS[:, np.newaxis], np.ones(120))
    weights = engine.export()["weights"]
    assert (weights[:, [1, 3]] == 0.0).all()
    assert (weights[:, [2, 4]] != 0.0).any(axis=0).all()
    rules = RuleSet.of(engine)
    np.testing.assert_allclose(rules.values(ROWS), engine.predict(ROWS), rtol=1e-12)


def test_an_engine_with_such_models_is_the_same_after_saving(tmp_path):
    engine = learned(prediction="sparse_linear", model_columns="0-1")
    engine.save(tmp_path / "some.ruleplay")
    again = XCS.load(tmp_path / "some.ruleplay")
    np.testing.assert_array_equal(again.predict(ROWS), engine.predict(ROWS))


def test_the_contract_is_kept():
    check_component(Prediction, "sparse_linear", model_columns="0-0")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3-9", r"model_columns must lie in \[0, 3\], got '3-9'"),
        ("b", "model_columns must be spans of columns in order"),
    ],
)
def test_columns_that_are_not_there_are_refused(text, message):
    with pytest.raises(ConfigError, match=message):
        learned(prediction="sparse_linear", model_columns=text)
    assert columns_in("1-2", 4).tolist() == [1, 2]
