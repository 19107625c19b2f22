"""The settings of conditions on symbols."""

from ruleplay.config.fields import param

FREE_SHARE = {
    "free_share": param(
        0.33,
        "P_#",
        at_least=0,
        at_most=1,
        later=True,
        kernel="",
        doc="Probability that covering leaves a nominal feature or a bit free.",
    )
}
MIXED = FREE_SHARE | {
    "nominal_columns": param(
        "",
        later=True,
        doc="Columns of nominal features, one column for each category: '4-7,8-10' are two "
        "features, of four and of three categories.",
    ),
    "intervals": param(
        "center_spread",
        choices=("center_spread", "unordered"),
        later=True,
        doc="How the intervals of numbers are encoded beside sets of categories.",
    ),
}
