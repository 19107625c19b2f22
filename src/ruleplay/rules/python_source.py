"""Write rules as a Python function that needs nothing but Python.

A decision list becomes comparisons and returns that people can read; a vote becomes a table
of rules and a loop over it. Both do the arithmetic of `RuleSet` in the same order, so that
they decide alike. Categories are given and compared by their names.
"""

import keyword
import math
import re
from typing import TYPE_CHECKING, Any

from ruleplay.output.harmless import visible
from ruleplay.rules.features import Feature, plain_label
from ruleplay.rules.table import records_of
from ruleplay.rules.text import value_digits
from ruleplay.rules.wording import missing_sentence, rule_sentence

if TYPE_CHECKING:
    from ruleplay.rules.ruleset import RuleSet

_MATCH = '''


def known(k, value):
    """Return a feature's value; an unknown category and a missing number as missing."""
    if k in CATEGORIES:
        return value if value in CATEGORIES[k] else None
    return float("nan") if value is None else value
'''

_ERROR = '''


def known(k, value):
    """Return a feature's value, or refuse an unknown category."""
    if k in CATEGORIES and value not in CATEGORIES[k]:
        raise ValueError(f"feature {k} must be one of {CATEGORIES[k]}, got {value!r}")
    return value
'''

_VOTE = '''

def decide(observation):
    """Return the {noun} with the largest mean value, weighted by fitness."""
    if len(observation) != {size}:
        raise ValueError("observation must have {size} features")
{known}{scaling}    sums = [[0.0, 0.0, 0.0, 0] for _ in {names}]
    for action, intervals, {choices}model, fitness in RULES:
        if any(observation[k] < lower or observation[k] > upper for k, lower, upper in intervals):
            continue
{chosen}{value}        total = sums[action]
        total[0] += value * fitness
        total[1] += value
        total[2] += fitness
        total[3] += 1
    best, best_value = DEFAULT, float("-inf")
    for action, (weighted, plain, fitness, count) in enumerate(sums):
        value = weighted / fitness if fitness > 0.0 else plain / count if count else best_value
        if value > best_value:
            best, best_value = action, value
    return {answer}
'''

_KNOWN = "    observation = [known(k, value) for k, value in enumerate(observation)]\n"

_CHOSEN = """        if any(observation[k] not in allowed for k, allowed in choices):
            continue
"""

_PLACES = """    places = [
        CATEGORIES[k].index(value) if k in CATEGORIES else value
        for k, value in enumerate(observation)
    ]
"""

_CLIPPING = "    {name} = [min(max(x, least), most) for x, (least, most) in zip({name}, RANGES)]\n"

_SCALING = """    states = [
        unpack("f", pack("f", min(max((value - low) * (1.0 / (high - low)), 0.0), 1.0)))[0]
        for value, low, high in zip({name}, LOW, HIGH)
    ]
"""

_LINEAR = """        value = model[0]
        for weight, state in zip(model[1:], states):
            value += weight * state
        value = min(max(value, -LIMIT), LIMIT)
"""


def write_function(rules: "RuleSet") -> str:
    """Return the source of `decide(observation)`: it returns an action's number, or a class."""
    features = ", ".join(f"{k} {_named(feature)}" for k, feature in enumerate(rules.features))
    may_miss = rules.missing_values == "match"
    head = [
        f'"""Rules: {len(rules)}, written by ruleplay.',
        "",
        _line(f"Features of an observation: {features}."),
        f"{missing_sentence(rules.missing_values)}{' None and NaN are missing.' * may_miss}",
        '"""',
        "",
    ]
    body = _list_body(rules) if rules.ordered else _vote_body(rules)
    return "\n".join(head) + body


def _named(feature: Feature) -> str:
    """Return a feature's name, and which categories there are."""
    categories = ", ".join(map(str, feature.categories))
    return f"{feature.name} (one of {categories})" if categories else feature.name


