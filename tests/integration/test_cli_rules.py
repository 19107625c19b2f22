"""`ruleplay rules` prints, explains, compacts, exports and draws a saved model's rules."""

import csv
import io
import json
import os
import subprocess
import sys

import numpy as np
import pytest
from typer.testing import CliRunner

from ruleplay.cli import app
from ruleplay.engine import XCS
from ruleplay.learners.agent import XCSAgent
from ruleplay.rules import RuleSet, explain

TRAIN = ["run", "stein2020/rmp6", "--agent", "xcs-er", "--steps", "2000", "--save"]


def call(*arguments):
    return CliRunner().invoke(app, ["rules", *map(str, arguments)])


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "rmp6.ruleplay"
    assert CliRunner().invoke(app, [*TRAIN, str(path)]).exit_code == 0
    return path


def test_text_has_a_sentence_per_rule(model):
    result = call(model, "--top", 5)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert len(lines) == 5
    assert all(line.startswith("IF ") and " THEN " in line for line in lines)
    assert "5 of " in result.stderr


def test_csv_has_all_rules_unless_told_otherwise(model):
    rows = list(csv.DictReader(io.StringIO(call(model, "--format", "csv").stdout)))
    assert len(rows) == json.loads(call(model, "--json").stdout)["macroclassifiers"]
    assert 0 <= float(rows[0]["lower_address_0"]) <= float(rows[0]["upper_address_0"]) <= 1
    assert len(call(model, "--format", "csv", "--top", 3).stdout.splitlines()) == 4


def test_json_describes_the_model(model):
    document = json.loads(call(model, "--json", "--top", 2).stdout)
    assert document["preset"] == "stein2020/rmp6"
    assert document["agent"] == "xcs-er"
    assert document["features"]["data_3"] == [0.0, 1.0]
    assert len(document["rules"]) == 2
    assert (
        call(model, "--format", "json", "--top", 2).stdout
        == call(model, "--json", "--top", 2).stdout
    )


def test_formats_agree(model):
    rows = list(csv.DictReader(io.StringIO(call(model, "--format", "csv", "--top", 4).stdout)))
    rules = json.loads(call(model, "--json", "--top", 4).stdout)["rules"]
    assert [float(row["prediction"]) for row in rows] == [rule["prediction"] for rule in rules]


def test_contradicting_formats_are_wrong_usage(model):
    result = call(model, "--json", "--format", "csv")
    assert result.exit_code == 2
    assert "--json contradicts --format csv" in result.stderr


def test_missing_model_is_wrong_usage(tmp_path):
    assert call(tmp_path / "none").exit_code == 2


def test_foreign_file_fails_with_a_sentence(tmp_path):
    foreign = tmp_path / "foreign"
    foreign.write_text("hello")
    result = call(foreign)
    assert result.exit_code == 1
    assert result.stderr.endswith("not a ruleplay model file\n")


def test_truncated_model_fails_with_a_sentence(model, tmp_path):
    short = tmp_path / "short"
    short.write_bytes(model.read_bytes()[:-100])
    result = call(short)
    assert result.exit_code == 1
    assert "truncated or damaged" in result.stderr


# --- compaction -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def car(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "car.ruleplay"
    command = ["run", "stein2020/mountaincar", "--agent", "xcs-er", "--steps", "3000", "--save"]
    assert CliRunner().invoke(app, [*command, str(path)]).exit_code == 0
    return path


def test_compact_prints_a_list_and_its_loss(model):
    result = call(model, "--compact")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].startswith("IF ")
    assert all(line.startswith("ELSE ") for line in lines[1:])
    assert 2 <= len(lines) <= 11
    assert " and a default action instead of " in result.stderr


