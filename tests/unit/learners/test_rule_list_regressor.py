"""A short list about a quantity says what it does, does what it says, and has other lengths."""

import re

import numpy as np
import pandas as pd
import pytest

from ruleplay import RuleListRegressor, XCSRegressor
from ruleplay.errors import ConfigError
from ruleplay.rules import RuleSet


def flats(count, seed=0):
    """Make flats whose price follows another line in each of two districts."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "area": rng.uniform(20, 150, count),
            "rooms": rng.integers(1, 7, count).astype(float),
            "district": pd.Categorical(rng.choice(["Harbour", "Hill", "Mill"], count)),
        }
    )
    per_metre = np.where(frame["district"] == "Hill", 5.0, 3.0)
    price = 40 + per_metre * frame["area"] + rng.normal(0, 15, count)
    return frame, price.rename("price")


ROWS, PRICES = flats(400)
NEW_ROWS, NEW_PRICES = flats(200, seed=1)


def small(**settings):
    """Make a list of rules that is learned in a moment."""
    population = XCSRegressor(n_steps=3000, population_size=300, error_threshold=20.0)
    return RuleListRegressor(**{"estimator": population, "random_state": 0} | settings)


@pytest.fixture(scope="module")
def model():
    return small().fit(ROWS, PRICES)


def deciding_in_plain_python(model, rows):
    """Return which rule decides about each row by asking one after the other."""
    rules, found = model.ruleset_, []
    for row in model.estimator_.numbers(rows):
        found.append(
            next(
                place
                for place in range(len(rules))
                if all(
                    np.isnan(value)
                    or (
                        rules.allowed_of(k)[place, int(value)]
                        if rules.features[k].categories
                        else rules.lower[place, k] <= value <= rules.upper[place, k]
                    )
                    for k, value in enumerate(row)
                )
            )
        )
    return np.array(found)


def test_a_short_list_finds_the_two_lines(model):
    assert model.n_rules_ == 1
    assert model.score(NEW_ROWS, NEW_PRICES) > 0.98
    first, last = model.text().splitlines()[:2]
    assert re.fullmatch(
        r"IF district in \{Hill\} THEN price = \d+ \+ [45]\.\d+ area ± 1\d \(\d+ rows\)", first
    )
    assert re.fullmatch(r"ELSE price = \d+ \+ [23]\.\d+ area ± 1\d \(\d+ rows\)", last)


def test_errors_and_counts_of_each_rule_are_true(model):
    for known in model.front():
        other = model.take(known.n_rules)
        decides = deciding_in_plain_python(other, ROWS)
        squares = (other.predict(ROWS) - PRICES) ** 2
        for place in range(len(known.ruleset)):
            own = decides == place
            assert known.counts[place] == own.sum()
            assert known.ruleset.error[place] == pytest.approx(np.sqrt(squares[own].mean()))
        assert known.train_error == pytest.approx(np.sqrt(squares.mean()))
        shown = [int(n) for n in re.findall(r"\((\d+) rows?\)", known.text())]
        assert shown == known.counts.tolist()


def test_a_sentence_shows_the_whole_model(model):
    for known in model.front():
        rules = known.ruleset
        slopes = [name for name in rules.linear_models if name.startswith("slope_")]
        for place, line in enumerate(known.text().splitlines()):
            terms = sum(rules.linear_models[name][place] != 0.0 for name in slopes)
            said = line.split(" THEN ")[-1]
            folded = sum(  # a category that is the only one allowed is part of the constant
                rules.linear_models[f"slope_{column.name(rules.features)}"][place] != 0.0
                and rules.model_boxes[1][place, k] == 0.0
                for k, column in enumerate(rules.model_columns)
            )
            assert len(re.findall(r" [+-] ", said)) == terms - folded


def test_predictions_follow_the_models_of_the_table(model):
    rows = NEW_ROWS[NEW_ROWS["area"].between(*(side[0] for side in model.estimator_.bounds_))]
    table, decides = model.rules_, deciding_in_plain_python(model, rows)
    inputs = pd.get_dummies(rows, dtype=float, prefix_sep="=")
    expected = np.array(
        [
            table["intercept"][place]
            + sum(table[f"slope_{name}"][place] * row[name] for name in inputs.columns)
            for place, (_, row) in zip(decides, inputs.iterrows(), strict=True)
        ]
    )
    expected = np.clip(expected, PRICES.min(), PRICES.max())
    np.testing.assert_allclose(model.predict(rows), expected, rtol=1e-4)


def test_the_front_goes_from_the_shortest_list_to_longer_ones(model):
    front = model.front()
    lengths = [known.n_rules for known in front]
    assert lengths == sorted(set(lengths))
    assert lengths[0] == 0
    assert "<- chosen" in str(front)
    assert [record["rules"] for record in front.records()] == lengths
    train = [known.train_error for known in front]
    assert train[1] < train[0]
    ax = front.draw()
    assert ax.get_ylabel() == "root mean squared error"


def test_a_list_of_no_rules_always_says_one_model(model):
    alone = model.take(0)
    assert alone.n_rules_ == 0
    assert alone.text().startswith("ALWAYS price = ")
    assert len(alone.ruleset_) == 1


def test_the_number_of_rules_is_limited():
    assert small(max_rules=0).fit(ROWS, PRICES).n_rules_ == 0
    with pytest.raises(ConfigError, match="max_rules must be an integer"):
        small(max_rules=-1).fit(ROWS, PRICES)
    with pytest.raises(ConfigError, match="must be one of 0"):
        small(max_rules=0).fit(ROWS, PRICES).take(7)


def test_constants_are_said_if_the_population_has_constants():
    population = XCSRegressor(n_steps=3000, population_size=300, prediction="scalar")
    model = small(estimator=population).fit(ROWS, PRICES)
    assert model.ruleset_.weights is None
    assert model.score(NEW_ROWS, NEW_PRICES) > 0.6
    assert re.search(r"THEN price = \d+ ± \d+ \(\d+ rows\)", model.text())


def test_missing_values_are_taken_as_the_regressor_takes_them():
    rows = ROWS.copy()
    rows.loc[::7, "area"] = np.nan
    rows.loc[::5, "district"] = np.nan
    model = small().fit(rows, PRICES)
    assert np.isfinite(model.predict(rows)).all()
    mean = model.estimator_.ruleset_.fill[0]
    filled = rows.assign(area=rows["area"].fillna(mean))
    np.testing.assert_array_equal(model.predict(rows), model.predict(filled))


def test_a_constant_target_needs_no_rule():
    model = small(estimator=XCSRegressor(n_steps=500)).fit(ROWS, np.full(len(ROWS), 7.0))
    assert model.n_rules_ == 0
    assert (model.predict(NEW_ROWS) == 7.0).all()


def test_several_targets_are_refused():
    with pytest.raises(ValueError, match="1d array"):
        small().fit(ROWS, np.column_stack([PRICES, PRICES]))


def test_a_row_of_weight_three_is_three_rows():
    times = np.arange(len(ROWS)) % 4
    weighted = small().fit(ROWS, PRICES, sample_weight=times)
    repeated = small().fit(
        ROWS.loc[ROWS.index.repeat(times)], PRICES.loc[PRICES.index.repeat(times)]
    )
    np.testing.assert_array_equal(weighted.predict(NEW_ROWS), repeated.predict(NEW_ROWS))


def test_the_same_seed_gives_the_same_list(model):
    again = small().fit(ROWS, PRICES)
    assert again.ruleset_.to_json() == model.ruleset_.to_json()


def test_the_order_of_rows_does_not_matter(model):
    order = np.random.default_rng(5).permutation(len(ROWS))
    other = small().fit(ROWS.iloc[order], PRICES.iloc[order])
    np.testing.assert_array_equal(other.predict(NEW_ROWS), model.predict(NEW_ROWS))


def test_the_rules_alone_predict_the_same(model):
    rules = RuleSet.from_json(model.ruleset_.to_json())
    estimates = rules.estimates(rules.encode(NEW_ROWS))[:, 0]
    np.testing.assert_array_equal(estimates, model.predict(NEW_ROWS))
    assert rules.text() == model.text() == model.rules_text(None)


def test_a_prediction_is_explained_by_one_rule(model):
    told = model.explain(ROWS.iloc[[0]])
    assert len(told.votes) == 1
    assert told.estimates[0] == model.predict(ROWS.iloc[[0]])[0]


def test_lists_are_made_of_a_regressor_that_has_learned():
    known = XCSRegressor(n_steps=3000, population_size=300, random_state=1).fit(ROWS, PRICES)
    model = RuleListRegressor.of(known, ROWS, PRICES, max_rules=3)
    assert model.estimator_ is known
    assert model.n_rules_ <= 3
    assert model.score(NEW_ROWS, NEW_PRICES) > 0.9


def test_notebooks_show_a_table_without_an_odd_default(model):
    page = model.ruleset_._repr_html_()
    assert "2 rules asked in this order" in page
    assert "else" not in page
