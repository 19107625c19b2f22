"""Components from files outside the package, compiled."""

import pytest

from contract.components import NAMES, load_examples
from ruleplay.envs import make_problem
from ruleplay.kernels import Encoding, Prediction, Sampler
from ruleplay.testing import check_problem, lives


@pytest.fixture(autouse=True)
def examples():
    load_examples()


def test_there_is_an_example_for_each_kind_of_component_that_users_write():
    kinds = ["min_share_encoding", "recent_sampler", "squares_prediction", "thermostat_problem"]
    assert kinds == NAMES


@pytest.mark.parametrize(
    ("seam", "name", "settings"),
    [
        (Sampler, "recent", {"sampling": "recent", "window": 7}),
        (Encoding, "min_share", {"condition": "min_share"}),
        (Prediction, "squares", {"prediction": "squares"}),
    ],
    ids=["sampler", "encoding", "prediction"],
)
def test_an_engine_with_a_component_from_outside_is_compiled_and_goes_on_bit_by_bit(
    seam, name, settings
):
    lives.invariants_hold(seam, name, settings)
    lives.a_saved_engine_goes_on_bit_by_bit(seam, name, settings)
    lives.predictions_are_the_same_row_by_row(seam, name, settings)


def test_a_problem_from_outside_is_compiled():
    check_problem(lambda: make_problem("thermostat", wanted=18.0))
