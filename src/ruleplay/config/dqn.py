"""Configure the deep Q-network, the opponent of XCS on multi-step problems."""

from dataclasses import dataclass
from typing import Any, ClassVar

from ruleplay.config.fields import param
from ruleplay.config.settings import Settings
from ruleplay.errors import ConfigError
from ruleplay.output.names import unknown_name

DQN_NAMES = ("dqn", "dqn-tuned")


@dataclass(frozen=True, kw_only=True)
class DQNConfig(Settings):
    """Set what a vanilla DQN learns with: one target network, uniform replay, epsilon-greedy.

    The paper names OpenAI's implementation and prints no setting. Replay, training and
    exploration have the defaults of OpenAI's Baselines of that time; the network is plain
    and the discount that of XCS, both assumed. Beside settings of other agents the names
    start with `dqn_`; so do the messages.
    """

    setting_prefix: ClassVar[str] = "dqn_"

    learning_rate: float = param(
        5e-4, "eta", above=0, at_most=1, doc="Step size of the Adam optimizer."
    )
    discount: float = param(
        0.99, "gamma", at_least=0, at_most=1, doc="Weight of the next state's value in the target."
    )

    # Replay
    capacity: int = param(
        50_000, "N", at_least=1, doc="Experiences kept; the oldest one makes room for a new one."
    )
    batch_size: int = param(32, "m", at_least=1, doc="Experiences in each gradient step.")
    warmup: int = param(
        1000, "warm-up", at_least=0, doc="First steps, at random, which only fill the memory."
    )

    # Training
    train_interval: int = param(
        1, at_least=1, doc="Steps of the environment from one round of training to the next."
    )
    gradient_steps: int = param(1, at_least=1, doc="Gradient steps in a round of training.")
    target_interval: int = param(
        500, "C", at_least=1, doc="Steps of the environment from one target network to the next."
    )
    max_gradient_norm: float = param(
        10.0, above=0, doc="Length to which a longer gradient is shortened."
    )

    # Network
    hidden_layers: int = param(2, at_least=1, doc="Layers of rectified linear units.")
    hidden_units: int = param(64, at_least=1, doc="Units in each of these layers.")
    scale_observations: bool = param(
        True, doc="Whether the network sees observations scaled to [0, 1], as XCS does."
    )

    # Exploration
    epsilon_start: float = param(
        1.0, "epsilon", at_least=0, at_most=1, doc="Probability of a random action at first."
    )
    epsilon_end: float = param(
        0.02, "epsilon", at_least=0, at_most=1, doc="Probability of a random action at last."
    )
    epsilon_fraction: float = param(
        0.1, at_least=0, at_most=1, doc="Share of the run in which epsilon goes to its end."
    )

    bootstrap_on_truncation: bool = param(
        False, doc="Whether a time limit leaves the value of the last state in the target."
    )


# Published as tuned in RL Baselines3 Zoo (hyperparams/dqn.yml) for raw observations and the
# standard rewards and time limits of CartPole-v1, MountainCar-v0 and Acrobot-v1.
_TUNED: dict[str, dict[str, Any]] = {
    "cartpole": {
        "learning_rate": 2.3e-3,
        "discount": 0.99,
        "capacity": 100_000,
        "batch_size": 64,
        "warmup": 1000,
        "train_interval": 256,
        "gradient_steps": 128,
        "target_interval": 10,
        "epsilon_fraction": 0.16,
        "epsilon_end": 0.04,
    },
    "mountaincar": {
        "learning_rate": 4e-3,
        "discount": 0.98,
        "capacity": 10_000,
        "batch_size": 128,
        "warmup": 1000,
        "train_interval": 16,
        "gradient_steps": 8,
        "target_interval": 600,
        "epsilon_fraction": 0.2,
        "epsilon_end": 0.07,
    },
    "acrobot": {
        "learning_rate": 6.3e-4,
        "discount": 0.99,
        "capacity": 50_000,
        "batch_size": 128,
        "warmup": 0,
        "train_interval": 4,
        "gradient_steps": 4,
        "target_interval": 250,
        "epsilon_fraction": 0.12,
        "epsilon_end": 0.1,
    },
}
_TUNED_ALIKE: dict[str, Any] = {
    "hidden_layers": 2,
    "hidden_units": 256,
    "scale_observations": False,
    "bootstrap_on_truncation": True,
}


def dqn_settings(name: str, problem_name: str, discount: float) -> DQNConfig:
    """Return the configuration that an agent's name stands for on a problem.

    `dqn` is the paper's opponent with the given discount, for which the caller takes that
    of XCS on the same problem: the paper prints no other. `dqn-tuned` is the configuration
    published for the problem, with its own discount.

    >>> dqn_settings("dqn", "chain", 0.9).discount
    0.9
    >>> dqn_settings("dqn-tuned", "mountaincar", 0.99).discount
    0.98
    """
    if name not in DQN_NAMES:
        raise ConfigError(unknown_name("DQN configuration", name, DQN_NAMES))
    if name == "dqn":
        return DQNConfig(discount=discount)
    if problem_name not in _TUNED:
        raise ConfigError(
            f"'dqn-tuned' has published settings for {', '.join(map(repr, _TUNED))}, "
            f"none for problem {problem_name!r}"
        )
    return DQNConfig(**_TUNED[problem_name], **_TUNED_ALIKE)
