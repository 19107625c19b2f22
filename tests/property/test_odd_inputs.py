"""Whatever is given to an engine, in whatever order, it refuses it whole or stays sound."""

from random import Random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from property.samples import bytes_of, quick
from torture.engine_ordeals import CALLS, Engines
from torture.originals import COMPILED

pytestmark = [
    pytest.mark.uncompiled,
    pytest.mark.filterwarnings("ignore"),
]


class OddLife(RuleBasedStateMachine):
    """An engine that is called with odd arguments, again and again."""

    @initialize(name=st.sampled_from(sorted(COMPILED)))
    def begin(self, name):
        self.subject = Engines([name], CALLS)
        self.engine = self.subject.fresh(Random(0))

    @rule(name=st.sampled_from(sorted(CALLS)), seed=st.integers(0, 2**16))
    def call(self, name, seed):
        before = bytes_of(self.engine)
        try:
            CALLS[name](self.engine, Random(seed))
        except self.subject.refusals:
            assert bytes_of(self.engine) == before
        else:
            self.subject.check(self.engine)


OddLife.TestCase.settings = settings(quick(50), stateful_step_count=8)
TestOddLife = OddLife.TestCase
