"""Where predictions go: to a file, a pipe, a terminal; and what is said about them."""

import csv
import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Any

import typer

from ruleplay.cli.fitting.chunks import Chunk
from ruleplay.cli.fitting.output import describe_measure, in_words, print_confusions
from ruleplay.cli.predicting.loading import AnyPredictor
from ruleplay.cli.predicting.predicting import Outcome, Write
from ruleplay.cli.predicting.quantity import QuantityScore
from ruleplay.cli.predicting.score import Score
from ruleplay.cli.terminal.output import print_json, say, tell
from ruleplay.output.files import opened_whole
from ruleplay.output.harmless import guarded_cell, visible
from ruleplay.rules.quantities import error_digits, rounded

ON_TERMINAL = 20  # rows that a terminal shows


class Table:
    """Rows with their answers as CSV, the names of all columns first."""

    def __init__(self, put: Callable[[str], None], added: list[str]) -> None:
        """Write text by `put`; `added` are the names of columns that are added."""
        self._put, self._added = put, added
        self._begun = False

    def write(self, chunk: Chunk, added: list[list[str]]) -> None:
        """Write some rows with what is added to each."""
        text = io.StringIO()
        writer = csv.writer(text, delimiter=chunk.separator, lineterminator="\n")
        if not self._begun:
            writer.writerow([*chunk.names, *(free_name(n, chunk.names) for n in self._added)])
            self._begun = True
        for row, fields in zip(chunk.rows, added, strict=True):
            writer.writerow([*row, *(guarded_cell(visible(field)) for field in fields)])
        self._put(text.getvalue())


def free_name(name: str, taken: list[str]) -> str:
    """Return a name that no column has.

    >>> free_name("prediction", ["size", "prediction"])
    'prediction_'
    """
    while name in taken:
        name += "_"
    return name


def counted(rows: int) -> str:
    """Return a number of rows in words."""
    return f"{rows} row{'' if rows == 1 else 's'}"


def added_columns(predictor: AnyPredictor, target: str | None, *, explain: bool) -> list[str]:
    """Return the names of the columns that answers are written to."""
    wanted = predictor.target or target
    first = f"predicted_{wanted}" if wanted else "prediction"
    return [first, predictor.certainty, *["reason"] * explain]


@contextmanager
def table_writer(out: Path | None, added: list[str]) -> Iterator[Write]:
    """Return what writes rows: to a file that is whole or not there, or to standard output."""
    if out is not None:
        with opened_whole(out) as file:
            yield Table(partial(_put, file), added).write
    elif sys.stdout.isatty():
        terminal = _Terminal()
        yield Table(terminal, added).write
        if terminal.hidden:
            say(f"and {counted(terminal.hidden)} more: --out FILE.csv writes all")
    else:
        yield Table(_pipe, added).write


def _put(file: IO[bytes], text: str) -> None:
    file.write(text.encode())


def _pipe(text: str) -> None:
    typer.echo(text.encode(), nl=False)


class _Terminal:
    """Shows the first rows."""

    def __init__(self) -> None:
        self._left = 1 + ON_TERMINAL
        self.hidden = 0

    def __call__(self, text: str) -> None:
        lines = text.splitlines()
        tell(*lines[: self._left])
        self.hidden += max(0, len(lines) - self._left)
        self._left = max(0, self._left - len(lines))


def show(outcome: Outcome, out: Path | None) -> None:
    """Say what was decided, how well, and what the model does not know about the rows.

    Where the rows themselves are on standard output, it goes to standard error.
    """
    line = say if out is None else tell
    line(f"{outcome.source}: {counted(outcome.rows)}, decided by {outcome.predictor.judge}")
    for said in outcome.answers.lines():
        line(f"  {said}")
    if isinstance(outcome.score, QuantityScore):
        _show_error(outcome, outcome.score, line)
    elif outcome.score is not None:
        _show_score(outcome, outcome.score, line, with_table=out is not None)
    for remark in outcome.remarks():
        say(remark)
    if out is not None:
        say(f"predictions: {out}")


def _show_error(outcome: Outcome, score: QuantityScore, line: Callable[[str], None]) -> None:
    if not score.rows:
        return
    off = rounded(score.error, error_digits(score.error))
    line(f"beside the column {outcome.target!r}:")
    line(f"  off by {off} (root mean square; R² {score.explained:.3f}) in {counted(score.rows)}")
    if score.without:
        say(f"{counted(score.without)} without a number in {outcome.target!r}: not counted here")
    _say_if_known(outcome)


def _show_score(
    outcome: Outcome, score: Score, line: Callable[[str], None], *, with_table: bool
) -> None:
    measure = score.measure
    if measure is None:
        return
    line(f"beside the column {outcome.target!r}:")
    line(f"  accuracy           {in_words(measure)}")
    line(f"  balanced accuracy  {measure.balanced:.3f}  (mean over the classes)")
    if with_table:
        names, counts = score.confusions()
        print_confusions(names, counts.tolist())
    if score.without:
        rows = counted(score.without)
        say(f"{rows} without a value of {outcome.target!r}: not counted here")
    for name, count in score.unknown.items():
        say(f"{counted(count)} of the class {name!r}, which the model does not know")
    _say_if_known(outcome)


def _say_if_known(outcome: Outcome) -> None:
    """Warn of figures about rows that may have been learned from."""
    if _is_known(outcome):
        say(
            f"{outcome.source} has the name of the file that was learned from: these figures say "
            "little about rows that are new to the model"
        )


def _is_known(outcome: Outcome) -> bool:
    """Tell whether rows are from a file of the name that the model was learned from."""
    table = getattr(outcome.predictor.learner, "training_table_", None)
    return table is not None and Path(table.name).name == Path(outcome.source).name


def describe(outcome: Outcome, out: Path | None, predictions: list[dict[str, Any]]) -> None:
    """Print everything as one document; the answers themselves, unless they are in a file."""
    document: dict[str, Any] = {
        "model": outcome.predictor.name,
        "data": outcome.source,
        "rows": outcome.rows,
        "decided_by": "all rules" if outcome.predictor.listed is None else "short list",
        "answers": outcome.answers.record(),
        "columns": {name: one.record() for name, one in outcome.watches.items()},
        "test": None,
        "out": None if out is None else str(out),
    }
    if outcome.score is not None and (tested := describe_score(outcome.score)):
        document["test"] = {"target": outcome.target, **tested}
    if out is None:
        document["predictions"] = predictions
    print_json(document)


def describe_score(score: Score | QuantityScore) -> dict[str, Any]:
    """Return how good answers are as plain values; nothing without right ones."""
    if isinstance(score, QuantityScore):
        figures = {"root_mean_squared_error": score.error, "r2": score.explained}
        return {"rows": score.rows, **figures} if score.rows else {}
    measure = score.measure
    if measure is None:
        return {}
    names, counts = score.confusions()
    return {
        "rows": measure.share.n,
        **describe_measure(measure),
        "confusions": {"classes": names, "counts": counts.tolist()},
    }
