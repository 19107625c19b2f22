"""Replay memories: a way to store times a way to sample, one file per way."""

from ruleplay.replay import reservoir, uniform
from ruleplay.replay.memory import Fifo, NoReplay
from ruleplay.replay.returns import MultiStep, OneStep

SAMPLERS = {"uniform": uniform.Uniform}
STORAGES = {"fifo": Fifo, "reservoir": reservoir.Reservoir}

__all__ = ["SAMPLERS", "STORAGES", "MultiStep", "NoReplay", "OneStep"]
