"""Lists of rules in a model file: plain values beside those of the regressor they are made of.

A file with lists is a regressor's file with one note more, so that either can be read from it.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from ruleplay.engine import XCS
from ruleplay.engine.inputs import checked_integer
from ruleplay.errors import ConfigError
from ruleplay.learners.common.model_notes import typed
from ruleplay.learners.common.table_notes import plain_parameters
from ruleplay.learners.regressor import XCSRegressor
from ruleplay.learners.regressor import model_file as regressor_file
from ruleplay.learners.rule_list_regressor.front import QuantityList, QuantityListFront
from ruleplay.rules import RuleSet
from ruleplay.rules.rule_file import read_records, write_records

LISTS = "quantity_lists"  # what the note is called


def notes_of(model: Any) -> dict[str, Any]:
    """Return what a file must hold besides the engine to make lists again."""
    front = model.front()
    lists = {
        "parameters": _plain_parameters(model),
        "chosen": front.chosen,
        "lists": [_plain_list(one) for one in front],
    }
    return {**regressor_file.notes_of(model.estimator_), LISTS: lists}


def _plain_parameters(model: Any) -> dict[str, Any]:
    """Return the parameters as plain values; a regressor by its own."""
    given, population = plain_parameters(model), model.estimator
    return {**given, "estimator": None if population is None else plain_parameters(population)}


def _plain_list(one: QuantityList) -> dict[str, Any]:
    return {
        "rules": write_records(one.ruleset),
        "train_error": one.train_error,
        "held_out_error": one.held_out_error,
    }


def has_lists(engine: XCS) -> bool:
    """Tell whether the file of an engine has lists of rules."""
    return LISTS in engine.about


def rebuild(cls: Any, engine: XCS) -> Any:
    """Return the lists in an engine's notes; any error means that these are odd."""
    if not has_lists(engine):
        raise ConfigError("there is no list of rules: the file is that of an XCSRegressor")
    notes = typed(engine.about[LISTS], dict)
    regressor = regressor_file.rebuild(XCSRegressor, engine)
    model = cls(**_read_parameters(typed(notes["parameters"], dict)))
    model._check_longest()
    lists = [_read_list(one, regressor.ruleset_) for one in typed(notes["lists"], list)]
    lengths = [one.n_rules for one in lists]
    if lengths != sorted(set(lengths)):
        raise ValueError("lists must be from the shortest to the longest")
    front = QuantityListFront(lists, checked_integer("chosen", notes["chosen"], 0))
    front.of_length(front.chosen)
    model._take_over(regressor, front)
    return model


def _read_parameters(notes: dict[str, Any]) -> dict[str, Any]:
    population = notes["estimator"]
    if population is not None:
        population = XCSRegressor(**typed(population, dict))
    return {**notes, "estimator": population}


def _read_list(notes: Any, rules: RuleSet) -> QuantityList:
    """Return one list, whose features and target are those of all rules."""
    size = 0 if rules.weights is None else len(rules.model_columns) + 1
    parts = read_records(notes["rules"], rules.features, rules.outcome_names, True, size)
    if not len(parts["action"]) or ("weights" in parts) != (size > 0):
        raise ValueError("a list must have rules, with models as the regressor's")
    ruleset = replace(rules, **{"weights": None, **parts}, model="linear", ordered=True)
    last = len(ruleset) - 1
    if any(ruleset.limits(last, k) for k in range(len(ruleset.features))):
        raise ValueError("the last rule of a list must be for all other rows")
    return QuantityList(ruleset, *(_read_error(notes, name) for name in ("train", "held_out")))


def _read_error(notes: Any, name: str) -> float:
    error: float = typed(notes[f"{name}_error"], float)
    if not 0.0 <= error < np.inf:
        raise ValueError(f"errors must be finite and at least 0, got {error}")
    return error
