"""`ruleplay rules`: read, explain, compact, export and draw the rules of a saved model."""

from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ruleplay.cli.terminal.outputs import Force
from ruleplay.errors import ConfigError


class Format(StrEnum):
    """How rules are printed."""

    TEXT = "text"
    CSV = "csv"
    JSON = "json"
    PYTHON = "python"
    HTML = "html"
    C = "c"
    JAVASCRIPT = "javascript"
    SQL = "sql"
    ONNX = "onnx"
    PMML = "pmml"
    CARD = "card"


WITH_TOP = (Format.TEXT, Format.JSON, Format.CSV)  # forms that may show the first rules only


class Method(StrEnum):
    """How rules are made fewer."""

    EVALUATE = "evaluate"
    GREEDY = "greedy"


def rules(
    model: Annotated[
        Path,
        typer.Argument(
            exists=True,
            dir_okay=False,
            help="A model written by `fit --save` or `run --save`, or rules written by "
            "`rules --out FILE.json`.",
        ),
    ],
    top: Annotated[
        int | None, typer.Option(min=1, help="Number of rules to show, the first ones (text: 20).")
    ] = None,
    format_: Annotated[
        Format | None,
        typer.Option("--format", help="Default: text. Forms for other programs hold all rules."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    all_: Annotated[
        bool, typer.Option("--all", help="Show all rules, even if the model has a short list.")
    ] = False,
    compact: Annotated[
        bool, typer.Option("--compact", help="Make a few rules that decide as all rules do.")
    ] = False,
    method: Annotated[
        Method, typer.Option(help="evaluate: an ordered list; greedy: the strongest rules.")
    ] = Method.EVALUATE,
    max_rules: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=1000,
            help="Longest list (default: the length that `fit` chose; with --compact, 10).",
        ),
    ] = None,
    episodes: Annotated[
        int,
        typer.Option(
            min=0, max=10_000, help="Episodes that judge a list, if the model acts; 0: none."
        ),
    ] = 40,
    data: Annotated[
        str | None,
        typer.Option(
            metavar="FILE.csv",
            help="Rows that judge a list, or that a page draws, if the model classifies; "
            "- reads a pipe.",
        ),
    ] = None,
    separator: Annotated[
        str,
        typer.Option(help="What separates fields: a character, the word tab, or auto to find it."),
    ] = "auto",
    explain: Annotated[
        str | None,
        typer.Option(
            metavar="VALUES", help="Explain the decision about an observation, such as 5.1,red,?"
        ),
    ] = None,
    map_: Annotated[
        Path | None,
        typer.Option("--map", dir_okay=False, help="Draw the rules (.svg, .png or .pdf)."),
    ] = None,
    features: Annotated[
        str | None, typer.Option(metavar="A,B", help="The two features of the map.")
    ] = None,
    at: Annotated[
        str | None,
        typer.Option(
            metavar="VALUES",
            help="The observation at which the map cuts through the other features.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            dir_okay=False,
            help="Write the rules to a file: .json, .csv, .py, .txt, .html, .c, .js, .sql, .onnx, "
            ".pmml, .md (a model card).",
        ),
    ] = None,
    table: Annotated[
        str, typer.Option(help="The table that a query of SQL reads.")
    ] = "observations",
    force: Force = False,
) -> None:
    """Print the rules of a model: its short list, or all rules, the strongest first.

    What is printed, written or drawn is the list that `fit` has made and saved, if there is one;
    --all takes all rules instead.
    """
    from ruleplay.cli.reading import views

    form = chosen_form(format_, as_json=json)
    if top is not None and (form not in WITH_TOP or out is not None):
        raise ConfigError("--top would change what the rules decide: use --max-rules instead")
    if (features or at) and map_ is None:
        raise ConfigError("--features and --at need --map FILE")
    check_data(data, form, out, compact=compact)
    if all_ and (compact or max_rules is not None):
        raise ConfigError("--all contradicts --compact and --max-rules")
    views.check_targets(out, map_, [model, data], force=force)
    view = replace(views.load(model), table=table)
    if not all_:
        view = views.shortened(view, max_rules)
    plane, through = views.read_names(features), views.read_observation("--at", at, view.rules)
    observation = views.read_observation("--explain", explain, view.rules)
    if compact:
        view = views.compacted(view, views.Wish(method, max_rules, episodes, data, separator))
    elif data is not None:
        view = replace(view, data=(data, separator))
    if map_ is not None:
        view.draw(map_, plane, through)
    if out is not None:
        view.write(out)
    if form is Format.HTML and out is not None and out.suffix == ".html":
        return  # a page is read in a browser, not beside its file
    if observation is not None:
        view.explain(observation, as_json=form is Format.JSON)
    elif form is not Format.TEXT or (map_ is None and out is None):
        view.show(form, top)


def check_data(data: str | None, form: Format, out: Path | None, *, compact: bool) -> None:
    """Refuse rows that nothing would be done with."""
    is_page = form is Format.HTML or (out is not None and out.suffix == ".html")
    if data is not None and not (compact or is_page):
        raise ConfigError("--data needs --compact, or a page (.html)")


def chosen_form(given: Format | None, *, as_json: bool) -> Format:
    """Return the form that two options ask for."""
    if as_json and given not in (None, Format.JSON):
        raise ConfigError(f"--json contradicts --format {given}")
    return Format.JSON if as_json else given or Format.TEXT
