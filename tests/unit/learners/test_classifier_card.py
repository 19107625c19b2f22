"""A model card says what a classifier is, and nothing in it is Markdown that others wrote."""

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from ruleplay import XCSClassifier
from ruleplay.cli import app
from ruleplay.errors import ConfigError

SETTINGS = {"n_steps": 2000, "population_size": 200, "random_state": 0}
HARMFUL = "<script>`*_[x](http://y)|\n# z"


def table():
    random = np.random.default_rng(0)
    rows = pd.DataFrame({"length": random.random(200) * 9, HARMFUL: random.choice(["a", "b"], 200)})
    rows[HARMFUL] = rows[HARMFUL].astype("category")
    return rows, np.where(rows["length"] > 5, "long", HARMFUL)


@pytest.fixture(scope="module")
def model():
    return XCSClassifier(**SETTINGS).fit(*table())


def test_a_card_says_what_there_is_to_say(model):
    rows, labels = table()
    card = model.model_card(rows, labels)
    share = 100 * np.mean(labels == "long")
    assert f"| long | {share:.1f} % |" in card
    assert "200 rows, counted by their weights, in 2000 presentations." in card
    assert f"{100 * model.score(rows, labels):.1f} % of 200 rows" in card
    assert f"| `population_size` | {SETTINGS['population_size']} |" in card
    assert "`learning_rate`" not in card
    assert f"{len(model.ruleset_)} rules, which stand for" in card
    assert card.count("\n1. IF ") == 10
    assert "A missing value satisfies every condition on its feature." in card
    assert 'XCSClassifier.load("model.ruleplay")' in card


def test_without_rows_nothing_is_said_about_accuracy(model):
    assert "Not measured" in model.model_card()
    with pytest.raises(ConfigError, match="needs rows and their classes, or neither"):
        model.model_card(table()[0])


def test_names_stay_names(model):
    card = model.model_card(title=HARMFUL, file='x"`\n')
    assert "<script" not in card
    assert "\n# z" not in card
    assert "[x](" not in card.replace("\\[x\\](", "")
    assert card.count("```") == 2


def test_defaults_are_said_to_be_so():
    plain = XCSClassifier().fit(np.eye(4), [0, 1, 0, 1])
    assert "All settings are the defaults." in plain.model_card()


def test_the_command_writes_a_card(model, tmp_path):
    model.save(tmp_path / "model.ruleplay")
    call = ["rules", str(tmp_path / "model.ruleplay")]
    printed = CliRunner().invoke(app, [*call, "--format", "card"])
    assert printed.exit_code == 0
    assert "# Model card of model.ruleplay\n" in printed.stdout
    for _ in range(2):
        done = CliRunner().invoke(app, [*call, "--out", str(tmp_path / "card.md")])
        assert done.exit_code == 0, done.output
    assert (tmp_path / "card.md").read_text(encoding="utf-8") == printed.stdout


def test_only_a_classifier_has_a_card(model, tmp_path):
    (tmp_path / "rules.json").write_text(model.ruleset_.to_json(), encoding="utf-8")
    done = CliRunner().invoke(app, ["rules", str(tmp_path / "rules.json"), "--format", "card"])
    assert done.exit_code == 2
    assert "a model card needs a model of XCSClassifier" in done.stderr
