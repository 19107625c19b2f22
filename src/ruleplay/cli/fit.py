"""`ruleplay fit`: learn classes or a quantity from a CSV file, and read the rules."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ruleplay.cli.terminal.outcome import Interrupted
from ruleplay.cli.terminal.outputs import Force, Output, check_outputs
from ruleplay.errors import ConfigError

if TYPE_CHECKING:
    from ruleplay.cli.fitting.fitting import Lesson

TEST_SHARE = 0.25
OURS = (
    "random_state",
    "callback",
    "verbose",
    "categorical_features",
    "bounds",
    "warm_start",
    "start_rules",
    "protected_rules",
    "forbidden_rules",
    "forbidden_features",
)


def fit(
    data: Annotated[
        str,
        typer.Argument(
            metavar="DATA.csv", help="A table whose first line names the columns; - reads a pipe."
        ),
    ],
    target: Annotated[
        str,
        typer.Option(metavar="COLUMN", help="The column that holds the classes, or a quantity."),
    ],
    save: Annotated[
        Path | None, typer.Option(dir_okay=False, help="Write the model to this file.")
    ] = None,
    test: Annotated[
        str | None, typer.Option(metavar="FILE", help="Another CSV file to test with.")
    ] = None,
    test_share: Annotated[
        float | None,
        typer.Option(help=f"Share of the rows held out to test with ({TEST_SHARE}; 0: none)."),
    ] = None,
    epochs: Annotated[
        int | None, typer.Option(min=1, help="Rounds over the rows (until nothing improves).")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of all that is random.")] = 0,
    drop: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help="Leave out a column; may be repeated."),
    ] = None,
    column: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=KIND",
            help="Read a column as text, number or date, or ignore it; may be repeated.",
        ),
    ] = None,
    separator: Annotated[
        str,
        typer.Option(help="What separates fields: a character, the word tab, or auto to find it."),
    ] = "auto",
    start_from: Annotated[
        Path | None,
        typer.Option(
            metavar="RULES",
            dir_okay=False,
            help="Begin with the rules of a file: JSON, CSV, or a saved model (.ruleplay).",
        ),
    ] = None,
    protect: Annotated[
        bool, typer.Option("--protect", help="Keep the rules of --start-from in the model.")
    ] = False,
    forbid_feature: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help="Let no rule use a column; may be repeated."),
    ] = None,
    max_rules: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=1000,
            help="Longest short list (default: as long as pays on held-out rows; at most 16 of "
            "classes, or one for each class, and 20 of a quantity).",
        ),
    ] = None,
    compact: Annotated[
        bool,
        typer.Option(
            "--compact/--strongest",
            help="Show a short list made of all rules, or the strongest rules.",
        ),
    ] = True,
    top: Annotated[
        int, typer.Option(min=1, max=1000, help="How many of the strongest rules to show.")
    ] = 10,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE.html", dir_okay=False, help="Write everything as one page."),
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document instead of text.")
    ] = False,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Replace a setting; may be repeated."),
    ] = None,
    force: Force = False,
) -> None:
    """Learn classes or a quantity from the rows of a CSV file; print how well, and the rules.

    Columns of text are categories, and values may be missing. A target of many different numbers
    is a quantity, unless --column says otherwise. The model is tested on rows that were held
    out: it has not learned from them.
    """
    rules_file = None if start_from is None else str(start_from)
    check_targets(save, report, [data, test, rules_file], force=force)
    if test is not None and test_share is not None:
        raise ConfigError("--test and --test-share exclude each other")
    kinds = look_at_files(data, test, target, separator, drop or [], column or [])
    settings = read_settings(set_ or [], epochs)
    settings |= read_demands(start_from, forbid_feature or [], protect=protect)
    lesson = read_lesson(data, test, target, separator, kinds, test_share, seed)
    from ruleplay.cli.fitting.output import say_columns
    from ruleplay.cli.fitting.tasks import task_of

    task = task_of(lesson)
    say_columns(lesson)
    model, seconds = task.learn(lesson, settings, seed)
    if save is not None:
        model.save(save)  # before anything else, which may fail or be interrupted
    try:
        fitted = task.examine(lesson, model, seconds)
        short = task.shorten(fitted, max_rules, seed) if compact else None
        if save is not None and short is not None:
            short.model.save(save)
        shown = task.shown(fitted, short, top, seed)
        task.show(shown, as_json=json, model=save, page=report)
    except KeyboardInterrupt:
        kept = "nothing was written" if save is None else f"the model is in {save}"
        raise Interrupted(f"all was learned; {kept}") from None


def check_targets(
    save: Path | None, report: Path | None, inputs: Sequence[str | None], *, force: bool
) -> None:
    """Refuse files that cannot be written before the work instead of after it."""
    if save is not None and save.suffix == ".json":
        raise ConfigError(
            f"--save must not end in .json, got {save.name!r}: JSON is for lists of rules, "
            "which `ruleplay rules MODEL --out FILE.json` writes"
        )
    if report is not None and report.suffix not in (".html", ".htm"):
        raise ConfigError(f"--report must end in .html, got {report.name!r}")
    outputs = [Output("--save", save, "model"), Output("--report", report, "page")]
    check_outputs(outputs, inputs, force=force)


def look_at_files(
    data: str, test: str | None, target: str, separator: str, drop: list[str], column: list[str]
) -> dict[str, str]:
    """Refuse files and columns that are not there at once; return the kinds of columns."""
    from ruleplay.cli.fitting.column_options import check_columns, read_kinds
    from ruleplay.cli.fitting.reading import look_at

    kinds = read_kinds([*column, *(f"{name}=ignore" for name in drop)])
    if names := look_at(data, separator):
        check_columns(names, target, kinds)
    if test is not None and (names := look_at(test, separator)):
        check_columns(names, target, {})
    return kinds


def read_settings(texts: list[str], epochs: int | None) -> dict[str, Any]:
    """Return the classifier's parameters that options name."""
    from ruleplay.cli.run import split_setting
    from ruleplay.config import setting_names, typed_value, unknown_name
    from ruleplay.learners.classifier.parameters import ClassifierParameters

    known = [name for name in ClassifierParameters._get_param_names() if name not in OURS]
    settings: dict[str, Any] = {} if epochs is None else {"epochs": epochs}
    for name, text in map(split_setting, texts):
        if name not in known:
            raise ConfigError(unknown_name("setting", name, known))
        settings[name] = typed_value(name, text) if name in setting_names() else read_plain(text)
    return settings


