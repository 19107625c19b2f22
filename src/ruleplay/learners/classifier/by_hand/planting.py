"""Put rules that a person wrote into an engine, each with honest figures of what it is worth."""

import numpy as np
from numpy.typing import NDArray

from ruleplay.engine import XCS
from ruleplay.engine.inputs import checked_about
from ruleplay.engine.transfer import Parts, replace_rules, rules_of
from ruleplay.errors import ConfigError
from ruleplay.learners.classifier.by_hand.boxes import engine_keys
from ruleplay.learners.classifier.by_hand.figures import judged, share_accuracy
from ruleplay.learners.common.labelled_rows import LabelledRows, Vector
from ruleplay.rules.origins import NOTE, PROTECTED, Key, note_origins, noted_origins

Flags = NDArray[np.bool_]


def plant(
    engine: XCS,
    seedlings: XCS | None,
    origin: int,
    labelled: LabelledRows | None,
    priors: Vector,
    *,
    settled: bool = False,
) -> None:
    """Give an engine the rules of another one, made of boxes; those that it has stay as they are.

    By the rows, each rule gets the figures that it would have learned from them; without any it
    expects what its class is paid on average. Among rules that have settled, its vote is that of
    such a rule. The engine's notes say who wrote these rules.
    """
    if seedlings is None:
        return
    keys, there = engine_keys(seedlings), engine_keys(engine)
    note(engine, dict.fromkeys(keys, origin))
    present = set(there)
    new = [place for place, key in enumerate(keys) if key not in present]
    parts = {name: part[new] for name, part in judged(seedlings, labelled, priors).items()}
    parts["rules"]["time_stamp"] = engine.state.arrays.state["clock"]
    known = known_origins(engine)
    kept = [known.get(key) == PROTECTED for key in there] + [True] * len(new)
    replace_rules(engine, trimmed(join(rules_of(engine), parts), np.array(kept, np.bool_), engine))
    if labelled is not None:
        share_accuracy(engine, {keys[place] for place in new}, labelled, settled=settled)


def known_origins(engine: XCS) -> dict[Key, int]:
    """Return which rules a person gave to an engine, as its notes say."""
    return noted_origins(engine.about.get(NOTE, []), engine.n_features)


def protected_rules(engine: XCS) -> Flags:
    """Tell which rules a person protects."""
    origins = known_origins(engine)
    if not origins:
        return np.zeros(engine.macroclassifiers, np.bool_)
    return np.array([origins.get(key) == PROTECTED for key in engine_keys(engine)], np.bool_)


def note(engine: XCS, origins: dict[Key, int]) -> None:
    """Write into an engine's notes who wrote some rules; a later word counts."""
    noted = note_origins(known_origins(engine) | origins)
    engine.about = checked_about({**engine.about, NOTE: noted})


def join(parts: Parts, others: Parts) -> Parts:
    """Return the parts of rules and of further rules."""
    return {name: np.concatenate([parts[name], others[name]]) for name in parts}


def trimmed(parts: Parts, kept: Flags, engine: XCS) -> Parts:
    """Return the parts of rules that are not too many for an engine.

    What is too much goes from the rules with least fitness per microclassifier; some are kept.
    """
    numerosity = parts["rules"]["numerosity"].copy()
    excess = int(numerosity.sum()) - engine.config.population_size
    worth = np.where(kept, np.inf, parts["rules"]["fitness"] / numerosity)
    for place in np.argsort(worth, kind="stable").tolist():
        taken = min(max(excess, 0), int(numerosity[place]) - int(kept[place]))
        numerosity[place] -= taken
        excess -= taken
    if excess > 0:
        raise ConfigError(
            f"rules by hand must be at most {engine.config.population_size}, the population_size "
            f"(N_max), got {excess} more"
        )
    left = {name: part[numerosity > 0] for name, part in parts.items()}
    left["rules"]["numerosity"] = numerosity[numerosity > 0]
    return left
