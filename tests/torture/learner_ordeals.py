"""Odd calls of classifiers, stream learners, agents and sets of rules."""

import functools
import pickle
from random import Random
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from property.samples import bytes_of
from ruleplay import XCSAgent, XCSClassifier
from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.errors import RuleplayError
from ruleplay.rules import RuleSet, compact, explain
from torture.damage import split_model
from torture.model_kinds import labelled_rows, taught_stream
from torture.odd_values import Boom, dress, odd, small
from torture.ordeals import Call, Subject
from torture.originals import MEMORY, SMALL, make_original
from torture.worlds import Square

FITTED = (RuleplayError, Boom, ValueError, TypeError)  # as scikit-learn demands


class Classifiers(Subject):
    """Classifiers that have learned a little."""

    name, refusals = "classifier", FITTED

    def __init__(self) -> None:
        self.calls = CLASSIFIER_CALLS

    def fresh(self, random: Random) -> Any:
        return pickle.loads(_taught_classifier())

    def state(self, subject: Any) -> Any:
        return bytes_of(subject.engine_), subject.class_prior_.tolist(), subject.n_steps_

    def check(self, subject: Any) -> None:
        subject.engine_.check()
        assert np.isfinite(subject.predict_proba(labelled_rows(60)[0][:3])).all()


@functools.cache
def _taught_classifier() -> bytes:
    model = XCSClassifier(24, n_steps=60, random_state=0)
    return pickle.dumps(model.fit(*labelled_rows(60)))


def _labelled(random: Random) -> tuple[Any, Any]:
    rows, labels = labelled_rows(60)
    rows, labels = rows[:8], labels[:8]
    choice = random.random()
    if choice < 0.5:
        rows = dress(np.column_stack([rows["size"], np.zeros(8)]), random)
    if choice > 0.4:
        labels = odd(random) if random.random() < 0.3 else dress(labels, random)
    return rows, labels


def _fit(model: Any, random: Random) -> None:
    weights = dress(np.ones(8), random) if random.random() < 0.3 else None
    model.partial_fit(*_labelled(random), sample_weight=weights)


def _fit_anew(model: Any, random: Random) -> None:
    rows, labels = _labelled(random)
    parameters = {"population_size": 24, "n_steps": 20, "random_state": 0}
    name = random.choice(sorted(set(XCSClassifier._get_param_names()) - {"verbose", "callback"}))
    parameters[name] = small(random)
    XCSClassifier(**parameters).fit(rows, labels).engine_.check()


CLASSIFIER_CALLS: dict[str, Call] = {
    "partial_fit": _fit,
    "fit": _fit_anew,
    "predict": lambda model, random: model.predict(_labelled(random)[0]),
    "predict_proba": lambda model, random: model.predict_proba(_labelled(random)[0]),
    "score": lambda model, random: model.score(*_labelled(random)),
    "rules_text": lambda model, random: model.rules_text(odd(random)),
    "explain": lambda model, random: str(model.explain(dress([0.5, 0.0], random))),
    "compact": lambda model, random: model.compact(
        *_labelled(random), max_rules=small(random), tolerance=odd(random)
    ),
}


class Streams(Subject):
    """Stream learners that have learned a little."""

    name, refusals = "stream", FITTED

    def __init__(self) -> None:
        self.calls = STREAM_CALLS

    def fresh(self, random: Random) -> Any:
        return pickle.loads(_pickled_stream())

    def state(self, subject: Any) -> Any:
        _, payload = split_model(bytes_of(subject._engine))  # names are told when asked for
        return payload, list(subject._class_counts)

    def check(self, subject: Any) -> None:
        subject._engine.check()
        shares = subject.predict_proba_one({"size": 0.5, "colour": "red"})
        assert abs(sum(shares.values()) - 1.0) < 1e-9


@functools.cache
def _pickled_stream() -> bytes:
    return pickle.dumps(taught_stream())


def _example(random: Random) -> Any:
    if random.random() < 0.1:
        return odd(random)
    example: dict[Any, Any] = {"size": 0.5, "colour": "red"}
    example[random.choice(["size", "colour", "new", 3, None])] = odd(random)
    return example


def _class(random: Random) -> Any:
    return odd(random) if random.random() < 0.2 else "yes"


STREAM_CALLS: dict[str, Call] = {
    "learn_one": lambda model, random: model.learn_one(_example(random), _class(random)),
    "predict_one": lambda model, random: model.predict_one(_example(random)),
    "predict_proba_one": lambda model, random: model.predict_proba_one(_example(random)),
    "rules_text": lambda model, random: model.rules_text(odd(random)),
}


class RuleSets(Subject):
    """Sets of rules, which are read only."""

    name = "rules"

    def __init__(self) -> None:
        self.calls = RULE_CALLS

    def fresh(self, random: Random) -> Any:
        return _rules()

    def state(self, subject: Any) -> Any:
        return subject.to_json()


