"""Rules from a table, one a row, in the columns that the table and the CSV file of rules have.

`lower_AGE` and `upper_AGE` are the bounds of a number, `in_PLAN` the categories that are allowed,
as a list or as JSON; an empty cell is no condition. `class` is the class. What is known of
rules besides (prediction, error, ...) is not read: a rule is judged anew.
"""

import csv
import io
import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ruleplay.engine.inputs import shown
from ruleplay.errors import ConfigError
from ruleplay.output.harmless import plain_cell
from ruleplay.rules.by_hand.from_json import numbered, parse_json
from ruleplay.rules.by_hand.rule import Rule
from ruleplay.rules.table import COLUMNS, ORIGIN

CLASS = "class"
SIDES, MEMBERS = ("lower_", "upper_"), "in_"
_IGNORED = (*COLUMNS, ORIGIN, "missing_values", "intercept")

Columns = Mapping[str, Sequence[Any]]


def columns_of_csv(text: str) -> Columns:
    """Return the columns of comma-separated values, or of those with semicolons."""
    head = text.partition("\n")[0]
    separator = ";" if head.count(";") > head.count(",") else ","
    names, *rows = list(csv.reader(io.StringIO(text), delimiter=separator, strict=True)) or [[]]
    rows = [row for row in rows if any(row)]
    for number, row in enumerate(rows):
        if len(row) != len(names):
            raise ConfigError(f"rules[{number}]: {len(names)} fields are expected, got {len(row)}")
    plain = [[plain_cell(cell) for cell in row] for row in (names, *rows)]
    return {name: [row[k] for row in plain[1:]] for k, name in enumerate(plain[0])}


def rules_of_columns(columns: Columns) -> tuple[Rule, ...]:
    """Return the rules of a table's rows."""
    for name in columns:
        known = name.startswith((*SIDES, MEMBERS, "slope_")) or name in (CLASS, *_IGNORED)
        if not known:
            raise ConfigError(
                f"unknown column: {name!r}; columns of rules are 'class', 'lower_...', "
                "'upper_...' and 'in_...', each with the name of a feature"
            )
    if CLASS not in columns:
        raise ConfigError(f"the column {CLASS!r} is missing")
    rows = zip(*columns.values(), strict=True)
    return numbered(map(_rule, (dict(zip(columns, row, strict=True)) for row in rows)))


def _rule(cells: Mapping[str, Any]) -> Rule:
    conditions: dict[str | int, Any] = {}
    for column, cell in cells.items():
        if _is_empty(cell):
            continue
        for place, prefix in enumerate(SIDES):
            if column.startswith(prefix):
                name = column.removeprefix(prefix)
                sides = conditions.setdefault(name, [None, None])
                sides[place] = _number(column, cell)
        if column.startswith(MEMBERS):
            conditions[column.removeprefix(MEMBERS)] = {"in": _members(column, cell)}
    if _is_empty(cells[CLASS]):
        raise ConfigError(f"{CLASS!r} must not be empty")
    return Rule(conditions, cells[CLASS])


def _is_empty(cell: Any) -> bool:
    if isinstance(cell, str):
        return not cell.strip()
    return cell is None or (isinstance(cell, float) and math.isnan(cell))


def _number(column: str, cell: Any) -> float:
    try:
        return float(cell)
    except (TypeError, ValueError):
        raise ConfigError(f"{column!r} must be a number or empty, got {shown(cell)}") from None


def _members(column: str, cell: Any) -> Collection[Any]:
    found = parse_json(cell) if isinstance(cell, str) and cell.strip().startswith("[") else cell
    if isinstance(found, str) or not isinstance(found, Collection):
        raise ConfigError(
            f'{column!r} must be a list of categories such as ["red", "blue"], got {shown(cell)}'
        )
    return found
