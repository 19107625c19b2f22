"""Components outside the package, imported as a user's script would be."""

import importlib.util
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples" / "components"
NAMES = [path.stem for path in sorted(EXAMPLES.glob("*.py"))]


def load_examples():
    """Import all examples of components anew, which registers them."""
    for name in NAMES:
        spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
