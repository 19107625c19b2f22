"""Check each part of the oracle against numbers computed by hand."""

import numpy as np
import pytest

from .fixtures import Scripted, make_config, make_population, make_rule
from .genetic import cross, ga_is_due, hold_tournament, mutate, settle, stay_out
from .oracle import weighted_prediction
from .population import deletion_vote, spin_roulette
from .prediction import Linear, Scalar
from .random_source import RandomSource
from .reinforcement import accuracy, condense, update_fitness, update_set
from .replay import ReplayMemory, Transition
from .rule import Condition

# --- random numbers ----------------------------------------------------------------------------


def test_xoshiro_gives_the_published_numbers():
    source = RandomSource([1, 2, 3, 4])
    assert [source.next() for _ in range(4)] == [
        41943041,
        58720359,
        3588806011781223,
        3591011842654386,
    ]


def test_uniform_draws_fill_the_unit_interval():
    source = RandomSource([1, 2, 3, 4])
    draws = [source.uniform() for _ in range(2000)]
    assert 0.0 <= min(draws) < 0.01
    assert 0.99 < max(draws) < 1.0
    assert {source.below(3) for _ in range(100)} == {0, 1, 2}


# --- conditions --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "inside"),
    [([0.25, 0.5], True), ([0.75, 0.5], True), ([0.2, 0.5], False), ([0.5, 0.51], False)],
    ids=["lower-end", "upper-end", "below", "beside-a-point"],
)
def test_unordered_bounds_match_inclusively(state, inside):
    assert Condition([0.75, 0.25, 0.5, 0.5]).matches(state) is inside


def test_conditions_are_compared_by_their_boxes_not_their_alleles():
    box = Condition([0.75, 0.25])
    assert box.equals(Condition([0.25, 0.75]))
    assert box.contains(Condition([0.25, 0.5]))
    assert not box.contains(Condition([0.125, 0.5]))
    assert box.volume() == 0.5


def test_alleles_are_stored_in_single_precision():
    condition = Condition([0.1, 0.9])
    assert all(isinstance(allele, np.float32) for allele in condition.alleles)
    assert condition.lower == [float(np.float32(0.1))]


# --- reinforcement -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "kappa"),
    [(0.0, 1.0), (9.999, 1.0), (10.0, 0.1), (20.0, 0.1 / 32)],
    ids=["exact", "just-below-eps0", "at-eps0", "twice-eps0"],
)
def test_accuracy_follows_equation_1(error, kappa):
    assert accuracy(error, make_config()) == pytest.approx(kappa)


def test_accuracy_takes_a_fractional_power():
    assert accuracy(40.0, make_config(accuracy_power=1.5)) == pytest.approx(0.1 / 8)


def test_early_updates_average_what_was_seen():
    rule, config = make_rule(), make_config()
    seen = [100.0, 200.0, 600.0]
    for target in seen:
        update_set([rule], [0.5], target, config)
    assert rule.prediction == pytest.approx(300.0)
    assert rule.error == pytest.approx((0.0 + 50.0 + 300.0) / 3)


@pytest.mark.parametrize(
    ("order", "error"), [("prediction_first", 0.2 * 80.0), ("error_first", 0.2 * 100.0)]
)
def test_update_order_decides_which_prediction_is_judged(order, error):
    config = make_config(early_averaging=False, update_order=order)
    rule = make_rule(model=Scalar(0.0))
    update_set([rule], [0.5], 100.0, config)
    assert rule.prediction == pytest.approx(20.0)
    assert rule.error == pytest.approx(error)


def test_set_size_approaches_the_number_of_micro_rules():
    rules = [make_rule(numerosity=3, experience=50), make_rule(experience=50)]
    update_set(rules, [0.5], 0.0, make_config())
    assert [rule.set_size for rule in rules] == pytest.approx([1.0 + 0.2 * 3.0] * 2)


def test_fitness_moves_towards_the_share_of_accuracy():
    accurate = make_rule(fitness=0.5, numerosity=3)
    inaccurate = make_rule(fitness=0.5, error=20.0)
    fitness_sum = update_fitness([accurate, inaccurate], 1.0, make_config())
    share = 3.0 / (3.0 + 0.1 / 32)
    assert accurate.fitness == pytest.approx(0.5 + 0.2 * (share - 0.5))
    assert inaccurate.fitness == pytest.approx(0.5 + 0.2 * (1.0 - share - 0.5))
    assert fitness_sum == pytest.approx(accurate.fitness + inaccurate.fitness)


