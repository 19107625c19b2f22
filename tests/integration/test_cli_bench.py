"""`ruleplay bench` measures what it says; nothing here depends on how long it takes."""

import json
import math

import numpy as np
import pytest
from typer.testing import CliRunner

from ruleplay.benchmarks import driver, environment, scaling, startup
from ruleplay.benchmarks.ours import MultiplexerLearner, PerStepLearner
from ruleplay.benchmarks.workload import training_experiences
from ruleplay.cli import app
from ruleplay.errors import RuleplayError


def call(*arguments):
    return CliRunner().invoke(app, ["bench", *arguments])


@pytest.fixture(scope="module")
def comparison(tmp_path_factory):
    out = tmp_path_factory.mktemp("bench")
    result = call("--steps", "1200", "--repeats", "1", "--json", "--out", str(out))
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout), out


def test_json_is_a_row_per_entry(comparison):
    rows, _ = comparison
    assert [(row["workload"], row["library"]) for row in rows] == [
        ("rmp6", "ruleplay"),
        ("rmp6", "ruleplay (a call per step)"),
        ("rmp6", "ruleplay (the paper's settings)"),
        ("rmp6-replay4", "ruleplay"),
        ("cartpole-rls", "ruleplay"),
    ]
    for row in rows:
        assert row["error"] is None
        assert row["microseconds_per_step"] > 0
        assert row["macroclassifiers"] > 10


def test_entries_learn(comparison):
    rows, _ = comparison
    # 2000 test rows at 50 % have a deviation of 1.1 %; after 1200 steps 0.6 is usual.
    assert rows[0]["accuracy"] > 0.54
    assert rows[4]["episode_length"] > 12  # random play balances about 22, falling over 9


def test_results_are_written(comparison):
    rows, out = comparison
    assert sorted(path.name for path in out.iterdir()) == [
        ".ruleplay",
        "rows.json",
        "runs.json",
        "table.md",
    ]
    assert len(json.loads((out / "rows.json").read_text())) == len(rows)


def test_a_call_per_step_learns_the_same_as_a_compiled_block():
    work = training_experiences(seed=5, count=600)
    together, one_by_one = MultiplexerLearner(seed=5), PerStepLearner(seed=5)
    together.learn(work)
    one_by_one.learn(work)
    states = work.states[:50]
    np.testing.assert_array_equal(together.predict(states), one_by_one.predict(states))


def test_scaling_states_the_slopes(tmp_path, monkeypatch):
    monkeypatch.setattr(
        scaling.measure_scaling,
        "__kwdefaults__",
        {**scaling.measure_scaling.__kwdefaults__, "sizes": (50, 100), "dimensions": (2, 4)},
    )
    monkeypatch.setattr(scaling, "FIXED_SIZE", 60)
    result = call("--scaling", "--steps", "50", "--repeats", "1", "--json", "--out", str(tmp_path))
    assert result.exit_code == 0, result.output
    table = json.loads(result.stdout)
    assert [(r["population_size"], r["features"]) for r in table["rows"]] == [
        (50, 6),
        (100, 6),
        (60, 2),
        (60, 4),
    ]
    assert set(table["slopes"]) == {"population", "dimensions"}
    assert "time per step grows as population^" in (tmp_path / "scaling.md").read_text()


@pytest.mark.parametrize("exponent", [0.5, 1.0, 2.0])
def test_slope_is_the_exponent_of_a_power_law(exponent):
    rows = [(n, {"microseconds_per_step": 3.0 * n**exponent}) for n in (10, 100, 1000)]
    assert scaling.slope(rows) == pytest.approx(exponent)


def test_slope_of_a_single_size_is_unknown():
    assert math.isnan(scaling.slope([(10, {"microseconds_per_step": 1.0})]))


def test_population_is_full_before_it_is_timed():
    assert scaling.filled_engine("population", 80, 6, seed=1).microclassifiers == 80


def test_startup_measures_import_first_and_next_run(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    monkeypatch.setattr(startup, "STEPS", 20)
    monkeypatch.setattr(startup, "TIME_STEP", "print(1.0)")
    groups = [[startup.Start("first", "stein2020/rmp6", "xcs")]]
    rows = startup.measure_startup(1, groups=groups)
    assert [row["what"].split()[0] for row in rows] == ["import", "first", "the", "one"]
    assert all(row["seconds"] > 0 and row["compile_seconds"] == 0 for row in rows)


def test_startup_takes_no_steps():
    assert call("--startup", "--steps", "3").exit_code == 2


def test_startup_reports_a_process_that_fails():
    with pytest.raises(RuleplayError, match="a fresh process failed: boom"):
        startup.run_python("-c", "raise SystemExit('boom')")


def test_measurements_exclude_each_other():
    result = call("--peers", "--scaling")
    assert result.exit_code == 2
    assert "choose one of --peers, --scaling, --startup and --recipe" in result.stderr


def test_too_few_steps_are_wrong_usage():
    result = call("--steps", "1000")
    assert result.exit_code == 2
    assert "steps must be more than 1000" in result.stderr


def test_peers_that_cannot_be_installed_fail_with_a_sentence(monkeypatch):
    def refuse(path):
        raise environment.PeerError("cannot install the peers: no index")

    monkeypatch.setattr(environment, "ensure_peers_env", refuse)
    result = call("--peers")
    assert result.exit_code == 1
    assert "error: cannot install the peers: no index" in result.stderr


@pytest.mark.parametrize("keep", [True, False])
def test_interruption_says_what_is_kept(monkeypatch, tmp_path, keep):
    def interrupt(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(driver, "compare", interrupt)
    result = call(*(["--out", str(tmp_path)] if keep else []))
    assert result.exit_code == 130
    assert (f"finished runs are in {tmp_path}" if keep else "nothing was written") in result.stderr
