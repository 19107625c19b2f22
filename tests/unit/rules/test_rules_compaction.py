"""Fewer rules do what all rules do, and what is lost is what is said."""

from itertools import compress, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from property.samples import make_engine, quick, train
from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.engine import XCS
from ruleplay.errors import ConfigError
from ruleplay.rules import RuleSet, compact
from ruleplay.rules._memory import experiences, reference_observations
from ruleplay.rules.compaction.box_kernels import propose_run, propose_set
from ruleplay.rules.compaction.box_search import Grid, roundest
from ruleplay.rules.compaction.evaluation import Candidate, choose
from ruleplay.rules.compaction.methods import HELD_OUT, _split, measure
from unit.rules.rule_samples import INF, grid, rule, rule_set, slow_down


def taught(seed=0, **changes):
    """Let an engine learn to answer 0 where the first feature exceeds a half."""
    engine = make_engine(2, 2, seed=seed, population_size=200, **changes)
    return train(engine, 3000, seed)


def unit_square(count=3000, seed=7):
    return np.random.default_rng(seed).random((count, 2))


@pytest.fixture(scope="module")
def engine():
    return taught()


@pytest.mark.parametrize("method", ["evaluate", "greedy"])
def test_few_rules_decide_as_all_do(engine, method):
    made = compact(engine, method, unit_square())
    assert made.after < made.before == engine.macroclassifiers
    assert made.after == len(made.ruleset)
    assert made.agreement >= 0.95


def test_a_list_of_one_rule_is_found(engine):
    made = compact(engine, "evaluate", unit_square())
    assert made.after == 1
    assert made.ruleset.ordered
    assert "x0" in made.ruleset.text()


def test_greedy_keeps_rules_of_the_population_only(engine):
    rules = RuleSet.of(engine)
    made = compact(rules, "greedy", unit_square())
    boxes = {tuple(np.concatenate([a, b])) for a, b in zip(rules.lower, rules.upper, strict=True)}
    kept = made.ruleset
    assert not kept.ordered
    for a, b in zip(kept.lower, kept.upper, strict=True):
        assert tuple(np.concatenate([a, b])) in boxes


def test_greedy_leaves_nothing_uncovered(engine):
    rules, rows = RuleSet.of(engine), unit_square()
    kept, _ = _split(len(rows))
    sample = rows[kept][:4000]
    made = compact(rules, "greedy", rows)
    before, after = np.isnan(rules.values(sample)), np.isnan(made.ruleset.values(sample))
    np.testing.assert_array_equal(before, after)


def test_greedy_drops_what_stronger_rules_cover():
    made = compact(slow_down(), "greedy", grid(), tolerance=0.0)
    assert made.ruleset.fitness.tolist() == [0.9, 0.8, 0.5, 0.7]
    assert made.agreement == 1.0


@pytest.mark.parametrize("method", ["evaluate", "greedy"])
def test_the_agreement_said_is_the_agreement_held_out(engine, method):
    rows = unit_square()
    made = compact(engine, method, rows, max_rules=1, tolerance=0.3)
    order = np.random.default_rng(0).permutation(len(rows))
    tests = rows[order[: int(HELD_OUT * len(rows))]]
    predictions = engine.predict(tests)
    decided = np.where(np.isnan(predictions), -np.inf, predictions).argmax(axis=1)
    assert made.agreement == np.mean(decided == made.ruleset.actions(tests))
    assert made.loss == 1.0 - made.agreement


def test_labels_are_agreed_with_instead():
    rows = grid()
    labels = (rows[:, 1] > 0.0).astype(int)
    made = compact(slow_down(), "evaluate", rows, labels=labels)
    assert made.ruleset.actions(rows).tolist() == labels.tolist()
    assert made.score_after == 1.0
    assert made.loss == pytest.approx(made.score_before - 1.0)


def walk(policy):
    """Score a policy: it should go where the angle is positive, seen from 50 points."""
    rows = np.column_stack([np.linspace(0, 100, 50), np.linspace(-1, 1, 50)])
    return float((policy(rows) == (rows[:, 1] > 0)).sum())


def test_a_score_decides_what_is_kept():
    rules = rule_set(
        rule(angle=(0.0, INF), action=1, prediction=5.0),
        rule(angle=(-INF, 0.0), action=0, prediction=5.0),
        rule(speed=(99.0, INF), angle=(-1.0, -0.9), action=1, prediction=99.0),
    )
    made = compact(rules, score=walk, observations=grid())
    assert made.after == 1
    assert made.score_before == made.score_after == 50.0
    assert made.loss == 0.0


def test_the_loss_is_measured_with_another_score():
    asked = []

    def check(policy):
        asked.append(policy)
        return -10.0 if len(asked) == 1 else -12.0

    made = compact(slow_down(), score=walk, check=check, observations=grid())
    assert (made.score_before, made.score_after) == (-10.0, -12.0)
    assert made.loss == pytest.approx(0.2)
    assert str(made).endswith("score -12 instead of -10 (loss 20.0 %)")


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        (slow_down(), "5 of 5 rules: the same decision on 100.0 % of held-out observations"),
        (
            rule_set(rule(), ordered=True),
            "1 rule and a default action instead of 5 rules: "
            "the same decision on 55.0 % of held-out observations",
        ),
    ],
    ids=["vote", "list"],
)
def test_a_compaction_is_told_in_a_sentence(rules, text):
    assert str(measure(slow_down(), rules, "greedy", grid())) == text


def test_a_worthless_score_loses_nothing():
    made = measure(slow_down(), slow_down(), "greedy", grid(), score=lambda policy: 0.0)
    assert made.loss == 0.0


@pytest.mark.parametrize("most", [0, 1, 3])
def test_lists_are_no_longer_than_allowed(most):
    made = compact(slow_down(), "evaluate", grid(), max_rules=most, tolerance=0.0)
    assert made.after <= most


def test_more_rules_agree_more():
    few, many = (compact(slow_down(), "evaluate", grid(), max_rules=n) for n in (0, 3))
    assert few.agreement < many.agreement
    assert many.agreement >= 0.98


def test_the_same_question_has_the_same_answer(engine):
    first, second = (compact(engine, "evaluate", unit_square()) for _ in range(2))
    assert first.ruleset.to_json() == second.ruleset.to_json()


@given(seed=st.integers(0, 2**31), tolerance=st.sampled_from([0.0, 0.05, 0.2]))
@quick(10)
def test_greedy_keeps_its_promise_where_it_looked(seed, tolerance):
    rules = RuleSet.of(taught(seed % 50))
    rows = unit_square(400, seed)
    sample = rows[_split(len(rows))[0]]
    made = compact(rules, "greedy", rows, tolerance=tolerance)
    assert np.mean(made.ruleset.actions(sample) != rules.actions(sample)) <= tolerance


def test_a_rule_of_a_list_tells_what_it_decided():
    made = compact(slow_down(), "evaluate", grid(), tolerance=0.0).ruleset
    decided = made.experience.sum()
    assert 0 < decided <= len(grid())
    assert ((made.fitness >= 0.5) & (made.fitness <= 1.0)).all()
    values = slow_down().values(grid())
    assert made.prediction.min() >= np.nanmin(values)
    assert made.prediction.max() <= np.nanmax(values)


def test_rows_with_missing_features_are_not_learned_from():
    rules = rule_set(rule(action=0), rule(angle=(0.0, INF), action=1, prediction=2.0))
    rules = rules.take([0, 1], missing_values="match")
    rows = grid()
    rows[::5, 0] = np.nan
    assert compact(rules, "evaluate", rows).agreement == 1.0
    with pytest.raises(ConfigError, match="rows without missing features"):
        compact(rules, "evaluate", np.full((50, 2), np.nan))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"method": "magic"}, "method must be one of 'evaluate', 'greedy', got 'magic'"),
        ({"tolerance": 1.0}, r"tolerance must lie in \[0, 1\), got 1.0"),
        ({"tolerance": "little"}, r"tolerance must lie in \[0, 1\), got 'little'"),
        ({"tolerance": True}, r"tolerance must lie in \[0, 1\), got True"),
        ({"method": np.zeros(2)}, "method must be one of 'evaluate', 'greedy', got array"),
        ({"max_rules": -1}, "max_rules must be an integer"),
        ({"observations": [[1.0, 2.0]]}, "observations must be at least 2 rows"),
        ({"labels": [0]}, r"labels must be 1600 integers in \[0, 1\]"),
        ({"labels": np.full(1600, 2)}, r"labels must be 1600 integers in \[0, 1\]"),
    ],
    ids=[
        "method",
        "tolerance",
        "word",
        "truth",
        "methods",
        "max-rules",
        "one-row",
        "few-labels",
        "unknown-label",
    ],
)
def test_wrong_wishes_are_refused(settings, message):
    with pytest.raises(ConfigError, match=message):
        compact(slow_down(), **{"observations": grid(), **settings})


