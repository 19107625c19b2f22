"""Make the golden figures: short runs of the paper's presets, with and without replay.

`python tests/golden/make.py` writes them anew, after a change that was meant to change them.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from ruleplay.envs import make_problem
from ruleplay.experiments.spec import specify_run
from ruleplay.experiments.trial import make_engine

FILE = Path(__file__).with_name("figures.json")
SEED = 20
STEPS = {"rmp6": 1500, "mario": 1500, "wbc": 1500, "chain16": 1500}
# The trigonometry of these is the C library's, and need not be the same everywhere.
LOOSE_STEPS = {"cartpole": 400, "mountaincar": 600}
CASES = [
    (preset, agent, steps)
    for preset, steps in {**STEPS, **LOOSE_STEPS}.items()
    for agent in ("xcs", "xcs-er")
]


def figures(preset: str, agent: str, steps: int) -> dict[str, Any]:
    """Run a preset and return its figures, and a hash of its rules if they must be exact."""
    overrides = {"replay_warmup": 100} if agent == "xcs-er" else {}
    spec = specify_run(f"stein2020/{preset}", agent, overrides, steps=steps)
    problem = make_problem(spec.problem_name, **spec.problem_options)
    engine = make_engine(spec, problem, SEED)
    record = engine.run(problem, steps)
    found = {
        **record.summary(),
        "final_macroclassifiers": engine.macroclassifiers,
        "final_microclassifiers": engine.microclassifiers,
        "episodes": len(record.episode_returns),
    }
    if preset in STEPS:
        found["rules"] = hash_of(engine.export())
    return found


def hash_of(rules: dict[str, Any]) -> str:
    """Return a short hash of every bit of the rules."""
    total = hashlib.sha256()
    for name in sorted(rules):
        total.update(name.encode() + rules[name].tobytes())
    return total.hexdigest()[:16]


def name_of(preset: str, agent: str, steps: int) -> str:
    """Name a case as the file does."""
    return f"{preset} {agent} {steps} steps"


def main() -> None:
    """Write the file."""
    found = {name_of(*case): figures(*case) for case in CASES}
    FILE.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
