"""Odd calls of engines and their configurations."""

import dataclasses
import tempfile
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from property.samples import SCRATCH, bytes_of
from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.engine import XCS
from ruleplay.envs import make_problem
from torture.odd_values import dress, odd, small
from torture.ordeals import Call, Subject
from torture.originals import INTERPRETED, MEMORY, SMALL, live, make_original

ROWS = 4
HUGE = [1e308, -1e308, 1e300]
FLAGS = [True, False, None, 0, 1, 2.5, "x", "", np.bool_(True), np.float64("nan"), []]


class Engines(Subject):
    """Engines of some kinds that have learned a little."""

    def __init__(self, names: Any, calls: dict[str, Call]):
        self.name, self.names, self.calls = "engine", list(names), calls
        self._made: dict[str, bytes] = {}

    def fresh(self, random: Random) -> XCS:
        name = random.choice(self.names)
        if name not in self._made:
            self._made[name] = bytes_of(make_original(name))
        with tempfile.TemporaryDirectory(dir=SCRATCH) as folder:
            path = Path(folder) / "engine.ruleplay"
            path.write_bytes(self._made[name])
            return XCS.load(path)

    def state(self, subject: XCS) -> bytes:
        return bytes_of(subject)

    def check(self, subject: XCS) -> None:
        subject.check()
        bytes_of(subject)


def _row(engine: XCS, random: Random) -> Any:
    good = [random.uniform(-1.5, 3.5) for _ in range(engine.n_features)]
    return dress(good, random) if random.random() < 0.7 else good


def _rows(engine: XCS, random: Random) -> Any:
    good = [[random.uniform(-1.0, 3.0) for _ in engine.low] for _ in range(ROWS)]
    return dress(good, random) if random.random() < 0.4 else good


def _action(engine: XCS, random: Random) -> Any:
    return odd(random) if random.random() < 0.5 else random.randrange(engine.n_actions)


def _reward(random: Random) -> Any:
    return odd(random) if random.random() < 0.4 else random.choice([0.0, 1.0, 1000, *HUGE])


def _experiences(engine: XCS, random: Random) -> tuple[Any, ...]:
    actions: Any = [random.randrange(engine.n_actions) for _ in range(ROWS)]
    rewards: Any = [random.choice([0.0, 1.0, *HUGE]) for _ in range(ROWS)]
    given = [_rows(engine, random), actions, rewards]
    given += [_rows(engine, random), [random.random() < 0.2 for _ in range(ROWS)]]
    place = random.randrange(len(given))
    given[place] = odd(random) if random.random() < 0.2 else dress(given[place], random)
    return tuple(given if engine.replay is not None else given[:3])


def _tally(engine: XCS, random: Random) -> None:
    given = [_rows(engine, random), np.ones((ROWS, engine.n_actions)), np.ones(ROWS)]
    given.append(np.zeros(engine.macroclassifiers))
    place = random.randrange(len(given))
    given[place] = odd(random) if random.random() < 0.3 else dress(given[place], random)
    engine.tally(*given)


def _step(engine: XCS, random: Random) -> None:
    flags = [random.choice(FLAGS) if random.random() < 0.2 else False for _ in range(2)]
    engine.step(_row(engine, random), _reward(random), *flags)


def _learn(engine: XCS, random: Random) -> None:
    following = _row(engine, random) if random.random() < 0.5 else None
    engine.learn(_row(engine, random), _action(engine, random), _reward(random), following)


def _paths(engine: XCS, random: Random) -> None:
    with tempfile.TemporaryDirectory(dir=SCRATCH) as folder:
        places: list[Any] = [folder, f"{folder}/no/model", f"{folder}/{'x' * 300}", f"{folder}/\0"]
        path = random.choice(places)
        try:
            random.choice([engine.save, XCS.load])(path)
        except (OSError, ValueError):  # what the operating system says about a path
            assert not list(Path(folder).iterdir())


PROBLEMS = ("rmp3", "chain", "cartpole", "mountaincar")


def _problem(random: Random) -> Any:
    return odd(random) if random.random() < 0.1 else make_problem(random.choice(PROBLEMS))


QUICK_CALLS: dict[str, Call] = {
    "step": _step,
    "act": lambda engine, random: engine.act(_row(engine, random), random.choice(FLAGS)),
    "learn_batch": lambda engine, random: engine.learn_batch(*_experiences(engine, random)),
    "go_on": lambda engine, random: live(engine, 20, random.randrange(100)),
    "predict": lambda engine, random: engine.predict(dress(_rows(engine, random), random)),
    "forget": lambda engine, random: engine.forget(odd(random)),
    "paths": _paths,
    "export": lambda engine, random: engine.export(),
    "start_episode": lambda engine, random: engine.start_episode(),
}
CALLS: dict[str, Call] = QUICK_CALLS | {
    "learn": _learn,
    "remember_batch": lambda engine, random: engine.remember_batch(*_experiences(engine, random)),
    "run": lambda engine, random: engine.run(_problem(random), small(random), small(random)),
    "run_in_pieces": lambda engine, random: list(
        engine.run_in_pieces(_problem(random), 10, pieces=small(random))
    ),
    "tally": _tally,
    "evaluate": lambda engine, random: engine.evaluate(
        _problem(random), small(random), odd(random)
    ),
}


class Births(Subject):
    """Engines that are made of odd arguments; those that come to be must be able to live."""

    name, calls = "XCS", {"born": lambda subject, random: born(random)}

    def fresh(self, random: Random) -> Any:
        return None


def born(random: Random) -> None:
    """Make an engine of which one or two arguments are odd, and let it live."""
    settings, replay = random.choice(list(INTERPRETED.values()))
    given: dict[str, Any] = {
        "config": XCSConfig(**{**SMALL, **settings}),
        "replay": None if replay is None else ReplayConfig(**{**MEMORY, **replay}),
        "n_actions": 2,
        "low": [0.0, 0.0],
        "high": [1.0, 1.0],
        "seed": 1,
        "horizon": 100,
        "about": None,
        "largest_return": 1.0,
    }
    for name in random.sample(sorted(given), random.choice([1, 1, 2])):
        if name in ("config", "replay"):
            given[name] = random.choice([odd(random), _odd_config(name, random)])
        elif name in ("low", "high"):
            given[name] = dress(given[name], random)
        else:
            given[name] = small(random) if name == "n_actions" else odd(random)
    engine = XCS(**given)
    if engine.n_features < 100:
        live(engine, 12, 0)
        engine.check()


def _odd_config(name: str, random: Random) -> Any:
    """Return a configuration with one odd setting."""
    owner: Any = XCSConfig if name == "config" else ReplayConfig
    usual: dict[str, Any] = dict(SMALL if name == "config" else MEMORY)
    setting = random.choice([field.name for field in dataclasses.fields(owner)])
    is_size = setting in ("population_size", "capacity", "batch_size", "split_refuted")
    usual[setting] = (small if is_size else odd)(random)
    return owner(**usual)


def rows_within(engine: XCS, count: int) -> Any:
    """Return rows within an engine's bounds."""
    shares = np.linspace(0.0, 1.0, count)[:, None]
    return engine.low + shares * (engine.high - engine.low)