# --- observations -----------------------------------------------------------------------------


def test_remembered_observations_are_used():
    engine = make_engine(2, 2, replay=ReplayConfig(capacity=500, warmup=0, batch_size=1))
    train(engine, 40)
    lived = experiences(engine)
    np.testing.assert_allclose(lived, np.random.default_rng(1).random((40, 2)), atol=1e-7)
    assert len(reference_observations(engine, 30)) == 30
    drawn = reference_observations(engine, 100)
    np.testing.assert_array_equal(drawn[:40], lived)
    assert len(drawn) == 100


def test_without_memory_observations_are_drawn_in_the_bounds():
    drawn = reference_observations(slow_down(), 500)
    assert len(experiences(slow_down())) == 0
    assert (drawn.min(axis=0) >= [0.0, -1.0]).all()
    assert (drawn.max(axis=0) > [95.0, 0.9]).all()


@pytest.mark.parametrize(
    ("capacity", "sample", "judged_on", "words"),
    [
        (0, 10, "random points within the bounds", "of random points within the bounds"),
        (500, 10, "remembered observations", "of held-out remembered observations"),
        (500, 100, "remembered observations and random points within the bounds", "and random"),
    ],
    ids=["random", "remembered", "both"],
)
def test_what_rules_were_judged_on_is_said(capacity, sample, judged_on, words):
    replay = ReplayConfig(capacity=capacity, warmup=0, batch_size=1) if capacity else None
    engine = make_engine(2, 2, replay=replay)
    train(engine, 40)
    made = compact(engine, sample=sample)
    assert made.judged_on == judged_on
    assert words in str(made)
    given = compact(engine, "greedy", np.random.default_rng(0).random((30, 2)))
    assert given.judged_on == "given observations"
    assert str(given).endswith("% of held-out observations")


# --- the search -------------------------------------------------------------------------------


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=12))
@quick(100)
def test_the_best_run_is_the_best_of_all(sums):
    proposed = np.zeros(len(sums), np.bool_)
    total = propose_run(np.array(sums, float), 0, len(sums), 0.0, proposed)
    every = [sum(sums[i : j + 1]) for i in range(len(sums)) for j in range(i, len(sums))]
    assert total == max(every) == np.array(sums)[proposed].sum()


@given(sums=st.lists(st.integers(-9, 9), min_size=1, max_size=8), cost=st.sampled_from([0.5, 3.0]))
@quick(100)
def test_the_best_run_pays_for_its_bounds(sums, cost):
    def worth(i, j):
        return sum(sums[i : j + 1]) - cost * ((i > 0) + (j < len(sums) - 1))

    proposed = np.zeros(len(sums), np.bool_)
    total = propose_run(np.array(sums, float), 0, len(sums), cost, proposed)
    first, last = np.flatnonzero(proposed)[[0, -1]].tolist()
    every = [worth(i, j) for i in range(len(sums)) for j in range(i, len(sums))]
    assert total == max(every) == worth(first, last)


def test_any_categories_may_be_allowed_together():
    rows = np.array([[k, side] for k in range(5) for side in (0.0, 1.0)])
    gains = np.where(np.isin(rows[:, 0], [0, 3]) & (rows[:, 1] == 1.0), 1.0, -1.0)
    cells = Grid.of(rows, (0, 1), categories=(5, 0))
    box, worth = cells.climb(cells.whole, gains, 0.1)
    assert worth == pytest.approx(2.0 - 0.3)
    np.testing.assert_array_equal(cells.inside(box), gains > 0)
    assert cells.n_bounds(box) == 3  # two categories are named


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=6), st.sampled_from([0.0, 0.5, 2.5]))
@quick(100)
def test_the_best_categories_are_found_given_what_naming_them_costs(sums, cost):
    def worth(flags):
        named = min(sum(flags), len(flags) - sum(flags))
        return sum(compress(sums, flags)) - cost * named

    proposed = np.zeros(len(sums), np.bool_)
    total = propose_set(np.array(sums, float), 0, len(sums), cost, proposed)
    every = [flags for flags in product([False, True], repeat=len(sums)) if any(flags)]
    assert total == max(map(worth, every)) == worth(tuple(proposed.tolist()))


def test_a_missing_value_is_in_every_box():
    rows = np.array([[0.1], [0.2], [np.nan], [0.9]])
    cells = Grid.of(rows, (2,))
    box, worth = cells.climb(cells.whole, np.array([-1.0, 1.0, 1.0, -1.0]))
    assert worth == 2.0
    assert cells.inside(box).tolist() == [False, True, True, False]


