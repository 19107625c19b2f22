"""Figures, tables and pages from finished runs; nothing here runs anything."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ruleplay.report.write import write_report

__all__ = ["write_report"]


def __getattr__(name: str) -> Any:
    """Load the report writer when it is first used: drawing one curve needs none of it."""
    if name == "write_report":
        from ruleplay.report.write import write_report

        return write_report
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
