"""Probabilities of classes are their shares in the payoffs, for many rows as for one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from property.samples import quick
from ruleplay.learners.common.class_shares import (
    class_shares,
    class_shares_of_one,
    fill_with_priors,
)

pytestmark = pytest.mark.interpreted

NAN = float("nan")


@pytest.mark.parametrize(
    ("payoffs", "priors", "shares"),
    [
        ([100.0, 300.0], [0.5, 0.5], [0.25, 0.75]),
        ([NAN, 250.0], [0.25, 0.75], [0.5, 0.5]),
        ([-50.0, 10.0], [0.5, 0.5], [0.0, 1.0]),
        ([-50.0, 0.0], [0.2, 0.8], [0.2, 0.8]),
    ],
    ids=["share", "no-rule", "negative", "nothing-to-share"],
)
def test_shares_of_payoffs(payoffs, priors, shares):
    assert class_shares_of_one(payoffs, priors) == pytest.approx(shares)


@given(seed=st.integers(0, 2**32), n_classes=st.integers(1, 12))
@quick(30)
def test_one_row_has_the_shares_that_it_has_among_many(seed, n_classes):
    rng = np.random.default_rng(seed)
    payoffs = rng.uniform(-200, 1000, (5, n_classes))
    payoffs[rng.random(payoffs.shape) < 0.3] = np.nan
    priors = rng.dirichlet(np.ones(n_classes))
    many = class_shares(fill_with_priors(payoffs, priors), priors)
    for row, shares in zip(payoffs, many, strict=True):
        assert class_shares_of_one(row.tolist(), priors.tolist()) == pytest.approx(shares)
