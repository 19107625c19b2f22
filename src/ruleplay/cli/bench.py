"""`ruleplay bench`: time per learning step, ours and that of peers."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from ruleplay.cli.terminal.outcome import Interrupted
from ruleplay.cli.terminal.outputs import Force, claim_folder
from ruleplay.errors import ConfigError

COMPARISON = ("runs.json", "rows.json", "table.md")  # files of a comparison


def bench(
    peers: Annotated[
        bool,
        typer.Option("--peers", help="Compare with peers, in an environment of their own."),
    ] = False,
    scaling: Annotated[
        bool,
        typer.Option("--scaling", help="Measure growth with population size and dimensions."),
    ] = False,
    startup: Annotated[
        bool, typer.Option("--startup", help="Measure import, first run and next run.")
    ] = False,
    recipe: Annotated[
        bool, typer.Option("--recipe", help="Measure what our recipe costs beside plain XCS-ER.")
    ] = False,
    repeats: Annotated[int, typer.Option(min=1, help="Seeds, of which medians are shown.")] = 5,
    steps: Annotated[
        int | None, typer.Option(min=1, help="Learning steps that are timed per run.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(file_okay=False, help="Folder for the results as files.")
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document instead of a table.")
    ] = False,
    force: Force = False,
) -> None:
    """Measure the time per learning step; on an idle machine, please."""
    if peers + scaling + startup + recipe > 1:
        raise ConfigError("choose one of --peers, --scaling, --startup and --recipe")
    if startup and steps is not None:
        raise ConfigError("--steps has no meaning for --startup")
    chosen = "scaling" if scaling else "startup" if startup else "recipe" if recipe else ""
    names = (f"{chosen}.json", f"{chosen}.md") if chosen else COMPARISON
    claim_folder("--out", out, names, force=force)
    if scaling:
        show_scaling(repeats, steps, out, json)
    elif startup:
        show_startup(repeats, out, json)
    elif recipe:
        show_recipe(repeats, steps, out, json)
    else:
        show_comparison(peers, repeats, steps, out, json)


def show_comparison(
    peers: bool, repeats: int, steps: int | None, out: Path | None, json: bool
) -> None:
    """Run our entries, and the peers if asked for, and print a row for each."""
    from ruleplay.benchmarks.driver import compare
    from ruleplay.benchmarks.ours import more_contenders, run_multiplexer
    from ruleplay.benchmarks.tables import format_table
    from ruleplay.benchmarks.workload import DEFAULT_STEPS
    from ruleplay.cli.terminal.output import print_json, say

    python = find_peers() if peers else None
    say("compiling before the first measurement (less than a minute or two)")
    try:
        rows = compare(
            repeats,
            out,
            run_multiplexer,
            python=python,
            steps=DEFAULT_STEPS if steps is None else steps,
            more=more_contenders(),
            on_run=say,
        )
    except KeyboardInterrupt:
        kept = f"finished runs are in {out}" if out else "nothing was written (see --out)"
        raise Interrupted(kept) from None
    if json:
        print_json(rows)
    else:
        typer.echo(format_table(rows))


def find_peers() -> Path:
    """Return the interpreter of the peers' environment, which is made when it is missing."""
    from ruleplay.benchmarks.environment import default_env_path, ensure_peers_env
    from ruleplay.cli.terminal.output import say

    path = default_env_path()
    say(f"the peers' environment is {path}; making it takes a few minutes the first time")
    return ensure_peers_env(path)


def show_scaling(repeats: int, steps: int | None, out: Path | None, json: bool) -> None:
    """Measure and print how the time per step grows."""
    from ruleplay.benchmarks import scaling
    from ruleplay.cli.terminal.output import say

    table = scaling.measure_scaling(
        repeats, steps=scaling.STEPS if steps is None else steps, on_row=say
    )
    cells = [scaling.row_cells(row) for row in table["rows"]]
    lines = scaling.slope_lines(table)
    show_result("scaling", table, (scaling.HEADINGS, *cells), lines, out=out, json=json)


def show_startup(repeats: int, out: Path | None, json: bool) -> None:
    """Measure and print what a user waits for."""
    from ruleplay.benchmarks import startup
    from ruleplay.cli.terminal.output import say

    rows = startup.measure_startup(repeats, on_row=say)
    cells = [startup.row_cells(row) for row in rows]
    show_result("startup", rows, (startup.HEADINGS, *cells), [], out=out, json=json)


def show_recipe(repeats: int, steps: int | None, out: Path | None, json: bool) -> None:
    """Measure and print the time per step of the recipe and of XCS-ER as published."""
    from ruleplay.benchmarks import recipe
    from ruleplay.cli.terminal.output import say

    rows = recipe.measure_recipe(repeats, steps=steps, on_row=say)
    cells = [recipe.row_cells(row) for row in rows]
    show_result("recipe", rows, (recipe.HEADINGS, *cells), [], out=out, json=json)


def show_result(
    name: str,
    document: Any,
    cells: Sequence[tuple[str, ...]],
    lines: Sequence[str],
    *,
    out: Path | None,
    json: bool,
) -> None:
    """Print a result, headings first among its cells, and write it into a folder."""
    from ruleplay.cli.terminal.output import add_row, finite, new_table, print_json, print_table

    if out is not None:
        from ruleplay.benchmarks.driver import as_json
        from ruleplay.output.files import write_whole

        write_whole(out / f"{name}.json", as_json(finite(document)))
        write_whole(out / f"{name}.md", markdown(cells, lines))
    if json:
        print_json(document)
        return
    table = new_table(*cells[0], numbers=cells[0][1:])
    for row in cells[1:]:
        add_row(table, *row)
    print_table(table)
    for line in lines:
        typer.echo(line)


def markdown(cells: Sequence[tuple[str, ...]], lines: Sequence[str]) -> str:
    """Return cells, headings first, as a Markdown table with lines under it."""
    rule = tuple("---" for _ in cells[0])
    rows = [f"| {' | '.join(row)} |" for row in (cells[0], rule, *cells[1:])]
    return "\n".join([*rows, "", *lines]).rstrip() + "\n"
