"""What `ruleplay predict` does between reading rows and writing answers."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field

import pandas as pd

from ruleplay.cli.fitting.chunks import Chunk, read_in_chunks
from ruleplay.cli.fitting.reading import SHOW_FROM
from ruleplay.cli.predicting.column_watch import ColumnWatch, watch_columns
from ruleplay.cli.predicting.loading import AnyPredictor
from ruleplay.cli.predicting.quantity import QuantityScore
from ruleplay.cli.predicting.score import Score
from ruleplay.cli.reading.rows import columns_of
from ruleplay.cli.terminal.progress import watch
from ruleplay.config import unknown_name
from ruleplay.errors import ConfigError
from ruleplay.learners.common.columns import Columns

CHUNK = 5000  # rows


@dataclass(frozen=True)
class Wish:
    """What is asked for."""

    source: str
    separator: str
    target: str | None  # the column of the true answers, if it was named
    explain: bool


@dataclass
class Outcome:
    """What has become of the rows."""

    predictor: AnyPredictor
    source: str
    target: str | None = None  # the column of the true answers, if it is there
    rows: int = 0
    watches: dict[str, ColumnWatch] = field(default_factory=dict)
    score: Score | QuantityScore | None = None

    def __post_init__(self) -> None:
        self.answers = self.predictor.new_tally()

    def remarks(self) -> list[str]:
        """Say what the model does not know about the columns."""
        return [line for one in self.watches.values() for line in one.remarks()]


Write = Callable[[Chunk, list[list[str]]], None]  # rows, and the fields that are added to each


def predict_rows(predictor: AnyPredictor, wish: Wish, write: Write) -> Outcome:
    """Decide about the rows of a file, chunk by chunk, and hand them on with the answers."""
    outcome = Outcome(predictor, wish.source)
    columns = Columns()
    with closing(watch("bytes read")) as watcher:
        for chunk in read_in_chunks(wish.source, wish.separator, CHUNK):
            table = chunk.table()
            if not outcome.rows:
                columns = _begin(outcome, table, wish)
            write(chunk, _answer(outcome, columns, table, explain=wish.explain))
            if chunk.bytes_in_all >= SHOW_FROM:
                watcher.progress(chunk.bytes_done, chunk.bytes_in_all)
    return outcome


def _begin(outcome: Outcome, table: pd.DataFrame, wish: Wish) -> Columns:
    """Look at the columns that there are, and return how they are read."""
    predictor, names = outcome.predictor, list(table.columns)
    columns = columns_of(predictor.learner, table)
    lacking = columns.lacking(table)
    if len(lacking) == len(columns.features):
        raise ConfigError(
            f"{wish.source} has none of the columns that {predictor.name} has learned from "
            f"({', '.join(lacking)}): is --separator right?"
        )
    if lacking and not predictor.may_miss:
        raise ConfigError(
            f"{wish.source} has no column {lacking[0]!r}, and no value may be missing"
        )
    if wish.target is not None and wish.target not in names:
        raise ConfigError(f"--target: {unknown_name('column', wish.target, names)}")
    wanted = wish.target or predictor.target
    if wanted in names:
        outcome.target, outcome.score = wanted, predictor.new_score()
    outcome.watches = watch_columns(predictor.learner, columns)
    for name in lacking:
        outcome.watches[name].is_lacking = True
    return columns


def _answer(
    outcome: Outcome, columns: Columns, table: pd.DataFrame, *, explain: bool
) -> list[list[str]]:
    """Decide about some rows, count what is to be counted, and return the fields to be added."""
    predictor, features = outcome.predictor, columns.read(table)
    for name, one in outcome.watches.items():
        if not one.is_lacking:
            one.note(columns.texts(table, name), features[name])
        if features[name].isna().any() and not predictor.may_miss:
            raise ConfigError(
                f"{outcome.source}: column {name!r} has missing or unknown values, which rules "
                "with linear predictions do not take"
            )
    answers = predictor.decide(features, explain=explain)
    outcome.rows += len(answers.labels)
    outcome.answers.note(answers.labels)
    if outcome.score is not None:
        outcome.score.note(table[outcome.target], answers.labels)
    added = answers if explain else answers[:2]
    return [list(fields) for fields in zip(*added, strict=True)]
