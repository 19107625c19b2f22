"""What `ruleplay rules` does with a model: the work behind its options."""

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ruleplay.cli.reading.descriptions import (
    describe_list,
    describe_model,
    describe_training_table,
)
from ruleplay.cli.terminal.output import (
    add_row,
    hand_over,
    new_table,
    print_json,
    print_table,
    say,
    tell,
)
from ruleplay.cli.terminal.outputs import Output, check_outputs
from ruleplay.engine import XCS
from ruleplay.errors import ConfigError
from ruleplay.output.files import MAKER, write_whole
from ruleplay.rules import (
    Compaction,
    RuleSet,
    compact,
    draw_map,
    explain,
    fixed,
    reading_sentence,
    sentences,
    value_digits,
)
from ruleplay.rules._memory import experiences
from ruleplay.rules.compaction.methods import REMEMBERED
from ruleplay.rules.drawing.pictures import check_picture_path
from ruleplay.rules.features import plain_label
from ruleplay.rules.wording import unsaid

if TYPE_CHECKING:
    from ruleplay.learners.classifier import XCSClassifier
    from ruleplay.learners.common.list_front import ListFront
    from ruleplay.learners.common.tabular import TabularLearner
    from ruleplay.learners.regressor import XCSRegressor
    from ruleplay.learners.rule_list import RuleListClassifier
    from ruleplay.learners.rule_list_regressor import RuleListRegressor
    from ruleplay.report.rule_data import Intervals, KnownRows

    AnyLists = RuleListClassifier | RuleListRegressor


class Form(NamedTuple):
    """A form in which rules are written: how files of it end, and what they are called."""

    ending: str
    kind: str  # as `is_ours` calls it


FORMS = {
    "json": Form(".json", "file of rules"),
    "csv": Form(".csv", "table of rules"),
    "python": Form(".py", "function"),
    "text": Form(".txt", "text of rules"),
    "html": Form(".html", "page"),
    "c": Form(".c", "function in C"),
    "javascript": Form(".js", "module of JavaScript"),
    "sql": Form(".sql", "query"),
    "onnx": Form(".onnx", "graph"),
    "pmml": Form(".pmml", "document of PMML"),
    "card": Form(".md", "model card"),
}
ENDINGS = {form.ending: name for name, form in FORMS.items()}


