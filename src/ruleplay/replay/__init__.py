"""Replay memories: ring storage times a way to sample from it, one file per way."""

from ruleplay.replay import uniform
from ruleplay.replay.memory import NoReplay

SAMPLERS = {"uniform": uniform.Uniform}

__all__ = ["SAMPLERS", "NoReplay"]
