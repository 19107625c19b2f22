"""Checks of a component's kernels, called one by one."""

from typing import Any

import numpy as np

from ruleplay.core.basics.rng import spawn_states
from ruleplay.core.components.registry import Seam
from ruleplay.core.components.seams import Crossover, Encoding, Sampler, Selection, Storage
from ruleplay.engine import XCS
from ruleplay.replay.memory import Memory
from ruleplay.testing.lives import live, make_engine

TRIES = 50


def _states(n_features: int, seed: int = 1) -> Any:
    """Return states at random, and the corners of the space."""
    drawn = np.random.default_rng(seed).random((TRIES, n_features), np.float32)
    return np.concatenate([drawn, np.zeros((1, n_features)), np.ones((1, n_features))]).astype(
        np.float32
    )


def _encoded(settings: dict[str, Any]) -> tuple[Any, Any, Any, Any]:
    """Return an encoding, the parameters it is given, room for alleles, and random numbers."""
    agent = make_engine(settings).state.agent
    return agent.traits.condition, agent.params, np.zeros(4, np.float32), agent.rng


def covering_contains_the_state(seam: type[Seam], name: str, settings: dict[str, Any]) -> None:
    """Check that alleles made to cover a state stand for intervals that contain it."""
    encoding, params, alleles, rng = _encoded(settings)
    bounds = np.zeros(4, np.float32)
    for state in _states(2):
        Encoding.cover_alleles(encoding, alleles, state, params, rng)
        assert ((alleles >= 0.0) & (alleles <= 1.0)).all(), f"{name}: alleles must lie in [0, 1]"
        Encoding.express(encoding, alleles, bounds)
        assert (bounds[:2] <= state).all(), f"{name}: a covering rule must contain {state}"
        assert (state <= bounds[2:]).all(), f"{name}: a covering rule must contain {state}"
    Encoding.cover_alleles(encoding, alleles, np.full(2, np.nan, np.float32), params, rng)
    Encoding.express(encoding, alleles, bounds)
    assert bounds.tolist() == [0.0, 0.0, 1.0, 1.0], f"{name}: a missing value must be left free"


def mutated_alleles_stay_in_range(seam: type[Seam], name: str, settings: dict[str, Any]) -> None:
    """Check that mutation leaves alleles in [0, 1], and bounds in order."""
    encoding, params, alleles, rng = _encoded(settings | {"mutation_rate": 1.0})
    bounds = np.zeros(4, np.float32)
    Encoding.cover_alleles(encoding, alleles, np.full(2, 0.5, np.float32), params, rng)
    for _ in range(TRIES):
        Encoding.mutate_alleles(encoding, alleles, params, rng)
        assert ((alleles >= 0.0) & (alleles <= 1.0)).all(), f"{name}: alleles must lie in [0, 1]"
        Encoding.express(encoding, alleles, bounds)
        ordered = (bounds[:2] >= 0.0) & (bounds[:2] <= bounds[2:]) & (bounds[2:] <= 1.0)
        assert ordered.all(), f"{name}: 0 <= lower <= upper <= 1 must hold, got {bounds}"


def set_intervals_contain_what_they_must(
    seam: type[Seam], name: str, settings: dict[str, Any]
) -> None:
    """Check that an interval contains all that it was set to, and others stay as they were."""
    encoding, params, alleles, rng = _encoded(settings)
    bounds, drawn = np.zeros(4, np.float32), np.random.default_rng(2)
    Encoding.cover_alleles(encoding, alleles, np.full(2, 0.5, np.float32), params, rng)
    other = alleles[:2].copy()
    for _ in range(TRIES):
        low, high = np.sort(drawn.random(2).astype(np.float32))
        Encoding.set_interval(encoding, alleles, 1, float(low), float(high))
        Encoding.express(encoding, alleles, bounds)
        assert bounds[1] <= low, f"{name}: the interval must contain {low} to {high}"
        assert high <= bounds[3], f"{name}: the interval must contain {low} to {high}"
    assert (alleles[:2] == other).all(), f"{name}: set_interval must change feature k alone"


