"""Rules about quantities in words: `price = 3.1 + 0.4 area ± 0.2`."""

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ruleplay.rules.dates import DATES
from ruleplay.rules.wording import LARGEST_PLAIN, fixed

if TYPE_CHECKING:
    from ruleplay.rules.ruleset import RuleSet

Vector = NDArray[np.float64]

MOST_TERMS = 6  # in a sentence; what is left out counts as it is at the box's centre
LEAST_EFFECT = 0.25  # of a term within the box, as a part of the rule's error
MOST_DIGITS = 12


def quantity_phrase(rules: "RuleSet", place: int) -> str:
    """Return what the rule at a place says: the terms that matter, and how far it may be off."""
    error = float(rules.error[place])
    value, terms = float(rules.typical[place]), ""
    digits = error_digits(error or abs(value) * 1e-3)
    for coefficient, label, centre, width in _terms_that_matter(rules, place, error):
        size = rounded(abs(coefficient), digits - 1 + math.ceil(math.log10(width)))
        if float(size) == 0.0:
            continue
        value -= math.copysign(float(size), coefficient) * centre  # true at the box's centre
        terms += f" {'-' if coefficient < 0.0 else '+'} {size} {label}"
    text = rounded(value, digits) + terms
    name = rules.outcome_names[rules.action[place]]
    return f"{name} = {text} ± {rounded(error, digits)}"


def dates_in_models(rules: "RuleSet") -> list[str]:
    """Return the names of the dates that models of rules have terms of."""
    if not rules.regresses or rules.model_terms is None:
        return []
    terms = zip(rules.model_terms.columns, rules.model_terms.coefficients.T, strict=True)
    used = {k for columns, sizes in terms if sizes.any() for k in columns}
    features = {rules.model_columns[k].feature for k in used}
    return [f.name for k, f in enumerate(rules.features) if k in features and f.written in DATES]


def quantity_digits(rules: "RuleSet") -> int:
    """Return how many decimals of a quantity matter: two figures of what rules are off by."""
    return (
        min(max(error_digits(float(np.median(rules.error))), 0), MOST_DIGITS) if len(rules) else 0
    )


def error_digits(error: float) -> int:
    """Return the decimals that show two figures of an error; below 0: tens, hundreds.

    >>> error_digits(0.23), error_digits(12345.0)
    (2, -3)
    """
    return 1 - math.floor(math.log10(error)) if error > 0.0 else 2


def rounded(value: float, digits: int) -> str:
    """Return a number to some decimals, which may be below 0; very small ones in figures.

    >>> rounded(3.14159, 2), rounded(12345.0, -3), rounded(0.000012345, 8)
    ('3.14', '12000', '0.00001234')
    """
    if digits > MOST_DIGITS or (digits < 0 and abs(value) >= LARGEST_PLAIN):
        return f"{value:.3g}"
    return fixed(round(value, digits), max(digits, 0))


def _terms_that_matter(
    rules: "RuleSet", place: int, error: float
) -> list[tuple[float, str, float, float]]:
    """Return coefficient, words, centre and width of terms, the largest effect first."""
    if rules.model_terms is None:
        return []
    centres, widths = (side[place] for side in rules.model_boxes)
    least = max(0.0 if rules.ordered else LEAST_EFFECT * error, 1e-300)  # a list's models are short
    found = []
    for columns, coefficient in _varying_terms(rules, place).items():
        centre, width = _reach(centres[list(columns)], widths[list(columns)])
        if abs(coefficient) * width >= least:
            found.append((coefficient, _words(rules, columns), centre, width))
    found.sort(key=lambda term: -abs(term[0]) * term[3])
    return found[:MOST_TERMS]


def _varying_terms(rules: "RuleSet", place: int) -> dict[tuple[int, ...], float]:
    """Return the coefficients of products of columns that vary within the box of a rule.

    A category's column is its own square, and its product with another one's is 0.
    """
    assert rules.model_terms is not None
    centres, widths = (side[place] for side in rules.model_boxes)
    terms: dict[tuple[int, ...], float] = {}
    for product, coefficient in zip(
        rules.model_terms.columns, rules.model_terms.coefficients[place].tolist(), strict=True
    ):
        known = [rules.model_columns[k] for k in product]
        if len({one.feature for one in known}) == 1 and known[0].category is not None:
            if known[0] != known[-1]:
                continue
            product = product[:1]
        varying = tuple(k for k in product if widths[k] > 0.0)
        for k in set(product) - set(varying):
            coefficient *= float(centres[k])
        if varying:
            terms[varying] = terms.get(varying, 0.0) + coefficient
    return terms


def _reach(centres: Vector, widths: Vector) -> tuple[float, float]:
    """Return the value of a product at the centre of a box, and how far it goes within it."""
    low, high = centres - widths / 2, centres + widths / 2
    if len(centres) == 1:
        return float(centres[0]), float(widths[0])
    corners = [one * other for one in (low[0], high[0]) for other in (low[1], high[1])]
    return float(centres[0] * centres[1]), max(corners) - min(corners)


def _words(rules: "RuleSet", columns: tuple[int, ...]) -> str:
    """Return a product of columns in words: area, area², area·rooms, [district = A]."""
    names = []
    for k in columns:
        column = rules.model_columns[k]
        feature = rules.features[column.feature]
        if column.category is None:
            names.append(feature.name)
        else:
            names.append(f"[{feature.name} = {column.value(rules.features)}]")
    if len(names) == 2 and names[0] == names[1]:
        return f"{names[0]}²"
    return "·".join(names)
