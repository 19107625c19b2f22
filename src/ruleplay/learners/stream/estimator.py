"""A River classifier: XCS with experience replay on a stream of labelled examples."""

from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from river import base

from ruleplay.engine import XCS
from ruleplay.engine.inputs import shown
from ruleplay.engine.transfer import relearn
from ruleplay.engine.widening import widened
from ruleplay.envs.classification import RIGHT_REWARD
from ruleplay.errors import ConfigError, NotTrainedError
from ruleplay.learners.common.class_shares import class_shares_of_one
from ruleplay.learners.common.rule_views import RuleViews
from ruleplay.learners.stream.drift import DriftWatch
from ruleplay.learners.stream.features import Features
from ruleplay.learners.stream.kernels import teach_entry
from ruleplay.learners.stream.settings import Settings, StreamParameters, read_settings
from ruleplay.rules import Outcome, RuleSet
from ruleplay.rules.features import fitting_names

LARGEST_SEED = 2**63 - 1


class XCSStream(RuleViews, StreamParameters, base.Classifier):  # type: ignore[misc, unused-ignore]
    """XCS for streams: learns rules from examples that come one at a time.

    Features may come and go, be words or truth values, and lie in ranges that are not known
    beforehand; classes may turn up at any time. Rules are boxes in the features' own units.
    """

    def learn_one(self, x: Mapping[Any, Any], y: Any) -> None:
        """Learn from an example and its class."""
        settings = self._settings or self._begin()
        _check_example(x)
        _check_class(y)
        row = self._features.learn(x)
        answer = self._class_codes.setdefault(y, len(self._class_codes))
        if answer == len(self._class_counts):
            self._class_counts.append(0)
        self._class_counts[answer] += 1
        if self._engine is not None:
            self._teach(row, answer)
            return
        self._first.append((dict(x), answer))
        if len(self._first) == settings.grace_period and self._features.names:
            self._start()

    def predict_proba_one(self, x: Mapping[Any, Any], **kwargs: Any) -> dict[Any, float]:
        """Return the classes' shares of the predicted payoffs; {} before any class is known."""
        _check_example(x)
        total = sum(self._class_counts)
        if total == 0:
            return {}
        priors = [count / total for count in self._class_counts]
        payoffs = priors if self._engine is None else self._payoffs(self._engine, x)
        shares = class_shares_of_one(payoffs, priors)
        return dict(zip(self._class_codes, shares, strict=True))

    @property
    def ruleset_(self) -> RuleSet:
        """Return the rules on their own, with the names that all have by now."""
        if self._engine is None:
            raise NotTrainedError("XCSStream has no rules yet: it has seen too few examples")
        count = self._engine.n_actions
        labels = [*self._class_codes, None][:count]
        names = fitting_names([*map(str, self._class_codes), "unknown"][:count], count, "")
        taken = RuleSet.of(self._engine, self._most_frequent(), self._features.described())
        return replace(
            taken, outcomes=tuple(map(Outcome, names, labels)), against_below=RIGHT_REWARD / 2
        )

    @property
    def n_drifts(self) -> int:
        """Return how many times the model has reacted to drift."""
        return self._watch.detections if self._watch else 0

    @property
    def _multiclass(self) -> bool:
        return True

    @property
    def _raw_memory_usage(self) -> int:
        """Return the bytes that River reports: without compiled code, which models share."""
        bare = object.__new__(type(self))
        bare.__dict__.update(self.__dict__, _engine=None)
        size = int(super(XCSStream, bare)._raw_memory_usage)
        return size if self._engine is None else size + self._engine.nbytes

    def _begin(self) -> Settings:
        """Check the parameters and get ready for the first example."""
        self._settings = settings = read_settings(self)
        self._features = Features(settings.grace_period)
        self._first = deque(maxlen=settings.grace_period)
        if settings.drift_delta is not None:
            self._watch = DriftWatch(settings.drift_delta)
        return settings

    def _start(self) -> None:
        """Make an engine and teach it the examples collected so far."""
        assert self._settings is not None
        seed = self.seed
        if seed is None:
            seed = int(np.random.default_rng().integers(LARGEST_SEED))
        self._engine = XCS(
            self._settings.config,
            self._settings.replay,
            n_actions=max(2, len(self._class_codes)),
            low=self._features.low,
            high=self._features.high,
            seed=seed,
        )
        self._features.grown = False
        for x, answer in self._first:
            self._teach(self._features.row(x), answer)
        self._first.clear()

    def _teach(self, row: list[float], answer: int) -> None:
        """Let the engine learn about every class from a row and its class."""
        assert self._engine is not None
        assert self._settings is not None
        if self._features.grown or len(self._class_codes) > self._engine.n_actions:
            self._widen(self._engine)
        engine, n_classes = self._engine, len(self._class_codes)
        free = max(0.0, 1.0 - self._settings.specific_features / len(row))
        guess = engine.call(teach_entry, self._observation(row), answer, n_classes, free)
        if self._watch is not None:
            lasted = self._watch.note(guess != answer)
            if lasted:
                engine.forget(lasted * n_classes)
                relearn(engine)

    def _widen(self, engine: XCS) -> None:
        """Give the engine room for all columns, ranges and classes."""
        n_actions = max(engine.n_actions, len(self._class_codes))
        self._engine = widened(engine, n_actions, self._features.low, self._features.high)
        self._features.grown = False

    def _observation(self, row: list[float]) -> NDArray[np.float64]:
        """Return a row as the engine takes it; linear models cannot do without a value."""
        assert self._settings is not None
        if self._settings.config.prediction == "linear":
            row = self._features.filled(row)
        return np.array(row)

    def _payoffs(self, engine: XCS, x: Mapping[Any, Any]) -> list[float]:
        """Return the payoff predicted for each class; NaN where it has no rule."""
        row = self._observation(self._features.row(x))
        payoffs: list[float] = engine.predict(row[None])[0].tolist()
        return payoffs

    def _most_frequent(self) -> int:
        """Return the class that most examples had."""
        return int(np.argmax(self._class_counts))


def _check_example(x: Any) -> None:
    """Refuse an example that does not say which feature has which value."""
    if not isinstance(x, Mapping):
        raise ConfigError(f"an example must map names of features to values, got {shown(x)}")


def _check_class(y: Any) -> None:
    """Refuse a class that cannot be told from others."""
    try:
        hash(y)
    except TypeError:
        raise ConfigError(f"a class must be hashable, got {type(y).__name__}") from None
