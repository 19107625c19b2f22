"""Write rules as a module of JavaScript that needs no other one.

A decision list becomes comparisons, a vote becomes a table and a loop over it. The arithmetic
is that of `RuleSet`, in the same order: numbers are doubles. Values are taken as files and programs
have them: numbers may be text, categories may be truth values, and an object is read by the
features' names.
"""

import json
import math
import re
from typing import TYPE_CHECKING, Any

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
from ruleplay.rules.exports.date_readers import JAVASCRIPT as JAVASCRIPT_DATES
from ruleplay.rules.exports.date_readers import JAVASCRIPT_PATTERN, ORDERS
from ruleplay.rules.spelling import BESIDE, MISSING_WORDS

if TYPE_CHECKING:
    from ruleplay.rules.ruleset import RuleSet

_RESERVED = re.findall(
    r"\w+",
    """arguments await break case catch class const continue debugger default delete do else
enum eval export extends false finally for function if implements import in instanceof interface let
new null package private protected public return static super switch this throw true try typeof
undefined var void while with yield nan infinity known category number spelled days observation
withoutStandIn decide""",
)

_SPELLED = """
// Return one spelling of a category: true, "True" and " TRUE " are one, 3 and "3.0" another.
function spelled(value) {
  const text = String(value).trim();
  if (["true", "false"].includes(text.toLowerCase())) return text.toLowerCase();
  return text !== "" && Number.isFinite(Number(text)) ? String(Number(text)) : text;
}

// Return the category that a value means; null for a missing or unknown one.
function category(k, value) {
  if (value === null || value === undefined) return {absent};
  if (CATEGORIES[k].includes(value)) return value;
  const same = CATEGORIES[k].filter((known) => spelled(known) === spelled(value));
{others}  return same.length === 1 ? same[0] : {absent};
}
"""

_OTHERS = """  const isOther = same.length !== 1 && k in GROUPED;
  if (isOther && !MISSING.includes(spelled(value).toLowerCase())) return CATEGORIES[k][GROUPED[k]];
"""

_NUMBER = """
// Return a number that may be text, as in a file; NaN for a missing one and what is none.
function number(k, value) {{
  if (value === null || value === undefined) return NaN;
  const text = String(value).trim();
{plain}  return text === "" ? NaN : Number(typeof value === "string" ? text : value);
}}
"""

_STAND_IN = """
// Return a number, or NaN if it is one that says: missing.
function withoutStandIn(k, value) {
  return value === STAND_INS[k] ? NaN : value;
}
"""

_PLAIN = """  if (COMMAS[k]) {
    const bare = text.replace(UNITS, "");
    if (bare === "") return NaN;
    const point = COMMAS[k] === "decimal comma" && bare.includes(",");
    return Number(point ? bare.replace(/[.]/g, "").replace(",", ".") : bare.replace(/,/g, ""));
  }
"""

_KNOWN = """
// Return the values of an observation, an array or an object by name, as rules compare them.
// {what}
function known(observation) {{
  const isList = Array.isArray(observation);
  const given = isList ? observation : FEATURES.map((name) => observation[name]);
  if (given.length !== {size}) {{
    throw new RangeError("observation must have {size} features");
  }}
  return given.map((value, k) => {{
    const read = {read};
{refusal}    return read;
  }});
}}
"""

_REFUSAL = """    if (read === null || Number.isNaN(read)) {
      throw new RangeError(`${FEATURES[k]} must be known, got ${value}`);
    }
"""

_VOTE = """
// Return {what} with the largest mean value, weighted by fitness.
export function decide(observation) {{
  const row = known(observation);
{states}  const sums = {names}.map(() => [0, 0, 0, 0]);
  for (const [action, intervals, choices, model, fitness] of RULES) {{
    if (intervals.some(([k, lower, upper]) => row[k] < lower || row[k] > upper)) continue;
    if (choices.some(([k, allowed]) => !allowed.includes(row[k]))) continue;
{value}    const sum = sums[action];
    sum[0] += value * fitness;
    sum[1] += value;
    sum[2] += fitness;
    sum[3] += 1;
  }}
  let best = 0, bestValue = -Infinity, isSilent = true;
  sums.forEach(([weighted, plain, fitness, count], action) => {{
    const value = fitness > 0 ? weighted / fitness : plain / count; // NaN without a rule
    isSilent = isSilent && Number.isNaN(value);
    if (value > bestValue) [best, bestValue] = [action, value];
  }});
  if (isSilent) best = DEFAULT;
  return {answer};
}}
"""

_SCALAR = "    const value = model;\n"

