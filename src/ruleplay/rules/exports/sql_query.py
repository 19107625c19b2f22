"""Write rules as a query of plain SQL: the rows of a table, and what is decided about each.

A decision list becomes a CASE. A vote becomes sums of CASEs, in the order of the rules and in
doubles, so that they are those of `RuleSet` bit by bit: an aggregate might add up in any order.
Sums of many rules are cut into parts, for databases limit how deep an expression may be.
"""

import math
from typing import TYPE_CHECKING, Any

from ruleplay.engine.inputs import shown
from ruleplay.errors import ConfigError
from ruleplay.output.harmless import visible
from ruleplay.rules.dates import DATES
from ruleplay.rules.exports.contents import (
    Choice,
    Interval,
    absent_of,
    answers_of_one_type,
    comments_of,
    conditions_of,
    excluded_of,
    headings,
    labels_of,
    may_miss,
    refuse_linear,
)
from ruleplay.rules.exports.date_readers import sql_days
from ruleplay.rules.features import Feature
from ruleplay.rules.spelling import (
    ABSENT,
    BESIDE,
    DECIMAL_COMMA,
    MISSING_WORDS,
    PLAIN,
    TRUTH_VALUES,
    spelling,
)

if TYPE_CHECKING:
    from ruleplay.rules.ruleset import RuleSet

PART = 100  # rules whose votes are added up in one step
EXACT_DIGITS = 15  # that decimals may have for any database to read them exactly

_QUERY = """{head}
SELECT
  t.*,
  (
    WITH x AS (
      SELECT
{columns}
    ){steps}
    SELECT
      CASE
{cases}
      END
    FROM {last}
  ) AS "decision"
FROM {table} AS t;
"""


def write_sql(rules: "RuleSet", table: str = "observations") -> str:
    """Return a query that adds the column `decision` to the rows of a table."""
    refuse_linear(rules, "SQL")
    if not isinstance(table, str) or not table:
        raise ConfigError(f"table must be the name of a table, got {shown(table)}")
    missing = "missing: NULL" if may_miss(rules) else "the decision is NULL where one is NULL"
    head = [*headings(rules), f"Values are read from columns of the features' names; {missing}."]
    steps, cases, last = _list(rules) if rules.ordered else _vote(rules)
    return _QUERY.format(
        head="\n".join(f"-- {line}" for line in head),
        columns=",\n".join(f"        {_column(rules, k)}" for k in _asked(rules)),
        steps=steps,
        cases="\n".join(f"        {line}" for line in [*_refusals(rules), *cases]),
        last=last,
        table=_name(table),
    )


def _asked(rules: "RuleSet") -> list[int]:
    """Return the features whose values are read: of a list, those that its rules ask for."""
    everything = list(range(len(rules.features)))
    if not rules.ordered or not may_miss(rules):
        return everything
    asked = {c.feature for i in range(len(rules)) for c in conditions_of(rules, i)}
    return sorted(asked) or everything[:1]


def _name(name: str) -> str:
    """Return a name of a table or a column."""
    return '"' + _writable(name).replace('"', '""') + '"'


def _literal(value: Any) -> str:
    """Return a category or a class."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return "'" + _writable(value).replace("'", "''") + "'"
    return _number(value) if isinstance(value, float) else str(value)


def _writable(text: str) -> str:
    """Return text that a query may hold: it has no sign for nothing, and none for halves."""
    if any(sign == "\0" or "\ud800" <= sign <= "\udfff" for sign in text):
        raise ConfigError(f"names must not have null or half characters in SQL, got {text!r}")
    return text


def _number(value: float) -> str:
    """Return a number that every database reads exactly: 17 digits, or few enough."""
    if not math.isfinite(value):
        raise ConfigError(f"predictions must be finite in SQL, got {value}")
    is_short = float(f"{value:.{EXACT_DIGITS}g}") == value
    return repr(value) if is_short else f"{value:.16e}"


def _double(value: float) -> str:
    return f"CAST({_number(value)} AS DOUBLE PRECISION)"


def _alias(rules: "RuleSet", k: int) -> str:
    """Return what a feature is called within: the names of a vote's sums are none of its names."""
    return _name(rules.features[k].name) if rules.ordered else f"x{k}"


def _column(rules: "RuleSet", k: int) -> str:
    """Return a feature's column, in which unknown categories are missing."""
    feature, alias = rules.features[k], _alias(rules, k)
    name = f"t.{_name(feature.name)}"
    if not feature.categories:
        return f"{_read_number(rules, feature, name)} AS {alias}"
    truth = _truth_values(feature)
    if truth:
        return f"{_read_truth(name, truth)} AS {alias}"
    return f"{_read_category(feature, name)} AS {alias}"


