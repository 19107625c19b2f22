"""Classifiers and regressors keep scikit-learn's contract, all of it."""

import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, PowerTransformer, StandardScaler
from sklearn.utils.estimator_checks import check_estimator, parametrize_with_checks

from ruleplay import RuleListClassifier, RuleListRegressor, XCSClassifier, XCSRegressor

X, Y = load_iris(return_X_y=True)
FRAME, NAMES = load_iris(as_frame=True).data, load_iris().target_names[Y]


def small(**settings):
    """Make a classifier that learns iris in a moment."""
    return XCSClassifier(**{"n_steps": 5000, "population_size": 400, "random_state": 0} | settings)


@parametrize_with_checks(
    [
        XCSClassifier(n_steps=10_000),
        XCSClassifier(n_steps=5000, replay=None, settle=False),
        XCSClassifier(prediction="linear", n_steps=5000, categorical_features=None),
        RuleListClassifier(estimator=XCSClassifier(n_steps=5000)),
        XCSRegressor(n_steps=2000, population_size=400),
        RuleListRegressor(estimator=XCSRegressor(n_steps=2000, population_size=400)),
        XCSRegressor(n_steps=5000, prediction="scalar", calibrate=False, margin=0.0),
    ]
)
def test_all_of_scikit_learns_checks_pass(estimator, check, monkeypatch):
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")  # or a check would skip
    check(estimator)


def test_no_check_is_left_out():
    results = check_estimator(small(), on_skip=None, on_fail=None)
    assert {result["status"] for result in results} <= {"passed", "skipped"}
    skipped = {result["check_name"] for result in results if result["status"] == "skipped"}
    assert skipped <= {"check_array_api_input"}  # runs above


def test_a_pipeline_passes_frames_on():
    pipeline = make_pipeline(StandardScaler(), small()).set_output(transform="pandas")
    pipeline.fit(FRAME, NAMES)
    assert pipeline[-1].feature_names_in_.tolist() == list(FRAME)
    assert pipeline.score(FRAME, NAMES) > 0.9


def test_columns_of_all_kinds_pass_through_a_column_transformer():
    frame = FRAME.assign(site=pd.Categorical(np.where(Y > 1, "hill", "shore")))
    transformer = make_column_transformer(
        (OneHotEncoder(sparse_output=False), ["site"]), remainder="passthrough"
    ).set_output(transform="pandas")
    assert make_pipeline(transformer, small()).fit(frame, NAMES).score(frame, NAMES) > 0.9


def test_metadata_is_routed():
    weights = np.where(Y == 2, 3.0, 1.0)
    with config_context(enable_metadata_routing=True):
        model = small(n_steps=500).set_fit_request(sample_weight=True)
        scaler = StandardScaler().set_fit_request(sample_weight=False)
        pipeline = make_pipeline(scaler, model).fit(X, Y, sample_weight=weights)
    direct = small(n_steps=500).fit(StandardScaler().fit_transform(X), Y, sample_weight=weights)
    assert pipeline[-1].rules_.equals(direct.rules_)


@pytest.mark.parametrize("settings", [{}, {"replay": "uniform"}], ids=["plain", "replay"])
def test_a_row_of_weight_three_is_three_rows(settings):
    times = np.arange(len(X)) % 4
    weighted = small(**settings).fit(X, Y, sample_weight=times)
    repeated = small(**settings).fit(X.repeat(times, 0), Y.repeat(times))
    assert weighted.rules_.equals(repeated.rules_)


def test_it_works_in_a_pipeline():
    pipeline = make_pipeline(StandardScaler(), PowerTransformer(), small())
    assert pipeline.fit(X, Y).score(X, Y) > 0.9


def test_it_can_be_searched_over():
    search = GridSearchCV(small(), {"ga_threshold": [12, 50]}, cv=3)
    assert search.fit(X, NAMES).best_score_ > 0.85


def test_processes_share_the_work_and_agree_with_one():
    one, two = (cross_val_score(small(), X, Y, cv=4, n_jobs=jobs) for jobs in (1, 2))
    assert one.tolist() == two.tolist()


def test_a_frames_names_and_units_are_the_rules():
    model = small().fit(FRAME, NAMES)
    assert model.feature_names_in_.tolist() == list(FRAME)
    assert {f"lower_{name}" for name in FRAME} < set(model.rules_)
    assert set(model.rules_["class"]) == set(NAMES)
    with pytest.warns(UserWarning, match="feature names"):
        model.predict(X)


def test_a_frame_with_other_columns_is_refused():
    model = small(n_steps=100).fit(FRAME, NAMES)
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(FRAME.rename(columns={"petal width (cm)": "width"}))


@pytest.mark.parametrize("settings", [{}, {"replay": "uniform"}], ids=["plain", "replay"])
def test_a_pickled_classifier_predicts_and_goes_on_the_same(settings):
    model = small(**settings).fit(X, Y)
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.predict_proba(X), model.predict_proba(X))
    for one in (model, copy):
        one.partial_fit(X, Y)
    np.testing.assert_array_equal(copy.predict_proba(X), model.predict_proba(X))
    pd.testing.assert_frame_equal(copy.rules_, model.rules_)


def test_joblib_keeps_a_classifier(tmp_path):
    model = small().fit(FRAME, NAMES)
    joblib.dump(model, tmp_path / "model.joblib")
    loaded = joblib.load(tmp_path / "model.joblib")
    assert loaded.predict(FRAME).tolist() == model.predict(FRAME).tolist()
    assert loaded.rules_text() == model.rules_text()


def test_a_clone_has_the_parameters_and_nothing_else():
    model = small().fit(X, Y)
    copy = clone(model)
    assert copy.get_params() == model.get_params()
    assert not hasattr(copy, "engine_")