_LINEAR = """    let value = model[0];
    states.forEach((state, k) => { value += model[k + 1] * state; });
    value = within(value, -LIMIT, LIMIT);
"""

_WITHIN = """
function within(value, least, most) {
  return Math.min(Math.max(value, least), most);
}
"""

_STATES = """  const states = row.map((value, k) => {{
    const x = within({number}, LEAST[k], MOST[k]);
    return Math.fround(within((x - START[k]) * FACTOR[k], 0, 1));
  }});
"""

_PLACE = "CATEGORIES[k] ? CATEGORIES[k].indexOf(value) : value"


def write_javascript(rules: "RuleSet") -> str:
    """Return a module that exports `decide(observation)`."""
    head = [*headings(rules), *(["null, undefined and NaN are missing."] * may_miss(rules))]
    lines = [*(f"// {_comment(line)}" for line in head), *_constants(rules)]
    body = _list(rules) if rules.ordered else _vote(rules)
    return "\n".join(lines) + "\n" + _known(rules) + body


def _comment(text: str) -> str:
    """Return text that cannot end the element of a page that it may stand in."""
    return text.replace("<", "\\u003c")


def _literal(value: Any) -> str:
    """Return plain values as JavaScript; nothing in them is read as a page's elements."""
    return json.dumps(value).replace("<", "\\u003c")


