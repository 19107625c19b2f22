"""Rules in other languages decide as they do: on edges, about what is missing, and in ties."""

import re
import subprocess

import numpy as np
import pytest

from ruleplay.errors import ConfigError
from ruleplay.rules import RuleSet
from unit.rules.export_runners import (
    COMPILER,
    WARNINGS,
    run_c,
    run_javascript,
    run_pmml,
    run_python,
    run_sql,
)
from unit.rules.export_samples import CLASSES, document, expected, sample, trying_rows
from unit.rules.rule_samples import INF, grid, named, rule, rule_set, slow_down

pytestmark = [pytest.mark.interpreted, pytest.mark.uncompiled]

KINDS = pytest.mark.parametrize("ordered", [False, True], ids=["vote", "list"])
FUSED = ("-std=gnu99", "-O3", "-ffp-contract=fast", "-march=native")
MISSING = pytest.mark.parametrize("missing", ["error", "match"])


def classes(numbers):
    return [CLASSES[number] for number in numbers]


@KINDS
@MISSING
@pytest.mark.parametrize("categories", [False, True], ids=["numbers", "categories"])
def test_python_decides_alike(ordered, missing, categories):
    rules = sample(ordered, missing, categories)
    rows = trying_rows(rules)
    assert run_python(rules, rows) == expected(rules, rows)


@KINDS
@MISSING
@pytest.mark.parametrize("categories", [False, True], ids=["numbers", "categories"])
def test_c_decides_alike(tmp_path, ordered, missing, categories):
    rules = sample(ordered, missing, categories)
    rows = trying_rows(rules)
    assert classes(run_c(rules, rows, tmp_path)) == expected(rules, rows)


@KINDS
@MISSING
@pytest.mark.parametrize("categories", [False, True], ids=["numbers", "categories"])
def test_javascript_decides_alike(tmp_path, ordered, missing, categories):
    rules = sample(ordered, missing, categories)
    rows = trying_rows(rules)
    assert run_javascript(rules, rows, tmp_path) == expected(rules, rows)


@KINDS
@MISSING
@pytest.mark.parametrize("categories", [False, True], ids=["numbers", "categories"])
def test_sql_decides_alike(ordered, missing, categories):
    rules = sample(ordered, missing, categories)
    rows = trying_rows(rules)
    assert run_sql(rules, rows, 'a "table"') == expected(rules, rows)


@MISSING
@pytest.mark.parametrize("categories", [False, True], ids=["numbers", "categories"])
def test_pmml_decides_alike(missing, categories):
    rules = sample(True, missing, categories)
    rows = trying_rows(rules)
    assert run_pmml(rules, rows) == expected(rules, rows)


@pytest.mark.parametrize("categories", [False, True], ids=["numbers", "categories"])
def test_linear_models_decide_alike(tmp_path, categories):
    rules = sample(False, "error", categories, linear=True)
    rows = trying_rows(rules)
    right = expected(rules, rows)
    assert classes(run_c(rules, rows, tmp_path)) == right
    assert run_javascript(rules, rows, tmp_path) == right


def close_calls(count=100):
    """Return rules for ranges of speed, in each of which two actions have the same value.

    The first wins everywhere; if products were added up without being rounded, the second would
    win at times.
    """
    rng, rules = np.random.default_rng(0), []
    for k in range(count):
        speed = (float(k), k + 0.5)
        pair = [rule(speed, prediction=rng.random(), fitness=rng.random()) for _ in range(2)]
        ((mean, _),) = rule_set(*pair).values([[k, 0.0]])
        rules += [*pair, rule(speed, action=1, prediction=mean, fitness=1.0)]
    return rule_set(*rules), [[float(k), 0.0] for k in range(count)]


def test_no_instruction_of_the_machine_changes_what_c_adds_up(tmp_path):
    rules, rows = close_calls()
    assert not rules.actions(rows).any()
    assert not any(run_c(rules, rows, tmp_path, FUSED))
    assert not any(run_javascript(rules, rows, tmp_path))
    assert not any(run_sql(rules, rows))


