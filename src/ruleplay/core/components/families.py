"""The kernels that can be of several kinds, by name, for those who call them.

What is asked of each is declared in `ruleplay.core.components.seams`.
"""

from ruleplay.core.components.seams import (
    Bootstrap,
    Crossover,
    Discovery,
    Encoding,
    Exploration,
    Prediction,
    Selection,
    Update,
)

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
write_inputs = Prediction.write_inputs

select_parent = Selection.select_parent
cross = Crossover.cross

decide = Exploration.decide
prefer = Exploration.prefer
settle = Exploration.settle
last_mark = Exploration.last_mark
set_last_mark = Exploration.set_last_mark
add_bonus = Exploration.add_bonus

sum_fitness = Update.sum_fitness
teach = Update.teach
bootstrap = Bootstrap.bootstrap
discover = Discovery.discover
may_vary = Discovery.may_vary
stands = Discovery.stands
note_payoff = Discovery.note_payoff