def test_compact_says_all_in_json(model):
    document = json.loads(call(model, "--compact", "--max-rules", 3, "--json").stdout)
    made = document["compaction"]
    assert made["rules_before"] == document["macroclassifiers"]
    assert made["rules_after"] == len(document["rules"]) <= 3
    assert made["loss"] == pytest.approx(1 - made["agreement"])
    assert made["score_before"] is None
    assert document["decides"] == "first"
    assert document["default_action"] in document["actions"]


def test_greedy_compaction_keeps_a_vote(model):
    document = json.loads(call(model, "--compact", "--method", "greedy", "--json").stdout)
    assert document["decides"] == "vote"
    assert 0 < document["compaction"]["rules_after"] < document["macroclassifiers"]


def test_rules_that_act_are_judged_by_episodes(car):
    arguments = [car, "--compact", "--episodes", 2, "--max-rules", 2, "--json"]
    made = json.loads(call(*arguments).stdout)["compaction"]
    assert 0.0 <= made["score_before"] <= 1000.0
    assert made["loss"] == pytest.approx(
        (made["score_before"] - made["score_after"]) / max(made["score_before"], 1e-12)
    )
    without = json.loads(call(*arguments[:2], "--episodes", 0, *arguments[4:]).stdout)
    assert without["compaction"]["score_before"] is None


@pytest.mark.filterwarnings("ignore:no reward")
def test_agents_are_judged_in_their_environment(tmp_path):
    path = tmp_path / "lake.ruleplay"
    XCSAgent("FrozenLake-v1", seed=0, population_size=100).learn(500).save(path)
    result = call(path, "--compact", "--episodes", 2, "--max-rules", 2, "--json")
    document = json.loads(result.stdout)
    assert 0.0 <= document["compaction"]["score_before"] <= 1.0
    assert call(path, "--top", 3).stdout.count("≤") + call(path, "--top", 3).stdout.count("=") > 0


# --- files, maps, explanations ----------------------------------------------------------------


def test_a_compact_list_is_written_and_read_again(model, tmp_path):
    path = tmp_path / "rules.json"
    first = call(model, "--compact", "--out", path)
    assert first.stdout == ""
    assert f"rules: {path}" in first.stderr
    again = call(path)
    assert again.exit_code == 0
    assert again.stdout == call(model, "--compact").stdout


@pytest.mark.parametrize("suffix", ["csv", "py", "txt", "json", "c", "js", "sql"])
def test_all_rules_are_written_in_each_format(model, suffix, tmp_path):
    path = tmp_path / f"rules.{suffix}"
    assert call(model, "--out", path).exit_code == 0
    rules = RuleSet.of(XCS.load(model))
    expected = {
        "csv": rules.to_csv(),
        "py": rules.to_python(),
        "txt": f"# {len(rules)} rules, written by ruleplay\n{rules.text()}\n",
        "json": rules.to_json(),
        "c": rules.to_c(),
        "js": rules.to_javascript(),
        "sql": rules.to_sql(),
    }
    assert path.read_text(encoding="utf-8") == expected[suffix]
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


def test_a_query_reads_the_table_that_is_named(model):
    result = call(model, "--compact", "--format", "sql", "--table", "my table")
    assert result.exit_code == 0
    assert result.stdout.endswith('FROM "my table" AS t;\n')


def test_a_vote_as_pmml_is_wrong_usage(model, tmp_path):
    path = tmp_path / "rules.pmml"
    result = call(model, "--out", path)
    assert result.exit_code == 2
    assert "PMML has no votes by mean values" in result.stderr
    for _ in range(2):
        assert call(model, "--compact", "--out", path).exit_code == 0
    assert '<RuleSelectionMethod criterion="firstHit" />' in path.read_text(encoding="utf-8")


def test_python_decides_as_the_model_does(model):
    space = {}
    exec(call(model, "--format", "python").stdout, space)
    engine = XCS.load(model)
    rows = np.random.default_rng(0).random((10_000, 6))
    values = np.nan_to_num(engine.predict(rows), nan=-np.inf)
    assert [space["decide"](row) for row in rows.tolist()] == values.argmax(axis=1).tolist()


