"""Every registered component keeps the contract of its seam, and so do examples outside."""

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract.components import load_examples
from property.samples import quick
from registries import registered_here
from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.core.components.registry import Seam
from ruleplay.engine.widening import widened
from ruleplay.envs import make_problem
from ruleplay.errors import ConfigError
from ruleplay.kernels import (
    Bootstrap,
    Crossover,
    Discovery,
    Encoding,
    Exploration,
    Mixing,
    Prediction,
    Returns,
    Sampler,
    Selection,
    Storage,
    Update,
    inline_kernel,
)
from ruleplay.testing import check_problem, checks_of
from ruleplay.testing.lives import live, make_engine

pytestmark = [pytest.mark.uncompiled, pytest.mark.filterwarnings("ignore::RuntimeWarning")]
SEAMS = (
    *(Encoding, Prediction, Selection, Crossover, Exploration, Sampler, Storage, Returns),
    *(Update, Bootstrap, Discovery, Mixing),
)
with registered_here():
    load_examples()
    CHECKS = [
        pytest.param(check, id=f"{seam.__name__}-{name}-{check}")
        for seam in SEAMS
        for name in seam.names()
        for check in checks_of(seam, name)
    ]
    NAMES = {seam: seam.names() for seam in SEAMS}


@pytest.fixture(autouse=True)
def examples():
    load_examples()


@pytest.mark.parametrize("check", CHECKS)
def test_every_component_keeps_the_contract_of_its_seam(check):
    check()


def test_all_built_in_names_are_there_and_examples_come_after_them():
    for seam in SEAMS:
        assert all(seam.find(name) is seam.components[name] for name in seam.built_in)
        assert seam.names()[: len(seam.built_in)] == tuple(seam.built_in)
    assert "recent" in Sampler.names()


def test_the_example_of_a_problem_is_one():
    check_problem(lambda: make_problem("thermostat", wanted=18.0))


combinations = st.fixed_dictionaries(
    {
        "condition": st.sampled_from(NAMES[Encoding]),
        "prediction": st.sampled_from(NAMES[Prediction]),
        "selection": st.sampled_from(NAMES[Selection]),
        "crossover": st.sampled_from(NAMES[Crossover]),
        "sampling": st.sampled_from(NAMES[Sampler]),
        "storage": st.sampled_from(NAMES[Storage]),
        "return_steps": st.sampled_from([1, 3]),
    }
).filter(lambda chosen: chosen["return_steps"] == 1 or chosen["storage"] == "fifo")


@quick(25)
@given(combinations, st.integers(0, 1000))
def test_invariants_hold_for_any_combination_of_components(settings, seed):
    engine = make_engine(settings, seed=seed)
    live(engine, 60, seed=seed).check()
    assert type(engine).from_bytes(engine.to_bytes()).to_bytes() == engine.to_bytes()


def test_rules_of_any_encoding_are_widened():
    engine = live(make_engine({"condition": "min_share"}))
    rows = np.random.default_rng(4).random((50, 2)) * 2.0
    wide = widened(engine, 3, [-1.0, 0.0, 0.0], [2.0, 4.0, 1.0])
    wide.check()
    more = np.column_stack([rows, np.full(50, 0.5)])
    before, after = engine.predict(rows), wide.predict(more)[:, :2]
    assert np.mean(np.isclose(before, after, equal_nan=True)) > 0.95  # bounds are rounded
    live(wide, 40).check()


def test_models_that_nobody_knows_how_to_widen_are_refused():
    engine = live(make_engine({"prediction": "squares"}))
    with pytest.raises(ConfigError, match="prediction = 'squares' has models that cannot be wi"):
        widened(engine, 2, [-1.0, 0.0], [2.0, 2.0])


def test_a_setting_of_a_component_is_checked_like_any_other():
    assert ReplayConfig(sampling="recent", options={"window": 5}).options == (("window", 5),)
    with pytest.raises(ConfigError, match=r"replay_window must be an integer in \[1, inf\), got 0"):
        ReplayConfig(sampling="recent", options={"window": 0})
    with pytest.raises(
        ConfigError, match="replay_window is a setting of replay_sampling = 'recent'"
    ):
        ReplayConfig(options={"window": 5})
    plain = ReplayConfig(sampling="recent")
    assert plain.digest() != ReplayConfig(sampling="recent", options={"window": 5}).digest()
    assert ReplayConfig.from_dict(plain.as_dict()) == plain


@inline_kernel
def first_of(tag, population, members, scratch, rng):
    return members[0]


@inline_kernel
def too_few(tag, population, rng):
    return 0


class Nothing(NamedTuple):
    pass


class Remembering(NamedTuple):
    last: int


@pytest.mark.parametrize(
    ("component", "kernels", "message"),
    [
        (Nothing, {}, "must have a kernel select_parent"),
        (Nothing, {"select_parent": too_few}, "must have the parameters"),
        (Nothing, {"select_parents": first_of}, "did you mean select_parent"),
        (int, {"select_parent": first_of}, "must be a NamedTuple class"),
        (Remembering, {"select_parent": first_of}, "has fields and needs reserve"),
    ],
)
def test_what_is_no_component_is_refused_at_import(component, kernels, message):
    before = dict(Selection.components)
    with pytest.raises(ConfigError, match=message):
        Selection.register("odd", **kernels)(component)
    assert Selection.components == before


def test_a_name_belongs_to_one_component():
    with pytest.raises(ConfigError, match="the name is taken by Roulette"):
        Selection.register("roulette", select_parent=first_of)(Nothing)


def test_unknown_components_are_named_with_those_there_are():
    with pytest.raises(ConfigError, match="selection must be one of 'tournament', 'roulette'"):
        XCSConfig(selection="none")
    assert issubclass(Selection, Seam)
