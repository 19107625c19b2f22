"""The checks of each seam, and how to run them."""

from collections.abc import Callable
from typing import Any, NamedTuple

from ruleplay.core.components.registry import Seam
from ruleplay.core.components.seams import (
    Bootstrap,
    Crossover,
    Discovery,
    Encoding,
    Exploration,
    Mixing,
    Prediction,
    Returns,
    Sampler,
    Selection,
    Storage,
    Update,
)
from ruleplay.errors import ConfigError
from ruleplay.testing import lives, parts

FIELDS: dict[type[Seam], str] = {
    Encoding: "condition",
    Prediction: "prediction",
    Selection: "selection",
    Crossover: "crossover",
    Sampler: "sampling",
    Storage: "storage",
}
# Settings by which the package's own components are chosen that have no name in a configuration.
WAYS: dict[type[Seam], dict[str, dict[str, Any]]] = {
    Exploration: {
        "plain": {},
        "guided": {"exploration_persistence": 3.0},
        "curious": {"count_bonus": 1.0, "count_bonus_in": "choice"},
    },
    Returns: {"one_step": {}, "n_step": {"return_steps": 3}},
    Update: {"full": {}, "by_fitness": {"gradient_scaling": True}},
    Bootstrap: {"own": {}, "copy": {"target_interval": 7, "double_estimation": True}},
    Discovery: {"genetic": {}, "extended": {"specify": True, "split_refuted": 5}},
    Mixing: {"pure": {}, "interpolated": {"interpolation": 0.5}},
}
LIVES = (
    lives.the_component_serves,
    lives.same_seed_same_bits,
    lives.invariants_hold,
    lives.a_saved_engine_goes_on_bit_by_bit,
    lives.a_copy_goes_on_bit_by_bit,
    lives.predictions_are_the_same_row_by_row,
)
MEMORIES = (*LIVES, lives.what_is_forgotten_is_gone)
PARTS: dict[type[Seam], tuple[Callable[..., None], ...]] = {
    Encoding: (
        parts.covering_contains_the_state,
        parts.mutated_alleles_stay_in_range,
        parts.set_intervals_contain_what_they_must,
    ),
    Prediction: (parts.a_constant_is_learned, parts.predictions_are_finite),
    Selection: (parts.parents_are_members,),
    Crossover: (parts.alleles_are_only_exchanged,),
    Sampler: (parts.sampled_slots_are_in_use,),
    Storage: (parts.empty_slots_are_taken_in_order,),
}


class Check(NamedTuple):
    """One thing that a component must keep."""

    function: Callable[..., None]
    seam: type[Seam]
    name: str
    settings: dict[str, Any]

    def __call__(self) -> None:
        """Raise AssertionError if it does not hold."""
        self.function(self.seam, self.name, self.settings)

    def __str__(self) -> str:
        return self.function.__name__


def checks_of(seam: type[Seam], name: str, **settings: Any) -> list[Check]:
    """Return the checks of a component; settings are its own, or of the configuration."""
    if name not in seam.names():
        raise ConfigError(f"{seam.__name__} must be one of {', '.join(seam.names())}, got {name!r}")
    chosen = dict(settings)
    if seam in FIELDS:
        chosen[FIELDS[seam]] = name
    else:
        chosen |= WAYS.get(seam, {}).get(name, {})
    functions = (*PARTS.get(seam, ()), *(MEMORIES if seam in (Sampler, Storage) else LIVES))
    return [Check(function, seam, name, chosen) for function in functions]


def check_component(seam: type[Seam], name: str, **settings: Any) -> None:
    """Run all checks of a component; the first that fails raises AssertionError."""
    for check in checks_of(seam, name, **settings):
        check()
