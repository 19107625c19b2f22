"""Count outcomes and list the bad ones, each with the command that repeats it."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from torture.part import Part
from torture.record import Row

_NUMBER = re.compile(r"-?\d[\d.]*(e[+-]?\d+)?|(?<=')[\w.]+(?=' object)")
KIND = 90  # characters by which two kinds must differ
SHOWN = 3  # cases of a kind that the terminal shows; the file lists all


class Section(NamedTuple):
    """A part, how many cases it should have, and its results."""

    part: Part
    wanted: int
    rows: Mapping[int, Row]
    trouble: str = ""  # why it did not even begin

    def bad(self) -> list[Row]:
        """Return the results that should not be."""
        found = self.rows.values()
        return sorted(
            (row for row in found if row["outcome"] not in self.part.fine),
            key=lambda row: row["case"],
        )


def all_fine(sections: list[Section]) -> bool:
    """Tell whether nothing bad happened."""
    return not any(section.trouble or section.bad() for section in sections)


def make_table(sections: list[Section], sources: str, shown: int | None = None) -> str:
    """Return counts and bad cases as Markdown; `shown` limits those of a kind."""
    lines = ["| part | cases | outcomes |", "|---|---|---|"]
    for section in sections:
        counts = Counter(row["outcome"] for row in section.rows.values())
        words = [_outcome(section.part, name, n) for name, n in sorted(counts.items())]
        cases = f"{len(section.rows)} of {section.wanted}"
        blows = sum(row.get("blows", 1) for row in section.rows.values())
        cases += f", {blows} blows" if blows != len(section.rows) else ""
        lines.append(f"| {section.part.name} | {cases} | {', '.join(words)} |")
    for section in sections:
        old = sum(row.get("sources") != sources for row in section.rows.values())
        if old:
            lines += ["", f"{section.part.name}: {old} results are of other sources."]
        if section.trouble:
            lines += ["", f"{section.part.name} could not be prepared:", "", section.trouble]
        lines += _bad_cases(section, shown)
    return "\n".join(lines) + "\n"


def _outcome(part: Part, name: str, count: int) -> str:
    return f"{name} {count}" if name in part.fine else f"**{name} {count}**"


def _bad_cases(section: Section, shown: int | None) -> list[str]:
    """List the bad cases by kind: the outcome and the first line of its detail, but for numbers."""
    kinds: dict[str, list[Row]] = defaultdict(list)
    for row in section.bad():
        kinds[_kind(row)].append(row)
    lines = []
    for kind, rows in sorted(kinds.items(), key=lambda item: -len(item[1])):
        lines += ["", f"{section.part.name}, {len(rows)} x {kind}", ""]
        lines += [f"    {repeat_command(section.part, row['case'])}" for row in rows[:shown]]
        if shown is not None and len(rows) > shown:
            lines += [f"    ... and {len(rows) - shown} more"]
    return lines


def _kind(row: Row) -> str:
    """Return what a bad case shares with those of the same cause."""
    first = (str(row.get("detail", "")).splitlines() or [""])[0]
    words = "".join(sign if sign.isprintable() else "?" for sign in first)
    return f"{row['outcome']}: {_NUMBER.sub('#', words)}"[:KIND]


def repeat_command(part: Part, case: int) -> str:
    """Return the command that does one case again."""
    command = "PYTHONPATH=src:tests python -m torture full"
    return f"{command} --part {part.name} --first {case} --count 1"
