"""Rule discovery beyond the genetic algorithm: each kernel does what its docstring says."""

import numpy as np
import pytest

from property.samples import agent_of, make_engine, plant
from ruleplay.config import ReplayConfig
from ruleplay.contrib.discovery.evidence import gather
from ruleplay.contrib.discovery.extended import take_turn
from ruleplay.contrib.discovery.specify import errs_too_much, narrow_child, specify
from ruleplay.contrib.discovery.splitting import cut_in_two, find_cut, split
from ruleplay.core.components.families import express, set_interval
from ruleplay.core.genetic import breed
from ruleplay.core.subsumption import subsume_action_set, subsume_child

pytestmark = [
    pytest.mark.interpreted,
    pytest.mark.uncompiled,
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
]

ENCODINGS = ["unordered", "center_spread"]
REPLAY = ReplayConfig(capacity=40, batch_size=4, warmup=5)
ON = {"specify": True, "split_refuted": 20, "verify_subsumption": 20, "ga_niches_per_step": 2}


def searcher(n_features=2, **changes):
    """Make an engine with everything on."""
    settings = {"error_threshold": 10.0, "replay": REPLAY, **ON, **changes}
    return make_engine(n_features, **settings)


def own_of(engine):
    return engine.state.traits.discovery


def plant_boxes(engine, lower, upper, actions, **columns):
    """Give an engine these boxes, whatever its encoding."""
    lower, upper = np.asarray(lower, np.float32), np.asarray(upper, np.float32)
    if engine.config.condition == "unordered":
        return plant(engine, lower, upper, actions, **columns)
    return plant(engine, (lower + upper) / 2, (upper - lower) / 2, actions, **columns)


def remember(engine, states, payoffs, actions=0):
    """Fill the memory by hand with experiences of known payoff."""
    count = len(states)
    engine.state.memory[0][:count], engine.state.memory[1][:count] = states, actions
    own_of(engine).payoffs[:count] = payoffs
    engine.state.arrays.state["stored"] = count


def members(*places):
    return np.array(places, np.uint32)


# --- turns ----------------------------------------------------------------------------------


def test_so_many_sets_have_their_turn_in_one_learning_step():
    engine = searcher(ga_niches_per_step=3)
    agent = agent_of(engine)
    assert [take_turn(own_of(engine), agent) for _ in range(5)] == [True, True, True, False, False]
    engine.state.arrays.state["time"] += 1
    assert [take_turn(own_of(engine), agent) for _ in range(4)] == [True, True, True, False]


@pytest.mark.parametrize(("niches", "born"), [(1, 2), (2, 4), (None, 8)])
def test_breeding_does_not_grow_with_the_number_of_replays(niches, born):
    """Each set that breeds has two children; a population with room deletes none."""
    options = {**dict.fromkeys(ON, 0), "specify": False, "ga_niches_per_step": niches}
    engine = searcher(
        population_size=5000, ga_threshold=0, mutation_rate=1.0, cover_spread=1.0, **options
    )
    rng, grown = np.random.default_rng(0), []
    for _ in range(30):
        before = engine.microclassifiers
        engine.learn(rng.random(2), 0, 1.0)
        grown.append(engine.microclassifiers - before)
    assert max(grown[10:]) <= born + 2  # two more if the observation had to be covered
    assert np.median(grown[10:]) >= (born if niches else 4)


# --- specify --------------------------------------------------------------------------------


