"""Ways to sample and to store beyond the paper follow the oracle to the last bit.

One combination of kernels is compared compiled, the others interpreted.
"""

import numpy as np
import pytest

from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.replay.component_state import component_states

from .test_beyond_equals_oracle import SMALL_PLANE, live
from .test_engine_equals_oracle import PLANE, pair, walk


def replay(**changes):
    return ReplayConfig(**{"capacity": 90, "batch_size": 4, "warmup": 50, **changes})


BY_SURPRISE = {"sampling": "prioritized"}
BY_REGION = {"sampling": "stratified", "strata_grid": 5}
PROTECTED = {"storage": "protected", "usual_reward": -0.1}
MIXED = {"interpolation": 0.5, "interpolation_distance": 0.2}

CASES = {
    "by-surprise": ({}, replay(**BY_SURPRISE)),
    "by-surprise-all-newest": (
        {"early_averaging": True},
        replay(**BY_SURPRISE, importance="all", include_newest=True, priority_beta_start=0.0),
    ),
    "by-surprise-no-weights": (
        {"target_high": 9.0},
        replay(**BY_SURPRISE, importance="none", priority_exponent=1.0),
    ),
    "protected": ({}, replay(**PROTECTED)),
    "protected-few-newest": (
        {},
        replay(**PROTECTED, capacity=30, protected_share=0.05, include_newest=True),
    ),
    "by-region-mixed-three-steps": (
        {},
        replay(**BY_REGION, **MIXED, return_steps=3, include_newest=True),
    ),
    "by-surprise-protected-mixed-linear": (
        {"prediction": "linear", "update_order": "prediction_first"},
        replay(**BY_SURPRISE, **PROTECTED, **MIXED, ga_clock="replay"),
    ),
}


def sparse_walk(x, action, world):
    """Walk in the plane; most steps cost the same, a few and the last one are paid for."""
    x, reward, done = walk(x, action, world)
    return x, (reward if done or x[1] > 1.7 else -0.1), done


COMPILED = ("by-surprise-protected-mixed-linear",)
PARAMETERS = [
    pytest.param(*case, id=name, marks=() if name in COMPILED else pytest.mark.uncompiled)
    for name, case in CASES.items()
]


@pytest.mark.slow
@pytest.mark.parametrize(("changes", "settings"), PARAMETERS)
def test_a_trajectory_is_equal(changes, settings):
    engine, oracle = pair(XCSConfig(**{**SMALL_PLANE, **changes}), settings, **PLANE)
    live(engine, oracle, 600, sparse_walk)
    assert engine.microclassifiers == 150
    assert engine.state.memory[5].tolist() == [int(word) for word in oracle.replay_random.words]
    assert_same_memory(engine, oracle.memory)


def assert_same_memory(engine, memory):
    states, actions, rewards = engine.state.memory[:3]
    assert rewards.tolist() == [one.reward for one in memory.slots]
    assert actions.tolist() == [one.action for one in memory.slots]
    assert states.tolist() == [one.state for one in memory.slots]
    if engine.replay.sampling == "prioritized":
        found = component_states(engine.state.memory)[0].slots()[0][: len(actions)]
        assert found.tolist() == [memory.sampler.priorities[slot] for slot in range(len(actions))]
    if engine.replay.storage == "protected":
        assert engine.state.memory.storage.stamps.tolist() == memory.ages
        assert np.ptp(memory.ages) > len(memory.ages)  # something old has been kept
