"""`ruleplay run` learns, reports, writes files and ends with the right code."""

import json
import os
import signal
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from ruleplay import XCS
from ruleplay.cli import app
from ruleplay.cli.running import running

KEYS = [
    "preset",
    "agent",
    "digest",
    "seed",
    "steps",
    "reward",
    "system_error",
    "macroclassifiers",
    "generality_volume",
    "generality_half_width",
    "otm",
    "otm_trailing",
    "diverged",
    "first_reward_step",
    "final_accuracy",
    "solved_step",
    "seconds",
    "microseconds_per_step",
    "compile_seconds",
]
RMP6 = ["run", "stein2020/rmp6", "--agent", "xcs-er", "--steps", "2000"]
CHAIN = ["run", "stein2020/chain16", "--steps", "2000"]


def call(*arguments):
    return CliRunner().invoke(app, list(arguments))


def figures(*arguments):
    result = call(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_json_has_every_figure_and_nothing_else_on_standard_output():
    document = figures(*RMP6, "--seed", "3")
    assert list(document) == KEYS
    assert document["seed"] == 3
    assert document["steps"] == 2000
    assert document["otm"] is None
    assert document["diverged"] is None
    assert 400 < document["reward"] < 900
    assert 0.4 < document["final_accuracy"] <= 1.0


def test_multi_step_run_has_returns():
    document = figures(*CHAIN)
    assert document["otm"] is not None
    assert document["diverged"] in (True, False)


def test_same_seed_gives_the_same_figures():
    timed = ("seconds", "microseconds_per_step", "compile_seconds")
    first, second = figures(*RMP6), figures(*RMP6)
    assert {k: v for k, v in first.items() if k not in timed} == {
        k: v for k, v in second.items() if k not in timed
    }


def test_settings_can_be_replaced():
    plain, changed = figures(*RMP6), figures(*RMP6, "--set", "population_size=100")
    assert changed["macroclassifiers"] <= 100 < plain["macroclassifiers"]
    assert changed["digest"] != plain["digest"]


def test_summary_is_a_table():
    result = call(*CHAIN)
    assert result.exit_code == 0
    assert "stein2020/chain16, xcs, seed 0" in result.stdout
    assert "mean return of all episodes" in result.stdout
    assert "2000 learning steps in" in result.stdout


def test_saved_model_carries_the_names(tmp_path):
    model = tmp_path / "m.ruleplay"
    assert call(*RMP6, "--save", str(model)).exit_code == 0
    engine = XCS.load(model)
    assert engine.about["preset"] == "stein2020/rmp6"
    assert engine.about["feature_names"][0] == "address_0"
    assert engine.learning_steps == 2000


@pytest.mark.parametrize(
    ("suffix", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")]
)
def test_plot_has_the_format_of_its_suffix(tmp_path, suffix, start):
    plot = tmp_path / f"curve.{suffix}"
    assert call(*RMP6, "--plot", str(plot)).exit_code == 0
    assert plot.read_bytes().startswith(start)
    assert list(tmp_path.iterdir()) == [plot]


def test_plot_of_a_multi_step_run(tmp_path):
    plot = tmp_path / "curve.svg"
    assert call(*CHAIN, "--plot", str(plot)).exit_code == 0
    assert "threshold of divergence" in plot.read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "stein2020/rmp7"], "did you mean 'stein2020/rmp6'"),
        ([*RMP6, "--set", "learning_rate=1.5"], "learning_rate (beta) must lie in (0, 1], got 1.5"),
        ([*RMP6, "--set", "learning_rat=1"], "did you mean 'learning_rate'"),
        ([*RMP6, "--set", "nonsense"], "name=value, got 'nonsense'"),
        ([*RMP6, "--set", "min_actions=5"], "min_actions (theta_mna) must lie in [1, 2]"),
        ([*RMP6[:-1], "500"], "replay_warmup (warm-up) must lie in [0, 499]"),
        (["run", "stein2020/rmp6", "--agent", "ppo"], "agent must be 'xcs'"),
        ([*RMP6, "--plot", "curve.jpg"], "--plot must end in .svg, .png, .pdf, got 'curve.jpg'"),
        ([*RMP6, "--save", "missing/m"], "--save missing/m: there is no folder missing"),
        ([*RMP6, "--plot", "missing/c.svg"], "there is no folder missing"),
    ],
)
def test_wrong_usage_is_one_line_and_code_2(arguments, message):
    result = call(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert result.stdout == ""


def test_file_that_cannot_be_written_is_code_1(tmp_path, monkeypatch):
    def refuse(engine, path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(XCS, "save", refuse)
    result = call(*RMP6, "--save", str(tmp_path / "m"))
    assert result.exit_code == 1
    assert "error: [Errno 13] Permission denied" in result.stderr


def test_interruption_says_what_happened(monkeypatch):
    def interrupt(spec, seed, watcher, log=None):
        watcher.progress(700, 2000)
        raise KeyboardInterrupt

    monkeypatch.setattr(running, "run_once", interrupt)
    result = call(*RMP6)
    assert result.exit_code == 130
    message = "interrupted: 700 of 2000 learning steps were done; nothing was written"
    assert message in result.stderr


def test_first_run_says_that_it_compiles(monkeypatch):
    """The clock is the compiler's own; here it is played by hand."""

    def compiled(spec, seed, watcher, log=None):
        watcher.compiling()
        watcher.compiled(21.3)
        raise KeyboardInterrupt

    monkeypatch.setattr(running, "run_once", compiled)
    said = call(*RMP6).stderr
    assert "compiling the kernels" in said
    assert "compiled in 21.3 s" in said


def hear_interrupts():
    """Let a child hear Ctrl-C even if the tests run where it is ignored (in the background)."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start(*arguments):
    return subprocess.Popen(
        [sys.executable, "-m", "ruleplay.cli", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ,
        preexec_fn=hear_interrupts,
    )


def test_in_a_process_of_its_own():
    process = start(*RMP6, "--json")
    printed, said = process.communicate(timeout=300)
    assert process.returncode == 0, said
    assert json.loads(printed)["reward"] == figures(*RMP6)["reward"]


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
def test_ctrl_c_ends_a_process_with_130():
    process = start(*RMP6[:-1], "20000000")
    assert process.stderr is not None
    for line in process.stderr:
        if "learning steps" in line:  # the run has begun
            break
    process.send_signal(signal.SIGINT)
    printed, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted" in said
    assert "Traceback" not in said
    assert printed == ""
