r"""Write rules as a C99 function that needs the standard library only.

A decision list becomes comparisons, a vote becomes tables and a loop over them. The arithmetic
is that of `RuleSet`, in the same order, in doubles; products are rounded before they are added,
whatever instructions the machine has. A category is given as its place, which the function
`category_number` finds; `decide_texts` takes all values as texts, as files have them.
"""

import math
import re
from typing import TYPE_CHECKING

from ruleplay.output.harmless import visible
from ruleplay.rules.exports.contents import (
    Choice,
    Interval,
    absent_of,
    choices_of,
    commas_of,
    comments_of,
    conditions_of,
    dates_of,
    excluded_of,
    groups_of,
    headings,
    intervals_of,
    may_miss,
    stand_ins_of,
    variables_of,
)
from ruleplay.rules.exports.date_readers import ORDERS
from ruleplay.rules.exports.date_readers import C as C_DATES
from ruleplay.rules.spelling import DECIMAL_COMMA, MISSING_WORDS, THOUSANDS, UNIT

if TYPE_CHECKING:
    from ruleplay.rules.ruleset import RuleSet

_RESERVED = re.findall(
    r"\w+",
    """auto break case char const continue default do double else enum extern float for goto
if inline int long register restrict return short signed sizeof static struct switch typedef union
unsigned void volatile while asm bool true false nullptr constexpr typeof linux unix i386
observation decide decision_name category_number decide_texts value_of plain_number means days
number_with_commas is_missing is_word""",
)

_DROPPED = {DECIMAL_COMMA: ".", THOUSANDS: ",", UNIT: ","}  # between thousands

_CATEGORY_NUMBER = """
/* Return what stands for a category of a feature in an observation; NAN if it is unknown.
   True, TRUE and true are one category, and so are 3 and 3.0. */
double category_number(int feature, const char *name)
{{
    static const struct {{ int feature; const char *name; }} categories[] = {{
{rows}
    }};
    double place = 0.0, found = NAN;
    int i, same = 0;
    for (i = 0; i < {count}; i++) {{
        if (categories[i].feature == feature) {{
            if (strcmp(categories[i].name, name) == 0) {{
                return place;
            }}
            if (means(categories[i].name, name)) {{
                found = place;
                same++;
            }}
            place += 1.0;
        }}
    }}
    return same == 1 ? found : NAN;
}}
"""

_MEANS = """
static int small(int sign)
{
    return sign >= 'A' && sign <= 'Z' ? sign - 'A' + 'a' : sign;
}

/* Return whether a text is a word but for spaces around it, and maybe the size of letters. */
static int is_word(const char *text, const char *word, int any_size)
{
    for (; *text == ' '; text++) {
    }
    for (; *word; text++, word++) {
        if (*text != *word && !(any_size && small(*text) == small(*word))) {
            return 0;
        }
    }
    for (; *text == ' '; text++) {
    }
    return *text == 0;
}

/* Return whether a text means the same as a category: as a word, a truth value or a number. */
static int means(const char *name, const char *text)
{
    const double one = plain_number(name), other = plain_number(text);
    int is_truth = is_word(name, "true", 1) || is_word(name, "false", 1);
    return is_word(text, name, is_truth) || one == other;
}
"""

_TEXTS = """
/* Return what a text, as in a file, is in an observation; NAN if it is missing or unknown. */
double value_of(int feature, const char *text)
{{
{parts}    return plain_number(text);
}}

/* Return the name of what is decided about texts, as in a file, in the order of the features. */
const char *decide_texts(const char *const *texts)
{{
    double observation[{size}];
    int k;
    for (k = 0; k < {size}; k++) {{
        observation[k] = value_of(k, texts[k]);
    }}
    return decision_name(decide(observation));
}}
"""

_PLAIN_NUMBER = """
/* Return the number that a text is; NAN if it is none. */
static double plain_number(const char *text)
{
    char *end;
    const double value = strtod(text, &end);
    if (end == text || !(value - value == 0.0)) {
        return NAN;
    }
    for (; *end == ' '; end++) {
    }
    return *end == 0 ? value : NAN;
}
"""

_CATEGORY = """    if ({features}) {{
        return category_number(feature, text);
    }}
"""

_NAMED_OR = """    if (feature == {feature}) {{
        const double place = category_number(feature, text);
        return place == place ? place : {otherwise};
    }}
"""

_MISSING = """
/* Return whether a text says that a value is missing. */
static int is_missing(const char *text)
{{
    static const char *const words[] = {{{words}}};
    int i;
    for (i = 0; i < {count}; i++) {{
        if (is_word(text, words[i], 1)) {{
            return 1;
        }}
    }}
    return 0;
}}
"""

