"""Rule discovery beyond the genetic algorithm: what an action set does when its turn has come.

Splitting, specifying and the genetic algorithm share one clock, that of the genetic algorithm:
a set whose rules have waited longer than theta_GA on average has its turn, and all three may
act on it, in this order. What is switched off takes no random number.
"""

from ruleplay.core._jit import inline_kernel, kernel
from ruleplay.core.evidence import Extended
from ruleplay.core.families import discover
from ruleplay.core.genetic import evolve, is_due
from ruleplay.core.matching import match_action
from ruleplay.core.specify import specify
from ruleplay.core.splitting import split

STEP, TURNS = 0, 1  # places in `Discoverer.notes`


@inline_kernel
def take_turn(agent):
    """Tell whether another set may have its turn in this learning step; count it if so."""
    notes, limit = agent.discoverer.notes, agent.params.ga_niches
    if limit == 0:
        return True
    if notes[STEP] != agent.state.time:
        notes[STEP], notes[TURNS] = agent.state.time, 0
    if notes[TURNS] >= limit:
        return False
    notes[TURNS] += 1
    return True


@discover.member(Extended)
@kernel
def discover_more(tag, agent, members, state, action):
    """Split, specify and evolve an action set whose turn has come."""
    if not is_due(agent, members) or not take_turn(agent):
        return
    params, found = agent.params, agent.scratch.members
    if params.split_evidence > 0 and split(agent, members):
        members = found[: match_action(agent, state, action)]
    if members.shape[0] == 0:  # its only rule was split, and the part that matched deleted
        return
    if params.specifies != 0 and specify(agent, members, state, action):
        members = found[: match_action(agent, state, action)]
    evolve(agent, members, action)
