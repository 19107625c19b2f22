"""The paper's evaluation: its agents on its nine problems, thirty runs each."""

from collections.abc import Iterable, Sequence

from ruleplay.config import unknown_name
from ruleplay.config.dqn import DQN_NAMES
from ruleplay.envs import make_problem
from ruleplay.errors import ConfigError
from ruleplay.experiments.spec import list_presets, load_preset, specify_run
from ruleplay.experiments.study import PAPER, Cell, Study

REPETITIONS = 30
QUICK_REPETITIONS = 3

_AGENTS = ("xcs", "xcs-er")
_MORE_AGENTS = {"stein2020/mario": ("xcs-er-8",)}


def paper_study(
    problems: Iterable[str] | None = None,
    agents: Iterable[str] | None = None,
    *,
    reps: int | None = None,
    quick: bool = False,
) -> Study:
    """Return the paper's evaluation, or the part of it with some problems and agents.

    The paper's cells are XCS and XCS-ER on nine problems, XCS-ER with m = 8 on Mario, and
    DQN on the six multi-step problems. Agents asked for by name are run on all the problems
    that they can learn. The seeds are 0 to `reps` - 1. A quick study has three of them, and
    leaves out DQN, which takes a hundred times as long as all the rest: the same runs as the
    first ones of the whole study.
    """
    reps = (QUICK_REPETITIONS if quick else REPETITIONS) if reps is None else reps
    if type(reps) is not int or reps < 1:
        raise ConfigError(f"reps must be an integer in [1, inf), got {reps!r}")
    presets = _find_presets(problems)
    wanted = None if agents is None else tuple(dict.fromkeys(agents))
    cells = [
        Cell(specify_run(preset, agent))
        for preset in presets
        for agent in (_paper_agents(preset, quick) if wanted is None else _able(wanted, preset))
    ]
    if not cells:
        raise ConfigError(f"none of the agents {', '.join(wanted or ())} learns these problems")
    return Study(tuple(cells), tuple(range(reps)))


def _find_presets(problems: Iterable[str] | None) -> tuple[str, ...]:
    """Return the paper's presets, or those of some problems, named with or without folder."""
    known = tuple(name for name in list_presets() if name.startswith(PAPER))
    if problems is None:
        return known
    short = [name.removeprefix(PAPER) for name in known]
    wanted = dict.fromkeys(name.removeprefix(PAPER) for name in problems)
    for name in wanted:
        if name not in short:
            raise ConfigError(unknown_name("problem", name, short))
    return tuple(PAPER + name for name in wanted)


def _paper_agents(preset: str, quick: bool) -> tuple[str, ...]:
    agents = _AGENTS + _MORE_AGENTS.get(preset, ())
    return agents if quick or _is_single_step(preset) else (*agents, "dqn")


def _able(agents: Sequence[str], preset: str) -> list[str]:
    """Return the agents that can learn a preset's problem."""
    single_step = _is_single_step(preset)
    return [agent for agent in agents if not (single_step and agent in DQN_NAMES)]


def _is_single_step(preset: str) -> bool:
    chosen = load_preset(preset)
    return make_problem(chosen.problem_name, **chosen.problem_options).single_step
