"""Show what `ruleplay fit` has learned: as text, as JSON, as a page."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ruleplay.cli.fitting.fitting import (
    Fitted,
    Lesson,
    Measure,
    ShortList,
    most_frequent,
)
from ruleplay.cli.fitting.verdict import class_remarks, is_no_better, summary
from ruleplay.cli.terminal.output import add_row, new_table, print_json, print_table, say, tell
from ruleplay.learners.common.list_front import ListFront
from ruleplay.learners.rule_list import RuleList
from ruleplay.learners.rule_list.front import evidence
from ruleplay.rules import sentences
from ruleplay.rules.wording import in_full, missing_sentence

MOST_CLASSES = 12  # of a table of confusions that fits a terminal
UNBALANCED = 0.1  # accuracy above balanced accuracy that deserves a hint


class Shown(NamedTuple):
    """What there is to show."""

    fitted: Fitted
    short: ShortList | None
    top: int
    seed: int


def say_columns(lesson: Lesson) -> None:
    """Say what is learned from, what is left out, and why."""
    columns = len(lesson.columns.features)
    what = f"{lesson.labels.nunique()} classes of {lesson.target!r}"
    if lesson.is_quantity:
        what = f"the quantity {lesson.target!r}"
    say(
        f"{lesson.name}: {len(lesson.rows)} rows to learn from, {len(lesson.test_rows)} to test "
        f"with, {columns} column{'' if columns == 1 else 's'}, {what}"
    )
    if lesson.is_quantity:
        say(quantity_remark(lesson))
    for name, what in lesson.columns.decisions.items():
        say(f"  {name}: {what}")
    for name, why in lesson.columns.left_out.items():
        say(f"  {name}: left out: {why}")
    say("to read a column otherwise: --column NAME=KIND (text, number, date or ignore)")
    for note in [*lesson.notes, *([] if lesson.is_quantity else class_remarks(lesson))]:
        say(note)
    gaps = lesson.rows.isna().sum()
    counts = ((name, gaps[name]) for name in lesson.columns.decisions)
    missing = ", ".join(f"{name!r} {count}" for name, count in counts if count)
    if missing:
        say(f"values that are missing in the {len(lesson.rows)} rows to learn from: {missing}")


def quantity_remark(lesson: Lesson) -> str:
    """Say that numbers are to be learned, not classes, and how to have it otherwise."""
    everything = pd.concat([lesson.labels, lesson.test_labels])
    return (
        f"  {lesson.target} is taken for a quantity: {everything.nunique()} different numbers, "
        f"{in_full(everything.min())} to {in_full(everything.max())} (for classes: --column "
        f"{lesson.target}=text)"
    )


def show_fitted(shown: Shown, *, as_json: bool, model: Path | None, page: Path | None) -> None:
    """Print the results, and write the page if one is asked for; the model is written."""
    if page is not None:
        from ruleplay.cli.fitting.page import write_page

        write_page(page, shown)
    if as_json:
        print_json(describe(shown, model))
    else:
        if said := summary(shown.fitted, shown.short):
            tell(said, "")
        print_measures(shown.fitted)
        tell(*by_hand_lines(shown))
        print_rules(shown)
    say_files(model, page)


def say_files(model: Path | None, page: Path | None, *, decides: bool = True) -> None:
    """Say which files there are now, and what may be done; rules that decide can be programs."""
    if model is not None:
        again = "its rules again, or as a program" if decides else "its rules again"
        say(f"model: {model} ({again}: `ruleplay rules {model}`;")
        say(f"answers about new rows: `ruleplay predict {model} NEW.csv`)")
    if page is not None:
        say(f"page: {page}")


def print_measures(fitted: Fitted) -> None:
    """Print accuracy beside that of the simplest answer, and what is mistaken for what."""
    if fitted.tested is None or fitted.usual is None:
        tell("no rows were held out: how good the model is has not been measured")
        return
    tell(f"on {fitted.tested.share.n} rows that it has not learned from:")
    usual = most_frequent(fitted.lesson)
    tell(f"  accuracy           {in_words(fitted.tested)}")
    tell(f"  balanced accuracy  {fitted.tested.balanced:.3f}  (mean over the classes)")
    simplest = fitted.usual
    tell(f"  always {usual!r}: accuracy {simplest.accuracy:.3f}, balanced {simplest.balanced:.3f}")
    unbalanced = fitted.tested.accuracy - fitted.tested.balanced > UNBALANCED
    if unbalanced and fitted.model.class_weight is None:
        say("rare classes are recognised less often: try --set class_weight=balanced")
    tell("")
    print_confusions(*confusions(fitted))


def in_words(measure: Measure) -> str:
    """Return an accuracy with its interval.

    The interval says where the true accuracy lies in 95 of 100 cases.
    """
    low, high = measure.share.interval
    return (
        f"{measure.accuracy:.3f}  ({measure.share.count} of {measure.share.n}; "
        f"95 % interval {low:.2f} to {high:.2f})"
    )


def print_confusions(names: list[str], counts: list[list[int]]) -> None:
    """Print a table: rows are what is right, columns what was answered."""
    if len(names) > MOST_CLASSES:
        say(f"the table of {len(names)} classes is in --json and --report")
        return
    columns = [f"→ {name}" for name in names]
    table = new_table("in truth", *columns, numbers=tuple(columns))
    for name, row in zip(names, counts, strict=True):
        add_row(table, name, *(str(count) if count else "·" for count in row))
    print_table(table)


def confusions(fitted: Fitted) -> tuple[list[str], list[list[int]]]:
    """Return all classes, and how often each (row) was taken for each (column)."""
    right = fitted.lesson.test_labels.to_numpy(str)
    names = np.union1d(fitted.model.classes_, right)
    counts = np.zeros((len(names), len(names)), int)
    np.add.at(counts, (np.searchsorted(names, right), np.searchsorted(names, fitted.guesses)), 1)
    return names.tolist(), counts.tolist()


def print_rules(shown: Shown) -> None:
    """Print the short list, or the strongest rules."""
    total = shown.fitted.model.engine_.macroclassifiers
    if shown.short is None:
        tell("", f"the strongest of {total} rules:", *strongest(shown))
    else:
        tell("", heading(shown.short, total), *list_lines(shown.short))
    tell(*remarks(shown))
    if shown.short is not None:
        print_front(shown.short.model.front())


def by_hand_lines(shown: Shown) -> list[str]:
    """Say how many of the rules that a person gave are in the model, and how right they are."""
    told, model = by_hand_records(shown.fitted), shown.fitted.model
    given = len(model.start_rules or ()) + len(model.protected_rules or ())
    if not given:
        return []
    there = sum(record["in_model"] for record in told)
    are = f"{there} {'is' if there == 1 else 'are'}"
    rules = f"{given} rule{'' if given == 1 else 's'}"
    lines = ["", f"of {rules} by hand {are} in the model; on the rows that it has learned from:"]
    if given > len(told):
        lines.append(f"  {given - len(told)} hold for no value of these rows, or stand there twice")
    for record in told[: shown.top]:
        seen = evidence(record["rows"], record["right"]) if record["rows"] else "no row"
        remark = ", protected" if record["protected"] else ""
        remark += "" if record["in_model"] else ", not in the model any more"
        lines.append(f"  IF {record['if']} THEN {record['class']}  ({seen}{remark})")
    rest = len(told) - shown.top
    return [*lines, f"  and {rest} more (--top, --json)"] if rest > 0 else lines


def by_hand_records(fitted: Fitted) -> list[dict[str, Any]]:
    """Return what became of the rules that a person gave, as plain values."""
    labels = fitted.lesson.labels.to_numpy(str)
    table = fitted.model.rules_by_hand(fitted.lesson.rows, labels)
    kinds = {
        "if": str,
        "class": str,
        "protected": bool,
        "in_model": bool,
        "rows": int,
        "right": int,
    }
    return [
        {name: kind(record[name]) for name, kind in kinds.items()}
        for record in table.to_dict("records")
    ]


def strongest(shown: Shown) -> list[str]:
    """Return the strongest rules as sentences."""
    return sentences(shown.fitted.model.ruleset_, shown.top)


def remarks(shown: Shown) -> list[str]:
    """Return what must be known to read the rules: what a missing value means, if one may be."""
    if shown.short is not None and shown.short.chosen.n_rules == 0:
        return []
    rules = shown.fitted.model.ruleset_
    told = missing_sentence(rules.missing_values, rules.features)
    return [told] if rules.missing_values == "match" else []


def heading(short: ShortList, total: int) -> str:
    """Say what a short list is and how well it does."""
    count = short.chosen.n_rules
    text = f"in short, {count} rule{'' if count == 1 else 's'} instead of {total}"
    if count == 0:
        text = f"in short, one answer instead of {total} rules"
    if short.tested is None:
        held_out = short.chosen.held_out_accuracy
        return f"{text}, with accuracy {held_out:.3f} in cross-validation:"
    return f"{text}, with accuracy {in_words(short.tested).replace('  ', ' ')}:"


def list_lines(short: ShortList) -> list[str]:
    """Return a list's rules as lines that are read from the first to the last."""
    return [f"  {line}" for line in short.chosen.text().splitlines()]