def _read_category(feature: Feature, name: str) -> str:
    """Return a column's category: missing if it is unknown, unless others have one in common."""
    labels = labels_of(feature)
    if all(isinstance(label, str) and label == label.strip() for label in labels):
        name = f"TRIM(CAST({name} AS VARCHAR(255)))"
    apart = {feature.others, int(feature.absent) if feature.names_absent else None}
    named = ", ".join(_literal(label) for k, label in enumerate(labels) if k not in apart)
    if feature.others is None:
        return f"CASE WHEN {name} IN ({named}) THEN {name} END"
    return (
        f"CASE WHEN {name} IN ({named}) THEN {name} WHEN LOWER({name}) NOT IN ({_missing_words()}) "
        f"THEN {_literal(labels[feature.others])} END"
    )


def _missing_words() -> str:
    return ", ".join(map(_literal, MISSING_WORDS))


def _text(name: str) -> str:
    """Return a column as text in small letters."""
    return f"LOWER(TRIM(CAST({name} AS VARCHAR(255))))"


def _read_number(rules: "RuleSet", feature: Feature, name: str) -> str:
    """Return a column's number, which may be text as in a file: what is none is missing."""
    if feature.written in DATES:
        return sql_days(_text(name), feature.written, whole=feature.whole)
    if feature.written == PLAIN and not may_miss(rules):
        return f"CAST({name} AS DOUBLE PRECISION)"
    words = "'', '-', '--', '.', 'e'"  # of the signs that numbers have
    number = (
        f"(SELECT CASE WHEN RTRIM(n, '0123456789.+-e') = '' AND n NOT IN ({words}) "
        f"THEN CAST({name if feature.written == PLAIN else 'n'} AS DOUBLE PRECISION) END "
        f"FROM (SELECT {_plain_text(feature, name)}) AS a)"
    )
    return number if feature.stand_in is None else f"NULLIF({number}, {_number(feature.stand_in)})"


def _plain_text(feature: Feature, name: str) -> str:
    """Return the text of a number without units, and with a point instead of a decimal comma."""
    if feature.written == PLAIN:
        return f"{_text(name)} AS n"
    bare = _text(name)
    for sign in BESIDE:
        bare = f"REPLACE({bare}, {_literal(sign)}, '')"
    if feature.written != DECIMAL_COMMA:
        return f"REPLACE({bare}, ',', '') AS n"
    point = "REPLACE(REPLACE(s, '.', ''), ',', '.')"
    return f"CASE WHEN s LIKE '%,%' THEN {point} ELSE s END AS n FROM (SELECT {bare} AS s) AS b"


def _truth_values(feature: Feature) -> dict[str, str]:
    """Return the texts of a feature that mean true and false, if it has no other categories."""
    labels = [label for label in labels_of(feature) if label != ABSENT]
    texts = [label for label in labels if isinstance(label, str)]
    found = {spelling(text) or "": text for text in texts}
    is_all = len(found) == len(texts) == len(labels)
    return found if is_all and set(found) <= set(TRUTH_VALUES) else {}


def _read_truth(name: str, texts: dict[str, str]) -> str:
    """Return a column of truth values as the texts that rules compare, however it has them."""
    others = {"true": ("true", "t", "1"), "false": ("false", "f", "0")}
    cases = []
    for meaning, text in texts.items():
        words = ", ".join(_literal(word) for word in others[meaning])
        cases.append(f"WHEN {_text(name)} IN ({words}) THEN {_literal(text)}")
    return f"CASE {' '.join(cases)} END"


def _refusals(rules: "RuleSet") -> list[str]:
    """Return what makes the decision NULL."""
    if may_miss(rules):
        return []
    refused = [k for k in range(len(rules.features)) if k not in absent_of(rules)]
    missing = " OR ".join(f"{_alias(rules, k)} IS NULL" for k in refused)
    return [f"WHEN {missing} THEN NULL"] if refused else []


def _condition(rules: "RuleSet", i: int) -> str:
    """Return a rule's conditions; where values may be missing, NULL satisfies them."""
    terms = []
    for condition in conditions_of(rules, i):
        name = _alias(rules, condition.feature)
        term = _term(rules, condition, name)
        absent = absent_of(rules).get(condition.feature)
        if absent is None:
            is_open = may_miss(rules)
        else:
            is_open = isinstance(condition, Choice) and absent in condition.places
        terms.append(_or_missing(name, term) if is_open else term)
    return " AND ".join(terms) or "TRUE"


def _or_missing(name: str, term: str) -> str:
    return f"{name} IS NULL" if term == "FALSE" else f"({name} IS NULL OR {term})"


