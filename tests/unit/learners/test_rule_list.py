"""A short list says what it does, does what it says, and may be had in other lengths."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine

from ruleplay import RuleListClassifier, XCSClassifier
from ruleplay.errors import ConfigError
from ruleplay.learners.rule_list import learning
from ruleplay.rules import RuleSet
from ruleplay.rules.category_sets import category_slices

FRAME, NAMES = load_iris(as_frame=True).data, load_iris().target_names[load_iris().target]
WINE, WINES = load_wine(return_X_y=True)


def small(**settings):
    """Make a list of rules that is learned in a moment."""
    population = XCSClassifier(replay="uniform", n_steps=8000, population_size=400, settle=True)
    return RuleListClassifier(**{"estimator": population, "random_state": 0} | settings)


@pytest.fixture(scope="module")
def model():
    return small().fit(FRAME, NAMES)


def counts_in(text):
    found = re.findall(r"(\d+) of (\d+) rows? right", text)
    return [(int(covers), int(right)) for right, covers in found]


def counts_of(model, rows, labels):
    """Count what each rule decides by asking the rules one after the other, in plain Python."""
    rules = model.ruleset_
    answers = [rules.labels[a] for a in [*rules.action, rules.default_action]]
    covers, right = [0] * len(answers), [0] * len(answers)
    for row, label in zip(model.estimator_.numbers(rows), labels, strict=True):
        place = 0
        while place < len(rules) and any(
            not np.isnan(value) and not low <= value <= high
            for value, low, high in zip(row, rules.lower[place], rules.upper[place], strict=True)
        ):
            place += 1
        covers[place] += 1
        right[place] += label == answers[place]
    return list(zip(covers, right, strict=True))


def test_a_short_list_classifies_well(model):
    assert model.score(FRAME, NAMES) > 0.93
    assert model.n_rules_ == len(model.ruleset_) <= 4
    assert model.ruleset_.ordered


def test_every_count_in_the_text_is_true(model):
    for known in model.front():
        other = model.take(known.n_rules)
        assert counts_in(other.text()) == counts_of(other, FRAME, NAMES)
        assert sum(rows for rows, _ in counts_in(other.text())) == len(FRAME)


def test_counts_are_true_with_missing_values_categories_and_weights():
    rng = np.random.default_rng(1)
    frame = FRAME.mask(rng.random(FRAME.shape) < 0.1)
    frame["site"] = pd.Categorical(np.where(rng.random(150) < 0.8, NAMES == "setosa", True))
    weights = rng.integers(1, 4, 150).astype(float)
    model = small().fit(frame, NAMES, weights)
    assert counts_in(model.text()) == counts_of(model, frame, NAMES)
    assert model.score(frame, NAMES) > 0.8


def without_a_part(rules):
    """Yield the rules without each of them, and with each of their bounds and sets open."""
    everything = list(range(len(rules)))
    for place in everything:
        yield rules.take([k for k in everything if k != place])
        for k, feature in enumerate(rules.features):
            for name, end in (("lower", -np.inf), ("upper", np.inf)):
                bounds = getattr(rules, name).copy()
                if not feature.categories and np.isfinite(bounds[place, k]):
                    bounds[place, k] = end
                    yield rules.take(everything, **{name: bounds})
            if feature.categories and rules.limits(place, k):
                allowed = rules.allowed.copy()
                allowed[place, category_slices(rules.features)[k]] = True
                yield rules.take(everything, allowed=allowed)


def test_every_rule_and_every_condition_of_a_list_gains_two_rows_or_more():
    rng = np.random.default_rng(2)
    noisy = np.where(rng.random(150) < 0.2, rng.permutation(NAMES), NAMES)
    site = pd.Categorical(rng.choice([f"city{k}" for k in range(12)], 150))
    frame = FRAME.assign(site=site).mask(rng.random((150, 5)) < 0.03)
    model = small().fit(frame, noisy)
    rows = model.estimator_.numbers(frame)
    for known in model.front():
        rules = model.take(known.n_rules).ruleset_
        labels = np.searchsorted(model.classes_, noisy)
        right = (rules.actions(rows) == labels).sum()
        for shorter in without_a_part(rules):
            assert (shorter.actions(rows) == labels).sum() <= right - 2


def test_the_text_reads_from_the_first_rule_to_the_default(model):
    lines = model.text().splitlines()
    assert lines[0].startswith("IF petal")
    assert all(line.startswith("ELSE IF ") for line in lines[1:-2])
    assert re.match(r"ELSE \w+  \(\d+ of", lines[-2])
    assert lines[-1] == "A missing value satisfies every condition on its feature."


def test_answers_are_those_of_the_rules(model):
    answers = np.array(model.ruleset_.labels)[model.ruleset_.actions(FRAME.to_numpy())]
    assert model.predict(FRAME).tolist() == answers.tolist()


def test_probabilities_are_smoothed_shares_of_the_deciding_rule(model):
    chances = model.predict_proba(FRAME)
    for row in np.unique(chances, axis=0):
        same = NAMES[(chances == row).all(axis=1)]
        counts = np.array([(same == label).sum() for label in model.classes_])
        np.testing.assert_allclose(row, (counts + 1) / (counts.sum() + 3))


def test_longer_lists_of_the_front_are_worth_more(model):
    front = model.front()
    lengths = [known.n_rules for known in front]
    assert lengths == sorted(set(lengths))
    assert lengths[0] == 0
    accuracies = [known.train_accuracy for known in front]
    assert np.diff(accuracies).min() > -0.01  # half of what a list is worth are votes
    assert accuracies[0] < accuracies[1] < accuracies[2]


def test_lists_of_a_classifier_are_judged_by_populations_that_have_not_seen_a_row(model):
    seeds = np.random.RandomState(0).randint(2**31 - 1, size=2)
    apart = XCSClassifier(n_populations=3, n_steps=4000, calibrate=False, oob_score=True)
    learned = small(estimator=apart).fit(WINE, WINES)
    population = clone(apart).set_params(random_state=int(seeds[0])).fit(WINE, WINES)
    made = RuleListClassifier.of(population, WINE, WINES, random_state=int(seeds[1]))
    assert made.text() == learned.text()
    del population.oob_decision_function_
    seen = RuleListClassifier.of(population, WINE, WINES, random_state=int(seeds[1]))
    assert str(seen.front()) != str(made.front())


def test_the_front_says_what_its_lists_do(model):
    for known in model.front():
        other = model.take(known.n_rules)
        assert len(other.ruleset_) == known.n_rules
        assert other.score(FRAME, NAMES) == pytest.approx(known.train_accuracy)
        assert 0.0 <= known.held_out_accuracy <= 1.0


def test_the_chosen_length_is_the_best_on_held_out_rows(model):
    front = model.front()
    best = max(known.held_out_accuracy for known in front)
    assert front.of_length(model.n_rules_).held_out_accuracy == best


def test_the_longest_list_is_as_good_as_the_limits_for_which_there_is_none_longer(monkeypatch):
    monkeypatch.setattr(learning, "held_out_accuracy", lambda *given: np.arange(17) / 20.0)
    front = small(max_rules=16).fit(FRAME, NAMES).front()
    assert front.chosen == front[-1].n_rules < 16
    assert [known.held_out_accuracy for known in front[:2]] == [0.0, 0.05]
    assert front[-1].held_out_accuracy == 0.8


def test_another_length_is_taken_and_the_model_stays(model):
    before = model.text()
    one = model.take(1)
    assert one.n_rules_ == 1
    assert model.text() == before
    assert one.front().chosen == 1
    with pytest.raises(ConfigError, match="number of rules must be one of 0, 1, 2"):
        model.take(99)


def test_the_front_is_a_table_in_words(model):
    lines = str(model.front()).splitlines()
    assert len(lines) == 1 + len(model.front())
    assert [line.endswith("<- chosen") for line in lines].count(True) == 1


def test_the_front_can_be_drawn(model):
    ax = model.front().draw()
    assert ax.get_xlabel() == "rules"
    assert len(ax.lines) == 3


@pytest.mark.parametrize("most", [0, 1, 2])
def test_no_list_is_longer_than_allowed(most):
    model = small(max_rules=most).fit(WINE, WINES)
    assert max(known.n_rules for known in model.front()) <= most


def test_the_same_seed_gives_the_same_list():
    one, two = (small(random_state=3).fit(WINE, WINES) for _ in range(2))
    assert one.ruleset_.to_json() == two.ruleset_.to_json()
    assert str(one.front()) == str(two.front())
    np.testing.assert_array_equal(one.predict_proba(WINE), two.predict_proba(WINE))


def test_the_order_of_the_rows_does_not_matter():
    order = np.random.default_rng(0).permutation(len(WINE))
    one, two = small().fit(WINE, WINES), small().fit(WINE[order], WINES[order])
    assert one.ruleset_.to_json() == two.ruleset_.to_json()


def test_weights_of_classes_move_the_list():
    rng = np.random.default_rng(0)
    rows = rng.random((400, 2))
    labels = (rng.random(400) < np.where(rows[:, 0] > 0.5, 0.4, 0.05)).astype(int)
    plain = small().fit(rows, labels).predict(rows)
    balanced = small(class_weight="balanced").fit(rows, labels).predict(rows)
    assert balanced.mean() > plain.mean() + 0.2


def test_one_class_makes_a_list_without_rules():
    model = small().fit(WINE, np.zeros(len(WINE), int))
    assert model.n_rules_ == 0
    assert model.text().startswith(f"ALWAYS 0  ({len(WINE)} of {len(WINE)} rows right)")


def test_the_rules_go_on_as_json(model):
    same = RuleSet.from_json(model.ruleset_.to_json())
    numbers = FRAME.to_numpy()
    assert same.actions(numbers).tolist() == model.ruleset_.actions(numbers).tolist()


@pytest.mark.parametrize("most", [-1, 2.5, "many"])
def test_an_odd_number_of_rules_is_refused(most):
    with pytest.raises(ConfigError, match="max_rules must"):
        small(max_rules=most).fit(WINE, WINES)


def test_rows_that_come_again_and_again_are_held_out_one_by_one():
    """Of six different rows each is there often: none is new when it is held out."""
    table = pd.DataFrame(
        {"sex": pd.Categorical(["f", "m"] * 3), "deck": pd.Categorical(list("aabbcc"))}
    )
    frame = table.loc[np.repeat(range(6), 40)].reset_index(drop=True)
    labels = np.where(frame["sex"] == "f", "yes", "no")
    model = small().fit(frame, labels)
    assert model.n_rules_ == 1
    assert model.front().of_length(1).held_out_accuracy == 1.0
