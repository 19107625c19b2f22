"""A study of the paper's literal readings: each switched on, or off, one at a time.

The paper reports failures of replay in multi-step problems that the presets do not show. This
study asks which printed reading could explain them: what the pseudocode says of targets, of
time limits and of the offspring's error, and how long the memory keeps a rare reward.
"""

from ruleplay.experiments.spec import specify_run
from ruleplay.experiments.study import PAPER, Cell, Study
from ruleplay.studies.paper.plan import REPETITIONS

PROBLEMS = ("chain16", "cartpole", "mountaincar")

# The change to the preset by its name in the tables; some need a memory.
Changes = dict[str, object]

READINGS: dict[str, Changes] = {
    "argmax in the target": {"bootstrap_value": "argmax"},
    "time limits bootstrap": {"bootstrap_on_truncation": True},
    "offspring keep the whole error": {"error_reduction": 1.0},
    "prediction before error, early averaging": {
        "update_order": "prediction_first",
        "early_averaging": True,
    },
}
MEMORY_READINGS: dict[str, Changes] = {
    "memory of 1000": {"replay_capacity": 1000},
    "memory of 5000": {"replay_capacity": 5000},
    "GA clock counts replays": {"replay_ga_clock": "replay"},
    "entries of Algorithm 2": {"replay_first_ends": True, "replay_keep_last": False},
}


def literal_study(*, reps: int | None = None) -> Study:
    """Return XCS and XCS-ER on the multi-step problems, as preset and with each reading."""
    cells = []
    for problem in PROBLEMS:
        preset = PAPER + problem
        for agent in ("xcs", "xcs-er"):
            readings = READINGS | (MEMORY_READINGS if agent == "xcs-er" else {})
            base = specify_run(preset, agent)
            cells.append(Cell(base))
            cells += [
                Cell(specify_run(preset, agent, changes), name)
                for name, changes in readings.items()
            ]
            if base.xcs is not None:
                tight = {"error_threshold": base.xcs.error_threshold / 10}
                cells.append(Cell(specify_run(preset, agent, tight), "eps_0 / 10"))
    return Study(tuple(cells), tuple(range(REPETITIONS if reps is None else reps)))
