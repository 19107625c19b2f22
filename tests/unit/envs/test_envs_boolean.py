"""Boolean problems: truth tables, names, and who gets paid."""

from itertools import product

import numpy as np
import pytest

from ruleplay.core.basics.rng import spawn_states
from ruleplay.envs import make_problem, reset_problem, step_problem
from ruleplay.testing import check_problem

pytestmark = pytest.mark.interpreted


def truth_table(problem, draws):
    """Draw instances and return the answer to each string of bits."""
    rng, seen = spawn_states(0, 1)[0], np.zeros(problem.n_features)
    table = {}
    for _ in range(draws):
        reset_problem(problem.dynamics, seen, rng)
        paid = [step_problem(problem.dynamics, a, seen, rng) for a in range(2)]
        assert sorted(paid) == [(0.0, True), (1000.0, True)]
        bits = tuple(seen.astype(int).tolist())
        assert bits == tuple(seen)
        answer = paid.index((1000.0, True))
        assert table.setdefault(bits, answer) == answer
    return table


def number(digits):
    return int("".join(map(str, digits)), 2)


@pytest.mark.parametrize(
    ("name", "options", "answer"),
    [
        ("mux3", {}, lambda bits: bits[1 + bits[0]]),
        ("mux", {"bits": 6}, lambda bits: bits[2 + number(bits[:2])]),
        ("mux11", {}, lambda bits: bits[3 + number(bits[:3])]),
        ("majority", {}, lambda bits: int(sum(bits) > 3)),
        ("majority", {"bits": 4}, lambda bits: int(sum(bits) > 2)),
        ("majority", {"bits": 8, "relevant": 3}, lambda bits: int(sum(bits[:3]) > 1)),
        ("parity", {}, lambda bits: int(sum(bits[:4]) % 2 == 0)),
        ("parity", {"bits": 3, "relevant": 3}, lambda bits: int(sum(bits) % 2 == 0)),
        ("carry", {}, lambda bits: int(number(bits[:4]) + number(bits[4:]) > 15)),
        ("carry", {"digits": 1}, lambda bits: int(bits == (1, 1))),
    ],
    ids=lambda part: None if callable(part) else str(part),
)
def test_answers_follow_the_truth_table(name, options, answer):
    problem = make_problem(name, **options)
    n_bits = problem.n_features
    table = truth_table(problem, 12 * 2**n_bits)
    assert set(table) == set(product((0, 1), repeat=n_bits))  # every string occurred
    assert table == {bits: answer(bits) for bits in table}


@pytest.mark.parametrize("name", ["mux6", "majority", "parity", "carry"])
def test_boolean_problems_are_what_they_say(name):
    check_problem(lambda: make_problem(name))
    assert make_problem(name).whole_numbers


def test_bits_have_names():
    assert make_problem("mux3").feature_names == ("address_0", "data_0", "data_1")
    assert make_problem("majority", bits=2).feature_names == ("bit_0", "bit_1")
    assert make_problem("carry", digits=2).feature_names == ("a_1", "a_0", "b_1", "b_0")


def test_problems_may_be_large():
    assert make_problem("mux", bits=135).n_features == 135
    assert make_problem("parity", bits=20, relevant=20).n_features == 20
