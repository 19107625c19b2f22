"""What `ruleplay rules` does with a model: the work behind its options."""

import math
import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from ruleplay.cli._output import add_row, new_table, print_json, print_table, say
from ruleplay.engine import XCS
from ruleplay.errors import ConfigError
from ruleplay.rules import (
    Compaction,
    RuleSet,
    compact,
    draw_map,
    explain,
    fixed,
    names_of,
    rules_records,
    rules_table,
    sentences,
    value_digits,
)
from ruleplay.rules.wording import plain_ascii

if TYPE_CHECKING:
    from ruleplay.learners.classifier import XCSClassifier

SUFFIXES = (".json", ".csv", ".py", ".txt", ".html")
PICTURES = (".svg", ".png", ".pdf")


@dataclass(frozen=True)
class View:
    """A model's rules, or fewer of them, and what becomes of them."""

    name: str  # of the file that the user named
    source: XCS | RuleSet  # what is in it
    shown: XCS | RuleSet  # what is printed
    compaction: Compaction | None = None
    classifier: "XCSClassifier | None" = None  # whose rules they are, if they classify

    def show(self, form: str, top: int | None) -> None:
        """Print the rules."""
        if form == "json":
            print_json(self.describe(top))
        elif form == "csv":
            typer.echo(as_csv(self.shown, top), nl=False)
        elif form == "python":
            typer.echo(RuleSet.of(self.shown).to_python(), nl=False)
        elif form == "html":
            typer.echo(self.page().encode(), nl=False)  # UTF-8, as the page says of itself
        else:
            self.print(top)

    def print(self, top: int | None) -> None:
        """Print a table on a terminal, and a sentence per rule elsewhere; lists are sentences."""
        from rich.console import Console

        is_list = getattr(self.shown, "ordered", False)
        count = None if is_list and top is None else top or 20
        if Console().is_terminal and not is_list:
            print_rules_table(self.shown, self.records(count))
        else:
            typer.echo(showable("\n".join(sentences(self.shown, self.records(count)))))
        total = len(RuleSet.of(self.shown))
        how = "asked in this order" if is_list else "by fitness times numerosity"
        say(f"{min(count or total, total)} of {total} rules, {how}")

    def records(self, top: int | None) -> list[dict[str, Any]]:
        """Return the first rules as plain values, in the words of those who gave the data."""
        if self.classifier is None:
            return rules_records(self.shown, top)
        if isinstance(self.shown, RuleSet):
            from ruleplay.learners._classifier_reading import list_records

            return list_records(self.shown, self.classifier.categories_)[:top]
        return self.classifier.rules_records(top)

    def describe(self, top: int | None) -> dict[str, Any]:
        """Return a model and its first rules as plain values."""
        document = describe_model(self.source, self.shown, top)
        made = self.compaction
        if made is not None:
            document["compaction"] = {
                "method": made.method,
                "rules_before": made.before,
                "rules_after": made.after,
                "agreement": made.agreement,
                "loss": made.loss,
                "score_before": made.score_before,
                "score_after": made.score_after,
            }
        return document

    def write(self, path: Path) -> None:
        """Write the rules to a file of the kind that its name says, whole or not at all."""
        rules = RuleSet.of(self.shown)
        text = f"{rules.text()}\n"
        if path.suffix == ".json":
            text = rules.to_json()
        elif path.suffix == ".csv":
            text = rules.to_csv()
        elif path.suffix == ".py":
            text = rules.to_python()
        elif path.suffix == ".html":
            text = self.page()
        beside = path.with_name(f".{path.name}.{os.getpid()}.partial")
        try:
            beside.write_text(text, encoding="utf-8")
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
        say(f"rules: {path}")

    def page(self) -> str:
        """Return a page on which the rules can be searched, drawn and questioned."""
        from ruleplay.report.explorer import render_explorer

        return render_explorer(self.shown, name=self.name)

    def draw(self, path: Path, plane: list[str] | None, at: list[float] | None) -> None:
        """Draw the rules over the plane of two features."""
        draw_map(self.shown, plane, at=at, path=path)
        say(f"map: {path}")

    def explain(self, observation: list[float], *, as_json: bool) -> None:
        """Print why the rules decide as they do about an observation."""
        reasons = explain(self.shown, observation)
        if not as_json:
            typer.echo(showable(reasons.text()))
            return
        values = zip(reasons.names.actions, reasons.values.tolist(), strict=True)
        print_json(
            {
                "observation": observation,
                "action": reasons.names.actions[reasons.action],
                "is_default": reasons.is_default,
                "values": dict(values),
                "votes": reasons.votes.to_dict("records"),
            }
        )


