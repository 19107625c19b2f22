"""The lists follow from the rule, and have nothing in common."""

import pytest

from ruleplay.benchmarks.real_data import lists
from ruleplay.benchmarks.real_data.kinds import CLASSIFICATION, FIRST_SEED, REGRESSION, kind_of_list
from ruleplay.benchmarks.real_data.regression import lists as regression
from ruleplay.errors import ConfigError

pytestmark = pytest.mark.uncompiled


def test_lists_are_what_the_rule_makes_of_the_pool():
    assert lists.divide() == (lists.TUNING, lists.REPORTED)


def test_every_set_of_the_pool_is_in_one_list():
    assert len(set(lists.POOL)) == len(lists.POOL) == 66
    assert sorted(lists.TUNING + lists.REPORTED) == sorted(lists.POOL)


def test_lists_share_no_origin():
    origins = [{lists.origin(name) for name in part} for part in (lists.TUNING, lists.REPORTED)]
    assert not origins[0] & origins[1]


def test_what_was_looked_at_is_not_reported():
    assert not {lists.origin(name) for name in lists.REPORTED} & set(lists.LOOKED_AT)


@pytest.mark.parametrize("part", [lists.TUNING, lists.REPORTED], ids=["tuning", "reported"])
def test_each_list_is_long_enough(part):
    assert len(part) >= 28


def test_seeds_of_the_lists_do_not_meet():
    assert FIRST_SEED == {
        "tuning": 100,
        "reported": 0,
        "regression-tuning": 100,
        "regression-reported": 0,
    }


def test_sets_keep_the_order_of_the_list():
    assert CLASSIFICATION.sets_of("tuning", ("vowel", "bupa")) == ("bupa", "vowel")
    assert CLASSIFICATION.sets_of("reported") == lists.REPORTED


def test_a_set_of_the_other_list_is_refused():
    with pytest.raises(ConfigError, match="unknown set of the tuning list: 'zoo'"):
        CLASSIFICATION.sets_of("tuning", ("zoo",))


def test_lists_of_quantities_share_no_set_and_are_long_enough():
    assert len(set(regression.POOL)) == len(regression.TUNING) + len(regression.REPORTED)
    assert len(regression.TUNING) == 12
    assert len(regression.REPORTED) >= 15
    assert {"airfoil", "ccpp", "concrete"} <= set(regression.REPORTED)


def test_what_is_left_out_is_in_no_list_of_quantities():
    assert not set(regression.LEFT_OUT) & set(regression.POOL)


def test_a_list_belongs_to_one_kind():
    assert kind_of_list("tuning") is CLASSIFICATION
    assert kind_of_list("regression-reported") is REGRESSION
    assert REGRESSION.sets_of("regression-tuning") == regression.TUNING
