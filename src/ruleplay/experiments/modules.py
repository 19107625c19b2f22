"""Load a user's module by its file, the same in every process that does runs."""

import importlib.util
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

from ruleplay.errors import ConfigError

# Files that are loaded wherever runs are done, also by processes that this one starts.
EVERYWHERE = "RULEPLAY_WITH"


def load_everywhere(paths: Iterable[Path]) -> None:
    """Load files here, and in every process of this machine that does runs for this one."""
    files = [str(path.resolve()) for path in paths]
    known = [path for path in os.environ.get(EVERYWHERE, "").split(os.pathsep) if path]
    os.environ[EVERYWHERE] = os.pathsep.join(dict.fromkeys([*known, *files]))
    load_named_modules()


def load_named_modules() -> None:
    """Load the files that are to be loaded everywhere."""
    for path in os.environ.get(EVERYWHERE, "").split(os.pathsep):
        if path:
            load_module(path)


def load_module(path: str) -> ModuleType:
    """Load a Python file once in this process; its folder can be imported from.

    The module's name is that of the file: what it defines can be sent to other processes, and
    kernels compiled for its types are found again.
    """
    file = Path(path).resolve()
    name = file.stem
    if not file.is_file():
        raise ConfigError(f"{path} cannot be loaded: there is no such file")
    known = sys.modules.get(name)
    if known is not None:
        if Path(getattr(known, "__file__", None) or "").resolve() == file:
            return known
        raise ConfigError(f"{path} cannot be loaded: another module is called {name!r}: rename it")
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ConfigError(f"{path} cannot be loaded: it must be a Python file, name.py")
    if str(file.parent) not in sys.path:
        sys.path.insert(0, str(file.parent))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
