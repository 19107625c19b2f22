"""The study beyond the paper: long action chains with one recipe, and what each part of it does.

Two parts. The headline compares XCS and XCS-ER as in the paper, the recipe of the presets
`ruleplay/...`, and DQN, on eight problems. The ablation takes one factor away from the recipe,
or adds one mechanism to it. Both have seeds of their own, which nothing was tuned on; every
run is judged by greedy episodes of what it keeps.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from ruleplay.config import KeepConfig, unknown_name
from ruleplay.envs import make_problem
from ruleplay.errors import ConfigError
from ruleplay.experiments.spec import RunSpec, load_preset, specify_run
from ruleplay.experiments.study import PAPER, Cell, Study

OURS = "ruleplay/"
BEYOND = "beyond/"  # the label of these cells' problems
RECIPE = "recipe"
AS_PUBLISHED = ""

HEADLINE_SEEDS, HEADLINE_RUNS = 2000, 100
ABLATION_SEEDS, ABLATION_RUNS = 1000, 20
DQN_RUNS = 10


class Task(NamedTuple):
    """A problem of the study: which presets know it, what is changed in it, and what is good."""

    title: str
    ours: str  # the preset of our recipe
    paper: str | None  # the paper's preset, if it has one
    options: Mapping[str, Any]
    steps: int
    solved: float  # mean return of greedy episodes from which on a run counts as a success


TASKS = {
    "chain16": Task("16-Chain", "chain", "chain16", {}, 50_000, 185.0),
    "chain32": Task("32-Chain", "chain", "chain16", {"n": 32}, 50_000, 169.0),
    "chain64": Task("64-Chain", "chain", "chain16", {"n": 64, "time_limit": 400}, 50_000, 337.0),
    "cartpole": Task("CartPole (paper)", "cartpole", "cartpole", {}, 50_000, 195.0),
    "mountaincar": Task("MountainCar (paper)", "mountaincar", "mountaincar", {}, 60_000, 990.0),
    "cartpole-v1": Task(
        "CartPole-v1",
        "cartpole",
        "cartpole",
        {"reward": "standard", "time_limit": 500},
        50_000,
        475.0,
    ),
    "mountaincar-v0": Task(
        "MountainCar-v0",
        "mountaincar",
        "mountaincar",
        {"reward": "standard", "time_limit": 200},
        120_000,
        -110.0,
    ),
    "acrobot": Task("Acrobot-v1", "acrobot", None, {}, 100_000, -100.0),
}
ABLATION_TASKS = ("chain32", "chain64", "cartpole", "mountaincar")
REMOVAL_TASKS = (*ABLATION_TASKS, "cartpole-v1")  # the last one takes long: nothing is added
COMPACTED = ("cartpole", "mountaincar")  # problems whose kept populations are compacted ...
COMPACT_TO = 10  # ... to this number of rules at most

Changes = dict[str, Any]

# One factor of the recipe taken away: back to what the paper does.
REMOVALS: dict[str, Changes] = {
    "one-step returns": {"replay_return_steps": 1, "replay_return_choice": "longest"},
    "n-step returns without rewards, too": {"replay_return_choice": "longest"},
    "no action gap": {"replay_action_gap": 0.0},
    "time limits end": {"bootstrap_on_truncation": False},
    "epsilon from 1": {"epsilon_start": 1.0},
    "the last population": {"keep_policy": "last"},
}
LINEAR_REMOVALS: dict[str, Changes] = {"no forgetting": {"rls_forgetting": 1.0}}
# What the paper's preset says instead of the recipe.
PAPERS_OWN = {
    "no hope": "initial_prediction",
    "the paper's discount": "discount",
    "the paper's covering": "cover_spread",
    "the paper's theta_GA": "ga_threshold",
}
# A memory that overflows many times in a run; protected experiences allow one-step returns only.
SMALL_MEMORY: Changes = {
    "replay_capacity": 2000,
    "replay_return_steps": 1,
    "replay_return_choice": "longest",
}
# One mechanism added to the recipe.
ADDITIONS: dict[str, Changes] = {
    "larger of n-step and one-step": {"replay_return_choice": "best"},
    "optimism that lasts": {"initial_prediction": "optimistic"},
    "sticky exploration": {"exploration_persistence": 10.0},
    "sticky exploration that fades": {"exploration_persistence": 10.0, "exploration_fades": True},
    "count bonus": {"count_bonus": 1.0},
    "newest experience": {"replay_include_newest": True},
    "batch of 8": {"replay_batch_size": 8},
    "best by the online mean": {"keep_policy": "online"},
    "the last five populations": {"keep_policy": "average"},
    "condensation": {"condensation_fraction": 0.1},
    "prioritized replay": {"replay_sampling": "prioritized"},
    "stratified replay": {"replay_sampling": "stratified"},
    "one-step returns, memory of 2000": SMALL_MEMORY,
    "one-step returns, memory of 2000, protected": {**SMALL_MEMORY, "replay_storage": "protected"},
    "interpolated experiences": {"replay_interpolation": 0.25},
    "cut at exploration": {"replay_cut_at_exploration": True},
    "a copy for targets": {"target_interval": 200},
    "double estimation": {"target_interval": 200, "double_estimation": True},
    "updates by fitness": {"gradient_scaling": True},
    "specify": {"specify": True},
    "splitting": {"split_refuted": 20},
    "verified subsumption": {"verify_subsumption": 20},
    "one niche per step": {"ga_niches_per_step": 1},
}
BOUNDS = "bounds of payoffs"  # which depend on the problem

# All variants, the recipe first, then what is taken away from it, then what is added to it.
VARIANTS = (
    AS_PUBLISHED,
    RECIPE,
    *(f"{RECIPE} - {name}" for name in (*REMOVALS, *LINEAR_REMOVALS, *PAPERS_OWN)),
    *(f"{RECIPE} + {name}" for name in (*ADDITIONS, BOUNDS)),
)


def factor_of(variant: str) -> str:
    """Return what a variant differs in from the recipe, with a sign if it is an addition.

    >>> factor_of("recipe - no hope"), factor_of("recipe + specify")
    ('no hope', '+ specify')
    """
    return variant.removeprefix(RECIPE).strip().removeprefix("- ")


def beyond_study(*, reps: int | None = None, part: str | None = None) -> Study:
    """Return the study, or its part 'headline' or 'ablation'; `reps` limits the runs per cell."""
    parts = {"headline": headline_cells, "ablation": ablation_cells}
    if part is not None and part not in parts:
        raise ConfigError(unknown_name("part", part, parts))
    cells = [cell for name in ([part] if part else parts) for cell in parts[name]()]
    if reps is not None:
        cells = [replace(cell, seeds=cell.seeds and cell.seeds[:reps]) for cell in cells]
    return Study(tuple(cells), ())


def headline_cells() -> list[Cell]:
    """Return the cells of the headline table: agents as published, the recipe, and networks."""
    seeds = tuple(range(HEADLINE_SEEDS, HEADLINE_SEEDS + HEADLINE_RUNS))
    cells = []
    for name, task in TASKS.items():
        for agent in ("xcs", "xcs-er"):
            cells.append(Cell(_as_published(name, task, agent), AS_PUBLISHED, seeds))
        cells.append(Cell(_compacted_recipe(name, task), RECIPE, seeds))
        cells += [Cell(spec, AS_PUBLISHED, seeds[:DQN_RUNS]) for spec in _network_specs(name, task)]
    return cells


def ablation_cells() -> list[Cell]:
    """Return the cells of the ablation: the recipe, less one factor, or with one more."""
    seeds = tuple(range(ABLATION_SEEDS, ABLATION_SEEDS + ABLATION_RUNS))
    cells = []
    for name in REMOVAL_TASKS:
        task = TASKS[name]
        recipe = _recipe(name, task)
        cells.append(Cell(_compacted_recipe(name, task), RECIPE, seeds))
        changes = {f"{RECIPE} - {key}": change for key, change in _removals(task).items()}
        if name in ABLATION_TASKS:
            additions = ADDITIONS | {BOUNDS: _attainable(recipe)}
            changes |= {f"{RECIPE} + {key}": change for key, change in additions.items()}
        for variant, change in changes.items():
            spec = _recipe(name, task, change)
            if spec.digest() != recipe.digest():
                cells.append(Cell(spec, variant, seeds))
    return cells


def _removals(task: Task) -> dict[str, Changes]:
    """Return what to change so that one factor of the recipe is as in the paper."""
    found = dict(REMOVALS)
    if task.paper is not None:
        paper = {s.name: s.value for s in load_preset(PAPER + task.paper).settings}
        if paper["prediction"] == "linear":
            found |= LINEAR_REMOVALS
        found |= {name: {setting: paper[setting]} for name, setting in PAPERS_OWN.items()}
    return found


def _attainable(spec: RunSpec) -> Changes:
    """Return the bounds of what any state can be worth where no reward is negative."""
    if spec.xcs is None:
        raise ConfigError("networks have no bounds of payoffs")
    problem = make_problem(spec.problem_name, **spec.problem_options)
    return {"target_low": 0.0, "target_high": problem.largest_value(spec.xcs.discount)}


def _compacted_recipe(name: str, task: Task) -> RunSpec:
    """Return the recipe; on some problems, what it keeps is compacted afterwards."""
    changes = {"keep_compact_to": COMPACT_TO} if name in COMPACTED else None
    return _recipe(name, task, changes)


def _recipe(name: str, task: Task, changes: Mapping[str, Any] | None = None) -> RunSpec:
    return _on_task(specify_run(OURS + task.ours, "xcs-er", changes), name, task)


def _as_published(name: str, task: Task, agent: str) -> RunSpec:
    """Return an agent with the paper's settings, tested but not chosen among checkpoints."""
    if task.paper is not None:
        spec = specify_run(PAPER + task.paper, agent)
    else:
        removals = (REMOVALS | LINEAR_REMOVALS).values()
        off = {key: value for change in removals for key, value in change.items()}
        off |= {"initial_prediction": 0.01}
        if agent == "xcs":
            off = {key: value for key, value in off.items() if not key.startswith("replay_")}
        spec = specify_run(OURS + task.ours, agent, off)
    return _on_task(replace(spec, keep=KeepConfig()), name, task)


def _network_specs(name: str, task: Task) -> list[RunSpec]:
    found = []
    for agent in ("dqn", "dqn-tuned"):
        preset = OURS + task.ours if task.paper is None else PAPER + task.paper
        try:
            spec = specify_run(preset, agent)
        except ConfigError:  # no tuned settings are published for this problem
            continue
        found.append(_on_task(replace(spec, keep=KeepConfig()), name, task))
    return found


def _on_task(spec: RunSpec, name: str, task: Task) -> RunSpec:
    options = {**spec.problem_options, **task.options}
    return replace(spec, preset=BEYOND + name, problem_options=options, steps=task.steps)
