"""Studies: what is run, and what is said about it when it has been run."""

from ruleplay.studies.own.grid import grid
from ruleplay.studies.own.plan import OwnStudy

__all__ = ["OwnStudy", "grid"]
