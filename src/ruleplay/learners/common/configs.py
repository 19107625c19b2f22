"""From the parameters of a learner of tables to the configurations of its engine."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.contrib.symbols.spans import write_spans
from ruleplay.learners.common.layout import Layout
from ruleplay.learners.common.parameters import settings_among
from ruleplay.learners.common.scaling import FEATURES_WITHOUT_MARGIN, checked_margin


def make_configs(
    values: Mapping[str, Any], estimator: Any, layout: Layout
) -> tuple[XCSConfig, ReplayConfig | None]:
    """Return the engine's configurations, given the settings of XCS.

    Bounds mutate by a share of what the data have, which the engine's range exceeds by a margin.
    """
    values = dict(values)
    if layout.nominal_columns:
        values |= _for_categories(values["condition"], layout)
    missing = "match" if estimator.prediction == "scalar" else "error"
    config = XCSConfig(**values, missing_values=missing)
    room = 1.0 + 2.0 * checked_margin(estimator.margin, len(layout.spans))
    config = replace(config, mutation_step=config.mutation_step / room)
    if estimator.replay is None:
        return config, None
    names = settings_among(estimator.get_params(deep=False), ReplayConfig)
    kept = {name: getattr(estimator, f"replay_{name}") for name in names}
    return config, ReplayConfig(sampling=estimator.replay, **kept)


def _for_categories(intervals: str, layout: Layout) -> dict[str, Any]:
    """Return the settings with which nominal features have sets of categories.

    Of many features most are left free in a new rule, as by the margin of numbers.
    """
    return {
        "condition": "mixed",
        "intervals": intervals,
        "nominal_columns": write_spans(layout.nominal_columns),
        "free_share": max(0.0, 1.0 - FEATURES_WITHOUT_MARGIN / len(layout.spans)),
    }


def united_configs(
    config: XCSConfig, replay: ReplayConfig | None, n_populations: int
) -> tuple[XCSConfig, ReplayConfig | None]:
    """Return the configurations of the engine that populations of one kind become."""
    if n_populations == 1:
        return config, replay
    return replace(config, population_size=n_populations * config.population_size), None