def a_constant_is_learned(seam: type[Seam], name: str, settings: dict[str, Any]) -> None:
    """Check that what is always paid is predicted, after some hundred experiences."""
    engine = make_engine(settings)
    rows = np.random.default_rng(3).random((600, 2)) * 2.0
    engine.learn_batch(rows, np.arange(600) % 2, np.full(600, 7.0))
    found = engine.predict(rows[:50])
    usual = float(np.nanmedian(np.abs(found - 7.0)))  # some rules are new
    assert usual < 0.5, f"{name}: after 600 payoffs of 7 predictions are off by {usual:g}"


def predictions_are_finite(seam: type[Seam], name: str, settings: dict[str, Any]) -> None:
    """Check that however wild payoffs are, predictions stay numbers."""
    engine, drawn = make_engine(settings), np.random.default_rng(4)
    rows = drawn.random((300, 2)) * 2.0
    for size in (1e-9, 1.0, 1e9):
        engine.learn_batch(rows, np.arange(300) % 2, size * drawn.standard_normal(300))
        found = engine.predict(rows)
        assert not np.isinf(found).any(), f"{name}: payoffs of size {size:g} give infinities"


def parents_are_members(seam: type[Seam], name: str, settings: dict[str, Any]) -> None:
    """Check that a parent is one of the action set."""
    engine = live(make_engine(settings))
    agent, places = engine.state.agent, engine.places().astype(np.uint32)
    selection = agent.traits.selection
    for size in range(1, len(places) + 1):
        parent = Selection.select_parent(
            selection, agent.population, places[:size], agent.scratch, agent.rng
        )
        assert parent in places[:size], f"{name}: {parent} is not one of {size} members"


def alleles_are_only_exchanged(seam: type[Seam], name: str, settings: dict[str, Any]) -> None:
    """Check that at each place the children have the alleles of their parents."""
    crossover = make_engine(settings).state.agent.traits.crossover
    rng = spawn_states(5, 1)[0]
    for count in (2, 4, 22):
        first, second = np.zeros(count, np.float32), np.ones(count, np.float32)
        for _ in range(TRIES):
            Crossover.cross(crossover, first, second, rng)
            assert (first + second == 1.0).all(), f"{name}: alleles must stay at their places"


def sampled_slots_are_in_use(seam: type[Seam], name: str, settings: dict[str, Any]) -> None:
    """Check that what is replayed is stored, from the first experience on."""
    engine = make_engine(settings)
    for number in range(1, 80):
        engine.remember_batch(np.full((1, 2), number / 50.0), [number % 2], [float(number)])
        memory, size = _memory_of(engine), min(number, 30)
        for _ in range(5):
            slot = Sampler.sample(memory.sampler, memory, size, memory.rng)
            assert 0 <= slot < size, f"{name}: slot {slot} must lie in [0, {size})"


def empty_slots_are_taken_in_order(seam: type[Seam], name: str, settings: dict[str, Any]) -> None:
    """Check that experience number n goes to slot n while there is room; later to any."""
    engine = make_engine(settings)
    for number in range(90):
        memory = _memory_of(engine)
        slot = Storage.choose_slot(_copied(memory.storage), number, 30, memory.rng.copy())
        expected = [number] if number < 30 else range(-1, 30)
        assert slot in expected, f"{name}: experience {number} must not go to slot {slot}"
        engine.remember_batch(np.full((1, 2), number / 50.0), [number % 2], [float(number)])


def _memory_of(engine: XCS) -> Memory:
    memory = engine.state.memory
    assert isinstance(memory, Memory), "the engine must have a replay memory"
    return memory


def _copied(component: Any) -> Any:
    """Return a component whose arrays are its own."""
    return type(component)(*(getattr(part, "copy", lambda p=part: p)() for part in component))
