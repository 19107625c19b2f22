"""What `ruleplay fit` does between reading a table and printing: split, learn, measure, shorten."""

import time
import warnings
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import clone

from ruleplay.cli.fitting.column_options import check_columns
from ruleplay.cli.fitting.columns import choose_columns
from ruleplay.cli.fitting.reading import first_line_remark
from ruleplay.cli.fitting.target import (
    check_classes,
    quantity_style,
    take_quantity,
    take_target,
)
from ruleplay.cli.terminal.outcome import Interrupted
from ruleplay.cli.terminal.progress import watch
from ruleplay.compiler.notice import compile_clock
from ruleplay.errors import ConfigError
from ruleplay.experiments.stats import Share, exact_share
from ruleplay.learners.classifier import TrainingProgress, XCSClassifier
from ruleplay.learners.common.columns import Columns
from ruleplay.learners.common.training import TRIALS
from ruleplay.learners.common.training_table import TrainingTable
from ruleplay.learners.rule_list import RuleList, RuleListClassifier

if TYPE_CHECKING:
    from ruleplay.cli.running.running import Watcher
    from ruleplay.learners.regressor import XCSRegressor

Places = NDArray[np.int64]
Kinds = Mapping[str, str]  # what a person says that columns are

IN_TRIALS = "presentations in search of the tolerance"
LEFT_OUT = r"\d+ of \d+ start_rules"  # a warning that the output of the command replaces


@dataclass
class Lesson:
    """Rows to learn from and rows to be tested with, as learners take them."""

    name: str  # of the file
    target: str
    columns: Columns
    rows: pd.DataFrame
    labels: "pd.Series[Any]"  # classes as text, or numbers
    test_rows: pd.DataFrame
    test_labels: "pd.Series[Any]"
    notes: list[str] = field(default_factory=list)
    style: str = ""  # how a quantity is written; "": the target holds classes

    @property
    def is_quantity(self) -> bool:
        """Tell whether numbers are to be learned, not classes."""
        return bool(self.style)


class Measure(NamedTuple):
    """How well rows are classified."""

    share: Share  # of right answers, with its interval
    balanced: float  # mean of the classes' shares of right answers

    @property
    def accuracy(self) -> float:
        """Return the share of right answers."""
        return self.share.count / self.share.n


@dataclass(frozen=True)
class ShortList:
    """A short list, the front that it was chosen from, and how well it does on the test rows."""

    model: RuleListClassifier
    tested: Measure | None

    @property
    def chosen(self) -> RuleList:
        """Return the list."""
        front = self.model.front()
        return front.of_length(front.chosen)


@dataclass(frozen=True)
class Fitted:
    """A classifier and what is known about it."""

    lesson: Lesson
    model: XCSClassifier
    guesses: NDArray[Any]  # on the test rows
    tested: Measure | None  # None without test rows
    usual: Measure | None  # of always answering the most frequent class
    seconds: float


def prepare(table: pd.DataFrame, target: str, kinds: Kinds, share: float, seed: int) -> Lesson:
    """Make a lesson of a table, a share of its rows held out."""
    check_columns(list(table.columns), target, kinds)
    notes = [line for line in (first_line_remark(table),) if line]
    features, labels = take_target(table, target, notes)
    features.attrs = table.attrs
    style = quantity_style(table.attrs["name"], labels, kinds.get(target, ""))
    if style:
        numbers = take_quantity(table.attrs["name"], labels, style, notes)
        features = _rows_of(features, numbers)
        test = features, numbers.reset_index(drop=True)
        taught, tested = split_at_random(len(features), share, seed)
        return _lesson(*test, test, kinds, notes, taught, tested, style)
    check_classes(table.attrs["name"], labels)
    taught, tested = split(labels.to_numpy(object), share, seed)
    if share > 0.0:
        alone = labels.value_counts().loc[lambda counts: counts == 1].index.tolist()
        if alone:
            notes.append(f"classes with a single row are learned, not tested: {', '.join(alone)}")
    return _lesson(features, labels, (features, labels), kinds, notes, taught, tested)


