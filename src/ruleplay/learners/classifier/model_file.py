"""A classifier's notes in a model file: what the engine does not know, as plain values.

The engine's file has a digest and no code. The notes inside are checked when they are read:
anything odd raises ModelFileError.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ruleplay.engine import XCS
from ruleplay.engine.inputs import checked_about, checked_integer
from ruleplay.errors import ConfigError, ModelFileError
from ruleplay.learners.classifier.categories import Categories, category_bounds
from ruleplay.learners.classifier.reading import reading_notes
from ruleplay.learners.classifier.settings import read_plan
from ruleplay.learners.common.scaling import Bounds, given_bounds

LEARNER = "classifier"
NOT_KEPT = ("callback",)
LARGEST_ITEM = 16  # bytes of a number
LARGEST_TEXT = 1 << 24

_ODD = (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError)


def notes_of(estimator: Any) -> dict[str, Any]:
    """Return what a file must hold besides the engine to make a classifier again."""
    low, high = estimator.bounds_
    return {
        "learner": LEARNER,
        "parameters": _plain_parameters(estimator.get_params(deep=False)),
        "classes": plain_values("classes", estimator.classes_),
        "weight_sums": estimator._weight_sums.tolist(),
        "bounds": [low.tolist(), high.tolist()],
        "categories": {
            str(k): plain_values(f"categories of column {k}", known)
            for k, known in estimator.categories_.items()
        },
        "has_feature_names": hasattr(estimator, "feature_names_in_"),
        "n_steps": estimator.n_steps_,
        "validation_scores": getattr(estimator, "validation_scores_", None),
        "random": estimator._rng.bit_generator.state,
    }


def save_classifier(estimator: Any, path: Any) -> None:
    """Write engine and notes to one file."""
    engine: XCS = estimator.engine_
    names = engine.about
    try:
        engine.about = checked_about(names | notes_of(estimator))
        engine.save(path)
    finally:
        engine.about = names


def load_classifier(cls: Any, path: Any) -> Any:
    """Read a classifier, or raise ModelFileError that says what is wrong."""
    engine = XCS.load(path)
    if engine.about.get("learner") != LEARNER:
        raise ModelFileError(f"{path}: the model was not saved by an XCSClassifier")
    try:
        return _rebuild(cls, engine)
    except _ODD as error:
        raise ModelFileError(
            f"{path}: the notes on the classifier are damaged: {type(error).__name__}: {error}"
        ) from None


def plain_values(what: str, values: NDArray[Any]) -> dict[str, Any]:
    """Return text, numbers or booleans as plain values with their kind."""
    plain = values.tolist()
    kinds = {type(value) for value in plain}
    if values.dtype.kind not in "biufUO" or not kinds <= {str, int, float, bool}:
        shown = sorted(kind.__name__ for kind in kinds)
        raise ConfigError(
            f"{what} must be text, numbers or booleans to be saved, got {', '.join(shown)}"
        )
    kind = "U" if values.dtype.kind == "U" else values.dtype.str
    return {"dtype": kind, "values": plain}


def read_values(notes: Any) -> NDArray[Any]:
    """Return the values that `plain_values` was given, or refuse them."""
    dtype, values = np.dtype(_typed(notes["dtype"], str)), _typed(notes["values"], list)
    if dtype.kind not in "biufUO" or dtype.itemsize > LARGEST_ITEM:
        raise ValueError(f"values of dtype {dtype} are not supported")
    if not values or not {type(value) for value in values} <= {str, int, float, bool}:
        raise TypeError("values must be text, numbers or booleans")
    if len(values) * max(len(str(value)) for value in values) > LARGEST_TEXT:
        raise ValueError(f"values must take at most {LARGEST_TEXT} characters")
    array = np.empty(len(values), object)
    array[:] = values
    if dtype.kind != "O":
        array = array.astype(dtype)
    if array.tolist() != values:
        raise ValueError(f"values must be of dtype {dtype}")
    return array


def _plain_parameters(parameters: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters as plain values; a random state in use and a callback are left."""
    kept = {name: value for name, value in parameters.items() if name not in NOT_KEPT}
    weights = kept["class_weight"]
    if isinstance(weights, dict):
        labels = plain_values("labels in class_weight", np.array(list(weights)))
        kept["class_weight"] = {**labels, "weights": [float(w) for w in weights.values()]}
    if not isinstance(kept["random_state"], (int, np.integer)):
        kept["random_state"] = None
    for name in ("bounds", "categorical_features"):
        kept[name] = _as_plain(kept[name])
    return {
        name: value.item() if isinstance(value, np.generic) else value
        for name, value in kept.items()
    }