_DATE = """    if (feature == {feature}) {{
        return days("{order}", text);
    }}
"""

_STAND_IN = """    if (feature == {feature} && {number} == {stand_in}) {{
        return NAN; /* this number says: missing */
    }}
"""

_COMMAS = """    if ({features}) {{
        return number_with_commas(text, '{dropped}');
    }}
"""

_NUMBER_WITH_COMMAS = """
/* Return the number that a text with commas or units is, without the sign between thousands. */
static double number_with_commas(const char *text, char dropped)
{
    char plain[64];
    size_t n = 0;
    int has_comma = strchr(text, ',') != 0;
    for (; *text && n + 1 < sizeof plain; text++) {
        int is_unit = (unsigned char)*text >= 0x80 || strchr("%$ ", *text);
        if (!is_unit && !(has_comma && *text == dropped)) {
            plain[n++] = *text == ',' ? '.' : *text;
        }
    }
    plain[n] = 0;
    return plain_number(plain);
}
"""

_NAME = """
/* Return the name of {what}. */
const char *decision_name(int number)
{{
    static const char *const names[] = {{{names}}};
    return number >= 0 && number < {count} ? names[number] : "";
}}
"""

_REFUSE = """    for (k = 0; k < {size}; k++) {{
        if (observation[k] != observation[k]) {{
            return -1; /* a value is missing */
        }}
    }}
"""

_TIMES = """
/* Return a product that is rounded before anything is added to it. */
static double times(double one, double other)
{
    volatile double product = one * other;
    return product;
}
"""

_VOTE = """
/* A rule applies if all values lie within its intervals and at none of its excluded places. */
struct interval {{ int feature; double lower, upper; }};
struct excluded {{ int feature; double place; }};
struct rule {{ int action, intervals_end, excluded_end; double {model}, fitness; }};

static const struct interval intervals[] = {{
{intervals}
}};

static const struct excluded excluded[] = {{
{excluded}
}};

static const struct rule rules[] = {{
{rules}
}};
{times}{states}
/* Return the number of the {noun} with the largest mean value, weighted by fitness{refusal}. */
int decide(const double *observation)
{{
    double weighted[{actions}] = {{0.0}}, plain[{actions}] = {{0.0}}, total[{actions}] = {{0.0}};
    int count[{actions}] = {{0}};
    double value, best_value = -INFINITY;
    int r, {k}i = 0, e = 0, action, best = 0, is_silent = 1;
{refuse}{scale}    for (r = 0; r < {count}; r++) {{
        const struct rule *rule = &rules[r];
        int applies = 1;
        for (; i < rule->intervals_end; i++) {{
            value = observation[intervals[i].feature];
            if (value < intervals[i].lower || value > intervals[i].upper) {{
                applies = 0;
            }}
        }}
        for (; e < rule->excluded_end; e++) {{
            if (observation[excluded[e].feature] == excluded[e].place) {{
                applies = 0;
            }}
        }}
        if (applies) {{
{value}            weighted[rule->action] += times(value, rule->fitness);
            plain[rule->action] += value;
            total[rule->action] += rule->fitness;
            count[rule->action]++;
        }}
    }}
    for (action = 0; action < {actions}; action++) {{
        if (total[action] > 0.0) {{
            value = weighted[action] / total[action];
        }} else if (count[action]) {{
            value = plain[action] / count[action];
        }} else {{
            continue;
        }}
        if (value == value) {{
            is_silent = 0;
        }}
        if (value > best_value) {{
            best = action;
            best_value = value;
        }}
    }}
    return is_silent ? {default} : best;
}}
"""

_SCALAR_VALUE = "            value = rule->value;\n"

_LINEAR_VALUE = """            value = rule->weights[0];
            for (k = 0; k < {size}; k++) {{
                value += times(rule->weights[k + 1], states[k]);
            }}
            value = within(value, -{limit}, {limit});
"""

_STATES = """
static double within(double value, double least, double most)
{
    return value < least ? least : value > most ? most : value;
}
"""

_SCALE = """    static const double least[] = {{{least}}}, most[] = {{{most}}};
    static const double start[] = {{{start}}}, factor[] = {{{factor}}};
    float states[{size}]; /* scaled to 0 and 1 */
"""

_SCALE_LOOP = """    for (k = 0; k < {size}; k++) {{
        value = times(within(observation[k], least[k], most[k]) - start[k], factor[k]);
        states[k] = (float)within(value, 0.0, 1.0);
    }}
"""


