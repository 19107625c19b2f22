"""Put a picture of an environment and the rules that act in it side by side."""

import io
import math
from collections.abc import Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

from ruleplay.cli.playing.list_panel import ListPanel
from ruleplay.cli.playing.pen import BAR, CHOSEN, FAINT, GLUE, PAPER, Pen
from ruleplay.cli.playing.playing import Moment
from ruleplay.cli.playing.thinned import Thinned
from ruleplay.errors import ConfigError
from ruleplay.output.files import MAKER, write_whole
from ruleplay.rules import Explanation, RuleSet, fixed

HEIGHT, PANEL = 320, 360  # pixels
TALLEST = 400  # of a picture beside a list
LETTERS = 50  # of a line of a rule
RULES, LINES = 3, 3  # shown, and lines of each
MOST_BARS = 6
MOST_FRAMES = 120
LARGEST = 3_000_000  # bytes of a file
COLOURS = 64


class Composer:
    """Makes a frame of each moment; bars keep one scale while an episode goes on."""

    def __init__(self, title: str, rules: RuleSet | None = None) -> None:
        self._title = title
        self._list = ListPanel(rules) if rules is not None and rules.ordered else None
        self._low, self._high = math.inf, -math.inf
        self._last: Explanation | None = None

    def frame(self, moment: Moment) -> Image.Image:
        """Return picture and panel of a moment."""
        height = HEIGHT if self._list is None else max(HEIGHT, self._list.height)
        width = PANEL if self._list is None else self._list.width
        picture = fitted(moment.picture, min(height, TALLEST))
        frame = Image.new("RGB", (picture.width + width, height), PAPER)
        frame.paste(picture, (0, 0))
        pen = Pen(ImageDraw.Draw(frame), picture.width + 14, height)
        pen.write(self._title, size=13, bold=True)
        pen.write(f"episode {moment.episode}, step {moment.step}, return {moment.total:g}")
        for line in wrap_seen(moment.seen, LETTERS if self._list is None else self._list.letters):
            pen.write(line, FAINT, size=11)
        pen.skip(6)
        if moment.told is None:
            pen.write("the end", size=13, bold=True)
        elif self._list is not None:
            self._list.write(pen, moment.told)
        else:
            self._write_votes(pen, moment.told)
        return frame

    def _write_votes(self, pen: Pen, told: Explanation) -> None:
        """Write what actions are worth, and the rules that speak for the best."""
        self._stretch(told)
        best = np.argsort(-np.nan_to_num(told.values, nan=-np.inf), kind="stable")[:MOST_BARS]
        for action in sorted(best.tolist()):
            self._bar(pen, told, action)
        pen.skip(6)
        _write_rules(pen, told)

    def _stretch(self, told: Explanation) -> None:
        known = told.values[np.isfinite(told.values)]
        if len(known):
            self._low = min(self._low, float(known.min()))
            self._high = max(self._high, float(known.max()))

    def _bar(self, pen: Pen, told: Explanation, action: int) -> None:
        """Draw what an action is worth, the chosen one in colour."""
        value, chosen = told.values[action], action == told.action
        number, share = "no rule", 0.0
        if math.isfinite(value):
            span = self._high - self._low
            share = (value - self._low) / span if span > 0.0 else 1.0
            number = fixed(float(value), told.digits)
        pen.bar(told.outcomes[action].name, share, number, CHOSEN if chosen else BAR, bold=chosen)


def _write_rules(pen: Pen, told: Explanation) -> None:
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
        lines = wrap_rule(start, told.conditions[int(place)] or ("anything",))
        if not pen.has_room(len(lines), size=11):
            return
        for line in lines:
            pen.write(line, size=11)


def wrap_seen(seen: str, letters: int) -> list[str]:
    """Break an observation in words between its features.

    >>> wrap_seen("left_leg 0.00, right_leg 0.00", 26)
    ['left_leg 0.00,', 'right_leg 0.00']
    """
    whole = ", ".join(part.replace(" ", GLUE) for part in seen.split(", "))
    return [line.replace(GLUE, " ") for line in wrap(whole, letters, break_on_hyphens=False)]


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


def fitted(picture: Any, height: int = HEIGHT) -> Image.Image:
    """Return a picture of a height."""
    image = Image.fromarray(np.asarray(picture, np.uint8)).convert("RGB")
    if image.height == height:
        return image
    width = max(1, min(2 * height, round(image.width * height / image.height)))
    return image.resize((width, height), Image.Resampling.LANCZOS)


class Film:
    """An onlooker that keeps frames for a file, fewer of them the longer it gets."""

    pictures = True

    def __init__(self, title: str, rules: RuleSet | None = None, most: int = MOST_FRAMES) -> None:
        self._composer = Composer(title, rules)
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

    def __init__(self, title: str, rules: RuleSet | None = None) -> None:
        from matplotlib import pyplot

        self._composer, self._pyplot = Composer(title, rules), pyplot
        if pyplot.get_backend().lower() in ("agg", "pdf", "svg", "ps", "cairo", "template"):
            raise ConfigError(
                "--render human needs a display: use --render gif --out FILE.gif, or text"
            )
        self._image: Any = None

    def look(self, moment: Moment) -> None:
        """Show the moment; a closed window ends the play."""
        frame = np.asarray(self._composer.frame(moment))
        if self._image is None:
            figure, axes = self._pyplot.subplots(
                figsize=(frame.shape[1] / 100, frame.shape[0] / 100), dpi=100
            )
            axes.set_axis_off()
            figure.subplots_adjust(0, 0, 1, 1)
            self._image = axes.imshow(frame)
        self._image.set_data(frame)
        if not self._pyplot.fignum_exists(self._image.figure.number):
            raise KeyboardInterrupt("the window was closed")
        self._pyplot.pause(1.0 if moment.told is None else 0.03)
