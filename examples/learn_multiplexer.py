"""Learn the 6-bit real multiplexer with experience replay and read the rules."""

import sys

from ruleplay import XCS, ReplayConfig, XCSConfig
from ruleplay.envs import make_problem
from ruleplay.rules import rules_text

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 40_000

problem = make_problem("rmp6")
engine = XCS(
    XCSConfig(population_size=800, ga_threshold=12, cover_spread=1.0),
    ReplayConfig(batch_size=4, warmup=500),
    n_actions=problem.n_actions,
    low=problem.low,
    high=problem.high,
    seed=0,
    about={"feature_names": problem.feature_names, "action_names": problem.action_names},
)
record = engine.run(problem, steps)
print(f"reward {record.curve['reward'][-1]:.0f} of 1000 in the last steps")
print(rules_text(engine, top=5))
