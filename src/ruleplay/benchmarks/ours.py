"""Run ruleplay on the benchmark's work.

On the multiplexer ruleplay runs with the settings recommended for classification, which were
chosen on seeds that the benchmark does not use, and with the paper's in a row of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ruleplay import __version__
from ruleplay.benchmarks import cartpole, workload
from ruleplay.benchmarks.driver import Contender
from ruleplay.benchmarks.tables import OURS
from ruleplay.engine import XCS
from ruleplay.experiments.spec import load_preset

PER_STEP = f"{OURS} (a call per step)"
AS_IN_PAPER = f"{OURS} (the paper's settings)"
N_ACTIONS = 2
RECOMMENDED = {"condition": "center_spread", "action_mutation_rate": 0.2}


class MultiplexerLearner:
    """Learn the multiplexer, each block in one compiled call."""

    def __init__(self, seed: int, replay: int = 0, as_in_paper: bool = False) -> None:
        """Build an empty population; `replay` is the number of replays per step, 0 for none."""
        agent = f"xcs-er-{replay}" if replay else "xcs"
        settings: dict[str, Any] = {"population_size": workload.POPULATION_SIZE}
        if not as_in_paper:
            settings |= RECOMMENDED
        if replay:
            settings["replay_capacity"] = workload.REPLAY_CAPACITY
            settings["replay_warmup"] = workload.REPLAY_WARMUP
        self.engine = build_engine("stein2020/rmp6", agent, settings, seed, workload.STATE_BITS)

    def learn(self, block: workload.Experiences) -> None:
        """Learn from the experiences in their order."""
        self.engine.learn_batch(block.states, block.actions, block.rewards)

    def predict(self, states: workload.Floats) -> workload.Floats:
        """Return the payoff of each action; NaN where no rule matches."""
        return self.engine.predict(states)

    def macroclassifiers(self) -> int:
        """Return the number of distinct rules."""
        return self.engine.macroclassifiers


class PerStepLearner(MultiplexerLearner):
    """Learn the multiplexer with one call from Python per learning step."""

    def learn(self, block: workload.Experiences) -> None:
        """Learn from the experiences in their order."""
        learn = self.engine.learn
        actions, rewards = block.actions.tolist(), block.rewards.tolist()
        for state, action, reward in zip(block.states, actions, rewards, strict=True):
            learn(state, action, reward)


class CartPoleLearner:
    """Replay CartPole transitions in one compiled call, with linear models (RLS)."""

    def __init__(self, seed: int) -> None:
        """Build an empty population with the paper's CartPole parameters."""
        settings = {
            "population_size": cartpole.POPULATION_SIZE,
            "discount": cartpole.DISCOUNT,
            "cover_spread": cartpole.COVER_SPREAD,
        }
        self.engine = build_engine("stein2020/cartpole", "xcs", settings, seed, features=4)

    def replay(self, record: cartpole.Transitions, order: workload.Integers) -> None:
        """Learn from the record's transitions in this order."""
        self.engine.learn_batch(
            record.states[order],
            record.actions[order],
            record.rewards[order],
            record.next_states[order],
            record.terminated[order],
        )

    predict = MultiplexerLearner.predict
    macroclassifiers = MultiplexerLearner.macroclassifiers


def build_engine(
    preset: str, agent: str, settings: Mapping[str, Any], seed: int, features: int
) -> XCS:
    """Return an empty engine for states in [0, 1] with a preset's settings and some others."""
    xcs, replay = load_preset(preset).configs(agent, settings)
    return XCS(
        xcs,
        replay,
        n_actions=N_ACTIONS,
        low=np.zeros(features),
        high=np.ones(features),
        seed=seed,
    )


def run_multiplexer(seed: int, steps: int, replay: int) -> workload.RunResult:
    """Measure one run on the multiplexer, blocks compiled."""
    return _measure(MultiplexerLearner(seed, replay), OURS, seed, steps, replay)


def run_as_in_paper(seed: int, steps: int) -> workload.RunResult:
    """Measure one run on the multiplexer with the settings of the paper."""
    return _measure(MultiplexerLearner(seed, as_in_paper=True), AS_IN_PAPER, seed, steps, 0)


def run_per_step(seed: int, steps: int) -> workload.RunResult:
    """Measure one run on the multiplexer, a call from Python per step."""
    return _measure(PerStepLearner(seed), PER_STEP, seed, steps, 0)


def run_cartpole(seed: int, steps: int) -> workload.RunResult:
    """Measure one run over replayed CartPole transitions."""
    return cartpole.measure_cartpole(
        CartPoleLearner(seed), library=OURS, version=__version__, seed=seed, steps=steps
    )


def more_contenders() -> list[Contender]:
    """Return our entries beside those on the multiplexer that `compare` always has."""
    return [
        Contender(workload.workload_name(0), PER_STEP, run_per_step, warm=True),
        Contender(workload.workload_name(0), AS_IN_PAPER, run_as_in_paper, warm=True),
        Contender(cartpole.WORKLOAD, OURS, run_cartpole, warm=True),
    ]


def _measure(
    learner: workload.BlockLearner, library: str, seed: int, steps: int, replay: int
) -> workload.RunResult:
    return workload.measure_multiplexer(
        learner, library=library, version=__version__, seed=seed, steps=steps, replay=replay
    )
