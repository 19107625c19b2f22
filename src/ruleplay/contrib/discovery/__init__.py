"""Rule discovery beyond the genetic algorithm; START HERE: `extended`."""

from ruleplay.contrib.discovery.extended import Extended

__all__ = ["Extended"]
