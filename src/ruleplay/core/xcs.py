"""START HERE: how a classifier system acts, and how it learns from one experience.

`act` is the first half of Algorithm 1 of the paper, `learn` is Algorithm 3 once the payoff
is known. Which experiences are learned from, and when, is the business of `ruleplay.engine.loop`.
"""

from numba import typeof

from ruleplay.compiler.jit import ZERO, inline_kernel, kernel
from ruleplay.core.basics.rng import draw_uniform
from ruleplay.core.basics.weight import FULL
from ruleplay.core.choice import choose_greedily, choose_randomly
from ruleplay.core.components.families import bootstrap, discover
from ruleplay.core.covering import form_covered_match_set
from ruleplay.core.matching import match_action, match_all
from ruleplay.core.prediction_array import (
    build_prediction_array,
    predict_jointly,
    write_prediction_array,
)
from ruleplay.core.reinforcement import bound_target, note_size, reinforce
from ruleplay.core.state.agent import FLOAT, INTEGER, MEMBERS, STATE_VECTOR, agent_units
from ruleplay.core.subsumption import subsume_action_set

# Exploration rates outside [0, 1] decide without a draw.
EXPLOIT, EXPLORE = -1.0, 2.0


@inline_kernel
def exploration_rate(agent):
    """Return epsilon at the current time: a straight line, then a constant."""
    params = agent.params
    if agent.state.time >= params.epsilon_steps:
        return params.epsilon_end
    progress = agent.state.time / params.epsilon_steps
    return params.epsilon_start + (params.epsilon_end - params.epsilon_start) * progress


@kernel
def act(agent, state, epsilon):
    """Form [M], cover, build the prediction array and choose an action epsilon-greedily.

    [Stein2020, Alg. 1 lines 1-9]. The prediction array stays in `scratch.values`.
    """
    form_covered_match_set(agent, state)
    build_prediction_array(agent, state)
    if epsilon > 1.0 or (epsilon >= 0.0 and draw_uniform(agent.rng) < epsilon):
        return choose_randomly(agent.scratch.values, agent.rng)
    return choose_greedily(agent.scratch.values, agent.rng)


@agent_units.unit(STATE_VECTOR)
def look_at(agent, state):
    """Write the prediction array of the rules there are into `scratch.values`."""
    match_all(agent, state)
    write_prediction_array(agent, state)


@kernel
def value_of(agent, state):
    """Return max PA(s) over the rules there are, without covering."""
    look_at(agent, state)
    return bootstrap(agent.traits.bootstrap, agent, state)


@agent_units.unit(STATE_VECTOR, INTEGER, returns=INTEGER)
def form_action_set(agent, state, action):
    """Form the action set [A] in `scratch.members`; return its number of rules."""
    return match_action(agent, state, action)


@agent_units.unit(MEMBERS, STATE_VECTOR, INTEGER, FLOAT, typeof(FULL))
def learn_from_set(agent, members, state, action, target, weight):
    """Reinforce an action set with a payoff, then let it evolve   [Stein2020, Alg. 3]."""
    payoff = bound_target(target, agent.params)
    note_size(agent.state, payoff)
    reinforce(agent, members, state, payoff, weight)
    if agent.params.set_subsumption != 0 and subsume_action_set(agent, members):
        members = agent.scratch.members[: match_action(agent, state, action)]
    discover(agent.traits.discovery, agent, members, state, action)


@kernel
def learn_and_tell(agent, state, action, target, weight, is_asked):
    """Learn from one experience as much as its weight says; return how surprising it was.

    That is |payoff - system prediction| before learning if anybody asks; without matching rules
    nothing is learned, and nothing is surprising.
    """
    count, surprise = form_action_set(agent, state, action), 0.0
    if count > 0:
        if is_asked:
            expected = predict_jointly(agent, ZERO, count, state)
            surprise = abs(bound_target(target, agent.params) - expected)
        learn_from_set(agent, agent.scratch.members[:count], state, action, target, weight)
    return surprise


@kernel
def learn(agent, state, action, target):
    """Learn from one experience with known payoff; without matching rules, nothing.

    [Stein2020, Alg. 3 lines 3-4 and 12-22]
    """
    learn_and_tell(agent, state, action, target, FULL, False)


@kernel
def learn_at_once(agent, state, action, target):
    """Do as `learn` does for the state whose match set has just been formed."""
    start, stop = agent.scratch.starts[action], agent.scratch.starts[action + 1]
    if stop > start:
        learn_from_set(agent, agent.scratch.members[start:stop], state, action, target, FULL)
