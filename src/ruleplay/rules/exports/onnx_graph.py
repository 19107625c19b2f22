"""Write rules as an ONNX graph, which many programs run, in doubles.

Inputs are `numbers`, (rows, numeric features), and `categories`, texts, (rows, other features),
each in the features' order. Outputs are `decision` and, of a vote, `values`. Sums are cumulative
ones: these are added up in the order of the rules, as those of `RuleSet`.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ruleplay.errors import ConfigError
from ruleplay.output.files import MAKER
from ruleplay.rules.exports.contents import answers_of_one_type, headings, refuse_linear

if TYPE_CHECKING:
    from ruleplay.rules.ruleset import RuleSet

OPSET, ML_OPSET, IR_VERSION = 15, 2, 8
NUMBERS, CATEGORIES, DECISION, VALUES = "numbers", "categories", "decision", "values"
INSTALL = "pip install 'ruleplay[onnx]'"


def write_onnx(rules: "RuleSet") -> bytes:
    """Return a graph as bytes; needs the package onnx."""
    refuse_linear(rules, "ONNX")
    try:
        import onnx
    except ImportError:
        raise ConfigError(f"ONNX needs the package onnx: {INSTALL}") from None
    graph = _Graph(onnx)
    outside = _outside(graph, rules)
    action = (_first if rules.ordered else _best)(graph, rules, outside)
    answers = np.array(_encoded(answers_of_one_type(rules)))
    graph.add("Gather", graph.constant(answers), action, name=DECISION)
    outputs = [graph.described(DECISION, answers.dtype, ["rows"])]
    if not rules.ordered:
        outputs.append(graph.described(VALUES, np.dtype(float), ["rows", rules.n_actions]))
    return graph.to_bytes(_inputs(graph, rules), outputs, "\n".join(headings(rules)))


class _Graph:
    """A graph that grows node by node."""

    def __init__(self, onnx: Any) -> None:
        self.onnx = onnx
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def add(self, kind: str, *inputs: str, name: str = "", **attributes: Any) -> str:
        """Add a node; return the name of its output."""
        output = name or f"{kind.lower()}_{len(self.nodes)}"
        node = self.onnx.helper.make_node(kind, list(inputs), [output], **attributes)
        self.nodes.append(node)
        return output

    def constant(self, values: Any) -> str:
        """Add an array; return its name."""
        name, array = f"constant_{len(self.constants)}", np.asarray(values)
        if array.dtype.kind == "U":
            array = array.astype(object)
        self.constants.append(self.onnx.numpy_helper.from_array(array, name))
        return name

    def described(self, name: str, dtype: np.dtype[Any], shape: list[Any]) -> Any:
        """Return an input or an output of the whole graph."""
        kind = self.onnx.TensorProto.STRING
        if dtype.kind not in "OU":
            kind = self.onnx.helper.np_dtype_to_tensor_dtype(dtype)
        return self.onnx.helper.make_tensor_value_info(name, kind, shape)

    def to_bytes(self, inputs: list[Any], outputs: list[Any], about: str) -> bytes:
        """Return a checked model."""
        helper = self.onnx.helper
        graph = helper.make_graph(self.nodes, "rules", inputs, outputs, self.constants)
        domains = [helper.make_opsetid("", OPSET), helper.make_opsetid("ai.onnx.ml", ML_OPSET)]
        model = helper.make_model(
            graph, opset_imports=domains, producer_name=MAKER, doc_string=about
        )
        model.ir_version = IR_VERSION
        self.onnx.checker.check_model(model)
        written: bytes = model.SerializeToString(deterministic=True)
        return written


def _inputs(graph: _Graph, rules: "RuleSet") -> list[Any]:
    count = sum(not feature.categories for feature in rules.features)
    others = len(rules.features) - count
    inputs = [graph.described(NUMBERS, np.dtype(float), ["rows", count])] if count else []
    if others:
        inputs.append(graph.described(CATEGORIES, np.dtype(object), ["rows", others]))
    return inputs


def _encoded(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return values whose texts can be written."""
    for value in values:
        if isinstance(value, str) and not value.encode("utf-8", "ignore").decode() == value:
            raise ConfigError(f"names must not have half characters in ONNX, got {value!r}")
    return values


def _outside(graph: _Graph, rules: "RuleSet") -> str:
    """Return which rules keep which rows out, (rows, rules); a missing value is never outside."""
    number = category = 0
    parts: list[str] = []
    for k, feature in enumerate(rules.features):
        if feature.categories:
            parts.append(_not_chosen(graph, rules, k, category))
            category += 1
        else:
            parts += _beyond(graph, rules, k, number)
            number += 1
    outside = parts[0]
    for part in parts[1:]:
        outside = graph.add("Or", outside, part)
    return outside


