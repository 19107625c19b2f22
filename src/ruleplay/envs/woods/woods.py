"""Woods and mazes: find food, one cell at a time, from wherever one is put [Wilson1994]."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.compiler.jit import inline_kernel, kernel
from ruleplay.core.basics.rng import draw_below
from ruleplay.envs._options import whole
from ruleplay.envs.dynamics import Dynamics
from ruleplay.envs.problem import Problem, register_problem
from ruleplay.envs.woods.maps import EMPTY, FIRST_FOOD, MAPS, SYMBOLS

FOOD_REWARD = 1000.0
DIRECTIONS = {  # clockwise, as rows (downwards) and columns
    "north": (-1, 0),
    "north-east": (-1, 1),
    "east": (0, 1),
    "south-east": (1, 1),
    "south": (1, 0),
    "south-west": (1, -1),
    "west": (0, -1),
    "north-west": (-1, -1),
}


@inline_kernel
def sense(problem, observation):
    """Write the bits of the eight neighbouring cells."""
    height, width = problem.cells.shape
    n_bits = problem.codes.shape[1]
    for d in range(problem.moves.shape[0]):
        row = (problem.state[0] + problem.moves[d, 0]) % height
        column = (problem.state[1] + problem.moves[d, 1]) % width
        for b in range(n_bits):
            observation[d * n_bits + b] = problem.codes[problem.cells[row, column], b]


@kernel
def enter_woods(problem, observation, rng):
    """Begin on any empty cell."""
    start = draw_below(problem.starts.shape[0], rng)
    problem.state[0], problem.state[1] = problem.starts[start, 0], problem.starts[start, 1]
    sense(problem, observation)


@kernel
def walk(problem, action, observation, rng):
    """Move to a neighbouring cell unless something stands there; food is eaten and ends it."""
    height, width = problem.cells.shape
    row = (problem.state[0] + problem.moves[action, 0]) % height
    column = (problem.state[1] + problem.moves[action, 1]) % width
    found = problem.cells[row, column]
    if found == EMPTY or found >= FIRST_FOOD:
        problem.state[0], problem.state[1] = row, column
    sense(problem, observation)
    reward = FOOD_REWARD if found >= FIRST_FOOD else 0.0
    return reward, found >= FIRST_FOOD


@Dynamics.register("woods", reset_problem=enter_woods, step_problem=walk)
class Woods(NamedTuple):
    """A map that goes on at its opposite edges, and where in it one is."""

    cells: NDArray[np.int64]  # (height, width) places in SYMBOLS
    codes: NDArray[np.float64]  # (symbols, bits of a cell)
    moves: NDArray[np.int64]  # (actions, 2)
    starts: NDArray[np.int64]  # (empty cells, 2)
    state: NDArray[np.int64]  # row, column


def make_woods(name: str, *, time_limit: int = 200) -> Problem:
    """Build the problem of finding food in one of the maps, in `time_limit` steps at most."""
    drawing, senses = MAPS[name]
    cells = np.array([[SYMBOLS.index(symbol) for symbol in row] for row in drawing.split()])
    dynamics = Woods(
        cells=cells,
        codes=np.array([[float(bit) for bit in code] for code in senses.codes]),
        moves=np.array(list(DIRECTIONS.values())),
        starts=np.ascontiguousarray(np.argwhere(cells == EMPTY)),
        state=np.zeros(2, np.int64),
    )
    names = [f"{direction}_{bit}" for direction in DIRECTIONS for bit in senses.bits]
    return Problem(
        name=name,
        dynamics=dynamics,
        low=np.zeros(len(names)),
        high=np.ones(len(names)),
        whole_numbers=True,
        n_actions=len(DIRECTIONS),
        single_step=False,
        time_limit=whole("time_limit", time_limit, 1),
        divergence_threshold=None,
        largest_return=FOOD_REWARD,
        largest_reward=FOOD_REWARD,
        feature_names=tuple(names),
        action_names=tuple(DIRECTIONS),
    )


def _maker(name: str) -> Callable[..., Problem]:
    """Return who builds the problem of one map."""

    def make(*, time_limit: int = 200) -> Problem:
        return make_woods(name, time_limit=time_limit)

    return make


for _name in MAPS:
    register_problem(_name)(_maker(_name))
