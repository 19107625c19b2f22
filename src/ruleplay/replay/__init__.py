"""Replay memories: a way to store times a way to sample, one file per way."""

from ruleplay.replay.interpolation import Interpolated
from ruleplay.replay.memory import Fifo, NoReplay, Pure
from ruleplay.replay.prioritized import Prioritized
from ruleplay.replay.protected import Protected
from ruleplay.replay.reservoir import Reservoir
from ruleplay.replay.returns import MultiStep, OneStep
from ruleplay.replay.stratified import Stratified
from ruleplay.replay.uniform import Uniform

SAMPLERS = {"uniform": Uniform, "prioritized": Prioritized, "stratified": Stratified}
STORAGES = {"fifo": Fifo, "reservoir": Reservoir, "protected": Protected}

__all__ = [
    "SAMPLERS",
    "STORAGES",
    "Interpolated",
    "MultiStep",
    "NoReplay",
    "OneStep",
    "Pure",
]
