"""Put a picture of an environment and the rules that act in it side by side."""

import io
import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from textwrap import wrap
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from ruleplay.cli.playing.playing import Moment
from ruleplay.cli.playing.thinned import Thinned
from ruleplay.errors import ConfigError
from ruleplay.output.files import MAKER, write_whole
from ruleplay.rules import Explanation, fixed

HEIGHT, PANEL = 320, 360  # pixels
PAPER, INK, FAINT, BAR, CHOSEN = "#ffffff", "#20242c", "#6b7280", "#c9d3df", "#2665a3"
LETTERS = 50  # of a line of a rule
RULES, LINES = 3, 3  # shown, and lines of each
MOST_BARS = 6
GLUE = "\u00a0"  # a blank at which no line ends
MOST_FRAMES = 120
LARGEST = 3_000_000  # bytes of a file
COLOURS = 64


class Composer:
    """Makes a frame of each moment; bars keep one scale while an episode goes on."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._low, self._high = math.inf, -math.inf
        self._last: Explanation | None = None

    def frame(self, moment: Moment) -> Image.Image:
        """Return picture and panel of a moment."""
        picture = fitted(moment.picture)
        frame = Image.new("RGB", (picture.width + PANEL, HEIGHT), PAPER)
        frame.paste(picture, (0, 0))
        pen = Pen(ImageDraw.Draw(frame), picture.width + 14)
        pen.write(self._title, size=13, bold=True)
        pen.write(f"episode {moment.episode}, step {moment.step}, return {moment.total:g}")
        for line in wrap(moment.seen, LETTERS):
            pen.write(line, FAINT)
        pen.skip(6)
        told = moment.told
        if told is None:
            pen.write("the end", size=13, bold=True)
            return frame
        self._stretch(told)
        best = np.argsort(-np.nan_to_num(told.values, nan=-np.inf), kind="stable")[:MOST_BARS]
        for action in sorted(best.tolist()):
            self._bar(pen, told, action)
        pen.skip(6)
        _write_rules(pen, told)
        return frame

    def _stretch(self, told: Explanation) -> None:
        known = told.values[np.isfinite(told.values)]
        if len(known):
            self._low = min(self._low, float(known.min()))
            self._high = max(self._high, float(known.max()))

    def _bar(self, pen: "Pen", told: Explanation, action: int) -> None:
        """Draw what an action is worth, the chosen one in colour."""
        value, chosen = told.values[action], action == told.action
        number, share = "no rule", 0.0
        if math.isfinite(value):
            span = self._high - self._low
            share = (value - self._low) / span if span > 0.0 else 1.0
            number = fixed(float(value), told.digits)
        pen.bar(told.outcomes[action].name, share, number, CHOSEN if chosen else BAR, bold=chosen)


def _write_rules(pen: "Pen", told: Explanation) -> None:
    """Write the rules that speak for the chosen action, the weightiest first."""
    action = told.chosen
    if told.is_default:
        pen.write(f"no rule applies: {action} is the default")
        return
    votes = told.votes[told.votes["action"] == action]
    count = f"{len(votes)} rule{'' if len(votes) == 1 else 's'}"
    pen.write(f"{action}: {count}", bold=True)
    for place, vote in votes.head(RULES).iterrows():
        value = fixed(vote["value"], told.digits)
        start = f"{100 * vote['share']:.0f} %, value {value}: IF"
        for line in wrap_rule(start, told.conditions[int(place)] or ("anything",)):
            pen.write(line, size=11)


def wrap_rule(start: str, conditions: Sequence[str]) -> list[str]:
    """Break a rule between its conditions; dots stand for those that find no room.

    >>> wrap_rule("60 %, value 9: IF", ["0.25 ≤ position ≤ 0.75", "0.010 ≤ velocity ≤ 0.020"])[1]
    '    AND 0.010 ≤ velocity ≤ 0.020'
    """
    whole = [condition.replace(" ", GLUE) for condition in conditions]
    lines = wrap(
        start.replace(" ", GLUE) + GLUE + f" AND{GLUE}".join(whole),
        LETTERS,
        subsequent_indent=4 * GLUE,
        break_on_hyphens=False,
        max_lines=LINES,
        placeholder=f"{GLUE}…",
    )
    return [line.replace(GLUE, " ") for line in lines]


class Pen:
    """Writes lines one below the other."""

    def __init__(self, draw: ImageDraw.ImageDraw, left: int) -> None:
        self._draw, self._left, self._y = draw, left, 10

    def skip(self, pixels: int) -> None:
        """Leave some room."""
        self._y += pixels

    def write(self, text: str, colour: str = INK, *, size: int = 12, bold: bool = False) -> None:
        """Write a line, if there is room left."""
        if self._y + size < HEIGHT:
            self._draw.text((self._left, self._y), text, fill=colour, font=font(size, bold))
        self._y += size + 5

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


def fitted(picture: Any) -> Image.Image:
    """Return a picture of the frame's height."""
    image = Image.fromarray(np.asarray(picture, np.uint8)).convert("RGB")
    if image.height == HEIGHT:
        return image
    width = max(1, min(2 * HEIGHT, round(image.width * HEIGHT / image.height)))
    return image.resize((width, HEIGHT), Image.Resampling.LANCZOS)


