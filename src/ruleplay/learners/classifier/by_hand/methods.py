"""What a classifier offers to people who write rules."""

from typing import Any, NamedTuple, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from ruleplay.config import XCSConfig
from ruleplay.errors import ConfigError
from ruleplay.learners.classifier.by_hand.boxes import engine_keys, place_boxes
from ruleplay.learners.classifier.by_hand.demands import check_allowed, unused_features
from ruleplay.learners.classifier.by_hand.planting import known_origins, plant
from ruleplay.learners.classifier.labels import class_numbers
from ruleplay.learners.classifier.learning import ClassifierLearning
from ruleplay.learners.classifier.settings import read_plan
from ruleplay.learners.common.labelled_rows import LabelledRows, Vector
from ruleplay.rules import RuleSet, read_rules
from ruleplay.rules.by_hand.from_set import set_of_rules
from ruleplay.rules.engine_rules import COPIED
from ruleplay.rules.features import outcomes_of
from ruleplay.rules.origins import BY_HAND, PROTECTED, Key
from ruleplay.rules.wording import joined


class HandRules(ClassifierLearning):
    """Rules that a person puts into a classifier which has learned, and what became of them."""

    def insert_rules(
        self,
        rules: Any,
        X: ArrayLike | None = None,
        y: ArrayLike | None = None,
        *,
        protect: bool = False,
    ) -> Self:
        """Put rules into the model, whatever `ruleplay.read_rules` takes; it may go on learning.

        With rows and their classes each rule gets the figures that these give it; without them it
        expects its class's share of the rows, and has little weight before it has learned.
        Protected rules stay in the model whatever it learns later. A rule that is there already
        stays as it is; given again, it is protected or not as was said last.
        """
        check_is_fitted(self)
        if (X is None) != (y is None):
            raise ConfigError("insert_rules needs rows and their classes, or neither")
        given = read_rules(rules)
        if not given:
            return self
        demands, features = self._read_demands(), self._features()
        bound = set_of_rules(given, features, outcomes_of(self.engine_))
        placed = place_boxes(self.engine_, bound, self.layout_, "rules")
        unused = unused_features(self, features)
        check_allowed("rules", placed, bound, demands.forbidden, unused)
        origin = PROTECTED if protect else BY_HAND
        labelled = None if X is None else self._judges(X, y)
        settled = read_plan(self).settles
        plant(self.engine_, placed, origin, labelled, self.class_prior_, settled=settled)
        return self

    def rules_by_hand(self, X: ArrayLike | None = None, y: ArrayLike | None = None) -> pd.DataFrame:
        """Return what became of the rules that people gave, a row for each.

        `if` and `class`, whether it is `protected`, and whether it is still `in_model`. With rows
        and their classes: how many `rows` it matches, and how many of them are `right`, that is, of
        its class.
        """
        check_is_fitted(self)
        if (X is None) != (y is None):
            raise ConfigError("rules_by_hand needs rows and their classes, or neither")
        known = known_origins(self.engine_)
        noted = NotedRules(
            self.engine_.config,
            self.engine_.low,
            self.engine_.high,
            self.engine_.n_actions,
            self.engine_.about,
            tuple(known),
        )
        rules, there = RuleSet.of(noted, 0, self._features()), set(engine_keys(self.engine_))
        table = {
            "if": [joined(rules.phrases(place)) for place in range(len(rules))],
            "class": [self.classes_[action] for action in rules.action],
            "protected": [origin == PROTECTED for origin in known.values()],
            "in_model": [key in there for key in known],
        }
        if X is not None and y is not None:
            rows, labels, _ = self._take_in(X, y, None, reset=False)
            inside = rules.matches(self._clipped(rows))
            right = class_numbers(labels, self.classes_)[:, np.newaxis] == rules.action
            table |= {"rows": inside.sum(axis=0), "right": (inside & right).sum(axis=0)}
        return pd.DataFrame(table)

    def _judges(self, X: Any, y: Any) -> LabelledRows:
        """Return rows by which rules are judged, without learning from them."""
        rows, labels, weights = self._take_in(X, y, None, reset=False)
        return LabelledRows(self._columns(rows), class_numbers(labels, self.classes_), weights)


class NotedRules(NamedTuple):
    """The rules that an engine's notes speak of, to be read, whether or not it still has them."""

    config: XCSConfig
    low: Vector
    high: Vector
    n_actions: int
    about: dict[str, Any]
    keys: tuple[Key, ...]

    def export(self) -> dict[str, NDArray[Any]]:
        """Return boxes and classes; nothing else is known."""
        bounds = b"".join(bounds for _, bounds in self.keys)
        boxes = np.frombuffer(bounds, np.float32).reshape(len(self.keys), 2, len(self.low))
        nothing = np.zeros(len(self.keys))
        return {
            **{name: nothing for name in COPIED},
            "lower": boxes[:, 0],
            "upper": boxes[:, 1],
            "action": np.array([action for action, _ in self.keys], np.int64),
        }
