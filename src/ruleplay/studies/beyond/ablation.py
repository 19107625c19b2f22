"""The tables of the ablation: what each factor of our recipe does, and what others would add."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from ruleplay.experiments.stats import LEVEL, Comparison, compare_paired, holm
from ruleplay.report.samples import Sample, paired_values
from ruleplay.report.table import Column, Row, Table
from ruleplay.report.text import DASH, p_value, signed
from ruleplay.studies.beyond.analysis import FIGURES, figures_of, samples_of
from ruleplay.studies.beyond.plan import RECIPE, REMOVAL_TASKS, TASKS, VARIANTS, factor_of
from ruleplay.studies.paper.analysis import Analysis

METRICS = {"otm": "OTM", "greedy": "Greedy"}
_TEST = "Wilcoxon signed-rank, two-sided, same seeds; Holm: over all variants on the problem"


class Effect(NamedTuple):
    """What a variant changes against the recipe."""

    comparison: Comparison
    holm_p: float  # adjusted for the number of variants on the problem

    @property
    def is_clear(self) -> bool:
        """Tell whether chance is no likely cause."""
        return self.holm_p < LEVEL


Effects = dict[tuple[str, str], Effect]  # by variant and metric


@lru_cache(maxsize=len(TASKS))  # two tables and a figure show the same effects
def effects_on(analysis: Analysis, name: str) -> Effects:
    """Compare all variants on a problem with the recipe, in pairs of the same seed."""
    samples = {sample.key.variant: sample for sample in samples_of(analysis, name, headline=False)}
    recipe = samples.pop(RECIPE, None)
    found: Effects = {}
    if recipe is None:
        return found
    for metric in METRICS:
        compared = {variant: _compare(recipe, s, metric) for variant, s in samples.items()}
        adjusted = holm([comparison.p for comparison in compared.values()])
        for (variant, comparison), p in zip(compared.items(), adjusted, strict=True):
            found[variant, metric] = Effect(comparison, p)
    return found


def ablation_table(analysis: Analysis) -> Table:
    """Take one factor away from the recipe, or add one to it: all figures."""
    columns = [Column("problem", "Problem"), Column("variant", "Variant"), *FIGURES]
    for metric, title in METRICS.items():
        columns += [
            Column(f"{metric}_change", f"{title}, change", signed, number=True),
            Column(f"{metric}_p", "p", p_value, number=True),
            Column(f"{metric}_holm", "Holm p", p_value, number=True),
        ]
    rows: list[Row] = []
    for name in TASKS:
        effects = effects_on(analysis, name)
        for sample in samples_of(analysis, name, headline=False):
            variant = sample.key.variant
            row: dict[str, Any] = {"problem": TASKS[name].title, "variant": variant}
            row |= figures_of(name, sample)
            for metric in METRICS:
                effect = effects.get((variant, metric))
                if effect is not None:
                    row[f"{metric}_change"] = effect.comparison.difference
                    row[f"{metric}_p"] = effect.comparison.p
                    row[f"{metric}_holm"] = effect.holm_p
            rows.append(row)
    note = f"Change and p-value against the recipe ({_TEST})."
    return Table("ablation", "The ablation in full", tuple(columns), rows, note)


def factor_table(analysis: Analysis) -> Table:
    """Show what each factor changes on each problem."""
    columns = [Column("factor", "Factor")]
    effects: dict[str, Effects] = {}
    for name in REMOVAL_TASKS:
        effects[name] = effects_on(analysis, name)
        columns += [
            Column(f"{name}_{metric}", f"{TASKS[name].title}: {title}")
            for metric, title in METRICS.items()
        ]
    variants = variants_in(effects.values())
    rows: list[Row] = [
        {"factor": factor_of(variant)}
        | {
            f"{name}_{metric}": _cell(found.get((variant, metric)))
            for name, found in effects.items()
            for metric in METRICS
        }
        for variant in variants
    ]
    note = (
        "What changes if one factor of the recipe is as in the paper, or if one mechanism is added "
        f"(+): mean of the paired differences, * where Holm's p is below {LEVEL:g} ({_TEST}). "
        f"{DASH}: not studied, or no change of the settings."
    )
    return Table("factors", "What each factor does", tuple(columns), rows, note)


def variants_in(effects: Iterable[Effects]) -> list[str]:
    """List the variants that occur, in the order of the study."""
    found = {variant for one in effects for variant, _ in one}
    return [variant for variant in VARIANTS if variant in found]


def _compare(recipe: Sample, sample: Sample, metric: str) -> Comparison:
    return compare_paired(*paired_values(recipe, sample, metric), only_wilcoxon=True)


def _cell(effect: Effect | None) -> str:
    if effect is None:
        return DASH
    return signed(effect.comparison.difference) + (" *" if effect.is_clear else "")
