"""From a configuration to what kernels take: one parameter record, and a choice of components."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.config.options import switched_component
from ruleplay.config.record import cast_settings, make_record
from ruleplay.core.components.registry import Seam, Sizes, reserve
from ruleplay.core.components.seams import (
    Bootstrap,
    Crossover,
    Discovery,
    Encoding,
    Exploration,
    Prediction,
    Selection,
    Update,
)
from ruleplay.core.state.agent import Traits, words_of
from ruleplay.core.state.arrays import PLACE, SLOT, bytes_per
from ruleplay.core.state.population import RULE, stride_for
from ruleplay.engine.inputs import shown
from ruleplay.engine.loop import Alternating, Episodes, EpsilonGreedy
from ruleplay.engine.recorder import DETAILS, SAMPLED
from ruleplay.envs.problem import Problem
from ruleplay.errors import ConfigError
from ruleplay.replay.component_state import bytes_per_experience
from ruleplay.replay.memory import Memory, NoReplay

LARGEST_POPULATION = 1_000_000  # microclassifiers
LARGEST_RESERVE = 1 << 33  # bytes, for rules or experiences


def sizes_of(
    config: XCSConfig, replay: ReplayConfig | None, n_actions: int, n_features: int
) -> Sizes:
    """Return how large the world of components is."""
    prediction, models = Prediction.find(config.prediction), (0, 0)
    if hasattr(prediction, "model_size"):
        used = getattr(prediction, "columns_used", lambda _, n_columns: n_columns)
        models = prediction.model_size(used(config, n_features))
    capacity = 0 if replay is None else replay.capacity
    return Sizes(n_features, n_actions, config.population_size, capacity, *map(int, models))


def components_of(config: XCSConfig, replay: ReplayConfig | None) -> dict[str, Any]:
    """Return the component of each trait, as the configuration names them or switches them on."""
    return {
        "condition": Encoding.find(config.condition),
        "prediction": Prediction.find(config.prediction),
        "selection": Selection.find(config.selection),
        "crossover": Crossover.find(config.crossover),
        "exploration": _switched(config, Exploration, _usual_exploration(config, replay)),
        "update": _switched(config, Update, "full"),
        "bootstrap": _switched(config, Bootstrap, "own"),
        "discovery": _switched(config, Discovery, "genetic"),
    }


def choose_traits(
    config: XCSConfig, replay: ReplayConfig | None, sizes: Sizes, memory: Memory | NoReplay
) -> Traits:
    """Return the components that serve an agent, with what they remember."""
    made = {
        name: reserve(component, sizes, config)
        for name, component in components_of(config, replay).items()
    }
    for name, component in made.items():
        if hasattr(component, "looking_at"):
            made[name] = component.looking_at(memory)
    return Traits(**made)


def _switched(config: XCSConfig, seam: type[Seam], usual: str) -> Any:
    return seam.find(switched_component(config, seam) or usual)


def _usual_exploration(config: XCSConfig, replay: ReplayConfig | None) -> str:
    """Return how an agent explores: guided if it has to remember anything."""
    marks = replay is not None and replay.cut_at_exploration
    return "guided" if marks or config.exploration_persistence > 1.0 else "plain"


def choose_run(config: XCSConfig, problem: Problem) -> type:
    """Return the tag of the loop that suits a problem; refuse settings that do not."""
    if config.out_of_range == "error" and np.any(problem.margin):
        raise ConfigError(
            f"out_of_range must be 'clip' for the problem {problem.name!r}, whose "
            "observations may leave their bounds, got 'error'"
        )
    alternating = config.exploration == "alternate"
    if not problem.single_step:
        if alternating:
            raise ConfigError(
                f"exploration must be 'epsilon_greedy' for the multi-step problem "
                f"{problem.name!r}, got 'alternate'"
            )
        return Episodes
    check_memoryless(config, f"the single-step problem {problem.name!r}")
    return Alternating if alternating else EpsilonGreedy


def count_details(config: XCSConfig, kind: type) -> int:
    """Return how many details a run's learning curves have."""
    if not config.detailed_curve:
        return 0
    return len(DETAILS if kind is Alternating else SAMPLED)


def check_memoryless(config: XCSConfig, place: str) -> None:
    """Refuse exploration that remembers, in a place where nothing follows on anything."""
    served = switched_component(config, Exploration)
    fields = Exploration.settings_of(served) if served else ()
    checked = [("exploration_persistence (L)", config.exploration_persistence, 1.0)]
    checked += [(field.name, getattr(config, field.name), field.default) for field in fields]
    for name, value, usual in checked:
        if value != usual:
            raise ConfigError(f"{name} must be {usual:g} for {place}, got {value:g}")


