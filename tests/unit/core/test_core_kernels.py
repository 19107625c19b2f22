"""Small kernels give exactly what their equations say."""

import numpy as np
import pytest

from oracle.random_source import RandomSource
from property.samples import agent_of, make_engine, plant
from ruleplay.compiler.jit import Family
from ruleplay.config.record import PARAMS
from ruleplay.core import crossover, insertion, reinforcement
from ruleplay.core.basics import bits
from ruleplay.core.basics.rng import draw_below, draw_uniform, spawn_states
from ruleplay.core.choice import best_value, choose_greedily, choose_randomly
from ruleplay.core.covering import draw_missing_action
from ruleplay.core.deletion import LANES, find_lane, find_place
from ruleplay.core.genetic import evolve, is_due
from ruleplay.core.matching import cell_of
from ruleplay.core.selection import Roulette, select_by_roulette
from ruleplay.core.state.counters import STATE
from ruleplay.core.state.population import RULE, stride_for
from ruleplay.core.xcs import learn, value_of
from ruleplay.engine.loop import scale_observation
from ruleplay.engine.recorder import COUNTERS

pytestmark = [pytest.mark.interpreted, pytest.mark.filterwarnings("ignore::RuntimeWarning")]


def params_of(**changes):
    return make_engine(**changes).state.arrays.params[0]


# --- random numbers -------------------------------------------------------------------------


def test_draws_follow_xoshiro():
    state = spawn_states(12, 1)[0]
    source = RandomSource(state)
    for _ in range(50):
        assert draw_uniform(state) == source.uniform()
        assert draw_below(7, state) == source.below(7)
    assert state.tolist() == source.words


def test_the_first_output_is_the_published_one():
    """The reference implementation, started from 1, 2, 3, 4, gives 41943041 first."""
    assert RandomSource([1, 2, 3, 4]).next() == 41943041
    state = np.array([1, 2, 3, 4], np.uint64)
    assert draw_uniform(state) == (41943041 >> 11) * 2.0**-53


def test_streams_of_one_seed_differ_and_repeat():
    one, other = spawn_states(3, 3), spawn_states(3, 3)
    assert [s.tolist() for s in one] == [s.tolist() for s in other]
    assert len({tuple(s.tolist()) for s in one}) == 3
    assert spawn_states(3, 3)[0].tolist() == spawn_states(3, 1)[0].tolist()
    assert spawn_states(4, 1)[0].tolist() != one[0].tolist()


# --- bits -----------------------------------------------------------------------------------


def test_flags_are_packed_and_walked_through_in_order():
    rng = np.random.default_rng(0)
    for density in (0.0, 0.05, 0.5, 1.0):
        mask = (rng.random(128) < density).astype(np.uint8)
        for chunk in range(2):
            word = bits.pack_flags(mask.view(np.uint64), 8 * chunk)
            found = []
            while word != 0:
                found.append(int(bits.lowest_flag(np.uint64(word))))
                word = bits.without_lowest_flag(np.uint64(word))
            assert found == np.flatnonzero(mask[64 * chunk : 64 * chunk + 64]).tolist()


@pytest.mark.parametrize(
    ("value", "cell"), [(0.0, 0), (1.0, 255), (0.5, 127), (1 / 255, 1), (0.999, 254)]
)
def test_a_cell_is_a_step_of_256(value, cell):
    assert cell_of(np.float32(value)) == cell


def test_cells_never_decrease():
    values = np.sort(np.random.default_rng(0).random(500)).astype(np.float32)
    assert (np.diff([int(cell_of(value)) for value in values]) >= 0).all()


@pytest.mark.parametrize(("n_max", "stride"), [(2, 64), (62, 64), (63, 128), (1000, 1024)])
def test_two_offspring_always_find_room(n_max, stride):
    assert stride_for(n_max) == stride


# --- scaling --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clip", "observation", "state"),
    [
        (True, [-10.0, 5.0], [0.0, 1.0]),
        (True, [0.0, 3.0], [0.5, 0.5]),
        (True, [-11.0, 99.0], [0.0, 1.0]),
        (True, [np.nan, 3.0], None),
        (True, [0.0, np.inf], None),
        (False, [10.0, 1.0], [1.0, 0.0]),
        (False, [10.1, 1.0], None),
        (False, [0.0, 0.99], None),
    ],
    ids=["ends", "middle", "clipped", "nan", "inf", "upper-end", "above", "below"],
)
def test_observations_become_states(clip, observation, state):
    engine = make_engine(2, out_of_range="clip" if clip else "error")
    engine.state.arrays.scaling[:] = [[-10.0, 1.0], [1 / 20, 1 / 4]]
    out = np.full(2, 7.0, np.float32)
    valid = scale_observation(engine.state.agent, np.array(observation), out)
    assert valid == (state is not None)
    assert out.tolist() == (state or [7.0, 7.0])  # refused: nothing written


