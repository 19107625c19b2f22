"""From a configuration to what kernels take: one parameter record, and a choice of kernels."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ruleplay.config import ReplayConfig, XCSConfig, check_evidence
from ruleplay.config.options import Chosen
from ruleplay.core.agent import Plain, Traits, new_params, sizes_of_agent
from ruleplay.core.components import Sizes, reserve
from ruleplay.core.described import LARGEST_GAIN, LARGEST_PAYOFF
from ruleplay.core.evidence import Discoverer, Extended, allocate_discoverer
from ruleplay.core.exploration import Explorer, allocate_explorer
from ruleplay.core.frozen import Double, Frozen, FrozenRules, allocate_frozen
from ruleplay.core.gradient import Gradient
from ruleplay.core.grid import count_table_size
from ruleplay.core.population import RULE, stride_for
from ruleplay.core.seams import Crossover, Encoding, Exploration, Prediction, Selection
from ruleplay.engine.inputs import shown
from ruleplay.engine.loop import Alternating, Episodes, EpsilonGreedy
from ruleplay.envs.problem import Problem
from ruleplay.errors import ConfigError
from ruleplay.replay.accounts import bytes_per_experience
from ruleplay.replay.memory import Memory, NoReplay
from ruleplay.replay.prioritized import IMPORTANCE
from ruleplay.replay.stratified import strata

LARGEST_POPULATION = 1_000_000  # microclassifiers
LARGEST_RESERVE = 1 << 33  # bytes, for rules or experiences


def sizes_of(
    config: XCSConfig, replay: ReplayConfig | None, n_actions: int, n_features: int
) -> Sizes:
    """Return how large the world of components is."""
    capacity = 0 if replay is None else replay.capacity
    return Sizes(n_features, n_actions, config.population_size, capacity)


def model_size(config: XCSConfig, n_features: int) -> tuple[int, int]:
    """Return how many weights a rule's prediction has, and how many numbers its gain."""
    prediction = Prediction.components[config.prediction]
    if not hasattr(prediction, "model_size"):
        return 0, 0
    weights, gains = prediction.model_size(n_features)
    return int(weights), int(gains)


def choose_traits(config: XCSConfig, replay: ReplayConfig | None, sizes: Sizes) -> Traits:
    """Return the component of each seam that the configuration names."""
    exploration = "guided" if _is_guided(config, replay) else "plain"
    settings = Chosen(config)
    return Traits(
        condition=reserve(Encoding.components[config.condition], sizes, settings),
        prediction=reserve(Prediction.components[config.prediction], sizes, settings),
        selection=reserve(Selection.components[config.selection], sizes, settings),
        crossover=reserve(Crossover.components[config.crossover], sizes, settings),
        exploration=reserve(Exploration.components[exploration], sizes, settings),
        update=Gradient() if config.gradient_scaling else Plain(),
        bootstrap=_bootstrap_of(config)(),
        discovery=Extended() if _discovers_more(config) else Plain(),
    )


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
    if config.exploration_persistence > 1.0 or config.count_bonus > 0.0:
        raise ConfigError(
            "exploration_persistence (L) must be 1 and count_bonus 0 for the single-step "
            f"problem {problem.name!r}"
        )
    return Alternating if alternating else EpsilonGreedy


def _is_guided(config: XCSConfig, replay: ReplayConfig | None) -> bool:
    """Tell whether exploration has to remember anything."""
    marks = replay is not None and replay.cut_at_exploration
    return marks or config.exploration_persistence > 1.0 or config.count_bonus > 0.0


def _bootstrap_of(config: XCSConfig) -> type:
    """Return the tag of what payoffs bootstrap on."""
    if config.target_interval == 0:
        return Plain
    return Double if config.double_estimation else Frozen


def _discovers_more(config: XCSConfig) -> bool:
    """Tell whether rule discovery is more than the genetic algorithm."""
    looks = config.split_refuted > 0 or config.verify_subsumption > 0
    return looks or config.specify or config.ga_niches_per_step is not None


def reserve_frozen(config: XCSConfig, n_actions: int, n_features: int) -> FrozenRules | tuple[()]:
    """Return the memory of a copy of the rules, or none."""
    if config.target_interval == 0:
        return ()
    stride, models = stride_for(config.population_size), model_size(config, n_features)
    return allocate_frozen(sizes_of_agent(n_actions, n_features, stride, models))


def reserve_discoverer(
    config: XCSConfig, memory: Memory | NoReplay, n_features: int
) -> Discoverer | tuple[()]:
    """Return what rule discovery works with beyond the genetic algorithm, or nothing."""
    if not _discovers_more(config):
        return ()
    most = max(config.split_refuted, config.verify_subsumption)
    if most == 0 or isinstance(memory, NoReplay):
        return allocate_discoverer(np.zeros((0, n_features), np.float32), np.zeros(0, np.int64), 0)
    return allocate_discoverer(memory.states, memory.actions, most)