@pytest.mark.parametrize("run", [run_c, run_javascript], ids=["c", "javascript"])
def test_what_is_infinite_lies_beyond_all_bounds(tmp_path, run):
    rules, far = slow_down(), 1e308
    rows = [[far, 0.0], [-far, -far], [50.0, far]]
    answers = run(rules, rows, tmp_path)
    assert answers == rules.actions(rows).tolist()
    if run is run_c:  # JSON has no infinities
        rows = [[x if abs(x) < far else np.sign(x) * INF for x in row] for row in rows]
        assert run(rules, rows, tmp_path) == answers


TIES = rule_set(
    rule(action=1, prediction=5.0, fitness=0.3),
    rule(speed=(50.0, INF), action=0, prediction=5.0, fitness=0.7),
    rule(speed=(-INF, 10.0), action=0, prediction=-INF, fitness=0.7),
    rule(speed=(20.0, 30.0), action=0, prediction=5.0, fitness=0.0),
    rule(speed=(20.0, 25.0), action=0, prediction=6.0, fitness=0.0),
)


def test_ties_and_rules_without_fitness_are_the_same_everywhere(tmp_path):
    rows = grid(21).tolist()
    right = TIES.actions(rows).tolist()
    assert run_c(TIES, rows, tmp_path) == right
    assert run_javascript(TIES, rows, tmp_path) == right
    finite = TIES.take([0, 1, 3, 4])
    assert run_sql(finite, rows) == finite.actions(rows).tolist()


@pytest.mark.parametrize("prediction", [INF, -INF, np.nan], ids=str)
def test_odd_predictions_are_the_same_everywhere(tmp_path, prediction):
    rules = rule_set(rule(action=1, prediction=prediction), default_action=1)
    rows = grid(3).tolist()
    right = rules.actions(rows).tolist()
    assert run_c(rules, rows, tmp_path) == right
    assert run_javascript(rules, rows, tmp_path) == right
    assert run_python(rules, rows) == right
    with pytest.raises(ConfigError, match="predictions must be finite in SQL"):
        rules.to_sql()


@KINDS
def test_no_rules_mean_the_default_action(tmp_path, ordered):
    rules, rows = rule_set(ordered=ordered, default_action=1), [[0.0, 0.0]]
    assert run_c(rules, rows, tmp_path) == [1]
    assert run_javascript(rules, rows, tmp_path) == [1]
    assert run_sql(rules, rows) == [1]
    if ordered:
        assert run_pmml(rules, rows) == ["1"]


@KINDS
def test_what_must_not_be_missing_is_refused(tmp_path, ordered):
    rules = sample(ordered, "error")
    good = trying_rows(rules, 1)[0]
    gaps = [[*good[:k], None, *good[k + 1 :]] for k in range(len(good))]
    gaps.append([good[0], "unheard of", *good[2:]])
    assert run_c(rules, gaps, tmp_path) == [-1] * len(gaps)
    assert run_sql(rules, gaps) == [None] * len(gaps)
    for row in gaps:
        with pytest.raises(AssertionError, match="RangeError"):
            run_javascript(rules, [row], tmp_path)
    if ordered:
        assert run_pmml(rules, gaps) == [None] * len(gaps)


