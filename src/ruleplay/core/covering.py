"""Covering: new rules where too few actions are advocated."""

from ruleplay.compiler.jit import ZERO, kernel
from ruleplay.core.basics.rng import draw_below
from ruleplay.core.components.families import cover_alleles, express, new_model
from ruleplay.core.deletion import delete_one
from ruleplay.core.insertion import insert_child
from ruleplay.core.matching import match_all
from ruleplay.core.state.agent import STATE_VECTOR, agent_units


@kernel
def draw_missing_action(starts, present, rng):
    """Draw one of the actions that no rule of the match set advocates."""
    n_actions = starts.shape[0] - 1
    skip = draw_below(n_actions - present, rng)
    for action in range(n_actions):
        if starts[action + 1] == starts[action]:
            if skip == 0:
                return action
            skip -= 1
    return n_actions - 1


@kernel
def cover(agent, state, action):
    """Make a rule that contains the state and advocates the action; insert it."""
    nursery, params, rng = agent.nursery, agent.params, agent.rng
    cover_alleles(agent.traits.condition, nursery.alleles[0], state, params, rng)
    express(agent.traits.condition, nursery.alleles[0], nursery.bounds[0])
    rule = nursery.rules[0]
    rule.error = params.eps_ini
    rule.fitness = params.f_ini
    rule.set_size = 1.0
    rule.experience = params.exp_ini
    rule.time_stamp = agent.state.clock
    rule.numerosity = 1
    nursery.actions[0] = action
    new_model(agent.traits.prediction, nursery, ZERO, params)
    insert_child(agent, ZERO)


@agent_units.unit(STATE_VECTOR)
def form_covered_match_set(agent, state):
    """Form the match set, covering until theta_mna actions are present."""
    present = match_all(agent, state)
    while present < agent.params.theta_mna:
        cover(agent, state, draw_missing_action(agent.scratch.starts, present, agent.rng))
        if agent.state.micro > agent.params.n_max:
            delete_one(agent)
        present = match_all(agent, state)
