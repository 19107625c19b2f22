"""Small sets of rules made by hand."""

import numpy as np

from ruleplay.rules import Feature, Outcome, RuleSet

INF = np.inf


def rule_set(*rules, ordered=False, default_action=0, **changes):
    """Make rules over speed in [0, 100] and angle in [-1, 1]; see `rule`."""
    some = rules or (rule(),)
    parts = {name: np.array([part[name] for part in some])[: len(rules)] for name in some[0]}
    settings = {
        "features": named("speed", "angle"),
        "outcomes": actions("stop", "go"),
        "ordered": ordered,
        "default_action": default_action,
    }
    return RuleSet(**{**settings, **parts, **changes})


def named(speed, angle, whole=False):
    """Return the two features under other names, the first maybe of whole numbers."""
    return Feature(speed, 0.0, 100.0, whole), Feature(angle, -1.0, 1.0)


def actions(*names):
    return tuple(Outcome(name, k) for k, name in enumerate(names))


def rule(speed=(-INF, INF), angle=(-INF, INF), action=0, prediction=0.0, fitness=1.0, **changes):
    parts = {
        "lower": (speed[0], angle[0]),
        "upper": (speed[1], angle[1]),
        "action": action,
        "prediction": float(prediction),
        "error": 1.0,
        "fitness": float(fitness),
        "numerosity": 1,
        "experience": 10,
    }
    return {**parts, **changes}


def slow_down():
    """Go below 30, stop above 60, and between them it depends on the angle."""
    return rule_set(
        rule(speed=(-INF, 60.0), action=1, prediction=80.0, fitness=0.9, numerosity=5),
        rule(speed=(30.0, INF), angle=(0.0, INF), action=0, prediction=90.0, fitness=0.8),
        rule(speed=(60.0, INF), action=0, prediction=70.0, fitness=0.5),
        rule(speed=(60.0, INF), action=0, prediction=71.0, fitness=0.1),
        rule(speed=(-INF, 30.0), action=0, prediction=10.0, fitness=0.7),
    )


def grid(side=40):
    """Return observations all over the plane."""
    speed, angle = np.meshgrid(np.linspace(0.0, 100.0, side), np.linspace(-1.0, 1.0, side))
    return np.column_stack([speed.ravel(), angle.ravel()])
