"""XCS as a scikit-learn classifier."""

from dataclasses import replace
from functools import partial
from os import PathLike
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from ruleplay.errors import ConfigError
from ruleplay.learners.classifier.by_hand.methods import HandRules
from ruleplay.learners.classifier.by_hand.upkeep import begin
from ruleplay.learners.classifier.calibration import find_power_of_all
from ruleplay.learners.classifier.chunks import (
    ChunkPresenter,
    Chunks,
    check_for_chunks,
)
from ruleplay.learners.classifier.labels import class_numbers
from ruleplay.learners.classifier.model_card import write_card
from ruleplay.learners.classifier.model_file import LEARNER, notes_of, rebuild
from ruleplay.learners.classifier.settings import read_plan, usual_size
from ruleplay.learners.common.class_shares import sharpen
from ruleplay.learners.common.frames import as_labels
from ruleplay.learners.common.labelled_rows import (
    LabelledRows,
    find_equal_rows,
    hold_out,
    merge_equal_rows,
)
from ruleplay.learners.common.model_notes import load_learner, save_with_notes
from ruleplay.learners.common.plan_checks import check_learns_alone, checked_share
from ruleplay.learners.common.training import (
    EarlyStopping,
    teach,
)
from ruleplay.rules import Compaction, Explanation, RuleSet, compact, explain

Vector = NDArray[np.float64]


class XCSClassifier(HandRules):
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
        oob_decision_function_: The probabilities of the classes of the training rows by those
            of several populations whose samples have not got them; NaN where all have.
        oob_score_: With `oob_score`, their accuracy.

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
            classes, codes = np.unique(labels, return_inverse=True)
            n_distinct = 0
            if self.population_size is None and len(rows) > usual_size(len(classes), 0):
                n_distinct = len(merge_equal_rows(LabelledRows(rows, codes, weights)).rows)
            self._start(classes, rows[weights > 0], n_distinct)
        plan = plan._replace(n_classes=len(self.classes_))
        demands = self._read_demands()
        labelled, stopping = self._labelled(rows, labels, weights), None
        if plan.early_stopping:
            labelled, held_out = hold_out(
                labelled, plan.validation_fraction, self._rng, by_class=True
            )
            stopping = EarlyStopping(held_out, plan.patience, plan.tolerance)
        distinct, places = find_equal_rows(labelled)
        self.share_power_ = 1.0
        if plan.n_apart > 1:
            votes = self._train_apart(distinct, plan, demands)
            if plan.calibrates:
                self.share_power_ = find_power_of_all(votes, distinct)
            if plan.needs_votes:
                unseen = np.where(places[:, np.newaxis] < 0, np.nan, votes[places])
                self.oob_decision_function_ = sharpen(unseen, self.share_power_)
            if plan.oob_score:
                self._score_out_of_bag(labelled.answers, weights)
        else:
            presenter, settled = self._presenter(distinct, plan), goes_on and plan.settles
            n_rows = len(distinct.rows)
            self._train(presenter, distinct, n_rows, plan, demands, stopping, settled=settled)
        self._conclude(distinct, plan, demands)
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
        plan = read_plan(self)._replace(drawn_from=1)
        check_for_chunks(self)
        survey = self._survey(chunks)
        factors = survey.class_factors(self.class_weight)
        self._start(survey.classes, survey.span)
        demands = self._read_demands()
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
        self._train(presenter, sample, survey.n_rows, plan, demands)
        self._conclude(sample, plan, demands)
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
        check_learns_alone(self, "partial_fit")
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
        demands = self._read_demands()
        labelled = merge_equal_rows(self._labelled(rows, labels, weights))
        if not is_first:
            demands = demands._replace(start=None)
        upkeep = begin(self.engine_, demands, labelled, self.class_prior_)
        teach(self.engine_, self._presenter(labelled, plan), len(rows), upkeep=upkeep)
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
        if (X is None) != (y is None):
            raise ConfigError("model_card needs rows and their classes, or neither")
        right = None if X is None else self.predict(X) == as_labels(y)
        return write_card(self, self.ruleset_, title, file, right)

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
