"""Give an engine more room: more actions, more features, wider bounds.

`widened` returns a new engine that predicts what the old one did. Bounds of rules, stored
experiences and linear models are re-expressed in the new scale; a copy of the rules for
bootstrapping is taken anew when it is next asked. Observations beyond the
bounds are clipped to them, so an interval that reaches a bound is open on that side, and
stays open.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ruleplay.engine import XCS
from ruleplay.engine.transfer import (
    empty_like,
    encode_boxes,
    fill_rules,
    merge_equal,
    rules_of,
    sum_up,
)
from ruleplay.errors import ConfigError
from ruleplay.replay.component_state import component_states
from ruleplay.replay.memory import Memory

Vector = NDArray[np.float64]


class Change(NamedTuple):
    """How an old scaled feature becomes a new one: offset + factor * old; new ones follow."""

    offset: Vector
    factor: Vector
    n_new: int

    def of(self, states: NDArray[np.float32], fill: float) -> NDArray[np.float32]:
        """Return states, (rows, features), in the new scale; `fill` for new features."""
        moved = np.clip(self.offset + self.factor * states.astype(float), 0.0, 1.0)
        added = np.full((len(states), self.n_new), fill)
        return np.concatenate([moved, added], axis=1).astype(np.float32)


def widened(engine: XCS, n_actions: int, low: ArrayLike, high: ArrayLike) -> XCS:
    """Return an engine with more actions, more features or wider bounds, and the same rules.

    The first features are those of the old engine; their bounds may only move outwards.
    Rules leave new features free, new actions have no rules. Two rules that become equal
    in the coarser scale are merged.
    """
    wide = empty_like(engine, n_actions=n_actions, low=low, high=high)
    _check_wider(engine, wide)
    change = _change(engine, wide)
    parts = _moved_rules(engine, change)
    fill_rules(wide, parts)
    distinct = merge_equal(wide, parts)
    if len(distinct["action"]) < len(parts["action"]):
        wide = empty_like(engine, n_actions=n_actions, low=low, high=high)
        fill_rules(wide, distinct)
    move_rest(engine, wide)
    return wide


def _check_wider(engine: XCS, wide: XCS) -> None:
    if wide.n_actions < engine.n_actions or wide.n_features < engine.n_features:
        raise ConfigError(
            f"n_actions and the number of features must be at least {engine.n_actions} and "
            f"{engine.n_features}, got {wide.n_actions} and {wide.n_features}"
        )
    old = slice(engine.n_features)
    if (wide.low[old] > engine.low).any() or (wide.high[old] < engine.high).any():
        raise ConfigError("low and high must not move inwards")


def _change(engine: XCS, wide: XCS) -> Change:
    old = slice(engine.n_features)
    whole = wide.high[old] - wide.low[old]
    return Change(
        offset=(engine.low - wide.low[old]) / whole,
        factor=(engine.high - engine.low) / whole,
        n_new=wide.n_features - engine.n_features,
    )


def _moved_rules(engine: XCS, change: Change) -> dict[str, NDArray[Any]]:
    """Return the parts of all rules, by name, as the wide engine will hold them."""
    parts = rules_of(engine) | {"alleles": _moved_alleles(engine, change)}
    prediction = engine.state.traits.prediction
    if "weights" in parts:
        if not hasattr(prediction, "widen_models"):
            raise ConfigError(
                f"prediction = {engine.config.prediction!r} has models that cannot be widened: it "
                "needs widen_models(weights, gain, offset, factor, n_new, settings)"
            )
        models = prediction.widen_models(parts["weights"], parts["gain"], *change, engine.config)
        parts |= {"weights": models[0], "gain": models[1]}
    return parts


def _moved_alleles(engine: XCS, change: Change) -> NDArray[np.float32]:
    """Return the alleles in the new scale, (rules, 2 * features)."""
    population, places = engine.state.arrays.population, engine.places()
    n_features, condition = engine.n_features, engine.config.condition
    old = population.alleles[places].reshape(len(places), n_features, 2).astype(float)
    bounds = population.bounds[places].astype(float)
    lower, upper = bounds[:, :n_features], bounds[:, n_features:]
    opens, closes = lower <= 0.0, upper >= 1.0
    lower = np.where(opens, 0.0, change.offset + change.factor * lower)
    upper = np.where(closes, 1.0, change.offset + change.factor * upper)
    if condition == "center_spread":
        center = change.offset + change.factor * old[:, :, 0]
        new = _centered(center, change.factor * old[:, :, 1], lower, upper, opens, closes)
    elif condition != "unordered":
        new = encode_boxes(engine, lower, upper)
    else:
        swapped = (old[:, :, 0] > old[:, :, 1])[:, :, None]
        new = np.where(swapped, np.stack([upper, lower], 2), np.stack([lower, upper], 2))
    same = (change.offset == 0.0) & (change.factor == 1.0)
    new = np.where(same[:, None], old, new)
    free = encode_boxes(engine, np.zeros((1, change.n_new)), np.ones((1, change.n_new)))
    free = np.repeat(free, len(places), axis=0)
    moved = np.concatenate([new, free], axis=1)
    flat = moved.reshape(len(places), 2 * moved.shape[1]).astype(np.float32)
    return np.clip(flat, 0.0, 1.0)


def _centered(
    center: Vector, spread: Vector, lower: Vector, upper: Vector, opens: Any, closes: Any
) -> Vector:
    """Return centres and spreads of intervals; open sides must reach 0 or 1 after rounding."""
    center = np.where(opens & ~closes, np.minimum(center, upper / 2), center)
    center = np.where(closes & ~opens, np.maximum(center, (1 + lower) / 2), center)
    spread = np.where(opens & ~closes, upper - center, spread)
    spread = np.where(closes & ~opens, center - lower, spread)
    spread = np.where(opens & closes, np.maximum(center, 1 - center), spread)
    center, spread = center.astype(np.float32), spread.astype(np.float32)
    short = opens & (center.astype(float) - spread > 0.0)
    short |= closes & (center.astype(float) + spread < 1.0)
    spread = np.where(short, np.nextafter(spread, np.float32(2)), spread)
    return np.stack([center, spread], 2).astype(float)


def move_rest(engine: XCS, wide: XCS) -> None:
    """Copy counters, random states and the memory, and sum up what depends on the rules."""
    change = _change(engine, wide)
    fill = np.nan if engine.config.missing_values == "match" else 0.5
    arrays = wide.state.arrays
    arrays.state[:] = engine.state.arrays.state
    wide.state.recall_hope()
    sum_up(wide)
    arrays.scratch.previous[:] = change.of(engine.state.arrays.scratch.previous[None], fill)[0]
    arrays.rng[:] = engine.state.arrays.rng
    wide.state.arrays.env_rng[:] = engine.state.arrays.env_rng
    for trait, before in zip(wide.state.traits, engine.state.traits, strict=True):
        if hasattr(trait, "adopt"):
            trait.adopt(before)
    if engine.replay is None:
        return
    old, new = engine.state.memory, wide.state.memory
    assert isinstance(old, Memory)
    assert isinstance(new, Memory)
    size = min(int(engine.state.arrays.state["stored"][0]), engine.replay.capacity)
    new.states[:size] = change.of(old.states[:size], fill)
    new.next_states[:size] = change.of(old.next_states[:size], fill)
    for name in ("actions", "rewards", "terminal"):
        getattr(new, name)[:size] = getattr(old, name)[:size]
    new.rng[:] = old.rng
    for account, before in zip(component_states(new), component_states(old), strict=True):
        account.adopt(before, np.arange(size), arrays.params[0])
