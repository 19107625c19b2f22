"""XCS as a scikit-learn classifier."""

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
from ruleplay.engine.transfer import empty_like
from ruleplay.errors import ConfigError
from ruleplay.learners.classifier.calibration import cross_votes, find_power, find_power_of_all
from ruleplay.learners.classifier.labels import class_notes, class_numbers
from ruleplay.learners.classifier.model_card import write_card
from ruleplay.learners.classifier.model_file import LEARNER, notes_of, rebuild
from ruleplay.learners.classifier.parameters import ClassifierParameters
from ruleplay.learners.classifier.populations import learn_apart
from ruleplay.learners.classifier.presentation import (
    Codes,
    LabelledRows,
    Presenter,
    checked_weights,
    find_equal_rows,
    hold_out,
    merge_equal_rows,
)
from ruleplay.learners.classifier.settings import (
    Plan,
    checked_share,
    read_configs,
    read_plan,
    united_configs,
)
from ruleplay.learners.classifier.training import (
    Convergence,
    Deadline,
    EarlyStopping,
    make_look,
    teach,
    train,
)
from ruleplay.learners.classifier.voting import settle_on
from ruleplay.learners.common.class_shares import class_shares, fill_with_priors, sharpen
from ruleplay.learners.common.frames import as_labels
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
        share_power_: The power of the classes' shares that makes them probabilities.
        validation_scores_: Accuracy at each look, with early stopping.
        oob_score_, oob_decision_function_: With `oob_score`, accuracy on the training rows, and
            the probabilities of their classes, by the populations whose samples have not got
            them; NaN where all have.

    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> bool(XCSClassifier(random_state=0).fit(X, y).score(X, y) > 0.9)
    True
    """

    class_prior_: Vector
    _rng: np.random.Generator

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
        distinct, places = find_equal_rows(labelled)
        self.share_power_ = 1.0
        if plan.n_populations > 1:
            votes = self._train_apart(distinct, plan)
            if plan.calibrates:
                self.share_power_ = find_power_of_all(votes, distinct)
            if plan.oob_score:
                unseen = np.where(places[:, np.newaxis] < 0, np.nan, votes[places])
                self._score_out_of_bag(unseen, labelled.answers, weights)
        else:
            self._train(distinct, plan, stopping)
        if plan.settles:
            settle_on(self.engine_, distinct, self.class_prior_)
        if plan.needs_halves:
            told = cross_votes(self.engine_, distinct, plan, self.class_prior_, self.n_steps_)
            self.share_power_ = find_power(*told)
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
        check_is_fitted(self)
        labels: NDArray[Any] = self.classes_[self.shares(self.numbers(X)).argmax(axis=1)]
        return labels

    def predict_or_abstain(self, X: ArrayLike, *, at_least: float = 0.8) -> NDArray[np.object_]:
        """Return the most probable class of each row, or None where it is not probable enough.

        None also stands where no rule speaks about a row, however frequent a class is.
        """
        least = checked_share("at_least", at_least)
        probabilities = self.predict_proba(X)
        answers: NDArray[np.object_] = self.classes_[probabilities.argmax(axis=1)].astype(object)
        answers[(probabilities.max(axis=1) < least) | ~self.covered(X)] = None
        return answers

    def covered(self, X: ArrayLike) -> NDArray[np.bool_]:
        """Tell of each row whether any rule speaks about it; else its classes have their priors."""
        predictions = self._predictions(self.layout_.columns(self.numbers(X)))
        return np.asarray(~np.isnan(predictions).all(axis=1))

    def predict_proba(self, X: ArrayLike) -> Vector:
        """Return the probability of each class for each row, (rows, classes).

        The share of each class in the sum of all classes' payoffs, raised to the power
        `share_power_`, as shares again. Negative payoffs, which linear models can predict,
        count as 0.
        """
        check_is_fitted(self)
        return sharpen(self.shares(self.numbers(X)), self.share_power_)

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
        for name in ("validation_scores_", "oob_score_", "oob_decision_function_"):
            self.__dict__.pop(name, None)
        self.classes_, self.bounds_, self.share_power_ = classes, bounds, 1.0
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
        self._weight_sums = self._weight_sums + np.bincount(codes, weights, len(self.classes_))
        self.class_prior_ = self._weight_sums / self._weight_sums.sum()
        return LabelledRows(self._columns(rows), codes, weights)

    def _train(self, labelled: LabelledRows, plan: Plan, stopping: EarlyStopping | None) -> None:
        """Present the rows as planned; with early stopping, return to the best look."""
        steps, looks = plan.steps(len(labelled.rows)), plan.looks(len(labelled.rows))
        presenter = self._presenter(labelled, plan)
        watches = plan.is_open and stopping is None
        watch = Convergence(self.engine_, labelled) if watches else None
        self.engine_.prepare("learn_decisions", *(["predict"] if stopping or watch else []))
        with showing_progress(self.verbose == 1, steps) as show:
            look = make_look(self, steps, labelled, stopping, show)
            deadline = Deadline(plan.seconds_of_training)
            self.n_steps_ = train(self.engine_, presenter, looks, deadline, watch, look)
        if stopping is not None:
            self.engine_, self.validation_scores_ = stopping.best(), stopping.scores

    def _train_apart(self, labelled: LabelledRows, plan: Plan) -> Vector:
        """Let several populations learn from samples of the rows, and become one.

        Return the votes on each row of those that have not seen it.
        """
        self.engine_.prepare("learn_decisions", *(["predict"] if plan.is_open else []))
        seeds = self._rng.integers(2**31, size=plan.n_populations)
        engines = [empty_like(self.engine_, seed=int(seed)) for seed in seeds]
        with showing_progress(self.verbose == 1, plan.n_populations, unit="population") as show:
            taught = learn_apart(
                engines, labelled, plan, self.class_prior_, self._rng, self.n_jobs, show
            )
        self.engine_, self.n_steps_ = taught.engine, taught.steps
        return taught.votes

    def _score_out_of_bag(self, votes: Vector, answers: Codes, weights: Vector) -> None:
        """Note how good votes on rows are that the voters have not seen; NaN: all have."""
        self.oob_decision_function_ = sharpen(votes, self.share_power_)
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
