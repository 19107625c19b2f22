"""The parameters of the scikit-learn classifier."""

from typing import Any

from sklearn.base import BaseEstimator


class ClassifierParameters(BaseEstimator):  # type: ignore[misc]
    """Hold the parameters as they were given; `fit` checks them."""

    def __init__(
        self,
        population_size: int | None = None,
        *,
        replay: str | None = None,
        replay_capacity: int = 50_000,
        replay_storage: str = "fifo",
        replay_batch_size: int = 4,
        replay_warmup: int = 1000,
        replay_include_newest: bool = False,
        replay_ga_clock: str = "environment",
        n_steps: int | None = None,
        epochs: int | None = None,
        learn_from: str = "both",
        class_weight: Any = None,
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
        mutation_step: float = 0.1,
        action_mutation_rate: float = 0.04,
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

        Symbols in brackets are those of the literature; ranges are those of `XCSConfig` and,
        with the prefix `replay_`, of `ReplayConfig`.

        Args:
            population_size: Largest number of rules, counted with their numerosities (N_max).
                None: 300 for each class, but no less than 1000 and no more than 5000. Default
                None.
            replay: "uniform" stores presentations and learns from `replay_batch_size` stored ones
                after each; "prioritized" draws those that surprised most more often, "stratified"
                all regions alike; None learns from each presentation once. Default None.
            replay_capacity: Presentations kept (N). Default 50_000.
            replay_storage: What a full memory keeps: "fifo", the newest presentations, or
                "reservoir", a fair sample of all. Default "fifo".
            replay_batch_size: Presentations replayed after each (m). Default 4.
            replay_warmup: First presentations, which only fill the memory. Default 1000.
            replay_include_newest: Whether each batch starts with the newest. Default False.
            replay_ga_clock: What moves the clock of the genetic algorithm: "environment", each
                presentation, or "replay", each replayed one. Default "environment".
            n_steps: Presentations in a call of `fit`. Default None.
            epochs: The same as a multiple of the number of distinct rows. If neither is given: 10
                epochs, and at least 50 000 presentations. Default None.
            learn_from: Which class a presentation asks about. "random": any, as an agent that
                explores; "both": the right one in half of the cases, a wrong one in the others.
                With two classes that is the same. Default "both".
            class_weight: Weight of each class: a dictionary, "balanced", or None for equal ones.
                Default None.
            bounds: (low, high), each a number or one per feature, between which features are
                scaled to [0, 1]; None takes those of the data. Default None.
            margin: Room for conditions beyond the bounds, on each side, as a multiple of their
                distance: the more room, the more features does a new rule leave free. "auto":
                none up to 8 features, then growing with their number. Default "auto".
            categorical_features: Which columns hold categories: numbers or names of columns, a
                mask, "from_dtype" (a frame's columns of dtype `category`), or None. Default
                "from_dtype".
            learning_rate: Step of the updates of a rule towards their targets (beta). Default
                0.1.
            accuracy_scale: Accuracy of a rule whose error is just the threshold (alpha). Default
                0.1.
            error_threshold: Error below which a rule counts as accurate (eps_0); the reward is
                1000. Default 10.0.
            accuracy_power: How steeply accuracy falls with the error (nu). Default 5.0.
            deletion_threshold: Experience above which low fitness makes deletion likelier
                (theta_del). Default 20.
            fitness_fraction: Share of the mean fitness that counts as low (delta). Default 0.1.
            min_actions: Classes that the rules matching a row must speak about (theta_mna); None:
                all. Default None.
            initial_prediction: Prediction of a new rule (p_ini). Default 10.0.
            initial_error: Error of a new rule (eps_ini). Default 0.0.
            initial_fitness: Fitness of a new rule (F_ini). Default 0.01.
            cover_spread: Largest distance of a new rule's bounds from the row it is made for, as
                a share of the scaled range (r_0). Default 0.5.
            mutation_rate: Probability that a bound mutates (mu). Default 0.04.
            mutation_step: Largest change of a mutated bound (m_0). Default 0.1.
            action_mutation_rate: Probability that a child's class mutates (mu_a). Default 0.04.
            crossover_rate: Probability that two children cross over (chi). Default 0.8.
            crossover: "uniform" or "two_point". Default "uniform".
            ga_threshold: Mean time since the last breeding above which a set of rules breeds
                (theta_GA). Default 25.
            selection: How parents are chosen: "tournament" or "roulette". Default "tournament".
            tournament_fraction: Share of a set that joins a tournament (tau). Default 0.4.
            fitness_reduction: Factor on the fitness that a child inherits (F_reduce). Default
                0.1.
            error_reduction: Factor on the error that a child inherits (eps_reduce). Default 1.0.
            subsumption_threshold: Experience above which an accurate rule may subsume others
                (theta_sub). Default 20.
            ga_subsumption: Whether children are subsumed. Default True.
            action_set_subsumption: Whether rules that act together are subsumed. Default False.
            condition: How an interval is encoded: "center_spread", or "unordered" bounds. Default
                "center_spread".
            prediction: What a rule predicts with: "scalar", a number, or "linear", a linear
                model, which allows no missing values. Default "scalar".
            rls_initial_gain: Diagonal of a linear model's first gain matrix (delta_RLS). Default
                1.0.
            rls_forgetting: Forgetting factor of a linear model (lambda_RLS). Default 1.0.
            rls_gain_limit: Mean diagonal above which a gain matrix is reset; None: 1e8. Default
                None.
            prediction_limit: Largest size of a linear model's prediction; None: unlimited.
                Default None.
            early_averaging: Whether young rules average instead of using `learning_rate`. Default
                True.
            update_order: What an update moves first: "prediction_first" or "error_first". Default
                "prediction_first".
            early_stopping: Whether to hold out `validation_fraction` of the rows, to stop when
                their accuracy has not risen by `tol` in `n_iter_no_change` looks (there are 20 in
                a full run) and to return to the best look. Default False.
            validation_fraction: Share of the rows held out for early stopping. Default 0.1.
            n_iter_no_change: Looks without improvement that early stopping waits. Default 5.
            tol: Rise of the accuracy that counts as improvement. Default 1e-3.
            warm_start: Whether `fit` goes on with the rules there are. Default False.
            n_jobs: Threads that share the prediction of many rows; None is one, -1 all cores.
                Default None.
            random_state: Seed of everything random; None: another one each time. Default None.
            verbose: 1 shows on standard error how far training is, 2 prints rules and accuracy at
                each look. Default 0.
            callback: A function that is given a `TrainingProgress` at each look; it stops the
                training by returning True. Default None.
        """
        self.population_size = population_size
        self.replay = replay
        self.replay_capacity = replay_capacity
        self.replay_storage = replay_storage
        self.replay_batch_size = replay_batch_size
        self.replay_warmup = replay_warmup
        self.replay_include_newest = replay_include_newest
        self.replay_ga_clock = replay_ga_clock
        self.n_steps = n_steps
        self.epochs = epochs
        self.learn_from = learn_from
        self.class_weight = class_weight
        self.bounds = bounds
        self.margin = margin
        self.categorical_features = categorical_features
        self.learning_rate = learning_rate
        self.accuracy_scale = accuracy_scale
        self.error_threshold = error_threshold
        self.accuracy_power = accuracy_power
        self.deletion_threshold = deletion_threshold
        self.fitness_fraction = fitness_fraction
        self.min_actions = min_actions
        self.initial_prediction = initial_prediction
        self.initial_error = initial_error
        self.initial_fitness = initial_fitness
        self.cover_spread = cover_spread
        self.mutation_rate = mutation_rate
        self.mutation_step = mutation_step
        self.action_mutation_rate = action_mutation_rate
        self.crossover_rate = crossover_rate
        self.crossover = crossover
        self.ga_threshold = ga_threshold
        self.selection = selection
        self.tournament_fraction = tournament_fraction
        self.fitness_reduction = fitness_reduction
        self.error_reduction = error_reduction
        self.subsumption_threshold = subsumption_threshold
        self.ga_subsumption = ga_subsumption
        self.action_set_subsumption = action_set_subsumption
        self.condition = condition
        self.prediction = prediction
        self.rls_initial_gain = rls_initial_gain
        self.rls_forgetting = rls_forgetting
        self.rls_gain_limit = rls_gain_limit
        self.prediction_limit = prediction_limit
        self.early_averaging = early_averaging
        self.update_order = update_order
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.tol = tol
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback
