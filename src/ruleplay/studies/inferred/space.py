"""The space of readings: choices, their values, and which runs a reading means."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Any

from ruleplay.config import unknown_name
from ruleplay.errors import ConfigError
from ruleplay.experiments.spec import RunSpec, specify_run
from ruleplay.experiments.study import PAPER

Reading = dict[str, str]  # the name of a value by the name of each choice
Changes = Mapping[str, Any]

SINGLE = ("rmp6", "wbc")
MULTI = ("chain16", "chain16-t", "mountaincar", "mountaincar-t", "cartpole-t", "cartpole")
FITTED = SINGLE + MULTI  # Mario's drawing is not printed: it is a check, not part of the fit
AGENTS = ("xcs", "xcs-er")
CHECKED = {"mario": ("xcs", "xcs-er", "xcs-er-8")}
PROBLEM = "-problem"
STEPS = "steps"


@dataclass(frozen=True)
class Value:
    """One reading of a choice: what it changes, by where it applies."""

    name: str
    printed: bool
    changes: Mapping[str, Changes]


@dataclass(frozen=True)
class Choice:
    """Something that the paper leaves open; the first value is that of the presets."""

    name: str
    title: str
    where: str  # in the paper, and in the fidelity notes
    measured: bool  # a matter of what is read off a run, not of the run
    values: tuple[Value, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """List the names of the values."""
        return tuple(value.name for value in self.values)

    def value(self, name: str) -> Value:
        """Return a value by its name."""
        if name not in self.names:
            raise ConfigError(unknown_name(f"value of {self.name}", name, self.names))
        return self.values[self.names.index(name)]


@dataclass(frozen=True)
class Space:
    """All choices, by name."""

    choices: Mapping[str, Choice]

    @property
    def base(self) -> Reading:
        """Return the reading of the presets."""
        return {name: choice.names[0] for name, choice in self.choices.items()}

    def complete(self, changes: Mapping[str, str]) -> Reading:
        """Return the reading that differs from the presets as told."""
        for name, value in changes.items():
            if name not in self.choices:
                raise ConfigError(unknown_name("choice", name, tuple(self.choices)))
            self.choices[name].value(value)
        return self.base | dict(changes)

    def differences(self, reading: Reading) -> Reading:
        """Return where a reading differs from the presets."""
        return {name: value for name, value in reading.items() if value != self.base[name]}

    def of_runs(self) -> list[Choice]:
        """List the choices that decide what is run."""
        return [choice for choice in self.choices.values() if not choice.measured]

    def combinations(self, names: Sequence[str]) -> Iterator[Reading]:
        """Go through all values of some choices together, those of the presets first."""
        for values in product(*(self.choices[name].names for name in names)):
            yield dict(zip(names, values, strict=True))

    def specify(self, reading: Reading, problem: str, agent: str) -> RunSpec:
        """Return the run that a reading means, with all that may be measured of it."""
        settings: dict[str, Any] = {"detailed_curve": True}
        options: dict[str, Any] = {}
        for scope in scopes_of(problem, agent):
            for choice in self.of_runs():
                changes = choice.value(reading[choice.name]).changes
                settings |= changes.get(scope, {})
                options |= changes.get(scope + PROBLEM, {})
        factor = options.pop(STEPS, 1.0)
        spec = specify_run(PAPER + problem, agent, settings)
        return replace(
            spec,
            problem_options={**spec.problem_options, **options},
            steps=round(factor * spec.steps),
        )


def scopes_of(problem: str, agent: str) -> list[str]:
    """List what the changes for a problem and an agent are called, general ones first.

    >>> scopes_of("cartpole-t", "xcs-er")
    ['all', 'multi', 'cartpole', 'replay', 'multi-replay']
    """
    kind = "multi" if problem in MULTI else "single"
    scopes = ["all", kind, problem.removesuffix("-t")]
    return scopes if agent == "xcs" else [*scopes, "replay", f"{kind}-replay"]


@cache
def load_space() -> Space:
    """Load the table of choices."""
    text = (files(__package__) / "space.toml").read_text(encoding="utf-8")
    return read_space(text)


def read_space(text: str) -> Space:
    """Read a table of choices."""
    choices = [_choice(entry) for entry in tomllib.loads(text)["choice"]]
    return Space({choice.name: choice for choice in choices})


def _choice(entry: Mapping[str, Any]) -> Choice:
    return Choice(
        name=entry["name"],
        title=entry["title"],
        where=entry["where"],
        measured=entry.get("measured", False),
        values=tuple(_value(value) for value in entry["value"]),
    )


def _value(entry: Mapping[str, Any]) -> Value:
    changes = {name: part for name, part in entry.items() if name not in ("name", "printed")}
    return Value(entry["name"], entry.get("printed", False), changes)
