"""The headline table of the study beyond the paper, and what tables of this study share."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ruleplay.experiments.stats import exact_share, interquartile_mean
from ruleplay.report.chart_data import chart_data, curve_table
from ruleplay.report.samples import Sample
from ruleplay.report.table import Column, Row, Table
from ruleplay.report.text import DASH, interval, mean_sd, number, whole
from ruleplay.studies.beyond.plan import (
    ABLATION_SEEDS,
    BEYOND,
    COMPACT_TO,
    HEADLINE_SEEDS,
    TASKS,
    VARIANTS,
)
from ruleplay.studies.paper.analysis import Analysis, diverged_share
from ruleplay.studies.paper.extra_tables import median
from ruleplay.studies.paper.verdicts import summarise

SMALL_LOSS = 0.02  # of the return, below which a compact list replaces its population

FIGURES = (
    Column("n", "Runs", number=True),
    Column("otm", "OTM"),
    Column("diverged", "Diverged [95 %]"),
    Column("greedy", "Greedy"),
    Column("iqm", "Interquartile mean [95 %]"),
    Column("solved", "Solved [95 %]"),
    Column("first", "First reward, median step", whole, number=True),
    Column("rules", "Rules kept", whole, number=True),
    Column("validation", "Validation steps", whole, number=True),
)

_AGENTS = {"xcs": "XCS", "xcs-er": "XCS-ER", "dqn": "DQN", "dqn-tuned": "DQN, tuned"}
_COMPACT = (
    Column("compact", "Compact"),
    Column("small", f"Loss below {100 * SMALL_LOSS:g} % [95 %]"),
)


def headline_table(analysis: Analysis) -> Table:
    """Compare the agents on all problems, each with the same number of learning steps."""
    columns = (Column("problem", "Problem"), Column("agent", "Agent"), *FIGURES, *_COMPACT)
    rows = [
        {
            "problem": TASKS[name].title,
            "agent": _agent(sample),
            **figures_of(name, sample),
            **_compaction(sample),
        }
        for name in TASKS
        for sample in samples_of(analysis, name, headline=True)
    ]
    note = (
        "Greedy: mean return of 100 greedy episodes of the population that is kept, the last one "
        "or the best of 20 by 10 validation episodes. Solved: that mean is at least "
        + ", ".join(f"{task.solved:g} ({task.title})" for task in TASKS.values())
        + f". Compact: rules of an ordered list, at most {COMPACT_TO} and a default action, that "
        "replaces the kept population; its loss is measured on 100 unseen starts."
    )
    return Table("headline", "Beyond the paper", columns, rows, note)


def headline_samples(analysis: Analysis) -> dict[str, dict[str, Sample]]:
    """Return the samples of the comparison by problem, and by agent or recipe."""
    found = {name: samples_of(analysis, name, headline=True) for name in TASKS}
    return {
        name: {sample.key.variant or sample.key.agent: sample for sample in samples}
        for name, samples in found.items()
        if samples
    }


def samples_of(analysis: Analysis, name: str, *, headline: bool) -> list[Sample]:
    """Return the samples of a problem with the runs of one part of the study."""
    first = HEADLINE_SEEDS if headline else ABLATION_SEEDS
    found = []
    for sample in analysis.others:
        if sample.key.preset != BEYOND + name:
            continue
        part = sample.with_seeds(first, first + 1000)
        if len(part.runs):
            found.append(part)
    return sorted(found, key=_place)


def _place(sample: Sample) -> tuple[int, int]:
    """Return where a sample stands in a table."""
    agents, key = list(_AGENTS), sample.key
    return (
        agents.index(key.agent) if key.agent in agents else len(agents),
        VARIANTS.index(key.variant) if key.variant in VARIANTS else len(VARIANTS),
    )


def _agent(sample: Sample) -> str:
    return sample.key.variant or _AGENTS.get(sample.key.agent, sample.key.agent)


def figures_of(name: str, sample: Sample) -> Row:
    """Return the figures that both parts of the study show."""
    greedy = sample.values("greedy")
    share = diverged_share(sample)
    good = exact_share(int((greedy >= TASKS[name].solved).sum()), len(greedy))
    iqm = interquartile_mean([greedy])
    return {
        "n": len(sample.runs),
        "otm": mean_sd(*summarise(sample.values("otm"))[:2]),
        "diverged": _share(share.count, share.n, share.interval) if share.n else DASH,
        "greedy": mean_sd(*summarise(greedy)[:2]),
        "iqm": f"{number(iqm.value)} {interval(iqm.interval)}",
        "solved": _share(good.count, good.n, good.interval),
        "first": median(sample.values("first_reward_step")),
        "rules": _mean(sample, "kept_rules"),
        "validation": _mean(sample, "validation_steps"),
    }


def _compaction(sample: Sample) -> Row:
    """Tell how short lists are that replace a population, and how many lose next to nothing."""
    if not sample.has("compact_rules"):
        return {"compact": DASH, "small": DASH}
    small = small_losses(sample)
    share = exact_share(int(small.sum()), len(small))
    rules = mean_sd(*summarise(sample.values("compact_rules"))[:2])
    return {"compact": rules, "small": _share(share.count, share.n, share.interval)}


def small_losses(sample: Sample) -> NDArray[np.bool_]:
    """Tell for each run whether its compact list loses next to nothing."""
    before, after = sample.values("compact_before"), sample.values("compact_after")
    return np.asarray(before - after < SMALL_LOSS * np.abs(before))


def _mean(sample: Sample, metric: str) -> float | None:
    return float(np.nanmean(sample.values(metric))) if sample.has(metric) else None


def _share(count: int, n: int, bounds: tuple[float, float]) -> str:
    low, high = (100 * bound for bound in bounds)
    return f"{count} of {n} [{low:.0f}, {high:.0f} %]"


def beyond_section(name: str, samples: Mapping[str, Sample]) -> dict[str, Any]:
    """Collect what the page shows about a problem of the study beyond the paper."""
    bands = {agent: sample.band for agent, sample in samples.items()}
    return {
        "name": f"beyond-{name}",
        "title": TASKS[name].title,
        "steps": TASKS[name].steps,
        "charts": chart_data(bands, {}, single_step=False),
        "tables": [curve_table(bands, single_step=False)],
    }
