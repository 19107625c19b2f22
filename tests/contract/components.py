"""Components outside the package, imported as a user's script would be."""

import importlib.util
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples" / "components"


def load_examples():
    """Import all examples of components, which registers them; return their names."""
    names = [path.stem for path in sorted(EXAMPLES.glob("*.py"))]
    for name in names:
        if name not in sys.modules:
            spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
            sys.modules[name] = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(sys.modules[name])
    return names
