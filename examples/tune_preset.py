"""Tune three settings of the 6-bit multiplexer with Optuna.

Run with: python examples/tune_preset.py [steps of a run] [trials] [--out PICTURE]
(needs ruleplay[optuna])

The study lies in an SQLite file: run this again to go on, run it twice at a time to share the
work. Trials that look hopeless after the first seeds are given up. The picture shows what each
finished trial was worth, and the best so far.
"""

import argparse

import numpy as np
import optuna
from matplotlib.figure import Figure

from ruleplay.experiments.tuning import make_objective


def suggest(trial: optuna.Trial) -> dict[str, float | int]:
    """Say which settings to try, in which range."""
    return {
        "mutation_rate": trial.suggest_float("mutation_rate", 0.01, 0.3, log=True),
        "action_mutation_rate": trial.suggest_float("action_mutation_rate", 0.0, 0.5),
        "ga_threshold": trial.suggest_int("ga_threshold", 6, 50, log=True),
    }


def draw(study: optuna.Study, path: str) -> None:
    finished = study.get_trials(states=(optuna.trial.TrialState.COMPLETE,))
    numbers, values = [trial.number for trial in finished], [trial.value for trial in finished]
    figure = Figure(figsize=(7, 3.5), layout="constrained")
    axes = figure.subplots()
    axes.plot(numbers, values, "o", label="trial")
    axes.step(numbers, np.maximum.accumulate(values), where="post", label="best so far")
    axes.set(xlabel="trial (gaps were given up)", ylabel="mean reward of 1000")
    axes.legend()
    figure.savefig(path, dpi=110)


def main(
    steps: int = 10_000,
    trials: int = 30,
    out: str | None = None,
    storage: str = "sqlite:///tuning.db",
) -> None:
    """Search, and print the best settings found."""
    study = optuna.create_study(
        study_name="rmp6",
        storage=storage,
        load_if_exists=True,
        direction="maximize",
        sampler=optuna.samplers.TPESampler(seed=0),
        pruner=optuna.pruners.MedianPruner(n_startup_trials=5, n_warmup_steps=1),
    )
    study.optimize(make_objective("stein2020/rmp6", suggest, steps=steps), n_trials=trials)
    print(f"reward {study.best_value:.1f} with {study.best_params}")
    if out:
        draw(study, out)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("steps", nargs="?", type=int, default=10_000)
    parser.add_argument("trials", nargs="?", type=int, default=30)
    parser.add_argument("--out", help="where to save the picture")
    main(**vars(parser.parse_args()))