def _term(rules: "RuleSet", condition: Interval | Choice, name: str) -> str:
    if isinstance(condition, Choice):
        labels = labels_of(rules.features[condition.feature])
        absent = absent_of(rules).get(condition.feature)
        others = [place for place in excluded_of(rules, condition) if place != absent]
        places = [place for place in condition.places if place != absent]
        is_short = 0 < len(others) < len(places)
        named = ", ".join(_literal(labels[k]) for k in (others if is_short else places))
        return f"{name} {'NOT ' * is_short}IN ({named})" if named else "FALSE"
    _, lower, upper = condition
    if lower > -math.inf and upper < math.inf:
        return f"{name} BETWEEN {_number(lower)} AND {_number(upper)}"
    return f"{name} >= {_number(lower)}" if lower > -math.inf else f"{name} <= {_number(upper)}"


def _list(rules: "RuleSet") -> tuple[str, list[str], str]:
    answers = [_literal(answer) for answer in answers_of_one_type(rules)]
    lines = []
    for i, comment in enumerate(comments_of(rules)):
        lines.append(f"-- {comment}")
        lines.append(f"WHEN {_condition(rules, i)} THEN {answers[rules.action[i]]}")
    if not lines:
        lines.append(f"WHEN FALSE THEN {answers[rules.default_action]}")
    name = visible(rules.outcome_names[rules.default_action])
    comment = "" if rules.classifies else f" -- {name}"
    return "", [*lines, f"ELSE {answers[rules.default_action]}{comment}"], "x"


def _vote(rules: "RuleSet") -> tuple[str, list[str], str]:
    """Return steps that add up votes, how their means decide, and where these are."""
    starts = [f"{_double(0.0)} AS {name}" for name in _sums(rules)]
    steps = [_step("s0", ["x.*", *starts], "x")]
    for number, first in enumerate(range(0, len(rules), PART), 1):
        places = range(first, min(first + PART, len(rules)))
        applies = [f"{_condition(rules, i)} AS r{i}" for i in places]
        steps.append(_step(f"m{number}", [f"s{number - 1}.*", *applies], f"s{number - 1}"))
        added = [_added(rules, name, places) for name in _sums(rules)]
        steps.append(_step(f"s{number}", [*_features(rules), *added], f"m{number}"))
    means = [_mean(rules, k) for k in range(rules.n_actions)]
    steps.append(_step("v", [*_features(rules), *means], f"s{(len(steps) - 1) // 2}"))
    return "".join(f",\n    {step}" for step in steps), _best(rules), "v"


def _step(name: str, columns: list[str], source: str) -> str:
    """Return a step that is computed once, whatever refers to it."""
    listed = ",\n        ".join(columns)
    return f"{name} AS MATERIALIZED (\n      SELECT\n        {listed}\n      FROM {source}\n    )"


def _features(rules: "RuleSet") -> list[str]:
    return [_alias(rules, k) for k in range(len(rules.features))]


def _has_fitness(rules: "RuleSet") -> bool:
    """Tell whether all rules have fitness, so that no plain mean is ever needed."""
    return bool((rules.fitness > 0.0).all())


def _sums(rules: "RuleSet") -> list[str]:
    """Return the names of what is added up for each action."""
    names = (
        ("weighted", "total") if _has_fitness(rules) else ("weighted", "total", "plain", "number")
    )
    return [f"{name}_{k}" for k in range(rules.n_actions) for name in names]


def _added(rules: "RuleSet", name: str, places: range) -> str:
    """Return a sum to which the votes of some rules are added in their order."""
    what, action = name.split("_")
    votes = [
        f"CASE WHEN r{i} THEN {_double(_vote_of(rules, i, what))} ELSE 0 END"
        for i in places
        if rules.action[i] == int(action)
    ]
    return "\n          + ".join([name, *votes]) + f" AS {name}"


def _mean(rules: "RuleSet", k: int) -> str:
    plain = "" if _has_fitness(rules) else f" WHEN number_{k} > 0 THEN plain_{k} / number_{k}"
    return f"CASE WHEN total_{k} > 0 THEN weighted_{k} / total_{k}{plain} END AS value_{k}"


def _vote_of(rules: "RuleSet", i: int, what: str) -> float:
    value, fitness = float(rules.prediction[i]), float(rules.fitness[i])
    return {"weighted": value * fitness, "total": fitness, "plain": value, "number": 1.0}[what]


def _best(rules: "RuleSet") -> list[str]:
    """Return the cases that choose the action of largest value, the first one among equals."""
    answers = [_literal(answer) for answer in answers_of_one_type(rules)]
    lines = []
    for k, answer in enumerate(answers):
        others = [
            f"(value_{j} IS NULL OR value_{k} {'>' if j < k else '>='} value_{j})"
            for j in range(rules.n_actions)
            if j != k
        ]
        lines.append(f"WHEN {' AND '.join([f'value_{k} IS NOT NULL', *others])} THEN {answer}")
    return [*lines, f"ELSE {answers[rules.default_action]}"]
