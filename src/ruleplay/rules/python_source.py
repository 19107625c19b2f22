"""Write rules as a Python function that needs nothing but Python.

A decision list becomes comparisons and returns that people can read; a vote becomes a table
of rules and a loop over it. Both do the arithmetic of `RuleSet` in the same order, so that
they return the same actions.
"""

import keyword
import math
import re
from typing import TYPE_CHECKING

from ruleplay.harmless import visible
from ruleplay.rules.table import rules_records
from ruleplay.rules.text import value_digits
from ruleplay.rules.wording import rule_sentence

if TYPE_CHECKING:
    from ruleplay.rules.ruleset import RuleSet

_VOTE = '''

def decide(observation):
    """Return the number of the action with the largest mean value, weighted by fitness."""
    if len(observation) != {size}:
        raise ValueError("observation must have {size} features")
{scaling}    sums = [[0.0, 0.0, 0.0, 0] for _ in ACTIONS]
    for action, intervals, model, fitness in RULES:
        if any(observation[k] < lower or observation[k] > upper for k, lower, upper in intervals):
            continue
{value}        total = sums[action]
        total[0] += value * fitness
        total[1] += value
        total[2] += fitness
        total[3] += 1
    best, best_value = DEFAULT, float("-inf")
    for action, (weighted, plain, fitness, count) in enumerate(sums):
        value = weighted / fitness if fitness > 0.0 else plain / count if count else best_value
        if value > best_value:
            best, best_value = action, value
    return best
'''

_SCALING = """    states = [
        unpack("f", pack("f", min(max((value - low) * (1.0 / (high - low)), 0.0), 1.0)))[0]
        for value, low, high in zip(observation, LOW, HIGH)
    ]
"""

_LINEAR = """        value = model[0]
        for weight, state in zip(model[1:], states):
            value += weight * state
        value = min(max(value, -LIMIT), LIMIT)
"""


def write_function(rules: "RuleSet") -> str:
    """Return the source of `decide(observation)`, which returns an action's number."""
    names = ", ".join(f"{k} {name}" for k, name in enumerate(rules.names.features))
    head = [
        f'"""Rules: {len(rules)}, written by ruleplay.',
        "",
        _line(f"Features of an observation: {names}."),
        '"""',
        "",
    ]
    body = _list_body(rules) if rules.ordered else _vote_body(rules)
    return "\n".join(head) + body


def _line(text: str) -> str:
    """Return text that cannot end the docstring it stands in."""
    return visible(text).replace("\\", "/").replace('"', "'")


def _list_body(rules: "RuleSet") -> str:
    variables = _variables(rules.names.features)
    digits = value_digits(rules)
    lines = [f"ACTIONS = {rules.names.actions!r}", "", "", "def decide(observation):"]
    lines.append('    """Return the number of the action that the first matching rule names."""')
    lines.append(f"    {', '.join(variables)}{',' if len(variables) == 1 else ''} = observation")
    for i, record in enumerate(rules_records(rules)):
        lines.append(f"    # {visible(rule_sentence(record, digits))}")
        condition = _condition(rules, i, variables)
        lines.append(f"    if {condition}:")
        lines.append(f"        return {rules.action[i]}")
    default = visible(rules.names.actions[rules.default_action])
    lines.append(f"    return {rules.default_action}  # {default}")
    return "\n".join(lines) + "\n"


def _condition(rules: "RuleSet", i: int, variables: list[str]) -> str:
    """Return a rule's box as an expression."""
    terms = []
    for name, lower, upper in zip(
        variables, rules.lower[i].tolist(), rules.upper[i].tolist(), strict=True
    ):
        at_least, at_most = lower > -math.inf, upper < math.inf
        if rules.missing_values == "match":
            terms += [f"not {name} < {lower!r}"] * at_least + [f"not {name} > {upper!r}"] * at_most
        elif at_least and at_most:
            terms.append(f"{lower!r} <= {name} <= {upper!r}")
        elif at_least or at_most:
            terms.append(f"{name} >= {lower!r}" if at_least else f"{name} <= {upper!r}")
    return " and ".join(terms) or "True"


def _variables(names: tuple[str, ...]) -> list[str]:
    """Return variables named after the features, or numbered where that is impossible."""
    plain = [re.sub(r"\W", "_", name, flags=re.ASCII).lower() for name in names]
    taken = {"observation"}
    variables = []
    for k, name in enumerate(plain):
        usable = name.isidentifier() and not keyword.iskeyword(name) and name not in taken
        variables.append(name if usable and plain.count(name) == 1 else f"x_{k}_")
        taken.add(variables[-1])
    return variables


def _vote_body(rules: "RuleSet") -> str:
    linear = rules.weights is not None
    limit = math.inf if rules.prediction_limit is None else rules.prediction_limit
    lines = ["from struct import pack, unpack", ""] if linear else []
    lines.append(f"ACTIONS = {rules.names.actions!r}")
    lines.append(f"DEFAULT = {rules.default_action}  # where no rule matches")
    if linear:
        lines.append(f"LOW, HIGH = {tuple(rules.low.tolist())!r}, {tuple(rules.high.tolist())!r}")
        lines.append(f"LIMIT = {_literal(limit)}")
    what = "weights of (1, scaled features)" if linear else "value"
    lines.append(f"# action, (feature, lower, upper) ..., {what}, fitness")
    lines += ["RULES = (", *(f"    {_row(rules, i)}," for i in range(len(rules))), ")"]
    return "\n".join(lines) + _VOTE.format(
        size=len(rules.low),
        scaling=_SCALING if linear else "",
        value=_LINEAR if linear else "        value = model\n",
    )


def _row(rules: "RuleSet", i: int) -> str:
    """Return a rule as a tuple."""
    intervals = "".join(
        f"({k}, {_literal(lower)}, {_literal(upper)}), "
        for k, (lower, upper) in enumerate(
            zip(rules.lower[i].tolist(), rules.upper[i].tolist(), strict=True)
        )
        if lower > -math.inf or upper < math.inf
    )
    if rules.weights is None:
        model = _literal(float(rules.prediction[i]))
    else:
        model = f"({', '.join(_literal(weight) for weight in rules.weights[i].tolist())},)"
    return f"({rules.action[i]}, ({intervals}), {model}, {_literal(float(rules.fitness[i]))})"


def _literal(value: float) -> str:
    """Return a float as an expression; infinities and NaN have no literal of their own."""
    return repr(value) if math.isfinite(value) else f'float("{value}")'
