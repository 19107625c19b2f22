"""Say completely what a run is before it starts: presets, agents, settings, digest."""

import contextlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple, Self

from ruleplay.config import (
    KeepConfig,
    ReplayConfig,
    Settings,
    XCSConfig,
    build_configs,
    build_keep,
    digest_of,
    typed_value,
    unknown_name,
)
from ruleplay.config.dqn import DQN_NAMES, DQNConfig, dqn_settings
from ruleplay.errors import ConfigError
from ruleplay.presets import Setting, list_presets, read_preset

__all__ = [
    "Agent",
    "Preset",
    "RunSpec",
    "Setting",
    "list_presets",
    "load_preset",
    "parse_agent",
    "specify_run",
]

CURVE_POINTS = 200

Configs = tuple[XCSConfig, ReplayConfig | None]


@dataclass(frozen=True, kw_only=True)
class Preset:
    """A published experiment: the problem, its length, and each setting with its origin."""

    name: str
    title: str
    source: str
    steps: int
    agent: str = "xcs"  # the one that it is meant for
    problem_name: str
    problem_settings: tuple[Setting, ...]
    settings: tuple[Setting, ...]

    @property
    def problem_options(self) -> dict[str, Any]:
        """Return the options that `make_problem` takes for this preset."""
        return {setting.name: setting.value for setting in self.problem_settings}

    def configs(self, agent: str, overrides: Mapping[str, Any] | None = None) -> Configs:
        """Return the configurations of an agent, with some settings replaced.

        Overrides are values, or text as typed after `--set`.
        """
        chosen, values = parse_agent(agent), self._values(overrides)
        for name in overrides or {}:
            _check_override(chosen, name, values[name])
        if chosen.batch_size is not None:
            values["replay_batch_size"] = chosen.batch_size
        return build_configs(values, replay=chosen.replay)

    def keep_config(self, overrides: Mapping[str, Any] | None = None) -> KeepConfig | None:
        """Return what a run keeps and how it is tested; None if nobody asks."""
        return build_keep(self._values(overrides))

    def _values(self, overrides: Mapping[str, Any] | None) -> dict[str, Any]:
        values = {setting.name: setting.value for setting in self.settings}
        return values | {name: typed_value(name, v) for name, v in (overrides or {}).items()}

    def dqn_config(self, agent: str, overrides: Mapping[str, Any] | None = None) -> DQNConfig:
        """Return the configuration of `dqn` or `dqn-tuned`, with some `dqn_...` replaced."""
        xcs, _ = self.configs("xcs")
        values = dqn_settings(agent, self.problem_name, xcs.discount).as_dict()
        for name, value in (overrides or {}).items():
            if name.startswith(KeepConfig.setting_prefix):
                continue
            if not name.startswith(DQNConfig.setting_prefix):
                raise ConfigError(f"{name} needs an agent of rules such as 'xcs', got {agent!r}")
            values[name.removeprefix(DQNConfig.setting_prefix)] = _plain_value(value)
        return DQNConfig.from_dict(values)


def load_preset(name: str) -> Preset:
    """Load a bundled preset by name, or one from a `.toml` file."""
    parts = read_preset(name)
    problem = dict(parts.problem)
    agent = str(parts.head.get("agent", Preset.agent))
    if agent not in DQN_NAMES:
        parse_agent(agent)
    return Preset(
        name=name,
        title=str(parts.head["title"]),
        source=str(parts.head["source"]),
        steps=parts.head["steps"],
        agent=agent,
        problem_name=str(problem.pop("name").value),
        problem_settings=tuple(problem.values()),
        settings=tuple(parts.settings.values()),
    )


class Agent(NamedTuple):
    """What an agent's name says: with replay or without, and how large a batch."""

    name: str
    replay: bool
    batch_size: int | None


def parse_agent(name: str) -> Agent:
    """Read `xcs`, `xcs-er` (the preset's batch size) or `xcs-er-M` (batches of M)."""
    match = re.fullmatch(r"xcs(-er(?:-([1-9][0-9]{0,8}))?)?", name)
    if match is None:
        raise ConfigError(
            "agent must be 'xcs', 'xcs-er' or 'xcs-er-M' with a batch size M, "
            f"or one of {', '.join(map(repr, DQN_NAMES))}, got {name!r}"
        )
    return Agent(name, match[1] is not None, int(match[2]) if match[2] else None)


