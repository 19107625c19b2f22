"""The kernels that can be of several kinds, by name, for those who call them.

What is asked of each is declared in `ruleplay.core.seams`.
"""

from ruleplay.core._jit import Family
from ruleplay.core.seams import Crossover, Encoding, Exploration, Prediction, Selection

express = Encoding.express
cover_alleles = Encoding.cover_alleles
mutate_alleles = Encoding.mutate_alleles
set_interval = Encoding.set_interval

predict = Prediction.predict
adapt = Prediction.adapt
adapt_in_part = Prediction.adapt_in_part
new_model = Prediction.new_model
inherit_model = Prediction.inherit_model
average_models = Prediction.average_models
place_model = Prediction.place_model
move_model = Prediction.move_model

select_parent = Selection.select_parent
cross = Crossover.cross

decide = Exploration.decide
settle = Exploration.settle
last_mark = Exploration.last_mark
set_last_mark = Exploration.set_last_mark
add_bonus = Exploration.add_bonus

# What goes beyond the paper; the members for `Plain` are the paper's.
sum_fitness = Family("sum_fitness")  # (tag, population, members) -> of [A], if `teach` needs it
# (tag, agent, i, state, target, rate, total, weight): move a prediction
teach = Family("teach")
bootstrap = Family("bootstrap")  # (tag, agent, state) -> its value; PA(s) is in `scratch.values`
discover = Family("discover")  # (tag, agent, members, state, action): let [A] evolve
stands = Family("stands")  # (tag, agent, i) -> whether experiences let rule i subsume others
note_payoff = Family("note_payoff")  # (tag, agent, slot, target): last taught for an experience
