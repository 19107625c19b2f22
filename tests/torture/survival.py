"""What a model that was loaded must be able to do."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ruleplay.engine import XCS
from ruleplay.engine.invariants import broken_invariants
from ruleplay.errors import RuleplayError
from torture.originals import kinds_of, live
from torture.part import first_line

STEPS = 300
MOST_CELLS = 2_000_000  # features times rows of a test that stays small
REFUSALS = (RuleplayError,)

Verdict = tuple[str, str]  # outcome, detail
Stages = list[tuple[str, Callable[[], Any]]]


def judge(load: Callable[[], Any], stages: Callable[[Any], Stages]) -> Verdict:
    """Load, then go through the stages; say how far that went."""
    try:
        model = load()
    except REFUSALS:
        return "refused", ""
    except Exception as error:
        return "other-error", f"load: {first_line(error)}"
    for name, act in stages(model):
        try:
            act()
        except AssertionError as error:
            return "check-fails", f"{name}: {first_line(error)}"
        except Exception as error:
            return "other-error", f"{name}: {first_line(error)}"
    return "sound", ""


def engine_stages(engine: XCS, folder: Path, known: set[Any] | None, steps: int = STEPS) -> Stages:
    """Return what an engine must survive; kinds that are not `known` would be compiled."""
    waits = isinstance(engine.config.initial_prediction, str) and engine.largest_return is None
    more = steps if not waits and (known is None or kinds_of(engine) in known) else 0
    return [
        ("predict", lambda: predict(engine)),
        ("check", lambda: keep_invariants(engine)),
        ("learn", lambda: live(engine, more, 7) if more else None),
        ("check after learning", lambda: keep_invariants(engine)),
        ("save and load", lambda: same_again(engine, folder)),
        ("copy", lambda: check_copy(engine, more // 10)),
    ]


def keep_invariants(engine: XCS) -> None:
    """Check an engine; a file may say that it has diverged, which is odd and no fault of ours."""
    broken = broken_invariants(engine)
    assert not broken, broken[0]


def predict(engine: XCS) -> None:
    """Predict for a few rows within the bounds."""
    random = np.random.default_rng(0)
    rows = engine.low + (engine.high - engine.low) * 0.999 * random.random((5, engine.n_features))
    assert engine.predict(rows).shape == (5, engine.n_actions)


def same_again(engine: XCS, folder: Path) -> None:
    """Compare an engine's file with the file of what is read from it."""
    one, two = folder / "one.ruleplay", folder / "two.ruleplay"
    engine.save(one)
    XCS.load(one).save(two)
    assert one.read_bytes() == two.read_bytes(), "what was loaded is not what was saved"


def check_copy(engine: XCS, steps: int) -> None:
    """Let a copy learn, which must do no harm to it or to the engine."""
    twin = copy.deepcopy(engine)
    keep_invariants(twin)
    predict(twin)
    before = engine.export()
    if steps:
        live(twin, steps, 11)
        keep_invariants(twin)
    for name, values in engine.export().items():
        assert np.array_equal(before[name], values, equal_nan=values.dtype.kind == "f"), name
