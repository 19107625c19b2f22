"""Write what `ruleplay fit` has learned of a quantity as one page that needs nothing else."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ruleplay.cli.fitting.front_picture import describe_front
from ruleplay.cli.fitting.output import quantity_remark
from ruleplay.cli.fitting.page import columns, importance, lead
from ruleplay.cli.fitting.quantity.answers_picture import draw_answers
from ruleplay.cli.fitting.quantity.output import describe
from ruleplay.cli.reading.intervals import intervals_of
from ruleplay.cli.reading.known_rows import with_quantities
from ruleplay.output.files import write_whole
from ruleplay.report.page_parts import RULES
from ruleplay.report.page_parts import render as render_template
from ruleplay.report.rule_data import describe_rules
from ruleplay.report.rule_list import list_items
from ruleplay.report.svg import round_ticks
from ruleplay.rules import fixed, reading_sentence

if TYPE_CHECKING:
    from ruleplay.cli.fitting.quantity.output import ShownQuantity

TEMPLATES = "ruleplay.cli.fitting"  # the package that has them


def write_page(path: Path, shown: "ShownQuantity") -> None:
    """Write the page, whole or not at all."""
    write_whole(path, render(shown))


def render(shown: "ShownQuantity") -> str:
    """Return the page."""
    fitted, short = shown.fitted, shown.short
    lesson, document = fitted.lesson, describe(shown, None)
    rules, n_features = fitted.model.ruleset_, len(lesson.columns.features)
    return render_template(
        "quantity_page.html",
        RULES,
        package=TEMPLATES,
        looks={},
        name=lesson.name,
        target=lesson.target,
        document=document,
        lead=lead(document),
        counts=(
            f"{len(lesson.rows)} rows to learn from, {len(lesson.test_rows)} to test with, "
            f"{n_features} column{'' if n_features == 1 else 's'}."
        ),
        items=[] if short is None else list_items(short.chosen.ruleset),
        n_rules=len(rules),
        reading=reading_sentence(rules if short is None else short.chosen.ruleset),
        measures=measures(shown),
        answers=answers(shown),
        importance=importance(rules),
        front=None if short is None else describe_front(short.model.front(), round_ticks),
        models=models(shown),
        columns=columns(lesson),
        remarks=[quantity_remark(lesson).strip(), *lesson.notes],
    )


def models(shown: "ShownQuantity") -> list[dict[str, Any]]:
    """Return what visitors may question: the short list, and all rules."""
    fitted, lesson = shown.fitted, shown.fitted.lesson
    everything = fitted.model.ruleset_
    known = with_quantities(
        fitted.model,
        lesson.rows,
        lesson.labels.to_numpy(np.float64),
        f"rows of {lesson.name} that were learned from",
    )
    intervals = intervals_of(fitted.model)
    described = {
        f"all {len(everything)} rules": describe_rules(
            [everything], known=known, intervals=intervals
        )
    }
    if shown.short is not None:
        listed = describe_rules([shown.short.chosen.ruleset], known=known)
        described = {"the short list": listed, **described}
    return [
        {"id": f"model-{k}", "name": name, "data": data}
        for k, (name, data) in enumerate(described.items())
    ]


def measures(shown: "ShownQuantity") -> list[dict[str, Any]]:
    """Return how far all rules, the list and the simplest answer are off on the test rows."""
    fitted, short = shown.fitted, shown.short
    known = [("all rules", fitted.tested), (f"always {fitted.written(fitted.mean)}", fitted.usual)]
    if short is not None:
        known.insert(1, ("the short list", short.tested))
    return [
        {
            "label": label,
            "error": fitted.written(one.error),
            "r2": fixed(one.explained, 3),
            "median": fitted.written(one.median),
            "nine_tenths": fitted.written(one.nine_tenths),
        }
        for label, one in known
        if one is not None
    ]


def answers(shown: "ShownQuantity") -> Any:
    """Return a picture of the answers about the test rows, if there are any: the list's."""
    lesson = shown.fitted.lesson
    right = lesson.test_labels.to_numpy(np.float64)
    if not len(right):
        return None
    if shown.short is None:
        return draw_answers(right, shown.fitted.answers)
    return draw_answers(right, shown.short.model.predict(lesson.test_rows))
