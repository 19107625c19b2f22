"""Results on disk: one JSON line per case, later lines replace earlier ones."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Row = dict[str, Any]


def read_rows(path: Path) -> dict[int, Row]:
    """Return the last result of each case; lines that a kill tore are no results."""
    rows: dict[int, Row] = {}
    if not path.exists():
        return rows
    for line in path.read_text(errors="replace").splitlines():
        try:
            row = json.loads(line)
            rows[int(row["case"])] = {**row, "outcome": str(row["outcome"])}
        except (ValueError, KeyError, TypeError):
            continue
    return rows


def append_row(path: Path, row: Row) -> None:
    """Add a result on a line of its own, even behind a torn one."""
    with path.open("ab+") as file:
        if file.tell():
            file.seek(-1, 2)
            if file.read(1) != b"\n":
                file.write(b"\n")
        file.write(json.dumps(row).encode() + b"\n")


def stretches(cases: Iterable[int], longest: int) -> list[range]:
    """Cut cases into ranges of neighbours, none longer than `longest`."""
    found: list[range] = []
    for case in sorted(cases):
        last = found[-1] if found else range(0)
        if last and case == last.stop and len(last) < longest:
            found[-1] = range(last.start, case + 1)
        else:
            found.append(range(case, case + 1))
    return found
