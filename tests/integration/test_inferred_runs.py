"""Readings are run for real: short runs of the compiled engine, through the project's executors."""

import math

from ruleplay.experiments.executors import make_executor
from ruleplay.studies.inferred.evaluation import Evaluator
from ruleplay.studies.inferred.search import Search, Stage, finalists
from ruleplay.studies.inferred.space import Space, load_space, read_space
from ruleplay.studies.inferred.store import InferredStore

# Both values shorten the runs; the warm-up takes 1000 steps.
SHORT = """
[[choice]]
name = "kept_steps"
title = "Steps that the memory keeps"
where = "Algorithm 2"
[[choice.value]]
name = "all"
all-problem = { steps = 0.03 }
[[choice.value]]
name = "explore steps"
all-problem = { steps = 0.03 }
single-replay = { replay_kept_steps = "explore" }
"""


def short_space():
    measured = {name: c for name, c in load_space().choices.items() if c.measured}
    return Space({**read_space(SHORT).choices, **measured})


def test_a_tiny_search_runs_measures_and_resumes(tmp_path):
    stages = (Stage(("rmp6",), (2000,)), Stage(("rmp6", "chain16"), (2000, 2001)))
    evaluator = Evaluator(short_space(), InferredStore(tmp_path), make_executor("local", 1))
    search = Search(evaluator, stages)
    search.sweep(lambda: False)
    search.search(lambda: len(search.store.readings) >= 2)
    first, second = search.store.readings
    assert first["cells"] == second["cells"] == 20
    assert math.isfinite(finalists(search.store.readings)[0]["distances"][-1])
    # Only the memory of 6-RMP differs: all other runs are shared.
    assert len(evaluator.store.runs) == 10
    for figures in evaluator.store.runs.values():
        assert figures["generality_micro/whole"] > 0.0
    again = InferredStore(tmp_path)
    assert again.readings == search.store.readings
    assert again.runs.keys() == evaluator.store.runs.keys()
