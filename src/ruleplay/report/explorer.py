"""A page on which visitors search, draw and question the rules of a model."""

from collections.abc import Sequence

from ruleplay.report.page_parts import RULES, render
from ruleplay.report.rule_data import KnownRows, describe_rules
from ruleplay.report.rule_list import Item, list_items
from ruleplay.rules import Readable, RuleSet, sentences
from ruleplay.rules.wording import missing_sentence


def render_explorer(
    source: Readable | RuleSet,
    *,
    name: str,
    known: KnownRows | None = None,
    short: Sequence[Item] = (),
) -> str:
    """Return the page about a model's rules, named for instance after the model's file.

    It begins at the first of the rows that are known, if there are any, else in the middle.
    `short` are the rules of a list that stands at its top; an ordered set is its own.
    """
    rules = RuleSet.of(source)
    return render(
        "explorer.html",
        RULES,
        looks={},
        name=name,
        summary=_summary(rules),
        model=describe_rules([rules], known=known),
        strongest=sentences(rules, 10),
        short=short or (list_items(rules) if rules.ordered else []),
    )


def _summary(rules: RuleSet) -> str:
    """Say in a sentence what kind of rules these are."""
    count, width = _counted(len(rules), "rule"), _counted(len(rules.low), "feature")
    names, many = ", ".join(rules.outcome_names), "classes" if rules.classifies else "actions"
    how = "the first one that matches decides" if rules.ordered else "all that match vote"
    default = rules.outcome_names[rules.default_action]
    wrote = f" A person wrote {rules.hand_written} of them." if rules.hand_written else ""
    return (
        f"{count}, {how}.{wrote} {width}; {many}: {names}. Where no rule matches: {default}. "
        f"{missing_sentence(rules.missing_values, rules.features)}"
    )


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
