"""A River regressor: XCSF with experience replay on a stream of examples with a quantity."""

import math
from collections.abc import Mapping
from typing import Any

from river import base

from ruleplay.engine.rescaling import rescale_payoffs
from ruleplay.learners.stream.kernels import teach_quantity_entry
from ruleplay.learners.stream.learner import StreamLearner, check_example
from ruleplay.learners.stream.parameters import RegressorParameters
from ruleplay.learners.stream.settings import Settings, read_regressor_settings
from ruleplay.learners.stream.target import checked_target
from ruleplay.rules import RuleSet

LARGEST_ERROR = 4.0  # in deviations of the target, that the watch over drift takes for more than


class XCSStreamRegressor(StreamLearner, RegressorParameters, base.Regressor):  # type: ignore[misc, unused-ignore]
    """XCSF for streams: learns rules about a quantity from examples that come one at a time.

    Features may come and go, be words or truth values, and lie in ranges that are not known
    beforehand; so may the target. Rules are boxes with linear models in the features' own units.
    """

    def learn_one(self, x: Mapping[Any, Any], y: Any) -> None:
        """Learn from an example and its target."""
        if self._settings is None:
            self._begin()
        check_example(x)
        value = checked_target(y)
        row = self._features.learn(x)
        self._target.learn(value)
        self._take_in(x, row, value)

    def predict_one(self, x: Mapping[Any, Any], **kwargs: Any) -> float:
        """Return what is predicted, within the range of targets so far; 0 before there is any."""
        check_example(x)
        if self._target.count == 0:
            return 0.0
        if self._engine is None:
            return self._target.mean
        return self._target.value(self._payoffs(self._engine, x)[0])

    @property
    def ruleset_(self) -> RuleSet:
        """Return the rules on their own, in the features' and the target's units."""
        engine = self._taught_engine()
        notes = self._target.notes() | {"action_names": ["y"]}
        if engine.config.prediction == "linear":
            notes["fill"] = list(self._features.means)
        engine.about = notes
        return RuleSet.of(engine, 0, self._features.described())

    def _read_settings(self) -> Settings:
        return read_regressor_settings(self)

    def _n_actions(self) -> int:
        return 1

    def _teach(self, row: list[float], value: float) -> None:
        """Let the engine learn from a row and its target."""
        engine, change = self._ready_engine(), self._target.follow()
        if change is not None:
            rescale_payoffs(engine, *change)
        payoff = self._target.payoff(value)
        observation, free = self._observation(row), self._free_share(row)
        guess = engine.call(teach_quantity_entry, observation, payoff, free)
        error = abs(payoff - (0.0 if math.isnan(guess) else guess))
        self._note_error(engine, min(error / LARGEST_ERROR, 1.0), 1)
