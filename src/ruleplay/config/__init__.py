"""Name, document and check every setting; configurations are immutable values."""

from ruleplay.config.dqn import DQN_NAMES, DQNConfig, dqn_settings
from ruleplay.config.fields import SettingRecord
from ruleplay.config.keep import KeepConfig
from ruleplay.config.parsing import (
    build_configs,
    build_keep,
    setting_names,
    typed_value,
)
from ruleplay.config.replay import ReplayConfig
from ruleplay.config.settings import Settings, describe, digest_of
from ruleplay.config.xcs import XCSConfig
from ruleplay.output.names import unknown_name

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
    "describe",
    "digest_of",
    "dqn_settings",
    "setting_names",
    "typed_value",
    "unknown_name",
]
