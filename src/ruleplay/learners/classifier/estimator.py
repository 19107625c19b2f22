"""XCS as a scikit-learn classifier."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from os import PathLike
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils import check_random_state, compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from ruleplay.engine import XCS
from ruleplay.engine.settling import settle
from ruleplay.engine.transfer import empty_like
from ruleplay.envs.classification import RIGHT_REWARD
from ruleplay.errors import ConfigError
from ruleplay.learners.classifier.chunks import (
    ChunkPresenter,
    Chunks,
    check_for_chunks,
    read_chunks_once,
)
from ruleplay.learners.classifier.labels import class_notes, class_numbers
from ruleplay.learners.classifier.model_card import write_card
from ruleplay.learners.classifier.model_file import LEARNER, notes_of, rebuild
from ruleplay.learners.classifier.parameters import ClassifierParameters
from ruleplay.learners.classifier.populations import learn_apart
from ruleplay.learners.classifier.presentation import (
    LabelledRows,
    Presenter,
    checked_weights,
    hold_out,
    merge_equal_rows,
)
from ruleplay.learners.classifier.settings import Plan, read_configs, read_plan, united_configs
from ruleplay.learners.classifier.survey import Survey
from ruleplay.learners.classifier.training import (
    Convergence,
    Deadline,
    EarlyStopping,
    Presentations,
    make_look,
    teach,
    train,
)
from ruleplay.learners.common.class_shares import class_shares, fill_with_priors
from ruleplay.learners.common.frames import as_labels, as_pandas
from ruleplay.learners.common.model_notes import load_learner, save_with_notes
from ruleplay.learners.common.progress import showing_progress
from ruleplay.learners.common.tabular import TabularLearner
from ruleplay.rules import Compaction, Explanation, RuleSet, compact, explain

Vector = NDArray[np.float64]


class XCSClassifier(ClassifierMixin, TabularLearner, ClassifierParameters):  # type: ignore[misc]
    """A classifier whose model is a set of rules that people can read.

    Learning is that of XCS on a single-step problem: each presentation of a row asks about
    one class and pays 1000 if the row is of that class, else 0. A rule predicts this payoff
    within a box of the feature space; the predictions of all matching rules, weighted by
    fitness, estimate 1000 times the probability of the class. A class without a matching
    rule has its prior probability instead.

    Features are scaled to [0, 1] between the smallest and the largest value that the first
    call of `fit` or `partial_fit` sees, or between `bounds`; values outside are clipped.
    Rules are shown in the features' own units. What is learned does not depend on the order
    of the rows, and a row of weight 2 counts as two rows.

    A missing value (NaN) satisfies the condition of every rule on its feature; a rule that
    is made for a row leaves the row's missing features free. A feature needs one value at
    least, or `bounds`. Linear predictions allow no missing values.

    Of a categorical column a rule allows any set of categories; if its dtype is an ordered
    `category`, neighbours in that order. A value that is no category when predicting counts
    as missing.

    The parameters, each with its default: `help(XCSClassifier.__init__)`.

    Attributes:
        classes_: The labels.
        class_prior_: Share of each class in the weights of the training rows.
        bounds_: The smallest and the largest value of each feature, as used for scaling.
        categories_: The categories of each categorical column, by its number.
        engine_: The learning engine, an `XCS`.
        n_features_in_, feature_names_in_: As in every scikit-learn estimator.
        n_steps_: Presentations made by the last call of `fit` or `partial_fit`.
        validation_scores_: Accuracy at each look, with early stopping.

    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> bool(XCSClassifier(random_state=0).fit(X, y).score(X, y) > 0.9)
    True
    """

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn rules from labelled rows; a row's weight is how often it is presented."""
        plan = read_plan(self)
        goes_on = self.warm_start and hasattr(self, "engine_")
        rows, labels, weights = self._take_in(X, y, sample_weight, reset=not goes_on)
        if goes_on:
            self._check_unchanged()
        else:
            self._start(np.unique(labels), rows[weights > 0])
        labelled, stopping = self._labelled(rows, labels, weights), None
        if plan.early_stopping:
            labelled, held_out = hold_out(labelled, plan.validation_fraction, self._rng)
            stopping = EarlyStopping(held_out, plan.patience, plan.tolerance)
        labelled = merge_equal_rows(labelled)
        if plan.n_populations > 1:
            self._train_apart(labelled, plan)
        else:
            self._train(
                self._presenter(labelled, plan), labelled, len(labelled.rows), plan, stopping
            )
        if plan.settles:
            self._settle(labelled)
        return self

    def fit_chunks(self, chunks: Chunks) -> Self:
        """Learn rules from more rows than memory holds, chunk by chunk.

        Args:
            chunks: What yields (X, y) or (X, y, sample_weight) as `fit` takes them, again and
                again: `ruleplay.read_chunks(FILE, target)`, a list, or a function that returns
                an iterator.

        A first pass over all chunks finds classes, bounds, categories, and a random sample of
        100 000 rows. Then rows are presented chunk by chunk, shuffled within each, in as many
        passes as `epochs`, `n_steps` or convergence on the sample ask for. At the end the rules
        settle on the sample. At most two chunks are in memory at a time.
        """
        plan = read_plan(self)
        check_for_chunks(self, plan)
        survey = self._survey(chunks)
        factors = survey.class_factors(self.class_weight)
        self._start(survey.classes, survey.corners)
        self._count_classes(survey.class_weights(factors))
        sample = survey.sample(factors)
        sample = merge_equal_rows(sample._replace(rows=self._columns(sample.rows)))
        presenter = ChunkPresenter(
            partial(self._labelled_chunks, chunks, factors),
            survey.n_rows,
            self._weight_sums.sum(),
            len(self.classes_),
            plan.learn_from,
            self._rng,
        )
        self._train(presenter, sample, survey.n_rows, plan)
        if plan.settles:
            self._settle(sample)
        return self

    def partial_fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        classes: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Go on learning: as many presentations as there are rows.

        The first call needs all `classes`, and its rows (or `bounds`) fix the scaling.
        """
        plan = read_plan(self)
        if plan.n_populations > 1:
            raise ConfigError(f"partial_fit needs n_populations=1, got {plan.n_populations}")
        is_first = not hasattr(self, "engine_")
        rows, labels, weights = self._take_in(X, y, sample_weight, reset=is_first)
        if self.class_weight == "balanced":
            raise ConfigError("class_weight must not be 'balanced' in partial_fit: give weights")
        if is_first:
            if classes is None:
                raise ConfigError("classes must be given in the first call of partial_fit")
            self._start(np.unique(np.asarray(classes)), rows[weights > 0])
        elif classes is not None and not np.array_equal(np.unique(classes), self.classes_):
            raise ConfigError(f"classes must stay {self.classes_}, got {np.unique(classes)}")
        labelled = merge_equal_rows(self._labelled(rows, labels, weights))
        teach(self.engine_, self._presenter(labelled, plan), len(rows))
        self.n_steps_ = len(rows)
        return self

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the most probable class of each row; among equals, the first."""
        probabilities = self.predict_proba(X)
        labels: NDArray[Any] = self.classes_[probabilities.argmax(axis=1)]
        return labels

    def predict_proba(self, X: ArrayLike) -> Vector:
        """Return the probability of each class for each row, (rows, classes).

        The share of each class in the sum of all classes' payoffs; negative ones, which
        linear models can predict, count as 0.
        """
        check_is_fitted(self)
        return self.shares(self.numbers(X))

    @property
    def ruleset_(self) -> RuleSet:
        """Return the rules on their own, to be written as JSON, CSV, Python, or drawn.

        Where no rule matches they decide for the most frequent class; `encode` turns rows
        into the numbers that they compare.
        """
        check_is_fitted(self)
        return self._rules_within_bounds(int(self.class_prior_.argmax()))

    def explain(self, row: ArrayLike) -> Explanation:
        """Explain the class of one row, a sequence or a frame of one: which rules spoke.

        Print it, or read its `votes`. Classes are numbered as in `classes_`. A class about
        which no rule speaks counts with its share of the training rows, and may be the answer.
        """
        rows = self._validated_row(row)
        told = explain(self.ruleset_, self._clipped(rows[0]))
        return replace(told, action=int(self.shares(self._clipped(rows))[0].argmax()))

    def compact(
        self,
        X: ArrayLike,
        y: ArrayLike | None = None,
        method: str = "evaluate",
        *,
        max_rules: int = 10,
        tolerance: float = 0.02,
    ) -> Compaction:
        """Return few rules that decide about rows as all do, or, with labels, as these say.

        "evaluate" makes an ordered list of at most `max_rules` rules and a default class,
        "greedy" keeps those rules, which go on voting, that are needed; both may differ on
        a share of `tolerance`. Three tenths of the rows are held out to measure the loss.
        """
        check_is_fitted(self)
        labels = None
        if y is None:
            rows = self._validated(X, reset=False)
        else:
            rows, given = self._validated(X, False, y)
            labels = class_numbers(given, self.classes_)
        return compact(
            self.ruleset_,
            method,
            self._clipped(rows),
            labels=labels,
            max_rules=max_rules,
            tolerance=tolerance,
        )

    def model_card(
        self,
        X: ArrayLike | None = None,
        y: ArrayLike | None = None,
        *,
        title: str = "A classifier of rules",
        file: str = "model.ruleplay",
    ) -> str:
        """Return Markdown that says what the classifier is and has learned from, and its limits.

        With rows and their classes it says how many of them it gets right: take some that were
        not learned from. `file` is where the card says that the model is saved.
        """
        check_is_fitted(self)
        accuracy = ""
        if (X is None) != (y is None):
            raise ConfigError("model_card needs rows and their classes, or neither")
        if X is not None:
            score, count = self.score(X, y), len(as_labels(y))
            accuracy = (
                f"{100 * score:.1f} % of {count} rows given with their classes are right. "
                "If it has learned from them, that says little about others."
            )
        return write_card(self, self.ruleset_, title, file, accuracy)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the whole classifier to one file without pickled code.

        Left out are a callback and a random state that is not a number.
        """
        check_is_fitted(self)
        save_with_notes(self.engine_, notes_of(self), path)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Read a classifier that goes on bit by bit; an odd file raises ModelFileError."""
        classifier: Self = load_learner(path, LEARNER, "an XCSClassifier", partial(rebuild, cls))
        return classifier

    def _take_in(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None, reset: bool
    ) -> tuple[Vector, NDArray[Any], Vector]:
        """Return checked rows, labels and weights."""
        rows, labels = self._validated(X, reset, y)
        check_classification_targets(labels)
        return rows, labels, checked_weights(sample_weight, len(rows))

    def _start(self, classes: NDArray[Any], rows: Vector) -> None:
        """Make an engine without rules for these classes, scaled to these rows."""
        config, replay = read_configs(self, len(classes), self.layout_)
        bounds, (low, high) = self._choose_bounds(rows)
        seeds = check_random_state(self.random_state).randint(2**31 - 1, size=2)
        self.engine_ = XCS(
            config,
            replay,
            n_actions=len(classes),
            low=low,
            high=high,
            seed=int(seeds[0]),
            about=class_notes(classes) | self._notes_for_readers(),
        )
        self.__dict__.pop("validation_scores_", None)
        self.classes_, self.bounds_ = classes, bounds
        self._rng = np.random.default_rng(seeds[1])
        self._weight_sums = np.zeros(len(classes))

    def _check_unchanged(self) -> None:
        """Refuse to go on with settings that the engine was not made with."""
        found = self.engine_.config, self.engine_.replay
        if found != united_configs(
            *read_configs(self, len(self.classes_), self.layout_), self.n_populations
        ):
            raise ConfigError("settings of XCS and replay must not change with warm_start=True")

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
        survey = Survey(self.categorical_features, seed)
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
        stopping: EarlyStopping | None = None,
    ) -> None:
        """Present rows as planned; with early stopping, return to the best look.

        `labelled` are all of the `n_rows` rows, or some, on which looks measure accuracy.
        """
        steps, looks = plan.steps(n_rows), plan.looks(n_rows)
        watches = plan.is_open and stopping is None
        watch = Convergence(self.engine_, labelled) if watches else None
        self.engine_.prepare("learn_decisions", *(["predict"] if stopping or watch else []))
        with showing_progress(self.verbose == 1, steps) as show:
            look = make_look(self, steps, labelled, stopping, show)
            deadline = Deadline(plan.max_seconds)
            self.n_steps_ = train(self.engine_, presenter, looks, deadline, watch, look)
        if stopping is not None:
            self.engine_, self.validation_scores_ = stopping.best(), stopping.scores

    def _train_apart(self, labelled: LabelledRows, plan: Plan) -> None:
        """Let several populations learn from samples of the rows, and become one."""
        self.engine_.prepare("learn_decisions", *(["predict"] if plan.is_open else []))
        seeds = self._rng.integers(2**31, size=plan.n_populations)
        engines = [empty_like(self.engine_, seed=int(seed)) for seed in seeds]
        with showing_progress(self.verbose == 1, plan.n_populations, unit="population") as show:
            self.engine_, self.n_steps_ = learn_apart(
                engines, labelled, plan, self._rng, self.n_jobs, show
            )

    def _settle(self, labelled: LabelledRows) -> None:
        """Let all rules predict the mean of what all rows pay, instead of the last ones."""
        classes = np.arange(len(self.classes_))
        for_rows = RIGHT_REWARD * (labelled.answers[:, np.newaxis] == classes)
        priors = RIGHT_REWARD * self.class_prior_
        settle(self.engine_, labelled.rows, for_rows, labelled.weights, priors)

    def _presenter(self, labelled: LabelledRows, plan: Plan) -> Presenter:
        return Presenter(labelled, len(self.classes_), plan.learn_from, self._rng)

    def shares(self, rows: Vector) -> Vector:
        """Return the probability of each class for rows as `numbers` returns them."""
        return class_shares(self._payoffs(self.layout_.columns(rows)), self.class_prior_)

    def _payoffs(self, columns: Vector) -> Vector:
        """Return the system prediction of each class; where it has no rule, from its prior."""
        return fill_with_priors(self._predictions(columns), self.class_prior_)