class Film:
    """An onlooker that keeps frames for a file, fewer of them the longer it gets."""

    pictures = True

    def __init__(self, title: str, most: int = MOST_FRAMES) -> None:
        self._composer = Composer(title)
        self._frames: Thinned[Image.Image] = Thinned(most)
        self._palette: Image.Image | None = None

    def look(self, moment: Moment) -> None:
        """Keep some moments at equal distances, and the end of each episode."""
        self._frames.take(moment.told is None, lambda: self._frame(moment))

    def _frame(self, moment: Moment) -> Image.Image:
        """Return a frame in the colours of the first one."""
        frame = self._composer.frame(moment)
        if self._palette is None:
            self._palette = frame.quantize(COLOURS, Image.Quantize.MEDIANCUT)
        return frame.quantize(palette=self._palette, dither=Image.Dither.NONE)

    def write(self, path: Path) -> int:
        """Write an animated file of sensible size, and return the number of its frames."""
        content = self._content()
        while len(content) > LARGEST and len(self._frames.items) >= 8:
            self._frames.thin()
            content = self._content()
        write_whole(path, content)
        return len(self._frames.items)

    def _content(self) -> bytes:
        step = min(200, 40 * self._frames.every)  # milliseconds
        times = [1200 if is_end else step for is_end in self._frames.ends]
        first, *others = self._frames.items
        file = io.BytesIO()
        first.save(
            file,
            "GIF",
            save_all=True,
            append_images=others,
            duration=times,
            loop=0,
            optimize=False,
            comment=f"written by {MAKER}",
        )
        return file.getvalue()


class Window:
    """An onlooker that shows each frame in a window."""

    pictures = True

    def __init__(self, title: str) -> None:
        from matplotlib import pyplot

        self._composer, self._pyplot = Composer(title), pyplot
        if pyplot.get_backend().lower() in ("agg", "pdf", "svg", "ps", "cairo", "template"):
            raise ConfigError(
                "--render human needs a display: use --render gif --out FILE.gif, or text"
            )
        self._image: Any = None

    def look(self, moment: Moment) -> None:
        """Show the moment; a closed window ends the play."""
        frame = np.asarray(self._composer.frame(moment))
        if self._image is None:
            figure, axes = self._pyplot.subplots(figsize=(frame.shape[1] / 100, 3.2), dpi=100)
            axes.set_axis_off()
            figure.subplots_adjust(0, 0, 1, 1)
            self._image = axes.imshow(frame)
        self._image.set_data(frame)
        if not self._pyplot.fignum_exists(self._image.figure.number):
            raise KeyboardInterrupt("the window was closed")
        self._pyplot.pause(1.0 if moment.told is None else 0.03)
