"""Small pictures whose colours are classes: reading, checking, drawing."""

import os
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ruleplay.errors import ConfigError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MAX_COLOURS = 64
MAX_SIDE = 256


@dataclass(frozen=True, eq=False)
class Picture:
    """Pixels as classes 0, 1, ..., and each class's colour and name; row 0 is the top."""

    classes: NDArray[np.int64]  # (height, width)
    palette: NDArray[np.uint8]  # (colours, 3), RGB
    names: tuple[str, ...]

    def rgb(self) -> NDArray[np.uint8]:
        """Return the pixels' colours, (height, width, 3)."""
        return self.palette[self.classes]


def mario_picture() -> Picture:
    """Return the plumber: 16 x 16 pixels in seven colours, drawn for ruleplay."""
    text = files("ruleplay.envs").joinpath("data", "mario.txt").read_text(encoding="utf-8")
    legend, drawing = text.split("\n\n")
    letters, names, codes = zip(*(line.split() for line in legend.splitlines()), strict=True)
    palette = np.array([list(bytes.fromhex(code)) for code in codes], dtype=np.uint8)
    classes = np.array([[letters.index(c) for c in row] for row in drawing.split()])
    return Picture(classes.astype(np.int64), palette, names)


def load_picture(source: str | os.PathLike[str] | ArrayLike | Picture) -> Picture:
    """Turn an image file, a .npy file or an array into classes, one per colour.

    Arrays are whole numbers (height, width), grey levels in [0, 1] (height, width), or
    colours (height, width, 3 or 4) as bytes or in [0, 1]. Transparent pixels count as
    white. Classes are numbered in the order of their values.
    """
    if isinstance(source, Picture):
        return source
    pixels = _read_file(Path(source)) if isinstance(source, str | os.PathLike) else source
    array = _check_pixels(pixels)
    if array.ndim == 2 and not np.issubdtype(array.dtype, np.floating):
        return _from_labels(array)
    return _from_colours(_as_bytes(array))


def draw_picture(picture: Picture, axes: "Axes | None" = None) -> Any:
    """Draw the picture over the unit square, as the problem sees it; return the image."""
    if axes is None:
        from matplotlib.figure import Figure

        axes = Figure(figsize=(4, 4)).add_subplot()
    axes.set(xlabel="x", ylabel="y")
    return axes.imshow(picture.rgb(), extent=(0, 1, 0, 1), interpolation="nearest")


def save_picture(picture: Picture, path: str | os.PathLike[str], scale: int = 16) -> None:
    """Write the picture as a PNG file with `scale` x `scale` dots per pixel."""
    from matplotlib.image import imsave

    dots = picture.rgb().repeat(scale, axis=0).repeat(scale, axis=1)
    imsave(os.fspath(path), dots, format="png")


def _read_file(path: Path) -> Any:
    """Read the pixels of an image or .npy file."""
    from matplotlib.image import imread

    try:
        if path.suffix.lower() == ".npy":
            return np.load(path, allow_pickle=False)
        return imread(path)
    except (OSError, ValueError, SyntaxError) as error:
        raise ConfigError(
            f"picture must be a readable image or .npy file, got {str(path)!r}: {error}"
        ) from error


def _check_pixels(pixels: Any) -> NDArray[Any]:
    """Refuse what is not a small array of finite numbers shaped like a picture."""
    try:
        array = np.asarray(pixels)
    except ValueError as error:
        raise ConfigError(f"picture must be a rectangle of numbers: {error}") from error
    flat = array.ndim == 2
    coloured = array.ndim == 3 and array.shape[2] in (3, 4)
    if not (flat or coloured):
        raise ConfigError(
            f"picture must have shape (height, width) or (height, width, 3 or 4), got {array.shape}"
        )
    if not all(1 <= side <= MAX_SIDE for side in array.shape[:2]):
        raise ConfigError(
            f"picture must measure 1 to {MAX_SIDE} pixels a side, got {array.shape[:2]}"
        )
    if array.dtype.kind not in "biuf":
        raise ConfigError(f"picture must hold whole or real numbers, got {array.dtype}")
    if not np.isfinite(array).all():
        raise ConfigError("picture must hold finite numbers, got NaN or infinity")
    return array


def _as_bytes(array: NDArray[Any]) -> NDArray[np.uint8]:
    """Return RGB bytes (height, width, 3) of grey levels or colours, over white."""
    largest = 1.0 if array.dtype.kind == "f" else 255.0
    if array.min() < 0 or array.max() > largest:
        raise ConfigError(
            f"picture's colours must lie in [0, {largest:g}], "
            f"got {array.min():g} to {array.max():g}"
        )
    levels = array.astype(np.float64) / largest
    if levels.ndim == 2:
        levels = np.repeat(levels[:, :, None], 3, axis=2)
    if levels.shape[2] == 4:
        opacity = levels[:, :, 3:]
        levels = levels[:, :, :3] * opacity + (1.0 - opacity)
    return np.rint(levels * 255.0).astype(np.uint8)


def _from_colours(pixels: NDArray[np.uint8]) -> Picture:
    """Make a class of each colour that occurs."""
    height, width, _ = pixels.shape
    palette, classes = np.unique(pixels.reshape(-1, 3), axis=0, return_inverse=True)
    _check_count(len(palette))
    names = tuple("#" + bytes(colour).hex() for colour in palette)
    return Picture(classes.reshape(height, width).astype(np.int64), palette, names)


def _from_labels(labels: NDArray[Any]) -> Picture:
    """Make a class of each value that occurs, and give it a colour of its own."""
    values, classes = np.unique(labels, return_inverse=True)
    _check_count(len(values))
    palette = _distinct_colours(len(values))
    names = tuple(str(int(value)) for value in values)
    return Picture(classes.reshape(labels.shape).astype(np.int64), palette, names)


def _check_count(colours: int) -> None:
    """Refuse pictures with nothing to tell apart, or too much."""
    if not 2 <= colours <= MAX_COLOURS:
        raise ConfigError(
            f"picture must have 2 to {MAX_COLOURS} colours, got {colours}; "
            "save photographs and smoothed images with a reduced palette first"
        )


def _distinct_colours(count: int) -> NDArray[np.uint8]:
    """Spread `count` colours around the colour circle."""
    from matplotlib.colors import hsv_to_rgb

    hue = np.arange(count) / count
    value = np.where(np.arange(count) % 2 == 0, 0.95, 0.7)
    levels = hsv_to_rgb(np.column_stack([hue, np.full(count, 0.75), value]))
    return np.rint(levels * 255.0).astype(np.uint8)
