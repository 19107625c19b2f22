"""The record of numbers that kernels read, `agent.params`, made of the declared settings.

A configuration is cast to it once, so that `nu = 5` and `nu = 5.0` reach the same compiled code.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ruleplay.config.fields import kind_of, rule_of
from ruleplay.config.options import Field, own_settings
from ruleplay.config.replay import ReplayConfig
from ruleplay.config.settings import Settings
from ruleplay.config.xcs import XCSConfig
from ruleplay.core.state.arrays import records

# What kernels read beside settings: it follows from several of these, the problem or the run.
FOLLOWING = {
    "stride": "i8",  # places reserved for each action's rules
    "n_actions": "i8",
    "nu_whole": "i8",  # nu if it is a whole number, else 0: powers by products
    "hope_ends": "i8",  # the first reward that is not 0 makes p_ini 0 (1)
    "horizon": "f8",  # learning steps planned
    "epsilon_steps": "f8",  # learning steps over which epsilon falls
    "best_return": "i8",  # the larger of the n-step and the one-step payoff (1)
    "rewarded_return": "i8",  # one-step payoffs where all n rewards are 0 (1)
}


def read_by_kernels(cls: type[Settings]) -> Iterator[tuple[str, Field]]:
    """Return the settings of a configuration that kernels read, by the names they have there."""
    for field in own_settings(cls):
        rule = rule_of(field)
        symbol = rule.symbol.lower()
        usual = symbol if symbol.isidentifier() else field.name
        name = usual if rule.kernel is None else rule.kernel
        if name and rule.seam is None:
            yield name, field


def _type_of(field: Field) -> str:
    return "f8" if kind_of(field) is float else "i8"


PARAMS = np.dtype(
    [
        (name, _type_of(field))
        for cls in (XCSConfig, ReplayConfig)
        for name, field in read_by_kernels(cls)
    ]
    + list(FOLLOWING.items()),
    align=True,
)


def cast_settings(config: Settings) -> dict[str, float]:
    """Return the numbers that kernels read for the settings of a configuration."""
    return {
        name: _cast(field, getattr(config, field.name))
        for name, field in read_by_kernels(type(config))
    }


def _cast(field: Field, value: Any) -> float:
    rule = rule_of(field)
    if value is None:
        return rule.absent
    if isinstance(value, str):
        return float(value == rule.means_one)
    number: float = value
    return number


def make_record(values: Mapping[str, Any]) -> NDArray[np.void]:
    """Return a record of one entry with all of these values."""
    record = records(PARAMS, 1)
    for name in PARAMS.names or ():
        record[name] = values[name]
    return record
