"""Load a user's module by its file, the same in every process that does runs."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from ruleplay.errors import ConfigError


def load_module(path: str) -> ModuleType:
    """Load a Python file once in this process; its folder can be imported from.

    The module's name is that of the file: what it defines can be sent to other processes, and
    kernels compiled for its types are found again.
    """
    file = Path(path).resolve()
    name = file.stem
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
