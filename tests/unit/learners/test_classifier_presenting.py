"""Rows are presented as often as they weigh, whatever their order."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from property.samples import quick
from ruleplay.errors import ConfigError
from ruleplay.learners.classifier.presentation import Presenter, draw_classes
from ruleplay.learners.common.labelled_rows import (
    LabelledRows,
    Rounds,
    checked_weights,
    merge_equal_rows,
)

pytestmark = pytest.mark.interpreted


def labelled_of(weights, seed=0):
    weights = np.asarray(weights, float)
    rows = np.random.default_rng(seed).random((len(weights), 2))
    return merge_equal_rows(LabelledRows(rows, np.zeros(len(weights), int), weights))


def test_equal_labelled_rows_are_one_with_their_weights_added():
    rows = np.array([[1.0, 2.0], [0.0, 2.0], [1.0, 2.0], [1.0, 2.0]])
    merged = merge_equal_rows(
        LabelledRows(rows, np.array([1, 0, 1, 0]), np.array([0.5, 1.0, 0.25, 2.0]))
    )
    found = {(*row, answer): w for row, answer, w in zip(*merged, strict=True)}
    assert found == {(1.0, 2.0, 1): 0.75, (0.0, 2.0, 0): 1.0, (1.0, 2.0, 0): 2.0}


def test_both_spellings_of_zero_are_one_value():
    merged = merge_equal_rows(LabelledRows(np.array([[0.0], [-0.0]]), np.array([0, 0]), np.ones(2)))
    assert merged.weights.tolist() == [2.0]


@given(seed=st.integers(0, 2**32), n_rows=st.integers(1, 12))
@quick(30)
def test_weights_are_repetitions_and_order_does_not_matter(seed, n_rows):
    rng = np.random.default_rng(seed)
    rows, answers = rng.integers(0, 3, (n_rows, 2)) / 2, rng.integers(0, 2, n_rows)
    weights = rng.integers(0, 4, n_rows).astype(float)
    weights[0] += 1
    times = weights.astype(int)
    repeated = merge_equal_rows(
        LabelledRows(rows.repeat(times, 0), answers.repeat(times), np.ones(times.sum()))
    )
    order = rng.permutation(n_rows)
    shuffled = merge_equal_rows(LabelledRows(rows[order], answers[order], weights[order]))
    for one, other in zip(repeated, shuffled, strict=True):
        np.testing.assert_array_equal(one, other)


def rounds_of(weights, seed):
    return Rounds(labelled_of(weights).weights, np.random.default_rng(seed))


def test_a_round_has_every_row_of_equal_weight_once():
    rounds = rounds_of(np.ones(100), 0).draw_rows(300).reshape(3, 100)
    assert (np.sort(rounds) == np.arange(100)).all()
    assert (rounds[0] != rounds[1]).any()


@pytest.mark.parametrize("scale", [1.0, 1e-12, 1e12])
def test_rows_come_as_often_as_they_weigh(scale):
    weights = np.array([1.0, 2.0, 5.0, 0.25]) * scale
    dealt = rounds_of(weights, 1).draw_rows(40_000)
    shares = np.bincount(dealt, minlength=4) / len(dealt)
    expected = labelled_of(weights).weights / weights.sum()
    assert shares == pytest.approx(expected, abs=2e-3)


def test_rounds_go_on_from_one_request_to_the_next():
    drawing = rounds_of(np.ones(7), 2)
    dealt = np.concatenate([drawing.draw_rows(size) for size in (1, 7, 40, 5, 94)])
    assert (np.sort(dealt.reshape(21, 7)) == np.arange(7)).all()


def test_presentations_pay_for_the_right_class():
    rows, answers = np.arange(6.0).reshape(3, 2), np.array([2, 0, 1])
    merged = merge_equal_rows(LabelledRows(rows, answers, np.ones(3)))
    shown, asked, paid = Presenter(merged, 3, "both", np.random.default_rng(0)).take(300)
    right = answers[(shown[:, 0] // 2).astype(int)]
    assert (paid == 1000.0 * (asked == right)).all()
    assert set(asked) == {0, 1, 2}


@pytest.mark.parametrize(
    ("learn_from", "n_classes", "share"),
    [("random", 2, 1 / 2), ("both", 2, 1 / 2), ("random", 5, 1 / 5), ("both", 5, 1 / 2)],
)
def test_questions_ask_about_the_right_class_as_often_as_promised(learn_from, n_classes, share):
    rng = np.random.default_rng(3)
    answers = rng.integers(0, n_classes, 20_000)
    asked = draw_classes(answers, n_classes, learn_from, rng)
    assert (asked == answers).mean() == pytest.approx(share, abs=0.02)
    wrong = np.bincount(asked[(answers == 0) & (asked != 0)], minlength=n_classes)
    assert wrong[1:] / wrong.sum() == pytest.approx(1 / (n_classes - 1), abs=0.05)


def test_a_single_class_is_always_asked_about():
    assert draw_classes(np.zeros(9, int), 1, "both", np.random.default_rng(0)).tolist() == [0] * 9


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0, 1.0], r"shape \(3,\), got \(2,\)"),
        ([1.0, -1.0, 1.0], "not negative"),
        ([1.0, np.nan, 1.0], "finite"),
        ([0.0, 0.0, 0.0], "zero"),
    ],
    ids=["too-few", "negative", "not-a-number", "all-zero"],
)
def test_weights_that_make_no_sense_are_refused(weights, message):
    with pytest.raises(ConfigError, match=message):
        checked_weights(weights, 3)
