"""Estimate when a study ends: what must be compiled, what must be run, and what comes after.

Nothing is said before there is evidence: how fast runs are, and how long kernels take, is
measured on this machine or not known.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from statistics import fmean

from ruleplay.experiments.study import Kernels, Run, kernels_of
from ruleplay.experiments.trial import Failure, Outcome

_NETWORK = 30.0  # how many times as long as one of rules a step of a network takes, until seen
_FIRST = 3.0  # how many times as long the first kind of run with a kind of prediction takes


class TimeLeft:
    """Estimate the time left, from the shortest run of each cell and what made kernels ready.

    A cell without a finished run is taken to need as long for a step as the others. `more` are
    the seconds of whatever follows.
    """

    def __init__(
        self, pending: Iterable[Run], known: Mapping[str, float], more: float = 0.0
    ) -> None:
        pending = list(pending)
        self._left = Counter(run.digest for run in pending)
        self._specs = {run.digest: run.spec for run in pending}
        self._seconds = {digest: known[digest] for digest in self._specs if digest in known}
        self._ahead = {kernels_of(run.spec) for run in pending if run.spec.dqn is None}
        self._prepared: dict[Kernels, float] = {}
        self._compiled = False
        self._more = more

    def note(self, run: Run, outcome: Outcome) -> None:
        """Take in that a run has ended."""
        self._left[run.digest] -= 1
        if isinstance(outcome, Failure):
            self._ahead.discard(kernels_of(run.spec))
            return
        known = self._seconds.get(run.digest, outcome.seconds)
        self._seconds[run.digest] = min(outcome.seconds, known)
        self._compiled = self._compiled or outcome.compiled > 0.0
        self._note_kernels(kernels_of(run.spec), outcome.prepared)

    def _note_kernels(self, kernels: Kernels, prepared: float) -> None:
        if kernels in self._ahead:
            self._prepared[kernels] = prepared / (1.0 if self._shares(kernels) else _FIRST)
            self._ahead.remove(kernels)

    @property
    def compiling(self) -> int:
        """Count the kinds of run whose kernels are still to be compiled.

        Before any were made ready, they are taken to be; if those were only loaded, none are.
        """
        return len(self._ahead) if self._compiled or not self._prepared else 0

    def seconds_left(self, workers: int) -> float | None:
        """Return the estimate for a number of workers; None while there is no evidence."""
        waiting = [(digest, count) for digest, count in self._left.items() if count > 0]
        estimates = [(self._estimate(digest), count) for digest, count in waiting]
        known = [(seconds, count) for seconds, count in estimates if seconds is not None]
        kernels = self._kernel_seconds()
        if kernels is None or len(known) < len(estimates):
            return None
        runs = sum(seconds * count for seconds, count in known)
        longest = max((seconds for seconds, _ in known), default=0.0)
        if self._ahead:
            longest += fmean(self._prepared.values())
        return max((runs + kernels) / max(1, workers), longest) + self._more

    def _kernel_seconds(self) -> float | None:
        """Return how long it takes to make ready what runs still need."""
        if not self._ahead:
            return 0.0
        if not self._prepared:
            return None
        new = {kernels.prediction for kernels in self._ahead if not self._shares(kernels)}
        kinds = len(self._ahead) + (_FIRST - 1.0) * len(new)
        return kinds * fmean(self._prepared.values())

    def _shares(self, kernels: Kernels) -> bool:
        """Tell whether what all runs with a kind of prediction share has been made ready."""
        return any(ready.prediction == kernels.prediction for ready in self._prepared)

    def _estimate(self, digest: str) -> float | None:
        """Return how long a run takes: as the cell's shortest one, or by its steps."""
        if digest in self._seconds:
            return self._seconds[digest]
        spec = self._specs[digest]
        of_kind, of_rules = self._per_step(spec.dqn is None), self._per_step(True)
        if of_kind is None and of_rules is not None:
            of_kind = _NETWORK * of_rules
        return None if of_kind is None else of_kind * spec.steps

    def _per_step(self, rules: bool) -> float | None:
        """Return the seconds per step of the cells seen, of rules or of networks."""
        seen = [digest for digest in self._seconds if (self._specs[digest].dqn is None) == rules]
        steps = sum(self._specs[digest].steps for digest in seen)
        return sum(self._seconds[digest] for digest in seen) / steps if seen else None
