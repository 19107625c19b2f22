"""Estimate when a study ends: what must be compiled, what must be run, and what comes after."""

from collections import Counter
from collections.abc import Iterable, Mapping
from statistics import fmean

from ruleplay.experiments.study import Kernels, Run, kernels_of
from ruleplay.experiments.trial import Failure, Outcome

# Seconds per step, where no run of the kind has been seen yet.
_USUAL_RULES, _USUAL_NETWORK = 40e-6, 1.2e-3

_USUAL_COMPILING = 6.0  # seconds for the kernels of one kind of run, before any were made ready
_FIRST = 3.0  # how many times as long the first kind of run with a kind of prediction takes
_LOADING = 3.0  # seconds; what is ready sooner was not compiled but in the cache


class TimeLeft:
    """Estimate the time left, from the shortest run of each cell and what made kernels ready.

    `again` are runs that one process does once more when all are done, and `more` the seconds
    of whatever follows.
    """

    def __init__(
        self,
        pending: Iterable[Run],
        known: Mapping[str, float],
        again: Iterable[Run] = (),
        more: float = 0.0,
    ) -> None:
        pending, again = list(pending), list(again)
        self._left = Counter(run.digest for run in pending)
        self._again = Counter(run.digest for run in again)
        self._specs = {run.digest: run.spec for run in (*pending, *again)}
        self._seconds = {digest: known[digest] for digest in self._specs if digest in known}
        self._ahead = {kernels_of(run.spec) for run in pending if run.spec.dqn is None}
        self._prepared: dict[Kernels, float] = {}
        self._more = more

    def note(self, run: Run, outcome: Outcome) -> None:
        """Take in that a run has ended."""
        self._left[run.digest] -= 1
        if isinstance(outcome, Failure):
            self._ahead.discard(kernels_of(run.spec))
            return
        known = self._seconds.get(run.digest, outcome.seconds)
        self._seconds[run.digest] = min(outcome.seconds, known)
        self._note_kernels(kernels_of(run.spec), outcome.prepared)

    def _note_kernels(self, kernels: Kernels, prepared: float) -> None:
        if kernels in self._ahead:
            self._prepared[kernels] = prepared / (1.0 if self._shares(kernels) else _FIRST)
            self._ahead.remove(kernels)

    @property
    def compiling(self) -> int:
        """Count the kinds of run whose kernels are still to be compiled; none if all are kept."""
        return len(self._ahead) if self._per_kind() >= _LOADING else 0

    def seconds_left(self, workers: int) -> float:
        """Return the estimate for a number of workers."""
        runs = sum(count * self._estimate(digest) for digest, count in self._left.items())
        new = {kernels.prediction for kernels in self._ahead if not self._shares(kernels)}
        kinds = len(self._ahead) + (_FIRST - 1.0) * len(new)
        side_by_side = runs + kinds * self._per_kind()
        after = sum(count * self._estimate(digest) for digest, count in self._again.items())
        return side_by_side / max(1, workers) + after + self._more

    def _per_kind(self) -> float:
        """Return the seconds until the kernels of one more kind of run are ready."""
        return fmean(self._prepared.values()) if self._prepared else _USUAL_COMPILING

    def _shares(self, kernels: Kernels) -> bool:
        """Tell whether what all runs with a kind of prediction share has been made ready."""
        return any(ready.prediction == kernels.prediction for ready in self._prepared)

    def _estimate(self, digest: str) -> float:
        spec = self._specs[digest]
        usual = _USUAL_RULES if spec.dqn is None else _USUAL_NETWORK
        return self._seconds.get(digest, usual * spec.steps)
