"""Conditions on symbols: bits that may not matter, and sets of categories beside intervals."""

import numpy as np
import pytest

from ruleplay.config import XCSConfig
from ruleplay.contrib.symbols.mixed import SETS_CHANGED
from ruleplay.contrib.symbols.spans import feature_spans, read_spans, write_spans
from ruleplay.core.components.seams import Encoding
from ruleplay.engine import XCS
from ruleplay.errors import ConfigError, ModelFileError
from ruleplay.rules import RuleSet
from ruleplay.testing import check_component

pytestmark = [pytest.mark.uncompiled, pytest.mark.filterwarnings("ignore::RuntimeWarning")]


def make(n_features, **settings):
    """Return an engine over [0, 1]."""
    config = XCSConfig(population_size=100, missing_values="match", **settings)
    return XCS(config, n_actions=2, low=np.zeros(n_features), high=np.ones(n_features), seed=1)


def expressed(engine, alleles):
    """Return the lower and the upper bounds that alleles stand for."""
    bounds = np.zeros(len(alleles), np.float32)
    Encoding.express(engine.state.traits.condition, np.array(alleles, np.float32), bounds)
    return bounds.reshape(2, -1).tolist()


def covered(engine, state, tries=40):
    """Return the bounds of rules that cover a state."""
    agent, found = engine.state.agent, []
    for _ in range(tries):
        alleles = np.zeros(2 * len(state), np.float32)
        Encoding.cover_alleles(
            agent.traits.condition, alleles, np.array(state, np.float32), agent.params, agent.rng
        )
        found.append(expressed(engine, alleles))
    return np.array(found)


def mutated(engine, alleles, tries=200):
    """Return the first alleles of features after one mutation, time and again."""
    agent, found = engine.state.agent, []
    for _ in range(tries):
        child = np.array(alleles, np.float32)
        Encoding.mutate_alleles(agent.traits.condition, child, agent.params, agent.rng)
        found.append(tuple(child[::2].tolist()))
    return found


def test_a_symbol_is_a_half_of_the_range_or_all_of_it():
    engine = make(3, condition="ternary")
    assert expressed(engine, [0, 0, 1, 0, 0.5, 0]) == [[0, 0.5, 0], [0.5, 1, 1]]


@pytest.mark.parametrize(("share", "free"), [(0.0, 0.0), (1.0, 1.0)])
def test_covering_leaves_a_share_of_bits_free(share, free):
    lower, upper = covered(make(4, condition="ternary", free_share=share), [0, 1, 1, 0]).swapaxes(
        0, 1
    )
    assert ((upper - lower) == 1.0).mean() == free


def test_mutation_turns_a_bit_into_any_and_any_into_a_bit():
    engine = make(2, condition="ternary", mutation_rate=1.0)
    assert set(mutated(engine, [0.5, 0, 1, 0])) == {(0.0, 0.5), (1.0, 0.5)}


def test_a_set_leaves_the_columns_of_its_categories_free():
    engine = make(4, condition="mixed", nominal_columns="1-3")
    lower, upper = expressed(engine, [0.5, 0.25, 1, 0, 0, 0, 1, 0])
    assert (lower, upper) == ([0.25, 0, 0, 0], [0.75, 1, 0.5, 1])


def test_a_rule_that_allows_no_category_allows_all():
    engine = make(3, condition="mixed", nominal_columns="0-2")
    assert expressed(engine, [0] * 6) == [[0, 0, 0], [1, 1, 1]]


def test_covering_allows_the_category_and_all_if_it_is_missing():
    engine = make(4, condition="mixed", nominal_columns="1-3", free_share=0.0)
    bounds = covered(engine, [0.5, 0, 1, 0])
    assert (bounds[:, 1, 2] == 1.0).all()
    assert 0.2 < (bounds[:, 1, [1, 3]] == 1.0).mean() < 0.8
    assert (covered(engine, [0.5, np.nan, np.nan, np.nan])[:, 1, 1:] == 1.0).all()


