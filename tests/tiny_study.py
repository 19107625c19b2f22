"""A study of short runs that share one compiled combination, and made-up trials.

Run as a script, `python tiny_study.py FOLDER JOBS RUNS` does the study and prints a line
when it begins and one per run: tests kill it.
"""

import sys

import numpy as np

from ruleplay.experiments.executors import make_executor
from ruleplay.experiments.metrics import RunCurve
from ruleplay.experiments.runner import run_study
from ruleplay.experiments.spec import specify_run
from ruleplay.experiments.storage.store import Store
from ruleplay.experiments.study import Cell, Study
from ruleplay.experiments.trial import Trial

SETTINGS = {"population_size": 60, "replay_warmup": 50, "replay_capacity": 500}


def tiny_spec(agent="xcs-er", steps=400, **settings):
    overrides = SETTINGS | settings
    if agent == "xcs":
        overrides = {k: v for k, v in overrides.items() if not k.startswith("replay_")}
    return specify_run("stein2020/rmp6", agent, overrides, steps=steps, curve_points=20)


def tiny_study(runs=12, steps=400):
    """Return two cells of one compiled combination with half of the runs each."""
    cells = (Cell(tiny_spec(steps=steps)), Cell(tiny_spec("xcs-er-2", steps=steps)))
    return Study(cells, tuple(range(runs // 2)))


def made_up_trial(spec, seed, summary=None, episodes=5, points=4):
    random = np.random.default_rng(seed)
    curve = {"step": np.linspace(100.0, 400.0, points)}
    curve |= {name: random.random(points) for name in ("reward", "system_error")}
    lengths = random.integers(1, 100, episodes)
    return Trial(
        digest=spec.digest(),
        seed=seed,
        summary={"reward": 0.1 + seed, "otm": None} if summary is None else summary,
        course=RunCurve(curve, random.random(episodes), lengths),
        seconds=1.5,
    )


def main(folder, jobs, runs):
    with Store.open(folder, create=True) as store:
        study = tiny_study(int(runs), steps=3000)
        run_study(study, store, make_executor("local", int(jobs)), lambda _: print(flush=True))


if __name__ == "__main__":
    main(*sys.argv[1:])
