"""What a category means does not depend on who has read the file."""

import math

import numpy as np
import pandas as pd
import pytest

from ruleplay.rules.features import Feature, encode_rows
from ruleplay.rules.spelling import places_by_spelling, spelling

pytestmark = pytest.mark.uncompiled


@pytest.mark.parametrize("value", [True, np.bool_(True), "True", "true", " TRUE "])
def test_truth_values_have_one_spelling(value):
    assert spelling(value) == "true"


@pytest.mark.parametrize("value", [2683, 2683.0, np.int64(2683), "02683", "2683", "2.683e3"])
def test_numbers_have_one_spelling(value):
    assert spelling(value) == "2683.0"


@pytest.mark.parametrize("value", [None, math.nan, math.inf, pd.NA, pd.NaT, [1], b"a"])
def test_what_is_no_plain_value_has_none(value):
    assert spelling(value) is None


def test_a_spelling_that_two_categories_share_says_nothing():
    assert places_by_spelling(["A", "1", "01"]) == {"A": 0}


def test_exact_categories_win():
    feature = Feature.of_categories("code", ("1", "01", "x"))
    assert feature.numbers(["01", "1", "x "]) == [1.0, 0.0, 2.0]
    assert math.isnan(feature.number(1))


def test_rows_of_a_frame_become_places_whatever_type_they_have():
    features = (Feature.of_categories("active", ("False", "True")), Feature("size", 0.0, 9.0))
    frame = pd.DataFrame({"size": [1.5, None], "active": [True, False]})
    np.testing.assert_array_equal(encode_rows(features, frame), [[1.0, 1.5], [0.0, np.nan]])
