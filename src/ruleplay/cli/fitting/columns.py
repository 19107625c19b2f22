"""Decide what each column of a table is: numbers, dates, categories, or nothing to learn from."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ruleplay.cli.fitting.column_options import DATE as DATE_KIND
from ruleplay.cli.fitting.column_options import IGNORE, NUMBER, TEXT
from ruleplay.cli.fitting.detection import (
    ID_FROM,
    date_style,
    has_leading_zeros,
    is_identifier,
    likely_style,
    number_style,
    numbers_rows,
    stand_in,
)
from ruleplay.errors import ConfigError
from ruleplay.learners.common.columns import OTHER, Columns, as_numbers
from ruleplay.rules.dates import DATES, DAY_FIRST, MONTH_FIRST, date_text
from ruleplay.rules.spelling import DECIMAL_COMMA, PLAIN, THOUSANDS, UNIT, plain_number
from ruleplay.rules.wording import in_full

if TYPE_CHECKING:
    import pandas as pd

MOST_CATEGORIES = 100  # of which none is grouped
MOST_GROUPED = 300
AS_ASKED = "as asked"
RARE = 5  # rows: categories with fewer are grouped where there are too many
COMMON_SHARE = 0.5  # of the rows that must have a category of their own

_EXAMPLES = {
    DECIMAL_COMMA: "decimal commas",
    THOUSANDS: "commas between thousands",
    UNIT: "signs of a unit",
    DAY_FIRST: "the day first",
    MONTH_FIRST: "the month first",
}


def choose_columns(
    table: "pd.DataFrame", taught: "pd.Index", kinds: Mapping[str, str] | None = None
) -> Columns:
    """Look at each column of the features, and refuse a table that has none left.

    `taught` are the rows to learn from: categories of others are unknown. `kinds` are those that a
    person has named.
    """
    chosen = Columns()
    for name in table.columns:
        _Choice(chosen, name, table[name], (kinds or {}).get(name, "")).make(taught)
    if not chosen.features:
        reasons = "; ".join(f"{name}: {why}" for name, why in chosen.left_out.items())
        raise ConfigError(f"{table.attrs['name']} has no column left to learn from ({reasons})")
    words = table.attrs.get("missing_words", {})
    for name in chosen.features:
        if name in words:
            told = ", ".join(f"{count} {word!r}" for word, count in words[name].items())
            chosen.decisions[name] += f"; taken as missing: {told}"
    return chosen


class _Choice:
    """The decision about one column."""

    def __init__(self, chosen: Columns, name: str, column: "pd.Series", kind: str) -> None:
        self.chosen, self.name, self.column, self.kind = chosen, name, column, kind
        self.values = column.dropna()

    def make(self, taught: "pd.Index") -> None:
        """Decide, as a person has said or as the values look."""
        if self.kind == IGNORE:
            self._leave_out(AS_ASKED)
        elif self.values.empty:
            self._leave_out("no values")
        elif self.values.nunique() == 1 and not self._is_mark():
            self._leave_out_single()
        elif self.kind == NUMBER:
            self._take_numbers(number_style(self.values) or likely_style(self.values))
        elif self.kind == DATE_KIND:
            self._take_numbers(date_style(self.values))
        elif self.kind == TEXT:
            self._take_categories(taught, "")
        else:
            self._look(taught)

    def _look(self, taught: "pd.Index") -> None:
        """Decide by the values."""
        style = number_style(self.values)
        if style == PLAIN and has_leading_zeros(self.values):
            self._take_codes(taught)
        elif style:
            self._look_at_numbers(style)
        elif dates := date_style(self.values):
            self._take_numbers(dates)
        elif self._differs():
            self._leave_out(
                "a different text in each row, as names and numbers of things have", TEXT
            )
        else:
            self._take_categories(taught, "")

    def _leave_out_single(self) -> None:
        if self.column.isna().any():
            self._leave_out("the same value in each row that has one", TEXT)
        else:
            self._leave_out("the same value in each row")

    def _is_mark(self) -> bool:
        """Tell whether some rows have a text and others nothing: both may say something."""
        is_text = self.kind == TEXT or not (
            self.kind or number_style(self.values) or date_style(self.values)
        )
        return is_text and bool(self.column.isna().any())

    def _differs(self) -> bool:
        return len(self.values) >= ID_FROM and self.values.nunique() > 0.9 * len(self.values)

    def _look_at_numbers(self, style: str) -> None:
        numbers = as_numbers(self.column, style)
        if numbers.nunique() == 1:
            self._leave_out_single()
        elif len(numbers) >= ID_FROM and numbers_rows(numbers):
            self._leave_out("it numbers the rows", NUMBER)
        elif style == PLAIN and is_identifier(self.name, self.values):
            self._leave_out("a different whole number in each row, as identifiers are", NUMBER)
        else:
            self._take_numbers(style)

    def _take_codes(self, taught: "pd.Index") -> None:
        if self._differs():
            self._leave_out("a different code in each row, with leading zeros", NUMBER)
        else:
            self._take_categories(taught, f"with leading zeros (else --column {self.name}=number)")

    def _take_numbers(self, style: str) -> None:
        """Take the column for numbers or dates, which some of its values must be."""
        numbers = as_numbers(self.column, style) if style else None
        if numbers is None or numbers.notna().sum() == 0:
            raise ConfigError(
                f"--column {self.name}={self.kind}: there is no {self.kind} among the values, "
                f"such as {self.values.iloc[0]!r}"
            )
        said = [self._written(style)] if style in _EXAMPLES else []
        gap = None if style in DATES or self.kind else stand_in(numbers)
        if gap is not None:
            self.chosen.stand_ins[self.name] = gap
            count = int((numbers == gap).sum())
            said.append(
                f"{_count(count, 'value')} {gap:g} taken as missing (else --column "
                f"{self.name}=number)"
            )
            numbers = numbers.where(numbers != gap)
        lost = self.column[self.column.notna() & as_numbers(self.column, style).isna()]
        if len(lost):
            what = "date" if style in DATES else "number"
            said.append(
                f"{_count(len(lost), 'value')} that cannot be used as a {what}, such as "
                f"{lost.iloc[0]!r}, taken as missing"
            )
        self._add_numbers(numbers, style, said)

    def _add_numbers(self, numbers: "pd.Series", style: str, said: list[str]) -> None:
        whole = bool((numbers.dropna() == numbers.dropna().round()).all())
        if whole:
            self.chosen.whole.append(self.name)
        self.chosen.numbers[self.name] = style
        kind = "dates" if style in DATES else "whole numbers" if whole else "numbers"
        low, high = (_said(float(end), style, whole) for end in (numbers.min(), numbers.max()))
        self._decide(f"{kind}, {low} to {high}", said)

    def _written(self, style: str) -> str:
        signs = self.values[self.values.map(lambda text: plain_number(text, style) != text)]
        example = signs.iloc[0]
        read = plain_number(example, style)
        read = date_text(float(read), whole=True) if style in DATES else read
        return f"{_EXAMPLES[style]}: {example} is read as {read}"

    def _take_categories(self, taught: "pd.Index", remark: str) -> None:
        """Take the column for categories, and group the rare ones if there are many."""
        if self.column.loc[taught].nunique(dropna=False) == 1:
            self._leave_out("the same value in each row to learn from")
            return
        counts = self.column.loc[taught].value_counts()
        said = [remark] if remark else []
        if self.values.nunique() > MOST_CATEGORIES:
            counts = counts[counts >= RARE].head(MOST_GROUPED)
            if counts.sum() < COMMON_SHARE * self.column.loc[taught].notna().sum():
                self._leave_out(
                    f"{self.values.nunique()} different texts, most of them rare: group them"
                )
                return
            rest = self.values.nunique() - len(counts)
            if rest:
                self.chosen.grouped.append(self.name)
                said.append(f"{rest} rare ones are one: {OTHER} (else --column {self.name}=ignore)")
        known = sorted(counts.index)
        self.chosen.categories[self.name] = known + [OTHER] * (self.name in self.chosen.grouped)
        self._decide(f"text, {len(known)} categor{'y' if len(known) == 1 else 'ies'}", said)

    def _decide(self, what: str, said: list[str]) -> None:
        self.chosen.decisions[self.name] = "; ".join([what, *said])

    def _leave_out(self, why: str, otherwise: str = "") -> None:
        """Leave the column out; `otherwise` is the kind that would keep it."""
        other = f" (else --column {self.name}={otherwise})" if otherwise else ""
        self.chosen.left_out[self.name] = why + other


def _said(number: float, style: str, whole: bool) -> str:
    return date_text(number, whole=whole) if style in DATES else in_full(number)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