def prepare_two(table: pd.DataFrame, test: pd.DataFrame, target: str, kinds: Kinds) -> Lesson:
    """Make a lesson of a table to learn from and another one to be tested with."""
    check_columns(list(table.columns), target, kinds)
    check_columns(list(test.columns), target, {})
    notes = [line for line in (first_line_remark(table),) if line]
    features, labels = take_target(table, target, notes)
    test_features, test_labels = take_target(test, target, notes)
    features.attrs, test_features.attrs = table.attrs, test.attrs
    style = quantity_style(table.attrs["name"], labels, kinds.get(target, ""))
    if style:
        labels = take_quantity(table.attrs["name"], labels, style, notes)
        test_labels = take_quantity(test.attrs["name"], test_labels, style, notes)
        features, test_features = _rows_of(features, labels), _rows_of(test_features, test_labels)
    else:
        check_classes(table.attrs["name"], labels)
        unknown = sorted(set(test_labels) - set(labels))
        if unknown:
            notes.append(f"classes of the test file that were not learned: {', '.join(unknown)}")
    seen = _rows_seen(table, test)
    if seen:
        notes.append(
            f"{seen} of the {len(test)} rows of {test.attrs['name']} are also among the rows to "
            "learn from: the figures say little about rows that are new to the model"
        )
    everything = np.arange(len(features)), np.arange(len(test_features))
    return _lesson(features, labels, (test_features, test_labels), kinds, notes, *everything, style)


def _rows_of(features: pd.DataFrame, numbers: "pd.Series[float]") -> pd.DataFrame:
    """Return the features of the rows that have a number."""
    kept = features.loc[numbers.index].reset_index(drop=True)
    kept.attrs = features.attrs
    return kept


def _rows_seen(table: pd.DataFrame, test: pd.DataFrame) -> int:
    """Count the rows of a test that are in a table, as far as both have the same columns."""
    names = [name for name in table.columns if name in test.columns]
    known = set(map(tuple, table[names].fillna("").to_numpy(object).tolist()))
    rows = test[names].fillna("").to_numpy(object).tolist()
    return sum(tuple(row) in known for row in rows)


def _lesson(
    features: pd.DataFrame,
    labels: "pd.Series[Any]",
    test: "tuple[pd.DataFrame, pd.Series[Any]]",
    kinds: Kinds,
    notes: list[str],
    taught: Places,
    tested: Places,
    style: str = "",
) -> Lesson:
    """Decide about the columns by the rows to learn from, and apply it to all."""
    columns = choose_columns(features, features.index[taught], kinds)
    for name in columns.lacking(test[0]):
        raise ConfigError(
            f"{test[0].attrs['name']} has no column {name!r}, which the model learns from"
        )
    rows = columns.read(features)
    test_rows = rows if test[0] is features else columns.read(test[0])
    return Lesson(
        features.attrs["name"],
        str(labels.name),
        columns,
        rows.iloc[taught],
        labels.iloc[taught],
        test_rows.iloc[tested],
        test[1].iloc[tested],
        notes + columns.notes,
        style,
    )


def split(labels: NDArray[Any], share: float, seed: int) -> tuple[Places, Places]:
    """Hold out a share of each class at random, but never all of one."""
    _check_share(share)
    random = np.random.default_rng(seed)
    held_out = []
    for label in np.unique(labels):
        places = random.permutation(np.flatnonzero(labels == label))
        wanted = int(share * len(places) + 0.5) or int(share > 0.0)
        held_out.append(places[: min(wanted, len(places) - 1)])
    tested = np.sort(np.concatenate(held_out))
    return np.setdiff1d(np.arange(len(labels)), tested), tested


def split_at_random(count: int, share: float, seed: int) -> tuple[Places, Places]:
    """Hold out a share of some rows at random, but never all."""
    _check_share(share)
    wanted = int(share * count + 0.5) or int(share > 0.0)
    places = np.random.default_rng(seed).permutation(count)
    cut = min(wanted, count - 1)
    return np.sort(places[cut:]), np.sort(places[:cut])


