"""What conditions are made of, and what they are given."""

from dataclasses import dataclass

from ruleplay.config.fields import param
from ruleplay.core.components.seams import Encoding


@dataclass(frozen=True, kw_only=True)
class ConditionSettings:
    """Set how intervals are encoded, and what odd observations are."""

    condition: str = param(
        "unordered",
        seam=Encoding,
        doc="How an interval is encoded: two bounds in any order, or centre and spread.",
    )
    out_of_range: str = param(
        "clip",
        choices=("clip", "error"),
        kernel="clips",
        means_one="clip",
        doc="What happens to an observation outside the scaling bounds.",
    )
    missing_values: str = param(
        "error",
        choices=("error", "match"),
        later=True,
        kernel="missing_match",
        means_one="match",
        doc="What NaN in an observation is: a mistake, or a value that all intervals contain.",
    )