def write_c(rules: "RuleSet") -> str:
    """Return the source of `int decide(const double *observation)`."""
    title, features, missing, *hints = headings(rules)
    told = "NAN is missing." if may_miss(rules) else "decide returns -1 if one is (NAN)."
    advice = "".join(f"   {_comment(hint)}\n" for hint in hints)
    parts = [
        f"/* {title}\n\n   {_comment(features)}\n   {missing} {told}\n{advice}*/\n",
        "#include <math.h>\n",
        "#include <stdio.h>\n" if dates_of(rules) else "",
        "#include <stdlib.h>\n#include <string.h>\n",
        _name(rules),
        _list(rules) if rules.ordered else _vote(rules),
        _PLAIN_NUMBER,
        _category_number(rules),
        _texts(rules),
    ]
    return "".join(parts)


def _comment(text: str) -> str:
    """Return text that can neither end nor begin a comment."""
    return text.replace("*/", "* /").replace("/*", "/ *")


def _string(text: str) -> str:
    """Return a text as a literal of UTF-8, all but plain signs as octal numbers."""
    plain = set(b" !#$%&'()*+,-./:;<=>@[]^_`{|}~")
    signs = (
        chr(b) if bytes([b]).isalnum() or b in plain else f"\\{b:03o}"
        for b in text.encode("utf-8", "surrogatepass")
    )
    return f'"{"".join(signs)}"'


def _number(value: float) -> str:
    if math.isnan(value):
        return "NAN"
    return repr(value) if math.isfinite(value) else ("INFINITY" if value > 0 else "-INFINITY")


def _category_number(rules: "RuleSet") -> str:
    """Return the function that finds a category's place, if there are categories."""
    rows = [
        f"        {{{k}, {_string(str(category))}}},"
        for k, feature in enumerate(rules.features)
        for category in feature.categories
    ]
    return _MEANS + _CATEGORY_NUMBER.format(rows="\n".join(rows), count=len(rows)) if rows else ""


def _texts(rules: "RuleSet") -> str:
    """Return the functions that take texts."""
    grouped, commas, dates = groups_of(rules), commas_of(rules), dates_of(rules)
    before = [_NUMBER_WITH_COMMAS] if commas else []
    if grouped:
        words = ", ".join(map(_string, MISSING_WORDS))
        before.append(_MISSING.format(words=words, count=len(MISSING_WORDS)))
    before += [C_DATES] if dates else []
    special = sorted({*grouped, *absent_of(rules)})
    parts = [_NAMED_OR.format(feature=k, otherwise=_otherwise(rules, k)) for k in special]
    chosen = [k for k, f in enumerate(rules.features) if f.categories and k not in special]
    parts += [_CATEGORY.format(features=_one_of(chosen))] if chosen else []
    parts += [_DATE.format(feature=k, order=ORDERS[style]) for k, style in dates.items()]
    for k, gap in stand_ins_of(rules).items():
        number = (
            f"number_with_commas(text, '{_DROPPED[commas[k]]}')"
            if k in commas
            else "plain_number(text)"
        )
        parts.append(_STAND_IN.format(feature=k, number=number, stand_in=_number(gap)))
    for style, dropped in _DROPPED.items():
        written = [k for k, known in commas.items() if known == style]
        if written:
            parts.append(_COMMAS.format(features=_one_of(written), dropped=dropped))
    parts = parts or ["    (void)feature;\n"]
    return "".join(before) + _TEXTS.format(parts="".join(parts), size=len(rules.features))


def _otherwise(rules: "RuleSet", k: int) -> str:
    """Return the place of what is no category: of all others, or of missing and unknown ones."""
    absent, others = absent_of(rules).get(k), groups_of(rules).get(k)
    place = "NAN" if absent is None else f"{absent}.0"
    return place if others is None else f"is_missing(text) ? {place} : {others}.0"


def _one_of(features: list[int]) -> str:
    return " || ".join(f"feature == {k}" for k in features)


def _name(rules: "RuleSet") -> str:
    names = ", ".join(map(_string, rules.outcome_names))
    what = "a class" if rules.classifies else "an action"
    return _NAME.format(what=what, names=names, count=rules.n_actions)


def _refusal(rules: "RuleSet") -> str:
    return "" if may_miss(rules) else _REFUSE.format(size=len(rules.features))


