"""Refine actions of real numbers around the one that is taken most often."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ruleplay.engine import XCS
from ruleplay.engine.widening import widened
from ruleplay.errors import ConfigError
from ruleplay.learners.agent.interface import Interface
from ruleplay.learners.agent.spaces import MOST_ACTIONS, Actions

Integers = NDArray[np.int64]


def refined_actions(actions: Actions, most_used: int) -> Actions:
    """Return actions and those halfway between one of them and its neighbours in each number.

    >>> coarse = Actions(3, table=((-1.0,), (0.0,), (1.0,)), shape=(1,), dtype="float32")
    >>> refined_actions(coarse, 2).table
    ((-1.0,), (0.0,), (1.0,), (0.5,))
    """
    if not actions.are_real:
        raise ConfigError("refine_actions needs actions of real numbers")
    centre, added = actions.table[most_used], []
    for k, values in enumerate(zip(*actions.table, strict=True)):
        below = [value for value in values if value < centre[k]]
        above = [value for value in values if value > centre[k]]
        for nearest in (*([max(below)] if below else []), *([min(above)] if above else [])):
            added.append((*centre[:k], (centre[k] + nearest) / 2, *centre[k + 1 :]))
    table = (*actions.table, *(row for row in added if row not in actions.table))
    if len(table) > MOST_ACTIONS:
        raise ConfigError(f"actions must be at most {MOST_ACTIONS}, got {len(table)}")
    return replace(actions, count=len(table), table=table)


def refine(
    engine: XCS, interface: Interface, counts: Integers, parts: tuple[str, ...]
) -> tuple[XCS, Interface, Integers]:
    """Return engine, interface and counts with finer actions, which have no rules yet."""
    actions = refined_actions(interface.actions, int(counts.argmax()))
    names = (*interface.action_names, *actions.plain_names(parts)[interface.n_actions :])
    finer = replace(interface, actions=actions, action_names=names)
    wide = widened(engine, actions.count, engine.low, engine.high)
    wide.about.update(finer.as_about())
    none_yet = np.zeros(actions.count - interface.n_actions, np.int64)
    return wide, finer, np.concatenate([counts, none_yet])
