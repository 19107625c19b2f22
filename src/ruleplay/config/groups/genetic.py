"""The genetic algorithm."""

from dataclasses import dataclass

from ruleplay.config.fields import param
from ruleplay.core.components.seams import Crossover, Selection


@dataclass(frozen=True, kw_only=True)
class GeneticSettings:
    """Set when an action set breeds, who the parents are, how children differ from them."""

    mutation_rate: float = param(
        0.04, "mu", at_least=0, at_most=1, doc="Probability that an allele mutates."
    )
    mutation_step: float = param(
        0.1, "m_0", above=0, at_most=1, doc="Largest change of a mutated allele."
    )
    action_mutation_rate: float = param(
        0.0, "mu_a", at_least=0, at_most=1, doc="Probability that a child's action mutates."
    )
    crossover_rate: float = param(
        0.8, "chi", at_least=0, at_most=1, doc="Probability that two children cross over."
    )
    crossover: str = param("uniform", seam=Crossover, doc="Which alleles a crossover swaps.")
    ga_threshold: int = param(
        25, "theta_GA", at_least=0, doc="Mean time since the last GA above which a set breeds."
    )
    selection: str = param("tournament", seam=Selection, doc="How the two parents are chosen.")
    tournament_fraction: float = param(
        0.4,
        "tau",
        above=0,
        at_most=1,
        kernel="",
        doc="Probability that one micro-rule joins a tournament.",
    )
    fitness_reduction: float = param(
        0.1, "F_reduce", above=0, at_most=1, doc="Factor on the fitness that a child inherits."
    )
    inherited_fitness: str = param(
        "micro",
        choices=("micro", "macro"),
        later=True,
        kernel="whole_fitness",
        means_one="macro",
        doc="What of a parent's fitness its child has a share of: that per micro-rule, or all.",
    )
    inherited_model: str = param(
        "parent",
        choices=("parent", "none"),
        later=True,
        kernel="new_models",
        means_one="none",
        doc="Where a child's prediction begins: at its parent's, or at p_ini as in covering.",
    )
    error_reduction: float = param(
        1.0, "eps_reduce", above=0, at_most=1, doc="Factor on the error that a child inherits."
    )
