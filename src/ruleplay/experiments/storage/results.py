"""What readers of results see, whatever holds them: a store, or the compact folder made of one."""

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ruleplay.experiments.metrics import CurveBand, RunCurve, Scalar
from ruleplay.experiments.spec import RunSpec

if TYPE_CHECKING:
    import pandas as pd

LABELS = ("preset", "agent", "variant", "digest", "seed")

_DTYPES = {
    "seed": "int64",
    "episodes": "Int64",
    "first_reward_step": "Int64",
    "diverged": "boolean",
    "never_rewarded": "boolean",
}
_INFINITIES = {"inf": math.inf, "-inf": -math.inf}


class CellKey(NamedTuple):
    """A cell of the tables and the specification it stands for.

    `variant` is empty for the presets' own settings, and otherwise names what was changed.
    """

    preset: str
    agent: str
    variant: str
    digest: str


class FailedRun(NamedTuple):
    """A run that ended with an error instead of a result."""

    preset: str
    agent: str
    variant: str
    seed: int
    error: str
    traceback: str


class LoggedRun(NamedTuple):
    """How a run ended, how long it took, and when."""

    digest: str
    seed: int
    status: str  # "ok" or "failed"
    seconds: float
    finished_at: str  # ISO 8601, UTC

    def ended(self) -> datetime:
        """Return when the run ended; ValueError if that is no time of a known zone."""
        time = datetime.fromisoformat(self.finished_at)
        if time.tzinfo is None:
            raise ValueError(f"finished_at must have a time zone, got {self.finished_at!r}")
        return time


class Results(Protocol):
    """Everything a report needs to know about finished runs."""

    path: Path

    def cells(self) -> list[CellKey]:
        """List the cells of the tables with their specifications' digests."""

    def spec(self, digest: str) -> RunSpec:
        """Return a specification."""

    def summaries(self) -> "pd.DataFrame":
        """Return a row per cell and finished run: labels, seed, figures of merit, seconds."""

    def failures(self) -> list[FailedRun]:
        """List the runs that failed."""

    def band(self, digest: str) -> CurveBand:
        """Return mean and deviation of the learning curves of a specification's runs."""

    def courses(self, digest: str) -> Iterator[tuple[int, RunCurve]]:
        """Return the seeds and curves of single runs, as far as there are any."""

    def close(self) -> None:
        """Let go of the files."""


def frame_of(rows: Iterable[Mapping[str, Any]]) -> "pd.DataFrame":
    """Return rows as a table whose columns have the same types whatever their source."""
    listed = list(rows)
    import pandas as pd

    frame = pd.DataFrame(listed) if listed else pd.DataFrame(columns=[*LABELS, "seconds"])
    types = {name: _DTYPES.get(name, "float64") for name in frame if name not in LABELS[:-1]}
    return frame.astype(types)


def encode_summary(summary: Mapping[str, Scalar]) -> str:
    """Write figures of merit as strict JSON, infinite ones as text."""
    return json.dumps({name: _strict(value) for name, value in summary.items()}, allow_nan=False)


def decode_summary(text: str) -> dict[str, Scalar]:
    """Read what `encode_summary` wrote; anything else raises ValueError."""
    summary = json.loads(text)
    if not isinstance(summary, dict):
        raise ValueError("a summary must be an object")
    for name, value in summary.items():
        value = summary[name] = _INFINITIES.get(value, value) if type(value) is str else value
        if value is not None and not isinstance(value, (bool, int, float)):
            raise ValueError(f"{name} must be a number or null, got {value!r}")
    return summary


def _strict(value: Scalar) -> Scalar | str:
    return str(value) if isinstance(value, float) and math.isinf(value) else value
