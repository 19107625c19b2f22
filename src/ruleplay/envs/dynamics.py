"""What a compiled problem can do: begin an episode, and answer an action.

A compiled problem is a NamedTuple of numbers and arrays; whatever changes lives in the
arrays. Its type chooses the two kernels, so a compiled run contains only its own problem.

    reset(problem, observation, rng)         -> None
    step(problem, action, observation, rng)  -> (reward, terminated)

`observation` (features,) is the caller's float64 buffer, written in the problem's own units.
Time limits are the business of whoever counts the steps.
"""

from ruleplay.core._jit import Family

reset_problem = Family("reset_problem")
step_problem = Family("step_problem")
