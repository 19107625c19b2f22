"""Compare control methods: which problems, who takes part, what is measured.

Read `problems` for the problems and `references` for what chance and the best score on them,
`contenders` for who takes part, `course` for what happens in a run, `comparison` for the runs and
`analysis` for what follows from them. Programs of contenders run in an environment of their own,
which has the problems, the networks and what ruleplay needs.
"""
