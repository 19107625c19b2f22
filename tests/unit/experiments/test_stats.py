import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from ruleplay.errors import ConfigError
from ruleplay.experiments.stats import (
    bootstrap_interval,
    compare_counts,
    compare_paired,
    exact_share,
    holm,
    interquartile_mean,
    probability_of_improvement,
    shapiro,
)


def normal(mean, n=30, seed=4):
    return np.random.default_rng(seed).normal(mean, 1.0, n)


def skewed(mean, n=30, seed=1):
    return mean + np.random.default_rng(seed).exponential(1.0, n) ** 3


def test_shapiro_is_scipys_at_five_per_cent():
    assert shapiro(normal(0.0)).p == scipy_stats.shapiro(normal(0.0)).pvalue
    assert shapiro(normal(0.0)).normal
    assert not shapiro(skewed(0.0)).normal


@pytest.mark.parametrize("values", [[], [1.0], [1.0, 2.0], [3.0] * 30], ids=str)
def test_shapiro_leaves_open_what_cannot_be_tested(values):
    outcome = shapiro(values)
    assert math.isnan(outcome.p)
    assert not outcome.normal


def test_a_comparison_is_two_sided_unless_asked_otherwise():
    low, high = normal(0.0, seed=4), normal(0.4, seed=5)
    result = compare_paired(low, high)
    assert (result.test, result.alternative) == ("t", "two-sided")
    assert result.p == pytest.approx(scipy_stats.ttest_rel(high, low).pvalue)
    assert result.p == pytest.approx(2 * compare_paired(low, high, alternative="paper").p)


@pytest.mark.parametrize("side", ["less", "greater"])
def test_a_side_chosen_before_is_kept_whatever_the_data_say(side):
    for low, high in (
        (normal(0.0, seed=4), normal(0.4, seed=5)),
        (skewed(0.0), skewed(1.0, 30, 2)),
    ):
        result = compare_paired(low, high, alternative=side)
        assert result.alternative == side
        by = scipy_stats.wilcoxon if result.test == "wilcoxon" else scipy_stats.ttest_rel
        assert result.p == pytest.approx(by(high, low, alternative=side).pvalue)


def test_an_unknown_alternative_is_refused():
    with pytest.raises(ConfigError, match=r"alternative must be one of .*two-sided.*, got 'both'"):
        compare_paired([1.0], [2.0], alternative="both")


def test_the_papers_choice_is_the_one_sided_paired_t_test_for_normal_samples():
    low, high = normal(0.0, seed=4), normal(0.4, seed=5)
    result = compare_paired(low, high, alternative="paper")
    assert (result.test, result.alternative, result.n) == ("t", "greater", 30)
    expected = scipy_stats.ttest_rel(high, low, alternative="greater").pvalue
    assert result.p == pytest.approx(expected)
    assert result.effect == pytest.approx((high - low).mean() / (high - low).std(ddof=1))


def test_the_papers_one_sided_test_follows_the_means():
    low, high = normal(0.0, seed=4), normal(0.4, seed=5)
    up, down = (compare_paired(*pair, alternative="paper") for pair in ((low, high), (high, low)))
    assert down.alternative == "less"
    assert down.p == pytest.approx(up.p)
    assert down.difference == pytest.approx(-up.difference)


def test_other_samples_get_the_two_sided_signed_rank_test():
    low, high = skewed(0.0, seed=1), skewed(1.0, seed=2)
    result = compare_paired(low, high)
    assert result == compare_paired(low, high, alternative="paper")
    assert (result.test, result.alternative) == ("wilcoxon", "two-sided")
    assert result.p == pytest.approx(scipy_stats.wilcoxon(high - low).pvalue)
    assert -1.0 <= result.effect <= 1.0


def test_multi_step_problems_always_get_the_signed_rank_test():
    result = compare_paired(normal(0.0, seed=4), normal(0.4, seed=5), only_wilcoxon=True)
    assert result.test == "wilcoxon"


def test_a_shift_of_every_pair_has_the_largest_rank_biserial_correlation():
    values = skewed(0.0)
    assert compare_paired(values, values + 1.0).effect == 1.0
    assert compare_paired(values + 1.0, values).effect == -1.0


def test_equal_samples_do_not_differ():
    for values in (normal(0.0), skewed(0.0), np.full(30, 5.0)):
        result = compare_paired(values, values)
        assert (result.p, result.difference) == (1.0, 0.0)