def test_recursive_least_squares_equals_ridge_regression():
    generator = np.random.default_rng(0)
    states = generator.random((30, 2))
    targets = generator.normal(size=30)
    model = Linear([10.0, 0.0, 0.0], initial_gain=2.0, forgetting=1.0)
    for state, target in zip(states, targets, strict=True):
        model.learn(list(state), float(target), rate=0.2)

    # The start counts as three observations of p_ini, 0, 0, each of weight 1 / delta_RLS.
    prior = np.eye(3) / np.sqrt(2.0)
    x = np.vstack([prior, np.column_stack([np.ones(30), states])])
    y = np.concatenate([prior @ [10.0, 0.0, 0.0], targets])
    assert model.weights == pytest.approx(np.linalg.lstsq(x, y, rcond=None)[0])
    assert np.array(model.gain) == pytest.approx(np.linalg.inv(x.T @ x))


def test_action_set_subsumption_takes_the_largest_accurate_rule():
    small, other = make_rule([0.4, 0.6], numerosity=2), make_rule([0.0, 0.9], error=20.0)
    large = make_rule([0.1, 0.9], experience=21)
    medium = make_rule([0.3, 0.8], experience=21)
    population = make_population(small, other, large, medium)
    condense([small, other, large, medium], population, make_config())
    assert population.rules == [large, other]  # large, the last one left, took small's place
    assert large.numerosity == 4
    assert population.micro == 5
    assert population.fitness_sum == pytest.approx(0.02)


# --- the genetic algorithm ---------------------------------------------------------------------


def test_tournament_is_won_by_the_fittest_micro_rule_among_the_entrants():
    weak, strong, absent = (
        make_rule(fitness=0.6, numerosity=3),
        make_rule(fitness=0.3),
        make_rule(fitness=0.9),
    )
    assert stay_out(0.4, 3) == pytest.approx(0.216)
    draws = Scripted(0.9, 0.5, 0.4, 0.78, 0.39, 0.4)  # nobody enters the first round
    assert hold_tournament([weak, strong, absent], 0.4, draws) is strong
    assert draws.numbers == []


def test_the_first_of_equals_wins_a_tournament():
    first, second = make_rule(fitness=0.2, numerosity=2), make_rule(fitness=0.1)
    assert hold_tournament([first, second], 0.4, Scripted(0.0, 0.0)) is first


def test_roulette_stops_at_the_first_running_sum_beyond_the_ball():
    shares = [1.0, 0.0, 3.0]
    assert spin_roulette(shares, Scripted(0.2)) == 0
    assert spin_roulette(shares, Scripted(0.25)) == 2
    assert spin_roulette([0.0, 0.0], Scripted(0.5)) == 1


def test_ga_waits_for_the_mean_time_stamp_of_the_micro_rules():
    rules = [make_rule(time_stamp=10, numerosity=3), make_rule(time_stamp=50)]
    assert not ga_is_due(rules, clock=45, config=make_config())
    assert ga_is_due(rules, clock=46, config=make_config())


@pytest.mark.parametrize(
    ("kind", "draws", "left", "right"),
    [
        ("uniform", [0.1, 0.9, 0.9, 0.1], [1, 0, 0, 1], [0, 1, 1, 0]),
        ("two_point", [0.7, 0.3], [0, 1, 1, 0], [1, 0, 0, 1]),
    ],
)
def test_crossover_swaps_alleles_and_averages_estimates(kind, draws, left, right):
    first = make_rule([0, 0, 0, 0], model=Scalar(10.0), error=2.0, fitness=0.1)
    second = make_rule([1, 1, 1, 1], model=Scalar(20.0), error=4.0, fitness=0.3)
    cross(first, second, make_config(crossover=kind), Scripted(*draws))
    assert first.alleles == left
    assert second.alleles == right
    assert (first.prediction, first.error, first.fitness) == (15.0, 3.0, pytest.approx(0.2))
    assert (second.prediction, second.error, second.fitness) == (15.0, 3.0, first.fitness)