@dataclass(frozen=True)
class View:
    """A model's rules, or fewer of them, and what becomes of them."""

    name: str  # of the file that the user named
    source: XCS | RuleSet  # what is in it
    rules: RuleSet  # what is shown of it
    compaction: Compaction | None = None
    classifier: "XCSClassifier | None" = None  # whose rules they are, if they classify
    regressor: "XCSRegressor | None" = None  # if they are about a quantity
    lists: "AnyLists | None" = None  # that are in the file
    listed: "AnyLists | None" = None  # the list of them that is shown
    table: str = "observations"  # that a query reads
    data: tuple[str, str] | None = None  # the file, and its separator, whose rows a page draws

    def show(self, form: str, top: int | None) -> None:
        """Print the rules."""
        if form == "text":
            self.print(top)
        elif form == "json":
            print_json(self.describe(top))
        elif form == "csv":
            hand_over(self.rules.to_csv(top))
        else:
            hand_over(self.written(form))

    def print(self, top: int | None) -> None:
        """Print a table on a terminal, and a sentence per rule elsewhere; lists are sentences."""
        from rich.console import Console

        rules = self.rules
        count = None if rules.ordered and top is None else top or 20
        if self.listed is not None:
            self.print_list(self.listed, top)
            return
        if Console().is_terminal and not rules.ordered:
            print_rules_table(rules, count)
        else:
            tell(*sentences(rules, count))
        if rules.missing_values != "error":
            tell(reading_sentence(rules))
        how = "asked in this order" if rules.ordered else "the strongest first"
        say(f"{min(count or len(rules), len(rules))} of {len(rules)} rules, {how}")

    def print_list(self, listed: "AnyLists", top: int | None) -> None:
        """Print a list with what each rule did to the training rows, and what else there is."""
        say_training_table(listed.estimator_)
        lines, count = listed.text().splitlines(), listed.n_rules_
        if top is not None and top < count:
            lines[top : count + 1] = [unsaid(count - top)]
        tell(*lines)
        front = listed.front()
        measured = front.in_use.held_out
        others = [str(known.n_rules) for known in front if known.n_rules != front.chosen]
        said = f"right in {100 * measured:.1f} %" if self.regressor is None else off_by(front)
        say(f"{said} of rows held out in turn (cross-validation)")
        if others:
            say(f"there are lists of {', '.join(others)} rules, too: --max-rules N")
        say(f"the list is made of {listed.estimator_.engine_.macroclassifiers} rules: --all")

    def describe(self, top: int | None) -> dict[str, Any]:
        """Return a model and its first rules as plain values."""
        document = describe_model(self.source, self.rules, top)
        learner = self.classifier or self.regressor
        if learner is not None:
            document |= describe_training_table(learner)
        if self.listed is not None:
            document |= describe_list(self.listed, document["rules"])
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
        write_whole(path, self.written(ENDINGS[path.suffix]))
        say(f"rules: {path}")

    def written(self, form: str) -> str | bytes:
        """Return all rules in a form that is written to files."""
        rules = self.rules
        writers: dict[str, Callable[[], str | bytes]] = {
            "json": rules.to_json,
            "csv": rules.to_csv,
            "python": rules.to_python,
            "text": self.text,
            "html": self.page,
            "c": rules.to_c,
            "javascript": rules.to_javascript,
            "sql": lambda: rules.to_sql(self.table),
            "onnx": rules.to_onnx,
            "pmml": rules.to_pmml,
            "card": self.card,
        }
        return writers[form]()

    def text(self) -> str:
        """Return all rules as sentences that say who has written them."""
        count = f"{len(self.rules)} rule{'' if len(self.rules) == 1 else 's'}"
        text = self.rules.text() if self.listed is None else self.listed.text()
        return f"# {count}, written by {MAKER}\n{text}\n"

    def card(self) -> str:
        """Return what the classifier is, what it has learned from, and what it cannot do."""
        if self.classifier is None or self.compaction is not None:
            raise ConfigError("a model card needs a model of XCSClassifier or `fit`, and all of it")
        return self.classifier.model_card(title=f"Model card of {self.name}", file=self.name)

    def page(self) -> str:
        """Return a page on which the rules can be searched, drawn and questioned."""
        from ruleplay.report.explorer import render_explorer
        from ruleplay.report.rule_list import list_items

        lists, short = self.listed or self.lists, []
        if lists is not None and self.compaction is None:
            chosen: Any = lists.front().in_use
            short = list_items(chosen.ruleset, chosen.counts)
        return render_explorer(
            self.rules,
            name=self.name,
            known=self.known_rows(),
            intervals=self.intervals(),
            short=short,
        )

    def known_rows(self) -> "KnownRows | None":
        """Return rows that a page shows: of a table, else the typical ones of the model's file."""
        from ruleplay.cli.reading import known_rows as known
        from ruleplay.cli.reading.rows import read_labelled_rows, read_rows_with_quantity

        if self.data is None:
            return None if self.classifier is None else known.typical(self.classifier)
        name = f"rows of {Path(self.data[0]).name}"
        if self.classifier is not None:
            rows, labels = read_labelled_rows(self.classifier, *self.data)
            return known.with_rows(self.classifier, rows, labels, name)
        if self.regressor is not None:
            rows, values = read_rows_with_quantity(self.regressor, *self.data)
            return known.with_quantities(self.regressor, rows, values, name)
        raise ConfigError("--data draws rows on the page of a model of `fit`, which this is not")

    def intervals(self) -> "Intervals | None":
        """Return how far quantities are off, if all rules of a regressor are shown."""
        if self.regressor is None or self.rules.ordered:
            return None
        from ruleplay.cli.reading.intervals import intervals_of

        return intervals_of(self.regressor)

    def draw(self, path: Path, plane: list[str] | None, at: list[float] | None) -> None:
        """Draw the rules over the plane of two features."""
        draw_map(self.rules, plane, at=at, path=path)
        say(f"map: {path}")

    def explain(self, observation: list[float], *, as_json: bool) -> None:
        """Print why the rules decide as they do about an observation."""
        reasons = explain(self.rules, observation)
        if not as_json:
            tell(*reasons.text().split("\n"))
            return
        values = zip(self.rules.outcome_names, reasons.values.tolist(), strict=True)
        print_json(
            {
                "observation": list(map(plain_value, reasons.row)),
                "missing_values": self.rules.missing_values,
                "action": reasons.chosen,
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
    if engine.about.get("learner") == "regressor":
        return load_regressor(path, engine)
    if engine.about.get("learner") != "classifier":
        return View(path.name, engine, RuleSet.of(engine))
    from ruleplay.learners.classifier import XCSClassifier
    from ruleplay.learners.rule_list import RuleListClassifier
    from ruleplay.learners.rule_list.model_file import has_lists

    lists = RuleListClassifier.load(path) if has_lists(engine) else None
    classifier = XCSClassifier.load(path) if lists is None else lists.estimator_
    return View(path.name, engine, classifier.ruleset_, classifier=classifier, lists=lists)


def load_regressor(path: Path, engine: XCS) -> View:
    """Read a regressor, and its lists if there are any."""
    from ruleplay.learners.regressor import XCSRegressor
    from ruleplay.learners.rule_list_regressor import RuleListRegressor
    from ruleplay.learners.rule_list_regressor.model_file import has_lists

    lists = RuleListRegressor.load(path) if has_lists(engine) else None
    regressor = XCSRegressor.load(path) if lists is None else lists.estimator_
    return View(path.name, engine, regressor.ruleset_, regressor=regressor, lists=lists)


def off_by(front: "ListFront[Any]") -> str:
    """Say how far a list about a quantity is off."""
    return f"off by {front.written(front.in_use.held_out)} (root mean square) in predictions"


def shortened(view: View, max_rules: int | None) -> View:
    """Return a view of the model's own short list, if it has one.

    With a largest number of rules, of the longest list that has no more.
    """
    if view.lists is None:
        return view
    chosen = view.lists
    if max_rules is not None:
        fitting = [known.n_rules for known in chosen.front() if known.n_rules <= max_rules]
        if not fitting:
            raise ConfigError(f"--max-rules must be at least {chosen.front()[0].n_rules} here")
        chosen = chosen.take(max(fitting))
    return replace(view, rules=chosen.ruleset_, listed=chosen)


def say_training_table(learner: "TabularLearner") -> None:
    """Say what a model was learned from, and what was left out."""
    table = getattr(learner, "training_table_", None)
    if table is None:
        return
    names = ", ".join(table.columns.features)
    say(f"{table.target!r} from {table.n_rows} rows of {table.name}, by {names}")
    for name, why in table.columns.left_out.items():
        say(f"column {name!r} was left out: {why}")


MOST_RULES = 10  # of a list that is made here, if nothing is said


class Wish(NamedTuple):
    """How rules are to be made fewer."""

    method: str
    max_rules: int | None
    episodes: int  # that judge lists of models that act
    data: str | None  # a CSV file whose rows judge rules that classify
    separator: str

    @property
    def most(self) -> int:
        """Return how many rules a list may have."""
        return MOST_RULES if self.max_rules is None else self.max_rules


def compacted(view: View, wish: Wish) -> View:
    """Return a view of fewer rules, judged by episodes, by rows, or by what is remembered."""
    if view.classifier is not None:
        made = compact_classifier(view.name, view.classifier, wish)
    elif view.rules.regresses:
        raise ConfigError(
            "--compact makes lists of rules that decide, and these are about a quantity: "
            "`ruleplay fit` makes a list of them, with --max-rules N of other lengths"
        )
    elif wish.data is not None:
        raise ConfigError(f"--data judges rules that classify rows; those of {view.name} do not")
    else:
        made = compact_engine(view.source, wish)
    say(str(made))
    return replace(view, rules=made.ruleset, compaction=made, listed=None)


def compact_engine(source: XCS | RuleSet, wish: Wish) -> Compaction:
    """Make rules fewer; lists of models that act are judged by episodes."""
    score, check = None, None
    if wish.method == "evaluate" and wish.episodes > 0:
        from ruleplay.cli.reading.episodes import episode_scores

        score, check = episode_scores(getattr(source, "about", {}), wish.episodes)
    return compact(source, wish.method, score=score, check=check, max_rules=wish.most)


def compact_classifier(name: str, model: "XCSClassifier", wish: Wish) -> Compaction:
    """Make a classifier's rules fewer; random points would say nothing about real rows."""
    if wish.data is not None:
        from ruleplay.cli.reading.rows import read_model_rows

        rows = read_model_rows(model, wish.data, wish.separator)
        return model.compact(rows, method=wish.method, max_rules=wish.most)
    lived = experiences(model.engine_)
    if len(lived) < 2:
        table = getattr(model, "training_table_", None)
        origin = "the file that it was learned from" if table is None else table.name
        raise ConfigError(
            f"--compact needs rows that judge the rules of {name}, which remembers none: "
            f"add --data FILE.csv, for instance {origin}"
        )
    rows = np.clip(lived, *model.bounds_)
    made = compact(model.ruleset_, wish.method, rows, max_rules=wish.most)
    return replace(made, judged_on=REMEMBERED)


def plain_value(value: Any) -> Any:
    """Return a feature's value for JSON; None is a missing one."""
    return None if value is None else plain_label(value)


def print_rules_table(rules: RuleSet, top: int | None) -> None:
    """Print the first rules as a table with conditions in words."""
    numbers = ("value", "error", "fitness", "num", "exp")
    table = new_table("if", "then", *numbers, numbers=numbers)
    table.show_lines = True
    digits = value_digits(rules)
    for place, record in zip(rules.order[:top].tolist(), rules.records(top), strict=True):
        add_row(
            table,
            rules.phrases(place) or record["if"],
            record["then"],
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
    if out is not None and out.suffix not in ENDINGS:
        raise ConfigError(f"--out must end in {', '.join(ENDINGS)}, got {out.name!r}")
    if picture is not None:
        check_picture_path("--map", picture)
    kind = "" if out is None else FORMS[ENDINGS[out.suffix]].kind
    outputs = [Output("--out", out, kind), Output("--map", picture, "picture")]
    check_outputs(outputs, inputs, force=force)


def read_observation(option: str, text: str | None, rules: RuleSet) -> list[float] | None:
    """Read a value for each feature, separated by commas; categories by name, `?`: missing.

    A value in double quotes may have commas in it.
    """
    if text is None:
        return None
    values = [value.strip() for value in next(csv.reader([text], skipinitialspace=True), [])]
    names = rules.feature_names
    if len(values) != len(names):
        raise ConfigError(
            f"{option} must be {len(names)} values separated by commas "
            f"({', '.join(names)}), got {text!r}"
        )
    try:
        return [f.read(value) for f, value in zip(rules.features, values, strict=True)]
    except ConfigError as error:
        raise ConfigError(f"{option}: {error}") from None


def read_names(text: str | None) -> list[str] | None:
    """Read names separated by commas."""
    return None if text is None else [part.strip() for part in text.split(",")]
