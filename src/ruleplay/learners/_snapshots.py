"""An engine as bytes, in the engine's own file format: no pickled code, all checks on reading."""

import tempfile
from pathlib import Path

from ruleplay.engine import XCS

_NAME = "engine.ruleplay"


def engine_to_bytes(engine: XCS) -> bytes:
    """Return what `engine.save` writes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / _NAME
        engine.save(path)
        return path.read_bytes()


def engine_from_bytes(content: bytes) -> XCS:
    """Return the engine that `engine_to_bytes` was given; damaged bytes are refused."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / _NAME
        path.write_bytes(content)
        return XCS.load(path)
