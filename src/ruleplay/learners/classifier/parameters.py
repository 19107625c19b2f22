"""The parameters of the scikit-learn classifier."""

from typing import Any

from sklearn.base import BaseEstimator

from ruleplay.learners.common.parameters import explain_settings, keep_parameters


class ClassifierParameters(BaseEstimator):  # type: ignore[misc]
    """Hold the parameters as they were given; `fit` checks them."""

    @explain_settings
    def __init__(  # noqa: D417 - `explain_settings` adds those of the engine
        self,
        population_size: int | None = None,
        *,
        replay: str | None = "uniform",
        replay_capacity: int = 10_000,
        replay_storage: str = "fifo",
        replay_batch_size: int = 4,
        replay_warmup: int = 1000,
        replay_include_newest: bool = False,
        replay_ga_clock: str = "environment",
        n_steps: int | None = None,
        epochs: int | None = None,
        max_seconds: float | None = None,
        learn_from: str = "both",
        settle: bool = True,
        calibrate: bool = True,
        drawn_from: int | None = None,
        n_populations: int = 1,
        oob_score: bool = False,
        class_weight: Any = None,
        start_rules: Any = None,
        protected_rules: Any = None,
        forbidden_rules: Any = None,
        forbidden_features: Any = None,
        bounds: Any = None,
        margin: float | str = "auto",
        categorical_features: Any = "from_dtype",
        learning_rate: float = 0.1,
        accuracy_scale: float = 0.1,
        error_threshold: float = 10.0,
        accuracy_power: float = 5.0,
        deletion_threshold: int = 20,
        fitness_fraction: float = 0.1,
        min_actions: int | None = None,
        initial_prediction: float = 10.0,
        initial_error: float = 0.0,
        initial_fitness: float = 0.01,
        cover_spread: float = 0.5,
        mutation_rate: float = 0.04,
        mutation_step: float = 0.5,
        action_mutation_rate: float = 0.04,
        crossover_rate: float = 0.8,
        crossover: str = "uniform",
        ga_threshold: int | None = None,
        selection: str = "tournament",
        tournament_fraction: float = 0.4,
        fitness_reduction: float = 0.1,
        error_reduction: float = 1.0,
        subsumption_threshold: int = 20,
        ga_subsumption: bool = True,
        action_set_subsumption: bool = False,
        condition: str = "center_spread",
        prediction: str = "scalar",
        rls_initial_gain: float = 1.0,
        rls_forgetting: float = 1.0,
        rls_gain_limit: float | None = None,
        prediction_limit: float | None = None,
        early_averaging: bool = True,
        update_order: str = "prediction_first",
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        tol: float = 1e-3,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        callback: Any = None,
    ) -> None:
        """Assign the parameters.

        Those of `XCSConfig` and, with the prefix `replay_`, of `ReplayConfig` have the ranges that
        these give them; symbols in brackets are those of the literature. An action is a class, an
        observation a row.

        Args:
            population_size: Largest number of rules, counted with their numerosities (N_max).
                None: 500 for each class, or in `fit` one for each distinct row if these are more,
                but at least 1000 and at most 10 000. Default None.
            replay: "uniform" stores presentations and learns from `replay_batch_size` stored ones
                after each; "prioritized" draws those that surprised most more often, "stratified"
                all regions alike; None learns from each presentation once. Default "uniform".
            n_steps: Presentations in a call of `fit`. Default None.
            epochs: The same as a multiple of the number of distinct rows. If neither is given,
                each of several populations (`drawn_from`, `n_populations`) has 50 000
                presentations, 5000 for each class, or three epochs, whichever is most; a single
                one learns until it has ceased to improve
                on the rows that it learns from, for a million presentations or three epochs at
                most. Default None.
            max_seconds: Seconds after which `fit` presents no more rows: what is learned then
                depends on the machine. Default None.
            learn_from: Which class a presentation asks about. "random": any, as an agent that
                explores; "both": the right one in half of the cases, a wrong one in the others.
                With two classes that is the same. Default "both".
            settle: Whether `fit` ends by letting each rule predict the mean payoff of all rows that
                it matches, and vote by the root of its fitness; without it rules stay as the
                last presentations left them. Linear predictions do not settle. Default True.
            calibrate: Whether `fit` finds the power of the classes' shares by which probabilities
                are right on rows that rules have not learned from. Of several populations, those
                vote on a row whose samples have not got it; beside a single one, two further
                ones learn from half of the rows each, for an eighth of the time. Predicted
                classes and rules do not depend on it. Default True.
            drawn_from: Populations that learn apart, each from a sample of the rows drawn with
                replacement, and of whose rules those of the model are then drawn, as many as one
                of them has on average, the fitter the likelier; 1 lets the model's population
                learn from all rows. None: 10, but 1 with `n_steps`, `epochs`, `early_stopping`,
                `warm_start` or several `n_populations`, and if rules do not settle. Default None.
            n_populations: Populations that learn apart, each from a sample of the rows drawn with
                replacement, and then vote together, as one. They are shared out to `n_jobs`.
                Default 1.
            oob_score: Whether to measure accuracy by those of several populations
                whose samples have not got a row. Default False.
            class_weight: Weight of each class: a dictionary, "balanced", or None for equal ones.
                Default None.
            start_rules: Rules that `fit` begins with, as `ruleplay.read_rules` returns them. They
                may be lost while learning. Default None.
            protected_rules: Rules to begin with that stay in the model, whatever it learns. What
                they predict is learned: one that is wrong speaks against its class. Default None.
            forbidden_rules: Rules that must not be in the model, nor narrower ones: for the same
                class, with a condition that lies within the given one. Default None.
            forbidden_features: Names or numbers of features that no condition may use.
                Default None.
            bounds: (low, high), each a number or one per feature, between which features are
                scaled to [0, 1]; None takes those of the data. Default None.
            margin: Room for conditions beyond the bounds, on each side, as a multiple of their
                distance: the more room, the more features does a new rule leave free. "auto":
                none up to 8 features, then growing with their number; at least 1 for a
                feature of two values. Default "auto".
            categorical_features: Which columns hold categories: numbers or names of columns, a
                mask, "from_dtype" (columns of dtype `category`; in polars: `Categorical`, `Enum`
                and text), or None. Default "from_dtype".
            mutation_step: Largest change of a mutated bound, as a share of the feature's range in
                the data (m_0); in (0, 1]. Default 0.5.
            ga_threshold: The genetic algorithm runs in a set of rules once as many presentations
                have gone by since its last run there (theta_GA). None: 25, or 6 for each class if
                that is more. Default None.
            error_threshold: Error below which a rule counts as accurate (eps_0); the reward is
                1000. Default 10.0.
            prediction: What a rule predicts with: "scalar", a number, or "linear", a linear
                model, which allows no missing values. Default "scalar".
            early_stopping: Whether to hold out `validation_fraction` of the rows, to stop when
                their accuracy has not risen by `tol` in `n_iter_no_change` looks (there are 20 in
                a full run) and to return to the best look. Default False.
            validation_fraction: Share of the rows held out for early stopping. Default 0.1.
            n_iter_no_change: Looks without improvement that early stopping waits. Default 5.
            tol: Rise of the accuracy that counts as improvement. Default 1e-3.
            warm_start: Whether `fit` goes on with the rules there are. Default False.
            n_jobs: Threads that share the learning of several populations, and the prediction of
                many rows; None is one, -1 all cores. Default None.
            random_state: Seed of everything random; None: another one each time. Default None.
            verbose: 1 shows on standard error how far training is, 2 prints rules and accuracy at
                each look. Default 0.
            callback: A function that is given a `TrainingProgress` at each look; it stops the
                training by returning True. Default None.
        """
        keep_parameters(self, locals())
