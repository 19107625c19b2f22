"""A problem of one's own: keep a room warm with a heater that answers late."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.kernels import Dynamics, Problem, draw_uniform, kernel, register_problem


@Dynamics.register("thermostat")
class Thermostat(NamedTuple):
    """What changes is in arrays: the temperature, and how hot the heater is."""

    wanted: float
    state: NDArray[np.float64]

    @kernel
    def reset_problem(self, observation, rng):
        """Begin with a cold heater."""
        self.state[0], self.state[1] = 10.0 + 15.0 * draw_uniform(rng), 0.0
        observation[0], observation[1] = self.state[0], self.state[1]

    @kernel
    def step_problem(self, action, observation, rng):
        """Heat or do not; pay 1 while the room is within a degree of what is wanted."""
        heat = 0.7 * self.state[1] + 0.3 * action
        room = self.state[0] + 1.5 * heat - 0.04 * self.state[0]
        self.state[0], self.state[1] = min(max(room, 0.0), 40.0), heat
        observation[0], observation[1] = self.state[0], self.state[1]
        return 1.0 if abs(self.state[0] - self.wanted) <= 1.0 else 0.0, False


@register_problem("thermostat")
def make_thermostat(*, wanted: float = 20.0) -> Problem:
    """Build the problem; options are keyword arguments."""
    return Problem(
        name="thermostat",
        dynamics=Thermostat(float(wanted), np.zeros(2)),
        low=np.array([0.0, 0.0]),
        high=np.array([40.0, 1.0]),
        n_actions=2,
        single_step=False,
        time_limit=100,
        divergence_threshold=None,
        largest_return=100.0,
        largest_reward=1.0,
        feature_names=("room", "heater"),
        action_names=("off", "on"),
    )
