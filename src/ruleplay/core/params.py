"""The scalars that kernels read and change, each a packed record with one fixed type per name.

A configuration is cast to `PARAMS` once, so that `nu = 5` and `nu = 5.0` reach the same
compiled code. Names are the paper's symbols, spelled out.
"""

import numpy as np

from ruleplay.core.described import (
    LARGEST_ERROR,
    LARGEST_PAYOFF,
    LARGEST_TIME,
    SLACK,
    Field,
    Fields,
    record_type,
)

PARAMS = np.dtype(
    [
        ("n_max", "i8"),  # N_max: largest number of microclassifiers
        ("stride", "i8"),  # places reserved for each action's rules
        ("n_actions", "i8"),
        ("theta_mna", "i8"),
        ("beta", "f8"),
        ("gamma", "f8"),
        ("alpha", "f8"),
        ("eps_0", "f8"),
        ("nu", "f8"),
        ("nu_whole", "i8"),  # nu if it is a whole number, else 0: powers by products
        ("theta_del", "i8"),
        ("delta", "f8"),
        ("p_ini", "f8"),
        ("hope_ends", "i8"),  # the first reward that is not 0 makes p_ini 0 (1)
        ("eps_ini", "f8"),
        ("f_ini", "f8"),
        ("mu", "f8"),
        ("chi", "f8"),
        ("theta_ga", "i8"),
        ("condensation_start", "f8"),  # learning steps after which children are copies
        ("theta_sub", "i8"),
        ("f_reduce", "f8"),
        ("eps_reduce", "f8"),
        ("m_0", "f8"),
        ("r_0", "f8"),
        ("delta_rls", "f8"),
        ("lambda_rls", "f8"),
        ("gain_limit", "f8"),  # largest mean diagonal of an RLS gain matrix
        ("prediction_limit", "f8"),  # largest |prediction| of a linear model
        ("target_low", "f8"),  # smallest and largest payoff learned from
        ("target_high", "f8"),
        ("mu_action", "f8"),
        ("early_averaging", "i8"),  # MAM
        ("prediction_first", "i8"),
        ("ga_subsumption", "i8"),
        ("set_subsumption", "i8"),
        ("bootstrap_argmax", "i8"),  # the printed slip: an action's number as a value
        ("bootstrap_on_truncation", "i8"),
        ("clips", "i8"),  # observations outside their bounds: clip (1) or refuse (0)
        ("missing_match", "i8"),  # NaN in an observation: any interval has it (1) or refuse (0)
        ("epsilon_start", "f8"),
        ("epsilon_end", "f8"),
        ("epsilon_steps", "f8"),  # learning steps over which epsilon falls
        ("persistence", "f8"),  # L: mean length of a random action's repetition
        ("persistence_fades", "i8"),  # L falls to 1 while epsilon goes to its end
        ("count_bonus", "f8"),
        ("bonus_in_payoff", "i8"),  # the bonus is part of payoffs (1), or of greedy choices (0)
        ("count_grid", "i8"),  # cells per feature
        ("count_direct", "i8"),  # every cell and action has a counter (1), or they are hashed (0)
        ("target_interval", "i8"),  # learning steps between copies that payoffs bootstrap on
        ("ga_niches", "i8"),  # niches that may breed per learning step, 0 = any number
        ("specifies", "i8"),
        ("theta_sp", "f8"),  # N_sp
        ("p_sp", "f8"),
        ("split_evidence", "i8"),  # experiences looked at before a rule is split, 0 = never split
        ("verify_evidence", "i8"),  # experiences looked at before a rule subsumes, 0 = none
        ("horizon", "f8"),  # learning steps planned
        ("priority_alpha", "f8"),
        ("priority_beta", "f8"),  # exponent of importance weights at the start
        ("importance", "i8"),  # what these weights scale, see `ruleplay.replay.prioritized`
        ("strata_grid", "i8"),  # cells per feature
        ("strata_direct", "i8"),  # every cell and action has a number (1), or they are hashed (0)
        ("usual_reward", "f8"),
        ("interpolation", "f8"),
        ("interpolation_distance", "f8"),
        ("return_steps", "i8"),  # n
        ("cut_at_exploration", "i8"),
        ("best_return", "i8"),  # the larger of the n-step and the one-step payoff (1)
        ("rewarded_return", "i8"),  # one-step payoffs where all n rewards are 0 (1)
        ("action_gap", "f8"),
        ("batch", "i8"),  # m
        ("warmup", "i8"),
        ("include_newest", "i8"),
        ("clock_per_replay", "i8"),
    ],
    align=True,
)

# Whatever changes while an agent lives and is a single number.
COUNTERS: Fields = (
    Field("clock", "i8", 0, LARGEST_TIME, "the genetic algorithm's time"),
    Field("time", "i8", 0, LARGEST_TIME, "learning steps so far"),
    Field("micro", "i8", 0, "n_max", "sum of numerosities"),
    Field("fitness_sum", "f8", -SLACK, "n_max", "sum of the rules' fitness"),
    Field("volume_sum", "f8", -SLACK, "n_max", "sum of the rules' volumes"),
    Field("hope_ended", "i8", 0, 1, "whether a reward that is not 0 was met"),
    Field("stored", "i8", 0, LARGEST_TIME, "experiences ever put into the replay memory"),
    Field("has_previous", "i8", 0, 1, "whether a transition waits for its outcome"),
    Field("previous_action", "i8", 0, "last_action", "the action of that transition"),
    Field("previous_value", "f8", -LARGEST_PAYOFF, LARGEST_PAYOFF, "what it was expected to pay"),
    Field("surprise", "f8", 0, 2 * LARGEST_ERROR, "|target - previous_value| of the last one"),
    Field("reward_size", "f8", 0, LARGEST_PAYOFF, "largest reward met, in size"),
    Field("payoff_size", "f8", 0, LARGEST_PAYOFF, "largest of the last payoffs, in size"),
)
STATE = record_type(COUNTERS)
