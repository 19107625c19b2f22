"""Let xcsf approximate a function of two numbers, and print how its error falls with time.

Run by `function_race.py` in the peers' environment; it needs numpy and xcsf only.
"""

from __future__ import annotations

import argparse
import importlib
import json
from typing import Any

from function_race_course import BLOCK, Course, follow

# What presets of functions have, as far as xcsf has it.
OUR_SETTINGS: dict[str, Any] = {
    "pop_size": 6400,
    "pop_init": False,
    "beta": 0.1,
    "alpha": 1.0,
    "nu": 5,
    "e0": 0.01,
    "theta_del": 20,
    "delta": 0.1,
    "init_error": 0.0,
    "init_fitness": 0.01,
    "theta_sub": 20,
    "set_subsumption": False,
    "loss_func": "mae",
    "ea": {
        "select_type": "tournament",
        "select_size": 0.4,
        "theta_ea": 50,
        "lambda": 2,
        "p_crossover": 1.0,
        "err_reduc": 1.0,
        "fit_reduc": 0.1,
        "subsumption": True,
        "pred_reset": False,
    },
    "condition": {
        "type": "hyperrectangle_csr",
        "args": {"min": 0.0, "max": 1.0, "spread_min": 0.1, "eta": 0.0},
    },
    "prediction": {
        "type": "rls_linear",
        "args": {"x0": 1.0, "lambda": 1.0, "scale_factor": 1000.0},
    },
}
SETTINGS: dict[str, dict[str, Any]] = {"defaults": {}, "ours": OUR_SETTINGS}


class Peer:
    """A population of xcsf that is given blocks of points."""

    def __init__(self, seed: int, settings: dict[str, Any]) -> None:
        """Build an empty population on one thread."""
        self.model = importlib.import_module("xcsf").XCS(
            x_dim=2,
            y_dim=1,
            n_actions=1,
            omp_num_threads=1,
            random_state=seed,
            max_trials=BLOCK,
            **settings,
        )

    def learn(self, points: Any, values: Any) -> None:
        """Present each point once, in this order."""
        self.model.fit(points, values[:, None], shuffle=False, warm_start=True, verbose=False)

    def predict(self, points: Any) -> Any:
        """Return the value at each point."""
        return self.model.predict(points).ravel()


def run(function: str, seed: int, settings: str, blocks: int) -> Course:
    """Return the course of one run."""
    return follow(Peer(seed, SETTINGS[settings]), function, seed, blocks)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--function", required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--settings", choices=list(SETTINGS), required=True)
    parser.add_argument("--blocks", type=int, required=True)
    options = parser.parse_args()
    course = run(options.function, options.seed, options.settings, options.blocks)
    print(json.dumps(course))
