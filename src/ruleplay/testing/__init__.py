"""Contract tests for components: what every sampler, encoding, prediction, ... must keep.

>>> from ruleplay.kernels import Sampler
>>> from ruleplay.testing import check_component
>>> check_component(Sampler, "uniform")

Or, with pytest, one test for each check:

    @pytest.mark.parametrize("check", checks_of(Sampler, "recent"), ids=str)
    def test_my_sampler(check):
        check()
"""

from ruleplay.testing.checks import Check, check_component, checks_of
from ruleplay.testing.problems import check_problem

__all__ = ["Check", "check_component", "check_problem", "checks_of"]
