"""Express payoffs in another unit: what rules predict, and what is stored."""

from ruleplay.engine import XCS
from ruleplay.replay.memory import Memory


def rescale_payoffs(engine: XCS, offset: float, factor: float) -> None:
    """Let offset + factor * p be what the payoff p was, for all that an engine knows, in place.

    Settings stay as they are: an error threshold is one of the new unit.
    """
    population, places, state = engine.state.arrays.population, engine.places(), engine.state
    rules = population.rules
    rules["prediction"][places] = offset + factor * rules["prediction"][places]
    rules["error"][places] *= factor
    if hasattr(state.traits.prediction, "inputs"):
        population.weights[places] *= factor
        population.weights[places, 0] += offset
    counters = state.arrays.state
    counters["payoff_size"] = abs(offset) + factor * counters["payoff_size"]
    if isinstance(state.memory, Memory):
        stored = min(int(counters["stored"][0]), len(state.memory.rewards))
        state.memory.rewards[:stored] = offset + factor * state.memory.rewards[:stored]
    engine.derive()
