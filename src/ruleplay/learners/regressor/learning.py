"""How the regressor learns: in one go, or in several populations."""

from functools import partial
from typing import Any, ClassVar

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike, NDArray
from sklearn.base import RegressorMixin
from sklearn.utils import Tags

from ruleplay.config import ReplayConfig, XCSConfig
from ruleplay.engine.refitting import moments_of, refit
from ruleplay.engine.transfer import empty_like
from ruleplay.errors import ConfigError
from ruleplay.learners.common.configs import united_configs
from ruleplay.learners.common.drawing import draw_population
from ruleplay.learners.common.frames import as_labels
from ruleplay.learners.common.labelled_rows import LabelledRows, checked_weights
from ruleplay.learners.common.populations import train_apart
from ruleplay.learners.common.progress import Show, showing_progress
from ruleplay.learners.common.tabular import TabularLearner
from ruleplay.learners.common.training import (
    TRIALS,
    Convergence,
    Deadline,
    EarlyStopping,
    TrainingProgress,
    make_look,
    train,
)
from ruleplay.learners.regressor.deviations import Deviations
from ruleplay.learners.regressor.model_columns import MOST_COLUMNS, choose_columns
from ruleplay.learners.regressor.parameters import RegressorParameters
from ruleplay.learners.regressor.populations import learn_from_sample
from ruleplay.learners.regressor.presentation import Presenter, explained_share
from ruleplay.learners.regressor.settings import Found, Plan, read_configs
from ruleplay.learners.regressor.targets import (
    Targets,
    check_sizes,
    numeric_targets,
    spoken,
    target_names,
)
from ruleplay.learners.regressor.trials import USUAL_SHARE, Judged, Trials, planned_steps

Vector = NDArray[np.float64]


