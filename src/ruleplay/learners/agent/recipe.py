"""Choose the settings of an agent: the user's, a preset's, and ours for the rest."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.config import ReplayConfig, XCSConfig, build_configs, typed_value
from ruleplay.errors import ConfigError
from ruleplay.learners.agent.spaces import Grain
from ruleplay.presets import read_preset

Configs = tuple[XCSConfig, ReplayConfig | None]
Vector = NDArray[np.float64]

WARMUP = 1000  # steps of random play, at most
LONG_WARMUP = 3000  # if actions are real numbers: what is worth reaching is reached in it, if ever
UNPAID_WARMUP = 20_000  # as long as nothing is paid
WARMUP_SHARE = 10  # every tenth step, in short runs
EXPLORING = 0.1  # share of a run in which exploration falls, after a warm-up without rewards
NEVER = 2**31 - 1  # steps between two runs of the genetic algorithm
MOST_EXACT_RULES = 50_000
LEAST_MEMORY, MOST_MEMORY = 50_000, 500_000  # experiences
MOST_REMEMBERED = 5_000_000  # numbers, of the observations in a memory
MOST_LINEAR = 50  # features: the gain matrix of a linear model has the square of their number
DISCOUNT = 0.99
SCALE_SETTINGS = ("error_threshold", "initial_prediction")


def warmup_for(steps: int, real_actions: bool = False, unpaid: bool = False) -> int:
    """Return how many of the planned steps come before learning; more while nothing is paid."""
    most = UNPAID_WARMUP if unpaid else LONG_WARMUP if real_actions else WARMUP
    return max(1, min(most, steps // WARMUP_SHARE))


class Task(NamedTuple):
    """What our choices depend on."""

    n_features: int
    n_actions: int
    grain: Grain
    steps: int  # planned, the warm-up included
    warmup: int
    sequential: bool = True  # whether one environment is played, step after step
    real_actions: bool = False  # whether actions are some of real numbers
    views: bool = False  # whether observations are whole numbers of which few combinations occur


class Payoffs(NamedTuple):
    """How large values are: the basis of eps_0 and p_ini."""

    largest: float  # size of a state's value
    hope: float = 0.0  # value of what is unknown


def memory_for(steps: int, n_features: int) -> int:
    """Return how many experiences to remember: all of a run, if that is not too much.

    >>> memory_for(20_000, 4), memory_for(200_000, 8), memory_for(200_000, 100)
    (50000, 200000, 50000)
    """
    most = min(MOST_MEMORY, MOST_REMEMBERED // n_features)
    return max(LEAST_MEMORY, min(steps, most))


def estimate_payoffs(rewards: Vector, discount: float, episode_limit: float) -> Payoffs | None:
    """Estimate the size of values from rewards of random play; None if it saw no reward.

    A value is at most about the largest reward or the sum of typical (median) ones over the
    horizon that discount and time limit leave.
    """
    sizes = np.abs(rewards)
    if not sizes.any():
        return None
    horizon = min(episode_limit, 1.0 / (1.0 - discount) if discount < 1.0 else np.inf)
    steady = float(np.median(sizes)) * min(horizon, 1000.0)
    return Payoffs(max(float(sizes.max()), steady))


def our_settings(task: Task, payoffs: Payoffs) -> dict[str, Any]:
    """Return the settings that we choose where the user does not.

    Real numbers: linear predictions, unless there are very many, and the recipe of the presets
    `ruleplay/...`, with more rules, a larger gap between actions and models that forget less, as
    suits averages of populations; a covered rule takes about half a percent of the space. If
    actions are real numbers, too, they are more and differ less: somewhat smaller rules, and
    more is replayed.
    Numbered states, and whole numbers of which few combinations occur, if a rule for each state
    and action is not too much: just these rules, for neighbouring numbers need not mean similar
    states; the genetic algorithm, which would generalise over them, rests. Views that look alike
    may be several states: for them, too, a gap between actions keeps the policy from changing all
    the time. More states than that: rules generalise. The newest experience is always among the
    replayed, which optimistic exploration thrives on. Everything is remembered, if that is not
    too much: what a policy no longer does, it soon does again.
    """
    settings: dict[str, Any] = {
        "learning_rate": 0.1,
        "discount": DISCOUNT,
        "error_threshold": 0.001 * payoffs.largest,
        "initial_prediction": payoffs.hope,
        "error_reduction": 0.25,
        "update_order": "error_first",
        "exploration": "epsilon_greedy",
        "replay_warmup": task.warmup,
        "replay_capacity": memory_for(task.steps, task.n_features),
        "replay_include_newest": True,
    }
    if task.warmup > warmup_for(task.steps, task.real_actions):  # nothing was paid for long
        settings["epsilon_fraction"] = min(1.0, EXPLORING + task.warmup / task.steps)
    n_rules = task.n_actions * task.grain.states
    if task.grain.finest == 0:
        share = 0.003 if task.real_actions else 0.005
        settings |= {
            "population_size": 6000,
            "ga_threshold": 50,
            "cover_spread": float(np.clip(share ** (1.0 / task.n_features), 0.05, 0.5)),
            "prediction": "linear" if task.n_features <= MOST_LINEAR else "scalar",
            "rls_initial_gain": 500.0,
            "rls_forgetting": 0.995,
            "epsilon_start": 0.1,
        }
        if task.real_actions:
            settings["replay_batch_size"] = 16
    elif n_rules <= MOST_EXACT_RULES:
        settings |= {
            "population_size": max(1000, round(n_rules)),
            "ga_threshold": NEVER,
            "cover_spread": 0.4 / max(1, task.grain.finest - 1),
        }
    else:
        settings |= {"population_size": 5000, "ga_threshold": 50}
    if task.grain.finest == 0 or task.views:
        settings["replay_action_gap"] = 0.8
        if task.sequential:
            settings |= {"replay_return_steps": 5, "replay_return_choice": "rewarded"}
    return settings


def compatible(ours: Mapping[str, Any], fixed: Mapping[str, Any]) -> dict[str, Any]:
    """Return our settings without returns of several steps, if the user's memory has none."""
    one_step = (
        fixed.get("replay_return_steps") == 1 or fixed.get("replay_storage", "fifo") != "fifo"
    )
    return {
        name: value
        for name, value in ours.items()
        if not (one_step and name.startswith("replay_return_"))
    }


