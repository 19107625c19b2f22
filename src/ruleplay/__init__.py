"""XCS learning classifier systems with experience replay: fast, reproducible, readable.

Importing the package registers its Gymnasium environments; the other public names are
loaded when first used, and so are the environments.
"""

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from ruleplay import errors
from ruleplay.environments import register_environments

if TYPE_CHECKING:
    from ruleplay import envs
    from ruleplay.config import ReplayConfig, XCSConfig
    from ruleplay.engine import XCS
    from ruleplay.learners.agent import XCSAgent
    from ruleplay.learners.classifier import XCSClassifier
    from ruleplay.learners.common.chunk_files import read_chunks
    from ruleplay.learners.regressor import XCSRegressor
    from ruleplay.learners.rule_list import RuleListClassifier
    from ruleplay.learners.rule_list_regressor import RuleListRegressor
    from ruleplay.learners.stream import XCSStream, XCSStreamRegressor
    from ruleplay.rules import Rule, read_rules

    __version__: str

_HOMES = {
    "XCS": "ruleplay.engine",
    "XCSAgent": "ruleplay.learners.agent",
    "XCSClassifier": "ruleplay.learners.classifier",
    "XCSRegressor": "ruleplay.learners.regressor",
    "RuleListClassifier": "ruleplay.learners.rule_list",
    "RuleListRegressor": "ruleplay.learners.rule_list_regressor",
    "XCSStream": "ruleplay.learners.stream",
    "XCSStreamRegressor": "ruleplay.learners.stream",
    "ReplayConfig": "ruleplay.config",
    "XCSConfig": "ruleplay.config",
    "Rule": "ruleplay.rules.by_hand.rule",
    "read_chunks": "ruleplay.learners.common.chunk_files",
    "read_rules": "ruleplay.rules.by_hand.reading",
}

__all__ = [
    "XCS",
    "ReplayConfig",
    "Rule",
    "RuleListClassifier",
    "RuleListRegressor",
    "XCSAgent",
    "XCSClassifier",
    "XCSConfig",
    "XCSRegressor",
    "XCSStream",
    "XCSStreamRegressor",
    "__version__",
    "envs",
    "errors",
    "read_chunks",
    "read_rules",
]


register_environments()


def __getattr__(name: str) -> Any:
    """Load a public name from its home."""
    value: Any
    if name == "__version__":
        value = _read_version()
    elif name == "envs":
        value = import_module("ruleplay.envs")
    elif name in _HOMES:
        value = getattr(import_module(_HOMES[name]), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List what is there and what can be loaded."""
    return sorted({*globals(), *__all__})


def _read_version() -> str:
    try:
        return version("ruleplay")
    except PackageNotFoundError:  # run from a source tree that is not installed
        return "0+source"
