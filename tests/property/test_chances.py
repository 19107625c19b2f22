"""Selection, deletion and tie-breaking happen with the chances they promise.

Chi-square tests on fixed seeds: they cannot fail by bad luck, only after a change.
"""

import numpy as np
import pytest
from scipy.stats import chisquare

from property.samples import INTERPRETED, agent_of, make_engine, plant
from ruleplay.compiler.jit import kernel
from ruleplay.core import selection
from ruleplay.core.basics.rng import draw_below, draw_uniform, spawn_states
from ruleplay.core.choice import choose_greedily, choose_randomly
from ruleplay.core.deletion import delete_one, select_for_deletion

pytestmark = [pytest.mark.interpreted, pytest.mark.filterwarnings("ignore::RuntimeWarning")]

DRAWS = 2_000 if INTERPRETED else 100_000
UNLIKELY = 1e-3


def stream(seed=3):
    return spawn_states(seed, 1)[0]


def assert_proportional(counts, shares):
    """Compare counts with shares; rare outcomes are taken together."""
    expected = np.asarray(shares, float) / np.sum(shares) * np.sum(counts)
    counts = np.asarray(counts)
    assert (counts[expected == 0] == 0).all()
    rare = expected < 10
    pooled = np.append(counts[~rare], counts[rare].sum())
    wanted = np.append(expected[~rare], expected[rare].sum())
    possible = wanted > 0
    if possible.sum() > 1:
        assert chisquare(pooled[possible], wanted[possible]).pvalue > UNLIKELY


# --- parents --------------------------------------------------------------------------------

FITNESS = np.array([0.30, 0.05, 0.60, 0.30, 0.0, 0.90])
NUMEROSITY = np.array([1, 1, 2, 1, 1, 9])  # F / num: .3, .05, .3, .3, 0, .1


@kernel
def tally_tournaments(population, members, scratch, counts, draws, rng):
    for _ in range(draws):
        winner = selection.select_by_tournament(
            selection.Tournament(), population, members, scratch, rng
        )
        counts[winner] += 1


@kernel
def tally_roulettes(population, members, scratch, counts, draws, rng):
    for _ in range(draws):
        parent = selection.select_by_roulette(
            selection.Roulette(), population, members, scratch, rng
        )
        counts[parent] += 1


def tally_parents(tally, tau=0.4, skip=()):
    """Select among the six rules but those skipped, which are no members."""
    engine = make_engine(1, 1, tournament_fraction=tau)
    lower = np.arange(6)[:, None] / 10
    places = plant(engine, lower, lower + 0.1, [0] * 6, fitness=FITNESS, numerosity=NUMEROSITY)
    members = np.delete(places, list(skip)).astype(np.uint32)
    counts, arrays = np.zeros(6, np.int64), engine.state.arrays
    tally(arrays.population, members, arrays.scratch, counts, DRAWS, stream())
    return counts


@pytest.mark.parametrize("tau", [0.05, 0.4, 1.0])
def test_the_best_entrant_wins_the_tournament(tau):
    scores = FITNESS / NUMEROSITY
    enters = 1.0 - (1.0 - tau) ** NUMEROSITY
    chances, nobody_better = np.zeros(6), 1.0
    for i in np.argsort(-scores, kind="stable"):  # the first of equals wins
        chances[i] = nobody_better * enters[i]
        nobody_better *= 1.0 - enters[i]
    assert_proportional(tally_parents(tally_tournaments, tau), chances / (1.0 - nobody_better))


def test_the_roulette_follows_fitness():
    assert_proportional(tally_parents(tally_roulettes), FITNESS)


@pytest.mark.parametrize(
    "tally", [tally_tournaments, tally_roulettes], ids=["tournament", "roulette"]
)
def test_parents_are_members(tally):
    counts = tally_parents(tally, skip=(0, 5))
    assert counts[[0, 5]].tolist() == [0, 0]
    assert counts.sum() == DRAWS


# --- deletion -------------------------------------------------------------------------------


@kernel
def tally_deletions(agent, counts, draws, rng):
    for _ in range(draws):
        counts[select_for_deletion(agent, rng)] += 1


def wheel(counts, seed):
    """Plant so many rules per action, some of them experienced and unfit."""
    rng = np.random.default_rng(seed)
    actions = np.repeat(np.arange(len(counts)), counts)
    size = len(actions)
    engine = make_engine(2, len(counts), population_size=5000, deletion_threshold=20)
    columns = {
        "set_size": rng.uniform(1, 50, size),
        "numerosity": rng.integers(1, 6, size),
        "experience": rng.choice([0, 20, 21, 400], size),
        "fitness": rng.choice([0.004, 0.02, 0.9], size),
    }
    lower, upper = np.sort(rng.random((2, size, 2)), axis=0)
    places = plant(engine, lower, upper, actions, **columns)
    return engine, places, columns


def votes_of(set_size, numerosity, experience, fitness, theta_del=20, delta=0.1):
    """Compute the deletion votes as Butz and Wilson define them."""
    mean = fitness.sum() / numerosity.sum()
    unfit = (experience > theta_del) & (fitness / numerosity < delta * mean)
    votes = set_size * numerosity
    return np.where(unfit, votes * mean / (fitness / numerosity), votes), unfit


@pytest.mark.parametrize(
    "counts",
    [(1,), (5,), (33,), (3, 0, 2), (0, 40), (70, 40, 5), (64, 128, 1)],
    ids=lambda counts: "-".join(map(str, counts)),
)
def test_deletion_follows_the_votes(counts):
    engine, places, columns = wheel(counts, seed=sum(counts))
    votes, unfit = votes_of(**columns)
    assert len(places) < 10 or 0 < unfit.sum() < len(places)
    chosen = np.zeros(int(engine.state.arrays.params["stride"][0]) * len(counts), np.int64)
    tally_deletions(agent_of(engine), chosen, DRAWS, stream())
    assert chosen.sum() == chosen[places].sum() == DRAWS
    assert_proportional(chosen[places], votes)


def test_a_deletion_takes_one_microclassifier_of_any_rule():
    engine, _, _ = wheel((40, 3), seed=1)
    left, agent = engine.microclassifiers, agent_of(engine)
    while left > 1:
        delete_one(agent)
        left -= 1
        assert engine.microclassifiers == left
        assert engine.export()["numerosity"].sum() == left
        engine.check()


# --- actions and numbers --------------------------------------------------------------------


@kernel
def tally_choices(values, greedy, counts, draws, rng):
    for _ in range(draws):
        if greedy:
            counts[choose_greedily(values, rng)] += 1
        else:
            counts[choose_randomly(values, rng)] += 1


@pytest.mark.parametrize(
    ("greedy", "shares"),
    [(True, [0, 1, 0, 1, 0]), (False, [1, 1, 0, 1, 1])],
    ids=["greedy-ties", "random-among-defined"],
)
def test_actions_are_drawn_evenly_among_the_allowed(greedy, shares):
    values = np.array([-1.0, 7.0, np.nan, 7.0, 6.99])
    counts = np.zeros(5, np.int64)
    tally_choices(values, greedy, counts, DRAWS, stream())
    assert_proportional(counts, shares)


@kernel
def tally_draws(bins, counts, draws, rng):
    for _ in range(draws):
        counts[0, int(draw_uniform(rng) * bins)] += 1
        counts[1, draw_below(bins, rng)] += 1


def test_numbers_are_drawn_evenly():
    counts = np.zeros((2, 17), np.int64)
    tally_draws(17, counts, DRAWS, stream())
    for row in counts:
        assert_proportional(row, np.ones(17))
