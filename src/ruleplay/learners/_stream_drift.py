"""What a stream learner does about drift: notice it, forget what is outdated, relearn."""

from typing import Any

from river.drift import ADWIN

from ruleplay.engine import XCS
from ruleplay.engine.doors import rebuild_door


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


def relearn(engine: XCS) -> None:
    """Let every rule learn as fast as a new one: what it predicts is a first guess only.

    Its experience starts anew, and with it early averaging; so does the gain of its linear
    model.
    """
    population, places = engine._arrays.population, engine.places()
    population.rules["experience"][places] = 0
    if engine.config.prediction == "linear":
        size = engine.n_features + 1
        population.gain[places] = 0.0
        for k in range(size):
            population.gain[places, k * size + k] = engine.config.rls_initial_gain
    rebuild_door(engine._layout)(engine._agent_bundle.address)
