"""Write a list of rules as PMML: a RuleSetModel whose first rule that fires decides.

PMML can weigh rules against each other by sums and by maxima, but not by the means that a vote
takes: votes cannot be written.
"""

import math
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from ruleplay.errors import ConfigError
from ruleplay.output.files import MAKER
from ruleplay.rules.exports.contents import (
    Choice,
    Interval,
    absent_of,
    answers_of_one_type,
    conditions_of,
    headings,
    labels_of,
    may_miss,
)
from ruleplay.rules.spelling import ABSENT

if TYPE_CHECKING:
    from ruleplay.rules.ruleset import RuleSet

NAMESPACE = "http://www.dmg.org/PMML-4_4"
VERSION = "4.4"

_TYPES = {str: "string", bool: "boolean", int: "integer", float: "double"}


def write_pmml(rules: "RuleSet") -> str:
    """Return a document with a RuleSetModel."""
    if not rules.ordered:
        raise ConfigError(
            "PMML has no votes by mean values, only by sums or maxima, which decide otherwise: "
            "make a list of the rules by compact"
        )
    root = Element("PMML", xmlns=NAMESPACE, version=VERSION)
    title, *about = headings(rules)
    header = SubElement(root, "Header", description=_writable(" ".join([title, *about])))
    SubElement(header, "Application", name=MAKER)
    target = _target(rules)
    _add_dictionary(root, rules, target)
    _add_model(root, rules, target)
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _writable(text: str) -> str:
    """Return text that XML may hold."""
    for sign in text:
        is_control = sign < " " and sign not in "\t\n\r"
        if is_control or "\ud800" <= sign <= "\udfff" or sign in "\ufffe\uffff":
            raise ConfigError(f"names must not have the sign {sign!r} in PMML, got {text!r}")
    return text


def _text(value: Any) -> str:
    """Return a category, a class or a number as PMML writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, (int, float)) else _writable(str(value))


def _target(rules: "RuleSet") -> str:
    """Return the name of what is decided, which no feature has."""
    name = rules.noun
    while name in rules.feature_names:
        name += "_"
    return name


def _answers(rules: "RuleSet") -> list[str]:
    return list(map(_text, answers_of_one_type(rules)))


def _add_dictionary(root: Element, rules: "RuleSet", target: str) -> None:
    """Add all fields, with the values that they may have."""
    fields = SubElement(root, "DataDictionary", numberOfFields=str(len(rules.features) + 1))
    for feature in rules.features:
        if feature.categories:
            _add_values(fields, feature.name, labels_of(feature))
        else:
            name = _writable(feature.name)
            SubElement(fields, "DataField", name=name, optype="continuous", dataType="double")
    _add_values(fields, target, answers_of_one_type(rules))


def _add_values(fields: Element, name: str, values: tuple[Any, ...]) -> None:
    kinds = {_TYPES[type(value)] for value in values}
    kind = kinds.pop() if len(kinds) == 1 else "string"
    field = SubElement(
        fields, "DataField", name=_writable(name), optype="categorical", dataType=kind
    )
    for value in values:
        SubElement(field, "Value", value=_text(value))


def _add_model(root: Element, rules: "RuleSet", target: str) -> None:
    model = SubElement(root, "RuleSetModel", functionName="classification", algorithmName="XCS")
    schema = SubElement(model, "MiningSchema")
    for feature in rules.features:
        missing = {"invalidValueTreatment": "asMissing"}
        if not may_miss(rules):
            missing = {
                "invalidValueTreatment": "returnInvalid",
                "missingValueTreatment": "returnInvalid",
            }
        if feature.names_absent:
            missing = {
                "invalidValueTreatment": "asMissing",
                "missingValueReplacement": ABSENT,
            }
        SubElement(schema, "MiningField", {"name": feature.name, **missing})
    SubElement(schema, "MiningField", name=target, usageType="target")
    answers = _answers(rules)
    listed = SubElement(model, "RuleSet", defaultScore=answers[rules.default_action])
    SubElement(listed, "RuleSelectionMethod", criterion="firstHit")
    for i in range(len(rules)):
        rule = SubElement(listed, "SimpleRule", id=str(i + 1), score=answers[rules.action[i]])
        _add_predicate(rule, rules, i)


def _add_predicate(rule: Element, rules: "RuleSet", i: int) -> None:
    """Add the conditions of a rule; where values may be missing, such a value satisfies them."""
    conditions = conditions_of(rules, i)
    if not conditions:
        SubElement(rule, "True")
        return
    box = (
        rule
        if len(conditions) == 1
        else SubElement(rule, "CompoundPredicate", booleanOperator="and")
    )
    for condition in conditions:
        parent, name = box, rules.features[condition.feature].name
        if may_miss(rules) and condition.feature not in absent_of(rules):
            parent = SubElement(box, "CompoundPredicate", booleanOperator="or")
            SubElement(parent, "SimplePredicate", field=name, operator="isMissing")
        if isinstance(condition, Choice):
            _add_choice(parent, rules, condition)
        else:
            _add_interval(parent, condition, name)


def _add_interval(parent: Element, interval: Interval, name: str) -> None:
    sides = {"greaterOrEqual": interval.lower, "lessOrEqual": interval.upper}
    known = {operator: side for operator, side in sides.items() if math.isfinite(side)}
    if len(known) > 1:
        parent = SubElement(parent, "CompoundPredicate", booleanOperator="and")
    for operator, side in known.items():
        SubElement(parent, "SimplePredicate", field=name, operator=operator, value=repr(side))


def _add_choice(parent: Element, rules: "RuleSet", choice: Choice) -> None:
    """Add a choice of categories: a field that equals one of them; False if there is none."""
    feature = rules.features[choice.feature]
    labels = labels_of(feature)
    if not choice.places:
        SubElement(parent, "False")
        return
    if len(choice.places) > 1:
        parent = SubElement(parent, "CompoundPredicate", booleanOperator="or")
    for place in choice.places:
        value = _text(labels[place])
        SubElement(parent, "SimplePredicate", field=feature.name, operator="equal", value=value)
