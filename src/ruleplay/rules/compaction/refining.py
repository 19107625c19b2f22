"""Refine a list by the episodes it plays: one small change after another, kept if it pays.

A list that is learned decides as the population does as often as it can; where rules are few,
others than those that agree most may do better. A change is judged by episodes that begin as those
of the present list did: by few of them first, by more as long as it does better there. From time to
time others take their place, so that a list is not fitted to some beginnings.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.rules.compaction.episodes import EpisodeScore
from ruleplay.rules.compaction.list_edits import Editor, n_conditions
from ruleplay.rules.compaction.recording import Recorder
from ruleplay.rules.compaction.tidying import tidy
from ruleplay.rules.ruleset import RuleSet

Vector = NDArray[np.float64]

STAGES = {10: 0.0, 40: 0.5, 120: 1.0}  # episodes, and standard errors by which a change must pay
BEGINNINGS = max(STAGES)
CHANGES = 80  # judged by the same beginnings
SEEN = 4000  # observations that say whether a change matters
MATTERS = 0.002  # share of them about which it must decide otherwise
DRAWS = 100  # of changes until one matters
FINALISTS = 5  # lists of which the best is taken
FINAL = 200  # episodes by which it is
FAR = 1_000_000_000  # from the seeds of the score to those of the refinement


class Present(NamedTuple):
    """The list that is refined, what it is paid from each beginning, and what it has seen."""

    rules: RuleSet
    returns: Vector
    seen: Vector


class Refinement:
    """Refines a list until a number of episodes have been played."""

    def __init__(
        self, score: EpisodeScore, digits: tuple[int, ...], max_rules: int, random: Any
    ) -> None:
        self._score = score.elsewhere(FAR, BEGINNINGS)
        self._digits, self._max_rules, self._random = digits, max_rules, random
        self._played = 0

    def refine(self, rules: RuleSet, episodes: int) -> RuleSet:
        """Return the best list found."""
        if not len(rules):
            return rules
        found: list[tuple[float, RuleSet]] = []
        present = self._begin(rules)
        while True:
            found.append((float(present.returns.mean()), present.rules))
            if self._played >= episodes:
                return self._best(found)
            for _ in range(CHANGES):
                present = self._try_change(present)
            present = self._begin(present.rules)

    def _begin(self, rules: RuleSet) -> Present:
        """Play from new beginnings."""
        self._score = self._score.elsewhere(BEGINNINGS, BEGINNINGS)
        policy = Recorder(rules.actions)
        returns = self._play(policy, np.arange(BEGINNINGS))
        return Present(rules, returns, policy.thinned(SEEN))

    def _try_change(self, present: Present) -> Present:
        """Return what is present after a change that pays, or as it was."""
        editor = Editor(present.seen, self._digits, self._max_rules)
        before = present.rules.actions(present.seen)
        for _ in range(DRAWS):
            rules = editor.draw_edit(present.rules, self._random)
            differs = float((rules.actions(present.seen) != before).mean())
            if differs >= MATTERS:
                return self._race(present, rules)
            if differs == 0.0 and is_shorter(rules, present.rules):
                present = present._replace(rules=rules)
        return present

    def _race(self, present: Present, rules: RuleSet) -> Present:
        """Compare a changed list with the present one, from the same beginnings."""
        order, policy = self._random.permutation(BEGINNINGS), Recorder(rules.actions)
        returns, played = np.empty(BEGINNINGS), 0
        for stage, margin in STAGES.items():
            returns[order[played:stage]] = self._play(policy, order[played:stage])
            gains, played = (returns - present.returns)[order[:stage]], stage
            if gains.mean() <= margin * gains.std() / np.sqrt(stage):
                return present
        return Present(rules, returns, policy.thinned(SEEN))

    def _play(self, policy: Recorder, places: NDArray[np.int64]) -> Vector:
        self._played += len(places)
        return self._score.returns(policy, places)

    def _best(self, found: list[tuple[float, RuleSet]]) -> RuleSet:
        """Return the best of the most promising lists, and of the first, in new episodes."""
        promising = sorted(found[1:], key=lambda one: -one[0])[: FINALISTS - 1]
        final = self._score.elsewhere(BEGINNINGS, FINAL)
        best_score, best = -np.inf, found[0][1]
        for _, rules in [found[0], *promising]:
            policy = Recorder(rules.actions)
            score = final(policy)
            if score > best_score:
                best_score, best = score, tidy(rules, policy.observations())
        return best


def is_shorter(rules: RuleSet, other: RuleSet) -> bool:
    """Tell whether a list is easier to read than another: fewer rules, or fewer bounds."""
    return (len(rules), n_conditions(rules)) < (len(other), n_conditions(other))
