"""Read a CSV file in chunks of rows, so that files may be larger than memory."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import IO, TYPE_CHECKING, Any, NamedTuple, cast

from ruleplay.cli.fitting.reading import (
    HEAD,
    PIPE,
    STANDARD_INPUT,
    Raw,
    as_frame,
    check_path,
    check_start,
    fields_of,
    no_text,
    separator_of,
)

if TYPE_CHECKING:
    import pandas as pd

MARK = "\ufeff"  # of the order of bytes, with which some files begin


class Chunk(NamedTuple):
    """Some rows of a file."""

    source: str
    names: list[str]  # of the columns
    rows: list[list[str]]
    bytes_done: int
    bytes_in_all: int  # 0 of a pipe
    separator: str = ","

    def table(self) -> "pd.DataFrame":
        """Return a table of text; a field that says so is missing."""
        return as_frame(self.source, self.names, self.rows)


def read_in_chunks(source: str, separator: str, chunk_rows: int) -> Iterator[Chunk]:
    """Yield the rows of a file, or of standard input, chunk by chunk, as `read_csv` reads them."""
    with _opened(source) as (name, stream, size):
        head = stream.peek(HEAD)
        check_start(Raw(name, head))
        sign = separator_of(separator, head.decode("utf-8-sig", "replace"))
        position = _Position()
        lines = _lines(name, stream, position)
        records = fields_of(name, lines, sign, head.decode("utf-8-sig", "replace"), fewest=1)
        _, names = next(records)
        while rows := [row for _, row in islice(records, chunk_rows)]:
            yield Chunk(name, names, rows, position.bytes, size, sign)


@contextmanager
def _opened(source: str) -> Iterator[tuple[str, "io.BufferedReader[Any]", int]]:
    """Open a file, or standard input, and tell its name and size."""
    if source == STANDARD_INPUT:
        stream = io.BufferedReader(cast(Any, sys.stdin.buffer), HEAD)
        try:
            yield PIPE, stream, 0
        finally:
            stream.detach()  # else standard input would be closed with it
        return
    with check_path(source).open("rb", buffering=0) as file:
        yield source, io.BufferedReader(file, HEAD), os.fstat(file.fileno()).st_size


class _Position:
    """How far a file has been read."""

    bytes = 0


def _lines(name: str, stream: IO[bytes], position: _Position) -> Iterator[str]:
    """Yield lines of text, or say which one is none."""
    for number, line in enumerate(stream, 1):
        position.bytes += len(line)
        if b"\0" in line:
            check_start(Raw(name, line))
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise no_text(name, number, line[error.start]) from None
        yield text.removeprefix(MARK) if number == 1 else text
