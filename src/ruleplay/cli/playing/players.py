"""Find out how a saved model plays: its rules, its environment, and what passes between."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import DependencyNotInstalled
from gymnasium.wrappers import TimeLimit

from ruleplay.engine import XCS
from ruleplay.envs import CompiledEnv, make_problem
from ruleplay.envs.drawing.rendering import painter_for
from ruleplay.errors import ConfigError, ModelFileError
from ruleplay.experiments.spec import load_preset
from ruleplay.learners.agent.interface import Interface, make_interface, open_env
from ruleplay.rules import RuleSet

MakeEnv = Callable[[str | None], Any]  # render mode -> environment


@dataclass(frozen=True)
class Player:
    """Rules that act, and the environment they act in."""

    title: str  # of the environment
    rules: RuleSet
    interface: Interface
    make_env: MakeEnv

    def features(self, observation: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Return an observation as the rules see it."""
        return self.interface.row(observation)

    def has_pictures(self) -> bool:
        """Tell whether the environment can be drawn."""
        try:
            env, _ = self.stage(True)
        except ConfigError:
            return False
        env.close()
        return True

    def stage(self, pictures: bool) -> tuple[Any, Callable[[Any], Any]]:
        """Return a new environment, and how to draw it after an observation."""
        env = self.make_env(None)
        if not pictures:
            return env, lambda observation: None
        painter = painter_for(env)
        if painter is not None:
            return env, painter
        if "rgb_array" not in env.metadata.get("render_modes", ()):
            raise ConfigError(f"{self.title} has no pictures: use --render text or none")
        drawn = self.make_env("rgb_array")
        try:
            drawn.reset(seed=0)
            drawn.render()
        except DependencyNotInstalled as error:
            raise ConfigError(f"drawing {self.title} needs a package: {_install(error)}") from None
        return drawn, lambda observation: drawn.render()


def _install(error: Exception) -> str:
    """Return how to install what an environment's pictures need."""
    text = str(error)
    return "pip install pygame" if "pygame" in text.lower() else text


def load_player(path: Path, env: str | None) -> Player:
    """Read a model, and make out its environment unless `env` names one."""
    if path.suffix == ".json":
        return _named_player(path, RuleSet.from_json(path), env, "a list of rules")
    engine = XCS.load(path)
    rules, about = RuleSet.of(engine), engine.about
    if about.get("learner") == "classifier":
        raise ConfigError(f"{path} classifies rows and does not act: see `ruleplay rules {path}`")
    if about.get("learner") == "agent":
        return _agent_player(path, rules, about, env)
    if env is not None or not isinstance(about.get("preset"), str):
        return _named_player(path, rules, env, "this model")
    return _preset_player(path, rules, about["preset"])


def _agent_player(path: Path, rules: RuleSet, about: dict[str, Any], env: str | None) -> Player:
    """Let an agent play where it was saved, or elsewhere."""
    try:
        interface = Interface.from_about(about, rules.n_actions)
    except (KeyError, TypeError, ValueError) as error:
        raise ModelFileError(f"{path}: the notes on the agent are damaged: {error}") from None
    name = env if env is not None else about.get("env")
    if not isinstance(name, str):
        raise ConfigError(f"{path} does not say which environment it is for: use --env ID")
    interface.check_fits(open_env(name))
    return Player(name, rules, interface, _maker(name))


def _named_player(path: Path, rules: RuleSet, env: str | None, what: str) -> Player:
    """Let rules play in an environment that only its name tells."""
    if env is None:
        raise ConfigError(
            f"{path}: {what} does not say which environment it is for: use --env ID, "
            "e.g. --env ruleplay/MountainCar-v0"
        )
    interface = make_interface(open_env(env), None, None, None)
    found = interface.encoder.n_features, interface.n_actions
    wanted = len(rules.low), rules.n_actions
    if found != wanted:
        raise ConfigError(
            f"--env {env} has {found[0]} features and {found[1]} actions, "
            f"the rules of {path} have {wanted[0]} and {wanted[1]}"
        )
    names = tuple(outcome.name for outcome in rules.outcomes)
    if interface.actions.table and names != interface.action_names:
        raise ConfigError(
            f"--env {env} takes actions such as {interface.action_names[0]}, the rules of {path} "
            f"know {names[0]}: play the model of the agent instead, which has its actions"
        )
    return Player(env, rules, interface, _maker(env))


def _maker(name: str) -> MakeEnv:
    def make(render_mode: str | None) -> Any:
        try:
            return gymnasium.make(name, render_mode=render_mode, disable_env_checker=True)
        except DependencyNotInstalled as error:
            raise ConfigError(f"{name} needs a package: {_install(error)}") from None

    return make


def _preset_player(path: Path, rules: RuleSet, name: str) -> Player:
    """Let a model of `ruleplay run` play in its preset's problem."""
    preset = load_preset(name)

    def make(render_mode: str | None) -> Any:
        problem = make_problem(preset.problem_name, **preset.problem_options)
        return TimeLimit(CompiledEnv(problem, render_mode=render_mode), problem.time_limit)

    problem = make_problem(preset.problem_name, **preset.problem_options)
    if problem.single_step:
        raise ConfigError(f"{path}: {name} asks one question at a time, there is nothing to play")
    if (problem.n_features, problem.n_actions) != (len(rules.low), rules.n_actions):
        raise ConfigError(f"{path} does not fit its preset {name}: use --env ID")
    return Player(name, rules, make_interface(make(None), None, None, None), make)