def test_a_decision_is_explained(model):
    where = "0.1,0.9,0.3,0.2,0.6,0.5"
    result = call(model, "--explain", where)
    assert result.exit_code == 0
    assert result.stdout == explain(XCS.load(model), eval(f"[{where}]")).text() + "\n"
    document = json.loads(call(model, "--explain", where, "--json").stdout)
    assert document["observation"] == [0.1, 0.9, 0.3, 0.2, 0.6, 0.5]
    assert document["votes"][0]["action"] == document["action"]


def test_a_map_is_drawn(model, tmp_path):
    path = tmp_path / "map.svg"
    result = call(model, "--map", path, "--features", "address_0, data_1", "--at", "0,1,1,0,0,0")
    assert result.exit_code == 0
    assert result.stdout == ""
    assert path.read_text().count("<path") > 20


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--explain", "1,2"], "--explain must be 6 values separated by commas (address_0, "),
        (["--explain", "1,b,1,1,1,1"], "--explain: address_1 must be a number, or ?, got 'b'"),
        (["--map", "map.gif"], "--map must end in .svg, .png, .pdf, got 'map.gif'"),
        (["--map", "none/map.svg"], "--map none/map.svg: there is no folder none"),
        (
            ["--out", "rules.xml"],
            "--out must end in .json, .csv, .py, .txt, .html, .c, .js, .sql, .onnx, .pmml, .md, "
            "got 'rules.xml'",
        ),
        (["--features", "a,b"], "--features and --at need --map FILE"),
        (["--format", "python", "--top", "3"], "--top would change what the rules decide"),
        (["--format", "html", "--top", "3"], "--top would change what the rules decide"),
        (["--format", "c", "--top", "3"], "--top would change what the rules decide"),
    ],
    ids=["short", "word", "gif", "folder", "xml", "no-map", "top", "top-of-a-page", "top-of-c"],
)
def test_wrong_wishes_are_wrong_usage(model, arguments, message):
    result = call(model, *arguments)
    assert result.exit_code == 2
    assert message in result.stderr


def test_a_page_is_printed_or_written(model, tmp_path):
    printed = call(model, "--format", "html")
    assert printed.exit_code == 0
    assert printed.stdout.startswith("<!doctype html>")
    assert "<title>Rules of rmp6.ruleplay</title>" in printed.stdout
    assert "address_0" in printed.stdout
    written = call(model, "--format", "html", "--out", tmp_path / "rules.html")
    assert written.stdout == ""
    assert f"rules: {tmp_path / 'rules.html'}" in written.stderr
    assert (tmp_path / "rules.html").read_text(encoding="utf-8") == printed.stdout


def test_other_json_fails_with_a_sentence(tmp_path):
    other = tmp_path / "other.json"
    other.write_text("{}")
    result = call(other)
    assert result.exit_code == 1
    assert result.stderr.endswith("not a file of rules\n")


def test_terminals_without_the_signs_get_plain_ones(model):
    command = [sys.executable, "-m", "ruleplay.cli", "rules", str(model), "--top", "3"]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    result = subprocess.run(command, capture_output=True, env=environment, check=True)
    assert b"<=" in result.stdout or b">=" in result.stdout


def test_a_compaction_says_that_it_was_judged_on_random_points(model, tmp_path):
    rules = tmp_path / "rules.json"
    assert call(model, "--out", rules).exit_code == 0
    told = call(rules, "--compact", "--max-rules", 1, "--json")
    assert "% of random points within the bounds" in told.stderr
    assert json.loads(told.stdout)["compaction"]["judged_on"] == "random points within the bounds"


def test_data_are_for_models_that_classify(model, tmp_path):
    data = tmp_path / "data.csv"
    data.write_text("a,b\n1,2\n")
    result = call(model, "--compact", "--data", data)
    assert result.exit_code == 2
    assert "--data judges rules that classify rows" in result.stderr
