"""A classifier starts from a person's rules, keeps some, and never has others."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier

from ruleplay import Rule, RuleListClassifier, XCSClassifier, read_rules
from ruleplay.engine import XCS
from ruleplay.errors import ConfigError, ModelFileError
from ruleplay.learners.classifier.by_hand.boxes import boxes_in
from ruleplay.rules import RuleSet

IRIS = load_iris(as_frame=True)
ROWS, NAMES = IRIS.data, IRIS.target_names[IRIS.target]
WIDTH, LENGTH = "petal width (cm)", "petal length (cm)"
SETOSA = Rule({WIDTH: (None, 0.8)}, "setosa")
WRONG = Rule({LENGTH: (4.0, 5.0), WIDTH: (0.5, 2.0)}, "setosa")
ODD = Rule({"sepal width (cm)": (2.9, 3.1), 0: (5.0, 5.4)}, "versicolor")
PROTECTED = (SETOSA, WRONG, ODD)
MIXED = ROWS.assign(
    colour=pd.Categorical(np.array(["red", "green", "blue"])[(ROWS.index * 7 + IRIS.target) % 3]),
    size=pd.Categorical(
        np.where(ROWS[WIDTH] < 1, "S", np.where(ROWS[LENGTH] < 5, "M", "L")),
        categories=["S", "M", "L"],
        ordered=True,
    ),
)  # fmt: skip


def small(**settings):
    return XCSClassifier(**{"n_steps": 3000, "population_size": 100, "random_state": 0} | settings)


def in_model(model):
    return model.rules_by_hand()["in_model"].tolist()


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_before_it_learns_a_model_decides_as_the_tree_it_starts_from(load):
    data = load(as_frame=True)
    tree = DecisionTreeClassifier(max_depth=3, random_state=0).fit(data.data, data.target)
    model = XCSClassifier(start_rules=read_rules(tree), n_steps=1, random_state=0)
    model.fit(data.data, data.target)
    np.testing.assert_array_equal(model.predict(data.data), tree.predict(data.data))
    assert in_model(model) == [True] * tree.get_n_leaves()
    model.engine_.check()


def test_a_rule_gets_the_figures_that_rows_give_it():
    rows, labels = np.arange(10.0)[:, np.newaxis], np.array([0] * 6 + [1] * 4)
    model = small(settle=False, calibrate=False, n_steps=1).fit(rows, labels)
    model.insert_rules([Rule({0: (3.5, None)}, 1), Rule({0: (8.5, None)}, 0)], rows, labels)
    rules = model.ruleset_
    shown = {
        int(action): (prediction, error, experience)
        for action, prediction, error, experience, origin in zip(
            rules.action, rules.prediction, rules.error, rules.experience, rules.origin, strict=True
        )
        if origin
    }
    mean = (4 * 1000 + 400) / (6 + 1)  # and the prior, as by one row more
    assert shown[1] == (pytest.approx(mean), pytest.approx((4 * (1000 - mean) + 2 * mean) / 6), 6)
    assert shown[0] == (pytest.approx(600 / 2), pytest.approx(300.0), 1)


def test_without_rows_a_rule_expects_the_share_of_its_class():
    model = small(n_steps=1).fit(ROWS, NAMES).insert_rules([ODD])
    (place,) = np.flatnonzero(model.ruleset_.origin)
    assert model.ruleset_.prediction[place] == pytest.approx(1000 / 3)
    assert model.ruleset_.experience[place] == 0


LONG = {"population_size": 30, "n_steps": 20_000, "calibrate": False}


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"settle": False},
        {"action_set_subsumption": True},
        {"condition": "unordered"},
        {"n_populations": 3, "n_steps": 5000},
        {"early_stopping": True},
        {"prediction": "linear"},
        {"max_seconds": 0.5},
        {"epochs": 20, "n_steps": None},
    ],
    ids=lambda settings: " ".join(settings) or "usual",
)
def test_protected_rules_stay_in_a_tiny_population(settings):
    model = XCSClassifier(protected_rules=PROTECTED, random_state=1, **LONG | settings)
    model.fit(ROWS, NAMES)
    assert in_model(model) == [True] * 3
    assert model.ruleset_.hand_written == 3
    model.engine_.check()
    told = model.rules_text(None)
    assert told.count("by hand, protected") == 3


def test_rules_that_are_not_protected_may_be_lost():
    model = XCSClassifier(start_rules=PROTECTED, random_state=1, **LONG).fit(ROWS, NAMES)
    assert not all(in_model(model))
    assert not model.rules_by_hand()["protected"].any()


def test_a_protected_rule_that_is_wrong_speaks_against_its_class():
    model = small(protected_rules=[WRONG]).fit(ROWS, NAMES)
    (record,) = [one for one in model.rules_records() if one["origin"] == "protected"]
    assert record["then"] == "not setosa"
    assert record["prediction"] < 20.0


def test_what_became_of_rules_is_told_with_rows():
    told = small(protected_rules=PROTECTED).fit(ROWS, NAMES).rules_by_hand(ROWS, NAMES)
    told = told.set_index("if").loc[f"{WIDTH} ≤ 0.80"]
    assert told.to_dict() == {
        "class": "setosa",
        "protected": True,
        "in_model": True,
        "rows": 50,
        "right": 50,
    }


def test_protection_lasts_while_learning_goes_on(tmp_path):
    model = small(population_size=30, warm_start=True, protected_rules=PROTECTED).fit(ROWS, NAMES)
    model.set_params(protected_rules=None).fit(ROWS, NAMES)
    assert in_model(model) == [True] * 3
    for _ in range(30):
        model.partial_fit(ROWS, NAMES)
    assert in_model(model) == [True] * 3
    model.insert_rules(PROTECTED, protect=False)
    for _ in range(100):
        model.partial_fit(ROWS, NAMES)
    assert not all(in_model(model))


def test_starting_again_from_a_rule_does_not_end_its_protection():
    model = small(warm_start=True, start_rules=[SETOSA, ODD]).fit(ROWS, NAMES)
    model.insert_rules([SETOSA], protect=True).fit(ROWS, NAMES)
    told = model.rules_by_hand().set_index("class")["protected"]
    assert told.to_dict() == {"setosa": True, "versicolor": False}


def test_rules_without_any_accuracy_have_a_fitness_all_the_same():
    model = small(n_steps=1, accuracy_power=300.0).fit(ROWS, NAMES)
    model.insert_rules([WRONG, ODD, Rule({}, "setosa")], ROWS, NAMES)
    assert np.isfinite(model.ruleset_.fitness).all()
    model.engine_.check()


def test_partial_fit_starts_from_rules_once():
    model = small(start_rules=[ODD], population_size=30)
    for _ in range(100):
        model.partial_fit(ROWS, NAMES, classes=np.unique(NAMES))
    assert in_model(model) == [False]


def test_rules_are_protected_in_chunks():
    chunks = [(ROWS[k::3], NAMES[k::3]) for k in range(3)]
    model = XCSClassifier(protected_rules=PROTECTED, random_state=1, **LONG).fit_chunks(chunks)
    assert in_model(model) == [True] * 3


def test_rules_of_categories_are_kept_exactly():
    rules = [
        Rule({"colour": {"red", "blue"}, LENGTH: (None, 5)}, "setosa"),
        Rule({"size": {"M", "L"}}, "virginica"),
    ]
    model = small(protected_rules=rules, population_size=40).fit(MIXED, NAMES)
    assert in_model(model) == [True] * 2
    told = set(model.rules_by_hand()["if"])
    assert told == {f"{LENGTH} ≤ 5.00 AND colour in {{blue, red}}", "size in {M, L}"}
    with pytest.raises(ConfigError, match=r"protected_rules\[0\], feature 'size': .*neighbours"):
        small(protected_rules=[Rule({"size": {"S", "L"}}, "setosa")]).fit(MIXED, NAMES)


@pytest.mark.parametrize(
    "settings",
    [{}, {"n_populations": 2}, {"early_stopping": True}, {"condition": "unordered"}],
    ids=lambda settings: " ".join(settings) or "usual",
)
def test_forbidden_features_are_never_used(settings):
    names = [WIDTH, "colour", "size"]
    model = small(forbidden_features=names, **settings).fit(MIXED, NAMES)
    rules = model.ruleset_
    numbers = [rules.feature_names.index(name) for name in names]
    assert not any(rules.limits(place, k) for place in range(len(rules)) for k in numbers)
    assert model.feature_importances_[numbers].sum() == 0.0
    others = MIXED.assign(**{name: MIXED[name].to_numpy()[::-1] for name in names})
    np.testing.assert_array_equal(model.predict_proba(MIXED), model.predict_proba(others))
    assert model.score(MIXED, NAMES) > 0.6  # 0.8 and more were measured
    model.engine_.check()


def test_forbidden_features_are_not_used_while_learning_goes_on():
    model = small().partial_fit(ROWS, NAMES, classes=np.unique(NAMES))
    model.set_params(forbidden_features=[3])
    for _ in range(5):
        model.partial_fit(ROWS, NAMES)
        rules = model.ruleset_
        assert not any(rules.limits(place, 3) for place in range(len(rules)))
    chunks = [(ROWS[k::3], NAMES[k::3]) for k in range(3)]
    rules = small(forbidden_features=[3]).fit_chunks(chunks).ruleset_
    assert not any(rules.limits(place, 3) for place in range(len(rules)))


def test_short_lists_do_not_use_forbidden_features_either():
    names = [WIDTH, LENGTH, "size"]
    population = small(forbidden_features=names)
    made = RuleListClassifier(estimator=population, random_state=0).fit(MIXED, NAMES)
    assert made.front()[-1].n_rules > 1
    model = population.fit(MIXED, NAMES)
    lists = [one.ruleset for one in made.front()]
    lists += [model.compact(MIXED, NAMES).ruleset, model.compact(MIXED).ruleset]
    for rules in lists:
        assert not any(name in rules.text() for name in names)


def test_no_rule_is_a_forbidden_one_or_narrower():
    forbidden = [Rule({WIDTH: (0.8, None)}, "virginica"), Rule({LENGTH: (None, 3.0)}, "setosa")]
    usual = small(population_size=300).fit(ROWS, NAMES)
    model = small(population_size=300, forbidden_rules=forbidden).fit(ROWS, NAMES)
    boxes = model._read_demands().forbidden
    assert boxes_in(usual.engine_).inside(boxes).any()
    assert not boxes_in(model.engine_).inside(boxes).any()
    for place in np.flatnonzero(model.ruleset_.action == 2):
        assert not model.ruleset_.lower[place, 3] >= 0.8
    model.engine_.check()
    apart = small(n_populations=2, forbidden_rules=forbidden).fit(ROWS, NAMES)
    assert not boxes_in(apart.engine_).inside(boxes).any()


def test_a_rule_that_is_there_can_be_forbidden_later():
    model = small(warm_start=True, start_rules=[SETOSA]).fit(ROWS, NAMES)
    model.set_params(start_rules=None, forbidden_rules=[SETOSA]).fit(ROWS, NAMES)
    assert in_model(model) == [False]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"start_rules": "rules.json"}, "start_rules must be None or a list of rules, as ruleplay"),
        ({"start_rules": DecisionTreeClassifier()}, "start_rules must be None or a list"),
        ({"start_rules": [1]}, r"start_rules\[0\]: must be"),
        ({"start_rules": [{"if": {}}]}, r"start_rules\[0\]: 'then' is missing"),
        ({"protected_rules": [SETOSA, Rule({"x": (1, 2)}, 0)]}, r"protected_rules\[1\]: unknown"),
        ({"forbidden_rules": [Rule({3: (9, 10)}, "setosa")]}, r"forbidden_rules\[0\], feature"),
        ({"forbidden_features": "petal"}, "forbidden_features must be None or a list of names"),
        ({"forbidden_features": [True]}, "must hold names or numbers of features, got True"),
        ({"forbidden_features": ["petal"]}, "forbidden_features: unknown feature: 'petal'"),
        ({"forbidden_features": [4]}, r"number of a feature must lie in \[0, 3\], got 4"),
        ({"forbidden_features": [3], "prediction": "linear"}, "must be 'scalar' with forbidden"),
        ({"forbidden_features": [3], "start_rules": [SETOSA]}, r"start_rules\[0\] must not have a"),
        (
            {"forbidden_rules": [Rule({WIDTH: (None, 1)}, "setosa")], "protected_rules": [SETOSA]},
            "protected_rules must not hold one of the forbidden_rules",
        ),
        (
            {
                "population_size": 4,
                "start_rules": [Rule({0: (None, 5 + k / 10)}, "setosa") for k in range(5)],
            },
            "rules by hand must be at most 4, the population_size",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_demanded_is_refused(settings, message):
    with pytest.raises(ConfigError, match=message):
        small(**settings).fit(ROWS, NAMES)


def test_what_is_protected_cannot_be_forbidden_later():
    model = small(warm_start=True, protected_rules=[SETOSA]).fit(ROWS, NAMES)
    model.set_params(protected_rules=None, forbidden_features=[WIDTH])
    with pytest.raises(ConfigError, match="must not forbid a rule that is protected"):
        model.fit(ROWS, NAMES)
    model.insert_rules([Rule({0: (None, 5)}, "setosa")], protect=True)
    with pytest.raises(ConfigError, match=r"rules\[0\] must not have a condition on 'petal width"):
        model.insert_rules([SETOSA])


def test_insertion_needs_rows_with_classes():
    model = small(n_steps=1).fit(ROWS, NAMES)
    for call in (lambda: model.insert_rules([ODD], ROWS), lambda: model.rules_by_hand(y=NAMES)):
        with pytest.raises(ConfigError, match="needs rows and their classes, or neither"):
            call()
    assert model.insert_rules([]) is model
    assert len(model.rules_by_hand()) == 0


def test_an_inserted_tree_takes_part_at_once():
    tree = DecisionTreeClassifier(max_depth=2, random_state=0).fit(ROWS, NAMES)
    model = small(n_steps=10).fit(ROWS, NAMES)
    model.insert_rules(tree, ROWS, NAMES, protect=True)
    assert model.rules_by_hand()["protected"].all()
    assert (model.predict(ROWS) == tree.predict(ROWS)).mean() > 0.9
    model.engine_.check()


def test_parameters_are_kept_as_they_are_given():
    model = small(start_rules=PROTECTED, forbidden_features=["sepal length (cm)"])
    assert model.get_params()["start_rules"] is PROTECTED
    copy = clone(model)
    assert copy.start_rules == PROTECTED
    assert copy.forbidden_features == ["sepal length (cm)"]


def test_demands_survive_in_a_file(tmp_path):
    settings = {"forbidden_rules": [Rule({1: (4, None)}, "virginica")], "population_size": 30}
    model = small(protected_rules=PROTECTED, **settings).fit(ROWS, NAMES)
    model.save(tmp_path / "iris.ruleplay")
    loaded = XCSClassifier.load(tmp_path / "iris.ruleplay")
    assert read_rules(loaded.protected_rules) == (
        SETOSA,
        WRONG,
        Rule({"sepal width (cm)": (2.9, 3.1), "sepal length (cm)": (5.0, 5.4)}, "versicolor"),
    )
    for one in (model, loaded):
        for _ in range(20):
            one.partial_fit(ROWS, NAMES)
    assert in_model(loaded) == [True] * 3
    assert model.engine_.to_bytes() == loaded.engine_.to_bytes()
    assert model.ruleset_.to_json() == loaded.ruleset_.to_json()
    engine = XCS.load(tmp_path / "iris.ruleplay")
    assert np.count_nonzero(RuleSet.of(engine).origin == 2) == 3


def test_the_rules_of_a_model_and_of_its_file_are_the_same(tmp_path):
    model = small(margin=1.0).fit(MIXED, NAMES)
    model.save(tmp_path / "iris.ruleplay")
    rules = read_rules(tmp_path / "iris.ruleplay")
    assert rules == read_rules(model)
    again = small(protected_rules=rules, n_steps=1).fit(MIXED, NAMES)
    assert all(in_model(again))


@pytest.mark.parametrize(
    "notes",
    [3, [3], [{"action": 0}], [{"action": 0, "columns": {"9": [0, 1]}, "protected": True}]],
)
def test_odd_notes_on_rules_are_refused_by_the_learner_and_ignored_by_readers(notes, tmp_path):
    model = small(n_steps=1, protected_rules=[SETOSA]).fit(ROWS, NAMES)
    model.engine_.about = {**model.engine_.about, "by_hand": notes}
    model.save(tmp_path / "iris.ruleplay")
    with pytest.raises(ModelFileError, match="damaged"):
        XCSClassifier.load(tmp_path / "iris.ruleplay")
    assert RuleSet.of(XCS.load(tmp_path / "iris.ruleplay")).hand_written == 0


def test_what_is_not_demanded_changes_nothing():
    usual = small().fit(ROWS, NAMES)
    other = small(start_rules=[], protected_rules=(), forbidden_features=[]).fit(ROWS, NAMES)
    assert usual.engine_.to_bytes() == other.engine_.to_bytes()
    assert usual.engine_.about == other.engine_.about


def test_rules_start_again_from_an_exported_table(tmp_path):
    first = small().fit(ROWS, NAMES)
    (tmp_path / "rules.csv").write_text(first.ruleset_.to_csv(top=20), encoding="utf-8")
    rules = read_rules(tmp_path / "rules.csv")
    model = small(start_rules=rules, n_steps=1).fit(ROWS, NAMES)
    assert sum(in_model(model)) == len(in_model(model)) <= 20
    assert model.score(ROWS, NAMES) > 0.8


def test_rules_to_start_from_that_hold_for_no_value_are_left_out_with_a_warning():
    beyond = [Rule({WIDTH: (90, None)}, "setosa"), Rule({"colour": {"pink"}}, "setosa")]
    some = Rule({"colour": {"pink", "red"}}, "setosa")
    with pytest.warns(UserWarning, match=r"2 of 4 start_rules hold for no value.*start_rules\[0\]"):
        model = small(start_rules=[*beyond, SETOSA, some], n_steps=1).fit(MIXED, NAMES)
    assert set(model.rules_by_hand()["if"]) == {f"{WIDTH} ≤ 0.80", "colour in {red}"}
    for name in ("protected_rules", "forbidden_rules"):
        with pytest.raises(ConfigError, match=rf"{name}\[0\], feature '.*range"):
            small(**{name: beyond}).fit(MIXED, NAMES)


def test_a_card_tells_who_wrote_rules():
    model = small(protected_rules=PROTECTED).fit(ROWS, NAMES)
    card = model.model_card()
    assert "A person wrote 3 of them." in card
    assert "| `protected_rules` | 3 rules |" in card
