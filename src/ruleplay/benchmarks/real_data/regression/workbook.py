"""Read the first sheet of a workbook (.xlsx): a zip archive of XML files."""

import io
import zipfile
from collections.abc import Iterator
from xml.etree import ElementTree

SHEET, TEXTS = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"
_SPACE = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def read_first_sheet(content: bytes) -> list[list[str]]:
    """Return the cells of each row as text, "" where a cell is empty."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        sheet = ElementTree.fromstring(archive.read(SHEET))
        has_texts = TEXTS in archive.namelist()
        texts = _texts(archive.read(TEXTS)) if has_texts else []
    found = [dict(_cells(row, texts)) for row in sheet.iter(f"{_SPACE}row")]
    width = 1 + max((place for row in found for place in row), default=-1)
    return [[row.get(place, "") for place in range(width)] for row in found if any(row.values())]


def column_place(reference: str) -> int:
    """Return the column of a cell, counted from 0.

    >>> column_place("A1"), column_place("Z9"), column_place("AA12")
    (0, 25, 26)
    """
    place = 0
    for letter in reference.rstrip("0123456789"):
        place = 26 * place + ord(letter) - ord("A") + 1
    return place - 1


def _cells(row: ElementTree.Element, texts: list[str]) -> Iterator[tuple[int, str]]:
    for cell in row.iter(f"{_SPACE}c"):
        value = cell.findtext(f"{_SPACE}v", "")
        shared = cell.get("t") == "s" and value
        yield column_place(cell.attrib["r"]), texts[int(value)] if shared else value


def _texts(content: bytes) -> list[str]:
    """Return the texts that cells refer to by number."""
    items = ElementTree.fromstring(content).iter(f"{_SPACE}si")
    return ["".join(part.text or "" for part in item.iter(f"{_SPACE}t")) for item in items]
