"""Configure XCS: every hyperparameter of the paper's table, and every choice it leaves open."""

from dataclasses import dataclass
from typing import Literal

from ruleplay.config.fields import param
from ruleplay.config.settings import Settings
from ruleplay.config.together import check_discovery, check_exploration, check_limits
from ruleplay.core.seams import Crossover, Encoding, Prediction, Selection
from ruleplay.errors import ConfigError

OPTIMISTS = ("optimistic", "hopeful")  # initial predictions that depend on the problem


@dataclass(frozen=True, kw_only=True, slots=True)
class XCSConfig(Settings):
    """Set what XCS learns with; names are English, symbols are the paper's."""

    population_size: int = param(
        1000, "N_max", at_least=2, doc="Largest sum of numerosities in the population."
    )
    learning_rate: float = param(
        0.2, "beta", above=0, at_most=1, doc="Step of the updates of a rule towards their targets."
    )
    discount: float = param(
        0.9, "gamma", at_least=0, at_most=1, doc="Weight of the next state's value in the payoff."
    )

    # Fitness
    accuracy_scale: float = param(
        0.1, "alpha", above=0, at_most=1, doc="Accuracy of a rule whose error is just eps_0."
    )
    error_threshold: float = param(
        10.0, "eps_0", above=0, doc="Error below which a rule counts as accurate."
    )
    accuracy_power: float = param(
        5.0, "nu", above=0, doc="How steeply accuracy falls with the error above eps_0."
    )

    # Deletion
    deletion_threshold: int = param(
        20, "theta_del", at_least=0, doc="Experience above which low fitness raises the vote."
    )
    fitness_fraction: float = param(
        0.1, "delta", at_least=0, at_most=1, doc="Share of the mean fitness that counts as low."
    )

    # Covering
    min_actions: int | None = param(
        None, "theta_mna", at_least=1, doc="Actions a match set must hold; None: all of them."
    )
    initial_prediction: float | Literal["optimistic", "hopeful"] = param(
        10.0,
        "p_ini",
        words=OPTIMISTS,
        doc="Prediction of a covering rule; 'optimistic': the largest possible return; "
        "'hopeful': the same until the first reward that is not 0, then 0, also for rules that "
        "have not learned yet.",
    )
    initial_error: float = param(0.0, "eps_ini", at_least=0, doc="Error of a covering rule.")
    initial_fitness: float = param(
        0.01, "F_ini", above=0, at_most=1, doc="Fitness of a covering rule."
    )
    cover_spread: float = param(
        0.5, "r_0", above=0, at_most=1, doc="Largest distance of a covered bound from the state."
    )

    # Genetic algorithm
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
    ga_niches_per_step: int | None = param(
        None, at_least=1, later=True, doc="Sets that may breed per learning step; None: any number."
    )
    tournament_fraction: float = param(
        0.4, "tau", above=0, at_most=1, doc="Probability that one micro-rule joins a tournament."
    )
    fitness_reduction: float = param(
        0.1, "F_reduce", above=0, at_most=1, doc="Factor on the fitness that a child inherits."
    )
    error_reduction: float = param(
        1.0, "eps_reduce", above=0, at_most=1, doc="Factor on the error that a child inherits."
    )

    condensation_fraction: float = param(
        0.0,
        at_least=0,
        at_most=1,
        later=True,
        doc="Share of the run, at its end, in which children are plain copies of their parents.",
    )

    # Subsumption
    subsumption_threshold: int = param(
        20, "theta_sub", at_least=0, doc="Experience above which an accurate rule may subsume."
    )
    ga_subsumption: bool = param(True, doc="Whether parents and their set may subsume children.")
    action_set_subsumption: bool = param(
        False, doc="Whether the most general accurate rule subsumes others of its action set."
    )

    verify_subsumption: int = param(
        0, at_least=0, at_most=1000, later=True, doc="Experiences a subsumer is checked against."
    )

    # Over-general rules
    specify: bool = param(
        False, later=True, doc="Whether a set that errs too much gets a narrower rule."
    )
    specify_threshold: float = param(
        20.0, "N_sp", at_least=0, later=True, doc="Mean experience above which a set may specify."
    )
    specify_probability: float = param(
        0.5, "P_sp", above=0, at_most=1, later=True, doc="Probability that specify moves a bound."
    )
    split_refuted: int = param(
        0,
        at_least=0,
        at_most=1000,
        later=True,
        doc="Experiences that may refute a rule.",
    )

    # Conditions and predictions
    condition: str = param(
        "unordered",
        seam=Encoding,
        doc="How an interval is encoded: two bounds in any order, or centre and spread.",
    )
    out_of_range: str = param(
        "clip",
        choices=("clip", "error"),
        doc="What happens to an observation outside the scaling bounds.",
    )
    missing_values: str = param(
        "error",
        choices=("error", "match"),
        later=True,
        doc="What NaN in an observation is: a mistake, or a value that all intervals contain.",
    )
    prediction: str = param(
        "scalar",
        seam=Prediction,
        doc="What a rule predicts with: a number (Widrow-Hoff) or a linear model (RLS).",
    )
    rls_initial_gain: float = param(
        1.0,
        "delta_RLS",
        above=0,
        at_most=1e6,
        doc="Diagonal of the first gain matrix of a linear model.",
    )
    rls_forgetting: float = param(
        1.0, "lambda_RLS", above=0, at_most=1, doc="Forgetting factor of recursive least squares."
    )
    rls_gain_limit: float | None = param(
        None, above=0, doc="Mean diagonal above which a gain matrix is reset; None: 1e8."
    )
    prediction_limit: float | None = param(
        None, above=0, doc="Largest size of a linear model's prediction; None: unlimited."
    )

    # Updates
    early_averaging: bool = param(
        True, "MAM", doc="Whether young rules average (rate 1/exp) instead of using beta."
    )
    update_order: str = param(
        "prediction_first",
        choices=("prediction_first", "error_first"),
        doc="Which of prediction and error an update moves first.",
    )
    bootstrap_value: str = param(
        "max",
        choices=("max", "argmax"),
        doc="What of the next prediction array enters the payoff; the paper prints argmax.",
    )
    bootstrap_on_truncation: bool = param(
        True, doc="Whether a time limit leaves the value of the last state in the payoff."
    )
    target_low: float | None = param(
        None, later=True, doc="Smallest payoff that rules learn from; None: unlimited."
    )
    target_high: float | None = param(
        None, later=True, doc="Largest payoff that rules learn from; None: unlimited."
    )

    gradient_scaling: bool = param(
        False, later=True, doc="Whether a prediction's step is scaled by the rule's fitness share."
    )
    target_interval: int = param(
        0, at_least=0, later=True, doc="Learning steps that payoffs bootstrap on a copy; 0: none."
    )
    double_estimation: bool = param(
        False, later=True, doc="Whether the rules choose the action that the copy evaluates."
    )

    # Exploration
    exploration: str = param(
        "alternate",
        choices=("alternate", "epsilon_greedy"),
        doc="Explore and exploit steps in turn (single-step problems only), or by chance.",
    )
    epsilon_start: float = param(
        1.0, "epsilon", at_least=0, at_most=1, doc="Probability of a random action at first."
    )
    epsilon_end: float = param(
        0.02, "epsilon", at_least=0, at_most=1, doc="Probability of a random action at last."
    )
    epsilon_fraction: float = param(
        0.1, at_least=0, at_most=1, doc="Share of the run in which epsilon goes to its end."
    )

    exploration_persistence: float = param(
        1.0, "L", at_least=1, later=True, doc="Mean number of steps that a random action lasts."
    )
    exploration_fades: bool = param(
        False, later=True, doc="Whether L falls to 1 while epsilon goes to its end."
    )
    count_bonus: float = param(
        0.0, at_least=0, later=True, doc="What is added for an action that was not yet tried."
    )
    count_bonus_in: str = param(
        "payoff",
        choices=("payoff", "choice"),
        later=True,
        doc="What the count bonus is added to: payoffs, or predictions in a greedy choice.",
    )
    count_grid: int = param(
        16, at_least=1, later=True, doc="Cells per feature in which tried actions are counted."
    )

    def checked_min_actions(self, n_actions: int) -> int:
        """Return theta_mna for a problem with so many actions; None means all of them."""
        if self.min_actions is None:
            return n_actions
        if self.min_actions > n_actions:
            raise ConfigError(
                f"min_actions (theta_mna) must lie in [1, {n_actions}] "
                f"for {n_actions} actions, got {self.min_actions}"
            )
        return self.min_actions

    def _check_together(self) -> None:
        check_limits(self)
        check_exploration(self)
        check_discovery(self)

    def check_prediction_limit(self, p_ini: float) -> None:
        """Refuse a limit that cuts the prediction of a covering rule."""
        limit, first = self.prediction_limit, abs(p_ini)
        if limit is not None and limit < first:
            raise ConfigError(
                f"prediction_limit must lie in [{first:g}, inf) "
                f"for initial_prediction (p_ini) = {p_ini:g}, got {limit:g}"
            )
