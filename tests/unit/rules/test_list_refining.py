"""A list is refined by small changes that pay in the episodes it plays."""

from itertools import pairwise

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces

from ruleplay.errors import ConfigError
from ruleplay.rules import EpisodeScore, compact
from ruleplay.rules.compaction.list_edits import EDITS, Editor
from ruleplay.rules.compaction.refining import FAR, Refinement, is_shorter
from ruleplay.rules.compaction.teaching import advantage, agreement
from ruleplay.rules.compaction.tidying import ended, tidy
from unit.rules.rule_samples import INF, actions, grid, rule, rule_set

pytestmark = pytest.mark.interpreted

DIGITS = (0, 1)
SEEDS = []  # of all episodes


def test_a_list_ends_where_a_rule_contains_everything():
    listed = rule_set(
        rule(speed=(60.0, INF), action=1), rule(action=1), rule(angle=(0.0, INF)), ordered=True
    )
    shorter = ended(listed)
    assert (len(shorter), shorter.default_action) == (1, 1)
    np.testing.assert_array_equal(shorter.actions(grid()), listed.actions(grid()))
    assert ended(shorter) is shorter


class Balance(gymnasium.Env):
    """Pays 1 for action 1 where the angle is above 0.3, and for action 0 elsewhere."""

    observation_space = spaces.Box(np.array([0.0, -1.0]), np.array([100.0, 1.0]), dtype=np.float64)
    action_space = spaces.Discrete(2)

    def reset(self, *, seed=None, options=None):
        SEEDS.append(seed)
        super().reset(seed=seed)
        self.left = 5
        return self._see(), {}

    def step(self, action):
        pays = float((self.seen[1] > 0.3) == action)
        self.left -= 1
        return self._see(), pays, self.left == 0, False, {}

    def _see(self):
        self.seen = np.array([self.np_random.uniform(0, 100), self.np_random.uniform(-1, 1)])
        return self.seen


def listed(*rules, **settings):
    return rule_set(*rules, ordered=True, **settings)


def crooked():
    """Return a list whose bound lies far off, and a rule before it that does harm."""
    return listed(
        rule(speed=(90.0, INF), action=1, prediction=0.0),
        rule(angle=(-0.4, INF), action=1, prediction=0.0),
    )


@pytest.fixture(scope="module")
def score():
    return EpisodeScore(Balance, 10, seed=5)


@pytest.fixture
def editor():
    rows = np.random.default_rng(0).uniform([0, -1], [100, 1], (200, 2))
    return Editor(rows, DIGITS, max_rules=3)


@pytest.mark.parametrize("edit", EDITS, ids=[edit.__name__ for edit in EDITS])
def test_each_change_can_be_made_and_leaves_the_list_alone(editor, edit):
    rules, random, before = crooked(), np.random.default_rng(1), crooked().to_json()
    made = [edit(editor, rules, random) for _ in range(30)]
    changed = [other for other in made if other is not None and other.to_json() != before]
    assert changed
    assert rules.to_json() == before
    assert all(other.ordered and 1 <= len(other) <= 3 for other in changed)


def test_bounds_are_what_is_observed_in_few_digits(editor):
    random = np.random.default_rng(2)
    rules = crooked()
    for _ in range(300):
        rules = editor.draw_edit(rules, random)
        bounds = np.concatenate([rules.lower, rules.upper])
        known = np.where(np.isfinite(bounds), bounds, 0.0)
        assert (known == np.column_stack([known[:, 0].round(0), known[:, 1].round(1)])).all()
        assert (rules.lower <= rules.upper).all()
        assert 1 <= len(rules) <= 3


def test_other_episodes_have_other_seeds(score):
    SEEDS.clear()
    score.elsewhere(100, 3).returns(lambda rows: np.zeros(len(rows), np.int64))
    assert SEEDS == [105, 106, 107]
    score.elsewhere(100, 12).returns(lambda rows: np.zeros(len(rows), np.int64), [11, 2])
    assert SEEDS[3:] == [116, 107]


def test_refining_finds_what_pays(score):
    found = Refinement(score, DIGITS, 3, np.random.default_rng(0)).refine(crooked(), 4000)
    other = EpisodeScore(Balance, 100, seed=77)
    assert other(crooked().actions) < 3.5
    assert other(found.actions) > 4.7  # of 5


def test_refining_plays_no_episode_that_measures_the_score(score):
    SEEDS.clear()
    Refinement(score, DIGITS, 3, np.random.default_rng(0)).refine(crooked(), 500)
    assert min(SEEDS) >= FAR
    assert 500 <= len(SEEDS) < 10_000


def test_the_same_random_numbers_refine_alike(score):
    first, second = (
        Refinement(score, DIGITS, 3, np.random.default_rng(4)).refine(crooked(), 800).to_json()
        for _ in range(2)
    )
    assert first == second


