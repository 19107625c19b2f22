"""What learners of streams share: features that come and go, an engine that grows, and drift."""

from collections import deque
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ruleplay.engine import XCS
from ruleplay.engine.inputs import shown
from ruleplay.engine.transfer import relearn
from ruleplay.engine.widening import widened
from ruleplay.errors import ConfigError, NotTrainedError
from ruleplay.learners.common.rule_views import RuleViews
from ruleplay.learners.stream.drift import DriftWatch
from ruleplay.learners.stream.features import Features
from ruleplay.learners.stream.parameters import StreamParameters
from ruleplay.learners.stream.settings import Settings

LARGEST_SEED = 2**63 - 1


class StreamLearner(RuleViews, StreamParameters):
    """Keeps the features, the engine and the watch over drift of a learner of streams."""

    @property
    def n_drifts(self) -> int:
        """Return how many times the model has reacted to drift."""
        return self._watch.detections if self._watch else 0

    @property
    def _raw_memory_usage(self) -> int:
        """Return the bytes that River reports: without compiled code, which models share."""
        bare = object.__new__(type(self))
        bare.__dict__.update(self.__dict__, _engine=None)
        size = int(super(StreamLearner, bare)._raw_memory_usage)  # type: ignore[misc]
        return size if self._engine is None else size + self._engine.nbytes

    def _read_settings(self) -> Settings:
        """Return the checked parameters."""
        raise NotImplementedError

    def _n_actions(self) -> int:
        """Return how many actions the engine must have by now."""
        raise NotImplementedError

    def _teach(self, row: list[float], answer: Any) -> None:
        """Let the engine learn from a row and what is known of it."""
        raise NotImplementedError

    def _begin(self) -> Settings:
        """Check the parameters and get ready for the first example."""
        self._settings = settings = self._read_settings()
        self._features = Features(settings.grace_period)
        self._first = deque(maxlen=settings.grace_period)
        if settings.drift_delta is not None:
            self._watch = DriftWatch(settings.drift_delta)
        return settings

    def _take_in(self, x: Mapping[Any, Any], row: list[float], answer: Any) -> None:
        """Teach the engine, or keep an example until there are enough to start with."""
        assert self._settings is not None
        if self._engine is not None:
            self._teach(row, answer)
            return
        self._first.append((dict(x), answer))
        if len(self._first) == self._settings.grace_period and self._features.names:
            self._start()

    def _start(self) -> None:
        """Make an engine and teach it the examples collected so far."""
        assert self._settings is not None
        seed = self.seed
        if seed is None:
            seed = int(np.random.default_rng().integers(LARGEST_SEED))
        self._engine = XCS(
            self._settings.config,
            self._settings.replay,
            n_actions=self._n_actions(),
            low=self._features.low,
            high=self._features.high,
            seed=seed,
        )
        self._features.grown = False
        for x, answer in self._first:
            self._teach(self._features.row(x), answer)
        self._first.clear()

    def _ready_engine(self) -> XCS:
        """Return the engine with room for all columns, ranges and actions."""
        assert self._engine is not None
        n_actions = max(self._engine.n_actions, self._n_actions())
        if self._features.grown or n_actions > self._engine.n_actions:
            self._engine = widened(self._engine, n_actions, self._features.low, self._features.high)
            self._features.grown = False
        return self._engine

    def _free_share(self, row: list[float]) -> float:
        """Return the probability that a covering rule leaves a feature free."""
        assert self._settings is not None
        return max(0.0, 1.0 - self._settings.specific_features / len(row))

    def _note_error(self, engine: XCS, error: float, experiences: int) -> None:
        """Forget and relearn if errors have become larger; an example is some experiences."""
        if self._watch is not None:
            lasted = self._watch.note(error)
            if lasted:
                engine.forget(lasted * experiences)
                relearn(engine)

    def _observation(self, row: list[float]) -> NDArray[np.float64]:
        """Return a row as the engine takes it; linear models cannot do without a value."""
        assert self._settings is not None
        if self._settings.config.prediction == "linear":
            row = self._features.filled(row)
        return np.array(row)

    def _payoffs(self, engine: XCS, x: Mapping[Any, Any]) -> list[float]:
        """Return the payoff predicted for each action; NaN where it has no rule."""
        row = self._observation(self._features.row(x))
        payoffs: list[float] = engine.predict(row[None])[0].tolist()
        return payoffs

    def _taught_engine(self) -> XCS:
        """Return the engine, or refuse to show rules that are not there yet."""
        if self._engine is None:
            name = type(self).__name__
            raise NotTrainedError(f"{name} has no rules yet: it has seen too few examples")
        return self._engine


def check_example(x: Any) -> None:
    """Refuse an example that does not say which feature has which value."""
    if not isinstance(x, Mapping):
        raise ConfigError(f"an example must map names of features to values, got {shown(x)}")
