"""The settings of rule discovery beyond the genetic algorithm."""

from ruleplay.config.fields import param

SETTINGS = {
    "ga_niches_per_step": param(
        None,
        at_least=1,
        later=True,
        kind=int | None,
        doc="Sets that may breed per learning step; None: any number.",
    ),
    "condensation_fraction": param(
        0.0,
        at_least=0,
        at_most=1,
        later=True,
        doc="Share of the run, at its end, in which children are plain copies of their parents.",
    ),
    "verify_subsumption": param(
        0,
        at_least=0,
        at_most=1000,
        later=True,
        doc="Stored experiences, at most, that a rule must not contradict before it subsumes "
        "another; 0: none.",
    ),
    "specify": param(
        False, later=True, doc="Whether a set that errs too much gets a narrower rule."
    ),
    "specify_threshold": param(
        20.0, "N_sp", at_least=0, later=True, doc="Mean experience above which a set may specify."
    ),
    "specify_probability": param(
        0.5, "P_sp", above=0, at_most=1, later=True, doc="Probability that specify moves a bound."
    ),
    "split_refuted": param(
        0,
        at_least=0,
        at_most=1000,
        later=True,
        doc="Stored experiences, at most, by which a rule is judged and, if they contradict it, "
        "cut in two; 0: never.",
    ),
}
EVIDENCE = ("split_refuted", "verify_subsumption")  # those that look at stored experiences
