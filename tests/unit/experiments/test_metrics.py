"""Figures that are read off the course of a run."""

import numpy as np
import pytest

from ruleplay.envs import make_problem
from ruleplay.experiments.metrics import RunCurve, summarize_answers


def course(right):
    """Return a course with shares of right answers over stretches of 50 steps."""
    reward = 1000.0 * np.array(right)
    step = 50.0 * np.arange(1, len(right) + 1)
    return RunCurve({"reward": reward, "step": step}, np.zeros(0), np.zeros(0, np.int64))


@pytest.mark.parametrize(
    ("right", "solved", "final"),
    [
        ([0.5, 0.98], None, 0.98),
        ([0.5, 1.0, 0.98, 1.0], 100, 1.0),
        ([0.5] * 18 + [0.9, 1.0], 1000, 0.95),
    ],
    ids=["never", "and-again-later", "the-last-tenth-counts"],
)
def test_a_problem_is_solved_at_the_first_stretch_without_a_mistake(right, solved, final):
    found = summarize_answers(course(right), make_problem("mux6"))
    assert found["solved_step"] == solved
    assert found["final_accuracy"] == pytest.approx(final)
