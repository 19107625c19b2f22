"""Population-wide deletion: a roulette over votes."""

import numpy as np

from ruleplay.core._jit import ZERO, inline_kernel, kernel
from ruleplay.core._rng import draw_uniform
from ruleplay.core.insertion import refresh_vote, remove_rule
from ruleplay.core.population import CHUNK

_HUGE = np.float32(1e30)  # the largest vote: a rule whose fitness has vanished


@inline_kernel
def write_votes(votes, start, limit, mean, out):
    """Write the votes of one chunk of places.

    vote = as * num, times mean / (F / num) for an experienced rule with F / num < delta * mean
    where mean is the mean fitness of a microclassifier       [Butz and Wilson 2002]
    """
    base = votes[0, start : start + CHUNK]
    fitness = votes[1, start : start + CHUNK]
    numerosity = votes[2, start : start + CHUNK]
    for j in range(CHUNK):
        raised = min(base[j] * numerosity[j] * mean / fitness[j], _HUGE)
        out[j] = raised if fitness[j] < limit * numerosity[j] else base[j]


@inline_kernel
def sum_chunk(values):
    """Return the sum of CHUNK values, pairwise and in place, by halves."""
    half = CHUNK // 2
    while half >= 1:
        for j in range(half):
            values[j] += values[j + half]
        half //= 2
    return float(values[0])


@inline_kernel
def find_in_chunk(values, ball):
    """Return the first offset whose running sum exceeds the ball, or the last with a vote."""
    running, last = 0.0, 0
    for j in range(CHUNK):
        running += float(values[j])
        if values[j] > 0.0:
            last = j
        if running > ball:
            return j
    return last


@kernel
def select_for_deletion(agent, rng):
    """Draw a place with probability proportional to its vote."""
    population, scratch, state = agent.population, agent.scratch, agent.state
    mean64 = state.fitness_sum / state.micro
    mean, limit = np.float32(mean64), np.float32(agent.params.delta * mean64)
    total, n = 0.0, 0
    for action in range(population.counts.shape[0]):
        first = action * agent.params.stride
        for start in range(first, first + population.counts[action], CHUNK):
            write_votes(population.votes, start, limit, mean, scratch.sums)
            scratch.chunks[n] = sum_chunk(scratch.sums)
            total += scratch.chunks[n]
            n += 1
    ball = draw_uniform(rng) * total
    n, start = 0, ZERO
    for action in range(population.counts.shape[0]):
        first = action * agent.params.stride
        for start in range(first, first + population.counts[action], CHUNK):
            if ball < scratch.chunks[n]:
                write_votes(population.votes, start, limit, mean, scratch.sums)
                return start + find_in_chunk(scratch.sums, ball)
            ball -= scratch.chunks[n]
            n += 1
    write_votes(population.votes, start, limit, mean, scratch.sums)
    return start + find_in_chunk(scratch.sums, np.inf)


@kernel
def delete_one(agent, rng):
    """Take one microclassifier out of the population."""
    place = select_for_deletion(agent, rng)
    rule = agent.population.rules[place]
    if rule.numerosity > 1:
        rule.numerosity -= 1
        agent.state.micro -= 1
        refresh_vote(agent.population, place, agent.params)
    else:
        remove_rule(agent, place)
