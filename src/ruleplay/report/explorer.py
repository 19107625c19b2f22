"""A page on which visitors search, draw and question the rules of a model."""

from collections.abc import Sequence

from ruleplay.report.page_parts import RULES, render
from ruleplay.report.rule_data import Intervals, KnownRows, describe_rules
from ruleplay.report.rule_list import Item, list_items
from ruleplay.rules import Readable, RuleSet, fixed, sentences, value_digits
from ruleplay.rules.wording import missing_sentence


def render_explorer(
    source: Readable | RuleSet,
    *,
    name: str,
    known: KnownRows | None = None,
    intervals: Intervals | None = None,
    short: Sequence[Item] = (),
) -> str:
    """Return the page about a model's rules, named for instance after the model's file.

    It begins at the first of the rows that are known, if there are any, else in the middle.
    `intervals` say how far quantities are off on new rows; without them, rules are taken at their
    word. `short` are the rules of a list that stands at its top; an ordered set is its own.
    """
    rules = RuleSet.of(source)
    return render(
        "explorer.html",
        RULES,
        looks={},
        name=name,
        summary=_summary(rules),
        model=describe_rules([rules], known=known, intervals=intervals),
        strongest=sentences(rules, 10),
        short=short or (list_items(rules) if rules.ordered else []),
    )


def _summary(rules: RuleSet) -> str:
    """Say in a sentence what kind of rules these are."""
    count, width = _counted(len(rules), "rule"), _counted(len(rules.low), "feature")
    wrote = f" A person wrote {rules.hand_written} of them." if rules.hand_written else ""
    return (
        f"{count}, {_how(rules)}.{wrote} {width}; {_about(rules)} "
        f"{missing_sentence(rules.missing_values, rules.features)}"
    )


def _how(rules: RuleSet) -> str:
    """Say how rules speak together."""
    if rules.ordered:
        return f"the first one that matches {'speaks' if rules.regresses else 'decides'}"
    return "the mean of all that match is taken" if rules.regresses else "all that match vote"


def _about(rules: RuleSet) -> str:
    """Say what rules are about, and what is so where no rule matches."""
    names = rules.outcome_names
    if rules.quantities is None:
        many, default = "classes" if rules.classifies else "actions", names[rules.default_action]
        return f"{many}: {', '.join(names)}. Where no rule matches: {default}."
    digits = value_digits(rules)
    known = [
        (name, *(fixed(value, digits) for value in values))
        for name, values in zip(names, rules.quantities.T.tolist(), strict=True)
    ]
    ranges = ", ".join(f"{name} from {low} to {high}" for name, low, _, high in known)
    usual = ", ".join(f"{name} = {value}" for name, _, value, _ in known)
    return f"{ranges}. Where no rule matches: {usual}."


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
