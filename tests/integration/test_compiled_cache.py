"""Compiled code is kept on disk; types from other modules neither harm others nor go stale."""

import os
import subprocess
import sys

import pytest

HOST = """
from ruleplay.compiler.jit import Family, kernel
area = Family("area")

@kernel
def twice(shape):
    return 2 * area(shape)
"""
GUEST = """
from typing import NamedTuple
from host import area
from ruleplay.compiler.jit import kernel

class Square(NamedTuple):
    side: float

@area.member(Square)
@kernel
def area_of_square(shape):
    return FACTOR * shape.side * shape.side
"""
LOCAL = """
from typing import NamedTuple
from host import area, twice
from ruleplay.compiler.jit import kernel

class Circle(NamedTuple):
    radius: float

@area.member(Circle)
@kernel
def area_of_circle(shape):
    return shape.radius

print(twice(Circle(4.0)))
"""


@pytest.fixture
def run(tmp_path):
    """Return a function that runs code beside the modules, with one cache for all processes."""
    (tmp_path / "host.py").write_text(HOST)

    def run_code(code):
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
        environment.pop("NUMBA_DISABLE_JIT", None)
        environment["PYTHONPATH"] = os.pathsep.join([str(tmp_path), *sys.path])
        (tmp_path / "main.py").write_text(code)
        done = subprocess.run(
            [sys.executable, tmp_path / "main.py"],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    return run_code


def test_types_of_another_module_are_kept_apart(run, tmp_path):
    ask = "from guest import Square\nfrom host import twice\nprint(twice(Square(3.0)))\n"
    ask += "print(sum(twice.entry.stats.cache_hits.values()))"
    guest = tmp_path / "guest.py"
    guest.write_text(GUEST.replace("FACTOR", "1"))
    assert run(ask) == ["18.0", "0"]
    assert run(ask) == ["18.0", "1"]  # from the disk
    guest.write_text(GUEST.replace("FACTOR", "5"))
    assert run(ask) == ["90.0", "0"]  # the change is noticed
    guest.unlink()
    assert run(LOCAL) == ["8.0"]  # without the module
    assert run(LOCAL.replace("shape.radius", "shape.radius * 3")) == ["24.0"]  # scripts change


def test_a_kernel_that_kernels_have_called_can_be_called_from_python(run, tmp_path):
    (tmp_path / "guest.py").write_text(GUEST.replace("FACTOR", "1"))
    ask = "from guest import Square, area_of_square\nfrom host import twice\n"
    ask += "print(twice(Square(3.0)), area_of_square(Square(3.0)))\n"
    ask += "print(sum(area_of_square.entry.stats.cache_hits.values()))"
    assert run(ask) == ["18.0", "9.0", "0"]
    assert run(ask) == ["18.0", "9.0", "1"]  # each form has code of its own on the disk


SIMPLE = "from guest import Square\nfrom host import twice\nprint(twice(Square(3.0)))\n"
SIMPLE += "print(sum(twice.entry.stats.cache_hits.values()))"


@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", ["flipped", "cut", "foreign"])
def test_damaged_files_of_compiled_code_are_made_anew(run, tmp_path, suffix, damage):
    (tmp_path / "guest.py").write_text(GUEST.replace("FACTOR", "1"))
    run(SIMPLE)
    for path in (tmp_path / "cache").rglob(f"*.{suffix}"):
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 4
        damaged = {"flipped": content, "cut": content[:40], "foreign": b"no such thing"}
        path.write_bytes(damaged[damage])
    assert run(SIMPLE) == ["18.0", "0"]
    assert run(SIMPLE) == ["18.0", "1"]


def test_code_is_compiled_where_none_can_be_kept(run, tmp_path, monkeypatch):
    (tmp_path / "guest.py").write_text(GUEST.replace("FACTOR", "1"))
    closed = "import numba.core.caching as c\n"
    closed += "c.CacheImpl._locator_classes = []\n"
    assert run(closed + SIMPLE) == ["18.0", "0"]


def test_code_is_compiled_where_the_disk_is_full(run, tmp_path):
    (tmp_path / "guest.py").write_text(GUEST.replace("FACTOR", "1"))
    full = "import errno, numba.core.caching as c\n"
    full += "def refuse(*arguments): raise OSError(errno.ENOSPC, 'no space')\n"
    full += "c.IndexDataCacheFile._open_for_write = refuse\n"
    assert run(full + SIMPLE) == ["18.0", "0"]


SLOTS = """
import ruleplay.engine
from ruleplay.core.state.agent import agent_units
print(*(f"{unit.slot}:{name}" for name, unit in sorted(agent_units.units.items())))
"""


def test_the_places_of_units_do_not_depend_on_what_is_imported_first(run):
    """They stand in code on the disk, which other processes run."""
    usual = run(SLOTS)
    assert len(usual) == 7
    for first in ("deletion", "insertion", "covering", "genetic", "xcs"):
        assert run(f"import ruleplay.core.{first}\n{SLOTS}") == usual
