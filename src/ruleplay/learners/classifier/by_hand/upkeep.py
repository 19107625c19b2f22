"""Keep an engine's rules as people demand, between blocks of learning.

Learning itself knows nothing of it. What it took away of protected rules comes back as it was
last seen; what it made of forbidden ones goes; conditions on forbidden features, which no row has
while learning, are opened.
"""

from typing import Any

import numpy as np

from ruleplay.engine import XCS
from ruleplay.engine.transfer import Parts, encode_boxes, merge_equal, replace_rules, rules_of
from ruleplay.errors import ConfigError
from ruleplay.learners.classifier.by_hand.boxes import Boxes, boxes_in, engine_keys
from ruleplay.learners.classifier.by_hand.demands import Demands
from ruleplay.learners.classifier.by_hand.planting import (
    join,
    known_origins,
    note,
    plant,
    trimmed,
)
from ruleplay.learners.common.labelled_rows import LabelledRows, Vector
from ruleplay.rules.origins import BY_HAND, PROTECTED, Key


class Upkeep:
    """Puts an engine's rules in order when it is called."""

    def __init__(self, engine: XCS, demands: Demands) -> None:
        self._engine, self._demands = engine, demands
        wanted = {key for key, origin in known_origins(engine).items() if origin == PROTECTED}
        places = {key: k for k, key in enumerate(engine_keys(engine)) if key in wanted}
        self._protected: list[Key] = list(places)
        self._last_seen = _taken(rules_of(engine), list(places.values()))
        self._check(boxes_in(engine).take(list(places.values())))

    def _check(self, protected: Boxes) -> None:
        """Refuse to forbid what is protected."""
        columns = list(self._demands.unused)
        limited = (protected.lower[:, columns] > 0.0) | (protected.upper[:, columns] < 1.0)
        forbidden = self._demands.forbidden
        if limited.any() or (forbidden is not None and protected.inside(forbidden).any()):
            raise ConfigError(
                "forbidden_features and forbidden_rules must not forbid a rule that is protected: "
                "insert it again with protect=False before"
            )

    def __call__(self) -> None:
        """Open forbidden conditions, drop forbidden rules, bring protected ones back."""
        if self._demands.unused:
            open_columns(self._engine, self._demands.unused)
        if self._demands.forbidden is not None:
            drop = boxes_in(self._engine).inside(self._demands.forbidden)
            if drop.any():
                replace_rules(self._engine, _taken(rules_of(self._engine), ~drop))
        if self._protected:
            self._bring_back()

    def _bring_back(self) -> None:
        parts, keys = rules_of(self._engine), engine_keys(self._engine)
        places = {key: place for place, key in enumerate(keys)}
        there = [k for k, key in enumerate(self._protected) if key in places]
        for name, part in self._last_seen.items():
            part[there] = parts[name][[places[self._protected[k]] for k in there]]
        lost = [k for k, key in enumerate(self._protected) if key not in places]
        if lost:
            back = _taken(self._last_seen, lost)
            back["rules"]["numerosity"] = 1
            wanted = set(self._protected)
            kept = [key in wanted for key in keys] + [True] * len(lost)
            joined = trimmed(join(parts, back), np.array(kept), self._engine)
            replace_rules(self._engine, joined)


def begin(
    engine: XCS,
    demands: Demands,
    labelled: LabelledRows | None,
    priors: Vector,
    *,
    settled: bool = False,
) -> Upkeep | None:
    """Give an engine the rules that it is to have, and return what keeps them; None: nothing to do.

    What is protected stays protected when learning goes on.
    """
    if demands.start is not None:
        before = known_origins(engine)
        plant(engine, demands.start, BY_HAND, labelled, priors, settled=settled)
        note(engine, before)
    plant(engine, demands.protect, PROTECTED, labelled, priors, settled=settled)
    protects = PROTECTED in known_origins(engine).values()
    if not (demands.unused or demands.forbidden is not None or protects):
        return None
    upkeep = Upkeep(engine, demands)
    upkeep()
    return upkeep


def open_columns(engine: XCS, columns: tuple[int, ...]) -> None:
    """Let no rule of an engine limit these columns; rules that become equal become one."""
    boxes = boxes_in(engine)
    limited = (boxes.lower[:, columns] > 0.0) | (boxes.upper[:, columns] < 1.0)
    if not limited.any():
        return
    whole = np.zeros((1, engine.n_features)), np.ones((1, engine.n_features))
    free = encode_boxes(engine, *whole)[0].astype(np.float32)
    alleles, places = engine.state.arrays.population.alleles, engine.places()
    for k in columns:
        alleles[places, 2 * k : 2 * k + 2] = free[k]
    engine.derive()
    replace_rules(engine, merge_equal(engine, rules_of(engine)))


def _taken(parts: Parts, which: Any) -> Parts:
    """Return copies of the parts of some rules: a mask or places say which."""
    return {name: np.array(part[which]) for name, part in parts.items()}