def test_a_list_without_rules_stays_one(score):
    empty = crooked().take([])
    assert Refinement(score, DIGITS, 3, np.random.default_rng(0)).refine(empty, 500) is empty


def test_where_no_change_matters_refining_ends(score):
    only = listed(rule(angle=(-0.4, INF)), outcomes=actions("stop"))
    found = Refinement(score, DIGITS, 3, np.random.default_rng(0)).refine(only, 300)
    assert found.actions(np.zeros((1, 2))).tolist() == [0]


@pytest.mark.parametrize(
    ("other", "shorter"),
    [(listed(rule(angle=(-0.4, INF))), True), (crooked(), False)],
    ids=["one-rule-less", "as-long"],
)
def test_fewer_rules_or_bounds_are_shorter(other, shorter):
    assert is_shorter(other, crooked()) == shorter


def test_what_decides_nothing_is_left_out():
    rules = listed(
        rule(speed=(90.0, INF), angle=(-1.5, 0.5), action=1),
        rule(speed=(95.0, INF), angle=(-INF, 0.4), action=0),  # never reached
        rule(speed=(10.0, INF), action=0),  # as the default
    )
    rows = np.random.default_rng(3).uniform([0, -1], [100, 1], (2000, 2))
    found = tidy(rules, rows)
    assert found.phrases(0) == ["speed ≥ 90", "angle ≤ 0.50"]
    assert len(found) == 1
    np.testing.assert_array_equal(found.actions(rows), rules.actions(rows))


def staircase():
    """Return rules that vote for action 1 above a line that no list of one rule can follow."""
    steps = np.linspace(-1, 1, 9)
    return rule_set(
        *(
            rule(speed=(50 * (low + 1), 50 * (high + 1)), angle=ends, action=action, prediction=1.0)
            for low, high in pairwise(steps)
            for action, ends in enumerate([(-INF, low), (low, INF)])
        )
    )


class Slope(Balance):
    """Pays for action 1 where the angle is above a line through the middle."""

    def step(self, action):
        pays = float((self.seen[1] > self.seen[0] / 50 - 1) == action)
        self.left -= 1
        return self._see(), pays, self.left == 0, False, {}


def test_a_list_that_falls_short_of_the_rules_is_refined():
    judged = EpisodeScore(Slope, 10, seed=3)
    SEEDS.clear()
    made = compact(staircase(), score=judged, max_rules=1, refine=500)
    refined = max(SEEDS)
    assert refined >= FAR
    assert made.after == 1
    assert made.ruleset.experience.sum() > 0  # figures of where it leads
    SEEDS.clear()
    compact(staircase(), score=judged, max_rules=1)
    assert max(SEEDS) < FAR


def test_a_list_that_does_as_well_is_not_refined():
    rules = rule_set(
        rule(angle=(0.3, INF), action=1, prediction=1.0),
        rule(angle=(-INF, 0.3), action=0, prediction=1.0),
    )
    SEEDS.clear()
    made = compact(rules, score=EpisodeScore(Balance, 10, seed=3), max_rules=2, refine=500)
    assert max(SEEDS) < FAR
    assert made.score_after == 5.0


@pytest.mark.parametrize("refine", [-1, 2.5])
def test_a_wrong_number_of_episodes_is_refused(refine):
    with pytest.raises(ConfigError, match="refine must be an integer"):
        compact(staircase(), score=EpisodeScore(Slope, 2), refine=refine)


def test_only_what_plays_episodes_refines():
    with pytest.raises(ConfigError, match="refine needs a score that plays episodes"):
        compact(staircase(), score=lambda policy: 0.0, refine=500)


def test_mistakes_cost_what_is_lost_on_average_1():
    unknown = np.nan
    values = np.array([[1.0, 0.0], [5.0, 1.0], [unknown, 2.0], [unknown, unknown]])
    payoff = advantage(values, 0)
    np.testing.assert_allclose(payoff, [[0, -0.6], [0, -2.4], [-1, 0], [0, 0]])
    np.testing.assert_array_equal(agreement(values, 1), [[1, 0], [1, 0], [0, 1], [0, 1]])


def test_where_agreement_falls_short_costly_mistakes_are_avoided():
    """Going pays a little at most speeds, and stopping much at the others."""
    low, high = (-INF, 70.0), (70.0, INF)
    rules = rule_set(
        rule(speed=low, action=1, prediction=0.1),
        rule(speed=low, action=0, prediction=0.0),
        rule(speed=high, action=1, prediction=0.0),
        rule(speed=high, action=0, prediction=10.0),
    )

    def earned(policy):
        rows = grid()
        return float(rules.values(rows)[np.arange(len(rows)), policy(rows)].mean())

    made = compact(rules, observations=grid(), max_rules=0)
    assert made.ruleset.default_action == 1
    made = compact(rules, observations=grid(), score=earned, max_rules=0)
    assert made.ruleset.default_action == 0
