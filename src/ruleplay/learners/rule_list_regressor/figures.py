"""A list with its models, fitted to the rows that each rule decides, and with its true figures."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ruleplay.learners.common.labelled_rows import LabelledRows
from ruleplay.learners.rule_list_regressor.front import QuantityList
from ruleplay.learners.rule_list_regressor.rows import Rows
from ruleplay.rules import RuleSet
from ruleplay.rules.compaction.box_search import Grid
from ruleplay.rules.compaction.evaluation import bounds_of
from ruleplay.rules.compaction.list_front import Listing
from ruleplay.rules.compaction.sparse_models import Fitting, fit_model
from ruleplay.rules.deciding import deciding_rules

Vector = NDArray[np.float64]


def make_rules(rules: RuleSet, grid: Grid, listing: Listing, rows: Rows, how: Fitting) -> RuleSet:
    """Return a list as rules without figures, the last of which is for all other rows."""
    drawn = _drawn(rules, grid, listing)
    places = deciding_rules(drawn, rows.numbers)
    models = np.array([_fitted(rows, places == place, how) for place in range(len(drawn))])
    if rules.weights is None:
        return drawn.take(range(len(drawn)), prediction=models[:, 0])
    return drawn.take(range(len(drawn)), weights=models)


def with_figures(rules: RuleSet, labelled: LabelledRows, held_out: float) -> QuantityList:
    """Return a list with how many rows each rule decides, and how far it is off there.

    A rule that decides none is as far off as the whole list.
    """
    places, size = deciding_rules(rules, labelled.rows), len(rules)
    squares = (rules.estimates(labelled.rows)[:, 0] - labelled.answers) ** 2
    covers, weights = np.bincount(places, minlength=size), labelled.weights
    mean = float(np.average(squares, weights=weights))
    squares_of, weight_of = (
        np.bincount(places, what, size) for what in (weights * squares, weights)
    )
    error = np.sqrt(np.divide(squares_of, weight_of, out=np.full(size, mean), where=covers > 0))
    figures = {"error": error, "experience": covers, "fitness": covers / len(places)}
    return QuantityList(rules.take(range(size), **figures), float(np.sqrt(mean)), held_out)


def _fitted(rows: Rows, own: NDArray[np.bool_], how: Fitting) -> Vector:
    """Return the model of some rows in their own unit; of none, that of all."""
    some = rows.take(own) if own.any() else rows
    return rows.in_units(fit_model(some.states, some.answers, some.weights, how))


def _drawn(rules: RuleSet, grid: Grid, listing: Listing) -> RuleSet:
    """Return the boxes of a list, and the one that contains everything, as rules of a set."""
    boxes = [*(rule.box for rule in listing.rules), grid.whole]
    size = len(boxes)
    nothing: dict[str, Any] = {name: np.zeros(size) for name in ("prediction", "error", "fitness")}
    models: dict[str, Any] = {}
    if rules.weights is not None:
        models = {"weights": np.zeros((size, len(rules.model_columns) + 1)), "model": "linear"}
    return RuleSet(
        **bounds_of(grid, boxes),
        **nothing,
        **models,
        action=np.zeros(size, np.int64),
        numerosity=np.ones(size, np.int64),
        experience=np.zeros(size, np.int64),
        nominal=rules.nominal,
        scaling=rules.scaling,
        fill=rules.fill,
        features=rules.features,
        outcomes=rules.outcomes,
        ordered=True,
        error_threshold=rules.error_threshold,
        prediction_limit=rules.prediction_limit,
        missing_values=rules.missing_values,
        quantities=rules.quantities,
    )