def _list(rules: "RuleSet") -> str:
    variables = variables_of(rules, _RESERVED)
    conditions = [conditions_of(rules, i) for i in range(len(rules))]
    used = sorted({c.feature for row in conditions for c in row})
    refusal = _refusal(rules)
    lines = [
        "",
        f"/* Return the number of the {rules.noun} that the first matching rule names. */",
        "int decide(const double *observation)",
        "{",
        *(f"    const double {variables[k]} = observation[{k}];" for k in used),
        *(["    int k;", refusal.rstrip("\n")] if refusal else []),
    ]
    if not used and not refusal:
        lines.append("    (void)observation;")
    for i, comment in enumerate(comments_of(rules)):
        terms = [_term(rules, condition, variables) for condition in conditions[i]]
        lines.append(f"    /* {_comment(comment)} */")
        lines.append(f"    if ({' && '.join(terms) or '1'}) {{")
        lines += [f"        return {_answer(rules, rules.action[i])}", "    }"]
    return "\n".join([*lines, f"    return {_answer(rules, rules.default_action)}", "}", ""])


def _answer(rules: "RuleSet", action: int) -> str:
    return f"{action}; /* {_comment(visible(rules.outcome_names[action]))} */"


def _term(rules: "RuleSet", condition: Interval | Choice, variables: list[str]) -> str:
    """Return a condition as an expression that is true of NAN, if values may be missing."""
    name = variables[condition.feature]
    if isinstance(condition, Choice):
        terms = [f"{name} != {place}.0" for place in excluded_of(rules, condition)]
        return " && ".join(terms)
    at_least, at_most = condition.lower > -math.inf, condition.upper < math.inf
    below, above = ("!({} < {})", "!({} > {})") if may_miss(rules) else ("{} >= {}", "{} <= {}")
    terms = [below.format(name, repr(condition.lower))] * at_least
    return " && ".join(terms + [above.format(name, repr(condition.upper))] * at_most)


def _vote(rules: "RuleSet") -> str:
    linear, size = rules.weights is not None, len(rules.features)
    intervals, excluded, rows = _tables(rules)
    limit = math.inf if rules.prediction_limit is None else rules.prediction_limit
    return _VOTE.format(
        model=f"weights[{1 + size}]" if linear else "value",
        intervals=intervals,
        excluded=excluded,
        rules=rows,
        times=_TIMES,
        states=_STATES if linear else "",
        noun=rules.noun,
        refusal="" if may_miss(rules) else ", or -1",
        actions=rules.n_actions,
        k="" if may_miss(rules) and not linear else "k, ",
        refuse=(_scale_tables(rules) if linear else "") + _refusal(rules),
        scale=_SCALE_LOOP.format(size=size) if linear else "",
        count=len(rules),
        value=_LINEAR_VALUE.format(size=size, limit=_number(limit)) if linear else _SCALAR_VALUE,
        default=rules.default_action,
    )


def _tables(rules: "RuleSet") -> tuple[str, str, str]:
    """Return intervals, excluded places, and rules; none of the tables may be empty in C."""
    intervals: list[str] = []
    excluded: list[str] = []
    rows = []
    for i in range(len(rules)):
        intervals += [f"{{{k}, {_number(a)}, {_number(b)}}}" for k, a, b in intervals_of(rules, i)]
        for choice in choices_of(rules, i):
            excluded += [f"{{{choice.feature}, {k}.0}}" for k in excluded_of(rules, choice)]
        ends = f"{len(intervals)}, {len(excluded)}"
        rows.append(f"{{{rules.action[i]}, {ends}, {_model(rules, i)}, {_fitness(rules, i)}}}")
    empty = "{0, 0, 0, {0.0}, 0.0}" if rules.weights is not None else "{0, 0, 0, 0.0, 0.0}"
    return (
        _rows(intervals or ["{0, 0.0, 0.0}"]),
        _rows(excluded or ["{0, 0.0}"]),
        _rows(rows or [empty]),
    )


def _rows(rows: list[str]) -> str:
    return "\n".join(f"    {row}," for row in rows)


def _model(rules: "RuleSet", i: int) -> str:
    if rules.weights is None:
        return _number(float(rules.prediction[i]))
    return f"{{{_numbers(rules.weights[i].tolist())}}}"


def _fitness(rules: "RuleSet", i: int) -> str:
    return _number(float(rules.fitness[i]))


def _numbers(values: list[float]) -> str:
    return ", ".join(map(_number, values))


def _scale_tables(rules: "RuleSet") -> str:
    low, high = rules.scaled_between
    return _SCALE.format(
        least=_numbers(rules.low.tolist()),
        most=_numbers(rules.high.tolist()),
        start=_numbers(low.tolist()),
        factor=_numbers((1.0 / (high - low)).tolist()),
        size=len(rules.features),
    )
