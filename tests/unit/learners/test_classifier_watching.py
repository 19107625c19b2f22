"""Training can be watched, stopped, and returned to its best look."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from ruleplay.errors import ConfigError
from ruleplay.learners.classifier import XCSClassifier
from ruleplay.learners.classifier.settings import (
    LOOK_EVERY,
    LOOKS,
    MOST_EPOCHS,
    MOST_STEPS,
    STEPS_OF_MANY,
    read_plan,
)
from ruleplay.learners.common.training import PATIENCE, EarlyStopping, is_settled

X, Y = load_iris(return_X_y=True)


def small(**settings):
    return XCSClassifier(**{"n_steps": 4000, "population_size": 400, "random_state": 0} | settings)


def test_a_callback_sees_every_look():
    seen = []
    small(callback=seen.append).fit(X, Y)
    assert [look.step for look in seen] == [4000 * k // LOOKS for k in range(1, LOOKS + 1)]
    assert {look.steps for look in seen} == {4000}
    assert all(look.rules > 0 and look.score is None for look in seen)


def test_a_callback_may_ask_the_estimator():
    scores = []
    small(callback=lambda look: scores.append(look.estimator.score(X, Y))).fit(X, Y)
    assert scores[-1] > 0.8


def test_a_callback_stops_the_training():
    model = small(callback=lambda look: look.step >= 1000).fit(X, Y)
    assert model.n_steps_ == model.engine_.learning_steps == 1000


@pytest.mark.parametrize("verbose", [1, 2])
def test_looking_does_not_change_what_is_learned(verbose):
    plain = small().fit(X, Y)
    watched = small(verbose=verbose, callback=lambda look: None).fit(X, Y)
    assert plain.rules_.equals(watched.rules_)


def test_verbose_shows_how_far_training_is(capsys):
    small(verbose=1).fit(X, Y)
    shown = capsys.readouterr()
    assert "4000" in shown.err
    assert not shown.out
    small().fit(X, Y)
    assert not any(capsys.readouterr())


def test_more_verbose_prints_accuracy_at_each_look(capsys):
    small(verbose=2, n_steps=40).fit(X, Y)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == LOOKS
    assert lines[0].startswith("step 2 of 40: ")
    assert "training accuracy 0." in lines[0]


def test_early_stopping_returns_to_the_best_look(capsys):
    model = small(early_stopping=True, n_iter_no_change=3, verbose=2).fit(X, Y)
    scores = model.validation_scores_
    best = int(np.argmax(scores))
    assert model.engine_.learning_steps == 4000 * (best + 1) // LOOKS
    assert model.n_steps_ == 4000 * len(scores) // LOOKS
    assert len(scores) < LOOKS
    assert "validation accuracy" in capsys.readouterr().out


def test_scores_of_an_earlier_fit_are_forgotten():
    model = small(early_stopping=True).fit(X, Y)
    assert not hasattr(model.set_params(early_stopping=False).fit(X, Y), "validation_scores_")


def test_early_stopping_learns():
    # Over 20 seeds at least 0.946.
    assert small(early_stopping=True, n_steps=20_000).fit(X, Y).score(X, Y) > 0.87


class Engine:
    """Counts how often it was saved."""

    saved = 0

    def to_bytes(self):
        self.saved += 1
        return b""


@pytest.mark.parametrize(
    ("scores", "stopped_after"),
    [([0.5, 0.5, 0.5, 0.5], 4), ([0.5, 0.6, 0.7, 0.7, 0.7, 0.7], 6), ([0.5, 0.6, 0.7], None)],
    ids=["never-better", "better-at-first", "always-better"],
)
def test_patience_ends_after_looks_without_improvement(scores, stopped_after):
    best, engine = EarlyStopping(None, patience=3, tolerance=0.01), Engine()
    answers = [best.note(engine, score) for score in scores]
    assert answers == [k + 1 == stopped_after for k in range(len(scores))]
    assert best.scores == scores
    assert engine.saved == len(set(scores))


@pytest.mark.parametrize(
    ("n_steps", "epochs", "n_rows", "steps"),
    [
        (7, None, 150, 7),
        (None, 3, 150, 450),
        (None, None, 150, 10**6),
        (None, None, 10**6, 3 * 10**6),
    ],
    ids=["steps", "epochs", "a-million", "three-epochs"],
)
def test_a_run_is_as_long_as_planned(n_steps, epochs, n_rows, steps):
    plan = read_plan(XCSClassifier(n_steps=n_steps, epochs=epochs, drawn_from=1))
    assert plan.steps(n_rows) == steps


@pytest.mark.parametrize(
    ("accuracies", "settled"),
    [
        ([], False),
        ([1.0, 1.0], False),
        ([0.9, 0.9, 0.9, 0.904], True),
        ([0.9, 0.9, 0.9, 0.906], False),
        ([0.5, 0.7, 0.6, 0.65, 0.66], True),
    ],
)
def test_accuracy_has_settled_when_it_has_not_risen_for_three_looks(accuracies, settled):
    assert is_settled(accuracies) is settled


def test_without_a_length_training_goes_on_until_it_has_converged():
    looks = []
    model = small(n_steps=None, drawn_from=1, callback=lambda look: looks.append(look.step))
    model.fit(X, Y)
    assert looks[: PATIENCE + 1] == [LOOK_EVERY * k for k in range(1, PATIENCE + 2)]
    assert model.n_steps_ == looks[-1] < MOST_STEPS
    assert model.score(X, Y) > 0.95


def test_many_rows_are_presented_several_times():
    plan = read_plan(small(n_steps=None, drawn_from=1))
    assert plan.looks(1_000_000) == [500_000 * k for k in range(1, 7)]
    assert read_plan(small(n_steps=30)).looks(5)[:3] == [1, 3, 4]


def test_time_limits_training():
    model = small(n_steps=10_000_000, max_seconds=0.2).fit(X, Y)
    assert 0 < model.n_steps_ < 10_000_000
    assert model.n_steps_ == model.engine_.learning_steps
    bag = small(n_steps=10_000_000, max_seconds=0.2, n_populations=2).fit(X, Y)
    assert 0 < bag.n_steps_ < 20_000_000


@pytest.mark.parametrize("seconds", [0, -1.0, float("nan"), float("inf"), "1", True])
def test_odd_time_limits_are_refused(seconds):
    with pytest.raises(ConfigError, match=r"max_seconds must be None or lie in \(0, inf\)"):
        small(max_seconds=seconds).fit(X, Y)


def test_each_of_several_populations_has_a_fixed_length():
    model = small(n_steps=None, n_populations=2).fit(X, Y)
    assert model.n_steps_ == 2 * STEPS_OF_MANY
    plan = read_plan(XCSClassifier(n_populations=2))
    assert plan.steps(STEPS_OF_MANY) == MOST_EPOCHS * STEPS_OF_MANY