@dataclass(frozen=True)
class Wishes:
    """What a user asks for."""

    preset: str | None
    config: XCSConfig | None
    replay: Any  # "default", None or a ReplayConfig
    settings: Mapping[str, Any]

    def __post_init__(self) -> None:
        """Refuse wishes that contradict each other."""
        if self.replay not in ("default", None) and not isinstance(self.replay, ReplayConfig):
            raise ConfigError(
                f"replay must be 'default', None or a ReplayConfig, got {self.replay!r}"
            )
        if self.config is not None and not isinstance(self.config, XCSConfig):
            raise ConfigError(f"config must be None or an XCSConfig, got {self.config!r}")
        others = [*(["preset"] if self.preset is not None else []), *self.settings]
        if self.config is not None and others:
            raise ConfigError(f"config says everything; it excludes {', '.join(others)}")
        for name, value in self.settings.items():
            typed_value(name, value)
            if name.startswith(ReplayConfig.setting_prefix) and self.replay != "default":
                raise ConfigError(f"{name} needs replay='default', got {self.replay!r}")

    def fixed_settings(self) -> dict[str, Any]:
        """Return what the user fixes by name or by preset."""
        if self.preset is None:
            return dict(self.settings)
        found = {name: entry.value for name, entry in read_preset(self.preset).settings.items()}
        return {**found, **self.settings}

    def leaves_scale_open(self) -> bool:
        """Tell whether we have to find out how large rewards are."""
        fixed = self.config is not None or self.preset is not None
        return not fixed and not self.settings.keys() >= set(SCALE_SETTINGS)

    def discount(self) -> float:
        """Return the discount that the user or we chose."""
        return float(self.fixed_settings().get("discount", DISCOUNT))

    def configs(self, task: Task, payoffs: Payoffs) -> Configs:
        """Return the configurations, with our choices where the user leaves them open."""
        if self.config is None:
            fixed = self.fixed_settings()
            ours = {} if self.preset else compatible(our_settings(task, payoffs), fixed)
            settings = {**ours, **fixed}
            xcs, replay = build_configs(settings, replay=self.replay is not None)
        else:
            xcs, replay = self.config, ReplayConfig()
        if xcs.exploration != "epsilon_greedy":
            raise ConfigError(
                "exploration must be 'epsilon_greedy' for an agent in an environment, "
                f"got {xcs.exploration!r}"
            )
        return xcs, replay if self.replay == "default" else self.replay
