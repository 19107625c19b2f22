"""Write and draw on a picture, line by line."""

from functools import cache
from pathlib import Path
from typing import Any

from PIL import ImageDraw, ImageFont

PAPER, INK, FAINT, BAR, CHOSEN = "#ffffff", "#20242c", "#6b7280", "#c9d3df", "#2665a3"
MARK = "#ffe08a"  # behind the rule that decides
GLUE = "\u00a0"  # a blank at which no line ends


class Pen:
    """Writes lines one below the other."""

    def __init__(self, draw: ImageDraw.ImageDraw, left: int, height: int) -> None:
        self._draw, self._left, self._height, self._y = draw, left, height, 10

    def skip(self, pixels: int) -> None:
        """Leave some room."""
        self._y += pixels

    def write(
        self, text: str, colour: str = INK, *, size: int = 12, bold: bool = False, gap: int = 5
    ) -> None:
        """Write a line, if there is room left."""
        if self._y + size < self._height:
            self._draw.text((self._left, self._y), text, fill=colour, font=font(size, bold))
        self._y += size + gap

    def has_room(self, lines: int, *, size: int = 12, gap: int = 5) -> bool:
        """Tell whether there is room left for so many lines."""
        return self._y + (lines - 1) * (size + gap) + size < self._height

    def mark(self, height: int, width: int, colour: str) -> None:
        """Lay a colour behind what is written next."""
        corner = self._left - 5, self._y - 1
        self._draw.rectangle((*corner, corner[0] + width, corner[1] + height), fill=colour)

    def bar(self, name: str, share: float, number: str, colour: str, *, bold: bool) -> None:
        """Draw a bar between a name and a number."""
        start, end = self._left + 110, self._left + 270
        self._draw.text((self._left, self._y), _cut(name, 15), fill=INK, font=font(12, bold))
        length = max(2, round(share * (end - start)))
        self._draw.rectangle((start, self._y + 2, start + length, self._y + 12), fill=colour)
        self._draw.text((end + 8, self._y), number, fill=INK, font=font(12, bold))
        self._y += 17


@cache
def font(size: int, bold: bool) -> Any:
    """Return the letters that come with Matplotlib."""
    from matplotlib import get_data_path

    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return ImageFont.truetype(Path(get_data_path()) / "fonts" / "ttf" / name, size)


def _cut(text: str, letters: int) -> str:
    return text if len(text) <= letters else text[: letters - 1] + "…"
