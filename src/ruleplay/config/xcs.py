"""Configure XCS: every hyperparameter of the paper's table, and every choice it leaves open."""

from dataclasses import dataclass
from typing import ClassVar

from ruleplay.config.groups import (
    ConditionSettings,
    CoveringSettings,
    DeletionSettings,
    ExplorationSettings,
    FitnessSettings,
    GeneralSettings,
    GeneticSettings,
    PredictionSettings,
    SubsumptionSettings,
    UpdateSettings,
)
from ruleplay.config.settings import Settings
from ruleplay.core.components.registry import Seam
from ruleplay.core.components.seams import Bootstrap, Discovery, Exploration, Update
from ruleplay.errors import ConfigError


# A dataclass takes the settings of its last base first.
@dataclass(frozen=True, kw_only=True)
class XCSConfig(
    ExplorationSettings,
    UpdateSettings,
    PredictionSettings,
    ConditionSettings,
    SubsumptionSettings,
    GeneticSettings,
    CoveringSettings,
    DeletionSettings,
    FitnessSettings,
    GeneralSettings,
    Settings,
):
    """Set what XCS learns with; names are English, symbols are the paper's."""

    switched: ClassVar[tuple[type[Seam], ...]] = (Discovery, Update, Bootstrap, Exploration)

    def _check_together(self) -> None:
        if self.missing_values == "match" and self.prediction != "scalar":
            raise ConfigError(
                f"missing_values must be 'error' for prediction = {self.prediction!r}, got 'match'"
            )
        self.check_gain_limit()
        if not isinstance(self.initial_prediction, str):
            self.check_prediction_limit(self.initial_prediction)
        self.check_targets()
        self.check_persistence()
