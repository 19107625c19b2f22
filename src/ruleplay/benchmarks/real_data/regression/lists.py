"""Name the sets whose target is a quantity: some to tune with, others to report.

The tuning list was used while the regressor was made. The reported one has all other sets of the
wheel, but for those that the protocol leaves out, with the reason.
"""


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


TUNING = _names(
    "autoMPG6 baseball compactiv ele_1 laser mortgage plastic quake treasury wankara "
    "winequality_white wizmir"
)
REPORTED = _names(
    "airfoil boom_bikes casp ccpp communities concrete cpu_performance "
    "electrical_grid_stability excitation_current forestfires insurance puma32h "
    "qsar-fish-toxicity qsar_aquatic_toxicity real_estate_valuation residential_building servo "
    "skillcraft1 slump_test wsn-ale yacht_hydrodynamics"
)
POOL = (*TUNING, *REPORTED)

LEFT_OUT = {
    "winequality_red": "of the same origin as winequality_white, which is for tuning",
    "medical_cost": "the same file as insurance",
    "daily-demand": "its target is the sum of other columns; 60 rows",
    "diabetes": "43 rows",
    "o-ring": "23 rows",
    "stock_portfolio_performance": "63 rows",
    "maternal_health_risk": "its target is a class",
    "stroke": "its target is a class",
    "bone-marrow": "its target is a class",
    "water_quality": "a file of matrices, not a table",
}