def load(path: Path) -> View:
    """Read a model, or a file of rules."""
    if path.suffix == ".json":
        rules = RuleSet.from_json(path)
        return View(path.name, rules, rules)
    engine = XCS.load(path)
    if engine.about.get("learner") != "classifier":
        return View(path.name, engine, engine)
    from ruleplay.learners.classifier import XCSClassifier

    return View(path.name, engine, engine, classifier=XCSClassifier.load(path))


def compacted(view: View, method: str, max_rules: int, episodes: int) -> View:
    """Return a view of fewer rules; lists of models that act are judged by episodes."""
    score, check = None, None
    if method == "evaluate" and episodes > 0:
        from ruleplay.cli._rule_episodes import episode_scores

        score, check = episode_scores(view.source.about, episodes)
    made = compact(view.source, method, score=score, check=check, max_rules=max_rules)
    say(str(made))
    return replace(view, shown=made.ruleset, compaction=made)


def describe_model(source: Any, shown: Any, top: int | None) -> dict[str, Any]:
    """Return a model and the first of its rules as plain values."""
    names = names_of(source)
    bounds = zip(source.low.tolist(), source.high.tolist(), strict=True)
    rules = RuleSet.of(shown)
    figures = ("seed", "learning_steps", "macroclassifiers", "microclassifiers")
    return {
        **{key: source.about.get(key) for key in ("preset", "agent", "problem")},
        **{key: getattr(source, key, None) for key in figures},
        "features": dict(zip(names.features, map(list, bounds), strict=True)),
        "actions": list(names.actions),
        "decides": "first" if rules.ordered else "vote",
        "default_action": names.actions[rules.default_action],
        "rules": rules_records(shown, top),
    }


def as_csv(source: Any, top: int | None) -> str:
    """Return the table of rules as comma-separated values."""
    text: str = rules_table(source).head(top).to_csv(index=False, lineterminator="\n")
    return text


def print_rules_table(source: Any, records: list[dict[str, Any]]) -> None:
    """Print rules as a table with conditions in words."""
    numbers = ("value", "error", "fitness", "num", "exp")
    table = new_table("if", "then", *numbers, numbers=numbers)
    table.show_lines = True
    digits = value_digits(source)
    for record in records:
        add_row(
            table,
            showable(record["if"]).replace(" AND ", "\n"),
            record["action"],
            fixed(record["prediction"], digits),
            fixed(record["error"], digits),
            fixed(record["fitness"], 3),
            str(record["numerosity"]),
            str(record["experience"]),
        )
    print_table(table)


def showable(text: str) -> str:
    """Return text in plain signs where the terminal knows no others."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return plain_ascii(text)
    return text


def check_targets(out: Path | None, picture: Path | None) -> None:
    """Refuse places where nothing can be written, before any work is done."""
    for option, path, suffixes in (("--out", out, SUFFIXES), ("--map", picture, PICTURES)):
        if path is None:
            continue
        if path.suffix not in suffixes:
            raise ConfigError(f"{option} must end in {', '.join(suffixes)}, got {path.name!r}")
        if not path.parent.is_dir():
            raise ConfigError(f"{option} needs an existing folder, got {str(path.parent)!r}")


def read_numbers(option: str, text: str | None) -> list[float] | None:
    """Read numbers separated by commas; `?` is a missing one."""
    if text is None:
        return None
    numbers = []
    for part in text.split(","):
        try:
            numbers.append(math.nan if part.strip() == "?" else float(part))
        except ValueError:
            raise ConfigError(
                f"{option} must be numbers separated by commas, got {text!r}"
            ) from None
    return numbers


def read_names(text: str | None) -> list[str] | None:
    """Read names separated by commas."""
    return None if text is None else [part.strip() for part in text.split(",")]