def print_front(front: ListFront[Any]) -> None:
    """Print how well lists of other lengths do, if there are any."""
    if len(front) < 2:
        return
    tell("", "shorter and longer lists, judged by rows held out in turn (cross-validation):")
    columns = ("rules", "training rows", "held-out rows")
    table = new_table(*columns, "", numbers=columns)
    for known in front:
        mark = "shown" if known.n_rules == front.chosen else ""
        figures = (front.written(known.training), front.written(known.held_out))
        add_row(table, str(known.n_rules), *figures, mark)
    print_table(table)
    say("another length: --max-rules N")


def describe_columns(lesson: Lesson) -> dict[str, Any]:
    """Return what the columns were taken for as plain values."""
    return {
        "features": lesson.columns.features,
        "categories": lesson.columns.categories,
        "left_out": lesson.columns.left_out,
        "columns": lesson.columns.decisions,
        "notes": lesson.notes,
    }


def describe(shown: Shown, model: Path | None) -> dict[str, Any]:
    """Return everything a script may want to know, by name."""
    fitted, lesson = shown.fitted, shown.fitted.lesson
    document: dict[str, Any] = {
        "data": lesson.name,
        "target": lesson.target,
        "classes": {str(k): int(n) for k, n in lesson.labels.value_counts().sort_index().items()},
        **describe_columns(lesson),
        "missing_values": fitted.model.engine_.config.missing_values,
        "seed": shown.seed,
        "presentations": fitted.model.n_steps_,
        "seconds": fitted.seconds,
        "rules": fitted.model.engine_.macroclassifiers,
        "rows": {"train": len(lesson.rows), "test": len(lesson.test_rows)},
        "rules_by_hand": by_hand_records(fitted),
        "summary": summary(fitted, shown.short),
        "test": None,
        "short_list": None,
        "model": None if model is None else str(model),
    }
    if fitted.tested is not None and fitted.usual is not None:
        names, counts = confusions(fitted)
        document["test"] = {
            **describe_measure(fitted.tested),
            "majority": {"class": most_frequent(lesson), **describe_measure(fitted.usual)},
            "no_better_than_majority": is_no_better(fitted),
            "confusions": {"classes": names, "counts": counts},
        }
    if shown.short is not None:
        listed = list_records(shown.short.chosen)
        document["short_list"] = {
            "rules": listed[:-1],
            "otherwise": listed[-1],
            "front": shown.short.model.front().records(),
            "test": None if shown.short.tested is None else describe_measure(shown.short.tested),
        }
    else:
        document["strongest_rules"] = strongest(shown)
    return document


def list_records(chosen: RuleList) -> list[dict[str, Any]]:
    """Return the rules of a list as plain values, what is answered otherwise last."""
    rules = chosen.ruleset
    conditions = [record["if"] for record in rules.records()]
    answers = [rules.outcome_names[k] for k in (*rules.action, rules.default_action)]
    told = zip([*conditions, ""], answers, chosen.counts, strict=True)
    return [
        {"condition": condition, "label": label, "rows": rows, "right": right}
        for condition, label, (rows, right) in told
    ]


def describe_measure(measure: Measure) -> dict[str, Any]:
    """Return a measure as plain values."""
    return {
        "accuracy": measure.accuracy,
        "interval": list(measure.share.interval),
        "balanced_accuracy": measure.balanced,
    }