def test_mutation_shifts_clips_and_changes_the_action():
    child = make_rule([0.5, 0.95], action=1)
    draws = Scripted(0.03, 0.25, 0.03, 0.99, 0.0, 0.5)
    mutate(child, n_actions=3, config=make_config(action_mutation_rate=0.1), rng=draws)
    assert child.alleles == [np.float32(0.45), np.float32(1.0)]
    assert child.action == 2  # the second of the other two, 0 and 2


@pytest.mark.parametrize(
    ("experience", "error", "subsumed"),
    [(21, 0.0, True), (20, 0.0, False), (21, 10.0, False)],
    ids=["able", "inexperienced", "inaccurate"],
)
def test_a_child_is_subsumed_by_an_able_parent_or_inserted(experience, error, subsumed):
    parent = make_rule([0.2, 0.8], experience=experience, error=error)
    child = make_rule([0.3, 0.8])
    population = make_population(parent)
    settle(child, [parent, parent], [parent], population, make_config(), Scripted())
    assert population.rules == ([parent] if subsumed else [parent, child])
    assert population.micro == 2


def test_a_child_without_able_parents_is_subsumed_by_a_random_member():
    parent = make_rule([0.4, 0.6])
    able = [make_rule([0.0, upper], experience=21) for upper in (0.9, 1.0)]
    population = make_population(parent, *able)
    child = make_rule([0.3, 0.5])
    members = [parent, *able]
    settle(child, [parent, parent], members, population, make_config(), Scripted(0.5))
    assert [rule.numerosity for rule in population.rules] == [1, 1, 2]


# --- the population ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("experience", "fitness", "vote"),
    [(21, 0.02, 2.0 * 4 * 0.1 / 0.005), (20, 0.02, 8.0), (21, 0.05, 8.0)],
    ids=["unfit", "inexperienced", "fit"],
)
def test_unfit_rules_get_larger_deletion_votes(experience, fitness, vote):
    rule = make_rule(experience=experience, fitness=fitness, set_size=2.0, numerosity=4)
    assert deletion_vote(rule, 0.1, make_config()) == pytest.approx(vote)


def test_deletion_lowers_the_numerosity_before_it_removes_a_rule():
    first, second = make_rule(numerosity=2), make_rule([0.0, 0.5])
    population = make_population(first, second)
    population.delete(make_config(), Scripted(0.0))
    assert (first.numerosity, population.micro) == (1, 2)
    population.delete(make_config(), Scripted(0.0))
    assert population.rules == [second]
    assert (population.micro, population.fitness_sum) == (1, pytest.approx(0.01))


def test_the_last_rule_of_an_action_takes_a_removed_rules_place():
    zeros = [make_rule([0.0, upper]) for upper in (0.2, 0.3, 0.4)]
    one = make_rule(action=1)
    population = make_population(one, *zeros)
    population.remove(zeros[0])
    assert population.rules == [zeros[2], zeros[1], one]


def test_an_identical_rule_only_counts():
    rule = make_rule([0.2, 0.8])
    population = make_population(rule, make_rule([0.8, 0.2]), make_rule([0.2, 0.8], action=1))
    assert [r.numerosity for r in population.rules] == [2, 1]
    assert population.fitness_sum == pytest.approx(0.02)


def test_prediction_is_weighted_by_fitness():
    rules = [make_rule(fitness=0.1), make_rule(model=Scalar(50.0), fitness=0.3)]
    assert weighted_prediction(rules, [0.5]) == pytest.approx(40.0)
    for rule in rules:
        rule.fitness = 0.0
    assert weighted_prediction(rules, [0.5]) == pytest.approx(30.0)
    assert weighted_prediction([], [0.5]) is None


# --- replay ------------------------------------------------------------------------------------


def test_a_full_memory_forgets_the_oldest_experience():
    memory = ReplayMemory(capacity=3)
    for reward in range(5):
        memory.store(Transition([0.0], 0, reward, [0.0], True))
    assert [slot.reward for slot in memory.slots] == [3, 4, 2]
    assert memory.newest().reward == 4


def test_a_minibatch_may_start_with_the_newest_experience():
    memory = ReplayMemory(capacity=3)
    for reward in range(3):
        memory.store(Transition([0.0], 0, reward, [0.0], True))
    batch = memory.sample(3, True, Scripted(0.0, 0.4))
    assert [transition.reward for transition in batch] == [2, 0, 1]
