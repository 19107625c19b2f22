"""Settings of the networks: those that RL Baselines3 Zoo has published, as facts.

Source: https://github.com/DLR-RM/rl-baselines3-zoo, hyperparams/dqn.yml, qrdqn.yml and ppo.yml
(those of LunarLander-v2 for v3). A problem that has none there takes those of another one, as
`LIKE` says, or the defaults of Stable-Baselines3, which are PPO's best known ones.
"""

from typing import Any

Settings = dict[str, Any]

WIDE = {"net_arch": [256, 256]}

DQN: dict[str, Settings] = {
    "CartPole-v1": {
        "learning_rate": 2.3e-3,
        "batch_size": 64,
        "buffer_size": 100_000,
        "learning_starts": 1000,
        "gamma": 0.99,
        "target_update_interval": 10,
        "train_freq": 256,
        "gradient_steps": 128,
        "exploration_fraction": 0.16,
        "exploration_final_eps": 0.04,
        "policy_kwargs": WIDE,
    },
    "MountainCar-v0": {
        "learning_rate": 4e-3,
        "batch_size": 128,
        "buffer_size": 10_000,
        "learning_starts": 1000,
        "gamma": 0.98,
        "target_update_interval": 600,
        "train_freq": 16,
        "gradient_steps": 8,
        "exploration_fraction": 0.2,
        "exploration_final_eps": 0.07,
        "policy_kwargs": WIDE,
    },
    "LunarLander-v3": {
        "learning_rate": 6.3e-4,
        "batch_size": 128,
        "buffer_size": 50_000,
        "learning_starts": 0,
        "gamma": 0.99,
        "target_update_interval": 250,
        "train_freq": 4,
        "gradient_steps": -1,
        "exploration_fraction": 0.12,
        "exploration_final_eps": 0.1,
        "policy_kwargs": WIDE,
    },
}
DQN["Acrobot-v1"] = DQN["LunarLander-v3"]

QRDQN: dict[str, Settings] = {
    "CartPole-v1": {**DQN["CartPole-v1"], "policy_kwargs": {**WIDE, "n_quantiles": 10}},
    "MountainCar-v0": {**DQN["MountainCar-v0"], "policy_kwargs": {**WIDE, "n_quantiles": 25}},
    "LunarLander-v3": {
        "learning_rate": "lin_1.5e-3",
        "batch_size": 128,
        "buffer_size": 100_000,
        "learning_starts": 10_000,
        "gamma": 0.995,
        "target_update_interval": 1,
        "train_freq": 256,
        "gradient_steps": -1,
        "exploration_fraction": 0.24,
        "exploration_final_eps": 0.18,
        "policy_kwargs": {**WIDE, "n_quantiles": 170},
    },
    "Acrobot-v1": {**DQN["Acrobot-v1"], "policy_kwargs": {**WIDE, "n_quantiles": 25}},
}

MINIGRID = {
    "normalize": True,
    "n_envs": 8,
    "n_steps": 128,
    "batch_size": 64,
    "gae_lambda": 0.95,
    "gamma": 0.99,
    "n_epochs": 10,
    "ent_coef": 0.0,
    "learning_rate": 2.5e-4,
    "clip_range": 0.2,
}
PPO: dict[str, Settings] = {
    "CartPole-v1": {
        "n_envs": 8,
        "n_steps": 32,
        "batch_size": 256,
        "gae_lambda": 0.8,
        "gamma": 0.98,
        "n_epochs": 20,
        "ent_coef": 0.0,
        "learning_rate": "lin_0.001",
        "clip_range": "lin_0.2",
    },
    "MountainCar-v0": {
        "normalize": True,
        "n_envs": 16,
        "n_steps": 16,
        "gae_lambda": 0.98,
        "gamma": 0.99,
        "n_epochs": 4,
        "ent_coef": 0.0,
    },
    "MountainCarContinuous-v0": {
        "normalize": True,
        "n_envs": 1,
        "batch_size": 256,
        "n_steps": 8,
        "gamma": 0.9999,
        "learning_rate": 7.77e-05,
        "ent_coef": 0.00429,
        "clip_range": 0.1,
        "n_epochs": 10,
        "gae_lambda": 0.9,
        "max_grad_norm": 5,
        "vf_coef": 0.19,
        "use_sde": True,
        "policy_kwargs": {"log_std_init": -3.29, "ortho_init": False},
    },
    "Acrobot-v1": {
        "normalize": True,
        "n_envs": 16,
        "n_steps": 256,
        "gae_lambda": 0.94,
        "gamma": 0.99,
        "n_epochs": 4,
        "ent_coef": 0.0,
    },
    "Pendulum-v1": {
        "n_envs": 4,
        "n_steps": 1024,
        "gae_lambda": 0.95,
        "gamma": 0.9,
        "n_epochs": 10,
        "ent_coef": 0.0,
        "learning_rate": 1e-3,
        "clip_range": 0.2,
        "use_sde": True,
        "sde_sample_freq": 4,
    },
    "LunarLander-v3": {
        "n_envs": 16,
        "n_steps": 1024,
        "batch_size": 64,
        "gae_lambda": 0.98,
        "gamma": 0.999,
        "n_epochs": 4,
        "ent_coef": 0.01,
    },
    "MiniGrid-DoorKey-5x5-v0": MINIGRID,
    "MiniGrid-Empty-5x5-v0": MINIGRID,
}
PUBLISHED = {"dqn": DQN, "qrdqn": QRDQN, "ppo": PPO}
LIKE = {"dqn": "Acrobot-v1", "qrdqn": "Acrobot-v1"}


def settings_of(contender: str, problem: str) -> Settings:
    """Return the settings of a network on a problem."""
    published = PUBLISHED[contender]
    return published.get(problem) or published.get(LIKE.get(contender, ""), {})