# --- the prediction array -------------------------------------------------------------------

NAN = np.nan


@pytest.mark.parametrize(
    ("values", "best"),
    [([1.0, 3.0, 2.0], 3.0), ([NAN, -5.0], -5.0), ([NAN, NAN], 42.0), ([-1e300, NAN], -1e300)],
)
def test_the_best_value_skips_undefined_ones(values, best):
    assert best_value(np.array(values), 42.0) == best


@pytest.mark.parametrize(
    ("values", "allowed"),
    [
        ([1.0, 3.0, 2.0], {1}),
        ([NAN, -5.0, NAN], {1}),
        ([2.0, 2.0, 1.0], {0, 1}),
        ([1000.0, 1000.0 - 1e-10, 999.0], {0, 1}),  # equal but for rounding
        ([1000.0, 1000.0 - 1e-6, 999.0], {0}),
        ([0.0, -1e-13, NAN], {0, 1}),
    ],
)
def test_the_greedy_choice_draws_among_equals(values, allowed):
    rng = spawn_states(0, 1)[0]
    before = rng.tolist()
    chosen = {choose_greedily(np.array(values), rng) for _ in range(40)}
    assert chosen == allowed
    assert (rng.tolist() == before) == (len(allowed) == 1)  # one candidate: no draw


def test_a_random_choice_is_one_of_the_defined():
    rng = spawn_states(0, 1)[0]
    values = np.array([NAN, 1.0, NAN, -7.0])
    assert {choose_randomly(values, rng) for _ in range(40)} == {1, 3}


def test_a_missing_action_is_drawn_among_the_missing():
    rng = spawn_states(0, 1)[0]
    starts = np.array([0, 0, 2, 2, 3])  # actions 0 and 2 have no members
    assert {draw_missing_action(starts, np.int64(2), rng) for _ in range(40)} == {0, 2}


@pytest.mark.parametrize(("kind", "value"), [("max", 8.0), ("argmax", 1.0)])
def test_a_state_is_worth_its_best_prediction_or_as_printed_the_number_of_its_action(kind, value):
    engine = make_engine(1, 3, bootstrap_value=kind)
    plant(engine, [[0.0]] * 3, [[1.0]] * 3, [0, 1, 2], prediction=[3.0, 8.0, 8.0])
    assert value_of(agent_of(engine), np.array([0.5], np.float32)) == value


def test_a_state_without_rules_is_worth_the_initial_prediction():
    engine = make_engine(1, 2, initial_prediction=-3.0)
    assert value_of(agent_of(engine), np.array([0.5], np.float32)) == -3.0


# --- reinforcement --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "kappa"),
    [(0.0, 1.0), (9.999, 1.0), (10.0, 0.1), (20.0, 0.1 / 32)],
    ids=["exact", "just-below-eps0", "at-eps0", "twice-eps0"],
)
@pytest.mark.parametrize("nu", [5.0, 5.0 + 1e-12], ids=["products", "power"])
def test_accuracy_follows_equation_1(error, kappa, nu):
    params = params_of(accuracy_power=nu, error_threshold=10.0, accuracy_scale=0.1)
    assert reinforcement.accuracy(error, params) == pytest.approx(kappa, rel=1e-9)


@pytest.mark.parametrize(
    ("averaging", "experience", "rate"),
    [(True, 1, 1.0), (True, 4, 0.25), (True, 5, 0.2), (True, 50, 0.2), (False, 1, 0.2)],
)
def test_young_rules_average(averaging, experience, rate):
    params = params_of(learning_rate=0.2, early_averaging=averaging)
    assert reinforcement.learning_rate(experience, params) == rate


@pytest.mark.parametrize(
    ("order", "error"),
    [("prediction_first", 5.0 + 0.2 * (72.0 - 5.0)), ("error_first", 5.0 + 0.2 * (90.0 - 5.0))],
)
def test_one_update_by_hand(order, error):
    engine = make_engine(
        1, 1, update_order=order, early_averaging=False, learning_rate=0.2, ga_threshold=10**6
    )
    plant(
        engine,
        [[0.0], [0.2]],
        [[1.0], [0.9]],
        [0, 0],
        prediction=[10.0, 100.0],
        error=[5.0, 0.0],
        fitness=[0.4, 0.2],
        set_size=[3.0, 1.0],
        numerosity=[2, 1],
        experience=[7, 0],
    )
    learn(agent_of(engine), np.array([0.5], np.float32), 0, 100.0)
    rules = engine.export()
    assert rules["prediction"] == pytest.approx([28.0, 100.0])
    assert rules["error"] == pytest.approx([error, 0.0])
    assert rules["set_size"] == pytest.approx([3.0, 1.4])  # 3 microclassifiers in the set
    assert rules["experience"].tolist() == [8, 1]
    kappa = 0.1 * (10.0 / error) ** 5
    shares = np.array([2 * kappa, 1.0]) / (2 * kappa + 1.0)
    assert rules["fitness"] == pytest.approx([0.4, 0.2] + 0.2 * (shares - [0.4, 0.2]))
    assert engine.state.arrays.state["fitness_sum"][0] == pytest.approx(rules["fitness"].sum())
    engine.check()


