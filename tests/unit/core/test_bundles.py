"""Named tuples behind one address, and kernels that are reached by an address."""

from typing import NamedTuple

import numpy as np
import pytest

from property.samples import INTERPRETED, make_engine
from ruleplay.compiler.bundles import Bundle, view
from ruleplay.compiler.jit import entry
from ruleplay.core.state.agent import agent_units
from ruleplay.engine.entry_points import run_entry
from ruleplay.envs import make_problem

pytestmark = pytest.mark.interpreted


class Inner(NamedTuple):
    matrix: np.ndarray
    factor: float


class Outer(NamedTuple):
    flag: bool
    count: int
    inner: Inner
    record: np.void
    empty: np.ndarray


def make_outer():
    records = np.zeros(1, np.dtype([("a", "i8"), ("b", "f8")], align=True))
    if INTERPRETED:
        records = records.view(np.recarray)
    inner = Inner(np.arange(6.0).reshape(2, 3), 2.5)
    return Outer(True, 7, inner, records[0], np.zeros((0, 4), np.float32))


def test_a_kernel_reads_and_writes_what_a_bundle_points_to():
    value = make_outer()
    bundle = Bundle(value)
    layout = bundle.layout

    @entry
    def enter(at):
        outer = view(layout, at)
        outer.inner.matrix[1, 2] = outer.inner.factor * outer.count
        outer.record.a += 3
        outer.record.b = outer.empty.shape[1]
        return outer.inner.matrix.shape[0] if outer.flag else -1

    assert enter(bundle.address) == 2
    assert value.inner.matrix.tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 17.5]]
    assert (int(value.record["a"]), float(value.record["b"])) == (3, 4.0)


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
@pytest.mark.parametrize("part", ["text", [1.0], np.zeros((2, 4))[:, ::2], None])
def test_what_has_no_address_is_refused(part):
    with pytest.raises(TypeError, match="numbers, contiguous arrays and named tuples of such"):
        _ = Bundle(Inner(part, 1.0)).layout


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_layouts_are_the_same_for_the_same_types_and_differ_for_others():
    one, other = Bundle(make_outer()).layout, Bundle(make_outer()._replace(count=8)).layout
    assert one == other
    assert hash(one) == hash(other)
    assert one != Bundle(make_outer()._replace(count=8.0)).layout


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_what_is_compiled_for_one_problem_serves_the_next():
    engine = make_engine(2, exploration="epsilon_greedy")
    engine.run(make_problem("checkerboard"), 50)
    known = run_entry.cache_info().misses
    units = [len(unit.compiled) for unit in agent_units.units.values()]
    other = make_engine(2, 7, exploration="epsilon_greedy")
    other.run(make_problem("mario"), 50)
    assert run_entry.cache_info().misses == known
    assert [len(unit.compiled) for unit in agent_units.units.values()] == units
