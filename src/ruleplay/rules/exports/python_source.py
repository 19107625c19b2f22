"""Write rules as a Python function that needs nothing but Python.

A decision list becomes comparisons and returns that people can read; a vote becomes a table
of rules and a loop over it. Both do the arithmetic of `RuleSet` in the same order, so that
they decide alike. Values are taken as files and programs have them: numbers may be text, categories
may be truth values, and a mapping is read by the features' names.
"""

import keyword
import math
from typing import TYPE_CHECKING

from ruleplay.output.harmless import visible
from ruleplay.rules.exports.contents import (
    Choice,
    Interval,
    absent_names,
    absent_of,
    answers_of,
    choices_of,
    commas_of,
    comments_of,
    conditions_of,
    dates_of,
    excluded_of,
    groups_of,
    has_categories,
    headings,
    intervals_of,
    labels_of,
    may_miss,
    stand_ins_of,
    variables_of,
)
from ruleplay.rules.exports.date_readers import ORDERS, PYTHON_IMPORTS, PYTHON_PATTERN
from ruleplay.rules.exports.date_readers import PYTHON as PYTHON_DATES
from ruleplay.rules.spelling import BESIDE, MISSING_WORDS

if TYPE_CHECKING:
    from ruleplay.rules.ruleset import RuleSet

_SPELLED = '''


def spelled(value):
    """Return one spelling of a category: True, "true" and " TRUE " are one, 3 and "3.0" another."""
    text = str(value).strip()
    if text.lower() in ("true", "false"):
        return text.lower()
    try:
        return repr(float(text)) if abs(float(text)) < float("inf") else text
    except ValueError:
        return text


def category(k, value):
    """Return the category that a value means; None for a missing or unknown one."""
    if value is None or value != value:
        return {absent}
    if value in CATEGORIES[k]:
        return value
    same = [known for known in CATEGORIES[k] if spelled(known) == spelled(value)]
    return same[0] if len(same) == 1 else {otherwise}
'''

_OTHERS = '''


def other(k, value):
    """Return the category of values that have none of their own, if the feature has one."""
    is_missing = spelled(value).lower() in MISSING
    return {absent} if is_missing or k not in GROUPED else CATEGORIES[k][GROUPED[k]]
'''

_NUMBER = '''


def number(k, value):
    """Return a number that may be text, as in a file; NaN for a missing one and what is none."""
    try:
        found = float({value})
    except (TypeError, ValueError):
        return float("nan")
    return {found}
'''

_PLAIN = '''


def plain(k, value):
    """Return the text of a number as programs write it."""
    if not isinstance(value, str) or k not in COMMAS:
        return value
    value = value.translate(UNITS)
    if "," not in value:
        return value
    if COMMAS[k] == "decimal comma":
        return value.replace(".", "").replace(",", ".")
    return value.replace(",", "")
'''

_KNOWN = '''


def known(observation):
    """Return the values of an observation, a sequence or a mapping by name, as rules compare them.

    {what}
    """
    if hasattr(observation, "keys"):
        observation = [observation.get(name) for name in FEATURES]
    if len(observation) != {size}:
        raise ValueError("observation must have {size} features")
    values = [{read} for k, value in enumerate(observation)]
{refusal}    return values
'''

_REFUSAL = """    for name, value, given in zip(FEATURES, values, observation):
        if value is None or value != value:
            raise ValueError(f"{name} must be known, got {given!r}")
"""

_VOTE = '''

def decide(observation):
    """Return the {noun} with the largest mean value, weighted by fitness."""
    observation = known(observation)
{scaling}    sums = [[0.0, 0.0, 0.0, 0] for _ in {names}]
    for action, intervals, {choices}model, fitness in RULES:
        if any(observation[k] < lower or observation[k] > upper for k, lower, upper in intervals):
            continue
{chosen}{value}        total = sums[action]
        total[0] += value * fitness
        total[1] += value
        total[2] += fitness
        total[3] += 1
    best, best_value, silent = 0, float("-inf"), True
    for action, (weighted, plain, fitness, count) in enumerate(sums):
        value = weighted / fitness if fitness > 0.0 else plain / count if count else float("nan")
        silent = silent and value != value
        if value > best_value:
            best, best_value = action, value
    best = DEFAULT if silent else best
    return {answer}
'''

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
    title, features, missing, *hints = headings(rules)
    head = [
        f'"""{title}',
        "",
        _line(features),
        f"{missing}{' None and NaN are missing.' * may_miss(rules)}",
        *map(_line, hints),
        '"""',
        "",
    ]
    body = _list_body(rules) if rules.ordered else _vote_body(rules)
    return "\n".join(head) + body


