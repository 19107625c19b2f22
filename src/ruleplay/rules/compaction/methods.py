"""Make a population small without changing what it does, and measure what is lost."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ruleplay.engine.inputs import as_array, as_floats, checked_integer, shown
from ruleplay.errors import ConfigError
from ruleplay.rules._memory import experiences, reference_observations
from ruleplay.rules.compaction.episodes import EpisodeScore
from ruleplay.rules.compaction.evaluation import (
    Score,
    Wish,
    compact_to_agree,
    compact_to_score,
)
from ruleplay.rules.compaction.greedy import compact_by_coverage
from ruleplay.rules.compaction.recording import Policy
from ruleplay.rules.compaction.teaching import Values
from ruleplay.rules.notebook import compaction_html
from ruleplay.rules.ruleset import RuleSet, best_actions

Vector = NDArray[np.float64]
Integers = NDArray[np.int64]

METHODS = ("evaluate", "greedy")
GIVEN, REMEMBERED = "given observations", "remembered observations"
RANDOM = "random points within the bounds"
BOTH = f"{REMEMBERED} and {RANDOM}"
HELD_OUT = 0.3  # share of the observations on which the loss is measured


@dataclass(frozen=True)
class Compaction:
    """A smaller set of rules, and how it compares with all rules.

    `agreement` is the share of held-out observations on which both decide alike. `loss` is
    the share of the mean return that is lost, or of right labels, or else 1 - agreement; a
    loss below 0 is a gain. Scores are mean returns, or shares of right labels on held-out
    observations, of all rules and of the smaller set. `judged_on` says what the observations
    were: random points may say little about real ones.
    """

    ruleset: RuleSet
    method: str
    before: int  # rules
    after: int
    agreement: float
    loss: float
    score_before: float | None = None
    score_after: float | None = None
    judged_on: str = GIVEN

    def __str__(self) -> str:
        what = f"{self.after} of {self.before} rules"
        if self.ruleset.ordered:
            rules = "1 rule" if self.after == 1 else f"{self.after} rules"
            what = f"{rules} and a default {self.ruleset.noun} instead of {self.before} rules"
        seen = {GIVEN: "held-out observations", REMEMBERED: f"held-out {REMEMBERED}"}
        on = seen.get(self.judged_on, self.judged_on)
        text = f"{what}: the same decision on {100 * self.agreement:.1f} % of {on}"
        if self.score_before is None:
            return text
        return (
            f"{text}, score {self.score_after:.4g} instead of {self.score_before:.4g} "
            f"(loss {100 * self.loss:.1f} %)"
        )

    def _repr_html_(self) -> str:
        """Return what notebooks show: what is lost, and a table of the rules."""
        return compaction_html(self)


def compact(
    source: Any,
    method: str = "evaluate",
    observations: ArrayLike | None = None,
    *,
    labels: ArrayLike | None = None,
    score: Score | None = None,
    check: Score | None = None,
    max_rules: int = 10,
    tolerance: float = 0.02,
    sample: int = 4000,
    refine: int = 0,
) -> Compaction:
    """Return fewer rules that do what an engine's, or a set's, rules do.

    "greedy" keeps some of the rules, which go on voting: the strongest ones that leave no
    observation and action uncovered, and those needed to agree but for `tolerance`.
    "evaluate" makes an ordered list of at most `max_rules` rules and a default action: the
    shortest one found that agrees but for `tolerance`, or, with `score`, keeps the score.

    Args:
        source: An engine or a `RuleSet`.
        method: "evaluate" or "greedy".
        observations: What the rules are judged by, a part of it held out to measure the
            loss. Default: what the engine's memory holds, and, where that is too little,
            random points in its bounds: these may say little about real observations.
        labels: The right actions' numbers for the observations, to agree with instead.
        score: `score(policy)` returns how good a policy is, larger is better; a policy takes
            (n, features) observations and returns n actions. See `EpisodeScore`.
        check: Another score, of other episodes, with which the loss is measured.
        max_rules: Most rules of a list.
        tolerance: Share of agreement, or of the score, that may be lost.
        sample: Most observations that are learned from.
        refine: Episodes, and some more, in which a list is refined, change by change, if none
            does as well as all rules; `score` must be an `EpisodeScore`.
    """
    wish = _checked_wish(method, max_rules, tolerance, sample, refine)
    if wish.refine and not isinstance(score, EpisodeScore):
        raise ConfigError("refine needs a score that plays episodes: an EpisodeScore")
    rules = RuleSet.of(source)
    if rules.regresses:
        raise ConfigError("rules about quantities decide nothing: compact needs actions or classes")
    values = values_of(source, rules)

    def decide(observations: Vector) -> Integers:
        return best_actions(values(observations), rules.default_action)

    rows, judged_on = _checked_observations(source, observations, wish)
    right = None if labels is None else _checked_labels(labels, rows, rules)
    kept, held_out = _split(len(rows))
    if method == "greedy":
        places = kept[: wish.sample]
        chosen = compact_by_coverage(rules, rows[places], wish.tolerance)
    elif score is not None:
        chosen = compact_to_score(rules, values, rows[kept], score, wish)
    else:
        wanted = decide(rows[kept]) if right is None else right[kept]
        chosen = compact_to_agree(rules, rows[kept], wanted, wish)
    tests = held_out[: wish.sample]
    made = measure(
        rules,
        chosen,
        method,
        rows[tests],
        labels=None if right is None else right[tests],
        score=check or score,
        decide=decide,
    )
    return replace(made, judged_on=judged_on)


def values_of(source: Any, rules: RuleSet) -> Values:
    """Return what actions are worth to a source; an engine is asked itself, for it is faster."""
    values: Values = rules.values if isinstance(source, RuleSet) else source.predict
    return values


def measure(
    rules: RuleSet,
    chosen: RuleSet,
    method: str,
    observations: Vector,
    *,
    labels: Integers | None = None,
    score: Score | None = None,
    decide: Policy | None = None,
) -> Compaction:
    """Compare a smaller set of rules with all of them, which `decide` as they would."""
    decide = decide or rules.actions
    full, small = decide(observations), chosen.actions(observations)
    agreement = float((full == small).mean())
    scores: tuple[float | None, float | None] = (None, None)
    loss = 1.0 - agreement
    if score is not None:
        before, after = score(decide), score(chosen.actions)
        scores, loss = (before, after), (before - after) / max(abs(before), 1e-12)
    elif labels is not None:
        before, after = float((full == labels).mean()), float((small == labels).mean())
        scores, loss = (before, after), before - after
    return Compaction(chosen, method, len(rules), len(chosen), agreement, loss, *scores)


def _checked_wish(method: str, max_rules: int, tolerance: float, sample: int, refine: int) -> Wish:
    if not isinstance(method, str) or method not in METHODS:
        known = ", ".join(map(repr, METHODS))
        raise ConfigError(f"method must be one of {known}, got {shown(method)}")
    is_number = isinstance(tolerance, (int, float, np.integer, np.floating))
    if not is_number or isinstance(tolerance, bool) or not 0.0 <= tolerance < 1.0:
        raise ConfigError(f"tolerance must lie in [0, 1), got {shown(tolerance)}")
    return Wish(
        checked_integer("max_rules", max_rules, 0, 1000),
        float(tolerance),
        checked_integer("sample", sample, 1, 1_000_000),
        checked_integer("refine", refine, 0, 1_000_000),
    )


def _checked_observations(
    source: Any, observations: ArrayLike | None, wish: Wish
) -> tuple[Vector, str]:
    """Return what rules are judged by, and what it is."""
    if observations is None:
        wanted, lived = 2 * wish.sample, len(experiences(source))
        judged_on = REMEMBERED if lived >= wanted else BOTH if lived else RANDOM
        return reference_observations(source, wanted), judged_on
    rows = as_floats("observations", observations)
    if rows.ndim != 2 or len(rows) < 2:
        raise ConfigError(f"observations must be at least 2 rows, got shape {rows.shape}")
    return rows, GIVEN


def _checked_labels(labels: ArrayLike, rows: Vector, rules: RuleSet) -> Integers:
    right = as_array("labels", labels)
    good = right.dtype.kind in "iu" and right.shape == (len(rows),)
    if not good or right.min() < 0 or right.max() >= rules.n_actions:
        raise ConfigError(
            f"labels must be {len(rows)} integers in [0, {rules.n_actions - 1}], one a row"
        )
    return right.astype(np.int64)


def _split(count: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Divide observations at random, always in the same way, into two parts."""
    order = np.random.default_rng(0).permutation(count)
    held_out = max(1, int(HELD_OUT * count))
    return order[held_out:], order[:held_out]