def _line(text: str) -> str:
    """Return text that cannot end the docstring it stands in."""
    return visible(text).replace("\\", "/").replace('"', "'")


def _constants(rules: "RuleSet") -> list[str]:
    """Return the names or labels of what is decided, and the categories by feature."""
    lines = [f"{_names(rules)} = {_answers(rules)!r}"]
    if _needs_known(rules):
        categories = {
            k: tuple(map(plain_label, feature.categories))
            for k, feature in enumerate(rules.features)
            if feature.categories
        }
        lines.append(f"CATEGORIES = {categories!r}  # of features, by their number")
    return lines


def _names(rules: "RuleSet") -> str:
    return "CLASSES" if rules.classifies else "ACTIONS"


def _answers(rules: "RuleSet") -> tuple[Any, ...]:
    return tuple(map(plain_label, rules.labels)) if rules.classifies else rules.outcome_names


def _needs_known(rules: "RuleSet") -> bool:
    """Tell whether values must be looked at before rules compare them."""
    return rules.missing_values == "match" or any(f.categories for f in rules.features)


def _known(rules: "RuleSet") -> str:
    """Return the function that looks at values, if one is needed."""
    if not _needs_known(rules):
        return ""
    return _MATCH if rules.missing_values == "match" else _ERROR


def _list_body(rules: "RuleSet") -> str:
    variables = _variables(rules.feature_names)
    digits = value_digits(rules)
    what = "the class" if rules.classifies else "the number of the action"
    observation = "observation"
    if _needs_known(rules):
        observation = "[known(k, value) for k, value in enumerate(observation)]"
    comma = "," if len(variables) == 1 else ""
    lines = [
        "",
        "",
        "",
        "def decide(observation):",
        f'    """Return {what} that the first matching rule names."""',
        f"    {', '.join(variables)}{comma} = {observation}",
    ]
    for i, record in enumerate(records_of(rules)):
        lines.append(f"    # {visible(rule_sentence(record, digits))}")
        lines.append(f"    if {_condition(rules, i, variables)}:")
        lines.append(f"        return {_answer(rules, rules.action[i])}")
    name = visible(rules.outcome_names[rules.default_action])
    comment = "" if rules.classifies else f"  # {name}"
    lines.append(f"    return {_answer(rules, rules.default_action)}{comment}")
    return "\n".join(_constants(rules)) + _known(rules).rstrip() + "\n".join(lines) + "\n"


def _answer(rules: "RuleSet", action: int) -> str:
    """Return what a function returns: a class as a literal, or the number of an action."""
    return repr(_answers(rules)[action]) if rules.classifies else str(action)


def _condition(rules: "RuleSet", i: int, variables: list[str]) -> str:
    """Return a rule's box as an expression."""
    terms = []
    for k, name in enumerate(variables):
        lower, upper = float(rules.lower[i, k]), float(rules.upper[i, k])
        at_least, at_most = lower > -math.inf, upper < math.inf
        if rules.features[k].categories:
            terms += [f"{name} in {_allowed(rules, i, k)}"] * rules.limits(i, k)
        elif rules.missing_values == "match":
            terms += [f"not {name} < {lower!r}"] * at_least + [f"not {name} > {upper!r}"] * at_most
        elif at_least and at_most:
            terms.append(f"{lower!r} <= {name} <= {upper!r}")
        elif at_least or at_most:
            terms.append(f"{name} >= {lower!r}" if at_least else f"{name} <= {upper!r}")
    return " and ".join(terms) or "True"


def _allowed(rules: "RuleSet", i: int, k: int) -> str:
    """Return the categories that a rule allows as a tuple; None, a missing one, if it may be."""
    members = rules.members(i, k)
    missing = (None,) if rules.missing_values == "match" else ()
    return repr((*map(plain_label, members), *missing))


