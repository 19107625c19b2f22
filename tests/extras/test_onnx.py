"""ONNX graphs of rules decide as the rules do, and have their values."""

import sys

import numpy as np
import pytest
from typer.testing import CliRunner

from ruleplay.cli import app
from ruleplay.errors import ConfigError
from unit.rules.export_samples import expected, sample, trying_rows
from unit.rules.rule_samples import INF, grid, rule, rule_set, slow_down

pytest.importorskip("onnx")
runtime = pytest.importorskip("onnxruntime")


def run(rules, rows):
    """Return what a graph decides, and the values of a vote."""
    session = runtime.InferenceSession(rules.to_onnx(), providers=["CPUExecutionProvider"])
    is_number = [not feature.categories for feature in rules.features]
    table = np.array(rows, object)
    inputs = {}
    if any(is_number):
        inputs["numbers"] = table[:, is_number].astype(float)
    if not all(is_number):
        inputs["categories"] = table[:, np.logical_not(is_number)].astype(str).astype(object)
    found = session.run(None, inputs)
    return found[0].tolist(), *found[1:]


@pytest.mark.parametrize("ordered", [False, True], ids=["vote", "list"])
@pytest.mark.parametrize("missing", ["error", "match"])
@pytest.mark.parametrize("categories", [False, True], ids=["numbers", "categories"])
def test_a_graph_decides_alike(ordered, missing, categories):
    rules = sample(ordered, missing, categories)
    rows = trying_rows(rules)
    decided, *values = run(rules, rows)
    assert decided == expected(rules, rows)
    if not ordered:
        np.testing.assert_array_equal(values[0], rules.values(rules.encode(rows)))


def test_ties_go_to_the_first_action():
    rules = rule_set(
        rule(action=1, prediction=5.0, fitness=0.3),
        rule(speed=(50.0, INF), action=0, prediction=5.0, fitness=0.7),
        rule(speed=(20.0, 30.0), action=0, prediction=5.0, fitness=0.0),
    )
    rows = grid(21)
    assert run(rules, rows)[0] == rules.actions(rows).tolist()
    assert run(slow_down(), rows)[0] == slow_down().actions(rows).tolist()


@pytest.mark.parametrize("ordered", [False, True], ids=["vote", "list"])
def test_no_rules_mean_the_default_action(ordered):
    assert run(rule_set(ordered=ordered, default_action=1), [[0.0, 0.0]])[0] == [1]


def test_an_action_without_rules_has_no_value():
    rules = rule_set(rule(speed=(50.0, INF), action=1, prediction=-5.0))
    rows = grid(5)
    decided, values = run(rules, rows)
    assert decided == rules.actions(rows).tolist()
    np.testing.assert_array_equal(values, rules.values(rows))


def test_the_command_writes_a_graph(tmp_path):
    rules, graph = tmp_path / "rules.json", tmp_path / "rules.onnx"
    rules.write_text(slow_down().to_json(), encoding="utf-8")
    printed = CliRunner().invoke(app, ["rules", str(rules), "--format", "onnx"])
    assert printed.exit_code == 0
    assert printed.stdout_bytes == slow_down().to_onnx()
    for _ in range(2):
        assert CliRunner().invoke(app, ["rules", str(rules), "--out", str(graph)]).exit_code == 0
    assert graph.read_bytes() == printed.stdout_bytes


def test_without_the_package_the_reason_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ConfigError, match=r"ONNX needs the package onnx: pip install"):
        slow_down().to_onnx()