def test_learning_reaches_the_matching_rules_of_one_action_only():
    engine = make_engine(1, 2, ga_threshold=10**6)
    plant(engine, [[0.0], [0.6], [0.0]], [[1.0], [1.0], [1.0]], [0, 0, 1])
    learn(agent_of(engine), np.array([0.5], np.float32), 0, 100.0)
    assert engine.export()["experience"].tolist() == [1, 0, 0]
    before = engine.export()["prediction"].tolist()
    plant(engine, [[0.6]], [[1.0]], [0])
    learn(agent_of(engine), np.array([0.5], np.float32), 1, 100.0)  # nothing matches: nothing
    assert engine.export()["experience"].tolist() == [0]
    assert before[1:] == [10.0, 10.0]


def test_a_hopeless_set_keeps_its_fitness():
    """Errors so large that every accuracy vanishes leave nothing to share."""
    engine = make_engine(1, 1, accuracy_power=32.0, ga_threshold=10**6)
    plant(engine, [[0.0]], [[1.0]], [0], error=1e30, fitness=0.3, experience=50)
    learn(agent_of(engine), np.array([0.5], np.float32), 0, 0.0)
    assert engine.export()["fitness"].tolist() == [0.3]
    engine.check()


# --- the genetic algorithm ------------------------------------------------------------------


@pytest.mark.parametrize(("clock", "due"), [(20, False), (25, False), (26, True), (100, True)])
def test_a_niche_breeds_when_it_has_waited_long_enough(clock, due):
    engine = make_engine(1, 1, ga_threshold=10)
    places = plant(
        engine, [[0.0], [0.1]], [[1.0], [1.0]], [0, 0], time_stamp=[10, 20], numerosity=[1, 1]
    )
    engine.state.arrays.state["clock"] = clock
    assert is_due(agent_of(engine), places.astype(np.uint32)) == due


def test_the_mean_wait_counts_microclassifiers():
    engine = make_engine(1, 1, ga_threshold=10)
    places = plant(
        engine, [[0.0], [0.1]], [[1.0], [1.0]], [0, 0], time_stamp=[10, 20], numerosity=[9, 1]
    )
    engine.state.arrays.state["clock"] = 22  # the mean stamp is 11
    assert is_due(agent_of(engine), places.astype(np.uint32))


def test_children_inherit_what_the_paper_says():
    engine = make_engine(
        1,
        2,
        crossover_rate=0.0,
        mutation_rate=1.0,
        mutation_step=0.01,
        fitness_reduction=0.1,
        error_reduction=0.25,
        ga_subsumption=False,
        tournament_fraction=1.0,
    )
    columns = {"prediction": 7.0, "error": 4.0, "fitness": 0.6, "set_size": 5.0, "numerosity": 3}
    places = plant(engine, [[0.2]], [[0.8]], [1], experience=50, time_stamp=2, **columns)
    engine.state.arrays.state["clock"] = 40
    evolve(agent_of(engine), places.astype(np.uint32), 1)
    rules = engine.export()
    assert rules["numerosity"].tolist() == [3, 1, 1]
    assert rules["fitness"] == pytest.approx([0.6, 0.02, 0.02])  # of one microclassifier
    assert rules["error"].tolist() == [4.0, 1.0, 1.0]
    assert rules["prediction"].tolist() == [7.0] * 3
    assert rules["set_size"].tolist() == [5.0] * 3
    assert rules["experience"].tolist() == [50, 0, 0]
    assert rules["time_stamp"].tolist() == [40] * 3
    assert np.abs(rules["lower"] - 0.2).max() <= 0.0101
    engine.check()


def test_crossed_children_get_the_mean():
    engine = make_engine(1, 1, crossover_rate=1.0, mutation_rate=0.0, ga_subsumption=False)
    for seed in range(20):
        engine.state.arrays.rng[:] = spawn_states(seed, 1)[0]
        places = plant(
            engine,
            [[0.1], [0.3]],
            [[0.7], [0.9]],
            [0, 0],
            prediction=[10.0, 20.0],
            error=[1.0, 3.0],
            fitness=[0.5, 0.4],
        )
        evolve(agent_of(engine), places.astype(np.uint32), 0)
        rules = engine.export()
        born = slice(2, None)
        parents_differ = set(rules["prediction"][born]) == {15.0}
        assert parents_differ or set(rules["prediction"][born]) <= {10.0, 20.0}
        if parents_differ:
            assert set(rules["error"][born]) == {2.0}
            assert set(rules["fitness"][born]) == {0.1 * 0.45}
        engine.check()


