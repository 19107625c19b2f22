"""The mazes' maps, and what an animal senses of a cell.

A map goes on at its opposite edge. In `woods1` [Wilson1994] and `woods2` [Wilson1995] that is
how a pattern repeats; mazes have walls around them, `maze4` and `maze5` [Lanzi1999].
"""

from typing import NamedTuple

WOODS1 = """
.....
.OOF.
.OOO.
.OOO.
.....
"""

WOODS2 = """
..............................
.QQF..QQF..OQF..QQG..OQG..OQF.
.OOO..QOO..OQO..OOQ..QQO..QQQ.
.OOQ..OQQ..OQQ..QQO..OOO..QQO.
..............................
..............................
.QOF..QOG..QOF..OOF..OOG..QOG.
.QQO..QOO..OOO..OQO..QQO..QOO.
.QQQ..OOO..OQO..QOQ..QOQ..OQO.
..............................
..............................
.QOG..QOF..OOG..OQF..OOG..OOF.
.OOQ..OQQ..QQO..OQQ..QQO..OQQ.
.QQO..OOO..OQO..OOQ..OQQ..QQQ.
..............................
"""

MAZE4 = """
OOOOOOOO
O..O..FO
OO..O..O
OO.O..OO
O......O
OO.O...O
O....O.O
OOOOOOOO
"""

MAZE5 = """
OOOOOOOOO
O......FO
O..O.OO.O
O.O.....O
O...OO..O
O.O.O..OO
O.O..O..O
O.....O.O
OOOOOOOOO
"""

SYMBOLS = ".OQFG"  # empty, two kinds of obstacles, two kinds of food
EMPTY, FIRST_FOOD = 0, 3


class Senses(NamedTuple):
    """What the bits of a cell tell, and the bits of each symbol; not all occur in a map."""

    bits: tuple[str, ...]
    codes: tuple[str, ...]  # in the order of SYMBOLS


TWO_BITS = Senses(("object", "food"), ("00", "10", "10", "11", "11"))
THREE_BITS = Senses(("food", "object", "kind"), ("000", "010", "011", "110", "111"))

MAPS = {
    "woods1": (WOODS1, TWO_BITS),
    "woods2": (WOODS2, THREE_BITS),
    "maze4": (MAZE4, TWO_BITS),
    "maze5": (MAZE5, TWO_BITS),
}
