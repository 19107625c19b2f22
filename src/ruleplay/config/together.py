"""Refuse settings of XCS that are allowed alone and contradict each other."""

from typing import TYPE_CHECKING

from ruleplay.errors import ConfigError

if TYPE_CHECKING:
    from ruleplay.config.xcs import XCSConfig


def check_limits(config: "XCSConfig") -> None:
    """Refuse limits that exclude what they must let through."""
    if config.missing_values == "match" and config.prediction != "scalar":
        raise ConfigError(
            f"missing_values must be 'error' for prediction = {config.prediction!r}, got 'match'"
        )
    limit = config.rls_gain_limit
    if limit is not None and limit <= config.rls_initial_gain:
        raise ConfigError(
            f"rls_gain_limit must lie in ({config.rls_initial_gain:g}, inf) "
            f"for rls_initial_gain (delta_RLS) = {config.rls_initial_gain:g}, got {limit:g}"
        )
    if not isinstance(config.initial_prediction, str):
        config.check_prediction_limit(config.initial_prediction)
    low, high = config.target_low, config.target_high
    if low is not None and high is not None and low >= high:
        raise ConfigError(f"target_low must lie below target_high = {high:g}, got {low:g}")


def check_exploration(config: "XCSConfig") -> None:
    """Refuse ways to explore that need episodes where there are none."""
    if config.exploration == "epsilon_greedy":
        return
    if config.exploration_persistence > 1.0 or config.count_bonus > 0.0:
        raise ConfigError(
            "exploration must be 'epsilon_greedy' for exploration_persistence (L) above 1 "
            f"and for a count_bonus, got {config.exploration!r}"
        )


def check_discovery(config: "XCSConfig") -> None:
    """Refuse mechanisms beyond the paper that lack what they work on."""
    if config.double_estimation and config.target_interval == 0:
        raise ConfigError("double_estimation needs target_interval above 0, got 0")
    if config.target_interval > 0 and config.bootstrap_value != "max":
        raise ConfigError(
            f"bootstrap_value must be 'max' for target_interval = {config.target_interval}, "
            f"got {config.bootstrap_value!r}"
        )
    subsumes = config.ga_subsumption or config.action_set_subsumption
    if config.verify_subsumption > 0 and not subsumes:
        raise ConfigError(
            "verify_subsumption must be 0 without ga_subsumption and action_set_subsumption, "
            f"got {config.verify_subsumption}"
        )


def check_evidence(config: "XCSConfig") -> None:
    """Refuse, for an engine without replay, what looks at stored experiences."""
    for name in ("split_refuted", "verify_subsumption"):
        value = getattr(config, name)
        if value > 0:
            raise ConfigError(
                f"{name} must be 0 without replay, whose memory it looks at, got {value}"
            )
