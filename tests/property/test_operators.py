"""Covering, mutation, crossover and subsumption keep what they must keep."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from property.samples import agent_of, make_engine, plant, quick
from ruleplay.core import crossover
from ruleplay.core.basics.rng import spawn_states
from ruleplay.core.encodings import center_spread, unordered
from ruleplay.core.insertion import insert_child
from ruleplay.core.subsumption import contains_box, subsume_action_set, subsume_child

pytestmark = [pytest.mark.interpreted, pytest.mark.filterwarnings("ignore::RuntimeWarning")]

unit = st.floats(0.0, 1.0, width=32)
seeds = st.integers(0, 2**32)
states = st.lists(unit, min_size=1, max_size=20).map(lambda x: np.array(x, np.float32))
CONDITIONS = {
    "unordered": (
        unordered.Unordered(),
        unordered.cover_unordered,
        unordered.express_unordered,
        unordered.mutate_unordered,
    ),
    "center-spread": (
        center_spread.CenterSpread(),
        center_spread.cover_center_spread,
        center_spread.express_center_spread,
        unordered.mutate_unordered,
    ),
}
conditions = pytest.mark.parametrize("condition", CONDITIONS.values(), ids=CONDITIONS)


def params_of(**changes):
    return make_engine(**changes).state.arrays.params[0]


def stream(seed):
    return spawn_states(seed, 1)[0]


def expressed(condition, alleles):
    tag, _, express, _ = condition
    bounds = np.zeros(len(alleles), np.float32)
    express(tag, alleles, bounds)
    return np.split(bounds, 2)


# --- covering -------------------------------------------------------------------------------


@conditions
@given(state=states, r_0=st.floats(1e-9, 1.0), seed=seeds)
@quick(60)
def test_a_covered_box_contains_its_state(condition, state, r_0, seed):
    tag, cover, _, _ = condition
    alleles = np.zeros(2 * len(state), np.float32)
    cover(tag, alleles, state, params_of(cover_spread=r_0), stream(seed))
    assert ((alleles >= 0) & (alleles <= 1)).all()
    lower, upper = expressed(condition, alleles)
    assert (lower <= state).all()
    assert (state <= upper).all()
    assert (state.astype(np.float64) - lower <= r_0 + 1e-7).all()
    assert (upper.astype(np.float64) - state <= r_0 + 1e-7).all()
    assert ((lower >= 0) & (upper <= 1)).all()


@given(
    state=states, n_actions=st.integers(1, 5), spare=st.integers(1, 30), seed=seeds, data=st.data()
)
@quick(60)
def test_covering_gives_every_wanted_action_a_rule_that_contains_the_state(
    state, n_actions, spare, seed, data
):
    wanted = data.draw(st.integers(1, n_actions))
    engine = make_engine(
        len(state),
        n_actions,
        seed=seed,
        min_actions=wanted,
        population_size=max(2, wanted + spare),
        cover_spread=0.3,
    )
    for shift in (0.0, 0.4, 0.8):
        shifted = ((state + np.float32(shift)) % np.float32(1)).astype(np.float32)
        action = engine.act(shifted, explore=shift > 0.5)
        rules = engine.export()
        inside = ((rules["lower"] <= shifted) & (shifted <= rules["upper"])).all(axis=1)
        present = np.unique(rules["action"][inside])
        assert len(present) >= wanted
        assert action in present
        assert engine.microclassifiers <= engine.config.population_size
        engine.check()


# --- mutation and crossover -----------------------------------------------------------------

genomes = st.lists(unit, min_size=2, max_size=40).filter(lambda x: len(x) % 2 == 0)


@conditions
@given(genome=genomes, mu=st.floats(0, 1), m_0=st.floats(1e-6, 1.0), seed=seeds)
@quick(60)
def test_mutation_stays_within_its_step_and_the_unit_interval(condition, genome, mu, m_0, seed):
    tag, _, _, mutate = condition
    before = np.array(genome, np.float32)
    after = before.copy()
    mutate(tag, after, params_of(mutation_rate=mu, mutation_step=m_0), stream(seed))
    assert ((after >= 0) & (after <= 1)).all()
    assert (np.abs(after.astype(np.float64) - before) <= m_0 + 1e-7).all()
    lower, upper = expressed(condition, after)
    assert (lower <= upper).all()


@given(genome=genomes, seed=seeds)
@quick(20)
def test_without_a_mutation_rate_nothing_mutates(genome, seed):
    alleles = np.array(genome, np.float32)
    unordered.mutate_unordered(
        unordered.Unordered(), alleles, params_of(mutation_rate=0.0), stream(seed)
    )
    assert alleles.tolist() == np.array(genome, np.float32).tolist()


CROSSOVERS = {
    "uniform": (crossover.Uniform(), crossover.cross_uniformly),
    "two-point": (crossover.TwoPoint(), crossover.cross_between_two_points),
}


@pytest.mark.parametrize(("tag", "cross"), CROSSOVERS.values(), ids=CROSSOVERS)
@given(pair=genomes.flatmap(lambda g: st.tuples(st.just(g), st.permutations(g))), seed=seeds)
@quick(60)
def test_crossover_keeps_the_alleles_of_each_position(tag, cross, pair, seed):
    parents = np.array(pair, np.float32)
    children = parents.copy()
    cross(tag, children[0], children[1], stream(seed))
    assert np.sort(children, axis=0).tolist() == np.sort(parents, axis=0).tolist()


@given(size=st.integers(1, 20), seed=seeds)
@quick(60)
def test_two_point_crossover_exchanges_one_piece(size, seed):
    first, second = np.zeros(2 * size, np.float32), np.ones(2 * size, np.float32)
    crossover.cross_between_two_points(crossover.TwoPoint(), first, second, stream(seed))
    swapped = np.flatnonzero(first)
    assert (np.diff(swapped) == 1).all()
    assert (first + second == 1).all()


# --- subsumption and insertion --------------------------------------------------------------

grid = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])  # coarse: boxes often contain one another


@st.composite
def boxes(draw, count, n_features):
    corners = draw(
        st.lists(
            st.lists(st.tuples(grid, grid), min_size=n_features, max_size=n_features),
            min_size=count,
            max_size=count,
        )
    )
    return np.sort(np.array(corners, np.float32), axis=2)  # (box, feature, lower and upper)


def is_within(inner, outer):
    return bool(((outer[:, 0] <= inner[:, 0]) & (inner[:, 1] <= outer[:, 1])).all())


@given(pair=st.integers(1, 20).flatmap(lambda d: boxes(2, d)))
@quick(60)
def test_containment_is_containment_in_every_dimension(pair):
    outer, inner = pair
    engine = make_engine(outer.shape[0], 1)
    plant(engine, outer[None, :, 0], outer[None, :, 1], [0])
    bounds = np.concatenate([inner[:, 0], inner[:, 1]])
    assert contains_box(engine.state.arrays.population, 0, bounds) == is_within(inner, outer)


def put_in_nursery(engine, box, action, c=0):
    nursery = engine.state.arrays.nursery
    nursery.alleles[c] = box.reshape(-1)
    nursery.bounds[c] = np.concatenate([box[:, 0], box[:, 1]])
    nursery.actions[c] = action
    nursery.rules[c] = (10.0, 0.0, 0.01, 1.0, 0.0, 0, 0, 1)


@st.composite
def niches(draw):
    """Draw an engine with up to 12 distinct rules of one action, some of them trusted."""
    n_features = draw(st.integers(1, 3))
    found = np.unique(draw(boxes(draw(st.integers(1, 12)), n_features)), axis=0)
    size = len(found)
    experience = draw(st.lists(st.sampled_from([0, 20, 21, 50]), min_size=size, max_size=size))
    error = draw(st.lists(st.sampled_from([0.0, 9.99, 10.0]), min_size=size, max_size=size))
    numerosity = draw(st.lists(st.integers(1, 4), min_size=size, max_size=size))
    engine = make_engine(
        n_features, 2, population_size=80, action_set_subsumption=True, error_threshold=10.0
    )
    places = plant(
        engine,
        found[:, :, 0],
        found[:, :, 1],
        np.ones(size, np.int64),
        experience=experience,
        error=error,
        numerosity=numerosity,
    )
    trusted = (np.array(experience) > 20) & (np.array(error) < 10.0)
    return engine, places, found, trusted


@given(niche=niches(), data=st.data())
@quick(60)
def test_only_a_trusted_rule_that_contains_the_child_subsumes_it(niche, data):
    engine, places, found, trusted = niche
    child = data.draw(boxes(1, found.shape[1]))[0]
    action = data.draw(st.sampled_from([0, 1]))
    put_in_nursery(engine, child, action)
    rules = engine.state.arrays.population.rules
    before = rules["numerosity"][places].copy()
    members = places.astype(np.uint32)
    parents = data.draw(st.tuples(*[st.sampled_from(list(members))] * 2))
    able = [
        place
        for place, box, trust in zip(places, found, trusted, strict=True)
        if trust and action == 1 and is_within(child, box)
    ]
    subsumed = subsume_child(agent_of(engine), members, 1, parents, 0)
    gained = places[rules["numerosity"][places] - before == 1]
    assert bool(subsumed) == bool(able)
    assert len(gained) == bool(able)
    if able:
        preferred = [parent for parent in parents if parent in able]
        assert gained[0] in able
        assert not preferred or gained[0] == preferred[0]
    engine.check()


@given(niche=niches())
@quick(60)
def test_action_set_subsumption_removes_what_the_most_general_rule_contains(niche):
    engine, places, found, trusted = niche
    before = engine.microclassifiers
    volumes = np.prod(found[:, :, 1].astype(float) - found[:, :, 0], axis=1)
    changed = subsume_action_set(agent_of(engine), places.astype(np.uint32))
    rules = engine.export()
    left = np.stack([rules["lower"], rules["upper"]], axis=2)
    assert engine.microclassifiers == before
    engine.check()
    if not trusted.any():
        assert not changed
        assert len(left) == len(found)
        return
    subsumer = found[np.argmax(np.where(trusted, volumes, -1.0))]
    kept = [box for box in found if not is_within(box, subsumer)] + [subsumer]
    assert sorted(box.tolist() for box in kept) == sorted(box.tolist() for box in left)
    assert bool(changed) == (len(kept) < len(found))
    place = [np.array_equal(box, subsumer) for box in left].index(True)
    others = rules["numerosity"].sum() - rules["numerosity"][place]
    assert rules["numerosity"][place] == before - others


@given(found=boxes(8, 2), flips=st.lists(st.booleans(), min_size=8, max_size=8))
@quick(60)
def test_a_rule_is_inserted_once_and_counted_every_time(found, flips):
    engine = make_engine(2, 2)
    for box, flip in zip(found, flips, strict=True):
        put_in_nursery(engine, box[:, ::-1] if flip else box, 1)
        engine.state.arrays.nursery.bounds[0] = np.concatenate([box[:, 0], box[:, 1]])
        insert_child(agent_of(engine), np.int64(0))
    distinct, counts = np.unique(found, axis=0, return_counts=True)
    rules = engine.export()
    stored = {
        tuple(np.stack([low, high], axis=1).ravel()): num
        for low, high, num in zip(rules["lower"], rules["upper"], rules["numerosity"], strict=True)
    }
    assert stored == {tuple(box.ravel()): n for box, n in zip(distinct, counts, strict=True)}
    assert engine.microclassifiers == 8
    engine.check()
