"""What a stream learner does about drift: notice it, forget what is outdated, relearn."""

from typing import Any

from river.drift import ADWIN


class DriftWatch:
    """Watches how far off a learner's guesses are, with River's ADWIN."""

    def __init__(self, delta: float) -> None:
        self.detector: Any = ADWIN(delta=delta)  # type: ignore[no-untyped-call, unused-ignore]
        self.detections = 0

    def note(self, error: float) -> int:
        """Take in how far off a guess was, in [0, 1]; return how long the new concept has lasted.

        A change for the better is no reason to forget.
        """
        before = self.detector.estimation
        self.detector.update(error)
        if not self.detector.drift_detected or self.detector.estimation <= before:
            return 0
        self.detections += 1
        return max(1, int(self.detector.width))
