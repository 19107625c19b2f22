"""Take out of a list what it hardly needs: rules, bounds, and sets of categories.

A list is found by what its rules gain in the search. Here it is judged by what the observations
pay, most often by labels alone, and whatever gains no more than its price goes.
"""

import numpy as np

from ruleplay.rules.compaction.box_search import Flags, Grid, Vector
from ruleplay.rules.compaction.decision_list import ListRule
from ruleplay.rules.compaction.list_front import Listing

TINY = 1e-9  # share of all that is paid by which sums may be wrong


def trim(listing: Listing, grid: Grid, payoff: Vector, price: float) -> Listing:
    """Return a list in which every rule and every condition of a rule gains more than its price.

    Without it, so much less would be paid for the observations of the grid. Every rule speaks for
    the action that pays most where the rule decides. `payoff`: (observations, actions).
    """
    price += TINY * float(np.abs(payoff).sum())
    rules, default = list(listing.rules), listing.default
    rules = [rule._replace(inside=grid.inside(rule.box)) for rule in rules]
    while True:
        rules, default = _best_actions(rules, default, payoff)
        needed = _needed(rules, default, grid, payoff, price)
        if _size(needed, grid) == _size(rules, grid):
            return Listing(tuple(rules), default, listing.worth)
        rules = needed


def _best_actions(
    rules: list[ListRule], default: int, payoff: Vector
) -> tuple[list[ListRule], int]:
    """Let each rule, and the default, name the action that pays most where it decides."""
    reached = _reached(rules, len(payoff))
    named = [
        rule._replace(action=int(payoff[rule.inside & asked].sum(axis=0).argmax()))
        for rule, asked in zip(rules, reached, strict=False)
    ]
    if reached[-1].any():
        default = int(payoff[reached[-1]].sum(axis=0).argmax())
    return named, default


def _needed(
    rules: list[ListRule], default: int, grid: Grid, payoff: Vector, price: float
) -> list[ListRule]:
    """Return the rules that gain more than the price, with the conditions of which that is true."""
    reached = _reached(rules, len(payoff))
    paid_later = payoff[:, default]
    needed: list[ListRule] = []
    for rule, asked in zip(reversed(rules), reversed(reached[:-1]), strict=True):
        own = payoff[:, rule.action]
        gains = np.where(asked, own - paid_later, 0.0)
        if float(gains[rule.inside].sum()) <= price:
            continue
        box, _ = grid.loosen(rule.box, gains, price)
        kept = ListRule(box, rule.action, grid.inside(box))
        paid_later = np.where(kept.inside, own, paid_later)
        needed.insert(0, kept)
    return needed


def _reached(rules: list[ListRule], count: int) -> list[Flags]:
    """Tell which observations are left for each rule to decide about, and for the default."""
    reached = [np.ones(count, np.bool_)]
    for rule in rules:
        reached.append(reached[-1] & ~rule.inside)
    return reached


def _size(rules: list[ListRule], grid: Grid) -> tuple[int, int]:
    return len(rules), sum(grid.n_bounds(rule.box) for rule in rules)
