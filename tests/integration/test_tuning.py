"""Optuna tunes presets: its storage, its pruning, our runs."""

import optuna
import pytest

from ruleplay.errors import ConfigError
from ruleplay.experiments.spec import specify_run
from ruleplay.experiments.trial import run_trial
from ruleplay.experiments.tuning import make_objective

STEPS = 400


def suggest(trial):
    return {"mutation_rate": trial.suggest_float("mutation_rate", 0.01, 0.3)}


def objective(**changes):
    return make_objective(
        "stein2020/rmp6", suggest, **{"agent": "xcs", "steps": STEPS, "seeds": (1, 2), **changes}
    )


@pytest.fixture(autouse=True)
def _quiet():
    optuna.logging.set_verbosity(optuna.logging.WARNING)


def test_the_value_is_the_mean_over_the_seeds():
    value = objective()(optuna.trial.FixedTrial({"mutation_rate": 0.1}))
    spec = specify_run("stein2020/rmp6", "xcs", {"mutation_rate": 0.1}, steps=STEPS)
    rewards = [run_trial(spec, seed).summary["reward"] for seed in (1, 2)]
    assert value == pytest.approx(sum(rewards) / 2, rel=1e-12)


def test_any_figure_can_be_tuned():
    trial = optuna.trial.FixedTrial({"mutation_rate": 0.1})
    assert 0 < objective(measure="macroclassifiers")(trial) < 800


def test_a_study_goes_on_from_its_storage(tmp_path):
    place = {"study_name": "s", "storage": f"sqlite:///{tmp_path}/t.db", "direction": "maximize"}
    optuna.create_study(**place).optimize(objective(), n_trials=1)
    again = optuna.create_study(**place, load_if_exists=True)
    again.optimize(objective(), n_trials=1)
    assert [trial.state.name for trial in again.trials] == ["COMPLETE", "COMPLETE"]
    assert all(len(trial.intermediate_values) == 2 for trial in again.trials)


def test_a_hopeless_trial_ends_after_its_first_seed():
    pruner = optuna.pruners.ThresholdPruner(lower=2000.0)  # above any reward
    study = optuna.create_study(direction="maximize", pruner=pruner)
    study.optimize(objective(), n_trials=1)
    assert study.trials[0].state == optuna.trial.TrialState.PRUNED
    assert list(study.trials[0].intermediate_values) == [0]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"seeds": ()}, "seeds"),
        ({"seeds": (-1,)}, "seeds must be an integer"),
        ({"agent": "xcx"}, "agent"),
        ({"steps": 0}, "steps"),
    ],
)
def test_mistakes_show_before_the_first_trial(changes, words):
    with pytest.raises(ConfigError, match=words):
        objective(**changes)


def test_an_unknown_measure_is_refused_with_the_known_ones():
    trial = optuna.trial.FixedTrial({"mutation_rate": 0.1})
    with pytest.raises(ConfigError, match=r"one of reward, .*got 'rewards'"):
        objective(measure="rewards")(trial)
