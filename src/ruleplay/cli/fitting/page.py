"""Write what `ruleplay fit` has learned as one page that needs nothing else."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ruleplay.cli.fitting.front_picture import describe_front
from ruleplay.cli.fitting.output import by_hand_lines, confusions, describe, remarks
from ruleplay.cli.fitting.trust_picture import draw_trust
from ruleplay.cli.fitting.verdict import class_remarks
from ruleplay.cli.reading.known_rows import with_rows
from ruleplay.output.files import write_whole
from ruleplay.report.page_parts import RULES
from ruleplay.report.page_parts import render as render_template
from ruleplay.report.rule_data import describe_rules
from ruleplay.report.rule_list import list_items
from ruleplay.report.svg import tick_values
from ruleplay.rules.drawing.reliability import measure_reliability

if TYPE_CHECKING:
    from ruleplay.cli.fitting.fitting import Fitted, Lesson
    from ruleplay.cli.fitting.output import Shown
    from ruleplay.rules import RuleSet

MOST_CLASSES = 20  # of a table of confusions; of more, the most frequent confusions are named
MOST_CONFUSIONS = 12
MOST_FEATURES = 20  # whose importance is drawn
FEWEST_ANSWERS = 20  # that say something about probabilities
BINS = 10


def write_page(path: Path, shown: "Shown") -> None:
    """Write the page, whole or not at all."""
    write_whole(path, render(shown))


def render(shown: "Shown") -> str:
    """Return the page."""
    fitted, short = shown.fitted, shown.short
    lesson = fitted.lesson
    document = describe(shown, None)
    return render_template(
        "page.html",
        RULES,
        package=__package__,
        looks={},
        name=lesson.name,
        target=lesson.target,
        document=document,
        lead=lead(document),
        counts=counts(lesson),
        items=[] if short is None else list_items(short.chosen.ruleset, short.chosen.counts),
        n_rules=fitted.model.engine_.macroclassifiers,
        reading=remarks(shown),
        by_hand=by_hand_lines(shown),
        measures=measures(document),
        matrix=matrix(fitted),
        trust=trust(fitted),
        importance=importance(fitted.model.ruleset_),
        front=None if short is None else describe_front(short.model.front(), tick_values),
        models=models(shown),
        columns=columns(lesson),
        remarks=[*lesson.notes, *class_remarks(lesson)],
    )


def lead(document: dict[str, Any]) -> str:
    """Return the summary as a sentence of its own."""
    said = document["summary"] or "no rows were held out: how good the model is was not measured"
    return f"{said[0].upper()}{said[1:]}."


def counts(lesson: "Lesson") -> str:
    """Say how many rows, columns and classes there are; of few classes, how many rows of each."""
    features, classes = len(lesson.columns.features), lesson.labels.value_counts().sort_index()
    each = ", ".join(f"{name} {count}" for name, count in classes.items())
    return (
        f"{len(lesson.rows)} rows to learn from, {len(lesson.test_rows)} to test with, "
        f"{features} column{'' if features == 1 else 's'}, {len(classes)} classes"
        f"{f': {each}' if len(classes) <= MOST_CLASSES else ''}."
    )


def measures(document: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Return how well all rules, the list and the simplest answer do on the test rows."""
    tested, short = document["test"], document["short_list"]
    if not tested:
        return []
    usual = tested["majority"]
    listed = [] if short is None else [("the short list", short["test"])]
    return [("all rules", tested), *listed, (f"always {usual['class']!r}", usual)]


def matrix(fitted: "Fitted") -> dict[str, Any] | None:
    """Return what is taken for what: each count with its share of the row, or the largest ones."""
    if fitted.tested is None:
        return None
    names, table = confusions(fitted)
    rows = [[{"count": count, "share": count / max(sum(row), 1)} for count in row] for row in table]
    mistakes = sorted(
        (
            (count, sum(row), names[k], names[j])
            for k, row in enumerate(table)
            for j, count in enumerate(row)
            if j != k and count
        ),
        key=lambda found: -found[0],
    )
    return {
        "names": names,
        "rows": rows if len(names) <= MOST_CLASSES else [],
        "mistakes": mistakes[:MOST_CONFUSIONS],
    }


def trust(fitted: "Fitted") -> dict[str, Any] | None:
    """Return how far probabilities can be trusted, drawn and in figures, if there are enough."""
    right_labels = fitted.lesson.test_labels.to_numpy(str)
    if len(right_labels) < FEWEST_ANSWERS:
        return None
    probability = fitted.model.predict_proba(fitted.lesson.test_rows).max(axis=1)
    right = fitted.guesses == right_labels
    surest = np.argsort(-probability, kind="stable")[: (len(right) + 1) // 2]
    found = measure_reliability(probability, right, BINS)
    return {
        "picture": draw_trust(found),
        "off": found.calibration_error,
        "surest": float(right[surest].mean()),
    }


def importance(rules: "RuleSet") -> list[tuple[str, float]]:
    """Return the most important features with their shares, the largest first."""
    shares = rules.importance()
    order = np.argsort(-shares, kind="stable")[:MOST_FEATURES]
    return [(rules.feature_names[k], float(shares[k])) for k in order]


def models(shown: "Shown") -> list[dict[str, Any]]:
    """Return what visitors may question: the short list, and all rules."""
    fitted = shown.fitted
    known = with_rows(
        fitted.model,
        fitted.lesson.rows,
        fitted.lesson.labels.to_numpy(str),
        f"rows of {fitted.lesson.name} that were learned from",
    )
    everything = fitted.model.ruleset_
    sets = {f"all {len(everything)} rules": everything}
    if shown.short is not None:
        sets = {"the short list": shown.short.chosen.ruleset, **sets}
    return [
        {"id": f"model-{k}", "name": name, "data": describe_rules([rules], known=known)}
        for k, (name, rules) in enumerate(sets.items())
    ]


def columns(lesson: "Lesson") -> list[dict[str, Any]]:
    """Return what each column was taken for, and how many values are missing."""
    gaps = lesson.rows.isna().sum()
    used = [
        {"name": name, "what": what, "missing": int(gaps[name]), "used": True}
        for name, what in lesson.columns.decisions.items()
    ]
    left_out = [
        {"name": name, "what": f"left out: {why}", "missing": 0, "used": False}
        for name, why in lesson.columns.left_out.items()
    ]
    return [*used, *left_out]
