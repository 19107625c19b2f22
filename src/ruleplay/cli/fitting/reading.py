"""Read a CSV file into a table of text, and say precisely what is wrong with a bad one."""

import csv
import io
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ruleplay.errors import ConfigError

if TYPE_CHECKING:
    import pandas as pd

STANDARD_INPUT, PIPE = "-", "standard input"
AUTO = "auto"  # the separator is to be found in the file
SEPARATORS = {"tab": "\t", "\\t": "\t", "semicolon": ";", "comma": ",", "space": " "}
COMMON = {";": ";", ",": ",", "\t": "tab", "|": "|"}  # how each is written as an option
LARGEST_FIELD = 1 << 24  # characters
HEAD = 100_000  # characters from which a file is judged
SHOW_FROM = 20_000_000  # bytes of a file whose reading is worth a bar
ROWS_BETWEEN = 20_000  # two looks at the progress
FOREIGN = {
    b"PK\x03\x04": "a workbook or an archive: save the table as CSV first",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook: save the table as CSV first",
    b"\x1f\x8b": "compressed: unpack it first (gunzip)",
    b"%PDF": "a PDF document, not a table",
}

Progress = Callable[[int, int], None]  # bytes done, bytes in all


class Raw(NamedTuple):
    """The bytes of a file, and what messages call it."""

    name: str
    content: bytes


def read_csv(
    source: str, separator: str = AUTO, on_progress: Progress | None = None
) -> "pd.DataFrame":
    """Return a table of text; a field without text is missing (NaN)."""
    raw = read_bytes(source)
    sign = separator_of(separator, raw.content[:HEAD].decode("utf-8-sig", "replace"))
    names, rows = split_table(raw, sign, on_progress)
    return as_frame(raw.name, names, rows)


def read_separator(text: str) -> str:
    r"""Return the separator that an option means.

    >>> read_separator("tab"), read_separator(";")
    ('\t', ';')
    """
    sign = SEPARATORS.get(text.lower(), text)
    if len(sign) != 1 or sign in '"\r\n' or sign.isalnum():
        raise ConfigError(f"--separator must be one character, or the word tab, got {text!r}")
    return sign


def separator_of(option: str, text: str) -> str:
    r"""Return the separator that an option means; if it is to be found, that of a text.

    A comma, unless the first line has none and another sign is in each of the first lines.

    >>> separator_of("auto", "a;b\n1,5;2\n"), separator_of("tab", "a;b")
    (';', '\t')
    """
    if option != AUTO:
        return read_separator(option)
    signs = _common_signs(text)
    return "," if not signs or "," in text.split("\n", 1)[0] else signs[0]


def _common_signs(text: str) -> list[str]:
    """Return the usual separators that each of the first lines has, the most frequent first."""
    lines = [line for line in text[:HEAD].splitlines() if line.strip()][:20]
    found = {sign: lines[0].count(sign) for sign in COMMON if all(sign in line for line in lines)}
    return sorted(found, key=lambda sign: -found[sign])


def read_bytes(source: str) -> Raw:
    """Return the bytes of a file, or of standard input, that may be a table."""
    if source == STANDARD_INPUT:
        raw = Raw(PIPE, sys.stdin.buffer.read())
    else:
        raw = Raw(source, check_path(source).read_bytes())
    check_start(raw)
    return raw


def check_path(source: str) -> Path:
    """Return the path of a file, or say that there is none."""
    path = Path(source)
    if not path.exists():
        raise ConfigError(f"{source}: there is no such file{_similar(path)}")
    if path.is_dir():
        raise ConfigError(f"{source} is a folder: name a CSV file in it")
    return path


def check_start(raw: Raw) -> None:
    """Refuse a file that is no text by how it begins."""
    if not raw.content.strip():
        raise ConfigError(f"{raw.name} is empty: it needs a line of column names, then rows")
    for start, what in FOREIGN.items():
        if raw.content.startswith(start):
            raise ConfigError(f"{raw.name} is {what}")
    if raw.content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise ConfigError(f"{raw.name} is UTF-16 text: {_conversion(raw.name, 'utf-16')}")
    if b"\0" in raw.content:
        raise ConfigError(f"{raw.name} is a binary file, not text with a row per line")


def _similar(path: Path) -> str:
    """Name the file that a user may have meant."""
    import difflib

    if not path.parent.is_dir():
        return f", nor a folder {path.parent}"
    near = difflib.get_close_matches(path.name, [p.name for p in path.parent.iterdir()], n=1)
    return f"; did you mean {path.parent / near[0]}?" if near else ""


def decode(raw: Raw) -> str:
    """Return the text of a file in UTF-8, with or without a mark of its order of bytes."""
    try:
        return raw.content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.content.count(b"\n", 0, error.start) + 1
        raise no_text(raw.name, line, raw.content[error.start]) from None


def no_text(name: str, line: int, byte: int) -> ConfigError:
    """Return the error that says where a file is not UTF-8, and how to convert it."""
    return ConfigError(
        f"{name}, line {line}: byte 0x{byte:02x} is not UTF-8: {_conversion(name, 'windows-1252')}"
    )


def _conversion(name: str, encoding: str) -> str:
    name = "OLD.csv" if name == PIPE else name
    return (
        f"save it as UTF-8, or convert it: iconv -f {encoding} -t utf-8 {name} > NEW.csv "
        f"(if {encoding} is what it is)"
    )


