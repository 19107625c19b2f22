"""Compare ruleplay with peer libraries on the same work.

Read `workload` (the multiplexer) and `cartpole` (replayed transitions) for the work, `peers` for
the programs that run other libraries in an environment of their own, `driver` for the comparison
and `tables` for its figures. This file imports nothing: the peers load the package without
having ruleplay's dependencies.
"""
