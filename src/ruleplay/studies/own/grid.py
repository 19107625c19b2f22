"""Lay out a grid: presets times agents times every combination of the settings varied."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from ruleplay.config import DQN_NAMES, DQNConfig, KeepConfig, ReplayConfig
from ruleplay.envs import make_problem
from ruleplay.errors import ConfigError
from ruleplay.experiments.spec import RunSpec, load_preset, parse_agent, specify_run
from ruleplay.experiments.study import Cell
from ruleplay.studies.own.plan import OwnStudy, show_value

OPTION = "problem."  # how the name of a problem's option begins where settings stand as well

Values = dict[str, Any]


class Choice(NamedTuple):
    """One place on all axes: what is changed, and how that is called, setting by setting."""

    changes: Values
    names: dict[str, str]  # by setting; a variant with a name has one for all its settings


def grid(
    *,
    title: str,
    presets: str | Sequence[str],
    agents: str | Sequence[str] | None = None,
    seeds: int | Iterable[int] = 10,
    steps: int | None = None,
    settings: Mapping[str, Any] | None = None,
    problem: Mapping[str, Any] | None = None,
    vary: Mapping[str, Any] | None = None,
    variants: Mapping[str, Mapping[str, Any]] | None = None,
    metric: str | Sequence[str] = (),
    baseline: str = "",
    about: str = "",
) -> OwnStudy:
    """Return the study of all combinations; a setting changes the agents that have it.

    Args:
        title: What the study is about, in a few words: the heading of its page.
        presets: What is learned: bundled presets, or `.toml` files of your own.
        agents: Who learns: `xcs`, `xcs-er`, `xcs-er-M`, `dqn`; by default each preset's own.
        seeds: How many runs of each cell, seeds from 0 on; or a list of seeds.
        steps: Length of a run; None is that of the preset.
        settings: Settings of all cells, by name as after `ruleplay run --set`.
        problem: Options of the problem in all cells.
        vary: Lists of values by setting: every combination is a cell. Options of the problem
            begin with `problem.`.
        variants: Settings by a name of your own: each is a cell, with no settings as preset.
        metric: What cells are compared by, see `OwnStudy`.
        baseline: Which cells others are compared with, see `OwnStudy`.
        about: A sentence or two below the heading.
    """
    base = flat("settings", settings or {})
    base |= {OPTION + name: value for name, value in _table("problem", problem or {}).items()}
    choices = _choices(flat("vary", vary or {}), _table("variants", variants or {}))
    cells: list[Cell] = []
    chosen: list[str] = []
    for preset in _texts("presets", presets):
        own = load_preset(preset).agent
        for agent in [own] if agents is None else _texts("agents", agents):
            cells += _cells_of(preset, agent, base, choices, steps)
            chosen.append(agent)
    for name in {**base, **{key: None for choice in choices for key in choice.changes}}:
        if not any(concerns(name, agent) for agent in chosen):
            raise ConfigError(f"{name} changes none of the agents of the study: {needs(name)}")
    return OwnStudy(
        title=title,
        cells=tuple(cells),
        seeds=seeds,  # type: ignore[arg-type]
        metric=metric,  # type: ignore[arg-type]
        baseline=baseline,
        about=about,
    )


def _cells_of(
    preset: str, agent: str, base: Values, choices: list[Choice], steps: int | None
) -> list[Cell]:
    """Return an agent's cells; combinations that differ in nothing that it has are one."""
    cells, seen = [], []
    for choice in choices:
        changes = base | choice.changes
        mine = {name: value for name, value in changes.items() if concerns(name, agent)}
        if mine in seen and len(mine) < len(changes):
            continue
        seen.append(mine)
        names = [text for name, text in choice.names.items() if concerns(name, agent)]
        cells.append(_cell(preset, agent, mine, dict.fromkeys(names), steps))
    return cells


