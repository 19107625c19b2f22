"""Tables that the paper has not: intervals, kinds of divergence, and all other runs."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ruleplay.envs import make_problem
from ruleplay.experiments.stats import (
    Estimate,
    compare_counts,
    exact_share,
    interquartile_mean,
    probability_of_improvement,
)
from ruleplay.report.samples import Sample
from ruleplay.report.table import Column, Row, Table
from ruleplay.report.text import (
    DASH,
    fixed,
    interval,
    mean_sd,
    number,
    p_value,
    show_seeds,
    whole,
)
from ruleplay.studies.paper.analysis import Analysis, ProblemReport, diverged_share
from ruleplay.studies.paper.printed import BASELINE
from ruleplay.studies.paper.tables import NAMES, WHERE
from ruleplay.studies.paper.verdicts import summarise

LARGER_IS_BETTER = {"reward": True, "system_error": False, "macroclassifiers": False, "otm": True}


def interval_table(analysis: Analysis) -> Table:
    """Give interquartile means and probabilities of improvement with their intervals."""
    columns = (
        *WHERE,
        Column("n", "Runs", number=True),
        Column("mean_sd", "Mean ± SD"),
        Column("iqm_interval", "Interquartile mean [95 %]"),
        Column("better_interval", "P(better than XCS) [95 %]"),
    )
    rows = [
        _interval_row(report, agent, metric)
        for report in analysis.problems
        for agent in report.problem.agents
        for metric in (*report.problem.metrics, "otm_trailing", "generality_volume")
        if agent in report.samples and metric != "diverged" and report.samples[agent].has(metric)
    ]
    note = (
        "Bootstrap intervals over runs. P(better): a run of the agent against a run of XCS; better "
        "is more reward and OTM, less error, fewer rules."
    )
    return Table("intervals", "Interval estimates", columns, rows, note)


def _interval_row(report: ProblemReport, agent: str, metric: str) -> Row:
    sample = report.samples[agent]
    mean, sd, n = summarise(sample.values(metric))
    iqm = interquartile_mean([sample.values(metric)])
    row: dict[str, Any] = {
        "problem": report.problem.title,
        "agent": report.problem.row(agent).label,
        "metric": NAMES.get(metric, "OTM (trailing)"),
        "n": n,
        "mean_sd": mean_sd(mean, sd),
        "mean": mean,
        "sd": sd,
        **_estimate("iqm", iqm, number),
    }
    baseline = report.samples.get(BASELINE)
    larger = LARGER_IS_BETTER.get(metric)
    if agent != BASELINE and baseline is not None and larger is not None:
        pair = baseline.values(metric), sample.values(metric)
        better = probability_of_improvement(*pair, larger_is_better=larger)
        row |= _estimate("better", better, fixed)
    return row


def _estimate(name: str, estimate: Estimate, write: Callable[[float], str]) -> dict[str, Any]:
    return {
        f"{name}_interval": f"{write(estimate.value)} {interval(estimate.interval, write)}",
        name: estimate.value,
        f"{name}_low": estimate.interval[0],
        f"{name}_high": estimate.interval[1],
    }


def aggregate_table(analysis: Analysis) -> Table:
    """Give each agent's interquartile mean over all problems of a kind, as a share of the best."""
    rows: list[Row] = []
    for kind, metric in (("single-step", "reward"), ("multi-step", "otm")):
        reports = analysis.of_kind(kind)
        for agent in dict.fromkeys(agent for report in reports for agent in report.samples):
            samples = [report.samples[agent] for report in reports if agent in report.samples]
            scores = [sample.values(metric) / largest_return(sample) for sample in samples]
            estimate = interquartile_mean(scores)
            row = {"kind": kind, "metric": NAMES[metric], "agent": agent, "problems": len(samples)}
            rows.append(row | _estimate("iqm", estimate, fixed))
    columns = (
        Column("kind", "Problems"),
        Column("metric", "Measure"),
        Column("agent", "Agent"),
        Column("problems", "Number", number=True),
        Column("iqm_interval", "Interquartile mean [95 %]"),
    )
    note = "Each run's figure divided by the largest possible return; bootstrap within problems."
    return Table("aggregate", "All problems together", columns, rows, note)


def largest_return(sample: Sample) -> float:
    """Return the largest return of an episode of the sample's problem."""
    spec = sample.spec
    return make_problem(spec.problem_name, **spec.problem_options).largest_return


def divergence_table(analysis: Analysis) -> Table:
    """Tell the two kinds of divergence apart: reward never met, and lost after it was met."""
    columns = (
        Column("problem", "Problem"),
        Column("agent", "Agent"),
        Column("paper", "Paper, of 30", number=True),
        Column("diverged", "Diverged", number=True),
        Column("n", "of", number=True),
        Column("share", "Share [95 %]"),
        Column("never", "never rewarded", number=True),
        Column("after", "after a reward", number=True),
        Column("first", "First reward, median step", whole, number=True),
        Column("same_p", "Same as paper? p", p_value, number=True),
    )
    rows = [
        _divergence_row(report, agent)
        for report in analysis.of_kind("multi-step")
        for agent in report.problem.agents
        if agent in report.samples
    ]
    note = "Diverged: mean return below the paper's threshold (1, 70, 200); exact intervals."
    return Table("divergence", "Diverged runs", columns, rows, note)


def _divergence_row(report: ProblemReport, agent: str) -> Row:
    sample = report.samples[agent]
    share = diverged_share(sample)
    never = int(((sample.values("diverged") == 1) & (sample.values("never_rewarded") == 1)).sum())
    first = sample.values("first_reward_step")
    paper = exact_share(round(report.problem.row(agent).cells["diverged"].mean.value), 30)
    rate = share.count / share.n if share.n else float("nan")
    return {
        "problem": report.problem.title,
        "agent": report.problem.row(agent).label,
        "paper": paper.count,
        "diverged": share.count,
        "n": share.n,
        "share": f"{fixed(rate)} {interval(share.interval, fixed)}",
        "never": never,
        "after": share.count - never,
        "first": median(first),
        "same_p": compare_counts(paper, share),
    }


def median(values: NDArray[np.float64]) -> float:
    """Return the median of the finite values, NaN if there are none."""
    known = values[np.isfinite(values)]
    return float(np.median(known)) if len(known) else float("nan")


def run_table(analysis: Analysis) -> Table:
    """Say which runs the report is made of, so that they can be made again."""
    columns = (
        Column("preset", "Preset"),
        Column("agent", "Agent"),
        Column("variant", "Variant"),
        Column("steps", "Steps", number=True),
        Column("n", "Runs", number=True),
        Column("seeds", "Seeds"),
        Column("seconds", "Seconds a run", number),
        Column("published", "Preset's settings", lambda value: "yes" if value else "no"),
        Column("digest", "Specification"),
    )
    rows = [
        {
            "preset": sample.key.preset,
            "agent": sample.key.agent,
            "variant": sample.key.variant or DASH,
            "steps": sample.spec.steps,
            "n": len(sample.runs),
            "seeds": show_seeds(sample.seeds),
            "seconds": float(sample.values("seconds").mean()),
            "published": sample.as_published,
            "digest": sample.key.digest[:16],
        }
        for sample in analysis.samples
    ]
    return Table("runs", "Runs", columns, rows)
