"""Learn the same problems by other means, to have something to compare with.

The modules here need the extra `ruleplay[dqn]`; this package itself does not, so that one
can ask first whether it is there.
"""

from importlib.util import find_spec


def dqn_is_installed() -> bool:
    """Tell whether `ruleplay.baselines.dqn` can be imported, without importing it."""
    return all(find_spec(name) is not None for name in ("stable_baselines3", "torch"))
