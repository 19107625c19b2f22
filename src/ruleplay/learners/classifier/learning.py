"""How the classifier learns: in one go, in several populations, from chunks."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils import check_random_state, compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets

from ruleplay.errors import ConfigError
from ruleplay.learners.classifier.by_hand.demands import Demands, read_demands
from ruleplay.learners.classifier.by_hand.planting import protected_rules
from ruleplay.learners.classifier.by_hand.upkeep import begin
from ruleplay.learners.classifier.calibration import cross_votes, find_power
from ruleplay.learners.classifier.chunks import (
    Chunks,
    read_chunks_once,
)
from ruleplay.learners.classifier.labels import class_notes, class_numbers
from ruleplay.learners.classifier.parameters import ClassifierParameters
from ruleplay.learners.classifier.populations import learn_from_sample
from ruleplay.learners.classifier.presentation import Presenter
from ruleplay.learners.classifier.settings import Plan, read_configs, usual_size
from ruleplay.learners.classifier.survey import Survey
from ruleplay.learners.classifier.voting import measure_accuracy, settle_on
from ruleplay.learners.common.class_shares import class_shares, fill_with_priors
from ruleplay.learners.common.configs import united_configs
from ruleplay.learners.common.drawing import draw_population
from ruleplay.learners.common.frames import as_pandas
from ruleplay.learners.common.labelled_rows import Codes, LabelledRows, checked_weights
from ruleplay.learners.common.populations import train_apart
from ruleplay.learners.common.progress import showing_progress
from ruleplay.learners.common.tabular import TabularLearner
from ruleplay.learners.common.training import (
    Convergence,
    Deadline,
    EarlyStopping,
    Presentations,
    make_look,
    train,
)

Vector = NDArray[np.float64]


class ClassifierLearning(ClassifierMixin, TabularLearner, ClassifierParameters):  # type: ignore[misc]
    """Makes the engine, trains it as planned, and turns what it predicts into shares."""

    class_prior_: Vector
    oob_decision_function_: Vector
    _found_later = ("validation_scores_", "oob_score_", "oob_decision_function_")
    _unused: Sequence[int] = ()  # columns that no condition may limit

    def _take_in(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None, reset: bool
    ) -> tuple[Vector, NDArray[Any], Vector]:
        """Return checked rows, labels and weights."""
        rows, labels = self._validated(X, reset, y)
        check_classification_targets(labels)
        return rows, labels, checked_weights(sample_weight, len(rows))

    def _start(self, classes: NDArray[Any], rows: Vector, n_distinct: int = 0) -> None:
        """Make an engine without rules for these classes, scaled to these rows."""
        size = usual_size(len(classes), n_distinct)
        configs = read_configs(self, len(classes), self.layout_, size)
        self.bounds_, limits = self._choose_bounds(rows)
        about = class_notes(classes) | self._notes_for_readers()
        self._make_engine(configs, len(classes), limits, about)
        self.classes_, self.share_power_ = classes, 1.0
        self._weight_sums = np.zeros(len(classes))

    def _check_unchanged(self) -> None:
        """Refuse to go on with settings that the engine was not made with."""
        found = self.engine_.config, self.engine_.replay
        size = self.engine_.config.population_size // self.n_populations
        one = read_configs(self, len(self.classes_), self.layout_, size)
        if found != united_configs(*one, self.n_populations):
            raise ConfigError("settings of XCS and replay must not change with warm_start=True")

    def _read_demands(self) -> Demands:
        """Return what people demand of the rules; rows are then learned from accordingly."""
        demands = read_demands(self, self.engine_, self.layout_, self._features())
        self._unused = list(demands.unused)
        return demands

    def _columns(self, rows: Vector) -> Vector:
        """Return checked rows as the engine learns from them: forbidden features are missing."""
        columns = super()._columns(rows)
        if self._unused:
            columns = columns.copy()
            columns[:, self._unused] = np.nan
        return columns

    def _labelled(self, rows: Vector, labels: NDArray[Any], weights: Vector) -> LabelledRows:
        """Return what is to be learned, and count it in the classes' priors."""
        codes = class_numbers(labels, self.classes_)
        weights = weights * compute_sample_weight(self.class_weight, labels)
        self._count_classes(np.bincount(codes, weights, len(self.classes_)))
        return LabelledRows(self._columns(rows), codes, weights)

    def _count_classes(self, weights: NDArray[Any]) -> None:
        """Count further rows, by the sums of their weights, in the classes' priors."""
        self._weight_sums = self._weight_sums + weights
        self.class_prior_ = self._weight_sums / self._weight_sums.sum()

    def _survey(self, chunks: Chunks) -> Survey:
        """Find in a first pass what must be known of all rows."""
        seed = check_random_state(self.random_state).randint(2**31 - 1)
        survey = Survey(self.categorical_features, self._takes_gaps, seed)
        for X, y, sample_weight in read_chunks_once(chunks):
            table = as_pandas(X)
            survey.categories.note(table)
            self.categories_ = survey.categories.met
            rows, labels = self._encoded(table, survey.n_rows == 0, y)
            check_classification_targets(labels)
            survey.note(rows, labels, checked_weights(sample_weight, len(rows)))
        survey.warn_if_sorted()
        self.categories_ = survey.categories.sorted
        if survey.n_rows:
            self._lay_out(survey.categories.nominal_sizes)
        return survey

    def _labelled_chunks(self, chunks: Chunks, factors: Vector) -> Iterator[LabelledRows]:
        """Yield what is to be learned in one pass; classes weigh as their factors say."""
        for X, y, sample_weight in read_chunks_once(chunks):
            rows, labels, weights = self._take_in(X, y, sample_weight, reset=False)
            codes = class_numbers(labels, self.classes_)
            yield LabelledRows(self._columns(rows), codes, weights * factors[codes])

    def _train(
        self,
        presenter: Presentations,
        labelled: LabelledRows,
        n_rows: int,
        plan: Plan,
        demands: Demands,
        stopping: EarlyStopping | None = None,
        *,
        settled: bool = False,
    ) -> None:
        """Present rows as planned; with early stopping, return to the best look.

        `labelled` are all of the `n_rows` rows, or some, on which looks measure accuracy. Rules
        that learning goes on with may have settled.
        """
        steps, looks = plan.steps(n_rows), plan.looks(n_rows)
        watches = plan.is_open and stopping is None
        watch = Convergence(self._engine_accuracy, labelled) if watches else None
        self.engine_.prepare("learn_decisions", *(["predict"] if stopping or watch else []))
        with showing_progress(self.verbose == 1, steps) as show:
            look = make_look(self, steps, labelled, stopping, show, self._accuracy, "accuracy")
            deadline = Deadline(plan.seconds_of_training)
            upkeep = begin(self.engine_, demands, labelled, self.class_prior_, settled=settled)
            self.n_steps_ = train(
                self.engine_, presenter, looks, deadline, watch, look, upkeep=upkeep
            )
        if stopping is not None:
            self.engine_, self.validation_scores_ = stopping.best(), stopping.scores

    def _accuracy(self, test: LabelledRows) -> float:
        """Return the share of rows that are classified right."""
        return measure_accuracy(self._payoffs(test.rows), test)

    def _engine_accuracy(self, test: LabelledRows) -> float:
        """Return the same by rules alone: a class without one is never chosen."""
        return measure_accuracy(self.engine_.predict(test.rows), test)

    def _conclude(self, labelled: LabelledRows, plan: Plan, demands: Demands) -> None:
        """Let the rules settle on rows, and find how far their shares can be trusted."""
        if plan.settles:
            settle_on(self.engine_, labelled, self.class_prior_)
        if plan.needs_halves:
            steps = self.n_steps_
            told = cross_votes(self.engine_, labelled, plan, self.class_prior_, steps, demands)
            self.share_power_ = find_power(*told)

    def _train_apart(self, labelled: LabelledRows, plan: Plan, demands: Demands) -> Vector:
        """Let several populations learn from samples of the rows, and become one.

        Return the mean votes on each row of those that have not seen it; NaN: all have.
        """
        model, n = self.engine_, plan.n_apart
        model.prepare("learn_decisions", *(["predict"] if plan.needs_votes else []))
        teach_one = partial(
            learn_from_sample,
            labelled=labelled,
            plan=plan,
            priors=self.class_prior_,
            seconds=plan.seconds_of_each(effective_n_jobs(self.n_jobs)),
            demands=demands,
        )
        steps = n * plan.steps(len(labelled.rows))
        taught = train_apart(
            self, teach_one, labelled, n, steps, self._accuracy, "accuracy", self._rng
        )
        if plan.n_populations == 1:
            kept = protected_rules(taught.engine)
            self.engine_ = draw_population(taught.engine, model, taught.n_rules, self._rng, kept)
        sums, voters = taught.vote_sums, taught.voters[:, np.newaxis]
        return np.divide(sums, voters, out=np.full_like(sums, np.nan), where=voters > 0)

    def _score_out_of_bag(self, answers: Codes, weights: Vector) -> None:
        """Note how good votes on rows are that the voters have not seen; NaN: all have."""
        votes = self.oob_decision_function_
        known = ~np.isnan(votes).any(axis=1)
        right, heavy = votes[known].argmax(axis=1) == answers[known], weights[known]
        self.oob_score_ = float(np.average(right, weights=heavy)) if known.any() else np.nan

    def _presenter(self, labelled: LabelledRows, plan: Plan) -> Presenter:
        return Presenter(labelled, len(self.classes_), plan.learn_from, self._rng)

    def shares(self, rows: Vector) -> Vector:
        """Return the probability of each class for rows as `numbers` returns them."""
        return class_shares(self._payoffs(self.layout_.columns(rows)), self.class_prior_)

    def _payoffs(self, columns: Vector) -> Vector:
        """Return the system prediction of each class; where it has no rule, from its prior."""
        return fill_with_priors(self._predictions(columns), self.class_prior_)
