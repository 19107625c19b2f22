"""Fit the models of all rules anew, at the end, to all observations that each rule matches.

While it learned, a rule saw few of them, some often, and its fitness tells how it compares with
others more than how far it can be trusted. Where all observations are at hand, both can be mended.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ruleplay.engine import XCS
from ruleplay.engine.calling import in_pieces
from ruleplay.engine.inputs import checked_numbers, checked_rows, refusal_of
from ruleplay.engine.refit_entries import gather_entry, leave_out_entry, moments_entry
from ruleplay.engine.transfer import sum_up

Vector = NDArray[np.float64]

RIDGE = 0.3  # strength, of inputs whose standard deviation is 1
LEAST_VARIANCE = 1e-6  # of an input in [0, 1], as which less counts
LEAST_ERROR = 0.03  # of the payoffs' standard deviation, as which less counts in votes
BLOCK = 1 << 22  # numbers of matrices that are inverted at a time


def refit(
    engine: XCS, observations: Vector, payoffs: Vector, weights: Vector, strength: float = RIDGE
) -> None:
    """Fit rules to the payoffs of their actions, (observations, actions), where they match.

    Models that tell their `inputs` are fitted by ridge regression of this strength, whose constant
    is free, others stay; a number is the mean, drawn towards that of all payoffs as by one
    observation more. A rule's error becomes the root of its mean squared error had it not seen the
    observation, its vote the root of its fitness, divided by the error. What matches no observation
    has no vote. Gain matrices become the inverses of the normal equations': learning goes on where
    they end.
    """
    rows = checked_rows(observations, engine.n_features)
    paid = checked_numbers("payoffs", payoffs, (len(rows), engine.n_actions))
    heavy = checked_numbers("weights", weights, (len(rows),))
    unit = min(1.0, heavy.mean())
    centres = np.average(paid, axis=0, weights=heavy)
    if hasattr(engine.state.traits.prediction, "inputs"):
        totals, leverages = _fit_models(engine, rows, paid, heavy, unit * strength, centres)
    else:
        totals, leverages = _fit_numbers(engine, rows, paid, heavy, unit, centres)
    squares = np.zeros(len(leverages))
    _go_through(engine, leave_out_entry, rows, (paid, heavy), (leverages, centres, squares))
    spreads = np.sqrt(np.average((paid - centres) ** 2, axis=0, weights=heavy))
    _weigh(engine, totals, squares, LEAST_ERROR * spreads)


def moments_of(engine: XCS, observations: Vector, centres: Vector) -> Vector:
    """Return sums over the rules that match each observation, (observations, actions, 3).

    Of their votes v, of v (p - c), and of v ((p - c)^2 + e^2), where p is what a rule predicts, e
    its error, c the centre of its action. Sums of several populations may be added.
    """
    rows = checked_rows(observations, engine.n_features)
    sums = np.zeros((len(rows), engine.n_actions, 3))
    _go_through(engine, moments_entry, rows, (), (centres,), sums)
    return sums


def _go_through(
    engine: XCS,
    make_entry: Callable[..., Any],
    rows: Vector,
    per_row: tuple[Vector, ...],
    others: tuple[Vector, ...],
    out: Vector | None = None,
) -> None:
    """Hand observations to an entry point, piece by piece; refuse the first invalid one."""
    for first, last in in_pieces(len(rows)):
        part = slice(first, last)
        given = [array[part] for array in (rows, *per_row)]
        written = () if out is None else (out[part],)
        done = engine.call(make_entry, *given, *others, *written)
        if done < last - first:
            raise refusal_of([rows[first + done]], engine.low, engine.high, engine.config)


def _fit_models(
    engine: XCS, rows: Vector, paid: Vector, heavy: Vector, strength: float, centres: Vector
) -> tuple[Vector, Vector]:
    """Solve the normal equations of all rules; return the weights of what they match."""
    population, places = engine.state.arrays.population, engine.places()
    n_places, size = population.weights.shape
    products, totals = np.zeros((n_places, size)), np.zeros(n_places)
    known = population.gain[places].copy()
    population.gain[places] = 0.0
    _go_through(engine, gather_entry, rows, (paid - centres, heavy), (products, totals))
    matching = totals[places] > 0.0
    population.gain[places[~matching]] = known[~matching]
    ridge = strength * _scales(engine, rows, heavy)
    found = places[matching]
    step = max(1, BLOCK // size**2)
    for first in range(0, len(found), step):
        some = found[first : first + step]
        inverses = np.linalg.inv(population.gain[some].reshape(-1, size, size) + np.diag(ridge))
        models = np.einsum("rij,rj->ri", inverses, products[some])
        models[:, 0] += centres[some // engine.state.stride]
        population.weights[some], population.gain[some] = models, inverses.reshape(len(some), -1)
    return totals, np.zeros(n_places)


def _scales(engine: XCS, rows: Vector, heavy: Vector) -> Vector:
    """Return how much each weight is drawn towards 0: as inputs vary; the constant is free."""
    scaled = np.clip((rows - engine.low) / (engine.high - engine.low), 0.0, 1.0)
    inputs = engine.state.traits.prediction.inputs(scaled.astype(np.float32))
    means = np.average(inputs, axis=0, weights=heavy)
    variances = np.average((inputs - means) ** 2, axis=0, weights=heavy)
    scales: Vector = np.maximum(variances, LEAST_VARIANCE)
    scales[0] = 0.0
    return scales


def _fit_numbers(
    engine: XCS, rows: Vector, paid: Vector, heavy: Vector, unit: float, centres: Vector
) -> tuple[Vector, Vector]:
    """Let rules predict means; return the weights of what they match, and their leverages."""
    rules, places = engine.state.arrays.population.rules, engine.places()
    sums = engine.tally(rows, paid, heavy, np.zeros(len(places)))
    pulled = centres[places // engine.state.stride]
    if not engine.state.arrays.population.weights.shape[1]:
        rules["prediction"][places] = (sums[:, 1] + unit * pulled) / (sums[:, 0] + unit)
    totals, leverages = np.zeros(len(rules)), np.zeros(len(rules))
    totals[places], leverages[places] = sums[:, 0], 1.0 / (sums[:, 0] + unit)
    return totals, leverages


def _weigh(engine: XCS, totals: Vector, squares: Vector, least: Vector) -> None:
    """Let rules vote by the root of their fitness, and by their errors, at least so large."""
    rules, places = engine.state.arrays.population.rules, engine.places()
    matching, floors = totals[places] > 0.0, least[places // engine.state.stride]
    found = places[matching]
    rules["error"][found] = np.sqrt(squares[found] / totals[found])
    errors = np.maximum(rules["error"][places], floors)
    trust = np.divide(floors, errors, out=np.ones(len(places)), where=errors > 0.0)
    votes = np.sqrt(rules["fitness"][places]) * trust
    rules["fitness"][places] = np.where(matching, votes, 0.0)
    engine.derive()
    sum_up(engine)
