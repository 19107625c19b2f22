"""Discover rules beyond the GA: narrower ones, halves of refuted ones; ask the memory first.

The order of the draws in a set's turn: a rule to split and experiences to judge it by; a rule to
specify and two draws per dimension; then the GA, with experiences for each would-be subsumer.
"""

import math
from collections.abc import Sequence

from .genetic import make_child
from .population import Population, add_up, spin_roulette
from .random_source import RandomSource
from .replay import ReplayMemory
from .rule import Condition, Rule

Evidence = list[tuple[Sequence[float], float]]  # states, and what their payoffs exceed by


class Discovery:
    """Decide which sets have a turn, and change their rules."""

    def __init__(
        self, config, population: Population, memory: ReplayMemory | None, rng: RandomSource
    ) -> None:
        """Start with no turn taken."""
        self.config, self.population, self.memory, self.rng = config, population, memory, rng
        self.turns: list[int] = []  # the learning steps in which sets had their turn
        self.fired = {"split": 0, "specify": 0, "refused": 0}  # so that tests see it happen

    def _asked(self, name: str, off):
        return getattr(self.config, name, off)

    def takes_turn(self, time: int) -> bool:
        """Let at most so many sets breed in one learning step."""
        limit = self._asked("ga_niches_per_step", None)
        if limit is not None and self.turns.count(time) >= limit:
            return False
        self.turns.append(time)
        return True

    def renew(self, state: Sequence[float], action: int, clock: int) -> list[Rule]:
        """Split and specify the action set of a state; return what it is then."""
        action_set = self.population.action_set(state, action)
        if self._asked("split_refuted", 0) > 0:
            self._split(action_set, clock)
            action_set = self.population.action_set(state, action)
        if action_set and self._asked("specify", False) and self._errs_too_much(action_set):
            self._specify(action_set, state, clock)
        return self.population.action_set(state, action)

    # --- evidence -----------------------------------------------------------------------------

    def gather(self, rule: Rule, wanted: int) -> Evidence:
        """Draw stored experiences of a rule's action and box; give up after 50 draws for each."""
        found: Evidence = []
        for _ in range(50 * wanted):
            if len(found) == wanted or not self.memory.slots:
                break
            slot = self.rng.below(len(self.memory.slots))
            one, payoff = self.memory.slots[slot], self.memory.payoffs[slot]
            known = one.action == rule.action and payoff is not None
            if known and rule.condition.matches(one.state):
                found.append((one.state, payoff - rule.model.predict(one.state)))
        return found

    def stands(self, rule: Rule) -> bool:
        """Say whether no experience looked at contradicts a rule by 2 eps_0."""
        limit = 2.0 * self.config.error_threshold
        evidence = self.gather(rule, self._asked("verify_subsumption", 0))
        holds = all(abs(excess) < limit for _, excess in evidence)
        self.fired["refused"] += not holds
        return holds

    # --- specify ------------------------------------------------------------------------------

    def _errs_too_much(self, action_set: list[Rule]) -> bool:
        """Say whether [A] is experienced and errs at least twice as much as [P], per micro-rule."""
        micro = sum(rule.numerosity for rule in action_set)
        experience = sum(rule.experience * rule.numerosity for rule in action_set)
        error = add_up(rule.error * rule.numerosity for rule in action_set)
        if error == 0.0 or experience <= self.config.specify_threshold * micro:
            return False
        everyone = add_up(rule.error * rule.numerosity for rule in self.population.rules)
        return error / micro >= 2.0 * (everyone / self.population.micro)

    def _specify(self, action_set: list[Rule], state: Sequence[float], clock: int) -> None:
        """Add a copy of a rule, chosen by its error, whose bounds move half-way to the state."""
        parent = action_set[spin_roulette([rule.error for rule in action_set], self.rng)]
        child = make_child(parent, clock, self.config)
        child.fitness *= self.config.fitness_reduction
        child.error *= self.config.error_reduction
        moved = False
        for k, x in enumerate(state):
            low, high = child.condition.lower[k], child.condition.upper[k]
            raises, lowers = (
                self.rng.uniform() < self.config.specify_probability for _ in range(2)
            )
            if math.isnan(x) or not (raises or lowers):
                continue
            low = low + 0.5 * (x - low) if raises else low
            high = high - 0.5 * (high - x) if lowers else high
            child.condition = with_interval(child.condition, k, low, high)
            moved = True
        if moved:
            self.fired["specify"] += 1
            self._add(child)

    # --- split --------------------------------------------------------------------------------

    def _split(self, action_set: list[Rule], clock: int) -> None:
        """Split a random experienced rule of [A] if experiences refute it."""
        experienced = [r for r in action_set if r.experience > self.config.subsumption_threshold]
        if not experienced:
            return
        rule = experienced[self.rng.below(len(experienced))]
        evidence = self.gather(rule, self.config.split_refuted)
        cut = find_cut(evidence, self.config.error_threshold) if len(evidence) >= 4 else None
        if cut is None:
            return
        self.fired["split"] += 1
        halves = self._halve(rule, *cut, clock)
        self.population.remove(rule)
        self._add(*halves)

    def _halve(self, rule: Rule, k: int, cut: float, clock: int) -> list[Rule]:
        """Make two rules that share a rule's box, numerosity and fitness."""
        halves = [make_child(rule, clock, self.config) for _ in range(2)]
        sides = [(rule.condition.lower[k], cut), (cut, rule.condition.upper[k])]
        shares = [max(1, (rule.numerosity + 1) // 2), max(1, rule.numerosity // 2)]
        for half, side, share in zip(halves, sides, shares, strict=True):
            half.condition = with_interval(rule.condition, k, *side)
            half.numerosity = share
            half.fitness = 0.5 * rule.fitness
        return halves

    def _add(self, *newcomers: Rule) -> None:
        """Insert rules and make room for one if there are too many."""
        for newcomer in newcomers:
            self.population.insert(newcomer)
        if self.population.micro > self.config.population_size:
            self.population.delete(self.config, self.rng)


def with_interval(condition: Condition, k: int, low: float, high: float) -> Condition:
    """Return a box with another interval in dimension k; the alleles keep their order."""
    alleles = list(condition.alleles)
    ordered = alleles[2 * k] <= alleles[2 * k + 1]
    alleles[2 * k], alleles[2 * k + 1] = (low, high) if ordered else (high, low)
    return Condition(alleles)


def find_cut(evidence: Evidence, eps_0: float) -> tuple[int, float] | None:
    """Find the cut that explains most of how far payoffs are off; none if that is too little."""
    excess = [e for _, e in evidence]
    if max(excess) - min(excess) < 2.0 * eps_0:
        return None
    mean = add_up(excess) / len(excess)
    squares = add_up((e - mean) * (e - mean) for e in excess)
    best, found = 0.0, None
    for k in range(len(evidence[0][0])):
        for state, _ in evidence:
            below = [e for s, e in evidence if s[k] <= state[k]]
            above = [e for s, e in evidence if s[k] > state[k]]
            if not below or not above:
                continue
            explained = explain(below, above)
            if explained > best:
                following = min(s[k] for s, _ in evidence if s[k] > state[k])
                best, found = explained, (k, 0.5 * (state[k] + following))
    return found if best >= 0.5 * squares else None


def explain(below: list[float], above: list[float]) -> float:
    """Compute n_1 m_1^2 + n_2 m_2^2 - n m^2 of two groups' sizes and means."""
    one, other = add_up(below), add_up(above)
    apart = one * one / len(below) + other * other / len(above)
    return apart - (one + other) * (one + other) / (len(below) + len(above))
