"""What a stream learner does about drift: notice it, forget what is outdated, relearn."""

from typing import Any

from river.drift import ADWIN


class DriftWatch:
    """Watches whether a learner's guesses are right, with River's ADWIN."""

    def __init__(self, delta: float) -> None:
        self.detector: Any = ADWIN(delta=delta)  # type: ignore[no-untyped-call, unused-ignore]
        self.detections = 0

    def note(self, wrong: bool) -> int:
        """Take in one guess; return how many examples the new concept has lasted, 0: no drift.

        A change for the better is no reason to forget.
        """
        before = self.detector.estimation
        self.detector.update(float(wrong))
        if not self.detector.drift_detected or self.detector.estimation <= before:
            return 0
        self.detections += 1
        return max(1, int(self.detector.width))
