"""Draw one population from the rules of several that learned apart.

Rules that learned from a sample of the rows are judged by all of them when they settle, also by
those that did not shape them, and rules of many samples err less alike: few of them are nearly as
good together as all, and better than as many of one population that learned from all rows.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ruleplay.engine import XCS
from ruleplay.engine.transfer import Parts, empty_like, fill_rules, rules_of


def draw_population(
    several: XCS,
    model: XCS,
    n_rules: int,
    rng: np.random.Generator,
    kept: NDArray[np.bool_] | None = None,
) -> XCS:
    """Return an engine as `model` is with so many rules of several populations in one engine.

    They are drawn without replacement, by the root of their fitness, with which rules vote once
    they have settled, times their numerosity. Those to be kept are all among them.
    """
    parts = rules_of(several)
    rules = parts["rules"]
    weights = np.sqrt(rules["fitness"]) * rules["numerosity"]
    with np.errstate(divide="ignore"):
        keys = np.log(weights) + rng.gumbel(size=len(weights))  # the largest: a weighted draw
    if kept is not None:
        keys[kept] = np.inf
    drawn = np.sort(np.argsort(-keys, kind="stable")[:n_rules])
    chosen: Parts = {name: part[drawn] for name, part in parts.items()}
    size = model.config.population_size
    chosen["rules"]["numerosity"] = shrunk(chosen["rules"]["numerosity"], size)
    made = empty_like(model)
    made.about = several.about
    made.state.arrays.state["clock"] = several.state.arrays.state["clock"]
    made.state.arrays.state["time"] = several.state.arrays.state["time"]
    fill_rules(made, chosen)
    return made


def shrunk(numerosity: NDArray[Any], most: int) -> NDArray[np.int64]:
    """Return numerosities in proportion that sum up to so much at most; each stays at least 1.

    >>> shrunk(np.array([1, 5, 4]), 6)
    array([1, 3, 2])
    """
    spare, wanted = numerosity - 1, most - len(numerosity)
    if spare.sum() > wanted:
        spare = spare * wanted // spare.sum()
    return np.asarray(spare + 1, np.int64)