@pytest.mark.parametrize("condition", ENCODINGS)
def test_a_narrowed_child_lies_in_its_parent_and_contains_the_state(condition):
    engine = searcher(3, condition=condition)
    agent, rng = agent_of(engine), np.random.default_rng(2)
    for _ in range(60):
        state = rng.random(3).astype(np.float32)
        lower, upper = state * rng.random(3), state + (1 - state) * rng.random(3)
        (place,) = plant_boxes(engine, [lower], [upper], [0])
        parent = engine.state.arrays.population.bounds[place]
        state = np.clip(state, parent[:3], parent[3:])
        breed(agent, place, 0, 0)
        moved = narrow_child(own_of(engine), agent, place, state, 0)
        child = engine.state.arrays.nursery.bounds[0]
        assert (child[:3] <= state).all()
        assert (state <= child[3:]).all()
        slack = 0.0 if condition == "unordered" else 2e-7
        assert (child[:3] >= parent[:3] - slack).all()
        assert (child[3:] <= parent[3:] + slack).all()
        assert moved == bool((np.abs(child - parent) > slack).any())


def test_a_moved_bound_goes_half_way_and_a_missing_value_moves_none():
    engine = searcher(2, specify_probability=1.0, missing_values="match")
    (place,) = plant(engine, [[0.0, 0.25]], [[1.0, 0.75]], [0])
    agent = agent_of(engine)
    breed(agent, place, 0, 0)
    assert narrow_child(own_of(engine), agent, place, np.array([0.5, np.nan], np.float32), 0)
    assert engine.state.arrays.nursery.bounds[0].tolist() == [0.25, 0.25, 0.75, 0.75]
    breed(agent, place, 0, 0)
    assert not narrow_child(own_of(engine), agent, place, np.full(2, np.nan, np.float32), 0)


@pytest.mark.parametrize(
    ("errors", "experience", "fires"),
    [
        ([30.0, 0.0, 0.0], 21, True),
        ([30.0, 0.0, 0.0], 20, False),
        ([30.0, 1.0, 0.0], 21, False),
        ([0.0, 0.0, 0.0], 21, False),
    ],
    ids=["twice-the-mean", "inexperienced", "less-than-twice", "no-error"],
)
def test_a_set_specifies_if_it_errs_more_than_the_others(errors, experience, fires):
    engine = searcher(1)
    places = plant(
        engine,
        [[0.0], [0.0], [0.5]],
        [[1.0], [0.5], [1.0]],
        [0, 1, 1],
        error=errors,
        experience=experience,
        numerosity=[2, 1, 1],
    )
    agent, state = agent_of(engine), np.array([0.4], np.float32)
    assert errs_too_much(own_of(engine), agent, members(places[0])) == fires
    assert specify(own_of(engine), agent, members(places[0]), state, 0) == fires
    assert engine.microclassifiers == 4 + fires
    engine.check()


def test_a_specified_rule_is_a_young_copy_of_one_that_errs():
    engine = searcher(1, specify_probability=1.0, error_reduction=0.5)
    (place, *_) = plant(
        engine,
        [[0.0], [0.0], [0.0]],
        [[1.0], [0.5], [1.0]],
        [0, 0, 1],
        error=[30.0, 0.0, 0.0],
        experience=50,
        fitness=[0.4, 0.4, 0.2],
        prediction=[7.0, 8.0, 9.0],
        numerosity=[2, 1, 5],
    )
    assert specify(
        own_of(engine), agent_of(engine), members(place, place + 1), np.array([0.5], np.float32), 0
    )
    rules = engine.export()
    child = {name: values[2] for name, values in rules.items()}
    assert (child["lower"][0], child["upper"][0]) == (0.25, 0.75)
    assert (child["prediction"], child["error"], child["numerosity"]) == (7.0, 15.0, 1)
    assert child["fitness"] == pytest.approx(0.4 / 2 * 0.1)
    assert child["experience"] == 0


# --- evidence -------------------------------------------------------------------------------


def test_only_known_payoffs_of_the_same_action_within_the_box_are_evidence():
    engine = searcher(1)
    place, _ = plant(engine, [[0.2], [0.0]], [[0.6], [1.0]], [0, 1], prediction=[5.0, 0.0])
    states = [[0.1], [0.2], [0.3], [0.4], [0.7]]
    remember(engine, states, [1.0, 2.0, np.nan, 4.0, 5.0], [0, 0, 0, 1, 0])
    assert gather(own_of(engine), agent_of(engine), place, 20) == 20  # slot 1, again and again
    discoverer = own_of(engine)
    assert discoverer.slots.tolist() == [1] * 20
    assert discoverer.residuals.tolist() == [-3.0] * 20
    discoverer.payoffs[1] = np.nan
    assert gather(own_of(engine), agent_of(engine), place, 20) == 0


