"""Wisconsin breast cancer (WBC): benign or malignant? [Wilson2001]."""

import csv
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.compiler.jit import kernel
from ruleplay.core.basics.rng import draw_below
from ruleplay.envs._options import flag
from ruleplay.envs.classification import judge_answer, single_step_problem
from ruleplay.envs.dynamics import Dynamics
from ruleplay.envs.problem import Problem, register_problem

_FILE = "wisconsin_breast_cancer_original.csv"
_LARGEST_VALUE = 10.0
CLASSES = ("benign", "malignant")


@kernel
def draw_row(problem, observation, rng):
    """Draw a row uniformly, with replacement, and note its class."""
    row = draw_below(problem.rows.shape[0], rng)
    for k in range(observation.shape[0]):
        observation[k] = problem.rows[row, k]
    problem.answer[0] = problem.labels[row]


@cache
def _read_table() -> tuple[tuple[str, ...], NDArray[np.float64], NDArray[np.int64]]:
    """Read the column names, the id and nine features of each row (NaN if missing), the class."""
    text = files("ruleplay.envs").joinpath("data", _FILE).read_text(encoding="utf-8")
    header, *lines = csv.reader(text.splitlines())
    values = np.array([[float(cell or "nan") for cell in line[:-1]] for line in lines])
    labels = np.array([CLASSES.index(line[-1]) for line in lines], dtype=np.int64)
    return tuple(header[:-1]), values, labels


def load_breast_cancer(
    *, include_id: bool = False
) -> tuple[NDArray[np.float64], NDArray[np.int64], tuple[str, ...]]:
    """Return the features in [0, 1], the classes (1 is malignant) and the features' names.

    Features are divided by ten and a missing value becomes 0. The sample id, which the
    paper counts as a tenth input, is left out unless asked for; it is scaled to [0, 1].
    """
    names, values, labels = _read_table()
    features = np.nan_to_num(values[:, 1:] / _LARGEST_VALUE, nan=0.0)
    if not flag("include_id", include_id):
        return features, labels.copy(), names[1:]
    sample = values[:, 0]
    scaled = (sample - sample.min()) / (sample.max() - sample.min())
    return np.column_stack([scaled, features]), labels.copy(), names


@Dynamics.register("wbc", reset_problem=draw_row, step_problem=judge_answer)
class BreastCancer(NamedTuple):
    """The table's rows, of which each instance is one."""

    rows: NDArray[np.float64]
    labels: NDArray[np.int64]
    answer: NDArray[np.int64]


@register_problem("wbc")
def make_breast_cancer(*, include_id: bool = False) -> Problem:
    """Build the stream of rows drawn at random from the breast cancer table."""
    features, labels, names = load_breast_cancer(include_id=include_id)
    rows = np.ascontiguousarray(features)
    dynamics = BreastCancer(rows, labels, np.zeros(1, dtype=np.int64))
    return single_step_problem("wbc", dynamics, names, CLASSES)