def split_table(
    raw: Raw, separator: str, on_progress: Progress | None
) -> tuple[list[str], list[list[str]]]:
    """Return the names of the columns, and rows of as many fields."""
    text = decode(raw)
    lines = io.StringIO(text, newline="")
    records = fields_of(raw.name, lines, separator, text[:HEAD])
    _, names = next(records)
    rows = []
    for line, row in records:
        rows.append(row)
        if on_progress is not None and len(rows) % ROWS_BETWEEN == 0:
            on_progress(_bytes_so_far(raw, text, line), len(raw.content))
    return names, rows


def fields_of(
    name: str, lines: Iterable[str], separator: str, head: str, fewest: int = 2
) -> Iterator[tuple[int, list[str]]]:
    """Yield the names of the columns, then rows of as many fields, each with its line's number.

    `head` is how the text begins, `fewest` how many columns there must be.
    """
    csv.field_size_limit(LARGEST_FIELD)
    reader = csv.reader(lines, delimiter=separator, strict=True)
    names: list[str] = []
    rows = 0
    try:
        for line, row in _filled(reader):
            if not names:
                names = check_header(name, row, separator, head, fewest)
                yield line, names
                continue
            if len(row) != len(names):
                raise _uneven(name, line, row, names, separator)
            yield line, row
            rows += 1
    except csv.Error as error:
        raise ConfigError(
            f"{name}, line {reader.line_num}: {error}: is a quotation mark left open?"
        ) from None
    if not rows:
        raise ConfigError(f"{name} has column names but no rows")


def _filled(reader: Any) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not blank, and the number of the line where each ends."""
    for row in reader:
        fields = [field.strip() for field in row]
        if any(fields):
            yield reader.line_num, fields


def _bytes_so_far(raw: Raw, text: str, line: int) -> int:
    """Estimate how many bytes the lines so far take, from the length of the first ones."""
    start = text[:HEAD]
    return min(len(raw.content), round(line * len(start) / max(1, start.count("\n"))))


def _uneven(name: str, line: int, row: list[str], names: list[str], separator: str) -> ConfigError:
    shown = COMMON.get(separator, separator)
    fields = "1 field" if len(row) == 1 else f"{len(row)} fields"
    hint = f"text that contains {shown!r} belongs in quotation marks"
    if separator == "," and len(row) > len(names):
        hint += "; so do numbers with decimal commas"
    return ConfigError(
        f"{name}, line {line}: {fields}, but the first line names {len(names)} columns; {hint}"
    )


def check_header(
    name: str, names: list[str], separator: str, text: str, fewest: int = 2
) -> list[str]:
    """Return the names of the columns, or refuse them; an unnamed one gets its number."""
    if len(names) < fewest:
        raise ConfigError(_one_column(name, text, separator))
    if all(is_number(cell) for cell in names if cell):
        raise ConfigError(
            f"{name}: the first line must name the columns, got numbers: "
            f"{separator.join(names[:4])}{'...' if len(names) > 4 else ''}"
        )
    names = [cell or f"column {k + 1}" for k, cell in enumerate(names)]
    twice = [cell for cell, count in Counter(names).items() if count > 1]
    if twice:
        places = [str(k + 1) for k, cell in enumerate(names) if cell == twice[0]]
        raise ConfigError(
            f"{name}: columns {' and '.join(places)} are both called {twice[0]!r}: "
            "each needs a name of its own"
        )
    return names


def _one_column(name: str, text: str, separator: str) -> str:
    """Say that there is one column only, and which separator would give more."""
    found = [sign for sign in _common_signs(text) if sign != separator]
    shown = COMMON.get(separator, separator)
    message = f"{name} has one column only if split at {shown!r}"
    if not found:
        return f"{message}: it needs the target and at least one more"
    best = COMMON[found[0]]
    return f"{message}; use --separator {best if best.isalnum() else repr(best)}"


def is_number(text: str) -> bool:
    """Tell whether text is a number as programs write it.

    >>> is_number("-1.5e3"), is_number("1,5"), is_number("nan")
    (True, False, False)
    """
    try:
        return float(text) == float(text)
    except ValueError:
        return False


def as_frame(name: str, names: list[str], rows: list[list[str]]) -> "pd.DataFrame":
    """Return rows of fields as a table in which what says that it is missing is missing."""
    import pandas as pd

    from ruleplay.rules.spelling import is_missing

    columns, words = {}, {}
    for title, fields in zip(names, zip(*rows, strict=True), strict=True):
        gaps = Counter(field for field in fields if is_missing(field))
        columns[title] = [None if field in gaps else field for field in fields]
        if said := {word: count for word, count in gaps.most_common() if word}:
            words[title] = said
    table = pd.DataFrame(columns, dtype=object)
    table.attrs["name"], table.attrs["missing_words"] = name, words
    return table


def look_at(source: str, separator: str = AUTO) -> list[str]:
    """Return the names of a file's columns, or refuse it by how it begins; none of a pipe."""
    if source == STANDARD_INPUT:
        return []
    with check_path(source).open("rb") as file:
        head = file.read(HEAD)
    check_start(Raw(source, head))
    text = head.decode("utf-8-sig", "replace")
    sign = separator_of(separator, text)
    _, names = next(fields_of(source, io.StringIO(text, newline=""), sign, text, fewest=1))
    return names


def first_line_remark(table: "pd.DataFrame") -> str:
    """Ask whether the first line is data if its fields stand in their own columns, too."""
    same = [name for name in table.columns if (table[name] == name).any()]
    numbers = [name for name in table.columns if is_number(name) and not name.isdigit()]
    if not same or len(same) + len(set(numbers) - set(same)) <= len(table.columns) / 2:
        return ""
    shown = ", ".join(table.columns[:4])
    more = ", ..." if len(table.columns) > 4 else ""
    return (
        f"are these names of columns: {shown}{more}? They look like a row, and the first line of "
        f"{table.attrs['name']} is taken for names: put a line of names above it"
    )
