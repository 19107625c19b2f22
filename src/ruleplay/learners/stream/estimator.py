"""A River classifier: XCS with experience replay on a stream of labelled examples."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from river import base

from ruleplay.envs.classification import RIGHT_REWARD
from ruleplay.errors import ConfigError
from ruleplay.learners.common.class_shares import class_shares_of_one
from ruleplay.learners.stream.kernels import teach_entry
from ruleplay.learners.stream.learner import StreamLearner, check_example
from ruleplay.learners.stream.parameters import ClassifierParameters
from ruleplay.learners.stream.settings import Settings, read_settings
from ruleplay.rules import Outcome, RuleSet
from ruleplay.rules.features import fitting_names


class XCSStream(StreamLearner, ClassifierParameters, base.Classifier):  # type: ignore[misc, unused-ignore]
    """XCS for streams: learns rules from examples that come one at a time.

    Features may come and go, be words or truth values, and lie in ranges that are not known
    beforehand; classes may turn up at any time. Rules are boxes in the features' own units.
    """

    def learn_one(self, x: Mapping[Any, Any], y: Any) -> None:
        """Learn from an example and its class."""
        if self._settings is None:
            self._begin()
        check_example(x)
        _check_class(y)
        row = self._features.learn(x)
        answer = self._class_codes.setdefault(y, len(self._class_codes))
        if answer == len(self._class_counts):
            self._class_counts.append(0)
        self._class_counts[answer] += 1
        self._take_in(x, row, answer)

    def predict_proba_one(self, x: Mapping[Any, Any], **kwargs: Any) -> dict[Any, float]:
        """Return the classes' shares of the predicted payoffs; {} before any class is known."""
        check_example(x)
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
        engine = self._taught_engine()
        count = engine.n_actions
        labels = [*self._class_codes, None][:count]
        names = fitting_names([*map(str, self._class_codes), "unknown"][:count], count, "")
        taken = RuleSet.of(engine, self._most_frequent(), self._features.described())
        return replace(
            taken, outcomes=tuple(map(Outcome, names, labels)), against_below=RIGHT_REWARD / 2
        )

    @property
    def _multiclass(self) -> bool:
        return True

    def _read_settings(self) -> Settings:
        return read_settings(self)

    def _n_actions(self) -> int:
        return max(2, len(self._class_codes))

    def _teach(self, row: list[float], answer: int) -> None:
        """Let the engine learn about every class from a row and its class."""
        engine, n_classes = self._ready_engine(), len(self._class_codes)
        observation, free = self._observation(row), self._free_share(row)
        guess = engine.call(teach_entry, observation, answer, n_classes, free)
        self._note_error(engine, float(guess != answer), n_classes)

    def _most_frequent(self) -> int:
        """Return the class that most examples had."""
        return int(np.argmax(self._class_counts))


def _check_class(y: Any) -> None:
    """Refuse a class that cannot be told from others."""
    try:
        hash(y)
    except TypeError:
        raise ConfigError(f"a class must be hashable, got {type(y).__name__}") from None
