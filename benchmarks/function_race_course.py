"""The work of the race over functions: points in the unit square, learned in timed blocks.

All libraries are given the same points in the same order, scaled to [0, 1]. Only learning is timed,
as CPU time; the error is the mean distance from the function at points that are not learned from.
This file needs numpy and nothing else, so that peers can use it.
"""

from __future__ import annotations

import time
from typing import Any, Protocol

import numpy as np

BLOCK = 1000
TEST_POINTS = 2000

Course = list[tuple[float, float]]
"""Seconds of learning, and the error then, after each block."""


class Learner(Protocol):
    """What each library is wrapped in."""

    def learn(self, points: Any, values: Any) -> None:
        """Present each point once, in this order."""

    def predict(self, points: Any) -> Any:
        """Return the value at each point."""


def values_at(function: str, points: Any) -> Any:
    """Return the values of a function at points of the unit square.

    >>> values_at("sine", np.array([[0.25, 0.0], [0.5, 0.25]])).round(6).tolist()
    [1.0, -1.0]
    """
    x, y = points.T
    if function == "sine":
        return np.sin(2 * np.pi * (x + y))
    if function == "sine-in-sine":
        return np.sin(4 * np.pi * (x + np.sin(np.pi * y)))
    x, y = 2 * x - 1, 2 * y - 1
    if function == "rings":
        return np.sin(3 * np.pi * np.hypot(x, y))
    ridges = np.exp(-10 * x**2), np.exp(-50 * y**2), 1.25 * np.exp(-5 * (x**2 + y**2))
    return np.max(ridges, axis=0)


def follow(learner: Learner, function: str, seed: int, blocks: int) -> Course:
    """Present blocks of points, and measure the time and the error after each."""
    rng, test = np.random.default_rng([seed, 1]), np.random.default_rng(7).random((TEST_POINTS, 2))
    truth, seconds, course = values_at(function, test), 0.0, []
    for _ in range(blocks):
        points = rng.random((BLOCK, 2))
        values = values_at(function, points)
        began = time.process_time()
        learner.learn(points, values)
        seconds += time.process_time() - began
        error = float(np.mean(np.abs(learner.predict(test) - truth)))
        course.append((round(seconds, 5), round(error, 6)))
    return course
