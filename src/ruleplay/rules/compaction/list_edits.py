"""Small changes to an ordered list of rules, drawn at random: one bound, one rule, one answer."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ruleplay.rules.ruleset import RuleSet

Vector = NDArray[np.float64]
Random = np.random.Generator
Edit = Callable[["Editor", RuleSet, Random], RuleSet | None]

STEP = 0.1  # of a bound that moves, as a share of the observations (standard deviation)


class Editor:
    """Changes lists; bounds are moved to what has been observed, in as many digits as are shown."""

    def __init__(self, observations: Vector, digits: tuple[int, ...], max_rules: int) -> None:
        self.columns = np.sort(observations, axis=0)
        self.digits, self.max_rules = digits, max_rules

    def draw_edit(self, rules: RuleSet, random: Random) -> RuleSet:
        """Return a list with one change; draw again while one cannot be made."""
        names = list(EDITS)
        weights = np.array([EDITS[edit] for edit in names]) / sum(EDITS.values())
        while True:
            made = names[random.choice(len(names), p=weights)](self, rules, random)
            if made is not None and np.all(made.lower <= made.upper):
                return made

    def draw_value(self, k: int, random: Random, near: float | None = None) -> float:
        """Draw an observed value of a feature, any or one near another."""
        column = self.columns[:, k]
        share = random.random()
        if near is not None:
            share = np.searchsorted(column, near) / len(column) + STEP * random.standard_normal()
        place = min(max(int(share * len(column)), 0), len(column) - 1)
        return round(float(column[place]), self.digits[k])


def move_bound(editor: Editor, rules: RuleSet, random: Random) -> RuleSet | None:
    """Move a bound of a rule a little."""
    found = _draw_bound(rules, random)
    if found is None:
        return None
    place, k, is_upper = found
    near = (rules.upper if is_upper else rules.lower)[place, k]
    return _with_bound(rules, place, k, is_upper, editor.draw_value(k, random, near))


def open_bound(editor: Editor, rules: RuleSet, random: Random) -> RuleSet | None:
    """Take a bound away."""
    found = _draw_bound(rules, random)
    return None if found is None else _with_bound(rules, *found, np.inf if found[2] else -np.inf)


def set_bound(editor: Editor, rules: RuleSet, random: Random) -> RuleSet | None:
    """Give a rule a bound anywhere."""
    numbers = _numbers(rules)
    if not len(numbers):
        return None
    place, k = int(random.integers(len(rules))), int(random.choice(numbers))
    is_upper = bool(random.integers(2))
    return _with_bound(rules, place, k, is_upper, editor.draw_value(k, random))


def change_action(editor: Editor, rules: RuleSet, random: Random) -> RuleSet | None:
    """Let a rule, or the default, name another action."""
    place = int(random.integers(len(rules) + 1))
    step = int(random.integers(1, rules.n_actions)) if rules.n_actions > 1 else 0
    if place == len(rules):
        default = (rules.default_action + step) % rules.n_actions
        return rules.take(range(len(rules)), default_action=default)
    action = rules.action.copy()
    action[place] = (action[place] + step) % rules.n_actions
    return rules.take(range(len(rules)), action=action)


def swap_rules(editor: Editor, rules: RuleSet, random: Random) -> RuleSet | None:
    """Let two rules change places."""
    order = np.arange(len(rules))
    one, other = random.integers(len(rules), size=2)
    order[[one, other]] = order[[other, one]]
    return rules.take(order)


def drop_rule(editor: Editor, rules: RuleSet, random: Random) -> RuleSet | None:
    """Leave a rule out."""
    if len(rules) == 1:
        return None
    return rules.take(np.delete(np.arange(len(rules)), random.integers(len(rules))))


def insert_rule(editor: Editor, rules: RuleSet, random: Random) -> RuleSet | None:
    """Add a rule with a bound or two anywhere, or another rule's bounds besides."""
    numbers = _numbers(rules)
    if len(rules) >= editor.max_rules or not len(numbers):
        return None
    source, place = random.integers(len(rules)), int(random.integers(len(rules) + 1))
    longer = rules.take(np.insert(np.arange(len(rules)), place, source))
    lower, upper, action = longer.lower.copy(), longer.upper.copy(), longer.action.copy()
    allowed = None if longer.allowed is None else longer.allowed.copy()
    if random.random() < 0.7:
        lower[place], upper[place] = -np.inf, np.inf
        if allowed is not None:
            allowed[place] = True
    for _ in range(random.integers(1, 3)):
        k = int(random.choice(numbers))
        bounds = upper if random.integers(2) else lower
        bounds[place, k] = editor.draw_value(k, random)
    action[place] = random.integers(rules.n_actions)
    every = range(len(longer))
    return longer.take(every, lower=lower, upper=upper, allowed=allowed, action=action)


EDITS: dict[Edit, float] = {  # and how often each is tried
    move_bound: 34,
    set_bound: 14,
    insert_rule: 14,
    change_action: 14,
    open_bound: 10,
    drop_rule: 8,
    swap_rules: 6,
}


def n_conditions(rules: RuleSet) -> int:
    """Return how many bounds there are to read in a list."""
    return int(np.isfinite(rules.lower).sum() + np.isfinite(rules.upper).sum())


def _numbers(rules: RuleSet) -> NDArray[np.int64]:
    """Return the features that have bounds, not categories."""
    return np.array([k for k, one in enumerate(rules.features) if not one.categories], np.int64)


def _draw_bound(rules: RuleSet, random: Random) -> tuple[int, int, bool] | None:
    """Draw a bound of a rule: its rule, its feature, and whether it is the upper one."""
    place, numbers = random.integers(len(rules)), _numbers(rules)
    ends = np.array([rules.lower[place, numbers], rules.upper[place, numbers]])
    found = np.argwhere(np.isfinite(ends))
    if not len(found):
        return None
    end, at = found[random.integers(len(found))]
    return int(place), int(numbers[at]), bool(end)


def _with_bound(rules: RuleSet, place: int, k: int, is_upper: bool, value: float) -> RuleSet:
    name = "upper" if is_upper else "lower"
    bounds: Vector = getattr(rules, name).copy()
    bounds[place, k] = value
    return rules.take(range(len(rules)), **{name: bounds})
