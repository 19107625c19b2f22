"""What a model file says about an agent, beside its engine."""

from typing import Any, NamedTuple

from ruleplay.engine import XCS
from ruleplay.engine.inputs import checked_integer
from ruleplay.errors import ConfigError
from ruleplay.learners.agent.interface import Interface

LEARNER = "agent"
MOST_COPIES = 10_000  # of a step, in hindsight
MOST_STEPS = 2**62  # that are counted


class AgentNotes(NamedTuple):
    """What an agent has, and its engine has not."""

    interface: Interface
    action_counts: list[int]  # how often each action was taken while learning
    num_timesteps: int
    hindsight: int
    populations: int = 1  # whose rules vote together


def checked_hindsight(copies: Any) -> int:
    """Return how often each step is stored with another goal, or refuse it."""
    return checked_integer("hindsight", copies, 0, MOST_COPIES)


def write_notes(engine: XCS, notes: AgentNotes, env: Any) -> None:
    """Tell an engine about its agent and the environment, for readers of its rules or its file."""
    spec = getattr(env, "spec", None)
    engine.about.update(
        learner=LEARNER,
        env=None if spec is None else spec.id,
        actions_taken=[min(count, MOST_STEPS) for count in notes.action_counts],
        num_timesteps=min(notes.num_timesteps, MOST_STEPS),
    )
    if notes.hindsight:
        engine.about["hindsight"] = notes.hindsight
    engine.about.pop("populations", None)
    if notes.populations > 1:
        engine.about["populations"] = notes.populations


def read_notes(engine: XCS) -> AgentNotes:
    """Return what `write_notes` wrote; any error means that the notes are damaged."""
    about = engine.about
    interface = Interface.from_about(about, engine.n_actions)
    if interface.encoder.n_features != engine.n_features:
        raise ConfigError(f"the encoder must give {engine.n_features} features")
    counts = [checked_integer("actions_taken", n, 0, MOST_STEPS) for n in about["actions_taken"]]
    if len(counts) != engine.n_actions:
        raise ConfigError(f"actions_taken must be {engine.n_actions} numbers")
    return AgentNotes(
        interface,
        counts,
        checked_integer("num_timesteps", about["num_timesteps"], 0, MOST_STEPS),
        checked_hindsight(about.get("hindsight", 0)),
        checked_integer(
            "populations", about.get("populations", 1), 1, engine.config.population_size
        ),
    )
