"""Single-step problems: truth tables, counts, and who gets paid."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

from ruleplay.core.basics.rng import spawn_states
from ruleplay.envs import (
    load_breast_cancer,
    make_problem,
    mario_picture,
    reset_problem,
    step_problem,
)

pytestmark = pytest.mark.interpreted


def instances(problem, count, seed=0):
    """Draw instances with the answer that each of them pays for."""
    rng = spawn_states(seed, 1)[0]
    observation = np.zeros(problem.n_features)
    for _ in range(count):
        reset_problem(problem.dynamics, observation, rng)
        yield observation.copy(), paid_action(problem, observation, rng)


def paid_action(problem, observation, rng):
    """Try every action on the same instance; exactly one pays."""
    before = observation.copy()
    paid = []
    for action in range(problem.n_actions):
        reward, terminated = step_problem(problem.dynamics, action, observation, rng)
        assert reward in (0.0, 1000.0)
        assert terminated
        np.testing.assert_array_equal(observation, before)
        if reward == 1000.0:
            paid.append(action)
    (answer,) = paid
    return answer


@pytest.mark.parametrize(("bits", "draws"), [(3, 200), (6, 2000), (11, 40_000)])
def test_the_multiplexer_follows_its_truth_table(bits, draws):
    address_bits = {3: 1, 6: 2, 11: 3}[bits]
    table = {}
    for ones, answer in (
        (tuple((observation > 0.5).astype(int)), answer)
        for observation, answer in instances(make_problem(f"rmp{bits}"), draws)
    ):
        assert table.setdefault(ones, answer) == answer
    assert set(table) == set(product((0, 1), repeat=bits))  # every string occurred
    for ones, answer in table.items():
        address = int("".join(map(str, ones[:address_bits])), 2)
        assert answer == ones[address_bits + address]


@pytest.mark.parametrize(("dimensions", "divisions"), [(1, 2), (2, 5), (3, 4)])
def test_neighbouring_fields_of_the_checkerboard_differ(dimensions, divisions):
    problem = make_problem("checkerboard", dimensions=dimensions, divisions=divisions)
    colours = {}
    for point, answer in instances(problem, 3000):
        field = tuple((point * divisions).astype(int))
        assert colours.setdefault(field, answer) == answer
    assert len(colours) == divisions**dimensions
    assert colours[(0,) * dimensions] == 0
    for field, colour in colours.items():
        for k in range(dimensions):
            neighbour = (*field[:k], field[k] + 1, *field[k + 1 :])
            assert colours.get(neighbour, 1 - colour) == 1 - colour


def test_mario_asks_for_the_colour_under_the_point():
    problem, picture = make_problem("mario"), mario_picture()
    assert problem.action_names == picture.names
    seen = set()
    for (x, y), answer in instances(problem, 5000):
        row_from_top, column = 15 - int(16 * y), int(16 * x)
        assert answer == picture.classes[row_from_top, column]
        seen.add((row_from_top, column))
    assert len(seen) == 256


def test_mario_takes_another_picture():
    problem = make_problem("mario", picture=[[0, 1, 2], [2, 2, 5]])
    assert problem.action_names == ("0", "1", "2", "5")
    for (x, y), answer in instances(problem, 100):
        assert answer == [[2, 2, 3], [0, 1, 2]][int(2 * y)][int(3 * x)]


def test_breast_cancer_has_the_published_counts():
    features, labels, names = load_breast_cancer()
    assert features.shape == (699, 9)
    assert Counter(labels.tolist()) == {0: 458, 1: 241}
    missing = np.argwhere(features == 0.0)
    assert len(missing) == 16
    assert {names[column] for _, column in missing} == {"bare_nuclei"}
    present = features[features > 0.0] * 10
    np.testing.assert_allclose(present, present.round())
    assert present.min() == 1.0
    assert present.max() == 10.0


def test_the_breast_cancer_id_is_an_option():
    features, _, names = load_breast_cancer(include_id=True)
    assert names[0] == "id"
    assert features.shape == (699, 10)
    assert features[:, 0].min() == 0.0
    assert features[:, 0].max() == 1.0
    np.testing.assert_array_equal(features[:, 1:], load_breast_cancer()[0])
    assert make_problem("wbc", include_id=True).feature_names == names


def test_loaded_tables_are_the_callers_own():
    features, labels, _ = load_breast_cancer()
    features[:], labels[:] = -1.0, -1
    again, labels_again, _ = load_breast_cancer()
    assert again.min() >= 0.0
    assert labels_again.min() == 0


def test_breast_cancer_rows_are_drawn_uniformly():
    features, labels, _ = load_breast_cancer()
    answer_of = {tuple(row): label for row, label in zip(features, labels, strict=True)}
    rows = Counter(map(tuple, features))
    drawn = Counter()
    for row, answer in instances(make_problem("wbc"), 20_000):
        assert answer == answer_of[tuple(row)]
        drawn[tuple(row)] += 1
    assert set(drawn) == set(rows)
    expected = np.array([20_000 * rows[row] / 699 for row in rows])
    observed = np.array([drawn[row] for row in rows])
    # chi-square with 462 degrees of freedom: mean 462, standard deviation 30
    assert ((observed - expected) ** 2 / expected).sum() < 462 + 5 * 30
