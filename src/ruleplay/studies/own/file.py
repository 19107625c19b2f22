"""Read a study from a file of the user's: a grid in TOML, or a Python module."""

import tomllib
import traceback
from pathlib import Path
from typing import Any, NamedTuple

from ruleplay.config import unknown_name
from ruleplay.errors import ConfigError
from ruleplay.experiments.modules import load_module
from ruleplay.experiments.spec import list_presets
from ruleplay.studies.own.grid import grid
from ruleplay.studies.own.plan import OwnStudy

SUFFIXES = (".toml", ".py")
VARIABLE = "study"  # what a Python file calls its study

KEYS = (
    "title",
    "about",
    "presets",
    "agents",
    "seeds",
    "steps",
    "metric",
    "baseline",
    "settings",
    "problem",
    "vary",
    "variants",
)


class StudyFile(NamedTuple):
    """A study and the file that it comes from."""

    path: Path
    study: OwnStudy
    text: str  # of the file, as it was read

    @property
    def name(self) -> str:
        """Identify the study among others: its file's name."""
        return self.path.stem

    @property
    def module(self) -> str:
        """Return the file that has to be loaded where runs are done, if any."""
        return str(self.path.resolve()) if self.path.suffix == ".py" else ""


def is_study_file(name: str) -> bool:
    """Tell whether a study is named by a file."""
    return name.endswith(SUFFIXES)


def read_study(path: Path) -> StudyFile:
    """Read a study; ConfigError says what is wrong with the file, and what would be right."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"study {str(path)!r} cannot be read: {error}") from None
    try:
        study = _from_python(path) if path.suffix == ".py" else _from_toml(path, text)
    except ConfigError as error:
        raise ConfigError(f"study {str(path)!r}: {error}") from error
    return StudyFile(path, study, text)


def _from_toml(path: Path, text: str) -> OwnStudy:
    try:
        content = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"it is no TOML: {error}") from None
    for key in content:
        if key not in KEYS:
            raise ConfigError(unknown_name("key", key, KEYS))
    if "presets" not in content:
        raise ConfigError("presets is missing: what is to be learned, e.g. ['stein2020/rmp6']")
    content["presets"] = _beside(path, content["presets"])
    return grid(**{"title": path.stem, **content})


def _beside(path: Path, presets: Any) -> Any:
    """Return presets, files among them with their place: beside the study's own file."""
    if isinstance(presets, str):
        presets = [presets]
    if not isinstance(presets, list):
        return presets
    files = [
        isinstance(p, str) and p.endswith(".toml") and p not in list_presets() for p in presets
    ]
    return [
        str(path.parent / preset) if is_file else preset
        for preset, is_file in zip(presets, files, strict=True)
    ]


def _from_python(path: Path) -> OwnStudy:
    """Load a module, which may register problems, and return its study."""
    try:
        module = load_module(str(path))
    except ConfigError:
        raise
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"line {place.lineno} of {Path(place.filename).name}"
        raise ConfigError(f"{type(error).__name__} in {where}: {error}") from error
    study = getattr(module, VARIABLE, None)
    if not isinstance(study, OwnStudy):
        raise ConfigError(
            f"it must define {VARIABLE} = ruleplay.studies.grid(...) or OwnStudy(...), "
            f"got {study!r}"
        )
    return study
