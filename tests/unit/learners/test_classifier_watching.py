"""Training can be watched, stopped, and returned to its best look."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from ruleplay.learners.classifier import XCSClassifier
from ruleplay.learners.classifier.settings import read_plan
from ruleplay.learners.classifier.training import LOOKS, EarlyStopping

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
    [(7, None, 150, 7), (None, 3, 150, 450), (None, None, 150, 50_000), (None, None, 10**6, 10**7)],
    ids=["steps", "epochs", "at-least", "ten-epochs"],
)
def test_a_run_is_as_long_as_planned(n_steps, epochs, n_rows, steps):
    plan = read_plan(XCSClassifier(n_steps=n_steps, epochs=epochs))
    assert plan.steps(n_rows) == steps
