"""How many rules, how fast they learn, how far they look ahead."""

from dataclasses import dataclass

from ruleplay.config.fields import param


@dataclass(frozen=True, kw_only=True)
class GeneralSettings:
    """Set what every part of the system depends on."""

    population_size: int = param(
        1000, "N_max", at_least=2, doc="Largest sum of numerosities in the population."
    )
    learning_rate: float = param(
        0.2, "beta", above=0, at_most=1, doc="Step of the updates of a rule towards their targets."
    )
    discount: float = param(
        0.9, "gamma", at_least=0, at_most=1, doc="Weight of the next state's value in the payoff."
    )
    detailed_curve: bool = param(
        False,
        later=True,
        kernel="",
        doc="Whether learning curves also tell reward and error of explore steps, the mean volume "
        "of micro-rules and the mean error of rules.",
    )
