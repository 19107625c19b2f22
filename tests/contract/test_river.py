"""XCSStream and XCSStreamRegressor keep River's conventions: all checks, none skipped."""

import pytest

pytest.importorskip("river")

from river import checks

from ruleplay import XCSStream, XCSStreamRegressor

MODELS = {
    "default": XCSStream(),
    "scalar": XCSStream(prediction="scalar", replay=None),
    "reservoir": XCSStream(replay="reservoir"),
    "regressor": XCSStreamRegressor(),
    "scalar-regressor": XCSStreamRegressor(prediction="scalar", replay=None),
}


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_river_finds_nothing_to_object_to(model):
    assert not model._unit_test_skips()
    checks.check_estimator(model)
