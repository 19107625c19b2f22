"""Tune the settings of a preset with Optuna; needs the extra `ruleplay[optuna]`.

Storage, samplers, pruners and parallel workers are Optuna's own:

    study = optuna.create_study(storage="sqlite:///tuning.db", direction="maximize", ...)
    study.optimize(make_objective("stein2020/rmp6", suggest), n_trials=50)
"""

import statistics
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ruleplay.engine.inputs import checked_integer
from ruleplay.errors import ConfigError
from ruleplay.experiments.metrics import Scalar
from ruleplay.experiments.spec import specify_run
from ruleplay.experiments.trial import run_trial

if TYPE_CHECKING:
    import optuna

Suggest = Callable[["optuna.Trial"], Mapping[str, Any]]

# The paper's evaluation uses seeds 0 to 29: what is reported is not tuned on.
TUNING_SEEDS = tuple(range(1000, 1005))


def make_objective(
    preset: str,
    suggest: Suggest,
    *,
    agent: str = "xcs-er",
    measure: str = "reward",
    seeds: Sequence[int] = TUNING_SEEDS,
    steps: int | None = None,
) -> "Callable[[optuna.Trial], float]":
    """Return an objective for `Study.optimize`: the mean of a measure over runs.

    Args:
        preset: What is run: a bundled preset, or the path of one of your own.
        suggest: Asks a trial for values and returns settings by name, those of the memory
            with the prefix `replay_`: `{"mutation_rate": trial.suggest_float(...)}`.
        agent: Which agent learns, as in `ruleplay run`.
        measure: A figure of `ruleplay run --json`: reward, system_error, otm, ...
        seeds: One run for each. After each the mean so far is reported, and the trial ends
            if the study's pruner sees no hope.
        steps: Length of a run; None is that of the preset.
    """
    if len(seeds) == 0:
        raise ConfigError("seeds must hold at least one seed, got none")
    for seed in seeds:
        checked_integer("seeds", seed, 0, 2**63 - 1)
    specify_run(preset, agent, steps=steps)  # refuses wrong names before the first trial

    def objective(trial: "optuna.Trial") -> float:
        spec = specify_run(preset, agent, dict(suggest(trial)), steps=steps)
        scores: list[float] = []
        for number, seed in enumerate(seeds):
            scores.append(_figure(run_trial(spec, seed).summary, measure))
            trial.report(statistics.fmean(scores), number)
            if trial.should_prune():
                raise _pruned()
        return statistics.fmean(scores)

    return objective


def _figure(summary: Mapping[str, Scalar], measure: str) -> float:
    figure = summary.get(measure)
    if not isinstance(figure, (int, float)):
        numbers = [name for name, value in summary.items() if isinstance(value, (int, float))]
        raise ConfigError(f"measure must be one of {', '.join(numbers)}, got {measure!r}")
    return float(figure)


def _pruned() -> Exception:
    from optuna import TrialPruned

    return TrialPruned()