def _number(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    return repr(value) if math.isfinite(value) else ("Infinity" if value > 0 else "-Infinity")


def _numbers(values: list[float]) -> str:
    return f"[{', '.join(map(_number, values))}]"


def _names(rules: "RuleSet") -> str:
    return "CLASSES" if rules.classifies else "ACTIONS"


def _constants(rules: "RuleSet") -> list[str]:
    names = answers_of(rules) if rules.classifies else rules.outcome_names
    lines = [
        f"export const {_names(rules)} = {_literal(names)};",
        f"export const FEATURES = {_literal(rules.feature_names)};",
    ]
    if has_categories(rules):
        features = enumerate(rules.features)
        known = ", ".join(f"{k}: {_literal(labels_of(f))}" for k, f in features if f.categories)
        lines.append(f"const CATEGORIES = {{{known}}}; // of features, by their number")
    if groups_of(rules):
        lines.append(f"const GROUPED = {_object(groups_of(rules))}; // which has all others")
        lines.append(f"const MISSING = {_literal(MISSING_WORDS)};")
    if absent_of(rules):
        absent = _object(absent_names(rules))
        lines.append(f"const ABSENT = {absent}; // what missing and unknown ones are")
    if stand_ins_of(rules):
        gaps = ", ".join(f"{k}: {_number(gap)}" for k, gap in stand_ins_of(rules).items())
        lines.append(f"const STAND_INS = {{{gaps}}}; // numbers that say: missing")
    if dates_of(rules):
        orders = ", ".join(f"{k}: {_literal(ORDERS[s])}" for k, s in dates_of(rules).items())
        lines.append(f"const DATES = {{{orders}}}; // in which order year, month and day stand")
        lines.append(JAVASCRIPT_PATTERN)
    commas = commas_of(rules)
    if commas:
        written = ", ".join(f"{k}: {_literal(style)}" for k, style in commas.items())
        lines.append(f"const COMMAS = {{{written}}}; // in numbers that are text")
        lines.append(f"const UNITS = /[{BESIDE}]/g; // beside numbers that are text")
    return lines


def _known(rules: "RuleSet") -> str:
    """Return the functions that read values."""
    missing, chooses = may_miss(rules), has_categories(rules)
    read = "DATES[k] ? days(k, value) : number(k, value)" if dates_of(rules) else "number(k, value)"
    if stand_ins_of(rules):
        read = f"withoutStandIn(k, {read})"
    if chooses:
        read = f"CATEGORIES[k] ? category(k, value) : {read}"
    return (
        _spelled(rules) * chooses
        + JAVASCRIPT_DATES * bool(dates_of(rules))
        + _STAND_IN * bool(stand_ins_of(rules))
        + _NUMBER.format(plain=_PLAIN * bool(commas_of(rules)))
        + _KNOWN.format(
            what=f"What is missing or unknown is {'null or NaN' if missing else 'refused'}.",
            size=len(rules.features),
            read=read,
            refusal="" if missing else _REFUSAL,
        )
    )


def _spelled(rules: "RuleSet") -> str:
    """Return the functions that read categories."""
    absent = "(ABSENT[k] ?? null)" if absent_of(rules) else "null"
    with_others = _SPELLED.replace("{others}", _OTHERS * bool(groups_of(rules)))
    return with_others.replace("{absent}", absent)


def _object(values: dict[int, Any]) -> str:
    """Return values by the feature's number."""
    return f"{{{', '.join(f'{k}: {_literal(value)}' for k, value in values.items())}}}"


def _list(rules: "RuleSet") -> str:
    variables = variables_of(rules, _RESERVED)
    what = "the class" if rules.classifies else "the number of the action"
    lines = [
        "",
        f"// Return {what} that the first matching rule names.",
        "export function decide(observation) {",
        f"  const [{', '.join(variables)}] = known(observation);",
    ]
    answers = answers_of(rules)
    for i, comment in enumerate(comments_of(rules)):
        terms = [_term(rules, condition, variables) for condition in conditions_of(rules, i)]
        lines.append(f"  // {_comment(comment)}")
        lines.append(
            f"  if ({' && '.join(terms) or 'true'}) return {_literal(answers[rules.action[i]])};"
        )
    name = _comment(visible(rules.outcome_names[rules.default_action]))
    comment = "" if rules.classifies else f" // {name}"
    return "\n".join(
        [*lines, f"  return {_literal(answers[rules.default_action])};{comment}", "}", ""]
    )


def _term(rules: "RuleSet", condition: Interval | Choice, variables: list[str]) -> str:
    """Return a condition as an expression that is true of a missing value, if there may be one."""
    name = variables[condition.feature]
    if isinstance(condition, Choice):
        others = excluded_of(rules, condition)
        if 0 < len(others) < len(condition.places):
            labels = labels_of(rules.features[condition.feature])
            return f"!{_literal([labels[place] for place in others])}.includes({name})"
        return f"{_allowed(rules, condition)}.includes({name})"
    at_least, at_most = condition.lower > -math.inf, condition.upper < math.inf
    below, above = ("!({} < {})", "!({} > {})") if may_miss(rules) else ("{} >= {}", "{} <= {}")
    terms = [below.format(name, repr(condition.lower))] * at_least
    return " && ".join(terms + [above.format(name, repr(condition.upper))] * at_most)


def _allowed(rules: "RuleSet", choice: Choice) -> str:
    """Return the categories that a rule allows; null, a missing one, if there may be one."""
    labels = labels_of(rules.features[choice.feature])
    return _literal([*(labels[k] for k in choice.places), *([None] * may_miss(rules))])


def _vote(rules: "RuleSet") -> str:
    linear = rules.weights is not None
    lines = [f"const DEFAULT = {rules.default_action}; // where no rule matches"]
    if linear:
        lines += _linear_constants(rules)
    model = "weights of (1, scaled features)" if linear else "value"
    lines.append(
        f"// {rules.noun}, (feature, lower, upper) ..., (feature, categories) ..., {model}, fitness"
    )
    lines += ["const RULES = [", *(f"  {_row(rules, i)}," for i in range(len(rules))), "];"]
    number = _PLACE if has_categories(rules) else "value"
    vote = _VOTE.format(
        what="the class" if rules.classifies else "the number of the action",
        names=_names(rules),
        states=_STATES.format(number=number) if linear else "",
        value=_LINEAR if linear else _SCALAR,
        answer="CLASSES[best]" if rules.classifies else "best",
    )
    return "\n" + "\n".join(lines) + "\n" + _WITHIN * linear + vote


def _linear_constants(rules: "RuleSet") -> list[str]:
    """Return what linear models need: ranges, what is scaled to 0 and 1, the limit."""
    low, high = rules.scaled_between
    limit = math.inf if rules.prediction_limit is None else rules.prediction_limit
    return [
        f"const LEAST = {_numbers(rules.low.tolist())}, MOST = {_numbers(rules.high.tolist())};",
        f"const START = {_numbers(low.tolist())};",
        f"const FACTOR = {_numbers((1.0 / (high - low)).tolist())};",
        f"const LIMIT = {_number(limit)};",
    ]


def _row(rules: "RuleSet", i: int) -> str:
    """Return a rule as an array."""
    intervals = ", ".join(
        f"[{k}, {_number(a)}, {_number(b)}]" for k, a, b in intervals_of(rules, i)
    )
    choices = ", ".join(f"[{c.feature}, {_allowed(rules, c)}]" for c in choices_of(rules, i))
    if rules.weights is None:
        model = _number(float(rules.prediction[i]))
    else:
        model = _numbers(rules.weights[i].tolist())
    fitness = _number(float(rules.fitness[i]))
    return f"[{rules.action[i]}, [{intervals}], [{choices}], {model}, {fitness}]"
