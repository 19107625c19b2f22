"""Tables of very many columns: models are about some of them, conditions about all."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import r2_score

from ruleplay import XCSRegressor
from ruleplay.learners.common.labelled_rows import LabelledRows
from ruleplay.learners.regressor.model_columns import MOST_COLUMNS, choose_columns

RNG = np.random.default_rng(8)
WIDE = RNG.normal(size=(400, 45))
TARGET = 3.0 * WIDE[:, 40] - 2.0 * WIDE[:, 7] + 0.1 * RNG.normal(size=400)
SHORT = {"n_steps": 3000, "random_state": 0, "calibrate": False}


@pytest.fixture(scope="module")
def model():
    return XCSRegressor(**SHORT).fit(WIDE[:300], TARGET[:300])


def test_models_are_about_the_columns_that_matter(model):
    used = (model.ruleset_.weights[:, 1:] != 0.0).any(axis=0)
    assert used.sum() == MOST_COLUMNS
    assert used[[7, 40]].all()
    assert r2_score(TARGET[300:], model.predict(WIDE[300:])) > 0.95


def test_rules_say_what_the_model_does(model):
    told = model.ruleset_.estimates(WIDE[300:]).ravel()
    np.testing.assert_allclose(told, model.predict(WIDE[300:]), rtol=1e-9)


def test_it_is_the_same_after_saving_and_goes_on_learning(model, tmp_path):
    model.save(tmp_path / "wide.ruleplay")
    again = XCSRegressor.load(tmp_path / "wide.ruleplay")
    np.testing.assert_array_equal(again.predict(WIDE), model.predict(WIDE))
    again.set_params(warm_start=True).fit(WIDE, TARGET)
    assert again.engine_.config.model_columns == model.engine_.config.model_columns


def test_categories_count_as_columns():
    table = pd.DataFrame({"size": WIDE[:, 0], "town": pd.Categorical(RNG.integers(0, 40, 400))})
    price = table["size"] + (table["town"] == 3) * 5.0
    model = XCSRegressor(**SHORT).fit(table, price)
    assert "town" in str(model.ruleset_)
    assert model.engine_.config.prediction == "sparse_linear"


@pytest.mark.parametrize("prediction", ["scalar", "quadratic"])
def test_other_models_are_as_the_user_says(prediction):
    few = XCSRegressor(prediction=prediction, n_steps=200, random_state=0, calibrate=False)
    engine = few.fit(WIDE[:60, :31], TARGET[:60]).engine_
    assert engine.config.prediction == prediction


@pytest.mark.uncompiled
@pytest.mark.parametrize("targets", [1, 2])
def test_columns_are_found_one_by_one(targets):
    answers = np.column_stack([TARGET, WIDE[:, 20]])[:, :targets]
    chosen = choose_columns(LabelledRows(WIDE, answers, np.ones(400))).split(",")
    assert {"7-7", "40-40"} <= set(chosen)
    assert len(chosen) <= MOST_COLUMNS
    assert ("20-20" in chosen) or targets == 1


@pytest.mark.uncompiled
def test_a_constant_target_has_a_column_all_the_same():
    constant = LabelledRows(WIDE, np.full((400, 1), 3.0), np.ones(400))
    assert choose_columns(constant) == "0-0"