def _check_override(agent: Agent, name: str, value: Any) -> None:
    if name.startswith("replay_") and not agent.replay:
        raise ConfigError(f"{name} needs an agent with replay such as 'xcs-er', got {agent.name!r}")
    if name == "replay_batch_size" and agent.batch_size not in (None, value):
        raise ConfigError(f"{name} (m) = {value} contradicts the agent {agent.name!r}")


def _plain_value(value: Any) -> Any:
    """Read text as the number or truth value that it spells, if any."""
    if isinstance(value, str):
        with contextlib.suppress(json.JSONDecodeError):
            return json.loads(value.lower())
    return value


@dataclass(frozen=True, kw_only=True)
class RunSpec:
    """Everything that decides a run's result, except its seed."""

    preset: str
    agent: str
    problem_name: str
    problem_options: Mapping[str, Any] = field(default_factory=dict)
    xcs: XCSConfig | None = None
    replay: ReplayConfig | None = None
    dqn: DQNConfig | None = None
    keep: KeepConfig | None = None
    steps: int
    curve_points: int = CURVE_POINTS

    def __post_init__(self) -> None:
        """Refuse a length that is none, a warm-up that outlasts the run, and two learners."""
        if (self.xcs is None) == (self.dqn is None) or (self.dqn and self.replay):
            raise ConfigError("a run needs either xcs, with or without replay, or dqn")
        for name in ("steps", "curve_points"):
            value = getattr(self, name)
            if type(value) is not int or value < 1:
                raise ConfigError(f"{name} must be an integer in [1, inf), got {value!r}")
        for part in (self.replay, self.dqn):
            if part is not None and part.warmup >= self.steps:
                raise ConfigError(
                    f"{part.setting_prefix}warmup (warm-up) must lie in [0, {self.steps - 1}] "
                    f"for a run of {self.steps} steps, got {part.warmup}"
                )

    def as_dict(self) -> dict[str, Any]:
        """Return the specification as plain nested values."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        parts = {name: values[name].as_dict() for name in _PARTS if values[name] is not None}
        return {**values, **parts, "problem_options": dict(self.problem_options)}

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Self:
        """Build a specification from what `as_dict` returned."""
        known = [field.name for field in fields(cls)]
        values = dict(content)
        for name, value in content.items():
            if name not in known:
                raise ConfigError(unknown_name("part of a specification", name, known))
            if name in _PARTS and value is not None:
                values[name] = _PARTS[name].from_dict(value)
        return cls(**values)

    def digest(self) -> str:
        """Identify the run by what it does: preset and agent names are only labels."""
        labels = ("preset", "agent")
        content = {k: v for k, v in self.as_dict().items() if k not in labels and v is not None}
        content |= {name: getattr(self, name).as_identity() for name in _PARTS if name in content}
        return digest_of({"class": "RunSpec", **content})


_PARTS: dict[str, type[Settings]] = {
    "xcs": XCSConfig,
    "replay": ReplayConfig,
    "dqn": DQNConfig,
    "keep": KeepConfig,
}


def _about_keeping(overrides: Mapping[str, Any] | None) -> dict[str, Any]:
    prefix = KeepConfig.setting_prefix
    return {name: v for name, v in (overrides or {}).items() if name.startswith(prefix)}


def specify_run(
    preset: str,
    agent: str | None = None,
    overrides: Mapping[str, Any] | None = None,
    *,
    steps: int | None = None,
    curve_points: int = CURVE_POINTS,
) -> RunSpec:
    """Resolve a preset, an agent's name and replaced settings to the run they mean.

    Without an agent, the one that the preset is meant for is run.
    """
    chosen = load_preset(preset)
    agent = chosen.agent if agent is None else agent
    xcs, replay, dqn = None, None, None
    if agent in DQN_NAMES:
        dqn = chosen.dqn_config(agent, overrides)
    else:
        xcs, replay = chosen.configs(agent, overrides)
    return RunSpec(
        preset=chosen.name,
        agent=agent,
        problem_name=chosen.problem_name,
        problem_options=chosen.problem_options,
        xcs=xcs,
        replay=replay,
        dqn=dqn,
        keep=chosen.keep_config(_about_keeping(overrides)),
        steps=chosen.steps if steps is None else steps,
        curve_points=curve_points,
    )