def test_pairs_with_a_value_that_is_not_finite_are_left_out():
    low, high = normal(0.0, seed=4), normal(0.4, seed=5)
    low[3], high[4], high[5] = np.nan, np.inf, np.nan
    kept = [i for i in range(30) if i not in (3, 4, 5)]
    assert compare_paired(low, high) == compare_paired(low[kept], high[kept])


@pytest.mark.parametrize("n", [0, 1])
def test_too_few_pairs_give_no_p_value(n):
    result = compare_paired(np.arange(n), np.arange(n) + 1.0)
    assert math.isnan(result.p)
    assert math.isnan(result.interval[0])
    assert result.n == n


def test_two_pairs_are_compared_without_a_warning(recwarn):
    assert compare_paired([1.0, 2.0], [3.0, 5.0]).n == 2
    assert not recwarn


def test_a_difference_that_is_always_the_same_is_beyond_doubt(recwarn):
    assert compare_paired(normal(0.0), normal(0.0) + 1.0).p == pytest.approx(0.0, abs=1e-12)
    assert not recwarn


def test_intervals_are_reproducible_and_contain_the_mean():
    low, high = normal(0.0, seed=4), normal(0.4, seed=5)
    first, again = compare_paired(low, high, seed=7), compare_paired(low, high, seed=7)
    assert first == again
    assert first.interval != compare_paired(low, high, seed=8).interval
    assert first.interval[0] < first.difference < first.interval[1]


def test_the_bootstrap_interval_of_a_mean_is_close_to_the_t_interval():
    sample = normal(0.0, n=200)
    half = 1.96 * sample.std(ddof=1) / math.sqrt(200)
    low, high = bootstrap_interval([sample], np.mean)
    assert low == pytest.approx(sample.mean() - half, abs=0.02)
    assert high == pytest.approx(sample.mean() + half, abs=0.02)


def test_the_interquartile_mean_leaves_out_the_outer_quarters():
    estimate = interquartile_mean([[-1000.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 1e9]])
    assert estimate.value == 3.5


def test_strata_keep_their_weight_in_the_bootstrap():
    constant = interquartile_mean([np.zeros(10), np.ones(10)])
    assert constant.value == 0.5
    assert constant.interval == (0.5, 0.5)  # drawn over both together it would vary


def test_no_run_gives_no_interquartile_mean():
    assert math.isnan(interquartile_mean([[], [np.nan]]).value)


def test_probability_of_improvement_counts_wins_and_half_the_ties():
    estimate = probability_of_improvement([1.0, 2.0], [2.0, 3.0])
    assert estimate.value == pytest.approx((1 + 1 + 0.5 + 1) / 4)
    reverse = probability_of_improvement([1.0, 2.0], [2.0, 3.0], larger_is_better=False)
    assert reverse.value == pytest.approx(1 - estimate.value)


def test_probability_of_improvement_is_certain_for_separate_samples():
    estimate = probability_of_improvement(np.arange(10), np.arange(10) + 100)
    assert (estimate.value, *estimate.interval) == pytest.approx((1.0, 1.0, 1.0))


def test_exact_intervals_are_clopper_and_pearsons():
    assert exact_share(0, 30).interval == pytest.approx((0.0, 0.1157), abs=1e-4)
    assert exact_share(9, 30).interval == pytest.approx((0.1473, 0.4940), abs=1e-4)
    assert math.isnan(exact_share(0, 0).interval[0])


def test_counts_are_compared_by_fishers_exact_test():
    assert compare_counts(exact_share(1, 30), exact_share(9, 30)) == pytest.approx(0.0122, abs=1e-4)
    assert math.isnan(compare_counts(exact_share(0, 0), exact_share(9, 30)))


def test_holm_is_the_step_down_adjustment():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    adjusted = holm([0.02, math.nan, 0.9])
    assert math.isnan(adjusted[1])
    assert [adjusted[0], adjusted[2]] == pytest.approx([0.04, 0.9])
    assert holm([]) == []


@given(st.lists(st.floats(0.0, 1.0), max_size=20))
def test_holm_raises_and_keeps_the_order(p_values):
    adjusted = holm(p_values)
    assert all(p <= q <= 1.0 for p, q in zip(p_values, adjusted, strict=True))
    order = np.argsort(p_values, kind="stable")
    assert np.all(np.diff(np.array(adjusted)[order]) >= 0)
