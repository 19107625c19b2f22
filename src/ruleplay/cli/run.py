"""`ruleplay run`: learn a preset once and show what came out."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ruleplay.cli.terminal.outcome import Interrupted
from ruleplay.cli.terminal.outputs import Force, Output, check_outputs
from ruleplay.errors import ConfigError

if TYPE_CHECKING:
    from ruleplay.cli.running.running import FinishedRun
    from ruleplay.experiments.spec import RunSpec

LABELS = {
    "reward": "reward",
    "final_accuracy": "right answers in the last tenth of the run",
    "solved_step": "first stretch without a mistake ends at step",
    "system_error": "system error",
    "final_error": "system error in the last tenth of the run",
    "macroclassifiers": "macroclassifiers",
    "generality_volume": "generality (volume)",
    "generality_half_width": "generality (half-widths)",
    "otm": "mean return of all episodes (OTM)",
    "otm_trailing": "mean of trailing-100 returns",
    "diverged": "diverged",
    "first_reward_step": "first reward at step",
    "greedy": "mean return of greedy episodes, of what is kept",
    "greedy_length": "mean length of greedy episodes, of what is kept",
    "kept_step": "what is kept was learned by step",
    "kept_rules": "rules kept",
    "validation_steps": "further steps, to choose what to keep",
}


def run(
    preset: Annotated[
        str, typer.Argument(help="Name of a preset (see `ruleplay presets`) or a .toml file.")
    ],
    agent: Annotated[
        str | None,
        typer.Option(
            help="xcs, xcs-er (replay), xcs-er-M (replay in batches of M), dqn or dqn-tuned.",
            show_default="the preset's own",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of all that is random.")] = 0,
    steps: Annotated[
        int | None, typer.Option(min=1, help="Learning steps instead of the preset's.")
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Replace a setting; may be repeated."),
    ] = None,
    save: Annotated[
        Path | None, typer.Option(dir_okay=False, help="Write the model to this file.")
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(dir_okay=False, help="Draw the learning curve (.png, .svg or .pdf)."),
    ] = None,
    progress_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.jsonl",
            dir_okay=False,
            help="Record the progress for `ruleplay watch FILE`.",
        ),
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document instead of a table.")
    ] = False,
    force: Force = False,
) -> None:
    """Learn a preset and show reward, error and size of the population."""
    from ruleplay.cli.terminal.output import print_json, say
    from ruleplay.experiments.spec import specify_run

    check_targets(preset, save, plot, progress_file, force=force)
    overrides = dict(split_setting(text) for text in set_ or ())
    spec = specify_run(preset, agent, overrides, steps=steps)
    if save is not None and spec.xcs is None:
        raise ConfigError(f"--save: agent {spec.agent!r} has no rules to write")
    finished = run_watched(spec, seed, progress_file)
    written = write_results(finished, save, plot)
    if json:
        print_json(finished.figures())
    else:
        print_summary(finished)
    for line in written:
        say(line)


def split_setting(text: str) -> tuple[str, str]:
    """Return name and value of a setting written `name=value`.

    >>> split_setting("ga_threshold = 12")
    ('ga_threshold', '12')
    """
    name, equals, value = (part.strip() for part in text.partition("="))
    if not (name and equals and value):
        raise ConfigError(f"a setting must be written name=value, got {text!r}")
    return name, value


def check_targets(
    preset: str, save: Path | None, plot: Path | None, progress: Path | None, *, force: bool
) -> None:
    """Refuse files that cannot be written before the work instead of after it."""
    if plot is not None:
        from ruleplay.rules.drawing.pictures import check_picture_path

        check_picture_path("--plot", plot)
    outputs = [
        Output("--save", save, "model"),
        Output("--plot", plot, "picture"),
        Output("--progress-file", progress, "log"),
    ]
    check_outputs(outputs, [preset] if preset.endswith(".toml") else [], force=force)


def run_watched(spec: "RunSpec", seed: int, progress_file: Path | None) -> "FinishedRun":
    """Run with a progress bar; an interruption says how far it came."""
    from ruleplay.cli.running.log import RunLog
    from ruleplay.cli.running.running import run_once
    from ruleplay.cli.terminal.progress import watch

    log = None
    if progress_file is not None:
        about = {"preset": spec.preset, "agent": spec.agent, "seed": seed, "steps": spec.steps}
        log = RunLog(progress_file, about)
    with closing(watch()) as watcher:
        try:
            return run_once(spec, seed, watcher, log)
        except KeyboardInterrupt:
            kept = "nothing" if progress_file is None else f"only {progress_file}"
            raise Interrupted(
                f"{watcher.done} of {spec.steps} learning steps were done; {kept} was written"
            ) from None


def write_results(finished: "FinishedRun", save: Path | None, plot: Path | None) -> list[str]:
    """Write the files asked for and return a line about each."""
    lines = []
    if save is not None and finished.engine is not None:
        finished.engine.save(save)
        lines.append(f"model: {save} (read it with `ruleplay rules {save}`)")
    if plot is not None:
        from ruleplay.report.curves import draw_learning_curve, save_figure

        threshold = finished.problem.divergence_threshold
        figure = draw_learning_curve(finished.trial.course, finished.heading(), threshold)
        save_figure(figure, plot)
        lines.append(f"learning curve: {plot}")
    return lines


def print_summary(finished: "FinishedRun") -> None:
    """Print the figures of merit as a table."""
    from ruleplay.cli.terminal.output import add_row, new_table, print_table, show_number, tell

    figures = finished.figures()
    table = new_table("figure", "value", title=finished.heading(), numbers=("value",))
    pointless = ("reward", "first_reward_step") if finished.problem.is_quantity else ()
    for name, label in LABELS.items():
        if figures.get(name) is not None and name not in pointless:
            add_row(table, label, show_number(figures[name]))
    print_table(table)
    tell(
        f"{figures['steps']} learning steps in {figures['seconds']:.2f} s "
        f"({figures['microseconds_per_step']:.1f} microseconds per step)"
    )
