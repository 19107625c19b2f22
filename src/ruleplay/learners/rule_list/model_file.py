"""Lists of rules in a model file: plain values beside those of the classifier they are made of.

A file with lists is a classifier's file with one note more, so that either can be read from it.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ruleplay.engine import XCS
from ruleplay.engine.inputs import checked_integer
from ruleplay.errors import ConfigError
from ruleplay.learners.classifier import XCSClassifier
from ruleplay.learners.classifier import model_file as classifier_file
from ruleplay.learners.common.model_notes import typed
from ruleplay.learners.rule_list.front import RuleList, RuleListFront
from ruleplay.rules import RuleSet
from ruleplay.rules.rule_file import read_records, write_records

LISTS = "rule_lists"  # what the note is called


def notes_of(model: Any) -> dict[str, Any]:
    """Return what a file must hold besides the engine to make lists again."""
    front = model.front()
    lists = {
        "parameters": _plain_parameters(model),
        "chosen": front.chosen,
        "lists": [_plain_list(one) for one in front],
    }
    return {**classifier_file.notes_of(model.estimator_), LISTS: lists}


def _plain_parameters(model: Any) -> dict[str, Any]:
    """Return the parameters as plain values; a classifier by its own."""
    given, population = classifier_file.classifier_parameters(model), model.estimator
    plain = None if population is None else classifier_file.classifier_parameters(population)
    return {**given, "estimator": plain}


def _plain_list(one: RuleList) -> dict[str, Any]:
    return {
        "rules": write_records(one.ruleset),
        "default": int(one.ruleset.default_action),
        "class_counts": one.class_counts.tolist(),
        "class_weights": one.class_weights.tolist(),
        "train_accuracy": one.train_accuracy,
        "held_out_accuracy": one.held_out_accuracy,
    }


def has_lists(engine: XCS) -> bool:
    """Tell whether the file of an engine has lists of rules."""
    return LISTS in engine.about


def rebuild(cls: Any, engine: XCS) -> Any:
    """Return the lists in an engine's notes; any error means that these are odd."""
    if not has_lists(engine):
        raise ConfigError("there is no list of rules: the file is that of an XCSClassifier")
    notes = typed(engine.about[LISTS], dict)
    classifier = classifier_file.rebuild(XCSClassifier, engine)
    model = cls(**_read_parameters(typed(notes["parameters"], dict)))
    model._check_longest()
    lists = [_read_list(one, classifier.ruleset_) for one in typed(notes["lists"], list)]
    lengths = [one.n_rules for one in lists]
    if lengths != sorted(set(lengths)):
        raise ValueError("lists must be from the shortest to the longest")
    front = RuleListFront(lists, checked_integer("chosen", notes["chosen"], 0))
    front.of_length(front.chosen)
    model._take_over(classifier, front)
    return model


def _read_parameters(notes: dict[str, Any]) -> dict[str, Any]:
    read = classifier_file.read_parameters(notes)
    if read["estimator"] is not None:
        read["estimator"] = XCSClassifier(**classifier_file.read_parameters(read["estimator"]))
    return read


def _read_list(notes: Any, rules: RuleSet) -> RuleList:
    """Return one list, whose features and classes are those of all rules."""
    parts = read_records(notes["rules"], rules.features, rules.outcome_names, ordered=True)
    ruleset = RuleSet(
        **parts,
        features=rules.features,
        outcomes=rules.outcomes,
        default_action=checked_integer("default", notes["default"], 0, rules.n_actions - 1),
        ordered=True,
        error_threshold=rules.error_threshold,
        missing_values=rules.missing_values,
        against_below=rules.against_below,
    )
    shape = (len(ruleset) + 1, rules.n_actions)
    counts = _read_table("class_counts", notes["class_counts"], shape)
    if counts.dtype.kind != "i":
        raise ValueError("class_counts must be whole numbers")
    weights = _read_table("class_weights", notes["class_weights"], shape).astype(np.float64)
    shares = [_read_share(notes[name]) for name in ("train_accuracy", "held_out_accuracy")]
    return RuleList(ruleset, counts.astype(np.int64), weights, *shares)


def _read_table(what: str, values: Any, shape: tuple[int, int]) -> NDArray[Any]:
    """Return sums for each rule and each class."""
    table = np.array(typed(values, list))
    if table.dtype.kind not in "if" or table.shape != shape:
        raise ValueError(f"{what} must be {shape[0]} times {shape[1]} numbers")
    if not ((table >= 0) & (table < 1e300)).all():
        raise ValueError(f"{what} must be finite numbers of at least 0")
    return table


def _read_share(value: Any) -> float:
    share: float = typed(value, float)
    if not 0.0 <= share <= 1.0:
        raise ValueError(f"accuracies must lie in [0, 1], got {share}")
    return share
