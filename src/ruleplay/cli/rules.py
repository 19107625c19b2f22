"""`ruleplay rules`: read the rules of a saved model."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ruleplay.errors import ConfigError

if TYPE_CHECKING:
    from ruleplay.engine import XCS


class Format(StrEnum):
    """How rules are printed."""

    TEXT = "text"
    CSV = "csv"
    JSON = "json"


def rules(
    model: Annotated[
        Path,
        typer.Argument(exists=True, dir_okay=False, help="A model written by `run --save`."),
    ],
    top: Annotated[
        int | None, typer.Option(min=1, help="Only the first so many rules (text: 20).")
    ] = None,
    format_: Annotated[
        Format | None, typer.Option("--format", help="Default: text. csv and json: all rules.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> None:
    """Print the rules of a model, those with most fitness and numerosity first."""
    from ruleplay.cli._output import print_json
    from ruleplay.engine import XCS

    if json and format_ not in (None, Format.JSON):
        raise ConfigError(f"--json contradicts --format {format_}")
    engine = XCS.load(model)
    if json or format_ is Format.JSON:
        print_json(describe_model(engine, top))
    elif format_ is Format.CSV:
        typer.echo(as_csv(engine, top), nl=False)
    else:
        print_rules(engine, 20 if top is None else top)


def describe_model(engine: "XCS", top: int | None) -> dict[str, Any]:
    """Return a model and its first rules as plain values."""
    from ruleplay.rules import names_of, rules_records

    names = names_of(engine)
    bounds = zip(engine.low.tolist(), engine.high.tolist(), strict=True)
    return {
        **{key: engine.about.get(key) for key in ("preset", "agent", "problem")},
        "seed": engine.seed,
        "learning_steps": engine.learning_steps,
        "macroclassifiers": engine.macroclassifiers,
        "microclassifiers": engine.microclassifiers,
        "features": dict(zip(names.features, map(list, bounds), strict=True)),
        "actions": list(names.actions),
        "rules": rules_records(engine, top),
    }


def as_csv(engine: "XCS", top: int | None) -> str:
    """Return the table of rules as comma-separated values."""
    from ruleplay.rules import rules_table

    text: str = rules_table(engine).head(top).to_csv(index=False, lineterminator="\n")
    return text


def print_rules(engine: "XCS", top: int) -> None:
    """Print a table on a terminal, and a sentence per rule elsewhere."""
    from rich.console import Console

    from ruleplay.cli._output import say
    from ruleplay.rules import rules_text

    if Console().is_terminal:
        print_rules_table(engine, top)
    else:
        typer.echo(rules_text(engine, top))
    shown = min(top, engine.macroclassifiers)
    say(f"{shown} of {engine.macroclassifiers} rules, by fitness times numerosity")


def print_rules_table(engine: "XCS", top: int) -> None:
    """Print rules as a table with conditions in words."""
    from ruleplay.cli._output import add_row, new_table, print_table
    from ruleplay.rules import fixed, rules_records, value_digits

    numbers = ("prediction", "error", "fitness", "num", "exp")
    table = new_table("if", "then", *numbers, numbers=numbers)
    table.show_lines = True
    digits = value_digits(engine)
    for record in rules_records(engine, top):
        add_row(
            table,
            record["if"].replace(" AND ", "\n"),
            record["action"],
            fixed(record["prediction"], digits),
            fixed(record["error"], digits),
            fixed(record["fitness"], 3),
            str(record["numerosity"]),
            str(record["experience"]),
        )
    print_table(table)
