"""Notice when predictions grow beyond all that rewards could ever add up to.

With rewards of at most r in size and a discount below 1, no return exceeds r / (1 - gamma).
Payoffs contain predictions; where these feed on themselves instead of on rewards, payoffs
leave this range, and what the rules predict means nothing any more.
"""

from ruleplay.config import XCSConfig
from ruleplay.engine.state import Engine

SLACK = 10.0  # models that are still learning may overshoot


def largest_sensible_payoff(
    config: XCSConfig, largest_return: float | None, reward_size: float
) -> float:
    """Return the size beyond which payoffs mean nothing; infinite if nobody can know.

    A reward's size is that with the bonus that exploration may add to it.
    """
    if reward_size == 0.0 or config.discount == 1.0:
        return float("inf")
    first = config.initial_prediction
    known = (largest_return or 0.0) if isinstance(first, str) else first
    return SLACK * max(reward_size / (1.0 - config.discount), abs(known))


def divergence_of(engine: Engine) -> str:
    """Say by how much an engine has diverged; nothing if it has not."""
    state = engine.state.arrays.state[0]
    found, reward = float(state["payoff_size"]), float(state["reward_size"])
    exploration = engine.state.traits.exploration
    bonus = exploration.largest_bonus() if hasattr(exploration, "largest_bonus") else 0.0
    size = reward + bonus if reward else 0.0
    limit = largest_sensible_payoff(engine.config, engine.largest_return, size)
    if found <= limit:
        return ""
    return (
        f"payoffs must be at most {limit:.4g} in size for rewards of at most {reward:.4g} and "
        f"discount (gamma) = {engine.config.discount:g}, got {found:.4g}: "
        "the predictions have diverged"
    )
