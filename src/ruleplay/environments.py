"""Names under which Gymnasium finds the environments, which are loaded when one is made."""

from typing import Any

import gymnasium

Options = dict[str, Any]

ENVIRONMENTS: dict[str, tuple[str, Options, int | None]] = {  # problem, options, longest episode
    "ruleplay/RealMultiplexer-v0": ("rmp", {"bits": 6}, None),
    "ruleplay/Multiplexer-v0": ("mux", {"bits": 6}, None),
    "ruleplay/Majority-v0": ("majority", {}, None),
    "ruleplay/Parity-v0": ("parity", {}, None),
    "ruleplay/Carry-v0": ("carry", {}, None),
    "ruleplay/Checkerboard-v0": ("checkerboard", {}, None),
    "ruleplay/Mario-v0": ("mario", {}, None),
    "ruleplay/WBC-v0": ("wbc", {}, None),
    "ruleplay/Chain-v0": ("chain", {"n": 16}, 200),
    "ruleplay/CartPole-v0": ("cartpole", {}, 200),
    "ruleplay/MountainCar-v0": ("mountaincar", {}, 500),
    "ruleplay/Acrobot-v0": ("acrobot", {}, 500),
    "ruleplay/Woods1-v0": ("woods1", {}, 200),
    "ruleplay/Woods2-v0": ("woods2", {}, 200),
    "ruleplay/Maze4-v0": ("maze4", {}, 200),
    "ruleplay/Maze5-v0": ("maze5", {}, 200),
}
BIT_FLIP = "ruleplay/BitFlip-v0"


def register_environments() -> None:
    """Register every environment that is not registered yet."""
    for env_id, (name, options, limit) in ENVIRONMENTS.items():
        if env_id in gymnasium.registry:
            continue
        gymnasium.register(
            env_id,
            entry_point="ruleplay.envs.gymnasium_envs:CompiledEnv",
            max_episode_steps=limit,
            kwargs={"problem": name, **options},
        )
    if BIT_FLIP not in gymnasium.registry:
        gymnasium.register(BIT_FLIP, entry_point="ruleplay.envs.bit_flip:BitFlipEnv")
