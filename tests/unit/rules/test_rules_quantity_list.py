"""Lists about a quantity: models of few terms, boxes that are found by turns with them."""

import numpy as np
import pytest

from ruleplay.rules.compaction.box_search import Grid
from ruleplay.rules.compaction.held_out_errors import held_out_errors
from ruleplay.rules.compaction.list_draft import Price
from ruleplay.rules.compaction.list_front import find_front
from ruleplay.rules.compaction.quantity_list import QuantityDraft, QuantityTask, plain_boxes
from ruleplay.rules.compaction.sparse_models import Fitting, fit_model

pytestmark = [pytest.mark.uncompiled]

HOW = Fitting(most_terms=3, term_price=2.0)


def random_rows(count=200, columns=5):
    rng = np.random.default_rng(0)
    return rng.random((count, columns)), rng.normal(0, 0.1, count)


def test_only_terms_that_pay_are_in_a_model():
    states, noise = random_rows()
    model = fit_model(states, 2.0 + 3.0 * states[:, 1] - states[:, 4] + noise, np.ones(200), HOW)
    assert np.flatnonzero(model[1:]).tolist() == [1, 4]
    np.testing.assert_allclose(model, [2.0, 0.0, 3.0, 0.0, 0.0, -1.0], atol=0.1)


def test_a_model_of_noise_is_the_mean():
    states, noise = random_rows()
    model = fit_model(states, noise, np.ones(200), HOW)
    assert model[1:].tolist() == [0.0] * 5
    assert model[0] == pytest.approx(noise.mean())


def test_a_model_has_no_more_terms_than_are_asked_for_and_rows_allow():
    states, _ = random_rows()
    answers = states @ np.arange(1.0, 6.0)
    for most, rows, terms in [(2, 200, 2), (3, 25, 2), (3, 9, 0)]:
        model = fit_model(states[:rows], answers[:rows], np.ones(rows), Fitting(most, 1.0))
        assert np.count_nonzero(model[1:]) == terms


def test_columns_that_depend_on_each_other_make_no_trouble():
    states, noise = random_rows(columns=2)
    twice = np.column_stack([states, states[:, 0], 1.0 - states[:, 0], np.full(200, 0.5)])
    model = fit_model(twice, states[:, 0] + noise, np.ones(200), HOW)
    assert np.count_nonzero(model[1:]) == 1
    assert np.isfinite(model).all()


def test_a_row_of_weight_two_is_two_rows():
    states, noise = random_rows()
    weights, answers = 1.0 + np.arange(200) % 2, states[:, 0] + noise
    weighted = fit_model(states, answers, weights, HOW)
    times = weights.astype(int)
    repeated = fit_model(states.repeat(times, 0), answers.repeat(times), np.ones(sum(times)), HOW)
    np.testing.assert_allclose(weighted, repeated, rtol=1e-9)


def two_lines():
    """Return a task whose answers follow one line left of the middle, and another right of it."""
    states, noise = random_rows(columns=2)
    x = states[:, 0]
    answers = np.where(x < 0.5, 1.0 + x, 5.0 - 4.0 * x) + noise
    grid = Grid.of(states, (2, 2), 16)
    return QuantityTask(
        grid=grid,
        states=states,
        answers=answers,
        weights=np.ones(len(states)),
        ends=(float(answers.min()), float(answers.max())),
        unit=0.01,
        starts=tuple(plain_boxes(grid)),
        price=Price(rule=2.5, bound=1.25),
        term=1.25,
        fitting=HOW,
    )


def test_a_list_finds_where_another_line_begins():
    task = two_lines()
    front = find_front(QuantityDraft(task), 3)
    assert list(front)[:2] == [0, 1]
    rule, default = front[1].rules[0], front[1].default
    lower, upper = task.grid.bounds(rule.box)
    assert np.isinf([lower[1], upper[1]]).all()
    cut = upper[0] if np.isinf(lower[0]) else lower[0]
    assert cut == pytest.approx(0.5, abs=0.08)
    slopes = sorted(model.weights[1] for model in (rule.model, default))
    np.testing.assert_allclose(slopes, [-4.0, 1.0], atol=0.5)


def test_the_error_on_held_out_rows_falls_with_the_rules_that_are_needed():
    errors = held_out_errors(two_lines(), 2, np.random.default_rng(0))
    assert errors.shape == (3,)
    assert errors[1] < 0.3 * errors[0]


def test_a_dear_rule_is_not_taken():
    task = two_lines()._replace(price=Price(rule=1e6))
    assert list(find_front(QuantityDraft(task), 3)) == [0]


def test_plain_boxes_limit_one_feature_each():
    codes = np.array([0.0, 1.0, 2.0] * 10)
    rows = np.column_stack([np.arange(30.0), codes])
    grid = Grid.of(rows, (0, 0), 8, (0, 3))
    boxes = plain_boxes(grid)
    assert len(boxes) == 6 + 3
    limited = [tuple(grid.inside(box)) for box in boxes]
    assert all(0 < sum(inside) < 30 for inside in limited)
    assert tuple(codes == 1.0) in limited
