"""Which rules contain a state."""

from ruleplay.core._jit import ZERO, inline_kernel, kernel

# Features compared column by column over all rules; rules that survive these are few, and
# their other features are compared one rule at a time.
DENSE_FEATURES = 8


@inline_kernel
def contains_rest(alleles_lower, alleles_upper, place, state):
    """Tell whether a rule contains the state in the features after the dense ones."""
    for k in range(DENSE_FEATURES, state.shape[0]):
        if not (alleles_lower[k, place] <= state[k] <= alleles_upper[k, place]):
            return False
    return True


@kernel
def match_block(population, scratch, state, first, count, found):
    """Append the rules of one action that contain the state; return the new total.

    The comparisons fill a byte mask column by column, a loop that compiles to vector
    instructions; the mask is then read eight rules at a time.
    """
    mask, members = scratch.mask, scratch.members
    x = state[0]
    low, high = population.lower[0, first : first + count], population.upper[0, first:]
    for j in range(count):
        mask[j] = (low[j] <= x) & (x <= high[j])
    for k in range(1, min(state.shape[0], DENSE_FEATURES)):
        x = state[k]
        low, high = population.lower[k, first : first + count], population.upper[k, first:]
        for j in range(count):
            mask[j] &= (low[j] <= x) & (x <= high[j])
    for group in range((count + 7) // 8):
        if scratch.mask8[group] != 0:
            for j in range(8 * group, min(8 * group + 8, count)):
                if mask[j] != 0 and (
                    state.shape[0] <= DENSE_FEATURES
                    or contains_rest(population.lower, population.upper, first + j, state)
                ):
                    members[found] = first + j
                    found += 1
    return found


@kernel
def match_all(agent, state):
    """Form the match set [M] in `scratch.members`; return how many actions are present."""
    population, scratch, stride = agent.population, agent.scratch, agent.params.stride
    found, present = ZERO, ZERO
    scratch.starts[0] = 0
    for action in range(population.counts.shape[0]):
        before = found
        count = population.counts[action]
        found = match_block(population, scratch, state, action * stride, count, found)
        scratch.starts[action + 1] = found
        present += found > before
    return present


@kernel
def match_action(agent, state, action):
    """Form the action set [A] in `scratch.members`; return its number of rules."""
    first, count = action * agent.params.stride, agent.population.counts[action]
    return match_block(agent.population, agent.scratch, state, first, count, ZERO)
