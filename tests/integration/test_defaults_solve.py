"""With nothing set, the classifier learns what no single feature tells, from 5000 rows."""

import numpy as np
import pytest

from ruleplay import XCSClassifier


def multiplexer(rows):
    """Three of eleven numbers choose which of the other eight is the class."""
    bits = rows > 0.5
    address = bits[:, :3] @ [4, 2, 1]
    return bits[np.arange(len(rows)), 3 + address].astype(int)


def checkerboard(rows):
    """Fields of 27, three along each side of a cube, have two colours in turn."""
    return np.floor(3 * rows).astype(int).sum(axis=1) % 2


@pytest.mark.parametrize(("answer", "width"), [(multiplexer, 11), (checkerboard, 3)])
def test_defaults_solve_problems_of_several_features(answer, width):
    rows = np.random.default_rng(100).random((10_000, width))
    model = XCSClassifier(random_state=0).fit(rows[:5000], answer(rows[:5000]))
    # Of seeds 0 to 4 with rows of their own: 0.994 to 0.997, and 0.991 to 0.993.
    assert model.score(rows[5000:], answer(rows[5000:])) > 0.98


@pytest.mark.parametrize("noise", [5, 14])
def test_defaults_leave_columns_of_two_numbers_free_where_they_say_nothing(noise):
    rows = np.random.default_rng(100).integers(0, 2, (2000, 6 + noise)).astype(float)
    answers = rows[np.arange(2000), 2 + (rows[:, :2] @ [2, 1]).astype(int)]
    model = XCSClassifier(random_state=0).fit(rows[:1000], answers[:1000])
    # All right for seeds 0 to 4 with rows of their own; 0.6 and 0.5 if no rule covers both numbers.
    assert model.score(rows[1000:], answers[1000:]) > 0.98