@functools.cache
def _rules() -> RuleSet:
    return RuleSet.of(make_original("uniform"))


def _seen(random: Random) -> Any:
    return dress([[random.uniform(-1, 3) for _ in range(3)] for _ in range(4)], random)


RULE_CALLS: dict[str, Call] = {
    "actions": lambda rules, random: rules.actions(_seen(random)),
    "values": lambda rules, random: rules.values(_seen(random)),
    "matches": lambda rules, random: rules.matches(_seen(random)),
    "take": lambda rules, random: rules.take(dress([0, 1], random)),
    "strongest": lambda rules, random: rules.strongest(odd(random)),
    "text": lambda rules, random: rules.text(odd(random)),
    "from_json": lambda rules, random: RuleSet.from_json(odd(random)),
    "explain": lambda rules, random: str(explain(rules, dress([0.5, 0.5, 0.5], random))),
    "compact": lambda rules, random: compact(
        rules,
        random.choice(["evaluate", "greedy", odd(random)]),
        _seen(random),
        labels=random.choice([None, dress([0, 1, 0, 1], random)]),
        max_rules=small(random),
        tolerance=odd(random),
    ),
}


class OddWorld(Square):
    """An environment that misbehaves in one way, from some step on."""

    def __init__(self, random: Random):
        self.random, self.way = random, random.choice(WAYS)
        self.left = random.choice([0, 1, 20, 60])
        if self.way == "space":
            self.observation_space = random.choice(SPACES)
        if self.way == "actions":
            self.action_space = random.choice(SPACES)

    def _strikes(self, way: str) -> bool:
        self.left -= 1
        return self.way == way and self.left < 0

    def reset(self, *, seed: Any = None, options: Any = None) -> Any:
        seen, told = super().reset(seed=seed)
        if self._strikes("reset"):
            return self.random.choice([seen, (seen,), (odd(self.random), told), (seen, told, 1)])
        return seen, told

    def step(self, action: Any) -> Any:
        seen, reward, ends, cut, told = super().step(action)
        if self._strikes("raise"):
            raise Boom("the environment broke")
        if self._strikes("observation"):
            seen = odd(self.random) if self.random.random() < 0.5 else dress(seen, self.random)
        if self._strikes("reward"):
            reward = odd(self.random)
        if self._strikes("flags"):
            ends, cut = odd(self.random), odd(self.random)
        if self._strikes("shape"):
            return self.random.choice([(seen, reward, ends, told), (), None, seen])
        return seen, reward, ends, cut, told


WAYS = ["reset", "raise", "observation", "reward", "flags", "shape", "space", "actions"]
SPACES = [
    spaces.Box(-np.inf, np.inf, (2,), np.float64),
    spaces.Box(0, 255, (3, 3), np.uint8),
    spaces.Box(-1e308, 1e308, (2,), np.float64),
    spaces.Box(0, 0, (2,), np.float64),
    spaces.Box(0, 1, (0,), np.float64),
    spaces.Discrete(1),
    spaces.Discrete(3, start=-5),
    spaces.MultiDiscrete([2, 3]),
    spaces.MultiBinary(3),
    spaces.Text(3),
    spaces.Dict(a=spaces.Discrete(2)),
    spaces.Tuple([spaces.Discrete(2)]),
    spaces.Dict(a=spaces.Tuple([spaces.Text(3), spaces.Box(0, np.inf, (2,))])),
    spaces.Sequence(spaces.Discrete(2)),
    None,
]


class Agents(Subject):
    """Agents in environments that misbehave, and agents with odd arguments."""

    name = "agent"
    refusals = (RuleplayError, Boom, ValueError, TypeError, gymnasium.error.Error)

    def __init__(self) -> None:
        self.calls = {"learn": _learn_oddly, "argument": _odd_argument}

    def fresh(self, random: Random) -> Any:
        return None


def _agent(env: Any, **arguments: Any) -> XCSAgent:
    config = XCSConfig(**SMALL, exploration="epsilon_greedy")
    return XCSAgent(env, **{"config": config, "replay": ReplayConfig(**MEMORY), **arguments})


def _learn_oddly(subject: Any, random: Random) -> None:
    agent = _agent(OddWorld(random))
    try:
        agent.learn(40, keep="last")
    finally:
        if agent._engine is not None:  # whatever happened, it can go on
            agent.engine.check()


def _odd_argument(subject: Any, random: Random) -> None:
    name = random.choice(["config", "replay", "bounds", "seed", "hindsight", "preset", "env"])
    given = {name: odd(random)} if name != "bounds" else {name: dress([[0, 0], [1, 1]], random)}
    agent = _agent(**{"env": Square(), **given})
    agent.learn(12, keep="last")
    agent.engine.check()
    seen = dress([0.5, 0.5], random)
    random.choice([agent.predict, agent.explain])(seen)
    agent.evaluate(small(random), max_episode_steps=20)
