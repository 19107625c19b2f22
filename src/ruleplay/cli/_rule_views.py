"""What `ruleplay rules` does with a model: the work behind its options."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ruleplay.cli._output import (
    add_row,
    hand_over,
    new_table,
    print_json,
    print_table,
    say,
    tell,
)
from ruleplay.cli._outputs import Output, check_outputs
from ruleplay.engine import XCS
from ruleplay.errors import ConfigError
from ruleplay.files import MAKER, write_whole
from ruleplay.rules import (
    Compaction,
    RuleSet,
    compact,
    draw_map,
    explain,
    fixed,
    names_of,
    rules_records,
    sentences,
    value_digits,
)
from ruleplay.rules._memory import experiences
from ruleplay.rules.compaction import REMEMBERED
from ruleplay.rules.pictures import check_picture_path
from ruleplay.rules.table import rules_csv

if TYPE_CHECKING:
    from ruleplay.learners.classifier import XCSClassifier

KINDS = {  # of files, by their ending
    ".json": "file of rules",
    ".csv": "table of rules",
    ".py": "function",
    ".txt": "text of rules",
    ".html": "page",
}


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
            hand_over(rules_csv(self.shown, top))
        elif form == "python":
            hand_over(RuleSet.of(self.shown).to_python())
        elif form == "html":
            hand_over(self.page())
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
            tell(*sentences(self.shown, self.records(count)))
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
                "judged_on": made.judged_on,
                "loss": made.loss,
                "score_before": made.score_before,
                "score_after": made.score_after,
            }
        return document

    def write(self, path: Path) -> None:
        """Write the rules to a file of the kind that its name says, whole or not at all."""
        rules = RuleSet.of(self.shown)
        count = f"{len(rules)} rule{'' if len(rules) == 1 else 's'}"
        text = f"# {count}, written by {MAKER}\n{rules.text()}\n"
        if path.suffix == ".json":
            text = rules.to_json()
        elif path.suffix == ".csv":
            text = rules.to_csv()
        elif path.suffix == ".py":
            text = rules.to_python()
        elif path.suffix == ".html":
            text = self.page()
        write_whole(path, text)
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
            tell(*reasons.text().split("\n"))
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


class Wish(NamedTuple):
    """How rules are to be made fewer."""

    method: str
    max_rules: int
    episodes: int  # that judge lists of models that act
    data: str | None  # a CSV file whose rows judge rules that classify
    separator: str


def compacted(view: View, wish: Wish) -> View:
    """Return a view of fewer rules, judged by episodes, by rows, or by what is remembered."""
    if view.classifier is not None:
        made = compact_classifier(view.name, view.classifier, wish)
    elif wish.data is not None:
        raise ConfigError(f"--data judges rules that classify rows; those of {view.name} do not")
    else:
        made = compact_engine(view.source, wish)
    say(str(made))
    return replace(view, shown=made.ruleset, compaction=made)


def compact_engine(source: XCS | RuleSet, wish: Wish) -> Compaction:
    """Make rules fewer; lists of models that act are judged by episodes."""
    score, check = None, None
    if wish.method == "evaluate" and wish.episodes > 0:
        from ruleplay.cli._rule_episodes import episode_scores

        score, check = episode_scores(source.about, wish.episodes)
    return compact(source, wish.method, score=score, check=check, max_rules=wish.max_rules)


def compact_classifier(name: str, model: "XCSClassifier", wish: Wish) -> Compaction:
    """Make a classifier's rules fewer; random points would say nothing about real rows."""
    if wish.data is not None:
        from ruleplay.cli._model_rows import read_model_rows

        rows = read_model_rows(model, wish.data, wish.separator)
        return model.compact(rows, method=wish.method, max_rules=wish.max_rules)
    lived = experiences(model.engine_)
    if len(lived) < 2:
        raise ConfigError(
            f"--compact needs rows that judge the rules of {name}, which remembers none: "
            "add --data FILE.csv, for instance the file that it was learned from"
        )
    from ruleplay.learners._classifier_rules import deciding_rules

    rules = deciding_rules(model.engine_, model.bounds_, model.class_prior_)
    rows = np.clip(lived, *model.bounds_)
    made = compact(rules, wish.method, rows, max_rules=wish.max_rules)
    return replace(made, judged_on=REMEMBERED)


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


def print_rules_table(source: Any, records: list[dict[str, Any]]) -> None:
    """Print rules as a table with conditions in words."""
    numbers = ("value", "error", "fitness", "num", "exp")
    table = new_table("if", "then", *numbers, numbers=numbers)
    table.show_lines = True
    digits = value_digits(source)
    for record in records:
        add_row(
            table,
            record["if"].split(" AND "),
            record["action"],
            fixed(record["prediction"], digits),
            fixed(record["error"], digits),
            fixed(record["fitness"], 3),
            str(record["numerosity"]),
            str(record["experience"]),
        )
    print_table(table)


def check_targets(
    out: Path | None, picture: Path | None, inputs: Sequence[str | Path | None], *, force: bool
) -> None:
    """Refuse places where nothing can be written, before any work is done."""
    if out is not None and out.suffix not in KINDS:
        raise ConfigError(f"--out must end in {', '.join(KINDS)}, got {out.name!r}")
    if picture is not None:
        check_picture_path("--map", picture)
    kind = "" if out is None else KINDS[out.suffix]
    outputs = [Output("--out", out, kind), Output("--map", picture, "picture")]
    check_outputs(outputs, inputs, force=force)


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
