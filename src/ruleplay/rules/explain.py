"""Explain one decision: which rules spoke, how much each counted, and what came of it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from ruleplay.errors import ConfigError
from ruleplay.harmless import visible
from ruleplay.inputs import as_floats, checked_integer
from ruleplay.rules.ruleset import RuleSet
from ruleplay.rules.table import Names, Readable, rules_records
from ruleplay.rules.text import value_digits
from ruleplay.rules.thresholds import scale
from ruleplay.rules.wording import fixed, span_digits

Vector = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Explanation:
    """A decision and its reasons.

    `votes` has a row for each rule that spoke, grouped by action, the best action first and
    within it the weightiest rule: `if`, `action`, `value` (what it predicts here), `share`
    (of the fitness of all that speak for this action), `error`, `fitness`, `experience`.
    `values` are the resulting values of all actions, NaN where no rule spoke.
    """

    observation: Vector
    action: int
    values: Vector
    votes: pd.DataFrame
    names: Names
    is_default: bool  # no rule spoke
    digits: int  # decimals of values that matter
    seen: str  # the observation in words

    def __str__(self) -> str:
        return self.text()

    def text(self, top: int = 5) -> str:
        """Return the explanation in words, with so many rules for each action."""
        top = checked_integer("top", top, 0)
        chosen = self.names.actions[self.action]
        lines = [f"{self.seen}: {chosen}"]
        if self.is_default:
            lines[0] += ", the default action, because no rule matches"
        for action in self._ranking():
            lines += self._lines(action, top)
        return "\n".join(map(visible, lines))

    def _ranking(self) -> list[int]:
        """Return the actions about which rules spoke, the best first."""
        order = np.argsort(-self.values, kind="stable")
        return [int(action) for action in order if not np.isnan(self.values[action])]

    def _lines(self, action: int, top: int) -> list[str]:
        name = self.names.actions[action]
        votes = self.votes[self.votes["action"] == name]
        rules = f"{len(votes)} rule{'' if len(votes) == 1 else 's'}"
        lines = [f"  {name}: value {fixed(self.values[action], self.digits)} from {rules}"]
        for vote in votes.head(top).to_dict("records"):
            lines.append(
                f"    {100 * vote['share']:3.0f} %  value {fixed(vote['value'], self.digits)}, "
                f"error {fixed(vote['error'], self.digits)}, seen {vote['experience']} times: "
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
    votes = _votes(rules, places, row, values)
    return Explanation(
        observation=row,
        action=int(rules.actions(rows)[0]),
        values=values,
        votes=votes,
        names=rules.names,
        is_default=len(places) == 0,
        digits=value_digits(rules),
        seen=_words(rules, row),
    )


def _votes(rules: RuleSet, places: NDArray[np.intp], row: Vector, values: Vector) -> pd.DataFrame:
    """Return the rules at some places with their shares."""
    action, fitness = rules.action[places], rules.fitness[places]
    totals = np.bincount(action, fitness, rules.n_actions)[action]
    counts = np.bincount(action, minlength=rules.n_actions)[action]
    with np.errstate(all="ignore"):
        share = np.where(totals > 0.0, fitness / totals, 1.0 / counts)
    states = scale(np.repeat(row[np.newaxis], len(places), axis=0), rules.low, rules.high)
    columns: dict[str, Any] = {
        "if": _conditions(rules, places),
        "action": np.array(rules.names.actions, object)[action],
        "value": rules.predictions(places, states),
        "share": share,
        **{name: getattr(rules, name)[places] for name in ("error", "fitness", "experience")},
    }
    order = np.lexsort((-share, action, -values[action]))
    return pd.DataFrame(columns).iloc[order].reset_index(drop=True)


def _conditions(rules: RuleSet, places: NDArray[np.intp]) -> list[str]:
    """Return the conditions of the rules at some places, in that order."""
    listed = rules.take(places, ordered=True)
    return [record["if"] for record in rules_records(listed)]


def _words(rules: RuleSet, row: Vector) -> str:
    """Return an observation in words."""
    parts = []
    for k, name in enumerate(rules.names.features):
        digits = 0 if rules.whole[k] else span_digits(rules.low[k], rules.high[k])
        parts.append(f"{name} {'missing' if np.isnan(row[k]) else fixed(row[k], digits)}")
    return ", ".join(parts)