def test_a_bound_is_centred_between_what_pays_and_what_costs():
    rows = np.linspace(0.0, 1.0, 11)[:, np.newaxis]
    cells = Grid.of(rows, (2,))
    gains = np.array([1.0, 1.0, 0, 0, 0, 0, 0, 0, 0, -1.0, -1.0])
    box = cells.centre(cells.box(np.array([-INF]), np.array([0.15])), gains)
    assert cells.bounds(box)[1] == pytest.approx([0.55], abs=0.051)


def test_neighbouring_whole_numbers_are_parted_at_themselves():
    rows = np.arange(101.0)[:, np.newaxis]
    cells = Grid.of(rows, (0,))
    lower, upper = cells.bounds(cells.box(np.array([40.0]), np.array([60.0])))
    assert (lower[0], upper[0]) == (40.0, 60.0)


def test_numbers_may_share_few_cells_of_like_size():
    rows = np.random.default_rng(0).exponential(size=(1000, 1)).round(2)
    cells = Grid.of(rows, (3,), most=10)
    counts = np.bincount(cells.places[:, 0])
    assert len(counts) <= 10
    assert counts.max() <= 150
    np.testing.assert_array_equal(cells.locate(rows), cells.places)


@given(st.floats(-1e3, 1e3), st.floats(1e-6, 1e3))
@quick(100)
def test_the_roundest_number_lies_between(below, gap):
    assert below < roundest(below, below + gap) < below + gap


def test_cells_are_parted_by_short_numbers_only():
    column = np.array([[0.1], [0.104], [0.12], [0.19], [0.5]])
    cells = Grid.of(column, (1,))
    assert cells.places.tolist() == [[0], [0], [0], [0], [1]]
    lower, upper = cells.bounds(np.array([True, False, True]))
    assert (lower[0], upper[0]) == (-INF, 0.3)
    finer = Grid.of(column, (2,))
    assert finer.places.ravel().tolist() == [0, 0, 1, 2, 3]


@given(seed=st.integers(0, 2**31))
@quick(30)
def test_boxes_contain_what_their_bounds_contain(seed):
    rng = np.random.default_rng(seed)
    rows = rng.random((60, 2)).round(int(rng.integers(1, 4)))
    cells = Grid.of(rows, (2, 2))
    ends = np.sort(rng.integers(0, [[len(first)] for first in cells.first], (2, 2)), axis=1)
    firsts = np.array([cells.first[k][ends[k, 0]] for k in range(2)])
    lasts = np.array([cells.last[k][ends[k, 1]] for k in range(2)])
    box = cells.box(firsts, lasts)
    lower, upper = cells.bounds(box)
    inside = ((rows >= lower) & (rows <= upper)).all(axis=1)
    np.testing.assert_array_equal(cells.inside(box), inside)
    np.testing.assert_array_equal(cells.box(lower, upper), box)


def test_climbing_finds_the_box_that_pays():
    rows = grid(21)
    gains = np.where((rows[:, 0] > 30) & (rows[:, 0] < 70) & (rows[:, 1] > 0), 1.0, -1.0)
    cells = Grid.of(rows, (2, 2))
    box, total = cells.climb(cells.whole, gains)
    assert total == (gains > 0).sum()
    np.testing.assert_array_equal(cells.inside(box), gains > 0)


def test_loosening_opens_what_costs_little():
    rows = grid(11)
    cells = Grid.of(rows, (2, 2))
    box = cells.box(np.array([10.0, -INF]), np.array([INF, INF]))
    gains = np.where(rows[:, 0] < 10, -0.01, 1.0)
    assert (cells.loosen(box, gains, 1.0)[0] == cells.whole).all()
    assert (cells.loosen(box, gains, 0.0)[0] == box).all()


def test_the_shortest_good_list_is_chosen():
    long, short = slow_down(), slow_down().take([0])
    both = [Candidate(long, 10.0), Candidate(short, 9.0)]
    assert choose(both, 9.0).rules is short
    assert choose(both, 9.5).rules is long
    assert choose(both, 99.0).rules is long


def test_whole_numbers_are_drawn_as_such():
    engine = XCS(
        XCSConfig(population_size=9),
        n_actions=2,
        low=[1.0, 0.0],
        high=[4.0, 1.0],
        about={"whole_features": [True, False]},
    )
    drawn = reference_observations(engine, 400)
    assert set(drawn[:, 0]) == {1.0, 2.0, 3.0, 4.0}
    assert len(set(drawn[:, 1])) == 400
