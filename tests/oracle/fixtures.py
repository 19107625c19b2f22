"""Make configurations, rules and scripted random numbers for the oracle's own tests."""

from collections.abc import Sequence
from types import SimpleNamespace

from .oracle import Oracle
from .population import Population
from .prediction import Scalar
from .random_source import RandomSource
from .rule import Condition, Rule

DEFAULTS = {
    "population_size": 100,
    "learning_rate": 0.2,
    "discount": 0.9,
    "accuracy_scale": 0.1,
    "error_threshold": 10.0,
    "accuracy_power": 5.0,
    "deletion_threshold": 20,
    "fitness_fraction": 0.1,
    "min_actions": None,
    "initial_prediction": 10.0,
    "initial_error": 0.0,
    "initial_fitness": 0.01,
    "mutation_rate": 0.04,
    "crossover_rate": 0.8,
    "ga_threshold": 25,
    "subsumption_threshold": 20,
    "tournament_fraction": 0.4,
    "fitness_reduction": 0.1,
    "error_reduction": 1.0,
    "mutation_step": 0.1,
    "cover_spread": 0.5,
    "rls_initial_gain": 1.0,
    "rls_forgetting": 1.0,
    "condition": "unordered",
    "prediction": "scalar",
    "selection": "tournament",
    "crossover": "uniform",
    "early_averaging": True,
    "update_order": "prediction_first",
    "action_mutation_rate": 0.0,
    "ga_subsumption": True,
    "action_set_subsumption": False,
    "bootstrap_value": "max",
    "bootstrap_on_truncation": True,
    "exploration": "epsilon_greedy",
    "epsilon_start": 1.0,
    "epsilon_end": 0.02,
    "epsilon_fraction": 0.1,
    "out_of_range": "clip",
    "rls_gain_limit": None,
    "prediction_limit": None,
}
REPLAY_DEFAULTS = {
    "capacity": 1000,
    "batch_size": 4,
    "warmup": 50,
    "include_newest": False,
    "ga_clock": "environment",
    "sampling": "uniform",
}


def make_config(**changes) -> SimpleNamespace:
    """Make a configuration that differs from the defaults as told."""
    assert changes.keys() <= DEFAULTS.keys()
    return SimpleNamespace(**{**DEFAULTS, **changes})


def make_replay(**changes) -> SimpleNamespace:
    """Make a replay configuration that differs from the defaults as told."""
    assert changes.keys() <= REPLAY_DEFAULTS.keys()
    return SimpleNamespace(**{**REPLAY_DEFAULTS, **changes})


def make_rule(alleles: Sequence[float] = (0.0, 1.0), action: int = 0, **changes) -> Rule:
    """Make a rule that predicts 10 and differs from a new one as told."""
    values = {"model": Scalar(10.0), "error": 0.0, "fitness": 0.01, "time_stamp": 0, **changes}
    return Rule(condition=Condition(alleles), action=action, **values)


def make_population(*rules: Rule, n_actions: int = 2) -> Population:
    """Make a population of the given rules, their numerosities counted."""
    population = Population(n_actions)
    for rule in rules:
        population.insert(rule)
    return population


class Scripted(RandomSource):
    """Return the numbers one was given, and fail when they run out."""

    def __init__(self, *numbers: float) -> None:
        """Queue the numbers."""
        self.numbers = list(numbers)

    def uniform(self) -> float:
        """Take the next number."""
        return self.numbers.pop(0)


def make_oracle(config, replay, low, high, *, seed: int = 7, horizon: int = 0) -> Oracle:
    """Make an oracle with two actions."""
    return Oracle(config, replay, n_actions=2, low=low, high=high, seed=seed, horizon=horizon)
