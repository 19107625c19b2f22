"""`ruleplay rules` prints a saved model's rules in three formats."""

import csv
import io
import json

import pytest
from typer.testing import CliRunner

from ruleplay.cli import app

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
