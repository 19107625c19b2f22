"""Observations as features with bounds, and actions to choose among, from spaces of any kind."""

from ruleplay.learners.agent.spaces.action_grid import MOST_ACTIONS, choose_actions
from ruleplay.learners.agent.spaces.actions import Actions
from ruleplay.learners.agent.spaces.bounds import (
    Bounds,
    are_open,
    box_features,
    declared_bounds,
    given_bounds,
    left_open,
    observed_bounds,
    unbounded_features,
)
from ruleplay.learners.agent.spaces.choose import choose_encoder
from ruleplay.learners.agent.spaces.encoder import Encoder
from ruleplay.learners.agent.spaces.grain import Grain, grain_of, grain_of_few, whole_features
from ruleplay.learners.agent.spaces.parts import (
    AnyEncoder,
    PartsEncoder,
    encoder_from_dict,
    path_name,
)

__all__ = [
    "MOST_ACTIONS",
    "Actions",
    "AnyEncoder",
    "Bounds",
    "Encoder",
    "Grain",
    "PartsEncoder",
    "are_open",
    "box_features",
    "choose_actions",
    "choose_encoder",
    "declared_bounds",
    "encoder_from_dict",
    "given_bounds",
    "grain_of",
    "grain_of_few",
    "left_open",
    "observed_bounds",
    "path_name",
    "unbounded_features",
    "whole_features",
]
