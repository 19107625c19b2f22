"""XCS as an agent in Gymnasium environments."""

from ruleplay.evaluation import Evaluation
from ruleplay.learners.agent.agent import XCSAgent

__all__ = ["Evaluation", "XCSAgent"]