def _variables(names: tuple[str, ...]) -> list[str]:
    """Return variables named after the features, or numbered where that is impossible."""
    plain = [re.sub(r"\W", "_", name, flags=re.ASCII).lower() for name in names]
    taken = {"observation", "known"}
    variables = []
    for k, name in enumerate(plain):
        usable = name.isidentifier() and not keyword.iskeyword(name) and name not in taken
        variables.append(name if usable and plain.count(name) == 1 else f"x_{k}_")
        taken.add(variables[-1])
    return variables


def _vote_body(rules: "RuleSet") -> str:
    linear, has_categories = rules.weights is not None, any(f.categories for f in rules.features)
    lines = ["from struct import pack, unpack", ""] if linear else []
    lines += _constants(rules)
    lines.append(f"DEFAULT = {rules.default_action}  # where no rule matches")
    if linear:
        lines += _linear_constants(rules)
    what = "weights of (1, scaled features)" if linear else "value"
    choices = "(feature, categories) ..., " * has_categories
    lines.append(f"# {rules.noun}, (feature, lower, upper) ..., {choices}{what}, fitness")
    lines += ["RULES = (", *(f"    {_row(rules, i)}," for i in range(len(rules))), ")"]
    return (
        "\n".join(lines)
        + _known(rules).rstrip()
        + "\n"
        + _VOTE.format(
            noun="class" if rules.classifies else "number of the action",
            names=_names(rules),
            size=len(rules.features),
            known=_KNOWN if _needs_known(rules) else "",
            scaling=_scaling(rules) if linear else "",
            choices="choices, " * has_categories,
            chosen=_CHOSEN * has_categories,
            value=_LINEAR if linear else "        value = model\n",
            answer="CLASSES[best]" if rules.classifies else "best",
        )
    )


def _linear_constants(rules: "RuleSet") -> list[str]:
    """Return what linear models need: what is scaled to 0 and 1, ranges, the limit."""
    low, high = (rules.low, rules.high) if rules.scaling is None else rules.scaling
    limit = math.inf if rules.prediction_limit is None else rules.prediction_limit
    lines = [f"LOW, HIGH = {tuple(low.tolist())!r}, {tuple(high.tolist())!r}"]
    if rules.scaling is not None:
        ends = zip(rules.low.tolist(), rules.high.tolist(), strict=True)
        lines.append(f"RANGES = {tuple(ends)!r}")
    return [*lines, f"LIMIT = {_literal(limit)}"]


def _scaling(rules: "RuleSet") -> str:
    """Return how an observation becomes the states of linear models."""
    has_categories = any(feature.categories for feature in rules.features)
    name = "places" if has_categories else "observation"
    clipping = "" if rules.scaling is None else _CLIPPING.format(name=name)
    return _PLACES * has_categories + clipping + _SCALING.format(name=name)


def _row(rules: "RuleSet", i: int) -> str:
    """Return a rule as a tuple."""
    intervals, choices = "", ""
    bounds = zip(rules.features, rules.lower[i].tolist(), rules.upper[i].tolist(), strict=True)
    for k, (feature, lower, upper) in enumerate(bounds):
        if not rules.limits(i, k):
            continue
        if feature.categories:
            choices += f"({k}, {_allowed(rules, i, k)}), "
        else:
            intervals += f"({k}, {_literal(lower)}, {_literal(upper)}), "
    if rules.weights is None:
        model = _literal(float(rules.prediction[i]))
    else:
        model = f"({', '.join(_literal(weight) for weight in rules.weights[i].tolist())},)"
    has_categories = any(feature.categories for feature in rules.features)
    conditions = f"({intervals}), ({choices})" if has_categories else f"({intervals})"
    return f"({rules.action[i]}, {conditions}, {model}, {_literal(float(rules.fitness[i]))})"


def _literal(value: float) -> str:
    """Return a float as an expression; infinities and NaN have no literal of their own."""
    return repr(value) if math.isfinite(value) else f'float("{value}")'
