"""Run scikit-XCS, scikit-eLCS or scikit-ExSTraCS on the multiplexer and print one result.

    python scikit_peer.py --library scikit-XCS --seed 1 --steps 20000 --json

These estimators learn in one `fit` over the data and cannot go on, so the result has no
checkpoints. scikit-XCS explores at every iteration, as the workload asks; the other two are
supervised and see the right answer instead of a reward, which makes their task easier.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
import warnings
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

sys.path.append(str(Path(__file__).resolve().parents[2]))
if TYPE_CHECKING:
    from ruleplay.benchmarks import workload
else:
    from benchmarks import workload

SHARED = {"N": workload.POPULATION_SIZE, "beta": 0.2, "nu": 5, "theta_GA": 12, "theta_del": 20}
REINFORCED = {
    "alpha": 0.1,
    "e_0": 10,
    "p_crossover": 0.8,
    "p_mutation": 0.04,
    "p_explore": 1.0,
    "max_payoff": 1000,
}
SUPERVISED = {"chi": 0.8, "mu": 0.04}
ESTIMATORS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "scikit-XCS": ("skXCS", "XCS", REINFORCED),
    "scikit-eLCS": ("skeLCS", "eLCS", SUPERVISED),
    "scikit-ExSTraCS": ("skExSTraCS", "ExSTraCS", {**SUPERVISED, "rule_compaction": None}),
}


def build_estimator(library: str, seed: int, steps: int) -> Any:
    """Build the library's estimator with the workload's parameters and real-valued attributes."""
    module, name, own = ESTIMATORS[library]
    return getattr(importlib.import_module(module), name)(
        learning_iterations=steps,
        theta_sub=20,
        discrete_attribute_limit="c",
        specified_attributes=np.arange(workload.STATE_BITS),
        random_state=seed,
        **SHARED,
        **own,
    )


def run(library: str, seed: int, steps: int) -> workload.RunResult:
    """Fit once, timed, and test on the held-out states."""
    estimator = build_estimator(library, seed, steps)
    states = workload.training_experiences(seed, steps).states
    answers = workload.multiplexer_answers(states)
    began = time.process_time()
    estimator.fit(states, answers)
    seconds = time.process_time() - began
    tests = workload.held_out_states(seed)
    guesses = np.asarray(estimator.predict(tests)).ravel()
    return {
        "workload": workload.workload_name(replay=0),
        "library": library,
        "version": version(library),
        "seed": seed,
        "steps": steps,
        "seconds": seconds,
        "microseconds_per_step": 1e6 * seconds / steps,
        "accuracy": float(np.mean(guesses == workload.multiplexer_answers(tests))),
        "macroclassifiers": len(estimator.population.popSet),
        "checkpoints": [],
    }


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Run a scikit-style peer on the multiplexer.")
    parser.add_argument("--library", choices=sorted(ESTIMATORS), default="scikit-XCS")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=workload.DEFAULT_STEPS)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    return parser.parse_args()


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    _arguments = parse_arguments()
    _result = run(_arguments.library, _arguments.seed, _arguments.steps)
    workload.show_result(_result, as_json=_arguments.json)