def concerns(name: str, agent: str) -> bool:
    """Tell whether a setting, or an option of the problem, changes what an agent does."""
    if name.startswith((OPTION, KeepConfig.setting_prefix)):
        return True
    if agent in DQN_NAMES or name.startswith(DQNConfig.setting_prefix):
        return agent in DQN_NAMES and name.startswith(DQNConfig.setting_prefix)
    return parse_agent(agent).replay or not name.startswith(ReplayConfig.setting_prefix)


def needs(name: str) -> str:
    """Say what agents a setting is for."""
    if name.startswith(DQNConfig.setting_prefix):
        return "add 'dqn'"
    return "add 'xcs-er'" if name.startswith(ReplayConfig.setting_prefix) else "add 'xcs'"


def flat(what: str, values: Mapping[str, Any]) -> Values:
    """Return settings by name; options in a table `problem` have their prefix instead.

    >>> flat("vary", {"discount": [0.9], "problem": {"n": [16, 32]}})
    {'discount': [0.9], 'problem.n': [16, 32]}
    """
    found: Values = {}
    for name, value in _table(what, values).items():
        if name == OPTION.removesuffix("."):
            options = _table(f"{what}.problem", value)
            found |= {OPTION + option: item for option, item in options.items()}
        else:
            found[name] = value
    return found


def _choices(vary: Values, variants: Mapping[str, Any]) -> list[Choice]:
    """Return every combination of one value per axis, the last axis varying fastest."""
    axes: list[list[Choice]] = []
    if variants:
        axes.append([_named(name, settings) for name, settings in variants.items()])
    for name, values in vary.items():
        if isinstance(values, (str, bytes)) or not isinstance(values, Sequence) or not values:
            raise ConfigError(f"vary.{name} must be a list of values, got {values!r}")
        axes.append([Choice({name: v}, {name: _name(name, v)}) for v in values])
    return [
        Choice(
            {k: v for one in combination for k, v in one.changes.items()},
            {k: v for one in combination for k, v in one.names.items()},
        )
        for combination in product(*axes)
    ]


def _named(name: str, settings: Any) -> Choice:
    """Return a variant with a name, which stands for all its settings together."""
    changes = flat(f"variants.{name}", settings)
    return Choice(changes, dict.fromkeys(changes or [KeepConfig.setting_prefix], name))


def _name(setting: str, value: Any) -> str:
    """Call a value; options of the problem are part of the problem's name."""
    return "" if setting.startswith(OPTION) else f"{setting}={show_value(value)}"


def _cell(
    preset: str, agent: str, changes: Values, names: Iterable[str], steps: int | None
) -> Cell:
    overrides = {name: v for name, v in changes.items() if not name.startswith(OPTION)}
    options = {name.removeprefix(OPTION): v for name, v in changes.items() if name not in overrides}
    spec = _on_problem(specify_run(preset, agent, overrides, steps=steps), options)
    return Cell(spec, ", ".join(filter(None, names)))


def _on_problem(spec: RunSpec, options: Values) -> RunSpec:
    """Return a run with other options of its problem, which are part of its preset's label."""
    label = Path(spec.preset).stem if spec.preset.endswith(".toml") else spec.preset
    label = ", ".join([label, *(f"{name}={show_value(v)}" for name, v in options.items())])
    spec = replace(spec, preset=label, problem_options={**spec.problem_options, **options})
    make_problem(spec.problem_name, **spec.problem_options)  # refuses what is no problem
    return spec


def _texts(what: str, values: str | Sequence[str]) -> list[str]:
    """Return one text or several as a list, each once."""
    found = [values] if isinstance(values, str) else values
    if not isinstance(found, Sequence) or not found or not all(isinstance(v, str) for v in found):
        raise ConfigError(f"{what} must be a name or a list of names, got {values!r}")
    return list(dict.fromkeys(found))


def _table(what: str, values: Any) -> Values:
    if not isinstance(values, Mapping):
        raise ConfigError(f"{what} must be a table of values by name, got {values!r}")
    return dict(values)
