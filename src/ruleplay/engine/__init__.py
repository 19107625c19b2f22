"""The engine: a classifier system that acts, learns, runs, saves. START with `xcs.py`."""

from ruleplay.engine.xcs import XCS

__all__ = ["XCS"]
