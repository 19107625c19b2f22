"""What a run leaves behind: a learning curve and its episodes."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.compiler.jit import inline_kernel
from ruleplay.core.state.arrays import records

# What is summed over steps, in this order.
MEASURES = (
    "reward",
    "system_error",
    "macroclassifiers",
    "microclassifiers",
    "generality_volume",
    "steps",
)
# What a detailed curve has besides: two means over rules, taken at the first step of each point;
# sums over explore steps, where they alternate with exploit steps.
SAMPLED = ("generality_micro", "rule_error")
DETAILS = (*SAMPLED, "explore_reward", "explore_error")
_SUMS, _STEPS = len(MEASURES), len(MEASURES) - 1

COUNTERS = np.dtype(
    [
        ("steps", "i8"),
        ("episodes", "i8"),
        ("length", "i8"),  # of the episode under way
        ("window", "i8"),  # steps per point of the curve
        ("first_reward_step", "i8"),  # 1-based; 0 = no reward yet
        ("episode_return", "f8"),  # of the episode under way
    ],
    align=True,
)


class Recorder(NamedTuple):
    """Where a run writes what it measures."""

    curve: NDArray[np.float64]  # (points, measures): sums over each point's window; or details too
    returns: NDArray[np.float64]  # (episodes,)
    lengths: NDArray[np.int64]  # (episodes,)
    counters: Any  # record COUNTERS


def allocate_recorder(steps: int, points: int, episodic: bool, details: int = 0) -> Recorder:
    """Reserve the records of a run of a number of steps, with the first few of DETAILS."""
    window = max(1, -(-steps // max(1, points)))
    counters = records(COUNTERS, 1)
    counters["window"] = window
    episodes = steps if episodic else 0
    return Recorder(
        curve=np.zeros((-(-steps // window), len(MEASURES) + details), np.float64),
        returns=np.zeros(episodes, np.float64),
        lengths=np.zeros(episodes, np.int64),
        counters=counters[0],
    )


@inline_kernel
def note_rules(population, stride, point):
    """Write the mean volume of a microclassifier and the mean error of a rule."""
    volume, error, micro, macro = 0.0, 0.0, 0, 0
    for action in range(population.counts.shape[0]):
        first = action * stride
        for i in range(first, first + population.counts[action]):
            rule = population.rules[i]
            volume += rule.volume * rule.numerosity
            error += rule.error
            micro += rule.numerosity
        macro += population.counts[action]
    point[_SUMS] = volume / micro
    point[_SUMS + 1] = error / macro


@inline_kernel
def record_explore(recorder, reward, error):
    """Add an explore step, which comes before its exploit step, to a detailed curve."""
    if recorder.curve.shape[1] > _SUMS + 2:
        counters = recorder.counters
        point = recorder.curve[counters.steps // counters.window]
        point[_SUMS + 2] += reward
        point[_SUMS + 3] += error


@inline_kernel
def record_step(recorder, agent, reward, error):
    """Add one step to the curve and to the episode under way."""
    counters, population = recorder.counters, agent.population
    macro = 0
    for count in population.counts:
        macro += count
    point = recorder.curve[counters.steps // counters.window]
    generality = agent.state.volume_sum / macro
    point[0] += reward
    point[1] += error
    point[2] += macro
    point[3] += agent.state.micro
    point[4] += generality
    point[_STEPS] += 1.0
    if point.shape[0] > _SUMS and counters.steps % counters.window == 0:
        note_rules(population, agent.params.stride, point)
    counters.steps += 1
    counters.episode_return += reward
    if reward > 0.0 and counters.first_reward_step == 0:
        counters.first_reward_step = counters.steps


@inline_kernel
def finish_episode(recorder):
    """Close the episode under way."""
    counters = recorder.counters
    recorder.returns[counters.episodes] = counters.episode_return
    recorder.lengths[counters.episodes] = counters.length
    counters.episodes += 1
    counters.episode_return = 0.0
    counters.length = 0
