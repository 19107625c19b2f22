"""What the recipe costs: measured in turns, stated as ratios."""

import json

import pytest
from typer.testing import CliRunner

from ruleplay.benchmarks import recipe
from ruleplay.cli import app

pytestmark = pytest.mark.uncompiled


def test_each_seed_has_its_ratio_and_times_are_medians(monkeypatch):
    times = {("published", 1): 2.0, ("recipe", 1): 3.0, ("published", 2): 4.0, ("recipe", 2): 2.0}
    specs = ("published", "recipe")
    monkeypatch.setattr(recipe, "specs_of", lambda name: specs)
    monkeypatch.setattr(recipe, "time_run", lambda spec, seed, steps: times[spec, seed])
    row = recipe.measure_problem("chain16", repeats=2)
    assert row == {"problem": "16-Chain", "published": 3.0, "recipe": 2.5, "ratios": [1.5, 0.5]}
    assert recipe.row_cells(row) == ("16-Chain", "3.00", "2.50", "0.83", "0.50", "1.50")


def test_the_two_differ_by_the_recipe_alone():
    published, ours = recipe.specs_of("cartpole")
    assert (published.problem_options, published.steps) == (ours.problem_options, ours.steps)
    assert published.replay.return_steps == 1
    assert ours.replay.return_steps == 5


def test_the_command_measures_real_runs(monkeypatch, tmp_path):
    kinds = recipe.measure_recipe.__kwdefaults__
    monkeypatch.setattr(
        recipe.measure_recipe, "__kwdefaults__", {**kinds, "problems": ("chain16",)}
    )
    words = ["bench", "--recipe", "--steps", "40", "--repeats", "1", "--json", "--out", tmp_path]
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exit_code == 0, result.output
    (row,) = json.loads(result.stdout)
    assert row["problem"] == "16-Chain"
    assert row["published"] > 0.0 < row["recipe"]
    assert "16-Chain" in (tmp_path / "recipe.md").read_text(encoding="utf-8")


def test_no_repeats_are_refused():
    with pytest.raises(recipe.ConfigError, match="repeats must be at least 1, got 0"):
        recipe.measure_recipe(0)
