"""Compare classifiers, and regressors, on real data: which sets, who takes part, what is measured.

Read `lists` for the sets and how they are divided, `data` and `folds` for what contenders are
given, `contenders` for who takes part, `kinds` for what classes and quantities do not share,
`comparison` for the runs and `analysis` for what follows from them. This file imports nothing: the
peers load `task` without having ruleplay's dependencies.
"""
