"""Which rules take over narrower ones."""

from dataclasses import dataclass

from ruleplay.config.fields import param


@dataclass(frozen=True, kw_only=True)
class SubsumptionSettings:
    """Set who may subsume, and whom."""

    subsumption_threshold: int = param(
        20, "theta_sub", at_least=0, doc="Experience above which an accurate rule may subsume."
    )
    ga_subsumption: bool = param(True, doc="Whether parents and their set may subsume children.")
    ga_subsumers: str = param(
        "set",
        choices=("set", "parents"),
        later=True,
        kernel="only_parents",
        means_one="parents",
        doc="Who may subsume a child: its parents and then their set, or its parents alone.",
    )
    action_set_subsumption: bool = param(
        False,
        kernel="set_subsumption",
        doc="Whether the most general accurate rule subsumes others of its action set.",
    )
