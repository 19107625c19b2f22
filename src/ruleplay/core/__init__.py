"""The compiled core: arrays in, arrays out, nothing but numpy and numba."""

from ruleplay.core import crossover, discovery, frozen, gradient, selection  # noqa: F401
from ruleplay.core.conditions import center_spread, unordered
from ruleplay.core.predictions import linear, scalar

CONDITIONS = {"unordered": unordered.Unordered, "center_spread": center_spread.CenterSpread}
PREDICTIONS = {"scalar": scalar.Scalar, "linear": linear.Linear}
SELECTIONS = {"tournament": selection.Tournament, "roulette": selection.Roulette}
CROSSOVERS = {"uniform": crossover.Uniform, "two_point": crossover.TwoPoint}
