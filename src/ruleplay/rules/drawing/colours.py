"""A colour for each action: one that its name says, or one of a palette."""

from collections.abc import Sequence

# A palette that colour-blind people can tell apart (Okabe and Ito), then more of them.
PALETTE = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#f0e442", "#999999")

NAMED = {
    "background": "#a8d8f0",
    "black": "#24160f",
    "blue": "#2a4fb5",
    "brown": "#8a4b1c",
    "green": "#2e8b3d",
    "grey": "#8c8c8c",
    "orange": "#f28c1e",
    "red": "#d8232a",
    "skin": "#f7c193",
    "white": "#f5f5f5",
    "yellow": "#ffd21f",
}


def action_colours(names: Sequence[str]) -> list[str]:
    """Return a colour for each action as `#rrggbb`.

    Actions that are called after colours, all of them, as the classes of a picture may be,
    have those colours.

    >>> action_colours(["red", "blue"]), action_colours(["left", "right"])
    (['#d8232a', '#2a4fb5'], ['#0072b2', '#e69f00'])
    """
    if all(name in NAMED for name in names):
        return [NAMED[name] for name in names]
    return [*PALETTE[: len(names)], *_more_colours(len(names) - len(PALETTE))]


def _more_colours(count: int) -> list[str]:
    if count <= 0:
        return []
    from matplotlib import colormaps
    from matplotlib.colors import to_hex

    return [to_hex(colormaps["turbo"](0.05 + 0.9 * k / max(1, count - 1))) for k in range(count)]
