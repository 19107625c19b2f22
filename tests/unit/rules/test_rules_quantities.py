"""Rules about quantities: models in the user's units, in words, in files."""

from dataclasses import replace

import numpy as np
import pytest

from ruleplay.errors import ConfigError, ModelFileError
from ruleplay.rules import RuleSet, compact, explain
from ruleplay.rules.features import Feature, Outcome
from ruleplay.rules.models import model_inputs, n_weights, terms_of
from ruleplay.rules.quantities import rounded

pytestmark = pytest.mark.uncompiled

AREA, ROOMS = Feature("area", 20.0, 120.0), Feature("rooms", 1.0, 6.0, whole=True)
DISTRICT = Feature.of_categories("district", ("A", "B", "C"))


def rules_of(weights, model="linear", error=0.2, **changes):
    """Return one rule for 2 to 4 rooms in A or B; columns: area, rooms, and the districts."""
    parts = {
        "lower": np.array([[-np.inf, 1.5, -np.inf]]),
        "upper": np.array([[np.inf, 4.5, np.inf]]),
        "allowed": np.array([[True, True, False]]),
        "action": np.zeros(1, np.int64),
        "prediction": np.zeros(1),
        "error": np.array([error]),
        "fitness": np.ones(1),
        "numerosity": np.ones(1, np.int64),
        "experience": np.full(1, 12),
        "weights": None if weights is None else np.array([weights], float),
        "model": model,
        "nominal": (2,) if weights is not None else (),
        "scaling": np.array([[20.0, 1.0, 0.0, 0.0, 0.0], [120.0, 6.0, 1.0, 1.0, 1.0]]),
        "fill": np.array([70.0, 3.0, np.nan]),
        "missing_values": "fill",
        "features": (AREA, ROOMS, DISTRICT),
        "outcomes": (Outcome("price", 0),),
        "quantities": np.array([[0.0], [25.0], [60.0]]),
    }
    return RuleSet(**parts | changes)


LINEAR = [11.1, 40.0, 0.0, 2.0, 0.0, 7.0]  # price = 3.1 + 0.4 area + 2 [A]


def test_a_rule_says_in_the_users_units_what_it_predicts():
    assert rules_of(LINEAR).text().splitlines() == [
        "IF 2 ≤ rooms ≤ 4 AND district in {A, B} "
        "THEN price = 3.10 + 0.400 area + 2.0 [district = A] ± 0.20 (seen 12 times)",
        "A missing number counts as the mean of its feature; a missing category satisfies every "
        "condition.",
    ]
    constant = rules_of(None, prediction=np.array([3.1]), scaling=None)
    assert "THEN price = 3.10 ± 0.20 (seen 12 times)" in constant.text()


def test_what_matters_little_counts_as_it_is_at_the_centre():
    text = rules_of([11.1, 40.0, 0.05, 2.0, 0.0, 7.0], error=9.0).text()
    assert "price = 4.1 + 0.40 area ± 9.0" in text


def test_a_set_of_one_category_is_part_of_the_constant():
    rules = replace(rules_of(LINEAR), allowed=np.array([[True, False, False]]))
    assert "price = 5.10 + 0.400 area ± 0.20" in rules.text()


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [(1234.5, -2, "1200"), (-0.0001, 2, "0.00"), (1.5e-20, 22, "1.5e-20"), (2.0e17, -15, "2e+17")],
)
def test_numbers_have_few_figures(value, digits, text):
    assert rounded(value, digits) == text


def test_a_quadratic_model_is_a_polynomial_of_the_users_numbers():
    rng = np.random.default_rng(0)
    low, high = np.array([20.0, -3.0]), np.array([120.0, 5.0])
    weights, rows = rng.normal(size=(4, n_weights("quadratic", 2))), rng.uniform(low, high, (9, 2))
    expected = model_inputs("quadratic", (rows - low) / (high - low)) @ weights.T
    terms = terms_of("quadratic", weights, low, high)
    products = np.column_stack([rows[:, list(columns)].prod(axis=1) for columns in terms.columns])
    np.testing.assert_allclose(terms.constant + products @ terms.coefficients.T, expected)


