"""From a population to lists of rules about a quantity: what is searched, and what is chosen."""

import math

import numpy as np
from numpy.typing import NDArray

from ruleplay.learners.common.labelled_rows import LabelledRows, find_equal_rows
from ruleplay.learners.common.list_front import best_of_limits
from ruleplay.learners.rule_list_regressor.figures import make_rules, with_figures
from ruleplay.learners.rule_list_regressor.front import QuantityListFront
from ruleplay.learners.rule_list_regressor.rows import Rows
from ruleplay.rules import RuleSet
from ruleplay.rules.compaction.box_search import Grid
from ruleplay.rules.compaction.evaluation import boxes_of, grid_of
from ruleplay.rules.compaction.held_out_errors import held_out_errors
from ruleplay.rules.compaction.list_draft import Price
from ruleplay.rules.compaction.list_front import find_front
from ruleplay.rules.compaction.quantity_list import QuantityDraft, QuantityTask, plain_boxes
from ruleplay.rules.compaction.sparse_models import Fitting
from ruleplay.rules.quantities import MOST_TERMS

Vector = NDArray[np.float64]

MOST_ROWS = 4000  # different ones that lists are searched with
CANDIDATES = 100  # rules of the population whose boxes searches start from
CELLS = 32  # most cells of a number: bounds are looked for between them
RULE_PRICE, BOUND_PRICE = 0.5, 0.25  # in units of log(rows): what each must gain in the search
TERM_PRICE = 0.25  # the same of a term of a model
FITTING = Fitting(most_terms=MOST_TERMS, term_price=2.0)
LEAST_UNIT = 1e-4  # of the variance: the smallest squared error that counts as one unit
LEAST_GAIN = 0.01  # share of the held-out error that a further rule must take away


def learn_front(
    rules: RuleSet, labelled: LabelledRows, deviations: Vector, most: int, rng: np.random.Generator
) -> QuantityListFront:
    """Return the lists of each length up to the largest, the one chosen by held-out rows.

    `deviations` says how far the population's predictions of the rows are off. All lists are
    learned from all rows.
    """
    distinct, places = find_equal_rows(labelled)
    spread = np.empty(len(distinct.rows))
    spread[places] = deviations
    rows = Rows.of(rules, distinct)
    grid = grid_of(rules, rows.numbers, CELLS)
    chosen = np.sort(rng.permutation(len(spread))[:MOST_ROWS])
    unit = float(np.mean((spread[chosen] / rows.deviation) ** 2))
    task = _task(rules, grid.take(chosen), rows.take(chosen), unit)
    front = find_front(QuantityDraft(task), most)
    errors = np.sqrt(held_out_errors(task, most, rng)) * rows.deviation
    made = {n: make_rules(rules, grid, found, rows, FITTING) for n, found in front.items()}
    known = best_of_limits(errors, front, np.min)
    lists = [with_figures(one, labelled, known[n]) for n, one in made.items()]
    wanted = wanted_length(errors)
    return QuantityListFront(lists, max(length for length in front if length <= wanted))


def wanted_length(errors: Vector) -> int:
    """Return the length at which each rule takes away its share of the error on held-out rows.

    >>> wanted_length(np.array([1.0, 0.5, 0.499, 0.4, 0.41]))
    3
    """
    lowered = np.log(np.maximum(errors, np.finfo(np.float64).tiny))
    return int((lowered + LEAST_GAIN * np.arange(len(errors))).argmin())


def _task(rules: RuleSet, grid: Grid, rows: Rows, unit: float) -> QuantityTask:
    """Prepare the search: a squared error of one unit is worth as much as half a nat."""
    nats = math.log(max(float(rows.weights.sum()), 2.0))
    boxes = [*boxes_of(rules, rules.order[:CANDIDATES], grid), *plain_boxes(grid)]
    return QuantityTask(
        grid=grid,
        states=rows.states,
        answers=rows.answers,
        weights=rows.weights,
        ends=(float(rows.answers.min()), float(rows.answers.max())),
        unit=max(unit, LEAST_UNIT),
        starts=tuple(box for box in boxes if not grid.is_empty(box)),
        price=Price(rule=RULE_PRICE * nats, bound=BOUND_PRICE * nats),
        term=TERM_PRICE * nats,
        fitting=FITTING,
    )
