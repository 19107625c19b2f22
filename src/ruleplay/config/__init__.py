"""Name, document and check every setting; configurations are immutable values."""

from ruleplay.config.dqn import DQN_NAMES, DQNConfig, dqn_settings
from ruleplay.config.fields import SettingRecord
from ruleplay.config.keep import KeepConfig
from ruleplay.config.parsing import (
    build_configs,
    build_keep,
    parse_setting,
    setting_names,
    typed_value,
)
from ruleplay.config.replay import ReplayConfig
from ruleplay.config.settings import Settings, describe, digest_of, unknown_name
from ruleplay.config.together import check_evidence
from ruleplay.config.xcs import XCSConfig

__all__ = [
    "DQN_NAMES",
    "DQNConfig",
    "KeepConfig",
    "ReplayConfig",
    "SettingRecord",
    "Settings",
    "XCSConfig",
    "build_configs",
    "build_keep",
    "check_evidence",
    "describe",
    "digest_of",
    "dqn_settings",
    "parse_setting",
    "setting_names",
    "typed_value",
    "unknown_name",
]