def check_kinds(config: Any, replay: Any) -> None:
    """Refuse what is no configuration at all."""
    if not isinstance(config, XCSConfig):
        raise ConfigError(f"config must be an XCSConfig, got {shown(config)}")
    if replay is not None and not isinstance(replay, ReplayConfig):
        raise ConfigError(f"replay must be a ReplayConfig or None, got {shown(replay)}")


def check_sizes(
    config: XCSConfig, replay: ReplayConfig | None, n_actions: int, n_features: int
) -> None:
    """Refuse an engine that no memory could hold, before any is reserved."""
    per_rule = bytes_per_rule(config, replay, n_actions, n_features)
    most = largest_population(config, replay, n_actions, n_features)
    if most < 2:
        raise ConfigError(
            f"the number of features must be smaller for {config.prediction} predictions and "
            f"{n_actions} actions: with {n_features} of them two rules would take "
            f"{2 * per_rule * n_actions >> 20} MiB"
        )
    if config.population_size > most:
        raise ConfigError(
            f"population_size (N_max) must lie in [2, {most}] for {n_actions} actions and "
            f"{n_features} features, got {config.population_size}"
        )
    if replay is None:
        return
    sizes = sizes_of(config, replay, n_actions, n_features)
    words, components = words_of(sizes), components_of(config, replay).values()
    noted = sum(bytes_per(SLOT, component, words) for component in components)
    most = LARGEST_RESERVE // (bytes_per_experience(replay, n_features) + noted)
    if replay.capacity > most:
        raise ConfigError(
            f"replay_capacity (N) must lie in [1, {most}] for {n_features} features, "
            f"got {replay.capacity}"
        )


def bytes_per_rule(
    config: XCSConfig, replay: ReplayConfig | None, n_actions: int, n_features: int
) -> int:
    """Return how much memory a rule takes, with what components note about it."""
    sizes = sizes_of(config, replay, n_actions, n_features)
    words, components = words_of(sizes), components_of(config, replay).values()
    own = RULE.itemsize + 24 * n_features + 8 * (sizes.n_weights + sizes.n_gains)
    return own + sum(bytes_per(PLACE, component, words) for component in components)


def largest_population(
    config: XCSConfig, replay: ReplayConfig | None, n_actions: int, n_features: int
) -> int:
    """Return how many rules an engine may have: each action has room for all of them."""
    per_rule = bytes_per_rule(config, replay, n_actions, n_features)
    return int(min(LARGEST_POPULATION, LARGEST_RESERVE // (per_rule * n_actions)))


def initial_prediction(config: XCSConfig, largest_return: float | None) -> float:
    """Return p_ini as a number; NaN for an optimist while the largest return is unknown."""
    if not isinstance(config.initial_prediction, str):
        return config.initial_prediction
    if largest_return is None:
        return math.nan
    config.check_prediction_limit(largest_return)
    return largest_return


def horizon_values(config: XCSConfig, horizon: int) -> dict[str, float]:
    """Return the parameters that depend on how long the agent is to learn; 0: nobody knows."""
    return {"horizon": horizon, "epsilon_steps": config.epsilon_fraction * horizon}


def cast_params(
    config: XCSConfig,
    replay: ReplayConfig | None,
    n_actions: int,
    horizon: int,
    largest_return: float | None = None,
) -> NDArray[np.void]:
    """Return the parameter record; settings that contradict each other are refused here."""
    theta_mna = config.checked_min_actions(n_actions)
    if config.population_size <= theta_mna:
        raise ConfigError(
            f"population_size (N_max) must exceed min_actions (theta_mna) = {theta_mna}, "
            f"got {config.population_size}"
        )
    if config.action_mutation_rate > 0.0 and n_actions < 2:
        raise ConfigError("action_mutation_rate (mu_a) must be 0 for a single action")
    nu, kept = config.accuracy_power, replay or ReplayConfig(warmup=0)
    following = {
        "n_actions": n_actions,
        "theta_mna": theta_mna,
        "stride": stride_for(config.population_size),
        "nu_whole": int(nu) if nu.is_integer() and nu <= 32 else 0,
        "p_ini": initial_prediction(config, largest_return),
        "hope_ends": config.initial_prediction == "hopeful",
        "best_return": kept.return_choice == "best",
        "rewarded_return": kept.return_choice == "rewarded",
        **horizon_values(config, horizon),
    }
    return make_record(cast_settings(config) | cast_settings(kept) | following)
