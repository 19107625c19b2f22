"""`ruleplay presets` lists presets and shows where their values come from."""

import json

from typer.testing import CliRunner

from ruleplay.cli import app
from ruleplay.experiments.spec import list_presets


def call(*arguments):
    result = CliRunner().invoke(app, ["presets", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_list_names_every_preset():
    printed = call()
    assert all(name in printed for name in list_presets())


def test_list_as_json():
    rows = json.loads(call("--json"))
    assert [row["name"] for row in rows] == list(list_presets())
    assert {"name", "title", "steps", "problem", "agent"} == set(rows[0])


def test_show_names_the_agent():
    assert "agent: xcs-er (" in call("show", "ruleplay/mountaincar")
    assert json.loads(call("show", "stein2020/rmp6", "--json"))["agent"] == "xcs"


def test_show_tells_the_paper_from_assumptions():
    printed = call("show", "stein2020/rmp6")
    paper, assumed = printed.index("from the paper"), printed.index("that we assume")
    assert paper < printed.index("theta_GA") < assumed < printed.index("size not printed; F-07")


def test_show_as_json_has_every_setting_with_its_origin():
    document = json.loads(call("show", "stein2020/mountaincar", "--json"))
    settings = {row["name"]: row for row in document["settings"]}
    assert settings["error_threshold"] == {
        "name": "error_threshold",
        "symbol": "eps_0",
        "value": 0.1,
        "origin": "paper",
        "why": "",
        "allowed": "a number in (0, 1e+100]",
        "doc": "Error below which a rule counts as accurate.",
    }
    assert settings["tournament_fraction"]["origin"] == "assumed"
    assert settings["tournament_fraction"]["why"]
    assert document["steps"] == 60_000


def test_show_of_an_unknown_preset_is_wrong_usage():
    result = CliRunner().invoke(app, ["presets", "show", "stein2020/rmp7"])
    assert result.exit_code == 2
    assert "did you mean 'stein2020/rmp6'" in result.stderr
