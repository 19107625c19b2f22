"""List the runs that the paper has no cell for, such as its literal readings."""

from typing import Any

from ruleplay.report.samples import Sample
from ruleplay.report.table import Column, Row, Table
from ruleplay.report.text import DASH, mean_sd
from ruleplay.studies.beyond.plan import BEYOND
from ruleplay.studies.paper.analysis import Analysis, diverged_share
from ruleplay.studies.paper.tables import NAMES
from ruleplay.studies.paper.verdicts import summarise


def other_table(analysis: Analysis) -> Table:
    """List the runs that belong to no cell of the paper."""
    figures = ("reward", "system_error", "macroclassifiers", "generality_volume", "otm")
    columns = [Column("preset", "Preset"), Column("agent", "Agent"), Column("variant", "Variant")]
    columns += [Column("n", "Runs", number=True)]
    columns += [Column(metric, NAMES[metric]) for metric in figures]
    columns += [Column("diverged", "Diverged")]
    others = [sample for sample in analysis.others if not sample.key.preset.startswith(BEYOND)]
    rows = [_other_row(sample, figures) for sample in others]
    return Table("other", "Other runs", columns, rows)


def _other_row(sample: Sample, figures: tuple[str, ...]) -> Row:
    key, share = sample.key, diverged_share(sample)
    row: dict[str, Any] = {"preset": key.preset, "agent": key.agent, "variant": key.variant or DASH}
    row["n"] = len(sample.runs)
    for metric in figures:
        row[metric] = DASH
        if sample.has(metric):
            row[metric] = mean_sd(*summarise(sample.values(metric))[:2])
    return row | {"diverged": f"{share.count} of {share.n}" if share.n else DASH}