def read_demands(start_from: Path | None, forbidden: list[str], *, protect: bool) -> dict[str, Any]:
    """Return the parameters about rules by hand."""
    if protect and start_from is None:
        raise ConfigError("--protect needs --start-from")
    demands: dict[str, Any] = {"forbidden_features": forbidden} if forbidden else {}
    if start_from is not None:
        from ruleplay.rules import read_rules

        demands["protected_rules" if protect else "start_rules"] = read_rules(start_from)
    return demands


def read_plain(text: str) -> Any:
    """Return the number or the word that text stands for.

    >>> [read_plain(text) for text in ("none", "true", "3", "0.5", "balanced")]
    [None, True, 3, 0.5, 'balanced']
    """
    words = {"none": None, "true": True, "false": False}
    if text.lower() in words:
        return words[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def read_lesson(
    data: str,
    test: str | None,
    target: str,
    separator: str,
    kinds: dict[str, str],
    share: float | None,
    seed: int,
) -> "Lesson":
    """Read the file, or both files, and decide what is learned from."""
    from contextlib import closing

    from ruleplay.cli.fitting.fitting import prepare, prepare_two
    from ruleplay.cli.fitting.reading import SHOW_FROM, read_csv
    from ruleplay.cli.terminal.progress import watch

    with closing(watch("bytes read")) as watcher:

        def show(done: int, total: int) -> None:
            if total >= SHOW_FROM:
                watcher.progress(done, total)

        table = read_csv(data, separator, show)
        tests = None if test is None else read_csv(test, separator, show)
    if tests is not None:
        return prepare_two(table, tests, target, kinds)
    return prepare(table, target, kinds, TEST_SHARE if share is None else share, seed)
