"""Watch the columns of new rows: what a model does not know about them is counted and said."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from ruleplay.learners.common.columns import Columns
from ruleplay.learners.common.tabular import TabularLearner
from ruleplay.learners.common.training_table import ColumnSummary
from ruleplay.rules.dates import DATES, date_text
from ruleplay.rules.spelling import PLAIN
from ruleplay.rules.wording import in_full

SHOWN = 3  # unknown values that a line names
KEPT = 1000  # different unknown values that are counted one by one
SHIFTED = 0.5  # share of the values beyond a quartile: a quarter of those learned from were
MORE_MISSING = 0.2  # share of missing values above that of the rows learned from
ENOUGH = 20  # rows that a shift may be told from


@dataclass
class ColumnWatch:
    """What was met in a column, beside what was learned."""

    name: str
    low: float  # of what was learned
    high: float
    learned: ColumnSummary | None
    learned_rows: int
    written: str = PLAIN  # as numbers and dates are
    is_lacking: bool = False
    rows: int = 0
    missing: int = 0
    unreadable: Counter[str] = field(default_factory=Counter)  # no numbers, or unknown categories
    smallest: float = np.inf
    largest: float = -np.inf
    beyond: int = 0
    under: int = 0  # below the first quartile of what was learned
    over: int = 0  # above the third

    def note(self, texts: "pd.Series[Any]", values: "pd.Series[Any]") -> None:
        """Look at some rows: what the file says, and what it is read as."""
        self.rows += len(texts)
        lost = texts[texts.notna() & values.isna().to_numpy()]
        self.missing += int(texts.isna().sum())
        for text, count in lost.value_counts().items():
            key = str(text) if len(self.unreadable) < KEPT or text in self.unreadable else "..."
            self.unreadable[key] += int(count)
        if not isinstance(values.dtype, pd.CategoricalDtype):
            self._note_numbers(values.dropna().to_numpy(np.float64))

    def _note_numbers(self, numbers: Any) -> None:
        if not len(numbers):
            return
        self.smallest = min(self.smallest, float(numbers.min()))
        self.largest = max(self.largest, float(numbers.max()))
        self.beyond += int(((numbers < self.low) | (numbers > self.high)).sum())
        if self.learned is not None and self.learned.quartiles:
            self.under += int((numbers < self.learned.quartiles[1]).sum())
            self.over += int((numbers > self.learned.quartiles[3]).sum())

    @property
    def present(self) -> int:
        """Return how many values there were."""
        return self.rows - self.missing

    def remarks(self) -> list[str]:
        """Say what a model does not know about the column."""
        if self.is_lacking:
            return [f"column {self.name!r} is not there: its value is missing in each row"]
        return [
            f"column {self.name!r}: {line}"
            for line in (self._unreadable(), self._beyond(), self._shift(), self._gaps())
            if line
        ]

    def _unreadable(self) -> str:
        count = self.unreadable.total()
        if not count:
            return ""
        what = "not numbers" if np.isfinite(self.low + self.high) else "unknown"
        named = ", ".join(f"{text!r} ({n})" for text, n in self.unreadable.most_common(SHOWN))
        more = ", ..." if len(self.unreadable) > SHOWN else ""
        return f"{count} of {self.present} values are {what} and count as missing: {named}{more}"

    def _said(self, number: float) -> str:
        return date_text(number, whole=True) if self.written in DATES else in_full(number)

    def _beyond(self) -> str:
        if not self.beyond:
            return ""
        return (
            f"{self.beyond} of {self.present} values lie beyond {self._said(self.low)} to "
            f"{self._said(self.high)}, what was learned from "
            f"({self._said(self.smallest)} to {self._said(self.largest)} here)"
        )

    def _shift(self) -> str:
        if self.learned is None or self.present < ENOUGH:
            return ""
        for count, side, quartile in ((self.under, "below", 1), (self.over, "above", 3)):
            if count > SHIFTED * self.present:
                end = self._said(self.learned.quartiles[quartile])
                return (
                    f"{count} of {self.present} values lie {side} {end}, as a quarter of those "
                    "learned from did"
                )
        return ""

    def _gaps(self) -> str:
        if self.learned is None or self.rows < ENOUGH:
            return ""
        usual = self.learned.missing / max(1, self.learned_rows)
        here = self.missing / self.rows
        if here <= usual + MORE_MISSING:
            return ""
        here, usual = 100 * here, 100 * usual
        return f"missing in {here:.0f} % of the rows, in {usual:.0f} % of those learned from"

    def record(self) -> dict[str, Any]:
        """Return all that was counted as plain values."""
        numbers = np.isfinite(self.smallest)
        return {
            "is_there": not self.is_lacking,
            "missing": self.missing,
            "unknown": dict(self.unreadable.most_common()),
            "beyond": self.beyond,
            "range": [self.smallest, self.largest] if numbers else None,
            "remarks": self.remarks(),
        }


def watch_columns(model: TabularLearner, columns: Columns) -> dict[str, ColumnWatch]:
    """Return a watch for each column that a model has learned from."""
    table = getattr(model, "training_table_", None)
    watches = {}
    for k, name in enumerate(model.ruleset_.feature_names):
        ends = (np.nan, np.nan) if name in columns.categories else [b[k] for b in model.bounds_]
        learned = None if table is None else table.summaries[name]
        watches[name] = ColumnWatch(
            name,
            float(ends[0]),
            float(ends[1]),
            learned,
            0 if table is None else table.n_rows,
            columns.numbers.get(name, PLAIN),
        )
    return watches