def _line(text: str) -> str:
    """Return text that cannot end the docstring it stands in."""
    return text.replace("\\", "/").replace('"', "'")


def _constants(rules: "RuleSet") -> list[str]:
    """Return the names or labels of what is decided, and the categories by feature."""
    names = answers_of(rules) if rules.classifies else rules.outcome_names
    lines = [f"{_names(rules)} = {names!r}", f"FEATURES = {rules.feature_names!r}"]
    categories = {k: labels_of(f) for k, f in enumerate(rules.features) if f.categories}
    if categories:
        lines.append(f"CATEGORIES = {categories!r}  # of features, by their number")
    if groups_of(rules):
        lines.append(f"GROUPED = {groups_of(rules)!r}  # which of the categories has all others")
        lines.append(f"MISSING = {MISSING_WORDS!r}")
    if absent_of(rules):
        lines.append(f"ABSENT = {absent_names(rules)!r}  # what missing and unknown ones are")
    if stand_ins_of(rules):
        lines.append(f"STAND_INS = {stand_ins_of(rules)!r}  # numbers that say: missing")
    if dates_of(rules):
        orders = {k: ORDERS[style] for k, style in dates_of(rules).items()}
        lines.append(f"DATES = {orders!r}  # in which order year, month and day stand")
        lines.append(PYTHON_PATTERN)
    commas = commas_of(rules)
    if commas:
        lines.append(f"COMMAS = {commas!r}  # in numbers that are text, by the feature's number")
        lines.append(f'UNITS = str.maketrans("", "", {BESIDE!a})  # beside numbers that are text')
    return lines


def _names(rules: "RuleSet") -> str:
    return "CLASSES" if rules.classifies else "ACTIONS"


def _known(rules: "RuleSet") -> str:
    """Return the functions that read values."""
    missing, chooses, groups = may_miss(rules), has_categories(rules), bool(groups_of(rules))
    read = "category(k, value) if k in CATEGORIES else number(k, value)"
    what = (
        "What is missing or unknown is None or NaN."
        if missing
        else "What is missing or unknown is refused."
    )
    absent = "ABSENT.get(k)" if absent_of(rules) else "None"
    spelled = _SPELLED.replace("{otherwise}", "other(k, value)" if groups else absent)
    parts = [
        spelled.replace("{absent}", absent) * chooses,
        _OTHERS.replace("{absent}", absent) * groups,
        _PLAIN * bool(commas_of(rules)),
        PYTHON_DATES * bool(dates_of(rules)),
        _NUMBER.format(value=_number_text(rules), found=_finite(rules)),
        _KNOWN.format(
            what=what,
            size=len(rules.features),
            read=read if chooses else "number(k, value)",
            refusal="" if missing else _REFUSAL,
        ),
    ]
    return "".join(part.rstrip() for part in parts)


def _number_text(rules: "RuleSet") -> str:
    """Return the expression of a number as programs write it."""
    plain = "plain(k, value)" if commas_of(rules) else "value"
    return f"days(k, value) if k in DATES else {plain}" if dates_of(rules) else plain


def _finite(rules: "RuleSet") -> str:
    """Return the expression of a number that was found, unless it stands for a missing one."""
    if not stand_ins_of(rules):
        return "found"
    return 'float("nan") if found == STAND_INS.get(k) else found'


def _list_body(rules: "RuleSet") -> str:
    variables = variables_of(rules, {"observation", "known", *keyword.kwlist})
    what = "the class" if rules.classifies else "the number of the action"
    comma = "," if len(variables) == 1 else ""
    lines = [
        "",
        "",
        "",
        "def decide(observation):",
        f'    """Return {what} that the first matching rule names."""',
        f"    {', '.join(variables)}{comma} = known(observation)",
    ]
    for i, comment in enumerate(comments_of(rules)):
        lines.append(f"    # {comment}")
        lines.append(f"    if {_condition(rules, i, variables)}:")
        lines.append(f"        return {answers_of(rules)[rules.action[i]]!r}")
    name = visible(rules.outcome_names[rules.default_action])
    comment = "" if rules.classifies else f"  # {name}"
    lines.append(f"    return {answers_of(rules)[rules.default_action]!r}{comment}")
    imports = PYTHON_IMPORTS if dates_of(rules) else ()
    return "\n".join([*imports, *_constants(rules)]) + _known(rules) + "\n".join(lines) + "\n"


def _condition(rules: "RuleSet", i: int, variables: list[str]) -> str:
    """Return a rule's box as an expression."""
    terms: list[str] = []
    for condition in conditions_of(rules, i):
        name = variables[condition.feature]
        if isinstance(condition, Choice):
            terms.append(_membership(rules, condition, name))
        else:
            terms += _comparisons(condition, name, may_miss(rules))
    return " and ".join(terms) or "True"