def _check_share(share: float) -> None:
    if not 0.0 <= share < 1.0:
        raise ConfigError(f"--test-share must lie in [0, 1), got {share:g}")


def learn(lesson: Lesson, settings: Mapping[str, Any], seed: int) -> tuple[XCSClassifier, float]:
    """Teach a classifier; return it, and the seconds that it took."""
    model = XCSClassifier(random_state=seed, **settings)
    gaps = lesson.rows.columns[lesson.rows.isna().any()]
    if model.prediction == "linear" and len(gaps):
        raise ConfigError(
            f"prediction must be 'scalar' if values are missing (column {gaps[0]!r}), got 'linear'"
        )
    return model, teach(model, lesson, lesson.labels.to_numpy(str))


def teach(model: "XCSClassifier | XCSRegressor", lesson: Lesson, answers: Any) -> float:
    """Teach a learner with a progress bar; return the seconds that it took."""
    with closing(watch("presentations")) as watcher, closing(watch(IN_TRIALS)) as trials:
        try:
            _rehearse(model, lesson, answers, watcher)

            def show(progress: TrainingProgress) -> None:
                if progress.phase == TRIALS:
                    trials.progress(progress.step, progress.steps)
                    return
                trials.close()
                watcher.progress(progress.step, progress.steps)

            began = time.perf_counter()
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", LEFT_OUT)
                model.set_params(callback=show).fit(lesson.rows, answers)
        except KeyboardInterrupt:
            raise Interrupted(
                f"{watcher.done} presentations were done; nothing was written"
            ) from None
    seconds = time.perf_counter() - began
    model.training_table_ = TrainingTable.of(
        lesson.name, lesson.target, lesson.columns, lesson.rows, lesson.labels, lesson.style
    )
    model.set_params(callback=None)
    return seconds


def examine(lesson: Lesson, model: XCSClassifier, seconds: float) -> Fitted:
    """Test a classifier; `seconds` is what teaching it took."""
    right = lesson.test_labels.to_numpy(str)
    if not len(right):
        return Fitted(lesson, model, right, None, None, seconds)
    guesses = model.predict(lesson.test_rows)
    usual = np.full(len(right), most_frequent(lesson))
    return Fitted(lesson, model, guesses, measure(right, guesses), measure(right, usual), seconds)


def most_frequent(lesson: Lesson) -> str:
    """Return the class that most rows to learn from have, whatever they weigh."""
    names, counts = np.unique(lesson.labels.to_numpy(str), return_counts=True)
    return str(names[counts.argmax()])


def _rehearse(
    model: "XCSClassifier | XCSRegressor", lesson: Lesson, answers: Any, watcher: "Watcher"
) -> None:
    """Compile what is needed on a learner that is thrown away, and check the settings."""
    throwaway = clone(model).set_params(n_steps=1, epochs=None)
    with compile_clock(watcher.compiling) as clock:
        try:
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", LEFT_OUT)
                throwaway.fit(lesson.rows, answers)
            throwaway.predict(lesson.rows.head(2))
        except ValueError as error:  # scikit-learn refuses in several lines
            raise ConfigError(str(error).splitlines()[0]) from None
    if clock.seconds > 0.0:
        watcher.compiled(clock.seconds)


def measure(right: NDArray[Any], guesses: NDArray[Any]) -> Measure:
    """Compare answers with what is right."""
    hits = right == guesses
    recalls = [hits[right == label].mean() for label in np.unique(right)]
    return Measure(exact_share(int(hits.sum()), len(hits)), float(np.mean(recalls)))


def shorten(fitted: Fitted, max_rules: int | None, seed: int) -> ShortList:
    """Return a short list of rules, and the front that it was chosen from."""
    lesson = fitted.lesson
    rows, labels = lesson.rows, lesson.labels.to_numpy(str)
    made = RuleListClassifier.of(fitted.model, rows, labels, max_rules=max_rules, random_state=seed)
    right = lesson.test_labels.to_numpy(str)
    tested = measure(right, made.predict(lesson.test_rows)) if len(right) else None
    return ShortList(made, tested)
