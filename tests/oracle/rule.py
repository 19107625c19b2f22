"""Define a rule: a box of states, an action, a prediction, and what is known of its quality."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .prediction import Linear, Scalar


def clip(value: float) -> float:
    """Bring a number into [0, 1]."""
    return min(max(value, 0.0), 1.0)


class Condition:
    """Hold a box in unordered bounds: two alleles per dimension, either may be the lower one."""

    def __init__(self, alleles: Sequence[float]) -> None:
        """Round the alleles to float32, as they are stored, and sort each pair."""
        self.alleles = [np.float32(allele) for allele in alleles]
        exact = [float(allele) for allele in self.alleles]
        self.lower = [min(pair) for pair in zip(exact[0::2], exact[1::2], strict=True)]
        self.upper = [max(pair) for pair in zip(exact[0::2], exact[1::2], strict=True)]

    def matches(self, state: Sequence[float]) -> bool:
        """Say whether the state lies in the box; both ends belong to it (Alg. 1 line 2).

        A missing value lies in every interval.
        """
        sides = zip(self.lower, state, self.upper, strict=True)
        return all(math.isnan(x) or lower <= x <= upper for lower, x, upper in sides)

    def contains(self, other: "Condition") -> bool:
        """Say whether the other box lies within this one; the borders may touch."""
        low_ends = zip(self.lower, other.lower, strict=True)
        high_ends = zip(self.upper, other.upper, strict=True)
        return all(mine <= theirs for mine, theirs in low_ends) and all(
            mine >= theirs for mine, theirs in high_ends
        )

    def equals(self, other: "Condition") -> bool:
        """Say whether both boxes are the same, whatever the order of the alleles."""
        return self.lower == other.lower and self.upper == other.upper

    def volume(self) -> float:
        """Multiply the widths, dimension by dimension."""
        volume = 1.0
        for lower, upper in zip(self.lower, self.upper, strict=True):
            volume *= upper - lower
        return volume


@dataclass(eq=False)
class Rule:
    """Hold one (macro-)rule `cl`; the paper's symbol stands beside each attribute."""

    condition: Condition  # cl.C
    action: int  # cl.a
    model: Scalar | Linear  # cl.p, or what computes it
    error: float  # cl.epsilon
    fitness: float  # cl.F
    time_stamp: int  # cl.ts
    experience: int = 0  # cl.exp
    set_size: float = 1.0  # cl.as
    numerosity: int = 1  # cl.num

    @property
    def alleles(self) -> list[np.float32]:
        """Return the two alleles of each dimension."""
        return self.condition.alleles

    @property
    def prediction(self) -> float:
        """Return the payoff that a scalar rule predicts."""
        return self.model.prediction

    @property
    def weights(self) -> list[float]:
        """Return a linear rule's weights, the constant first."""
        return self.model.weights

    @property
    def gain(self) -> list[list[float]]:
        """Return a linear rule's gain matrix, row by row."""
        return self.model.gain

    def may_subsume(self, other: "Rule", config) -> bool:
        """Say whether this rule may take the other one in: experienced, accurate, more general."""
        return (
            could_subsume(self, config)
            and self.action == other.action
            and self.condition.contains(other.condition)
        )


def could_subsume(rule: Rule, config) -> bool:
    """Say whether a rule is experienced and accurate enough to subsume others."""
    return rule.experience > config.subsumption_threshold and rule.error < config.error_threshold
