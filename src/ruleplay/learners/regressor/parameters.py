"""The parameters of the scikit-learn regressor."""

from typing import Any

from sklearn.base import BaseEstimator

from ruleplay.learners.common.parameters import explain_settings, keep_parameters


class RegressorParameters(BaseEstimator):  # type: ignore[misc]
    """Hold the parameters as they were given; `fit` checks them."""

    @explain_settings
    def __init__(  # noqa: D417 - `explain_settings` adds those of the engine
        self,
        population_size: int | None = None,
        *,
        prediction: str = "linear",
        error_threshold: float | None = None,
        replay: str | None = None,
        replay_capacity: int = 10_000,
        replay_storage: str = "fifo",
        replay_batch_size: int = 4,
        replay_warmup: int = 1000,
        replay_include_newest: bool = False,
        replay_ga_clock: str = "environment",
        n_steps: int | None = None,
        epochs: int | None = None,
        max_seconds: float | None = None,
        settle: bool = True,
        calibrate: bool = True,
        drawn_from: int | None = None,
        n_populations: int = 1,
        oob_score: bool = False,
        bounds: Any = None,
        margin: float | str = "auto",
        categorical_features: Any = "from_dtype",
        learning_rate: float = 0.2,
        accuracy_scale: float = 0.1,
        accuracy_power: float = 5.0,
        deletion_threshold: int = 20,
        fitness_fraction: float = 0.1,
        initial_error: float = 0.0,
        initial_fitness: float = 0.01,
        cover_spread: float = 1.0,
        mutation_rate: float = 0.04,
        mutation_step: float = 0.3,
        crossover_rate: float = 0.8,
        crossover: str = "uniform",
        ga_threshold: int = 25,
        selection: str = "tournament",
        tournament_fraction: float = 0.4,
        fitness_reduction: float = 0.1,
        error_reduction: float = 1.0,
        subsumption_threshold: int = 20,
        ga_subsumption: bool = True,
        action_set_subsumption: bool = False,
        condition: str = "unordered",
        rls_initial_gain: float = 1000.0,
        rls_forgetting: float = 1.0,
        rls_gain_limit: float | None = None,
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
        these give them; symbols in brackets are those of the literature. An action is a target, an
        observation a row, a payoff the target's value.

        Args:
            population_size: Largest number of rules, counted with their numerosities (N_max).
                None: 2000 for each target, but at most 10 000. Default None.
            prediction: What a rule predicts with: "scalar", a number; "linear", a linear model
                of the features, or of the 30 columns that explain most; "quadratic", one with the
                products of any two features, too, whose price grows with the fourth power of
                their number. Default "linear".
            error_threshold: Error below which a rule counts as accurate (eps_0), in the target's
                unit; of several targets, in their standard deviations. None: `fit` finds it by
                the error on unseen rows, `partial_fit` takes a tenth of the standard deviation of
                its first rows. Default None.
            replay: "uniform" stores presentations and learns from `replay_batch_size` stored ones
                after each; "prioritized" draws those that surprised most more often, "stratified"
                all regions alike; None learns from each presentation once. Default None.
            n_steps: Presentations in a call of `fit`. Default None.
            epochs: The same as a multiple of the number of distinct rows. If neither is given,
                each of several populations (`drawn_from`, `n_populations`) has 50 000
                presentations of each target, or three epochs; a single one learns until R² on the
                rows that it learns from has ceased to rise, for 200 000 presentations of each
                target or three epochs at most. Default None.
            max_seconds: Seconds after which `fit` presents no more rows: what is learned then
                depends on the machine. Default None.
            settle: Whether `fit` ends by fitting the model of each rule anew to all rows that it
                matches, and lets it vote by how far it is off on rows left out; without it rules
                stay as the last presentations left them. Default True.
            calibrate: Whether `fit` finds by rows that rules have not learned from how far
                predictions are off. Of several populations (`drawn_from`, `n_populations`), those
                speak about a row whose samples have not got it; beside a single one, two further
                ones learn from half of the rows each. Without it `predict(return_std=True)` and
                `interval` take the rules at their word. Default True.
            drawn_from: Populations that learn apart, each from a sample of the rows drawn with
                replacement, and of whose rules those of the model are then drawn, as many as one
                of them has on average, the fitter the likelier; 1 lets the model's population
                learn from all rows. None: 10, but 1 with `n_steps`, `epochs`, `early_stopping`,
                `warm_start` or several `n_populations`, if rules do not settle, and of tables of
                more than 30 columns, for the sake of time. Default None.
            n_populations: Populations that learn apart, each from a sample of the rows drawn with
                replacement, and then vote together, as one. They are shared out to `n_jobs`.
                Default 1.
            oob_score: Whether to measure R² by those of several populations whose samples have
                not got a row. Default False.
            bounds: (low, high), each a number or one per feature, between which features are
                scaled to [0, 1]; None takes those of the data. Default None.
            margin: Room for conditions beyond the bounds, on each side, as a multiple of their
                distance: the more room, the more features does a new rule leave free. "auto":
                none up to 8 features, then growing with their number. Default "auto".
            categorical_features: Which columns hold categories: numbers or names of columns, a
                mask, "from_dtype" (columns of dtype `category`; in polars: `Categorical`, `Enum`
                and text), or None. Default "from_dtype".
            mutation_step: Largest change of a mutated bound, as a share of the feature's range in
                the data (m_0); in (0, 1]. Default 0.1.
            early_stopping: Whether to hold out `validation_fraction` of the rows, to stop when
                their R² has not risen by `tol` in `n_iter_no_change` looks (there are 20 in a
                full run) and to return to the best look. Default False.
            validation_fraction: Share of the rows held out for early stopping. Default 0.1.
            n_iter_no_change: Looks without improvement that early stopping waits. Default 5.
            tol: Rise of R² that counts as improvement. Default 1e-3.
            warm_start: Whether `fit` goes on with the rules there are. Default False.
            n_jobs: Threads that share the learning of several populations, and the prediction of
                many rows; None is one, -1 all cores. Default None.
            random_state: Seed of everything random; None: another one each time. Default None.
            verbose: 1 shows on standard error how far training is, 2 prints rules and R² at each
                look. Default 0.
            callback: A function that is given a `TrainingProgress` at each look; it stops the
                training by returning True. While the tolerance is looked for, before that, the
                `phase` is "trials", and cannot be stopped so. Default None.
        """
        keep_parameters(self, locals())