@pytest.mark.parametrize("rate", [0.0, 1.0])
def test_an_action_mutates_into_any_other(rate):
    engine = make_engine(
        1, 3, mutation_rate=0.0, action_mutation_rate=rate, ga_subsumption=False, crossover_rate=0.0
    )
    born = set()
    for seed in range(30):
        engine.state.arrays.rng[:] = spawn_states(seed, 1)[0]
        places = plant(engine, [[0.2]], [[0.8]], [1])
        evolve(agent_of(engine), places.astype(np.uint32), 1)
        rules = engine.export()
        born |= set(rules["action"][rules["experience"] == 0].tolist())
        engine.check()
    assert (born - {1} == {0, 2}) if rate else born == {1}


def test_a_full_population_deletes_as_many_as_it_adds():
    engine = make_engine(1, 1, population_size=5, ga_subsumption=False)
    places = plant(engine, [[0.1], [0.2]], [[0.9], [0.8]], [0, 0], numerosity=[4, 1])
    for _ in range(50):
        evolve(agent_of(engine), engine.places().astype(np.uint32), 0)
        assert engine.microclassifiers == 5
        engine.check()
    assert len(places) == 2


# --- boxes ----------------------------------------------------------------------------------


def test_a_volume_is_computed_in_double_precision():
    lower, upper = np.array([0.1, 0.2, 0.3], np.float32), np.array([0.9, 0.8, 0.7], np.float32)
    exact = float(np.prod(upper.astype(np.float64) - lower.astype(np.float64)))
    assert insertion.box_volume(np.concatenate([lower, upper])) == pytest.approx(exact, rel=1e-15)


def test_different_boxes_have_different_hashes():
    rng = np.random.default_rng(0)
    bounds = rng.random((2000, 6)).astype(np.float32)
    hashes = {int(insertion.hash_bounds(row.view(np.uint32))) for row in bounds}
    assert len(hashes) >= 1998


def test_rules_of_one_hash_and_other_bounds_stay_apart():
    engine = make_engine(1, 1)
    plant(engine, [[0.1]], [[0.9]], [0])
    population = engine.state.arrays.population
    code = population.hashes[0]
    twin = np.array([0.1, 0.9], np.float32)
    other = np.array([0.1, 0.8], np.float32)
    assert insertion.find_identical(population, np.int64(0), np.int64(1), twin, code) == 0
    assert insertion.find_identical(population, np.int64(0), np.int64(1), other, code) == -1


# --- records --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "dtype", [PARAMS, STATE, RULE, COUNTERS], ids=["params", "state", "rule", "counters"]
)
def test_no_field_has_the_name_of_a_method(dtype):
    """Interpreted kernels read fields as attributes, and NumPy looks for methods first."""
    assert [name for name in dtype.names if hasattr(np.record, name)] == []


# --- roulettes when rounding leaves the ball beyond the last share --------------------------


def test_the_last_lane_with_a_vote_catches_the_ball():
    lanes = np.zeros(LANES, np.float32)
    lanes[[3, 7]] = 2.0
    assert find_lane(lanes, 1.0) == (3, 1.0)
    assert find_lane(lanes, 3.5) == (7, 1.5)
    assert find_lane(lanes, 99.0) == (7, np.inf)


def test_the_last_rule_of_a_lane_catches_the_ball():
    engine = make_engine(1, 2)
    places = plant(engine, [[0.1], [0.2], [0.3]], [[0.9], [0.8], [0.7]], [0, 1, 1])
    mean = limit = np.float32(0.0)
    assert find_place(agent_of(engine), 0, np.inf, limit, mean) == places[1]
    assert find_place(agent_of(engine), 1, np.inf, limit, mean) == places[2]


def test_rules_without_fitness_leave_the_last_as_parent():
    engine = make_engine(1, 1)
    places = plant(engine, [[0.1], [0.2]], [[0.9], [0.8]], [0, 0], fitness=0.0)
    arrays, members = engine.state.arrays, places.astype(np.uint32)
    parent = select_by_roulette(
        Roulette(), arrays.population, members, arrays.scratch, spawn_states(0, 1)[0]
    )
    assert parent == places[1]


# --- families -------------------------------------------------------------------------------


def test_a_family_calls_the_member_of_a_tag():
    family = Family("greet")
    family.member(crossover.Uniform)(lambda tag, name: f"uniform {name}")
    family.member(crossover.TwoPoint)(lambda tag, name: f"two-point {name}")
    assert family(crossover.TwoPoint(), "x") == "two-point x"
    assert family(crossover.Uniform(), "y") == "uniform y"
