"""From a population to lists of rules: what is searched, and what is counted."""

import numpy as np
from numpy.typing import NDArray

from ruleplay.envs.classification import RIGHT_REWARD
from ruleplay.learners.common.labelled_rows import LabelledRows, find_equal_rows
from ruleplay.learners.common.list_front import best_of_limits
from ruleplay.learners.rule_list.front import RuleList, RuleListFront
from ruleplay.rules import RuleSet
from ruleplay.rules.compaction.box_search import Grid
from ruleplay.rules.compaction.decision_list import Draft, Task, make_task
from ruleplay.rules.compaction.evaluation import as_rules, boxes_of, grid_of
from ruleplay.rules.compaction.held_out import held_out_accuracy
from ruleplay.rules.compaction.list_draft import Price
from ruleplay.rules.compaction.list_front import Listing, find_front
from ruleplay.rules.compaction.trimming import trim
from ruleplay.rules.deciding import deciding_rules

Vector = NDArray[np.float64]

MOST_ROWS = 4000  # different ones that lists are searched with
CANDIDATES = 200  # rules of the population whose boxes searches start from, at least
PER_CLASS = 20  # of them that speak for each class, at least
THOROUGH = 5000  # rows times classes, up to which rules that are fitted anew may change classes
CELLS = 32  # most cells of a number: bounds are looked for between them
LABELS = 0.5  # share of the labels in what is learned; the rest is how the population votes
PRICE = Price(rule=0.5, bound=0.15)  # rows that a rule, and each bound, must gain in the search
LEAST_GAIN = 1.0  # right rows: what a rule or a condition of a finished list must gain more than


def learn_front(
    rules: RuleSet, labelled: LabelledRows, votes: Vector, most: int, rng: np.random.Generator
) -> RuleListFront:
    """Return the lists of each length up to the largest, the one chosen by held-out rows.

    `votes` are the classes' shares of each row. Among equals the shorter list is chosen. All are
    learned from all rows, and trimmed: without any of its rules or conditions, two right rows or
    more would be lost.
    """
    distinct, places = find_equal_rows(labelled)
    shares = np.empty((len(distinct.rows), votes.shape[1]))
    shares[places] = votes
    grid = grid_of(rules, distinct.rows, CELLS)
    paid = distinct.weights[:, np.newaxis] * np.eye(rules.n_actions)[distinct.answers]
    chosen = _choose_some(len(shares), rng)
    some = distinct.take(chosen)
    task = _task(rules, grid.take(chosen), some, shares[chosen])
    front = find_front(Draft(task), most)
    price = LEAST_GAIN * min(1.0, float(labelled.weights.mean()))  # two rows weigh as one twice
    accuracy = held_out_accuracy(task, paid[chosen], price, most, rng)
    known = best_of_limits(accuracy, front, np.max)
    made = {
        n: describe(rules, grid, trim(one, grid, paid, price), labelled, known[n])
        for n, one in front.items()
    }
    lists: dict[int, RuleList] = {}
    for one in sorted(made.values(), key=lambda one: -one.held_out_accuracy):
        lists.setdefault(one.n_rules, one)
    wanted = max(length for length in made if length <= int(accuracy.argmax()))
    return RuleListFront([lists[n] for n in sorted(lists)], made[wanted].n_rules)


def describe(
    rules: RuleSet, grid: Grid, listing: Listing, labelled: LabelledRows, held_out: float
) -> RuleList:
    """Return a list with what it does to the training rows."""
    drawn = as_rules(rules, grid, listing.rules, listing.default)
    places = deciding_rules(drawn, labelled.rows)
    counts = _tally(drawn, places, labelled, np.ones(len(places))).astype(np.int64)
    weights = _tally(drawn, places, labelled, labelled.weights)
    answers = [*drawn.action, drawn.default_action]
    covers, right = counts.sum(axis=1), counts[np.arange(len(answers)), answers]
    share = right[:-1] / covers[:-1]
    ruleset = drawn.take(
        range(len(drawn)),
        prediction=RIGHT_REWARD * share,
        error=2.0 * RIGHT_REWARD * share * (1.0 - share),
        fitness=share,
        experience=covers[:-1],
    )
    return RuleList(ruleset, counts, weights, float(right.sum() / covers.sum()), held_out)


def _task(rules: RuleSet, grid: Grid, distinct: LabelledRows, votes: Vector) -> Task:
    """Prepare the search: what a class is worth to a row is its label, and how rules vote."""
    right = np.eye(rules.n_actions)[distinct.answers]
    payoff = distinct.weights[:, np.newaxis] * (LABELS * right + (1.0 - LABELS) * votes)
    strong = candidates(rules)
    boxes = boxes_of(rules, strong, grid)
    quick = payoff.size > THOROUGH
    return make_task(distinct.rows, grid, payoff, boxes, PRICE, centred=True, quick=quick)


def candidates(rules: RuleSet) -> NDArray[np.intp]:
    """Return the places of the strongest rules that speak for each class, as many of each.

    Of two classes, a rule that speaks against one speaks for the other.
    """
    speaks_for, is_against = rules.action, rules.prediction < RIGHT_REWARD / 2
    if rules.n_actions == 2:
        speaks_for, is_against = speaks_for ^ is_against, np.zeros(len(rules), np.bool_)
    order = np.argsort(-rules.fitness * rules.numerosity, kind="stable")
    order = order[~is_against[order]]
    rank = np.zeros(len(order), np.int64)
    for action in range(rules.n_actions):
        own = speaks_for[order] == action
        rank[own] = np.arange(own.sum())
    most = max(CANDIDATES, PER_CLASS * rules.n_actions)
    return order[np.argsort(rank, kind="stable")[:most]]


def _choose_some(n_rows: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return the numbers of some of the rows, if they are many."""
    return np.sort(rng.permutation(n_rows)[:MOST_ROWS])


def _tally(
    rules: RuleSet, places: NDArray[np.int64], labelled: LabelledRows, weights: Vector
) -> Vector:
    """Return the weight of each class among the rows that each rule decides."""
    sums = np.zeros((len(rules) + 1, rules.n_actions))
    np.add.at(sums, (places, labelled.answers), weights)
    return sums
