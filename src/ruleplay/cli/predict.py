"""`ruleplay predict`: apply a saved model to the rows of a new file."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ruleplay.cli.terminal.outputs import Force, Output, check_outputs
from ruleplay.errors import ConfigError


def predict(
    model: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, help="A model written by `fit --save`.")
    ],
    data: Annotated[
        str,
        typer.Argument(
            metavar="NEW.csv", help="A table whose first line names the columns; - reads a pipe."
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(dir_okay=False, help="Write the rows with their answers to this CSV file."),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Add the rule that decides to each row.")
    ] = False,
    all_: Annotated[
        bool, typer.Option("--all", help="Ask all rules, not the short list that `fit` has made.")
    ] = False,
    max_rules: Annotated[
        int | None,
        typer.Option(min=0, max=1000, help="Take a list with no more rules than this."),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="The column that holds the true answers (that of `fit`, if it is there).",
        ),
    ] = None,
    separator: Annotated[
        str,
        typer.Option(help="What separates fields: a character, the word tab, or auto to find it."),
    ] = "auto",
    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document instead of text.")
    ] = False,
    force: Force = False,
) -> None:
    """Answer about the rows of a CSV file by a saved model; print or write them with the answers.

    Columns are found by their names and read as `fit` has read them. What the model does not know
    is reported: unknown categories, columns that are not there, numbers beyond those learned from.
    So is the accuracy, or how far numbers are off, if the column of the target is there.
    """
    if all_ and max_rules is not None:
        raise ConfigError("--all contradicts --max-rules")
    if out is not None and out.suffix not in (".csv", ".tsv", ".txt"):
        raise ConfigError(f"--out must end in .csv, .tsv or .txt, got {out.name!r}")
    check_outputs([Output("--out", out, "table of predictions")], [model, data], force=force)
    from ruleplay.cli.fitting.reading import look_at

    look_at(data, separator)  # before what takes seconds to load
    from ruleplay.cli.predicting.loading import load
    from ruleplay.cli.predicting.output import added_columns, describe, show, table_writer
    from ruleplay.cli.predicting.predicting import Wish, predict_rows

    predictor = load(model, max_rules, all_rules=all_)
    wish = Wish(data, separator, target, explain)
    if json and out is None:
        predictions: list[dict[str, Any]] = []
        names = ("answer", predictor.certainty, "reason")

        def collect(_: Any, added: list[list[str]]) -> None:
            predictions.extend(dict(zip(names, fields, strict=False)) for fields in added)

        describe(predict_rows(predictor, wish, collect), out, predictions)
        return
    with table_writer(out, added_columns(predictor, target, explain=explain)) as write:
        outcome = predict_rows(predictor, wish, write)
    if json:
        describe(outcome, out, [])
    else:
        show(outcome, out)