def _membership(rules: "RuleSet", choice: Choice, name: str) -> str:
    """Return a condition on categories by those allowed, or by the others if they are fewer."""
    others = excluded_of(rules, choice)
    if 0 < len(others) < len(choice.places):
        labels = labels_of(rules.features[choice.feature])
        return f"{name} not in {tuple(labels[place] for place in others)!r}"
    return f"{name} in {_allowed(rules, choice)}"


def _comparisons(interval: Interval, name: str, missing: bool) -> list[str]:
    """Return an interval as comparisons that, if values may be missing, are true of NaN."""
    _, lower, upper = interval
    at_least, at_most = lower > -math.inf, upper < math.inf
    if missing:
        return [f"not {name} < {lower!r}"] * at_least + [f"not {name} > {upper!r}"] * at_most
    if at_least and at_most:
        return [f"{lower!r} <= {name} <= {upper!r}"]
    return [f"{name} >= {lower!r}" if at_least else f"{name} <= {upper!r}"]


def _allowed(rules: "RuleSet", choice: Choice) -> str:
    """Return the categories that a rule allows as a tuple; None, a missing one, if it may be."""
    labels = labels_of(rules.features[choice.feature])
    missing = (None,) if may_miss(rules) else ()
    return repr((*(labels[place] for place in choice.places), *missing))


def _vote_body(rules: "RuleSet") -> str:
    linear, chooses = rules.weights is not None, has_categories(rules)
    lines = [*PYTHON_IMPORTS[:-1]] if dates_of(rules) else []
    lines += ["from struct import pack, unpack"] if linear else []
    lines += [""] if lines else []
    lines += _constants(rules)
    lines.append(f"DEFAULT = {rules.default_action}  # where no rule matches")
    if linear:
        lines += _linear_constants(rules)
    what = "weights of (1, scaled features)" if linear else "value"
    choices = "(feature, categories) ..., " * chooses
    lines.append(f"# {rules.noun}, (feature, lower, upper) ..., {choices}{what}, fitness")
    lines += ["RULES = (", *(f"    {_row(rules, i)}," for i in range(len(rules))), ")"]
    return (
        "\n".join(lines)
        + _known(rules)
        + "\n"
        + _VOTE.format(
            noun="class" if rules.classifies else "number of the action",
            names=_names(rules),
            scaling=_scaling(rules) if linear else "",
            choices="choices, " * chooses,
            chosen=_CHOSEN * chooses,
            value=_LINEAR if linear else "        value = model\n",
            answer="CLASSES[best]" if rules.classifies else "best",
        )
    )


def _linear_constants(rules: "RuleSet") -> list[str]:
    """Return what linear models need: what is scaled to 0 and 1, ranges, the limit."""
    low, high = rules.scaled_between
    limit = math.inf if rules.prediction_limit is None else rules.prediction_limit
    lines = [f"LOW, HIGH = {tuple(low.tolist())!r}, {tuple(high.tolist())!r}"]
    if rules.scaling is not None:
        ends = zip(rules.low.tolist(), rules.high.tolist(), strict=True)
        lines.append(f"RANGES = {tuple(ends)!r}")
    return [*lines, f"LIMIT = {_literal(limit)}"]


def _scaling(rules: "RuleSet") -> str:
    """Return how an observation becomes the states of linear models."""
    chooses = has_categories(rules)
    name = "places" if chooses else "observation"
    clipping = "" if rules.scaling is None else _CLIPPING.format(name=name)
    return _PLACES * chooses + clipping + _SCALING.format(name=name)


def _row(rules: "RuleSet", i: int) -> str:
    """Return a rule as a tuple."""
    intervals = "".join(
        f"({k}, {_literal(lower)}, {_literal(upper)}), "
        for k, lower, upper in intervals_of(rules, i)
    )
    choices = "".join(f"({c.feature}, {_allowed(rules, c)}), " for c in choices_of(rules, i))
    if rules.weights is None:
        model = _literal(float(rules.prediction[i]))
    else:
        model = f"({', '.join(_literal(weight) for weight in rules.weights[i].tolist())},)"
    conditions = f"({intervals}), ({choices})" if has_categories(rules) else f"({intervals})"
    return f"({rules.action[i]}, {conditions}, {model}, {_literal(float(rules.fitness[i]))})"


def _literal(value: float) -> str:
    """Return a float as an expression; infinities and NaN have no literal of their own."""
    return repr(value) if math.isfinite(value) else f'float("{value}")'