def _as_plain(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_as_plain(item) for item in value]
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


def _rebuild(cls: Any, engine: XCS) -> Any:
    """Return a classifier made of an engine with notes; any error means that they are odd."""
    notes = engine.about
    estimator = cls(**_read_parameters(notes["parameters"]))
    classes = read_values(notes["classes"])
    if len(classes) != engine.n_actions or not np.array_equal(np.unique(classes), classes):
        raise ValueError(f"classes must be {engine.n_actions} labels in order")
    sums = np.array(notes["weight_sums"], np.float64)
    if sums.shape != (engine.n_actions,) or not (sums >= 0).all() or not 0 < sums.sum() < np.inf:
        raise ValueError(f"weight_sums must be {engine.n_actions} weights")
    estimator.engine_, estimator.classes_ = engine, classes
    estimator._weight_sums, estimator.class_prior_ = sums, sums / sums.sum()
    estimator.categories_ = _read_categories(notes["categories"], engine.n_features)
    estimator.bounds_ = _read_bounds(notes["bounds"], engine, estimator.categories_)
    estimator.n_features_in_ = engine.n_features
    if _typed(notes["has_feature_names"], bool):
        names = _typed(notes["feature_names"], list)
        if len(names) != engine.n_features or {type(name) for name in names} != {str}:
            raise ValueError(f"feature_names must be {engine.n_features} names")
        estimator.feature_names_in_ = np.array(names, object)
    estimator.n_steps_ = checked_integer("n_steps", notes["n_steps"], 0)
    if notes["validation_scores"] is not None:
        scores = _typed(notes["validation_scores"], list)
        estimator.validation_scores_ = [float(score) for score in scores]
    estimator._rng = _read_generator(notes["random"])
    read_plan(estimator)
    estimator._check_unchanged()
    named = {name: notes[name] for name in ("feature_names",) if name in notes}
    engine.about = reading_notes(classes, estimator.categories_) | named
    return estimator


def _read_parameters(parameters: Any) -> dict[str, Any]:
    read: dict[str, Any] = dict(_typed(parameters, dict))
    weights = read["class_weight"]
    if isinstance(weights, dict):
        labels = read_values(weights).tolist()
        read["class_weight"] = dict(zip(labels, weights["weights"], strict=True))
    return read


def _read_bounds(notes: Any, engine: XCS, categories: Categories) -> Bounds:
    low, high = given_bounds(notes, engine.n_features)
    expected = low.copy(), high.copy()
    category_bounds(*expected, categories)
    if not np.array_equal((low, high), expected):
        raise ValueError("the bounds of categorical columns must be those of their codes")
    if not ((low >= engine.low) & (high <= engine.high)).all():
        raise ValueError("bounds must lie within those of the engine")
    return low, high


def _read_categories(notes: Any, n_features: int) -> Categories:
    categories: Categories = {}
    for text, known in _typed(notes, dict).items():
        k = checked_integer("column", int(text), 0, n_features - 1)
        categories[k] = read_values(known)
        if len(set(known["values"])) != len(known["values"]):
            raise ValueError(f"the categories of column {k} must be different")
    return dict(sorted(categories.items()))


def _read_generator(state: Any) -> np.random.Generator:
    generator = np.random.default_rng(0)
    generator.bit_generator.state = state
    if generator.bit_generator.state != state:
        raise ValueError("the state of the random numbers must be as it was written")
    return generator


def _typed(value: Any, kind: type) -> Any:
    if type(value) is not kind:
        raise TypeError(f"a {kind.__name__} is expected, got {type(value).__name__}")
    return value
