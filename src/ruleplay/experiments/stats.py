"""Compare samples of runs: paired tests, and interval estimates beside them.

Each sample is tested for normality (Shapiro-Wilk, 5 %), as in the paper: if both are normal, a
paired t-test follows, otherwise, and for every multi-step problem of the paper, the Wilcoxon
signed-rank test. Tests are two-sided unless asked otherwise. The paper's t-tests are one-sided, in
the direction in which the means differ, which is `alternative="paper"`; its signed-rank tests are
two-sided here: some of its p-values exceed 0.5, which a one-sided test in the direction of the
data hardly gives.

Every function returns a record or plain numbers. Values that are not finite are left out, and
a test that cannot be made has a p-value of NaN, which is significant at no level.
"""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from ruleplay.errors import ConfigError

LEVEL = 0.05
RESAMPLES = 2000

Array = NDArray[np.float64]
Interval = tuple[float, float]
Statistic = Callable[..., Array]
Alternative = Literal["two-sided", "less", "greater"]

ALTERNATIVES = (*get_args(Alternative), "paper")

UNKNOWN: Interval = (float("nan"), float("nan"))


@dataclass(frozen=True)
class Normality:
    """The outcome of a Shapiro-Wilk test; NaN for fewer than 3 or all equal values."""

    p: float
    normal: bool


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """How paired samples differ; differences are `other` minus `baseline`."""

    test: Literal["t", "wilcoxon"]
    alternative: Alternative
    p: float
    n: int
    difference: float  # mean of the paired differences
    interval: Interval  # bootstrap, 95 %, of that mean
    effect: float  # Cohen's d_z for t, the matched-pairs rank-biserial correlation for wilcoxon
    shapiro_p: tuple[float, float]  # baseline, other


@dataclass(frozen=True)
class Share:
    """A number of runs out of all runs, with its exact 95 % interval (Clopper-Pearson)."""

    count: int
    n: int
    interval: Interval


@dataclass(frozen=True)
class Estimate:
    """A number with its bootstrap 95 % interval."""

    value: float
    interval: Interval


def shapiro(values: ArrayLike) -> Normality:
    """Test a sample for normality at 5 %."""
    sample = _finite(values)
    if len(sample) < 3 or np.ptp(sample) == 0:
        return Normality(float("nan"), False)
    p = float(stats.shapiro(sample).pvalue)
    return Normality(p, p >= LEVEL)


def compare_paired(
    baseline: ArrayLike,
    other: ArrayLike,
    *,
    alternative: Alternative | Literal["paper"] = "two-sided",
    only_wilcoxon: bool = False,
    seed: int = 0,
) -> Comparison:
    """Compare two samples whose values belong together in pairs.

    The alternative is that `other` differs from `baseline`, or is "less" or "greater": a side to
    be chosen before looking. "paper" takes the paper's, which for t-tests is the side on which the
    data lie. `only_wilcoxon` leaves the test not to the data; `seed` is that of the bootstrap.
    """
    if alternative not in ALTERNATIVES:
        raise ConfigError(f"alternative must be one of {ALTERNATIVES}, got {alternative!r}")
    first, second = _finite_pairs(baseline, other)
    difference = second - first
    normality = shapiro(first), shapiro(second)
    use_t = not only_wilcoxon and all(outcome.normal for outcome in normality)
    mean = float(difference.mean()) if len(difference) else float("nan")
    side = alternative
    if side == "paper":
        side = "two-sided" if not use_t else "greater" if mean > 0 else "less"
    return Comparison(
        test="t" if use_t else "wilcoxon",
        alternative=side,
        p=_t_p(difference, side) if use_t else _wilcoxon_p(difference, side),
        n=len(difference),
        difference=mean,
        interval=bootstrap_interval([difference], np.mean, seed=seed),
        effect=_cohens_dz(difference) if use_t else _rank_biserial(difference),
        shapiro_p=(normality[0].p, normality[1].p),
    )


def compare_counts(baseline: Share, other: Share) -> float:
    """Return Fisher's exact two-sided p-value for two shares; NaN if one has no runs."""
    if baseline.n == 0 or other.n == 0:
        return float("nan")
    table = [[share.count, share.n - share.count] for share in (baseline, other)]
    return float(stats.fisher_exact(table).pvalue)


def exact_share(count: int, n: int) -> Share:
    """Return a share of runs with its exact binomial 95 % interval."""
    if n == 0:
        return Share(count, n, UNKNOWN)
    interval = stats.binomtest(count, n).proportion_ci(0.95, method="exact")
    return Share(count, n, (float(interval.low), float(interval.high)))


