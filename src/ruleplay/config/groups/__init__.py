"""The settings of XCS, in groups: each is declared once, here, with all that follows from it.

A group is a frozen dataclass. `XCSConfig` has the settings of all groups under their own names;
presets, `--set`, the learners' parameters, the record that kernels read and the tables of the
documentation are made of the same declarations.
"""

from ruleplay.config.groups.conditions import ConditionSettings
from ruleplay.config.groups.covering import CoveringSettings
from ruleplay.config.groups.deletion import DeletionSettings
from ruleplay.config.groups.exploration import ExplorationSettings
from ruleplay.config.groups.fitness import FitnessSettings
from ruleplay.config.groups.general import GeneralSettings
from ruleplay.config.groups.genetic import GeneticSettings
from ruleplay.config.groups.predictions import PredictionSettings
from ruleplay.config.groups.subsumption import SubsumptionSettings
from ruleplay.config.groups.updates import UpdateSettings

GROUPS = (
    GeneralSettings,
    FitnessSettings,
    DeletionSettings,
    CoveringSettings,
    GeneticSettings,
    SubsumptionSettings,
    ConditionSettings,
    PredictionSettings,
    UpdateSettings,
    ExplorationSettings,
)

__all__ = [
    "GROUPS",
    "ConditionSettings",
    "CoveringSettings",
    "DeletionSettings",
    "ExplorationSettings",
    "FitnessSettings",
    "GeneralSettings",
    "GeneticSettings",
    "PredictionSettings",
    "SubsumptionSettings",
    "UpdateSettings",
]
