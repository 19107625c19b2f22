"""Files of models: engines, classifiers, agents, and the engine in a pickled stream."""

import copy
import functools
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pandas as pd

from ruleplay import RuleListRegressor, XCSAgent, XCSClassifier, XCSRegressor
from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.engine import XCS
from ruleplay.report.explorer import render_explorer
from torture.damage import Field, damage_blindly, forge_model, payload_fields
from torture.originals import COMPILED, MEMORY, SMALL, kinds_of, make_original
from torture.survival import Stages, Verdict, check_copy, engine_stages, judge, keep_invariants
from torture.worlds import Goals, Square

BLINDLY = 0.15  # share of files that are damaged without a fitting digest


class ModelKind:
    """Models of one kind: a healthy file, and what a damaged one must go through."""

    def __init__(self, name: str, make: Callable[[Path], Any], known: set[Any] | None, steps: int):
        self.name, self._make, self.known, self.steps = name, make, known, steps

    def path(self, folder: Path) -> Path:
        return folder / f"{self.name}.ruleplay"

    def make(self, folder: Path) -> None:
        """Write the healthy file, once."""
        if not self.path(folder).exists():
            beside = folder / f"{self.name}.new"
            self._make(beside)
            beside.replace(self.path(folder))

    def attack(self, random: Random, folder: Path, place: Path) -> Verdict:
        """Damage the file in one way and try it."""
        healthy = self.path(folder)
        if random.random() < BLINDLY:
            content, what = damage_blindly(_content(healthy), random)
        else:
            content, what = forge_model(_content(healthy), _fields(healthy), random)
        print(f"{self.name}: {what}", flush=True)  # for the watchdog's report
        damaged = place / "damaged.ruleplay"
        damaged.write_bytes(content)
        outcome, detail = self.judge(damaged, place)
        return outcome, f"{detail}\n{self.name}: {what}"

    def judge(self, damaged: Path, place: Path) -> Verdict:
        """Load an engine and let it live."""
        return judge(
            lambda: XCS.load(damaged),
            lambda engine: engine_stages(engine, place, self.known, self.steps),
        )


@functools.cache
def _content(path: Path) -> bytes:
    return path.read_bytes()


@functools.cache
def _fields(path: Path) -> list[Field]:
    return payload_fields(XCS.load(path))


class ClassifierKind(ModelKind):
    """Classifiers, with a column of categories."""

    def judge(self, damaged: Path, place: Path) -> Verdict:
        def stages(model: Any) -> Stages:
            rows, labels = labelled_rows(max(self.steps, 20))
            learns = self.known is None or kinds_of(model.engine_) in self.known
            again = place / "again.ruleplay"
            return [
                ("predict", lambda: _unless_named_otherwise(model.predict_proba, rows[:20])),
                ("read", lambda: model.rules_text()),
                ("explain", lambda: _unless_named_otherwise(model.explain, rows[:1])),
                (
                    "learn",
                    lambda: (
                        _unless_named_otherwise(model.partial_fit, rows, labels) if learns else None
                    ),
                ),
                ("check after learning", lambda: keep_invariants(model.engine_)),
                ("save", lambda: model.save(again)),
                (
                    "load",
                    lambda: _unless_named_otherwise(XCSClassifier.load(again).predict, rows[:20]),
                ),
                ("copy", lambda: keep_invariants(copy.deepcopy(model).engine_)),
            ]

        return judge(lambda: XCSClassifier.load(damaged), stages)


class RegressorKind(ModelKind):
    """Regressors, or lists of their rules, with a column of categories."""

    def __init__(self, *arguments: Any, learner: Any):
        super().__init__(*arguments)
        self.learner = learner

    def judge(self, damaged: Path, place: Path) -> Verdict:
        def stages(model: Any) -> Stages:
            rows, again = labelled_rows(20)[0], place / "again.ruleplay"
            return [
                ("predict", lambda: _unless_named_otherwise(model.predict, rows)),
                ("read", model.rules_text),
                ("page", lambda: render_explorer(model.ruleset_, name="model")),
                ("explain", lambda: _unless_named_otherwise(model.explain, rows[:1])),
                ("save", lambda: model.save(again)),
                ("load", lambda: self._load(again, rows)),
                ("copy", lambda: _unless_named_otherwise(copy.deepcopy(model).predict, rows)),
            ]

        return judge(lambda: self.learner.load(damaged), stages)

    def _load(self, path: Path, rows: pd.DataFrame) -> None:
        _unless_named_otherwise(self.learner.load(path).predict, rows)


def _unless_named_otherwise(call: Callable[..., Any], *arguments: Any) -> None:
    """Call; a model whose file gives columns or classes other names may refuse ours."""
    try:
        call(*arguments)
    except ValueError as error:
        if not re.search("feature names|y must hold the classes|in class_weight", str(error)):
            raise


