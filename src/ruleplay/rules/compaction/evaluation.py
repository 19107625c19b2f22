"""Compact by evaluation: a short decision list that does as well as the population.

What counts is how often the list decides as the population does (or as given labels say) on
observations, or how well it does in episodes. Then the search alternates, as imitation
learning does (Ross, Gordon and Bagnell 2011): a list is learned where the population has
been; the episodes it plays lead to other observations; the next one is learned there, too.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.errors import ConfigError
from ruleplay.rules.compaction.box_search import Box, Flags, Grid
from ruleplay.rules.compaction.decision_list import Draft, ListRule, Task, make_task
from ruleplay.rules.compaction.episodes import EpisodeScore
from ruleplay.rules.compaction.list_draft import Price
from ruleplay.rules.compaction.recording import Policy, Recorder, thin
from ruleplay.rules.compaction.refining import Refinement
from ruleplay.rules.compaction.teaching import Teacher, Values, advantage, agreement
from ruleplay.rules.compaction.tidying import ended
from ruleplay.rules.ruleset import RuleSet, best_actions
from ruleplay.rules.wording import span_digits

Vector = NDArray[np.float64]
Integers = NDArray[np.int64]
Score = Callable[[Policy], float]

CANDIDATES = 300  # rules whose boxes searches may start from
SLACK = 5e-4  # share of the observations that one bound less may cost
ROUNDS = 3  # of learning where the last list has been


class Wish(NamedTuple):
    """What is asked of a compaction."""

    max_rules: int
    tolerance: float  # share of agreement, or of the score, that may be lost
    sample: int  # observations to learn from
    refine: int = 0  # episodes that improve a list after it is learned


class Candidate(NamedTuple):
    """A list and its score in episodes."""

    rules: RuleSet
    score: float


def compact_to_agree(rules: RuleSet, observations: Vector, wanted: Integers, wish: Wish) -> RuleSet:
    """Return the shortest list found that decides as wanted but for the tolerance."""
    complete = _complete(observations)
    observations, wanted = observations[complete], wanted[complete]
    sample = thin(observations, wish.sample)
    payoff = np.eye(rules.n_actions)[wanted[sample]]
    task = _task(rules, observations[sample], payoff)
    draft = Draft(task)
    goal = (1.0 - wish.tolerance) * len(task.payoff)
    while len(draft.rules) < wish.max_rules and draft.worth() < goal:
        if not draft.grow():
            break
        draft.refit()
    draft.prune(max(0.0, draft.worth() - goal))
    return _finish(rules, draft, rules.values(task.observations))


def compact_to_score(
    rules: RuleSet, values: Values, observations: Vector, score: Score, wish: Wish
) -> RuleSet:
    """Return the shortest list found whose score is the best but for the tolerance.

    The best of all scores, those of all lists and of the rules themselves: lists often do
    better than rules that have not quite finished learning, and what does better on these
    episodes has something to spare on others. Where no list that decides alike as often as it can
    does as well as the rules, lists are learned by what mistakes cost; if these do not, either, the
    best one is refined.
    """
    whole = Recorder(lambda seen: best_actions(values(seen), rules.default_action))
    full = score(whole)
    lived = whole.observations()
    pool = [lived, observations] if len(observations) else [lived]
    candidates: list[Candidate] = []
    for pays in (agreement, advantage):
        teacher = Teacher(values, pays)
        candidates += _taught(rules, teacher, pool, score, wish)
        best_score = max(full, *(candidate.score for candidate in candidates))
        goal = best_score - wish.tolerance * abs(best_score)
        chosen = choose(candidates, goal)
        if chosen.score >= goal:
            return _shorten(chosen, score, goal)
    return _refined(chosen.rules, rules, values, score, wish)


def _taught(
    rules: RuleSet, teacher: Teacher, pool: list[Vector], score: Score, wish: Wish
) -> list[Candidate]:
    """Return lists learned from observations, and from where such lists have led."""
    candidates: list[Candidate] = []
    pool = list(pool)
    for _ in range(ROUNDS):
        share = wish.sample // len(pool)
        rows = np.concatenate([part[thin(part, share)] for part in pool])
        rows = rows[_complete(rows)]
        newest: list[Candidate] = []
        visited = []
        for found in _lists(rules, rows, teacher, wish):
            recorder = Recorder(found.actions)
            newest.append(Candidate(found, score(recorder)))
            visited.append(recorder.observations())
        candidates += newest
        best = max(range(len(newest)), key=lambda k: newest[k].score)
        pool.append(visited[best])
        pool.append(visited[-1])
    return candidates


def _refined(listed: RuleSet, rules: RuleSet, values: Values, score: Score, wish: Wish) -> RuleSet:
    """Return a list after changes that pay in episodes, with figures of where it now leads."""
    if not isinstance(score, EpisodeScore) or wish.refine == 0:
        return listed
    recorder = Recorder(listed.actions)
    score(recorder)
    digits = bound_digits(rules, recorder.observations())
    refinement = Refinement(score, digits, wish.max_rules, np.random.default_rng(0))
    found = refinement.refine(listed, wish.refine)
    recorder = Recorder(found.actions)
    score(recorder)
    seen = recorder.thinned(wish.sample)
    return _described(found, values(seen), seen)


def choose(candidates: list[Candidate], goal: float) -> Candidate:
    """Return the shortest candidate that reaches the goal, else the one that comes nearest."""
    good = [candidate for candidate in candidates if candidate.score >= goal]
    if good:
        return min(good, key=lambda candidate: (len(candidate.rules), -candidate.score))
    return max(candidates, key=lambda candidate: candidate.score)


def as_rules(rules: RuleSet, grid: Grid, listed: Sequence[ListRule], default: int) -> RuleSet:
    """Return listed rules as a set without figures, with the features and outcomes of others."""
    size = len(listed)
    return RuleSet(
        **bounds_of(grid, [rule.box for rule in listed]),
        action=np.array([rule.action for rule in listed], np.int64),
        prediction=np.zeros(size),
        error=np.zeros(size),
        fitness=np.zeros(size),
        numerosity=np.ones(size, np.int64),
        experience=np.zeros(size, np.int64),
        features=rules.features,
        outcomes=rules.outcomes,
        default_action=default,
        ordered=True,
        error_threshold=rules.error_threshold,
        missing_values=rules.missing_values,
        against_below=rules.against_below,
    )


def bounds_of(grid: Grid, boxes: Sequence[Box]) -> dict[str, Any]:
    """Return what boxes demand of each feature, as a set of rules has it."""
    bounds = [grid.bounds(box) for box in boxes]
    shape = (len(boxes), len(grid.first))
    return {
        "lower": np.array([lower for lower, _ in bounds]).reshape(shape),
        "upper": np.array([upper for _, upper in bounds]).reshape(shape),
        "allowed": np.array([grid.allowed(box) for box in boxes]) if len(boxes) else None,
    }


def _finish(rules: RuleSet, draft: Draft, values: Vector) -> RuleSet:
    """Return a draft as a set of rules, with figures."""
    chosen = ended(as_rules(rules, draft.task.grid, draft.rules, draft.default))
    return _described(chosen, values, draft.task.observations)


def _described(chosen: RuleSet, values: Vector, observations: Vector) -> RuleSet:
    """Return a list with what the population, whose values are given, says where each rule decides.

    Value and error are the mean of the population's values of the rule's action and their
    mean deviation; fitness is the share of right decisions; experience counts decisions.
    """
    right, inside = best_actions(values, chosen.default_action), chosen.matches(observations)
    decides = inside & (np.cumsum(inside, axis=1) == 1)
    parts: dict[str, list[float]] = {"prediction": [], "error": [], "fitness": []}
    for i, action in enumerate(chosen.action):
        rows = np.flatnonzero(decides[:, i])
        told = values[rows, action]
        told = told[np.isfinite(told)]
        mean = float(told.mean()) if len(told) else 0.0
        parts["prediction"].append(mean)
        parts["error"].append(float(np.abs(told - mean).mean()) if len(told) else 0.0)
        parts["fitness"].append(float((right[rows] == action).mean()) if len(rows) else 0.0)
    figures = {name: np.array(values) for name, values in parts.items()}
    return chosen.take(range(len(chosen)), **figures, experience=decides.sum(axis=0))


def _complete(observations: Vector) -> Flags:
    """Tell which observations have no missing features; refuse them if none has all."""
    complete: Flags = ~np.any(np.isnan(observations), axis=1)
    if not complete.any():
        raise ConfigError("observations must have rows without missing features, got none")
    return complete


def _task(rules: RuleSet, observations: Vector, payoff: Vector) -> Task:
    """Prepare the search for a list that is paid most."""
    strong = np.argsort(-rules.fitness * rules.numerosity, kind="stable")[:CANDIDATES]
    grid = grid_of(rules, observations)
    boxes = boxes_of(rules, strong, grid)
    return make_task(observations, grid, payoff, boxes, Price(slack=SLACK * len(payoff)))


def grid_of(rules: RuleSet, observations: Vector, most: int | None = None) -> Grid:
    """Return the cells of observations in which rules about the same features are looked for.

    What no rule limits, no list made of these rules limits either: one cell has all of it.
    """
    categories = [len(feature.categories) for feature in rules.features]
    limited = [
        any(rules.limits(place, k) for place in range(len(rules)))
        for k in range(len(rules.features))
    ]
    known = np.where(limited, observations, np.nan)
    return Grid.of(known, bound_digits(rules, observations), most, categories)


def boxes_of(rules: RuleSet, places: NDArray[np.intp], grid: Grid) -> list[Box]:
    """Return the boxes of the rules at some places."""
    chosen = rules.take(places)
    assert chosen.allowed is not None
    return list(map(grid.box, chosen.lower, chosen.upper, chosen.allowed))


def bound_digits(rules: RuleSet, observations: Vector) -> tuple[int, ...]:
    """Return how many decimals each feature's bounds have, at least as many as are shown."""
    spans = zip(rules.low, rules.high, strict=True)
    shown = [span_digits(low, high) for low, high in spans]
    seen = [span_digits(*ends) if ends[0] < ends[1] else 0 for ends in _ends(observations)]
    return tuple(map(max, shown, seen))


def _ends(observations: Vector) -> list[tuple[float, float]]:
    """Return the smallest and largest value of each feature."""
    return list(zip(observations.min(axis=0), observations.max(axis=0), strict=True))


def _lists(rules: RuleSet, observations: Vector, teacher: Teacher, wish: Wish) -> list[RuleSet]:
    """Return lists of all lengths up to the largest one that decide as they are taught."""
    values = teacher.values(observations)
    draft = Draft(_task(rules, observations, teacher.pays(values, rules.default_action)))
    found = [_finish(rules, draft, values)]
    while len(draft.rules) < wish.max_rules and draft.grow():
        draft.refit()
        found.append(_finish(rules, draft, values))
    return found


def _shorten(candidate: Candidate, score: Score, goal: float) -> RuleSet:
    """Drop rules, the last first, without which the score still reaches the goal."""
    rules = candidate.rules
    for place in reversed(range(len(rules))):
        shorter = rules.take([k for k in range(len(rules)) if k != place])
        if score(shorter.actions) >= goal:
            rules = shorter
    return rules
