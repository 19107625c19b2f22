"""What is read off one run, in every way that a reading may ask for."""

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ruleplay.engine.run_record import TRAILING
from ruleplay.envs import make_problem
from ruleplay.experiments.metrics import RunCurve
from ruleplay.experiments.spec import load_preset
from ruleplay.experiments.study import PAPER
from ruleplay.experiments.trial import Trial
from ruleplay.studies.inferred.space import MULTI, Reading

Figures = dict[str, float]  # by name; NaN where one does not exist

# The share of a run, or the number of its first learning steps, that a window leaves out.
WINDOWS = {"whole": 0.0, "after warm-up": 1000.0, "last half": 0.5, "last tenth": 0.9}
MEASURES = (
    "reward",
    "system_error",
    "rule_error",
    "macroclassifiers",
    "generality_volume",
    "generality_micro",
)
OTM = {
    "all episodes": "otm",
    "means of trailing 100 episodes": "otm_trailing",
    "last 100 episodes": "otm_last",
}
NOT_A_NUMBER = float("nan")
DIGITS = 6
UNKNOWN: Figures = {  # of a run that failed
    **{f"{m}/{w}": NOT_A_NUMBER for w in WINDOWS for m in (*MEASURES, "explore_error")},
    **dict.fromkeys((*OTM.values(), "diverged"), NOT_A_NUMBER),
}


def figures_of(trial: Trial) -> Figures:
    """Return all figures of a run, by measure and window."""
    course = trial.course
    figures = {
        f"{measure}/{window}": _mean(course, values, skipped)
        for window, skipped in WINDOWS.items()
        for measure, values in _measures(course).items()
    }
    figures |= {name: _number(trial.summary[name]) for name in ("otm", "otm_trailing", "diverged")}
    returns = course.episode_returns
    figures["otm_last"] = float(returns[-TRAILING:].mean()) if len(returns) else NOT_A_NUMBER
    return {name: float(f"{value:.{DIGITS}g}") for name, value in figures.items()}


def _measures(course: RunCurve) -> dict[str, NDArray[np.float64]]:
    """Return the curves by measure; where no steps explore only, all steps are alike."""
    curve = course.curve
    exploring = curve.get("explore_error", curve["system_error"])
    return {name: curve[name] for name in MEASURES} | {"explore_error": exploring}


def _mean(course: RunCurve, values: NDArray[np.float64], skipped: float) -> float:
    """Return the mean over the steps that a window does not leave out, the last point at least."""
    steps = course.curve["step"]
    first = skipped if skipped >= 1.0 else skipped * steps[-1]
    kept = steps > first
    kept[-1] = True
    return float(np.average(values[kept], weights=np.diff(steps, prepend=0.0)[kept]))


def _number(value: float | bool | None) -> float:
    return NOT_A_NUMBER if value is None else float(value)


def mean_of(runs: Sequence[Figures]) -> Figures:
    """Return the mean of each figure over runs; of diverged runs, that is the share."""
    table = np.array([tuple(run.values()) for run in runs])
    return dict(zip(runs[0], table.mean(axis=0).tolist(), strict=True))


def figure_for(metric: str, figures: Mapping[str, float], reading: Reading, problem: str) -> float:
    """Return the figure that a reading takes for one of the paper's columns."""
    prefix = "multi_" if problem in MULTI else ""
    window = reading[prefix + "window"]
    if metric == "reward":
        return figures[f"reward/{reading[prefix + 'reward_window']}"]
    if metric == "system_error":
        return _error(figures, window, reading, problem)
    if metric == "generality":
        width, rules = reading["generality"].split(", ")
        name = "generality_volume" if rules == "macro-rules" else "generality_micro"
        factor = 0.5 ** n_features_of(problem, reading) if width == "half-widths" else 1.0
        return figures[f"{name}/{window}"] * factor
    if metric == "macroclassifiers":
        return figures[f"macroclassifiers/{window}"]
    return figures[OTM[reading["otm"]] if metric == "otm" else metric]


def _error(figures: Mapping[str, float], window: str, reading: Reading, problem: str) -> float:
    """Return the error of the system, or that of its rules."""
    kinds = {"system": (), "rules in multi-step problems": MULTI, "rules": (*MULTI, problem)}
    if problem in kinds[reading["error"]]:
        return figures[f"rule_error/{window}"]
    kept = {"exploit": ("system",), "explore": ("explore",), "all": ("system", "explore")}
    errors = [figures[f"{kind}_error/{window}"] for kind in kept[reading["error_steps"]]]
    return sum(errors) / len(errors)


@cache
def _features_of(problem: str, with_id: bool) -> int:
    preset = load_preset(PAPER + problem)
    extra = {"include_id": True} if with_id else {}
    return make_problem(preset.problem_name, **{**preset.problem_options, **extra}).n_features


def n_features_of(problem: str, reading: Reading) -> int:
    """Return how many inputs a problem has under a reading."""
    with_id = problem == "wbc" and reading.get("wbc_inputs") == "the sample number too"
    return _features_of(problem, with_id)