def test_squares_and_products_have_their_words():
    size = n_weights("quadratic", 5)
    weights = np.zeros(size)
    pairs = list(zip(*np.triu_indices(5), strict=True))
    weights[[6 + pairs.index((0, 0)), 6 + pairs.index((0, 1)), 6 + pairs.index((2, 2))]] = 50, 9, 3
    weights[6 + pairs.index((2, 3))] = 1000.0  # never both at once
    names = rules_of(weights, model="quadratic").linear_models
    assert {"slope_area*area", "slope_area*rooms", "slope_district=A*district=A"} < set(names)
    text = rules_of(weights, model="quadratic").text(1)
    assert "area²" in text
    assert "area·rooms" in text
    assert "3.0 [district = A]" in text
    assert "B]" not in text


def test_missing_numbers_are_filled_and_missing_categories_are_none():
    rules = rules_of(LINEAR)
    rows = np.array(
        [[np.nan, 3.0, 1.0], [70.0, 3.0, 1.0], [70.0, np.nan, np.nan], [70.0, 6.0, 1.0]]
    )
    values = rules.values(rows)[:, 0]
    assert values[0] == values[1]
    assert values[2] == pytest.approx(31.1)
    assert np.isnan(values[3])
    assert rules.estimates(rows)[3, 0] == 25.0
    assert rules.estimates([[120.0, 3.0, 0.0]])[0, 0] == pytest.approx(53.1)


def test_estimates_stay_within_the_range():
    rules = replace(rules_of(LINEAR), quantities=np.array([[0.0], [25.0], [30.0]]))
    assert rules.estimates([[120.0, 3.0, 0.0]]).tolist() == [[30.0]]
    with pytest.raises(ConfigError, match="estimates need rules about quantities"):
        replace(rules, quantities=None).estimates([[1.0, 2.0, 0.0]])


@pytest.mark.parametrize("model", ["linear", "quadratic"])
def test_json_keeps_everything(model):
    weights = np.arange(float(n_weights(model, 5)))
    rules = rules_of(weights, model=model)
    text = rules.to_json()
    assert '"version": 4' in text
    copy = RuleSet.from_json(text)
    rows = np.array([[np.nan, 3.0, 1.0], [33.3, 2.0, np.nan]])
    np.testing.assert_array_equal(copy.values(rows), rules.values(rows))
    assert copy.to_json() == text
    assert copy.regresses


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"nominal": [\n  "district"', '"nominal": [\n  "area"', "is not in list"),
        ('"mean": [\n   25.0', '"mean": [\n   99.0', "quantities must be 1 times low, mean, high"),
        ('"missing_values": "fill"', '"missing_values": "error"', "fill must be given with"),
        ('"scaling"', '"unknown"', "scaling must be given with nominal"),
    ],
)
def test_odd_json_is_refused_in_words(old, new, message):
    text = rules_of(LINEAR).to_json()
    assert old in text
    with pytest.raises(ModelFileError, match=message):
        RuleSet.from_json(text.replace(old, new))


def test_an_explanation_tells_the_quantity_and_who_spoke():
    told = explain(rules_of(LINEAR), [70.0, 3.0, 0.0])
    assert str(told).splitlines()[0] == "area 70, rooms 3, district A: price = 33.10"
    assert "100 %  value 33.10, error 0.20" in str(told)
    silent = explain(rules_of(LINEAR), [70.0, 6.0, 0.0])
    assert "price = 25.00, the usual value, because no rule matches" in str(silent)
    assert "price = 33.10" in told._repr_html_()


def test_what_decides_nothing_is_not_made_to():
    with pytest.raises(ConfigError, match="compact needs actions or classes"):
        compact(rules_of(LINEAR), observations=[[70.0, 3.0, 0.0]])
    for form in ("to_c", "to_javascript", "to_sql", "to_onnx", "to_pmml", "to_python"):
        with pytest.raises(ConfigError, match="rules about quantities cannot be written as"):
            getattr(rules_of(LINEAR), form)()


def test_tables_name_the_target_and_the_terms():
    table = rules_of(LINEAR).table()
    assert table["target"].tolist() == ["price"]
    assert table["intercept"].tolist() == pytest.approx([3.1])
    assert table["slope_district=A"].tolist() == pytest.approx([2.0])
    assert rules_of(LINEAR).to_csv().splitlines()[1].count("price") == 1
