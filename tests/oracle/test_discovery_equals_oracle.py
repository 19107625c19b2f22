"""Ways to discover rules and to pay beyond the paper follow the oracle to the last bit.

One combination of kernels is compared compiled, the others interpreted.
"""

import numpy as np
import pytest

from ruleplay.config import ReplayConfig, XCSConfig

from .test_beyond_equals_oracle import SMALL_PLANE, live
from .test_engine_equals_oracle import PLANE, pair

SPECIFY = {"specify": True, "specify_threshold": 5, "specify_probability": 0.3}
SPLIT = {"split_refuted": 12, "subsumption_threshold": 8}
VERIFY = {"verify_subsumption": 6, "subsumption_threshold": 3, "error_threshold": 1.0}
EVERYTHING = {**SPECIFY, **SPLIT, "verify_subsumption": 15, "ga_niches_per_step": 2}
EVERYTHING |= {"specify_threshold": 0, "split_refuted": 5}
REPLAY = ReplayConfig(capacity=300, batch_size=4, warmup=50)
NEWEST = ReplayConfig(capacity=64, batch_size=3, warmup=10, include_newest=True, ga_clock="replay")
STEPS = ReplayConfig(capacity=101, batch_size=4, warmup=50, return_steps=3)
LINEAR = {"prediction": "linear", "rls_initial_gain": 10.0, "rls_forgetting": 0.99}

CASES = {
    # scalar predictions, replay, more discovery
    "one-niche": ({"ga_niches_per_step": 1}, REPLAY, []),
    "specify": (SPECIFY, REPLAY, ["specify"]),
    "split": (SPLIT, REPLAY, ["split"]),
    "verify": (VERIFY, REPLAY, ["refused"]),
    "verify-in-sets": (
        {**VERIFY, "action_set_subsumption": True, "ga_subsumption": False},
        REPLAY,
        ["refused"],
    ),
    "everything": ({**EVERYTHING, "target_high": 9.5}, NEWEST, ["specify", "split"]),
    # linear predictions, payoffs of several steps, all options but one
    "everything-linear-double-gradient": (
        {
            **EVERYTHING,
            **LINEAR,
            "gradient_scaling": True,
            "target_interval": 37,
            "double_estimation": True,
        },
        STEPS,
        ["split"],
    ),
    # no replay
    "gradient-double-linear": (
        {**LINEAR, "gradient_scaling": True, "target_interval": 37, "double_estimation": True},
        None,
        [],
    ),
    "gradient-frozen-online": ({"gradient_scaling": True, "target_interval": 20}, None, []),
    "gradient-frozen-for-long-online": (
        {
            "gradient_scaling": True,
            "target_interval": 400,
            "early_averaging": True,
            "update_order": "prediction_first",
            "bootstrap_on_truncation": False,
        },
        None,
        [],
    ),
}


COMPILED = ("gradient-double-linear",)
PARAMETERS = [
    pytest.param(*case, id=name, marks=() if name in COMPILED else pytest.mark.uncompiled)
    for name, case in CASES.items()
]


@pytest.mark.slow
@pytest.mark.parametrize(("changes", "replay", "fires"), PARAMETERS)
def test_a_trajectory_is_equal(changes, replay, fires):
    config = XCSConfig(**{**SMALL_PLANE, **changes})
    engine, oracle = pair(config, replay, **PLANE)
    live(engine, oracle, 700)
    assert engine.microclassifiers == 150
    for name in fires:
        assert oracle.discovery.fired[name] >= 3, (name, oracle.discovery.fired)
    if config.target_interval > 0:
        assert_same_copy(engine, oracle)
    if config.split_refuted > 0 or config.verify_subsumption > 0:
        payoffs = engine.state.traits.discovery.payoffs[: len(oracle.memory.payoffs)]
        known = [np.nan if payoff is None else payoff for payoff in oracle.memory.payoffs]
        assert np.array_equal(payoffs, known, equal_nan=True)


def assert_same_copy(engine, oracle):
    """Compare all that predictions take from the copy."""
    frozen, stride = engine.state.traits.bootstrap, int(engine.state.arrays.params["stride"][0])
    assert frozen.interval[0] == oracle.interval
    for action, rules in enumerate(oracle.frozen.by_action):
        assert frozen.counts[action] == len(rules)
        block = slice(action * stride, action * stride + len(rules))
        bounds = [rule.condition.lower + rule.condition.upper for rule in rules]
        assert frozen.bounds[block].tolist() == bounds
        assert frozen.rules["fitness"][block].tolist() == [rule.fitness for rule in rules]
        if engine.config.prediction == "linear":
            assert frozen.weights[block].tolist() == [rule.weights for rule in rules]
        else:
            predictions = frozen.rules["prediction"][block]
            assert predictions.tolist() == [rule.prediction for rule in rules]
