"""The seams of the core: each family is one decision, each member one way to take it.

A member registers itself under its tag; importing `ruleplay.core` registers all of them.
"""

from ruleplay.core._jit import Family

# Conditions: how alleles encode an interval per dimension.
express = Family("express")  # (tag, alleles, bounds): lower and upper bounds from alleles
cover_alleles = Family("cover_alleles")  # (tag, alleles, state, params, rng): around a state
mutate_alleles = Family("mutate_alleles")  # (tag, alleles, params, rng): disturb alleles in place
set_interval = Family("set_interval")  # (tag, alleles, k, low, high): of dimension k

# Predictions: what a rule expects to be paid.
predict = Family("predict")  # (tag, population, i, state, params) -> payoff
adapt = Family("adapt")  # (tag, agent, i, state, target, rate, weight)
# (tag, agent, i, state, target, rate, share, weight)
adapt_in_part = Family("adapt_in_part")
new_model = Family("new_model")  # (tag, nursery, c, params): the model of a covered rule
inherit_model = Family("inherit_model")  # (tag, population, i, nursery, c)
average_models = Family("average_models")  # (tag, nursery): both children get the mean
place_model = Family("place_model")  # (tag, nursery, c, population, i, params)
move_model = Family("move_model")  # (tag, population, source, target)

# The genetic algorithm's choices.
select_parent = Family("select_parent")  # (tag, population, members, scratch, rng) -> index
cross = Family("cross")  # (tag, first alleles, second alleles, rng): exchange alleles

# What goes beyond the paper; the members for `Plain` are the paper's.
sum_fitness = Family("sum_fitness")  # (tag, population, members) -> of [A], if `teach` needs it
teach = Family("teach")  # (tag, agent, i, state, target, rate, total): move a prediction
bootstrap = Family("bootstrap")  # (tag, agent, state) -> its value; PA(s) is in `scratch.values`
discover = Family("discover")  # (tag, agent, members, state, action): let [A] evolve
stands = Family("stands")  # (tag, agent, i) -> whether experiences let rule i subsume others
note_payoff = Family("note_payoff")  # (tag, agent, slot, target): last taught for an experience
