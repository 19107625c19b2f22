"""Lay out the tables of the verdict."""

from collections.abc import Sequence
from typing import Any

from ruleplay.experiments.study import PAPER
from ruleplay.report.table import Column, Row, Table
from ruleplay.report.text import DASH, fixed, interval, signed
from ruleplay.studies.inferred.crossvalidation import LeftOut
from ruleplay.studies.inferred.importance import Weight
from ruleplay.studies.inferred.reasons import reason_for
from ruleplay.studies.inferred.space import Reading, Space
from ruleplay.studies.inferred.verdict import PROBLEMS, Judged, JudgedCell
from ruleplay.studies.paper.printed import load_paper
from ruleplay.studies.paper.tables import NAMES, WHERE, show_ours, show_paper
from ruleplay.studies.paper.verdicts import Tally

APART = 2.0 * 2.0**0.5  # standard deviations of one distance that tell two of them apart


def reading_table(space: Space, best: Reading) -> Table:
    """List all choices: what the presets take, what was inferred, what is printed."""
    columns = (
        Column("title", "Choice"),
        Column("where", "In the paper"),
        Column("presets", "Presets"),
        Column("inferred", "Inferred"),
        Column("printed", "Printed"),
    )
    rows = [
        {
            "title": choice.title,
            "where": choice.where,
            "presets": choice.names[0],
            "inferred": best[name] if best[name] != choice.names[0] else "the same",
            "printed": ", ".join(v.name for v in choice.values if v.printed) or DASH,
        }
        for name, choice in space.choices.items()
    ]
    return Table("reading", "The reading that explains most", columns, rows)


def summary_table(presets: Judged, best: Judged) -> Table:
    """Count the verdicts of both readings, problem by problem."""
    columns = [Column("problem", "Problem"), Column("cells", "Cells", number=True)]
    for who in ("presets", "inferred"):
        columns += [
            Column(f"{verdict}-{who}", f"{verdict.capitalize()}, {who}", number=True)
            for verdict in ("match", "direction", "differs")
        ]
    rows = [_count_row(_title(name), presets, best, (name,)) for name in PROBLEMS]
    for kind in ("single-step", "multi-step"):
        names = [n for n in PROBLEMS if load_paper().problem(PAPER + n).kind == kind]
        rows.append(_count_row(f"All {kind} problems", presets, best, names))
    note = (
        "Thirty seeds each that the search has not seen; Mario took no part in the search; "
        "cells of DQN are not counted."
    )
    return Table("summary", "Verdicts with fresh seeds", columns, rows, note)


def _count_row(title: str, presets: Judged, best: Judged, names: Sequence[str]) -> Row:
    tallies: dict[str, Tally] = {"presets": presets.tally(names), "inferred": best.tally(names)}
    row: dict[str, Any] = {"problem": title, "cells": tallies["inferred"].cells}
    for who, tally in tallies.items():
        row |= {f"{verdict}-{who}": count for verdict, count in tally.counts.items()}
    return row


def cell_table(presets: Judged, best: Judged) -> Table:
    """Set every cell of the paper beside both readings."""
    columns = (
        *WHERE,
        Column("paper", "Paper"),
        Column("presets", "Presets"),
        Column("presets_verdict", "Verdict"),
        Column("ours", "Inferred"),
        Column("interval", "95 %"),
        Column("sds", "Difference in paper SDs", signed, number=True),
        Column("paper_effect", "Effect, paper"),
        Column("our_effect", "Effect, inferred"),
        Column("verdict", "Verdict"),
    )
    pairs = zip(presets.cells, best.cells, strict=True)
    rows = [_cell_row(before, cell) for before, cell in pairs]
    return Table("cells", "The paper and both readings, cell by cell", columns, rows)


def _cell_row(before: JudgedCell, cell: JudgedCell) -> Row:
    row = load_paper().problem(PAPER + cell.problem).row(cell.agent)
    printed = row.cells[cell.metric]
    return {
        "problem": _title(cell.problem),
        "agent": row.label,
        "metric": "Generality" if cell.metric == "generality" else NAMES[cell.metric],
        "paper": show_paper(printed),
        "presets": show_ours(before.ours, counted=printed.is_count),
        "presets_verdict": before.judgement.verdict,
        "ours": show_ours(cell.ours, counted=printed.is_count),
        "interval": interval(cell.interval),
        "sds": cell.judgement.sds,
        "paper_effect": cell.judgement.paper_effect or DASH,
        "our_effect": cell.judgement.our_effect or DASH,
        "verdict": cell.judgement.verdict,
    }


def remaining_table(best: Judged) -> Table:
    """List the cells that the inferred reading does not match, with what is known about them."""
    columns = (
        *WHERE,
        Column("paper", "Paper"),
        Column("ours", "Inferred"),
        Column("sds", "Difference in paper SDs", signed, number=True),
        Column("verdict", "Verdict"),
        Column("reason", "Reason"),
    )
    rows = [
        {
            **_cell_row(cell, cell),
            "reason": reason_for(cell.problem, cell.agent, cell.metric),
        }
        for cell in best.cells
        if cell.judgement.verdict != "match"
    ]
    return Table("remaining", "Cells that the inferred reading does not match", columns, rows)


def weight_table(weights: Sequence[Weight], noise: float) -> Table:
    """Say of each value what it changes, and whether the tables exclude it."""
    columns = (
        Column("choice", "Choice"),
        Column("value", "Reading"),
        Column("printed", "Printed"),
        Column("tried", "Readings tried", number=True),
        Column("alone", "Alone", lambda x: signed(x, 3), number=True),
        Column("together", "Above the best", lambda x: signed(x, 3), number=True),
        Column("said", "The tables say"),
    )
    rows = [
        {
            "choice": weight.choice.title,
            "value": weight.value,
            "printed": "yes" if weight.printed else "",
            "tried": weight.tried,
            "alone": weight.alone,
            "together": weight.together,
            "said": _said(weight, noise),
        }
        for weight in weights
    ]
    note = (
        "Alone: how the distance of the presets' reading changes. Above the best: the smallest "
        "distance of a joint reading with this value, less the smallest of all. Two readings are "
        f"told apart by a difference of more than {APART * noise:.3f}, with two seeds."
    )
    return Table("weights", "What each reading matters", columns, rows, note)


def _said(weight: Weight, noise: float) -> str:
    if weight.together is not None:
        return "excluded" if weight.together > APART * noise else "possible"
    if weight.alone is None:
        return "not tried"
    return "worse, tried alone" if weight.alone > APART * noise else "possible, tried alone"


def left_out_table(space: Space, left_out: Sequence[LeftOut]) -> Table:
    """Show how far readings are off on problems that took no part in their choice."""
    columns = (
        Column("problem", "Problem left out"),
        Column("distance", "Chosen by the others", fixed, number=True),
        Column("presets", "Presets", fixed, number=True),
        Column("smallest", "Smallest of any", fixed, number=True),
        Column("reading", "Chosen reading"),
    )
    rows = [
        {
            **one._asdict(),
            "problem": _title(one.problem),
            "reading": "; ".join(space.differences(one.reading).values()) or "that of the presets",
        }
        for one in left_out
    ]
    return Table("left_out", "Leaving one problem out", columns, rows)


def _title(problem: str) -> str:
    return load_paper().problem(PAPER + problem).title
