"""`ruleplay presets`: what presets there are, and what stands in one."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from ruleplay.experiments.spec import Preset

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of a table.")]

app = typer.Typer(invoke_without_command=True)


@app.callback()
def presets(context: typer.Context, json: AsJson = False) -> None:
    """List the presets; `presets show NAME` prints one with the sources of its values."""
    if context.invoked_subcommand is not None:
        return
    from ruleplay.cli.terminal.output import add_row, new_table, print_json, print_table

    rows = list_rows()
    if json:
        print_json(rows)
        return
    table = new_table("name", "title", "steps", "problem", "agent", numbers=("steps",))
    for row in rows:
        steps = str(row["steps"])
        add_row(table, row["name"], row["title"], steps, row["problem"], row["agent"])
    print_table(table)


@app.command()
def show(
    name: Annotated[str, typer.Argument(help="Name of a preset, or a .toml file.")],
    json: AsJson = False,
) -> None:
    """Print a preset: each value, where it comes from, and what it means."""
    from ruleplay.cli.terminal.output import print_json
    from ruleplay.experiments.spec import load_preset

    document = describe_preset(load_preset(name))
    if json:
        print_json(document)
    else:
        print_preset(document)


def list_rows() -> list[dict[str, Any]]:
    """Return name, title, length, problem and agent of every bundled preset."""
    from ruleplay.experiments.spec import list_presets, load_preset

    return [
        {
            "name": preset.name,
            "title": preset.title,
            "steps": preset.steps,
            "problem": preset.problem_name,
            "agent": preset.agent,
        }
        for preset in map(load_preset, list_presets())
    ]


def describe_preset(preset: "Preset") -> dict[str, Any]:
    """Return a preset as plain values, every setting with symbol, origin and meaning."""
    return {
        "name": preset.name,
        "title": preset.title,
        "source": preset.source,
        "steps": preset.steps,
        "problem": preset.problem_name,
        "agent": preset.agent,
        "problem_options": [setting._asdict() for setting in preset.problem_settings],
        "settings": describe_settings(preset),
    }


def describe_settings(preset: "Preset") -> list[dict[str, Any]]:
    """Return all settings: the paper's, the assumed ones, then the defaults of the rest."""
    from ruleplay.config import ReplayConfig, XCSConfig, describe

    known = {record.name: record for cls in (XCSConfig, ReplayConfig) for record in describe(cls)}
    given = {setting.name: setting for setting in preset.settings}
    rows = []
    for name, record in known.items():
        setting = given.get(name)
        rows.append(
            {
                "name": name,
                "symbol": record.symbol,
                "value": record.default if setting is None else setting.value,
                "origin": "default" if setting is None else setting.origin,
                "why": "" if setting is None else setting.why,
                "allowed": record.allowed,
                "doc": record.doc,
            }
        )
    order = ("paper", "assumed", "default")
    return sorted(rows, key=lambda row: order.index(row["origin"]))


def print_preset(document: dict[str, Any]) -> None:
    """Print a preset as a heading and one table per origin."""
    from ruleplay.cli.terminal.output import print_table, tell

    tell(f"{document['name']}: {document['title']}")
    tell(f"source: {document['source']}")
    tell(f"problem: {document['problem']}, {document['steps']} learning steps")
    tell(f"agent: {document['agent']} (`run --agent` takes another)")
    options, settings = document["problem_options"], document["settings"]
    if options:
        print_table(options_table(options))
    titles = {
        "paper": "Settings from the paper",
        "assumed": "Settings that we assume",
        "default": "Settings left at their defaults",
    }
    for origin, title in titles.items():
        rows = [row for row in settings if row["origin"] == origin]
        if rows:
            print_table(settings_table(title, rows))
    tell("F-01, F-02, ... are notes in docs/fidelity.md.")


def options_table(options: list[dict[str, Any]]) -> "Table":
    """Return the problem's options with their sources."""
    from ruleplay.cli.terminal.output import add_row, new_table

    table = new_table("option", "value", "source", title="Options of the problem")
    for row in options:
        add_row(table, row["name"], show_value(row["value"]), row["why"] or row["origin"])
    return table


def settings_table(title: str, rows: list[dict[str, Any]]) -> "Table":
    """Return settings of one origin; assumed ones with their reasons."""
    from ruleplay.cli.terminal.output import add_row, new_table

    reasons = ("why",) if any(row["why"] for row in rows) else ()
    table = new_table("setting", "symbol", "value", "meaning", *reasons, title=title)
    for row in rows:
        cells = [row["name"], row["symbol"], show_value(row["value"]), row["doc"]]
        add_row(table, *cells, *(row[reason] for reason in reasons))
    return table


def show_value(value: Any) -> str:
    """Return a setting's value as it is typed after `--set`.

    >>> [show_value(v) for v in (None, True, 5.0, "clip")]
    ['none', 'true', '5', 'clip']
    """
    if value is None or isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)
