"""Write pictures that name their maker and no date: the same picture, the same bytes."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruleplay.errors import ConfigError
from ruleplay.output.files import MAKER, write_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PICTURES = (".svg", ".png", ".pdf")

# For texts that hold names of others: dollars, `_`, `^` and backslashes are drawn as they are.
LITERAL: Any = {"parse_math": False, "usetex": False}

_ABOUT: dict[str, dict[str, str | None]] = {
    ".svg": {"Creator": MAKER, "Date": None},
    ".png": {"Software": MAKER},
    ".pdf": {"Creator": MAKER, "CreationDate": None},
}


def check_picture_path(what: str, path: Path) -> None:
    """Refuse a file name whose ending names no known format."""
    if path.suffix.lower() not in PICTURES:
        raise ConfigError(f"{what} must end in {', '.join(PICTURES)}, got {path.name!r}")


def add_legend(figure: "Figure", handles: Sequence[Any], names: Sequence[str]) -> None:
    """Explain handles below a figure by names that are drawn as they are.

    Matplotlib leaves out labels that begin with `_`, and so is given the names afterwards.
    """
    places = list(map(str, range(len(names))))
    columns = max(1, min(8, len(names)))
    legend = figure.legend(
        handles, places, loc="outside lower center", ncols=columns, frameon=False
    )
    for text, name in zip(legend.get_texts(), names, strict=True):
        text.set(text=name, **LITERAL)


def save_picture(
    figure: "Figure", path: Path, *, dpi: int, style: dict[str, Any] | None = None
) -> None:
    """Write a figure in the format of the path's ending, whole or not at all."""
    from matplotlib import rc_context

    kind, content = path.suffix.lower(), io.BytesIO()
    settings: Any = {"svg.hashsalt": MAKER} | (style or {})
    with rc_context(settings):
        figure.savefig(content, format=kind.removeprefix("."), dpi=dpi, metadata=_ABOUT[kind])
    write_whole(path, content.getvalue())