def interquartile_mean(strata: Sequence[ArrayLike], *, seed: int = 0) -> Estimate:
    """Return the mean of the middle half of all values, with a stratified bootstrap interval.

    Runs are drawn anew within each stratum (a problem), so that each keeps its weight.
    """
    samples = [_finite(stratum) for stratum in strata]
    if sum(map(len, samples)) == 0:
        return Estimate(float("nan"), UNKNOWN)
    value = float(_trimmed_mean(np.concatenate(samples)))
    return Estimate(value, bootstrap_interval(samples, _trimmed_mean, seed=seed))


def probability_of_improvement(
    baseline: ArrayLike, other: ArrayLike, *, larger_is_better: bool = True, seed: int = 0
) -> Estimate:
    """Return P(a run of `other` is better than one of `baseline`), ties counting one half.

    The interval draws the runs of both samples anew, independently.
    """
    sign = 1.0 if larger_is_better else -1.0
    first, second = sign * _finite(baseline), sign * _finite(other)
    if len(first) == 0 or len(second) == 0:
        return Estimate(float("nan"), UNKNOWN)
    wins = 0.5 + 0.5 * np.sign(second[:, None] - first[None, :])
    rng = np.random.default_rng(seed)
    weights = [
        rng.multinomial(n, np.full(n, 1 / n), RESAMPLES) / n for n in (len(second), len(first))
    ]
    values = np.einsum("bi,bi->b", weights[0] @ wins, weights[1])
    return Estimate(float(wins.mean()), _percentiles(values))


def bootstrap_interval(strata: Sequence[Array], statistic: Statistic, *, seed: int = 0) -> Interval:
    """Return the percentile 95 % interval of a statistic, drawing anew within each stratum.

    The statistic takes an array and an `axis`, as `numpy.mean` does.
    """
    if sum(map(len, strata)) < 2:
        return UNKNOWN
    rng = np.random.default_rng(seed)
    draws = [
        sample[rng.integers(0, len(sample), (RESAMPLES, len(sample)))]
        for sample in strata
        if len(sample)
    ]
    return _percentiles(statistic(np.concatenate(draws, axis=1), axis=1))


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust a family of p-values for its size by Holm's method; NaN stays out of the family.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted = [float("nan")] * len(p_values)
    family = sorted((p, i) for i, p in enumerate(p_values) if not np.isnan(p))
    largest = 0.0
    for rank, (p, i) in enumerate(family):
        largest = max(largest, min(1.0, (len(family) - rank) * p))
        adjusted[i] = largest
    return adjusted


def _finite(values: ArrayLike) -> Array:
    sample = np.asarray(values, dtype=np.float64)
    return sample[np.isfinite(sample)]


def _finite_pairs(first: ArrayLike, second: ArrayLike) -> tuple[Array, Array]:
    pairs = np.array([first, second], dtype=np.float64)
    kept = pairs[:, np.isfinite(pairs).all(axis=0)]
    return kept[0], kept[1]


def _t_p(difference: Array, alternative: Alternative) -> float:
    if not difference.any():
        return 1.0
    with warnings.catch_warnings():  # differences that are all the same are as clear as can be
        warnings.simplefilter("ignore", RuntimeWarning)
        return float(stats.ttest_1samp(difference, 0.0, alternative=alternative).pvalue)


def _wilcoxon_p(difference: Array, alternative: Alternative) -> float:
    if len(difference) < 2:
        return float("nan")
    if not difference.any():
        return 1.0
    with warnings.catch_warnings():  # older SciPy tells when ties make it approximate
        warnings.simplefilter("ignore", UserWarning)
        return float(stats.wilcoxon(difference, alternative=alternative).pvalue)


def _cohens_dz(difference: Array) -> float:
    sd = difference.std(ddof=1)
    return float(difference.mean() / sd) if sd > 0 else float("nan")


def _rank_biserial(difference: Array) -> float:
    """Return (W+ - W-) / (W+ + W-), leaving out differences of zero as the test does."""
    nonzero = difference[difference != 0]
    if len(nonzero) == 0:
        return 0.0 if len(difference) else float("nan")
    ranks = stats.rankdata(np.abs(nonzero))
    return float((ranks * np.sign(nonzero)).sum() / ranks.sum())


def _trimmed_mean(values: Array, axis: int = 0) -> Array:
    return np.asarray(stats.trim_mean(values, 0.25, axis=axis))


def _percentiles(values: Array) -> Interval:
    low, high = np.percentile(values, [2.5, 97.5])
    return float(low), float(high)
