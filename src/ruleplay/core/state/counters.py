"""The numbers that change while an agent lives, a packed record.

Those that do not change are settings: their record, `agent.params`, is made of the declarations
(`ruleplay.config.record`).
"""

from ruleplay.core.state.described import (
    LARGEST_ERROR,
    LARGEST_PAYOFF,
    LARGEST_TIME,
    SLACK,
    Field,
    Fields,
    record_type,
)

COUNTERS: Fields = (
    Field("clock", "i8", 0, LARGEST_TIME, "the genetic algorithm's time"),
    Field("time", "i8", 0, LARGEST_TIME, "learning steps so far"),
    Field("micro", "i8", 0, "n_max", "sum of numerosities"),
    Field("fitness_sum", "f8", -SLACK, "n_max", "sum of the rules' fitness"),
    Field("volume_sum", "f8", -SLACK, "n_max", "sum of the rules' volumes"),
    Field("hope_ended", "i8", 0, 1, "whether a reward that is not 0 was met"),
    Field("stored", "i8", 0, LARGEST_TIME, "experiences ever put into the replay memory"),
    Field(
        "has_previous", "i8", 0, 2, "1: a transition waits for its outcome; 2: and is not the first"
    ),
    Field("previous_action", "i8", 0, "last_action", "the action of that transition"),
    Field("previous_value", "f8", -LARGEST_PAYOFF, LARGEST_PAYOFF, "what it was expected to pay"),
    Field("surprise", "f8", 0, 2 * LARGEST_ERROR, "|target - previous_value| of the last one"),
    Field("reward_size", "f8", 0, LARGEST_PAYOFF, "largest reward met, in size"),
    Field("payoff_size", "f8", 0, LARGEST_PAYOFF, "largest of the last payoffs, in size"),
)
STATE = record_type(COUNTERS)
