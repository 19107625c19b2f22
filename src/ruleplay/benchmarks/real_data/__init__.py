"""Compare classifiers on real data: which sets, which contenders, what is measured.

Read `lists` for the sets and how they are divided, `data` and `folds` for what contenders are
given, `contenders` for who takes part, `comparison` for the runs and `analysis` for what
follows from them. This file imports nothing: the peers load `task` without having ruleplay's
dependencies.
"""
