"""Woods and mazes: maps, moves, senses, and how far the food is."""

from collections import deque

import numpy as np
import pytest

from ruleplay.core.basics.rng import spawn_states
from ruleplay.envs import make_problem, reset_problem, step_problem
from ruleplay.envs.woods.maps import EMPTY, FIRST_FOOD, MAPS
from ruleplay.envs.woods.woods import DIRECTIONS
from ruleplay.testing import check_problem

pytestmark = pytest.mark.interpreted

MOVES = tuple(DIRECTIONS.values())
NORTH, EAST, SOUTH_WEST = (list(DIRECTIONS).index(d) for d in ("north", "east", "south-west"))


class Walk:
    """A maze, and somebody in it."""

    def __init__(self, name):
        self.problem = make_problem(name)
        self.dynamics = self.problem.dynamics
        self.rng = spawn_states(0, 1)[0]
        self.seen = np.zeros(self.problem.n_features)

    def begin(self):
        reset_problem(self.dynamics, self.seen, self.rng)
        return tuple(self.dynamics.state.tolist())

    def put(self, row, column):
        self.dynamics.state[:] = row, column

    def go(self, action):
        answer = step_problem(self.dynamics, action, self.seen, self.rng)
        return tuple(self.dynamics.state.tolist()), answer

    def senses(self):
        """Return the names of the bits that are 1."""
        return {n for n, bit in zip(self.problem.feature_names, self.seen, strict=True) if bit}


def distances(cells):
    """Return the steps from each empty cell to the nearest food, by breadth-first search."""
    height, width = cells.shape
    found = {tuple(food): 0 for food in np.argwhere(cells >= FIRST_FOOD).tolist()}
    waiting = deque(found)
    while waiting:
        row, column = waiting.popleft()
        for down, right in MOVES:
            near = ((row - down) % height, (column - right) % width)
            if cells[near] == EMPTY and near not in found:
                found[near] = found[row, column] + 1
                waiting.append(near)
    return {place: steps for place, steps in found.items() if steps > 0}


@pytest.mark.parametrize(
    ("name", "empty", "optimum"),
    [("woods1", 16, 1.6875), ("woods2", 288, 1.6875), ("maze4", 26, 3.5), ("maze5", 36, 4.61)],
)
def test_food_is_as_far_as_is_known(name, empty, optimum):
    steps = distances(make_problem(name).dynamics.cells)
    assert len(steps) == empty  # food can be reached from everywhere
    assert np.mean(list(steps.values())) == pytest.approx(optimum, abs=0.005)


@pytest.mark.parametrize("name", MAPS)
def test_woods_are_what_they_say(name):
    check_problem(lambda: make_problem(name))


@pytest.mark.parametrize("name", MAPS)
def test_every_move_does_what_the_map_says(name):
    walk = Walk(name)
    cells = walk.dynamics.cells
    for row, column in np.argwhere(cells == EMPTY).tolist():
        for action, (down, right) in enumerate(MOVES):
            walk.put(row, column)
            target = ((row + down) % cells.shape[0], (column + right) % cells.shape[1])
            blocked = EMPTY < cells[target] < FIRST_FOOD
            food = cells[target] >= FIRST_FOOD
            expected = ((row, column) if blocked else target, (1000.0 if food else 0.0, food))
            assert walk.go(action) == expected


def test_episodes_begin_on_all_empty_cells():
    walk = Walk("woods1")
    starts = {walk.begin() for _ in range(400)}
    assert starts == set(map(tuple, np.argwhere(walk.dynamics.cells == EMPTY).tolist()))


def test_the_neighbouring_cells_are_sensed():
    walk = Walk("woods1")
    walk.put(1, 4)  # right of the food; the block goes on below, and again beyond the edge
    walk.go(NORTH)
    assert walk.senses() == {"south-west_object", "south-west_food"}
    walk.put(0, 4)
    assert walk.go(SOUTH_WEST) == ((1, 3), (1000.0, True))


def test_the_second_woods_has_two_kinds_of_things():
    walk = Walk("woods2")
    walk.put(0, 17)
    walk.go(EAST)  # now above the G of the block ".QQG.", whose middle is a Q
    assert walk.senses() == {
        "south_food",
        "south_object",
        "south_kind",
        "south-west_object",
        "south-west_kind",
    }


def test_woods1_repeats_the_pattern_of_one_block():
    assert len({row for row in MAPS["woods2"][0].split() if set(row) != {"."}}) == 9
    shapes = np.array(
        [[c != "." for c in row] for row in MAPS["woods2"][0].split()], dtype=bool
    ).reshape(3, 5, 6, 5)
    block = np.array([[c != "." for c in row] for row in MAPS["woods1"][0].split()], dtype=bool)
    assert (shapes == block[None, :, None, :]).all()
