"""Check the parameters that say how a learner of tables trains: how long, and how."""

import math
from typing import Any

import numpy as np

from ruleplay.engine.inputs import checked_integer, shown
from ruleplay.errors import ConfigError

MOST_POPULATIONS = 10_000
DRAWN_FROM = 10  # populations whose rules a model's are drawn from, if nothing else is asked for


def checked_length(n_steps: Any, epochs: Any) -> tuple[int | None, int | None]:
    """Return presentations and epochs, of which one at most may be given."""
    if n_steps is not None and epochs is not None:
        raise ConfigError(
            f"n_steps or epochs must be None, got n_steps={n_steps!r} and epochs={epochs!r}"
        )
    return (
        None if n_steps is None else checked_integer("n_steps", n_steps, 1),
        None if epochs is None else checked_integer("epochs", epochs, 1),
    )


def check_ways(estimator: Any, flags: tuple[str, ...]) -> None:
    """Refuse what says how, and not what, to compute if it is of the wrong kind."""
    jobs = estimator.n_jobs
    if jobs is not None and checked_integer("n_jobs", jobs, -1024, 1024) == 0:
        raise ConfigError("n_jobs must be None or an integer other than 0, got 0")
    if not isinstance(estimator.verbose, bool):
        checked_integer("verbose", estimator.verbose, 0, 2)
    for name in flags:
        if not isinstance(getattr(estimator, name), (bool, np.bool_)):
            raise ConfigError(f"{name} must be True or False, got {getattr(estimator, name)!r}")


def check_alone(estimator: Any, *, apart: bool = False) -> None:
    """Refuse what only a single population can have, or only several.

    `apart` says whether populations learn apart although the model is one of them.
    """
    if checked_integer("n_populations", estimator.n_populations, 1, MOST_POPULATIONS) == 1:
        if estimator.oob_score and not apart:
            raise ConfigError("oob_score must be False with n_populations=1, got True")
        return
    for name, usual in (("warm_start", False), ("early_stopping", False), ("callback", None)):
        if getattr(estimator, name) != usual:
            raise ConfigError(
                f"{name} must be {usual} with n_populations > 1, got {getattr(estimator, name)!r}"
            )


def read_drawn_from(estimator: Any, *, settles: bool) -> int:
    """Return of how many populations the model's rules are drawn; by default it depends.

    Rules that have learned from samples must settle on all rows.
    """
    asked = ("n_steps", "epochs", "early_stopping", "warm_start")
    if estimator.drawn_from is None:
        single = any(getattr(estimator, name) not in (None, False) for name in asked)
        single = single or estimator.n_populations != 1 or not settles
        return 1 if single else DRAWN_FROM
    drawn_from = checked_integer("drawn_from", estimator.drawn_from, 1, MOST_POPULATIONS)
    if drawn_from > 1:
        for name, usual in (("n_populations", 1), ("early_stopping", False), ("warm_start", False)):
            if getattr(estimator, name) != usual:
                raise ConfigError(
                    f"{name} must be {usual} with drawn_from > 1, got {getattr(estimator, name)!r}"
                )
    return drawn_from


def check_learns_alone(estimator: Any, method: str) -> None:
    """Refuse several populations for what only one can do."""
    if estimator.n_populations > 1:
        raise ConfigError(f"{method} needs n_populations=1, got {estimator.n_populations}")
    if estimator.drawn_from not in (None, 1):
        raise ConfigError(f"{method} needs drawn_from=None or 1, got {estimator.drawn_from}")


def checked_seconds(value: Any) -> float | None:
    """Return a limit of time, None for none, or refuse it."""
    if value is None:
        return None
    good = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    if not good or not 0.0 < value < math.inf:
        raise ConfigError(f"max_seconds must be None or lie in (0, inf), got {shown(value)}")
    return float(value)


def checked_share(name: str, value: Any) -> float:
    """Return a number from 0 to 1, or refuse it."""
    if not isinstance(value, (int, float, np.integer, np.floating)) or not 0.0 <= value <= 1.0:
        raise ConfigError(f"{name} must lie in [0, 1], got {shown(value)}")
    return float(value)


def checked_fraction(value: Any) -> float:
    """Return the share of rows to hold out, or refuse it."""
    if not isinstance(value, (int, float)) or not 0.0 < value < 1.0:
        raise ConfigError(f"validation_fraction must lie in (0, 1), got {value!r}")
    return float(value)


def checked_tolerance(value: Any) -> float:
    """Return the rise of a score that counts, or refuse it."""
    if not isinstance(value, (int, float)) or not 0.0 <= value < math.inf:
        raise ConfigError(f"tol must lie in [0, inf), got {value!r}")
    return float(value)
