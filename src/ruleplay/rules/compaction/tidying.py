"""Leave out of a list what changes no decision: rules, and bounds of rules."""

import numpy as np
from numpy.typing import NDArray

from ruleplay.rules.ruleset import RuleSet

Vector = NDArray[np.float64]


def ended(rules: RuleSet) -> RuleSet:
    """Return a list that ends where a rule contains everything: its action is the default."""
    open_below, open_above = np.isneginf(rules.lower), np.isposinf(rules.upper)
    whole = np.all(open_below & open_above, axis=1) & np.all(rules.allowed, axis=1)
    if not whole.any():
        return rules
    last = int(whole.argmax())
    return rules.take(range(last), default_action=int(rules.action[last]))


def tidy(rules: RuleSet, seen: Vector) -> RuleSet:
    """Return a list that decides alike about all that has been seen, with nothing to spare."""
    wanted = rules.actions(seen)
    for place in reversed(range(len(rules))):
        shorter = rules.take([k for k in range(len(rules)) if k != place])
        if (shorter.actions(seen) == wanted).all():
            rules = shorter
    for name, nothing in (("lower", -np.inf), ("upper", np.inf)):
        for place, k in np.argwhere(np.isfinite(getattr(rules, name))):
            bounds: Vector = getattr(rules, name).copy()
            bounds[place, k] = nothing
            wider = rules.take(range(len(rules)), **{name: bounds})
            if (wider.actions(seen) == wanted).all():
                rules = wider
    return ended(rules)