def test_mutation_toggles_a_category_frees_a_set_or_draws_one():
    engine = make(3, condition="mixed", nominal_columns="0-2", mutation_rate=0.5)
    found = set(mutated(engine, [1, 0, 0, 0, 0, 0]))
    assert found == {(0, 0, 0), (1, 1, 0), (1, 0, 1), (1, 1, 1)}
    assert len(set(mutated(engine, [1, 0, 1, 0, 1, 0]))) == 8


def test_of_many_sets_few_change():
    spans = ",".join(f"{2 * g}-{2 * g + 1}" for g in range(40))
    engine = make(80, condition="mixed", nominal_columns=spans, mutation_rate=0.5)
    children = np.array(mutated(engine, [1, 0] * 80)).reshape(-1, 40, 2)
    changed = (children != 1).any(axis=2).sum(axis=1).mean()
    assert 0.75 < changed < SETS_CHANGED  # one in four draws the set that it had


@pytest.mark.parametrize("intervals", ["center_spread", "unordered"])
def test_intervals_beside_sets_are_those_of_the_plain_encodings(intervals):
    mixed, plain = make(1, condition="mixed", intervals=intervals), make(1, condition=intervals)
    for alleles in ([0.5, 0.25], [0.9, 0.3], [0.1, 0.7]):
        np.testing.assert_array_equal(expressed(mixed, alleles), expressed(plain, alleles))
    assert (covered(mixed, [0.4])[:, 0] <= 0.4).all()


@pytest.mark.parametrize(
    "settings", [{"nominal_columns": "0-1"}, {"nominal_columns": "1-1", "intervals": "unordered"}]
)
def test_an_encoding_with_sets_keeps_the_contract(settings):
    check_component(Encoding, "mixed", **settings)


def test_spans_are_read_and_written():
    assert read_spans("") == ()
    assert write_spans(read_spans("4-7,8-10")) == "4-7,8-10"
    assert [tuple(span) for span in feature_spans(((0, 2),), 3)] == [(0, 2, True), (2, 3, False)]


@pytest.mark.parametrize("text", ["3", "3-2", "4-7,7-9", "a-b", "1-2;3-4", "0-1,"])
def test_odd_spans_are_refused(text):
    with pytest.raises(ConfigError, match="nominal_columns must be spans of columns in order"):
        make(12, condition="mixed", nominal_columns=text)


def test_spans_beyond_the_columns_are_refused():
    with pytest.raises(ConfigError, match=r"nominal_columns must lie in \[0, 2\]"):
        make(3, condition="mixed", nominal_columns="1-3")


def test_settings_of_another_encoding_are_refused():
    with pytest.raises(ConfigError, match="nominal_columns is a setting of condition = 'mixed'"):
        make(3, nominal_columns="0-1")


def test_rules_of_an_engine_speak_of_features():
    engine = make(4, condition="mixed", nominal_columns="1-3")
    rows = np.array([[0.1, 1, 0, 0], [0.9, 0, 1, 0], [0.5, 0, 0, 1], [0.2, 1, 0, 0]])
    engine.learn_batch(rows, [0, 1, 0, 1], [10.0, 0.0, 5.0, 1.0])
    rules = RuleSet.of(engine)
    assert [feature.categories for feature in rules.features] == [(), (0, 1, 2)]
    np.testing.assert_array_equal(
        rules.values(np.array([[0.1, 0.0], [0.9, 1.0], [0.5, 2.0], [0.2, np.nan]])),
        engine.predict(np.array([*rows[:3], [0.2, np.nan, np.nan, np.nan]])),
    )


@pytest.mark.parametrize("end", [2, 5, 2**62])
def test_a_file_whose_columns_are_not_those_of_its_settings_is_refused(tmp_path, end):
    engine = make(4, condition="mixed", nominal_columns="1-3")
    engine.state.traits.condition.spans[0, 1] = end
    engine.save(tmp_path / "odd.ruleplay")
    with pytest.raises(ModelFileError, match="the model contradicts its settings"):
        XCS.load(tmp_path / "odd.ruleplay")
