"""Answers that are as probable as they are right lie on the diagonal."""

from types import SimpleNamespace

import numpy as np
import pytest

from ruleplay.errors import ConfigError
from ruleplay.rules import draw_reliability
from ruleplay.rules.drawing.reliability import measure_reliability

pytestmark = [pytest.mark.interpreted, pytest.mark.uncompiled]

SHARES = np.array([[0.75, 0.25], [0.75, 0.25], [0.75, 0.25], [0.25, 0.75], [0.0, 1.0], [0.6, 0.4]])
LABELS = np.array(["a", "a", "b", "b", "b", "b"])


def model(shares=SHARES):
    return SimpleNamespace(classes_=np.array(["a", "b"]), predict_proba=lambda X: shares)


def test_bins_hold_means_and_the_error_weighs_them_by_answers():
    right = np.array([True, True, False, True, True, False])
    found = measure_reliability(SHARES.max(axis=1), right, 10)
    assert found.counts.tolist() == [0, 0, 0, 0, 0, 0, 1, 4, 0, 1]
    assert found.right[[6, 7, 9]].tolist() == [0.0, 0.75, 1.0]
    assert found.probability[[6, 7, 9]] == pytest.approx([0.6, 0.75, 1.0])
    assert found.calibration_error == pytest.approx(0.6 / 6)


def test_both_curves_are_drawn(tmp_path):
    figure = draw_reliability(model(), np.zeros((6, 1)), LABELS, path=tmp_path / "trust.svg")
    left, other = figure.axes
    assert left.get_title() == "calibration error 0.100"
    np.testing.assert_allclose(left.lines[1].get_xydata(), [[0.6, 0.0], [0.75, 0.75], [1.0, 1.0]])
    np.testing.assert_allclose(
        other.lines[0].get_xydata(), [[1 / 6, 1.0], [5 / 6, 0.8], [1.0, 4 / 6]]
    )
    assert (tmp_path / "trust.svg").stat().st_size > 1000


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"y": LABELS[:5]}, "y must have one class for each of 6 rows"),
        ({"bins": 1}, "bins must be an integer"),
        ({"path": "trust.txt"}, "must end in .svg, .png, .pdf"),
    ],
)
def test_odd_arguments_are_refused(settings, message):
    with pytest.raises(ConfigError, match=message):
        draw_reliability(model(), np.zeros((6, 1)), **{"y": LABELS} | settings)
