"""The boolean presets solve their problems, and their rules can be read."""

import json
import re

import gymnasium
import pytest
from typer.testing import CliRunner

from ruleplay.cli import app
from ruleplay.learners.agent.interface import make_interface


def call(*arguments):
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture(scope="module")
def mux11(tmp_path_factory):
    """Learn the multiplexer of eleven bits; return the figures and the model's file."""
    path = tmp_path_factory.mktemp("boolean") / "mux11.ruleplay"
    printed = call("run", "boolean/mux11", "--seed", 3, "--json", "--save", path)
    return json.loads(printed), path


def test_the_multiplexer_of_eleven_bits_is_solved(mux11):
    # Seeds 0 to 9 have a first stretch of 50 answers without a mistake by step 1650 at the latest,
    # and no mistake in the last tenth.
    figures, _ = mux11
    assert figures["solved_step"] <= 5000
    assert figures["final_accuracy"] > 0.99


def test_its_rules_are_about_bits(mux11):
    _, path = mux11
    rules = call("rules", path, "--top", 16)
    assert len(re.findall(r"data_\d = [01]", rules)) >= 16
    assert not re.search(r"(address|data)_\d (in|<|>)", rules)


def test_the_way_to_the_food_is_the_shortest():
    # Seeds 0 to 4 have a mean of 1.67 to 1.75 steps; the best there is has 1.69.
    figures = json.loads(call("run", "boolean/woods1", "--steps", 10_000, "--json"))
    assert figures["greedy"] == 1000.0
    assert figures["greedy_length"] < 2.0


def test_an_agent_reads_bits_as_whole_numbers():
    interface = make_interface(gymnasium.make("ruleplay/Woods1-v0"), None, None, None)
    assert interface.whole_features == (True,) * 16