def _beyond(graph: _Graph, rules: "RuleSet", k: int, place: int) -> list[str]:
    """Return below which rules' lower bounds, and above which upper ones, a number lies."""
    column = graph.add("Gather", NUMBERS, graph.constant([place]), axis=1)
    lower, upper = rules.lower[:, k], rules.upper[:, k]
    return [
        graph.add("Less", column, graph.constant(_with_default(rules, lower, -np.inf))),
        graph.add("Greater", column, graph.constant(_with_default(rules, upper, np.inf))),
    ]


def _not_chosen(graph: _Graph, rules: "RuleSet", k: int, place: int) -> str:
    """Return which rules do not allow a category; an unknown one is missing, as "" is."""
    feature = rules.features[k]
    known = _encoded(tuple(map(str, feature.categories)))
    if len(set(known)) < len(known):
        raise ConfigError(f"categories of {feature.name!r} must be different as text in ONNX")
    column = graph.add("Gather", CATEGORIES, graph.constant(place), axis=1)
    code = graph.add(
        "LabelEncoder",
        column,
        domain="ai.onnx.ml",
        keys_strings=known,
        values_int64s=list(range(len(known))),
        default_int64=int(feature.absent) if feature.names_absent else len(known),
    )
    left_out = np.zeros((len(known) + 1, len(rules)), np.bool_)
    for i in range(len(rules)):
        members = rules.members(i, k)
        left_out[: len(known), i] = [value not in members for value in feature.categories]
    table = np.array([_with_default(rules, row, False) for row in left_out])
    return graph.add("Gather", graph.constant(table), code)


def _with_default(rules: "RuleSet", values: NDArray[Any], open_value: Any) -> NDArray[Any]:
    """Return a value per rule, and one for the default of a list, which lets all pass."""
    return np.append(values, open_value) if rules.ordered or not len(rules) else values


def _first(graph: _Graph, rules: "RuleSet", outside: str) -> str:
    """Return the action of the first rule that matches."""
    is_inside = graph.add("Cast", graph.add("Not", outside), to=graph.onnx.TensorProto.INT64)
    place = graph.add("ArgMax", is_inside, axis=1, keepdims=0)
    actions = np.append(rules.action, rules.default_action)
    return graph.add("Gather", graph.constant(actions.astype(np.int64)), place)


def _best(graph: _Graph, rules: "RuleSet", outside: str) -> str:
    """Return the action of largest mean value, the first one among equals."""
    means = [_mean(graph, rules, outside, action) for action in range(rules.n_actions)]
    values = graph.add("Concat", *means, name=VALUES, axis=1)
    is_unknown = graph.add("IsNaN", values)
    filled = graph.add("Where", is_unknown, graph.constant([-np.inf]), values)
    best = graph.add("ArgMax", filled, axis=1, keepdims=0)
    unknown = graph.add("Cast", is_unknown, to=graph.onnx.TensorProto.INT64)
    is_silent = graph.add("ReduceMin", unknown, axes=[1], keepdims=0)
    is_silent = graph.add("Cast", is_silent, to=graph.onnx.TensorProto.BOOL)
    return graph.add("Where", is_silent, graph.constant([rules.default_action]), best)


def _mean(graph: _Graph, rules: "RuleSet", outside: str, action: int) -> str:
    """Return the mean that matching rules predict for an action, (rows, 1); NaN without one."""
    places = np.flatnonzero(rules.action == action)
    start = graph.constant([0.0])
    if not len(places):
        column = graph.add(
            "Cast",
            graph.add("Gather", outside, graph.constant([0]), axis=1),
            to=graph.onnx.TensorProto.DOUBLE,
        )
        return graph.add("Where", graph.add("IsNaN", column), start, graph.constant([np.nan]))
    left_out = graph.add("Gather", outside, graph.constant(places), axis=1)
    value, fitness = rules.prediction[places], rules.fitness[places]
    with np.errstate(all="ignore"):
        votes = (value * fitness, fitness, value, np.ones(len(places)))
    sums = [graph.add("Where", left_out, start, graph.constant(vote)) for vote in votes]
    weighted, total, plain, count = (_sum(graph, part, len(places)) for part in sums)
    has_fitness = graph.add("Greater", total, start)
    by_fitness, by_number = graph.add("Div", weighted, total), graph.add("Div", plain, count)
    return graph.add("Where", has_fitness, by_fitness, by_number)


def _sum(graph: _Graph, votes: str, count: int) -> str:
    """Return the sum of each row's votes in their order, (rows, 1)."""
    sums = graph.add("CumSum", votes, graph.constant(1))
    return graph.add("Gather", sums, graph.constant([count - 1]), axis=1)