def test_a_payoff_is_noted_with_its_experience_and_goes_with_it():
    replay = ReplayConfig(capacity=3, batch_size=1, warmup=0, include_newest=True)
    engine = searcher(1, replay=replay, target_high=7.0)
    payoffs = own_of(engine).payoffs
    for reward in (1.0, 2.0, 9.0):
        engine.learn([0.5], 0, reward)
    assert payoffs.tolist() == [1.0, 2.0, 7.0]
    engine.state.arrays.params["warmup"] = 100
    engine.learn([0.5], 0, 4.0)
    assert np.array_equal(payoffs, [np.nan, 2.0, 7.0], equal_nan=True)
    engine.forget(keep=2)
    assert np.array_equal(payoffs[:2], [7.0, np.nan], equal_nan=True)
    engine.check()


# --- splitting ------------------------------------------------------------------------------


@pytest.mark.parametrize("condition", ENCODINGS)
def test_the_two_parts_cover_what_the_rule_covered(condition):
    engine = searcher(2, condition=condition, population_size=60)
    agent, rng = agent_of(engine), np.random.default_rng(4)
    for trial in range(60):
        lower, upper = np.sort(rng.random((2, 2)), axis=0)
        numerosity = 1 + trial % 5
        columns = {"numerosity": numerosity, "fitness": 0.6, "experience": 9, "error": 3.0}
        (place,) = plant_boxes(engine, [lower], [upper], [1], **columns)
        parent = engine.state.arrays.population.bounds[place].copy()
        k = trial % 2
        cut = parent[k] + rng.random() * (parent[2 + k] - parent[k])
        cut_in_two(agent, place, k, float(cut))
        parts = engine.export()
        low, high, other = parts["lower"], parts["upper"], 1 - k
        assert low[0, k] <= parent[k]
        assert high[0, k] >= low[1, k]
        assert high[1, k] >= parent[2 + k]
        assert (low[:, other] <= parent[other]).all()
        assert (high[:, other] >= parent[2 + other]).all()
        assert high[0, k] == pytest.approx(cut, abs=1e-6)
        assert low[1, k] == pytest.approx(cut, abs=1e-6)
        assert parts["numerosity"].tolist() == [
            max(1, -(-numerosity // 2)),
            max(1, numerosity // 2),
        ]
        assert parts["fitness"].tolist() == [0.3, 0.3]
        assert parts["experience"].tolist() == [0, 0]
        engine.check()


@pytest.mark.parametrize("condition", ENCODINGS)
def test_a_written_interval_is_expressed_whole(condition):
    """Small numbers are finer than the spread of a wide interval: rounding must not cut them."""
    tag, rng = (
        searcher(1, condition=condition).state.agent.traits.condition,
        np.random.default_rng(5),
    )
    alleles, bounds = np.array([0.4, 0.3], np.float32), np.zeros(2, np.float32)
    ends = np.sort(rng.random((300, 2)) ** 8, axis=1)
    ends = [*ends, (0.0, 1.0), (0.0, 0.0), (1.0, 1.0), *(1.0 - ends[:, ::-1])]
    for low, high in np.array(ends, np.float32).astype(float):
        set_interval(tag, alleles, 0, low, high)
        express(tag, alleles, bounds)
        assert ((alleles >= 0) & (alleles <= 1)).all()
        assert bounds[0] <= low
        assert bounds[1] >= high
        assert bounds == pytest.approx([low, high], abs=2e-7)


GRID = [[x, y] for x in (0.1, 0.3, 0.7, 0.9) for y in (0.2, 0.4, 0.6, 0.8)]


@pytest.mark.parametrize(
    ("payoff", "k", "cut"),
    [
        (lambda x, y: 1000.0 * (y > 0.5), 1, 0.5),
        (lambda x, y: 1000.0 * (x > 0.8), 0, 0.8),
        (lambda x, y: 500.0 + 19.9 * (y > 0.5), -1, None),
        (lambda x, y: 1000.0 * ((x > 0.5) == (y > 0.5)), -1, None),
        (lambda x, y: 1000.0 * (x > 0.5 and y > 0.5), -1, None),
    ],
    ids=["half", "a-quarter", "within-the-band", "no-single-cut", "a-cut-explains-a-third"],
)
def test_a_rule_is_cut_where_payoffs_disagree(payoff, k, cut):
    engine = searcher(2)
    plant(engine, [[0.0, 0.0]], [[1.0, 1.0]], [0], prediction=500.0)
    remember(engine, GRID, [payoff(*state) for state in GRID])
    discoverer = own_of(engine)
    discoverer.slots[:16] = range(16)
    discoverer.residuals[:16] = discoverer.payoffs[:16] - 500.0
    feature, where = find_cut(own_of(engine), agent_of(engine), 16)
    assert feature == k
    if cut is not None:
        assert where == pytest.approx(cut)


def test_a_refuted_rule_becomes_two_and_an_inexperienced_one_stays():
    engine = searcher(2, missing_values="match")
    columns = {"prediction": 500.0, "experience": [20, 0], "error": 500.0, "numerosity": 30}
    (place, _) = plant(engine, [[0.0, 0.0]] * 2, [[1.0, 1.0]] * 2, [0, 1], **columns)
    remember(
        engine,
        [*GRID, [np.nan, 0.2], [0.3, np.nan]],
        [*(1000.0 * (y > 0.5) for _, y in GRID), 0.0, 0.0],
    )
    agent = agent_of(engine)
    assert not split(own_of(engine), agent, members(place))
    engine.state.arrays.population.rules["experience"][place] = 21
    engine.state.arrays.state["stored"] = 0
    assert not split(own_of(engine), agent, members(place))
    engine.state.arrays.state["stored"] = len(GRID) + 2
    assert split(own_of(engine), agent, members(place))
    assert engine.export()["upper"][0].tolist() == [1.0, 0.5]
    assert engine.export()["lower"][1].tolist() == [0.0, 0.5]
    assert engine.microclassifiers == 60


def test_room_is_made_for_a_rule_that_becomes_two():
    engine = searcher(2, population_size=3)
    columns = {"prediction": 500.0, "experience": 30, "numerosity": [1, 2]}
    (place, _) = plant(engine, [[0.0, 0.0]] * 2, [[1.0, 1.0]] * 2, [0, 1], **columns)
    remember(engine, GRID, [1000.0 * (y > 0.5) for _, y in GRID])
    assert split(own_of(engine), agent_of(engine), members(place))
    assert engine.microclassifiers == 3
    engine.check()


# --- subsumption ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("payoff", "stands"),
    [(500.0, True), (519.0, True), (520.0, False), (480.0, False), (np.nan, True)],
    ids=["agrees", "within-2-eps0", "above", "below", "unknown"],
)
def test_a_rule_that_an_experience_contradicts_subsumes_nothing(payoff, stands):
    engine = searcher(1)
    columns = {"prediction": 500.0, "experience": 50}
    places = plant(engine, [[0.0], [0.2]], [[1.0], [0.4]], [0, 0], **columns)
    remember(engine, [[0.9]], [payoff])
    agent = agent_of(engine)
    breed(agent, places[0], 0, 0)
    agent.nursery.bounds[0] = 0.3, 0.35
    parents = (np.uint32(places[0]), np.uint32(places[0]))
    assert subsume_child(agent, members(*places), 0, parents, 0) == stands
    assert subsume_action_set(agent, members(*places)) == stands
    assert engine.macroclassifiers == (1 if stands else 2)
