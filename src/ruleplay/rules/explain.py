"""Explain one decision: which rules spoke, how much each counted, and what came of it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ruleplay.engine.inputs import as_floats, checked_integer
from ruleplay.errors import ConfigError
from ruleplay.output.harmless import visible
from ruleplay.rules.features import Outcome, Readable
from ruleplay.rules.notebook import explanation_html
from ruleplay.rules.origins import LEARNED, ORIGINS
from ruleplay.rules.ruleset import RuleSet
from ruleplay.rules.table import ORIGIN
from ruleplay.rules.text import value_digits
from ruleplay.rules.wording import fixed, joined, missing_sentence, origin_remark, seen_times

if TYPE_CHECKING:
    import pandas as pd

Vector = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Explanation:
    """A decision and its reasons.

    `votes` has a row for each rule that spoke, grouped by action, the best action first and
    within it the weightiest rule: `if`, `action`, `value` (what it predicts here), `share`
    (of the fitness of all that speak for this action), `error`, `fitness`, `experience`, and
    `origin` if a person wrote some of the rules.
    `values` are the resulting values of all actions, NaN where no rule spoke.
    """

    observation: Vector
    row: tuple[Any, ...]  # the observation as the user has it: categories by name, None: missing
    action: int
    values: Vector
    votes: "pd.DataFrame"
    places: tuple[int, ...]  # of the rule of each vote, in its set
    conditions: tuple[tuple[str, ...], ...]  # of each vote, in words, one by one
    outcomes: tuple[Outcome, ...]
    noun: str  # what is decided: action or class
    is_default: bool  # no rule spoke
    digits: int  # decimals of values that matter
    seen: str  # the observation in words
    missing_values: str = "match"  # what a missing value is
    estimates: Vector | None = None  # of quantities

    def __str__(self) -> str:
        return self.text()

    def text(self, top: int = 5) -> str:
        """Return the explanation in words, with the first rules for each action."""
        top = checked_integer("top", top, 0)
        lines = [f"{self.seen}: {self.chosen}"]
        if self.is_default:
            lines[0] += self.why_default
        for action in self._ranking():
            lines += self._lines(action, top)
        if None in self.row:
            lines.append(missing_sentence(self.missing_values))
        return "\n".join(map(visible, lines))

    def _repr_html_(self) -> str:
        """Return what notebooks show: the decision, and a table of the rules that spoke."""
        return explanation_html(self)

    @property
    def chosen(self) -> str:
        """Return the name of what is decided, or what quantities are."""
        if self.estimates is None:
            return self.outcomes[self.action].name
        pairs = zip(self.outcomes, self.estimates.tolist(), strict=True)
        return ", ".join(f"{one.name} = {fixed(value, self.digits)}" for one, value in pairs)

    @property
    def why_default(self) -> str:
        """Say why no rule spoke."""
        if self.estimates is not None:
            return ", the usual value, because no rule matches"
        return f", the default {self.noun}, because no rule matches"

    def _ranking(self) -> list[int]:
        """Return the actions about which rules spoke, the best first."""
        order = np.argsort(-self.values, kind="stable")
        return [int(action) for action in order if not np.isnan(self.values[action])]

    def _lines(self, action: int, top: int) -> list[str]:
        name = self.outcomes[action].name
        votes = self.votes[self.votes["action"] == name]
        rules = f"{len(votes)} rule{'' if len(votes) == 1 else 's'}"
        lines = [f"  {name}: value {fixed(self.values[action], self.digits)} from {rules}"]
        for vote in votes.head(top).to_dict("records"):
            lines.append(
                f"    {100 * vote['share']:3.0f} %  value {fixed(vote['value'], self.digits)}, "
                f"error {fixed(vote['error'], self.digits)}, {seen_times(vote['experience'])}"
                f"{origin_remark(vote.get(ORIGIN, ORIGINS[LEARNED]))}: "
                f"IF {vote['if']}"
            )
        rest = votes["share"].iloc[top:].sum()
        if len(votes) > top:
            lines.append(f"    {100 * rest:3.0f} %  {len(votes) - top} more")
        return lines


def explain(source: Readable | RuleSet, observation: ArrayLike) -> Explanation:
    """Explain what an engine's, or a set's, rules decide about one observation."""
    rules = RuleSet.of(source)
    row = as_floats("observation", observation)
    if row.shape != rules.low.shape:
        raise ConfigError(f"observation must have shape {rules.low.shape}, got {row.shape}")
    rows = row[np.newaxis]
    values = rules.values(rows)[0]
    places = np.flatnonzero(rules.matches(rows)[0])
    if rules.ordered:
        places = places[:1]
    places, votes = _votes(rules, places, rows, values)
    return Explanation(
        observation=row,
        row=tuple(f.value(x) for f, x in zip(rules.features, row.tolist(), strict=True)),
        action=int(rules.actions(rows)[0]),
        values=values,
        votes=votes,
        places=tuple(places.tolist()),
        conditions=tuple(tuple(rules.phrases(place)) for place in places.tolist()),
        outcomes=rules.outcomes,
        noun=rules.noun,
        is_default=len(places) == 0,
        digits=value_digits(rules),
        seen=_words(rules, row),
        missing_values=rules.missing_values,
        estimates=rules.estimates(rows)[0] if rules.regresses else None,
    )


def _votes(
    rules: RuleSet, places: NDArray[np.intp], rows: Vector, values: Vector
) -> "tuple[NDArray[np.intp], pd.DataFrame]":
    """Return the rules at some places, the weightiest first, and a table of their votes."""
    action, fitness = rules.action[places], rules.fitness[places]
    totals = np.bincount(action, fitness, rules.n_actions)[action]
    counts = np.bincount(action, minlength=rules.n_actions)[action]
    with np.errstate(all="ignore"):
        share = np.where(totals > 0.0, fitness / totals, 1.0 / counts)
    order = np.lexsort((-share, action, -values[action]))
    places, states = places[order], rules.states(rows).repeat(len(places), axis=0)
    columns: dict[str, Any] = {
        "if": [joined(rules.phrases(place)) for place in places.tolist()],
        "action": np.array(rules.outcome_names, object)[rules.action[places]],
        "value": rules.predictions(places, states),
        "share": share[order],
        **{name: getattr(rules, name)[places] for name in ("error", "fitness", "experience")},
    }
    if rules.hand_written:
        columns[ORIGIN] = [rules.origin_of(place) for place in places.tolist()]
    import pandas as pd

    return places, pd.DataFrame(columns)


def _words(rules: RuleSet, row: Vector) -> str:
    """Return an observation in words."""
    values = zip(rules.features, row.tolist(), strict=True)
    return ", ".join(f"{feature.name} {feature.say(value)}" for feature, value in values)
