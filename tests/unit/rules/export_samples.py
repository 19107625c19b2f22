"""Sets of rules of every kind, and rows that try all their edges, for those that write rules."""

import json

import numpy as np

from ruleplay.rules import RuleSet

COLOURS = ["blue", "green", "red", "Zürich", 'it\'s; -- "x" </script> */ ??/', "a\nb\t\\"]
CLASSES = ["no", "it's */ </script>\n--", "ja, 'ä' \"\\"]
NAMES = ["no", "maybe */", "yes"]
NUMBERS = {"speed": (0.0, 100.0), "an angle": (-1.0, 1.0), "int": (1e-9, 3e-9)}


def sample(ordered, missing="error", categories=True, linear=False, n_rules=230, seed=0):
    """Draw rules over three numbers and maybe some columns of categories.

    If values may be missing, there are categories of missing ones, too.
    """
    rng = np.random.default_rng(seed)
    features = [
        {"name": name, "low": low, "high": high, "whole": False}
        for name, (low, high) in NUMBERS.items()
    ]
    if categories:
        features.insert(1, {"name": 'the "colour"', "categories": COLOURS})
        features.append({"name": "flag", "categories": [False, True]})
    if categories and missing == "match":
        features.append({"name": "town", "categories": ["Bonn", "Ulm", "(missing)"]})
        features.append({"name": "floor", "categories": [1, 2, "(missing)"]})
    records = [
        drawn_rule(rng, features, linear, free=0.3 if ordered else 0.4)
        for _ in range(12 if ordered else n_rules)
    ]
    return RuleSet.from_json(document(ordered, missing, features, records))


def document(ordered, missing, features, records, names=NAMES, classes=CLASSES):
    """Return a file of rules; the second class is the default."""
    return json.dumps(
        {
            "format": "ruleplay-rules",
            "version": 2,
            "decides": "first" if ordered else "vote",
            "features": features,
            "actions": names,
            "classes": classes,
            "default_action": names[1],
            "error_threshold": 10.0,
            "prediction_limit": 900.0,
            "against_below": 500.0,
            "missing_values": missing,
            "scaling": None,
            "rules": records,
        }
    )


def drawn_rule(rng, features, linear, free):
    """Draw a rule; one in eight has no fitness, and predictions are often the same."""
    condition = {}
    for feature in features:
        if rng.random() < free:
            continue
        if "categories" in feature:
            known = feature["categories"]
            chosen = rng.random(len(known)) < 0.6
            condition[feature["name"]] = {
                "in": [v for v, c in zip(known, chosen, strict=True) if c]
            }
        else:
            span = feature["high"] - feature["low"]
            sides = sorted((feature["low"] + rng.random(2) * span).tolist())
            condition[feature["name"]] = [None if rng.random() < 0.2 else side for side in sides]
    record = {
        "if": condition,
        "then": NAMES[rng.integers(3)],
        "prediction": float(rng.choice([0.0, 1000.0 / 3.0, 1000.0, rng.random() * 1e3])),
        "error": 1.0,
        "fitness": float(0.0 if rng.random() < 0.125 else rng.random()),
        "numerosity": 1,
        "experience": 5,
    }
    if linear:
        record["weights"] = (rng.normal(size=1 + len(features)) * 500.0).tolist()
    return record


def trying_rows(rules, count=10_000, seed=1):
    """Return rows as users have them: random ones, and some on and beside each bound.

    If values may be missing, some are, and some categories are unknown.
    """
    rng = np.random.default_rng(seed)
    numbers = [k for k, feature in enumerate(rules.features) if not feature.categories]
    edges = np.concatenate([rules.lower[:, numbers], rules.upper[:, numbers]])
    edges = np.concatenate([edges, np.nextafter(edges, -np.inf), np.nextafter(edges, np.inf)])
    spans = (rules.high - rules.low)[numbers]
    drawn = rules.low[numbers] + (1.4 * rng.random((count, len(numbers))) - 0.2) * spans
    within = rules.low[numbers] + rng.random(edges.shape) * spans
    table = np.concatenate([drawn, np.where(np.isfinite(edges), edges, within)])
    for k in range(len(numbers)):  # a bound on its own, too: others must not hide it
        lone = rules.low[numbers] + rng.random(edges.shape) * spans
        lone[:, k] = np.where(np.isfinite(edges[:, k]), edges[:, k], lone[:, k])
        table = np.concatenate([table, lone])
    rows = [[None] * len(rules.features) for _ in table]
    for j, k in enumerate(numbers):
        for row, value in zip(rows, table[:, j].tolist(), strict=True):
            row[k] = value
    for k, feature in enumerate(rules.features):
        if feature.categories:
            for row, place in zip(
                rows, rng.integers(0, len(feature.categories), len(rows)), strict=True
            ):
                row[k] = feature.categories[place]
    return with_gaps(rules, rows, rng) if rules.missing_values == "match" else rows


def with_gaps(rules, rows, rng):
    """Return the rows with a tenth of their values missing, or of no known category."""
    for row in rows:
        for k, feature in enumerate(rules.features):
            if rng.random() < 0.1:
                is_unknown = bool(feature.categories) and rng.random() < 0.5
                row[k] = "unheard of" if is_unknown else None
    return rows


def expected(rules, rows):
    """Return the classes that a set of rules decides for."""
    actions = rules.actions(rules.encode(rows))
    assert len(set(actions.tolist())) == rules.n_actions
    return [rules.labels[action] for action in actions]
