"""Keep the population [P]: insert, remove, find the match set, delete by vote."""

from collections.abc import Iterable, Sequence

from .random_source import RandomSource
from .rule import Rule


class Population:
    """Hold the rules grouped by action, with two counters: micro-rules and the sum of fitness.

    Population order: actions ascending; within an action the order of insertion, except that
    the last rule of the action takes the place of a removed one.
    """

    def __init__(self, n_actions: int) -> None:
        """Start empty."""
        self.n_actions = n_actions
        self.by_action: list[list[Rule]] = [[] for _ in range(n_actions)]
        self.micro = 0  # sum of num over [P]
        self.condenses = False  # children are plain copies
        self.fitness_sum = 0.0  # sum of F over [P], kept up to date rather than recomputed

    @property
    def rules(self) -> list[Rule]:
        """List all rules in population order."""
        return [rule for group in self.by_action for rule in group]

    @property
    def wheel(self) -> list[Rule]:
        """List all rules in the order of the deletion roulette: by place modulo 32 first."""
        return [
            group[place]
            for lane in range(32)
            for group in self.by_action
            for place in range(lane, len(group), 32)
        ]

    def match(self, state: Sequence[float]) -> list[Rule]:
        """Form the match set [M] (Alg. 1 line 2, Alg. 3 line 3)."""
        return [rule for rule in self.rules if rule.condition.matches(state)]

    def action_set(self, state: Sequence[float], action: int) -> list[Rule]:
        """Form the action set [A] (Alg. 1 line 9, Alg. 3 line 4)."""
        return [rule for rule in self.by_action[action] if rule.condition.matches(state)]

    def insert(self, newcomer: Rule) -> None:
        """Add a rule, or its numerosity to that of the rule that is identical to it."""
        self.micro += newcomer.numerosity
        for rule in self.by_action[newcomer.action]:
            if rule.condition.equals(newcomer.condition):
                rule.numerosity += newcomer.numerosity
                return
        self.by_action[newcomer.action].append(newcomer)
        self.fitness_sum += newcomer.fitness

    def grow(self, rule: Rule) -> None:
        """Add one to a rule's numerosity: it has subsumed a child."""
        rule.numerosity += 1
        self.micro += 1

    def remove(self, rule: Rule) -> None:
        """Take a rule out, whatever its numerosity; the last of its action moves into its place."""
        group = self.by_action[rule.action]
        place = next(i for i, member in enumerate(group) if member is rule)
        group[place] = group[-1]
        group.pop()
        self.micro -= rule.numerosity
        self.fitness_sum -= rule.fitness

    def absorb(self, subsumer: Rule, rule: Rule) -> None:
        """Remove a rule and pass its numerosity on to its subsumer."""
        self.remove(rule)
        subsumer.numerosity += rule.numerosity
        self.micro += rule.numerosity

    def delete(self, config, rng: RandomSource) -> None:
        """Take away one micro-rule, chosen by roulette over the deletion votes."""
        mean_fitness = self.fitness_sum / self.micro
        rules = self.wheel
        votes = [deletion_vote(rule, mean_fitness, config) for rule in rules]
        rule = rules[spin_roulette(votes, rng)]
        if rule.numerosity > 1:
            rule.numerosity -= 1
            self.micro -= 1
        else:
            self.remove(rule)


def deletion_vote(rule: Rule, mean_fitness: float, config) -> float:
    """Compute a rule's vote: as num, times F_mean / (F / num) if it is experienced but unfit."""
    vote = rule.set_size * rule.numerosity
    fitness = rule.fitness / rule.numerosity
    experienced = rule.experience > config.deletion_threshold
    if experienced and fitness < config.fitness_fraction * mean_fitness:
        vote = vote * mean_fitness / fitness
    return vote


def spin_roulette(shares: Sequence[float], rng: RandomSource) -> int:
    """Draw an index in proportion to the shares: the first whose running sum exceeds the ball."""
    ball = rng.uniform() * add_up(shares)
    running = 0.0
    for i, share in enumerate(shares):
        running += share
        if running > ball:
            return i
    return len(shares) - 1


def add_up(numbers: Iterable[float]) -> float:
    """Add from left to right, rounding after each addition (unlike `sum`, see `dot`)."""
    total = 0.0
    for number in numbers:
        total += number
    return total
