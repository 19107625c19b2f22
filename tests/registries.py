"""Leave the registries of components and problems as they were: tests register what they like."""

from contextlib import contextmanager

import pytest

from ruleplay.core.components.registry import Seam
from ruleplay.envs import problem


def _registries():
    for seam in Seam.__subclasses__():
        yield seam.components
    yield problem._MAKERS


def _is_own(component):
    return component.__module__.split(".")[0] == "ruleplay"


@contextmanager
def registered_here():
    """Let what is registered within be forgotten after it; the package's own stays."""
    before = [(registry, dict(registry)) for registry in _registries()]
    try:
        yield
    finally:
        for registry, content in before:
            for name in set(registry) - set(content):
                if not _is_own(registry[name]):
                    del registry[name]
            registry.update(content)


@pytest.fixture(autouse=True)
def components_are_forgotten():
    with registered_here():
        yield