class RegressorLearning(RegressorMixin, TabularLearner, RegressorParameters):  # type: ignore[misc]
    """Makes the engine, trains it as planned, and turns what it predicts into quantities."""

    targets_: Targets
    deviations_: tuple[Deviations, ...]
    _found_later = ("validation_scores_", "oob_score_", "oob_prediction_")
    _fill: Vector  # (columns,): what a missing number counts as; 0 of nominal features
    _is_flat: bool  # whether targets were given as a vector
    _label_checks: ClassVar[dict[str, Any]] = {"y_numeric": True, "multi_output": True}

    @property
    def _takes_gaps(self) -> bool:
        return True

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    def _take_in(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None, reset: bool
    ) -> tuple[Vector, Vector, Vector]:
        """Return checked rows, targets, (rows, targets), and weights."""
        rows, values = self._validated(X, reset, numeric_targets(y))
        values = np.asarray(values, np.float64)
        check_sizes(values)
        self._is_flat = values.ndim == 1 if reset else self._is_flat
        return rows, values.reshape(len(rows), -1), checked_weights(sample_weight, len(rows))

    def _start(self, y: Any, rows: Vector, values: Vector, weights: Vector, plan: Plan) -> None:
        """Make an engine without rules for these targets, scaled to these rows."""
        there = rows[weights > 0]
        names = target_names(as_labels(y), values.shape[1])
        self.targets_ = Targets.of(names, values, weights)
        self.bounds_, limits = self._choose_bounds(there)
        self._fill = self._means(np.clip(rows, *self.bounds_), weights)
        threshold = plan.threshold or USUAL_SHARE * self.targets_.noise
        chosen = ""
        if self.prediction == "linear" and len(self._fill) > MOST_COLUMNS:
            chosen = choose_columns(self._labelled(rows, values, weights))
        self._make_engine(self._configs(threshold, chosen), len(names), limits, self._notes())
        self.deviations_ = (Deviations.stated(),) * len(names)

    def _notes(self) -> dict[str, Any]:
        """Return what readers of the engine's rules must know."""
        notes = self.targets_.notes() | self._notes_for_readers()
        if self.prediction != "scalar":
            notes["fill"] = [
                None if span.nominal else float(self._fill[span.first])
                for span in self.layout_.spans
            ]
        return notes

    def _configs(
        self, threshold: float, model_columns: str
    ) -> tuple[XCSConfig, ReplayConfig | None]:
        targets = self.targets_
        first = float(targets.payoffs(targets.mean)[0])
        found = Found(first, threshold, model_columns)
        return read_configs(self, len(targets.names), self.layout_, found)

    def _means(self, rows: Vector, weights: Vector) -> Vector:
        """Return the mean of each column of numbers, without what is missing; of others 0."""
        columns = self.layout_.columns(rows)
        known = ~np.isnan(columns) * weights[:, np.newaxis]
        sums, totals = (known * np.nan_to_num(columns)).sum(axis=0), known.sum(axis=0)
        middle = self.layout_.column_bounds(self.bounds_)
        means: Vector = np.divide(sums, totals, out=np.mean(middle, axis=0), where=totals > 0.0)
        for first, end in self.layout_.nominal_columns:
            means[first:end] = 0.0
        return means

    def _columns(self, rows: Vector) -> Vector:
        """Return checked rows as the engine has them; models have no missing values."""
        columns = super()._columns(rows)
        if self.prediction == "scalar":
            return columns
        return np.where(np.isnan(columns), self._fill, columns)

    def _check_unchanged(self, n_targets: int) -> None:
        """Refuse to go on with targets or settings that the engine was not made with."""
        if n_targets != self.engine_.n_actions:
            raise ConfigError(f"y must have {self.engine_.n_actions} targets, got {n_targets}")
        found = self.engine_.config, self.engine_.replay
        known = self.engine_.config
        chosen = getattr(known, "model_columns", "") if self.prediction == "linear" else ""
        one = self._configs(self.error_threshold or known.error_threshold, chosen)
        if found != united_configs(*one, self.n_populations):
            raise ConfigError("settings of XCS and replay must not change with warm_start=True")

    def _labelled(self, rows: Vector, values: Vector, weights: Vector) -> LabelledRows:
        return LabelledRows(self._columns(rows), self.targets_.payoffs(values), weights)

    def _try(self, labelled: LabelledRows, plan: Plan) -> None:
        """Find the tolerance, and how far predictions are off, by halves of the rows."""
        steps = planned_steps(labelled, plan, len(self.targets_.names))
        if not steps:
            return
        with showing_progress(self.verbose == 1, steps, unit="trial step") as show:
            tell = partial(self._tell_of_trials, show, steps)
            trials = Trials(self.engine_, labelled, plan, self.targets_, tell)
            threshold, judged = plan.threshold, None
            if threshold is None:
                threshold, judged = trials.find_threshold(self.targets_.noise)
                self.engine_ = empty_like(self.engine_, error_threshold=threshold)
            if plan.calibrates_by_halves:
                self._calibrate(judged or trials.judge(threshold))

    def _tell_of_trials(self, show: Show, steps: int, done: int) -> None:
        """Show how far trials are, and tell the callback."""
        show(done)
        if self.callback is not None:
            self.callback(TrainingProgress(self, done, steps, 0, None, TRIALS))

    def _calibrate(self, judged: Judged) -> None:
        """Note how far predictions of each target are off on unseen rows."""
        self.deviations_ = tuple(
            Deviations.found(judged.errors[:, k], judged.stated[:, k], judged.weights)
            for k in range(len(self.targets_.names))
        )

    def _train(
        self, labelled: LabelledRows, plan: Plan, stopping: EarlyStopping | None = None
    ) -> None:
        """Present rows as planned; with early stopping, return to the best look."""
        n_rows, n_targets = len(labelled.rows), labelled.answers.shape[1]
        steps, looks = plan.steps(n_rows, n_targets), plan.looks(n_rows, n_targets)
        watches = plan.is_open and stopping is None
        watch = Convergence(self._explained, labelled) if watches else None
        self.engine_.prepare("learn_decisions", *(["predict"] if stopping or watch else []))
        with showing_progress(self.verbose == 1, steps) as show:
            look = make_look(self, steps, labelled, stopping, show, self._explained, "R²")
            deadline = Deadline(plan.seconds_of_training)
            presenter = Presenter(labelled, self._rng)
            self.n_steps_ = train(self.engine_, presenter, looks, deadline, watch, look)
        if stopping is not None:
            self.engine_, self.validation_scores_ = stopping.best(), stopping.scores

    def _explained(self, test: LabelledRows) -> float:
        """Return R² of what the rules predict as they are."""
        targets = self.targets_
        values = targets.values(self.engine_.predict(test.rows))
        return explained_share(targets.payoffs(values), test)

    def _train_apart(self, labelled: LabelledRows, plan: Plan) -> Judged:
        """Let several populations learn from samples of the rows, and become one.

        Return what those say about each row that have not seen it; NaN where all have.
        """
        model, n, looked_at = self.engine_, plan.n_apart, plan.n_populations == 1
        model.prepare("learn_decisions", *(["predict"] if looked_at else []))
        teach_one = partial(
            learn_from_sample,
            labelled=labelled,
            plan=plan,
            targets=self.targets_,
            seconds=plan.seconds_of_each(effective_n_jobs(self.n_jobs)),
        )
        steps = n * plan.steps(len(labelled.rows), len(self.targets_.names))
        taught = train_apart(self, teach_one, labelled, n, steps, self._explained, "R²", self._rng)
        if plan.n_populations == 1:
            self.engine_ = draw_population(taught.engine, model, taught.n_rules, self._rng)
        values, stated = spoken(self.targets_, taught.vote_sums)
        values[taught.voters == 0] = np.nan
        truth = labelled.answers * self.targets_.scale + self.targets_.shift
        return Judged(values - truth, stated, labelled.weights)

    def _score_out_of_bag(self, errors: Vector, values: Vector, weights: Vector) -> None:
        """Note how good predictions of rows are that the rules have not seen."""
        known = ~np.isnan(errors).any(axis=1) & (weights > 0)
        self.oob_prediction_ = self._shaped(values + errors)
        test = LabelledRows(values, values, weights).take(known)
        predicted = (values + errors)[known]
        self.oob_score_ = explained_share(predicted, test) if known.any() else np.nan

    def _settle(self, labelled: LabelledRows, plan: Plan) -> None:
        """Fit the rules' models anew to all rows."""
        if plan.settles:
            refit(self.engine_, labelled.rows, labelled.answers, labelled.weights, plan.ridge)

    def _spoken(self, rows: Vector) -> tuple[Vector, Vector]:
        """Return what rules say about checked rows, and how far off they think they are."""
        targets = self.targets_
        sums = moments_of(self.engine_, self._columns(rows), targets.payoffs(targets.mean))
        return spoken(targets, sums)

    def _values(self, rows: Vector) -> Vector:
        """Return what is predicted for checked rows, (rows, targets)."""
        return self.targets_.values(self._predictions(self._columns(rows)))

    def _shaped(self, values: Vector) -> Vector:
        """Return values as targets were given: a vector, or a column for each."""
        return values[:, 0] if self._is_flat else values
