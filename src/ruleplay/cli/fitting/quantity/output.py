"""Show what `ruleplay fit` has learned of a quantity: as text, as JSON, as a page."""

from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from ruleplay.cli.fitting.output import describe_columns, print_front, say_files
from ruleplay.cli.fitting.quantity.fitting import (
    FittedQuantity,
    QuantityMeasure,
    ShortQuantityList,
)
from ruleplay.cli.fitting.quantity.verdict import is_no_better, list_name, summary
from ruleplay.cli.terminal.output import print_json, tell
from ruleplay.learners.rule_list_regressor import QuantityList
from ruleplay.rules import reading_sentence, sentences
from ruleplay.rules.wording import fixed


class ShownQuantity(NamedTuple):
    """What there is to show."""

    fitted: FittedQuantity
    short: ShortQuantityList | None
    top: int
    seed: int


def show_quantity(
    shown: ShownQuantity, *, as_json: bool, model: Path | None, page: Path | None
) -> None:
    """Print the results, and write the page if one is asked for; the model is written."""
    if page is not None:
        from ruleplay.cli.fitting.quantity.page import write_page

        write_page(page, shown)
    if as_json:
        print_json(describe(shown, model))
    else:
        if said := summary(shown.fitted, shown.short):
            tell(said, "")
        tell(*measure_lines(shown.fitted))
        print_rules(shown)
    say_files(model, page, decides=False)


def measure_lines(fitted: FittedQuantity) -> list[str]:
    """Say how far answers are off on the test rows, beside the simplest answer."""
    if fitted.tested is None or fitted.usual is None:
        return ["no rows were held out: how good the model is has not been measured"]
    told, tested = fitted.written, fitted.tested
    return [
        f"on {tested.rows} rows that it has not learned from, {fitted.lesson.target!r} is off by",
        f"  {told(tested.error)} (root mean square{explained(tested, '; ')})",
        f"  less than {told(tested.median)} in half of the rows, less than "
        f"{told(tested.nine_tenths)} in nine of ten",
        f"  {told(fitted.usual.error)} if the answer is always the mean, {told(fitted.mean)}",
    ]


def print_rules(shown: ShownQuantity) -> None:
    """Print the short list, or the strongest rules."""
    rules, short = shown.fitted.model.ruleset_, shown.short
    if short is None:
        tell("", f"the strongest of {len(rules)} rules:", *sentences(rules, shown.top))
    else:
        lines = short.chosen.text().splitlines()
        tell("", heading(shown), *(f"  {line}" for line in lines))
    tell(reading_sentence(rules if short is None else short.chosen.ruleset))
    if short is not None:
        print_front(short.model.front())


def heading(shown: ShownQuantity) -> str:
    """Say what a short list is and how far it is off."""
    assert shown.short is not None
    tested, chosen = shown.short.tested, shown.short.chosen
    text = f"in short, {list_name(shown.short)} instead of {len(shown.fitted.model.ruleset_)} rules"
    if tested is None:
        return f"{text}, off by {shown.fitted.written(chosen.held_out_error)} in cross-validation:"
    share = explained(tested)
    return f"{text}, off by {shown.fitted.written(tested.error)}{f' ({share})' if share else ''}:"


def explained(tested: QuantityMeasure, before: str = "") -> str:
    """Return R² in words, or nothing where test rows all have the same value."""
    return f"{before}R² {fixed(tested.explained, 3)}" if isfinite(tested.explained) else ""


def describe(shown: ShownQuantity, model: Path | None) -> dict[str, Any]:
    """Return everything a script may want to know, by name."""
    fitted, lesson, short = shown.fitted, shown.fitted.lesson, shown.short
    document: dict[str, Any] = {
        "data": lesson.name,
        "target": lesson.target,
        "task": "quantity",
        "mean": fitted.mean,
        **describe_columns(lesson),
        "missing_values": fitted.model.ruleset_.missing_values,
        "seed": shown.seed,
        "presentations": fitted.model.n_steps_,
        "seconds": fitted.seconds,
        "rules": fitted.model.engine_.macroclassifiers,
        "rows": {"train": len(lesson.rows), "test": len(lesson.test_rows)},
        "summary": summary(fitted, short),
        "test": None,
        "short_list": None,
        "model": None if model is None else str(model),
    }
    if fitted.tested is not None and fitted.usual is not None:
        document["test"] = {
            **describe_measure(fitted.tested),
            "always_mean": describe_measure(fitted.usual),
            "no_better_than_mean": is_no_better(fitted),
        }
    if short is None:
        document["strongest_rules"] = sentences(fitted.model.ruleset_, shown.top)
        return document
    listed = list_records(short.chosen)
    document["short_list"] = {
        "rules": listed[:-1],
        "otherwise": listed[-1],
        "front": short.model.front().records(),
        "test": None if short.tested is None else describe_measure(short.tested),
    }
    return document


def list_records(chosen: QuantityList) -> list[dict[str, Any]]:
    """Return the rules of a list as plain values, the one for all other rows last."""
    return [
        {
            "condition": record["if"] if record["condition"] else "",
            "says": record["then"],
            "rows": record["experience"],
            "error": record["error"],
            **{key: value for key, value in record.items() if key.startswith(("inter", "slope_"))},
        }
        for record in chosen.ruleset.records()
    ]


def describe_measure(measure: QuantityMeasure) -> dict[str, Any]:
    """Return a measure as plain values."""
    return {
        "root_mean_squared_error": measure.error,
        "r2": measure.explained,
        "median_error": measure.median,
        "error_of_nine_tenths": measure.nine_tenths,
    }
