"""Figures are what one computes by hand."""

import math

import numpy as np
import pytest

from ruleplay.benchmarks.real_data.figures import CLIP, measure

pytestmark = pytest.mark.uncompiled

LABELS = np.array([0, 0, 0, 1])
SHARES = [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8], [0.3, 0.7]]


def test_accuracies_are_those_of_the_predictions():
    found = measure(LABELS, [0, 0, 1, 0], SHARES)
    assert found.accuracy == 0.5
    assert found.balanced_accuracy == pytest.approx((2 / 3 + 0 / 1) / 2)


def test_auc_counts_pairs_in_the_right_order():
    # The row of class 1 has 0.7: more than 0.1 and 0.4, less than 0.8.
    assert measure(LABELS, [0, 0, 1, 1], SHARES).auc == pytest.approx(2 / 3)


def test_auc_of_several_classes_is_the_mean_over_each_against_the_rest():
    shares = [[0.8, 0.1, 0.1], [0.1, 0.2, 0.7], [0.1, 0.3, 0.6]]
    # Class 0: both pairs right. Class 1: 0.2 beats 0.1, not 0.3. Class 2: 0.6 beats 0.1, not 0.7.
    assert measure(np.array([0, 1, 2]), [0, 1, 2], shares).auc == pytest.approx((1 + 0.5 + 0.5) / 3)


def test_log_loss_is_the_mean_of_logarithms():
    expected = -np.log([0.9, 0.6, 0.2, 0.7]).mean()
    assert measure(LABELS, [0, 0, 0, 1], SHARES).log_loss == pytest.approx(expected)


def test_a_certain_mistake_costs_as_much_as_the_clipping_allows():
    found = measure(np.array([0, 1]), [1, 1], [[0.0, 1.0], [0.0, 1.0]])
    wrong, right = -math.log(CLIP / (1 + CLIP)), math.log(1 + CLIP)
    assert found.log_loss == pytest.approx((wrong + right) / 2)


def test_shares_are_scaled_to_1_and_none_at_all_are_even_ones():
    found = measure(np.array([0, 1]), [0, 0], [[3.0, 1.0], [0.0, 0.0]])
    assert found.log_loss == pytest.approx(-(math.log(0.75) + math.log(0.5)) / 2)


@pytest.mark.parametrize(
    "shares",
    [[[math.nan, 1.0]], [[-0.1, 1.1]], [[1.0]], [[0.5, 0.5]] * 2, [0.5]],
    ids=["nan", "negative", "a class too few", "a row too many", "no table"],
)
def test_what_are_no_probabilities_is_refused(shares):
    with pytest.raises(ValueError, match="probabilities must be"):
        measure(np.array([1]), [1], shares)
