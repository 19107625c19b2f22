"""Compact by fitness and coverage: keep the strongest rules that leave nothing uncovered.

In the manner of Wilson (2002) and Dixon, Corne and Oates (2003): rules are visited from the
strongest (fitness times numerosity) to the weakest; one is kept if it speaks about an
observation and an action about which no stronger one does. Then those that others have made
superfluous go, the weakest first. Where the rest decides otherwise than the whole too often,
the strongest rules that speak there come back.
"""

import numpy as np
from numpy.typing import NDArray

from ruleplay.rules.ruleset import RuleSet

Vector = NDArray[np.float64]
Flags = NDArray[np.bool_]


def compact_by_coverage(rules: RuleSet, observations: Vector, tolerance: float) -> RuleSet:
    """Return rules that speak wherever all do, and decide alike but for a share."""
    inside = rules.matches(observations)
    order = np.argsort(-rules.fitness * rules.numerosity, kind="stable")
    kept = _without_superfluous(rules, inside, _covering(rules, inside, order), order)
    wanted = rules.actions(observations)
    while True:
        chosen = rules.take(np.flatnonzero(kept))
        differs = chosen.actions(observations) != wanted
        if differs.mean() <= tolerance or kept.all():
            return chosen
        strength = np.where(kept, -1.0, rules.fitness * inside[differs].sum(axis=0))
        back = np.argsort(-strength, kind="stable")[: max(1, int(kept.sum()) // 20)]
        kept[back[strength[back] >= 0.0]] = True


def _covering(rules: RuleSet, inside: Flags, order: NDArray[np.intp]) -> Flags:
    """Tell which rules add coverage to all stronger ones."""
    covered = np.zeros((rules.n_actions, len(inside)), np.bool_)
    kept = np.zeros(len(rules), np.bool_)
    for i in order:
        so_far = covered[rules.action[i]]
        kept[i] = (inside[:, i] & ~so_far).any()
        if kept[i]:
            so_far |= inside[:, i]
    return kept


def _without_superfluous(
    rules: RuleSet, inside: Flags, kept: Flags, order: NDArray[np.intp]
) -> Flags:
    """Drop rules, the weakest first, whose every observation another kept rule covers."""
    kept = kept.copy()
    counts = np.zeros((rules.n_actions, len(inside)), np.int64)
    for i in np.flatnonzero(kept):
        counts[rules.action[i]] += inside[:, i]
    for i in order[::-1]:
        count = counts[rules.action[i]]
        if kept[i] and (count[inside[:, i]] > 1).all():
            kept[i] = False
            count -= inside[:, i]
    return kept