def reserve_explorer(
    config: XCSConfig, replay: ReplayConfig | None, n_actions: int, n_features: int
) -> Explorer | tuple[()]:
    """Return the memory of guided exploration, or none."""
    if not _is_guided(config, replay):
        return ()
    size = 1
    if config.count_bonus > 0.0:
        size, _ = count_table_size(config.count_grid, n_features, n_actions)
    return allocate_explorer(n_actions, size)


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
    per_rule = RULE.itemsize + 24 * n_features
    weights, gains = model_size(config, n_features)
    per_rule += 8 * (weights + gains)
    if config.target_interval > 0:
        per_rule += RULE.itemsize + 10 * n_features
        per_rule += 8 * weights
    most = min(LARGEST_POPULATION, LARGEST_RESERVE // (per_rule * n_actions))
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
    noted = 8 if config.split_refuted > 0 or config.verify_subsumption > 0 else 0
    most = LARGEST_RESERVE // (bytes_per_experience(replay, n_features) + noted)
    if replay.capacity > most:
        raise ConfigError(
            f"replay_capacity (N) must lie in [1, {most}] for {n_features} features, "
            f"got {replay.capacity}"
        )


def initial_prediction(config: XCSConfig, largest_return: float | None) -> float:
    """Return p_ini as a number; NaN if it is to be optimistic and nobody knows how much."""
    if not isinstance(config.initial_prediction, str):
        return config.initial_prediction
    if largest_return is None:
        return math.nan
    config.check_prediction_limit(largest_return)
    return largest_return


def horizon_values(config: XCSConfig, horizon: int) -> dict[str, float]:
    """Return the parameters that depend on how long the agent is to learn; 0: nobody knows."""
    condenses = config.condensation_fraction > 0.0 and horizon > 0
    return {
        "horizon": horizon,
        "epsilon_steps": config.epsilon_fraction * horizon,
        "condensation_start": (
            (1.0 - config.condensation_fraction) * horizon if condenses else math.inf
        ),
    }


def cast_params(
    config: XCSConfig,
    replay: ReplayConfig | None,
    n_actions: int,
    horizon: int,
    n_features: int = 1,
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
    if replay is None:
        check_evidence(config)
    params = new_params()
    values = _xcs_values(config) | _replay_values(replay)
    values |= {
        "n_actions": n_actions,
        "theta_mna": theta_mna,
        "stride": stride_for(config.population_size),
        "p_ini": initial_prediction(config, largest_return),
        **horizon_values(config, horizon),
        "strata_direct": replay is not None
        and strata(replay, sizes_of(config, replay, n_actions, n_features))[1],
        "count_direct": count_table_size(config.count_grid, n_features, n_actions)[1],
    }
    for name in params.dtype.names or ():
        params[name] = values[name]
    return params


def _xcs_values(config: XCSConfig) -> dict[str, Any]:
    nu = config.accuracy_power
    return {
        "n_max": config.population_size,
        "beta": config.learning_rate,
        "gamma": config.discount,
        "alpha": config.accuracy_scale,
        "eps_0": config.error_threshold,
        "nu": nu,
        "nu_whole": int(nu) if nu.is_integer() and nu <= 32 else 0,
        "theta_del": config.deletion_threshold,
        "delta": config.fitness_fraction,
        "eps_ini": config.initial_error,
        "hope_ends": config.initial_prediction == "hopeful",
        "f_ini": config.initial_fitness,
        "mu": config.mutation_rate,
        "chi": config.crossover_rate,
        "theta_ga": config.ga_threshold,
        "theta_sub": config.subsumption_threshold,
        "f_reduce": config.fitness_reduction,
        "eps_reduce": config.error_reduction,
        "m_0": config.mutation_step,
        "r_0": config.cover_spread,
        "delta_rls": config.rls_initial_gain,
        "lambda_rls": config.rls_forgetting,
        "gain_limit": _or(config.rls_gain_limit, LARGEST_GAIN),
        "prediction_limit": _or(config.prediction_limit, LARGEST_PAYOFF),
        "target_low": _or(config.target_low, -LARGEST_PAYOFF),
        "target_high": _or(config.target_high, LARGEST_PAYOFF),
        "mu_action": config.action_mutation_rate,
        "early_averaging": config.early_averaging,
        "prediction_first": config.update_order == "prediction_first",
        "ga_subsumption": config.ga_subsumption,
        "set_subsumption": config.action_set_subsumption,
        "bootstrap_argmax": config.bootstrap_value == "argmax",
        "bootstrap_on_truncation": config.bootstrap_on_truncation,
        "clips": config.out_of_range == "clip",
        "missing_match": config.missing_values == "match",
        "epsilon_start": config.epsilon_start,
        "epsilon_end": config.epsilon_end,
        "persistence": config.exploration_persistence,
        "persistence_fades": config.exploration_fades,
        "count_bonus": config.count_bonus,
        "bonus_in_payoff": config.count_bonus > 0.0 and config.count_bonus_in == "payoff",
        "count_grid": config.count_grid,
        "target_interval": config.target_interval,
        "ga_niches": config.ga_niches_per_step or 0,
        "specifies": config.specify,
        "theta_sp": config.specify_threshold,
        "p_sp": config.specify_probability,
        "split_evidence": config.split_refuted,
        "verify_evidence": config.verify_subsumption,
    }


def _or(limit: float | None, widest: float) -> float:
    return widest if limit is None else limit


def _replay_values(replay: ReplayConfig | None) -> dict[str, Any]:
    replay = replay or ReplayConfig(warmup=0)
    return {
        "batch": replay.batch_size,
        "warmup": replay.warmup,
        "include_newest": replay.include_newest,
        "clock_per_replay": replay.ga_clock == "replay",
        "return_steps": replay.return_steps,
        "cut_at_exploration": replay.cut_at_exploration,
        "best_return": replay.return_choice == "best",
        "rewarded_return": replay.return_choice == "rewarded",
        "action_gap": replay.action_gap,
        "priority_alpha": replay.priority_exponent,
        "priority_beta": replay.priority_beta_start,
        "importance": IMPORTANCE[replay.importance],
        "strata_grid": replay.strata_grid,
        "usual_reward": replay.usual_reward,
        "interpolation": replay.interpolation,
        "interpolation_distance": replay.interpolation_distance,
    }
