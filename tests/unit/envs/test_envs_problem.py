"""The register of problems: names, options and their refusals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleplay.envs import Problem, make_problem, problem_names, problem_options
from ruleplay.envs.chain import make_chain
from ruleplay.envs.real_multiplexer import LEGAL_BITS
from ruleplay.errors import ConfigError

pytestmark = pytest.mark.interpreted

NAN, INF = float("nan"), float("inf")


def test_the_problems_are_registered():
    assert problem_names() == (
        "acrobot",
        "carry",
        "cartpole",
        "chain",
        "checkerboard",
        "function",
        "majority",
        "mario",
        "maze4",
        "maze5",
        "mountaincar",
        "mux",
        "parity",
        "rmp",
        "wbc",
        "woods1",
        "woods2",
    )


@pytest.mark.parametrize("name", [*problem_names(), "rmp3", "rmp11", "mux20"])
def test_every_problem_describes_itself(name):
    problem = make_problem(name)
    assert problem.name == (f"{name}6" if name in ("rmp", "mux") else name)
    assert problem.n_features == len(problem.feature_names) == len(problem.high)
    assert len(set(problem.feature_names)) == problem.n_features
    assert len(set(problem.action_names)) == problem.n_actions
    assert problem.single_step == (problem.time_limit == 0)
    judged = name in ("chain", "cartpole", "mountaincar")  # the paper's
    assert judged == (problem.divergence_threshold is not None)


@pytest.mark.parametrize("name", problem_names())
def test_two_problems_share_no_state(name):
    one, other = make_problem(name), make_problem(name)
    arrays = [value for value in one.dynamics if isinstance(value, np.ndarray)]
    others = [value for value in other.dynamics if isinstance(value, np.ndarray)]
    assert arrays
    assert not any(np.shares_memory(a, b) for a, b in zip(arrays, others, strict=True))


def test_options_are_listed_with_their_defaults():
    assert problem_options("wbc") == {"include_id": False}
    assert problem_options("rmp") == {"bits": 6}
    assert problem_options("rmp20") == {}
    assert problem_options("mountaincar")["time_limit"] == 500


@pytest.mark.parametrize("name", ["mountain", "", "rmp6x", "rmp-6", None, 6])
def test_an_unknown_problem_is_refused_with_the_known_names(name):
    with pytest.raises(ConfigError, match=r"unknown problem .*acrobot, carry, cartpole, chain"):
        make_problem(name)


def test_an_unknown_option_is_refused_with_the_nearest_one():
    with pytest.raises(ConfigError, match=r"'teleport'.*did you mean 'teletransport'.*time_limit"):
        make_problem("chain", teleport=True)
    with pytest.raises(ConfigError, match="unknown option of problem 'rmp6' 'bits'"):
        make_problem("rmp6", bits=11)


WRONG_OPTIONS = [
    ("rmp", "bits", [0, 2, 7, -6, 6.0, NAN, "6", True, None, 10**9]),
    ("mux", "bits", [0, 7, 6.0, True, None]),
    ("majority", "bits", [0, -1, 7.0, True]),
    ("majority", "relevant", [0, 8, 3.0, "all"]),
    ("parity", "relevant", [0, 11, None, True]),
    ("carry", "digits", [0, 1.5, NAN]),
    ("woods1", "time_limit", [0, NAN]),
    ("checkerboard", "dimensions", [0, -1, 1.5, NAN, True]),
    ("checkerboard", "divisions", [1, 0, 2.5, INF, "3"]),
    ("wbc", "include_id", [1, "yes", None]),
    ("chain", "n", [1, 0, -4, 16.0, NAN, True]),
    ("chain", "slip", [-0.1, 1.1, NAN, INF, "0", True]),
    ("chain", "small", [NAN, INF, "0", None]),
    ("chain", "large", [NAN, -INF, [1.0]]),
    ("chain", "time_limit", [0, -1, 2.0, NAN]),
    ("chain", "teletransport", [1, None, "true"]),
    ("cartpole", "reward", ["sparse", "", None, 1]),
    ("cartpole", "velocity_bound", [0, -1.0, NAN, INF, 101, "3"]),
    ("cartpole", "angular_velocity_bound", [0.0, NAN, INF, 1e9]),
    ("cartpole", "time_limit", [0, NAN, 10.0]),
    ("mountaincar", "reward", ["paper", [], None]),
    ("mountaincar", "time_limit", [0, NAN]),
    ("mountaincar", "teletransport", [0, "no"]),
]


@pytest.mark.parametrize(
    ("name", "option", "value"),
    [(name, option, value) for name, option, values in WRONG_OPTIONS for value in values],
)
def test_a_wrong_option_is_named_in_the_refusal(name, option, value):
    with pytest.raises(ConfigError, match=rf"^{option} must .*, got ") as refusal:
        make_problem(name, **{option: value})
    assert repr(value) in str(refusal.value)


def test_a_refusal_names_the_interval():
    with pytest.raises(ConfigError, match=r"^slip must lie in \[0, 1\], got 1.5$"):
        make_chain(slip=1.5)
    with pytest.raises(ConfigError, match=r"^velocity_bound must lie in \(0, 100\], got 0$"):
        make_problem("cartpole", velocity_bound=0)


@given(st.integers(-10, 5000))
def test_only_k_plus_two_to_the_k_bits_are_legal(bits):
    if bits in LEGAL_BITS:
        assert make_problem("rmp", bits=bits).n_features == bits
    else:
        with pytest.raises(ConfigError, match="bits must be"):
            make_problem("rmp", bits=bits)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"low": np.zeros(2)}, "one entry per feature"),
        ({"feature_names": ("a", "b")}, "one entry per feature"),
        ({"low": np.array([np.nan])}, "finite"),
        ({"high": np.array([np.inf])}, "finite"),
        ({"low": np.ones(1)}, "below high"),
        ({"n_actions": 3}, "action_names must have 3 entries, got 2"),
    ],
)
def test_a_problem_refuses_what_does_not_fit_together(change, complaint):
    chain = make_problem("chain")
    with pytest.raises(ConfigError, match=complaint):
        Problem(**{**vars(chain), **change})