class AgentKind(ModelKind):
    """Agents in an environment, which goes on after loading."""

    def __init__(self, *arguments: Any, world: Callable[[], Any]):
        super().__init__(*arguments)
        self.world = world

    def judge(self, damaged: Path, place: Path) -> Verdict:
        def stages(agent: Any) -> Stages:
            learns = self.known is None or kinds_of(agent.engine) in self.known
            again, seen = place / "again.ruleplay", self.world().reset(seed=1)[0]
            return [
                ("predict", lambda: agent.predict(seen)),
                ("read", lambda: agent.rules_text() + str(agent.explain(seen))),
                ("learn", lambda: agent.learn(self.steps, keep="last") if learns else None),
                ("check after learning", lambda: keep_invariants(agent.engine)),
                ("save", lambda: agent.save(again)),
                ("load", lambda: XCSAgent.load(again).predict(seen)),
                ("copy", lambda: check_copy(copy.deepcopy(agent).engine, 0)),
            ]

        return judge(lambda: XCSAgent.load(damaged, env=self.world()), stages)


class StreamKind(ModelKind):
    """The engine within the state of a stream learner."""

    def judge(self, damaged: Path, place: Path) -> Verdict:
        def load() -> Any:
            model = copy.deepcopy(taught_stream())
            model._engine = XCS.from_bytes(damaged.read_bytes())
            return model

        def stages(model: Any) -> Stages:
            rows, labels = labelled_rows(self.steps)
            examples = list(zip(rows.to_dict("records"), labels, strict=True))
            return [
                ("predict", lambda: model.predict_proba_one(examples[0][0])),
                ("learn", lambda: [model.learn_one(*example) for example in examples] and None),
                ("check after learning", lambda: keep_invariants(model._engine)),
                ("copy", lambda: check_copy(copy.deepcopy(model)._engine, 0)),
            ]

        return judge(load, stages)


@functools.cache
def labelled_rows(count: int) -> tuple[pd.DataFrame, Any]:
    """Return rows of a number and a category, some missing, with two classes."""
    random = np.random.default_rng(3)
    numbers, words = random.random(count), random.choice(["red", "green", "blue"], count)
    labels = np.where((numbers > 0.5) == (words == "red"), "yes", "no")
    gaps = np.where(random.random(count) < 0.1, np.nan, numbers)
    kinds = pd.Categorical(words, ["blue", "green", "red"])
    return pd.DataFrame({"size": gaps, "colour": kinds}), labels


def save_classifier(path: Path) -> None:
    model = XCSClassifier(24, n_steps=200, random_state=0, class_weight={"no": 1.0, "yes": 2.0})
    model.fit(*labelled_rows(60)).save(path)


@functools.cache
def taught_regressor() -> XCSRegressor:
    """Return a regressor of a quantity that numbers and categories say."""
    rows, labels = labelled_rows(60)
    amounts = 10.0 * rows["size"].fillna(0.5) + 3.0 * (labels == "yes")
    model = XCSRegressor(24, n_steps=200, error_threshold=1.0, random_state=0)
    return model.fit(rows, amounts.rename("amount"))


@functools.cache
def taught_quantity_list() -> RuleListRegressor:
    """Return lists of the rules of a regressor."""
    rows = labelled_rows(60)[0]
    model = taught_regressor()
    return RuleListRegressor.of(model, rows, model.predict(rows), max_rules=2)


def save_agent(path: Path) -> None:
    settings, replay = COMPILED["linear-sequences"]
    config, memory = (
        XCSConfig(**{**SMALL, **settings}),
        ReplayConfig(**{**MEMORY, **(replay or {})}),
    )
    XCSAgent(Square(), config=config, replay=memory).learn(150, keep="last").save(path)


def save_goal_agent(path: Path) -> None:
    config = XCSConfig(**SMALL, exploration="epsilon_greedy")
    agent = XCSAgent(Goals(), config=config, replay=ReplayConfig(**MEMORY), hindsight=2)
    agent.learn(150, keep="last").save(path)


@functools.cache
def taught_stream() -> Any:
    from ruleplay import XCSStream

    model = XCSStream(24, replay_capacity=16, grace_period=10, seed=0)
    rows, labels = labelled_rows(60)
    for x, y in zip(rows.to_dict("records"), labels, strict=True):
        model.learn_one(x, y)
    return model


def engine_kinds(names: Any, known: set[Any] | None, steps: int) -> list[ModelKind]:
    """Return kinds for engines by the names of their originals."""
    return [
        ModelKind(name, lambda path, name=name: make_original(name).save(path), known, steps)
        for name in names
    ]


def learner_kinds(known: set[Any] | None, steps: int) -> list[ModelKind]:
    """Return kinds for the learners whose kernels engines have, too."""
    return [
        ClassifierKind("classifier", save_classifier, known, steps),
        AgentKind("agent", save_agent, known, steps, world=Square),
    ]


def more_learner_kinds(steps: int) -> list[ModelKind]:
    """Return kinds for the learners with kernels of their own."""
    return [
        AgentKind("goal-agent", save_goal_agent, None, steps, world=Goals),
        RegressorKind(
            "regressor",
            lambda path: taught_regressor().save(path),
            None,
            steps,
            learner=XCSRegressor,
        ),
        RegressorKind(
            "quantity-list",
            lambda path: taught_quantity_list().save(path),
            None,
            steps,
            learner=RuleListRegressor,
        ),
        StreamKind("stream", lambda path: taught_stream()._engine.save(path), None, steps),
    ]
