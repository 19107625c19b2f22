"""The one door through which rules come that people wrote, or took from elsewhere."""

from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

from ruleplay.engine import XCS
from ruleplay.engine.inputs import checked_bounds
from ruleplay.errors import ConfigError, ModelFileError
from ruleplay.rules.by_hand.from_json import parse_json, rules_of_records
from ruleplay.rules.by_hand.from_set import rules_of_set
from ruleplay.rules.by_hand.from_table import columns_of_csv, rules_of_columns
from ruleplay.rules.by_hand.from_tree import is_tree, rules_of_tree
from ruleplay.rules.by_hand.rule import Rule
from ruleplay.rules.features import features_of
from ruleplay.rules.rule_file import FORMAT, read_text
from ruleplay.rules.ruleset import RuleSet

MODEL = ".ruleplay"


def read_rules(source: Any) -> tuple[Rule, ...]:
    """Return rules as `Rule`, to be given to a classifier.

    Args:
        source: A file (JSON, CSV, or a saved model, .ruleplay), JSON text, a list of rules or of
            dictionaries, a frame of pandas or polars as `rules_` is one, a fitted
            `DecisionTreeClassifier`, a `RuleSet`, or a fitted model that has one.

    The rules of an ordered list are taken as they stand: each holds wherever its own conditions
    do, not only where no earlier one does. What is wrong raises ConfigError.

    >>> read_rules('[{"if": {"petal width": [null, 0.8]}, "then": "setosa"}]')[0].label
    'setosa'
    """
    if isinstance(source, (str, PathLike)):
        text = str(source)
        is_json = isinstance(source, str) and text.lstrip().startswith(("[", "{"))
        return _of_json(text) if is_json else _of_file(Path(source))
    if is_tree(source):
        return rules_of_tree(source)
    if hasattr(source, "columns"):
        return rules_of_columns({str(name): source[name].to_list() for name in source.columns})
    if isinstance(source, RuleSet):
        return rules_of_set(source)
    if hasattr(type(source), "ruleset_"):
        return rules_of_set(source.ruleset_)
    return rules_of_records(source)


def _of_file(path: Path) -> tuple[Rule, ...]:
    try:
        if path.suffix.lower() == MODEL:
            return rules_of_set(_saved_rules(XCS.load(path)))
        text = read_text(path)
        if path.suffix.lower() == ".csv":
            return rules_of_columns(columns_of_csv(text.removeprefix("\ufeff")))
        return _of_json(text)
    except ModelFileError as error:
        raise ConfigError(str(error)) from None
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None


def _saved_rules(engine: XCS) -> RuleSet:
    """Return the rules of a saved model, within the bounds of the rows that it learned from.

    The engine's own may exceed them by a margin, in which a rule has nothing to match.
    """
    features = features_of(engine)
    try:
        low, high = checked_bounds(*engine.about["bounds"])
        within = list(zip(features, low.tolist(), high.tolist(), strict=True))
    except (KeyError, TypeError, ValueError):  # not the model of a classifier
        return RuleSet.of(engine)
    narrow = (f if f.categories else replace(f, low=a, high=b) for f, a, b in within)
    return RuleSet.of(engine, features=tuple(narrow))


def _of_json(text: str) -> tuple[Rule, ...]:
    found = parse_json(text)
    if isinstance(found, dict) and found.get("format") == FORMAT:
        return rules_of_set(RuleSet.from_json(text))
    return rules_of_records(found)
