"""Checks that let a whole engine live with a component."""

import copy
from typing import Any

import numpy as np

from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.config.options import every_own_field, own_settings
from ruleplay.core.components.registry import Seam
from ruleplay.engine import XCS

STEPS = 80
SMALL = {"population_size": 40, "ga_threshold": 5, "exploration": "epsilon_greedy"}
MEMORY = {"capacity": 30, "batch_size": 2, "warmup": 3}


def make_engine(settings: dict[str, Any], seed: int = 3, n_features: int = 2) -> XCS:
    """Make a small engine with replay, whose settings may be of XCS, of replay, or options."""
    xcs = _values(XCSConfig, settings)
    memory = _values(ReplayConfig, settings)
    return XCS(
        XCSConfig(**{**SMALL, **xcs}),
        ReplayConfig(**{**MEMORY, **memory}),
        n_actions=2,
        low=np.zeros(n_features),
        high=np.full(n_features, 2.0),
        seed=seed,
    )


def _values(cls: Any, settings: dict[str, Any]) -> dict[str, Any]:
    """Return those settings that a configuration has."""
    known = {field.name for field in (*own_settings(cls), *every_own_field(cls))}
    return {name: value for name, value in settings.items() if name in known}


def live(engine: XCS, steps: int = STEPS, seed: int = 5) -> XCS:
    """Let an engine walk about; it is paid for being on the right side; episodes end by chance."""
    rng = np.random.default_rng(seed)
    action = engine.step(rng.random(engine.n_features) * 2.0)
    for _ in range(steps):
        seen, chance = rng.random(engine.n_features) * 2.0, rng.random()
        reward = 100.0 * float((seen[0] > 1.0) == (action == 1))
        action = engine.step(seen, reward, chance < 0.05, 0.05 <= chance < 0.1)
        if action < 0:
            action = engine.step(rng.random(engine.n_features) * 2.0)
    return engine


def the_component_serves(seam: type[Seam], name: str, settings: dict[str, Any]) -> None:
    """Check that the settings lead to the component."""
    state = make_engine(settings).state
    found = [type(one) for one in (*state.traits, *state.memory)]
    assert seam.find(name) in found, f"{name}: {settings} does not lead to it"


def same_seed_same_bits(seam: type[Seam], name: str, settings: dict[str, Any]) -> None:
    """Check that two engines with one seed become the same."""
    one, other = (live(make_engine(settings)).to_bytes() for _ in range(2))
    assert one == other, f"{name}: two lives with one seed differ"


def invariants_hold(seam: type[Seam], name: str, settings: dict[str, Any]) -> None:
    """Check that what must always hold of an engine holds at any time of its life."""
    engine = make_engine(settings)
    for part in range(5):
        live(engine, STEPS // 5, seed=part).check()


def a_saved_engine_goes_on_bit_by_bit(
    seam: type[Seam], name: str, settings: dict[str, Any]
) -> None:
    """Check that an engine read from its file goes on as the one that was written."""
    engine = live(make_engine(settings))
    twin = XCS.from_bytes(engine.to_bytes())
    assert live(engine, seed=6).to_bytes() == live(twin, seed=6).to_bytes(), (
        f"{name}: a saved engine goes on differently; what kernels change must be in arrays that "
        "are fields of the component"
    )


def a_copy_goes_on_bit_by_bit(seam: type[Seam], name: str, settings: dict[str, Any]) -> None:
    """Check that a copy goes on as the original, and neither disturbs the other."""
    engine = live(make_engine(settings))
    twin = copy.deepcopy(engine)
    before = twin.to_bytes()
    live(engine, seed=6)
    assert twin.to_bytes() == before, f"{name}: a copy changes with its original"
    assert live(twin, seed=6).to_bytes() == engine.to_bytes(), f"{name}: a copy goes on differently"


def predictions_are_the_same_row_by_row(
    seam: type[Seam], name: str, settings: dict[str, Any]
) -> None:
    """Check that a batch has the predictions that its rows have alone."""
    engine = live(make_engine(settings))
    rows = np.random.default_rng(1).random((200, engine.n_features)) * 2.0
    alone = np.concatenate([engine.predict(row[np.newaxis]) for row in rows])
    assert engine.predict(rows).tobytes() == alone.tobytes(), f"{name}: batches predict otherwise"


def what_is_forgotten_is_gone(seam: type[Seam], name: str, settings: dict[str, Any]) -> None:
    """Check that after all experiences were dropped, the memory fills up anew."""
    engine = live(make_engine(settings))
    engine.forget()
    engine.check()
    live(engine, seed=7).check()