@pytest.mark.parametrize(
    "name",
    [
        "*/ #error x",
        "/* open",
        "x\\",
        "'; DROP TABLE observations; --",
        "--",
        "</script><script>throw 1</script>",
        "<!-- ]]> &lt; &amp;",
        "${throw 1}`",
        "??/",
        "\u2028throw 1",
        "\u202e",
        "int",
        "class",
        "unix",
        "known",
        "decision",
        "value_0",
    ],
    ids=ascii,
)
@KINDS
def test_no_name_becomes_code(tmp_path, name, ordered):
    features = [
        {"name": "speed", "low": 0.0, "high": 100.0, "whole": False},
        {"name": name, "categories": [name, "other"]},
    ]
    parts = {"error": 1.0, "fitness": 0.5, "numerosity": 1, "experience": 1}
    records = [
        {"if": {"speed": [50.0, None], name: {"in": [name]}}, "then": name, "prediction": 9.0},
        {"if": {name: {"in": ["other"]}}, "then": "b", "prediction": 8.0},
        {"if": {"speed": [None, 20.0]}, "then": name, "prediction": 7.0},
    ]
    names = [name, "b"]
    written = document(ordered, "match", features, [r | parts for r in records], names, names)
    rules = RuleSet.from_json(written)
    rows = [[speed, value] for speed in (0.0, 40.0, 90.0) for value in (name, "other")]
    rows.append([None, "unheard of"])
    right = rules.actions(rules.encode(rows)).tolist()
    assert set(right) == {0, 1}
    assert run_c(rules, rows, tmp_path) == right
    decided = [names[action] for action in right]
    assert run_javascript(rules, rows, tmp_path) == decided
    assert "</script" not in rules.to_javascript()
    assert run_sql(rules, rows) == decided
    assert run_python(rules, rows) == decided
    if ordered:
        assert run_pmml(rules, rows) == decided


def test_unwritable_names_are_refused():
    rules = slow_down()
    for name in ("\0", "\ud800"):
        odd = rules.take(range(5), features=named(name, "y"), ordered=True)
        for write in (odd.to_sql, odd.to_pmml):
            with pytest.raises(ConfigError, match="names must not have"):
                write()


def test_lists_are_readable():
    rules = rule_set(
        rule(speed=(50.0, INF), action=0, prediction=1.0),
        rule(speed=(10.0, 20.5), angle=(-INF, 0.25), action=1, prediction=2.0),
        ordered=True,
        default_action=1,
    )
    c, javascript, sql = rules.to_c(), rules.to_javascript(), rules.to_sql("cars")
    assert "    if (speed >= 50.0) {\n        return 0; /* stop */\n    }\n" in c
    assert "    if (speed >= 10.0 && speed <= 20.5 && angle <= 0.25) {\n" in c
    assert "  if (speed >= 50.0) return 0;\n" in javascript
    assert '        WHEN "speed" BETWEEN 10.0 AND 20.5 AND "angle" <= 0.25 THEN 1\n' in sql
    assert sql.endswith('FROM "cars" AS t;\n')
    assert "import" not in javascript
    headers = re.findall("#include <(.*)[.]h>", c)
    assert headers == ["math", "stdlib", "string"]  # of the standard library, and no others


def test_what_cannot_be_written_is_said():
    linear = sample(False, linear=True)
    for write in (linear.to_sql, linear.to_onnx):
        with pytest.raises(ConfigError, match="linear predictions cannot be written as"):
            write()
    with pytest.raises(ConfigError, match="PMML has no votes by mean values"):
        slow_down().to_pmml()
    with pytest.raises(ConfigError, match="table must be the name of a table, got ''"):
        slow_down().to_sql("")


def test_names_of_categories_have_their_places_in_c(tmp_path):
    rules = sample(True)
    source = rules.to_c()
    feature = rules.features[1]
    calls = "\n".join(
        f'    printf("%g\\n", category_number(1, "{literal(name)}"));'
        for name in [*feature.categories, "unheard of"]
    )
    main = f"#include <stdio.h>\n{source}\nint main(void)\n{{\n{calls}\n    return 0;\n}}\n"
    (tmp_path / "main.c").write_text(main, encoding="utf-8")
    if COMPILER is None:
        pytest.skip("there is no compiler of C")
    program = str(tmp_path / "main")
    subprocess.run([COMPILER, *WARNINGS, str(tmp_path / "main.c"), "-o", program], check=True)
    printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()
    assert printed[:-1] == list(map(str, range(len(feature.categories))))
    assert printed[-1].lstrip("-") == "nan"


def literal(name):
    return "".join(f"\\{byte:03o}" for byte in name.encode())
