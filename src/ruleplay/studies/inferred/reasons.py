"""What is known about cells that the inferred reading does not match."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

UNEXPLAINED = "unexplained"


class Reason(NamedTuple):
    """Why some cells are missed; an empty list stands for all."""

    problems: tuple[str, ...]
    agents: tuple[str, ...]
    metrics: tuple[str, ...]
    text: str

    def covers(self, problem: str, agent: str, metric: str) -> bool:
        """Tell whether this is about a cell."""
        wanted = ((self.problems, problem), (self.agents, agent), (self.metrics, metric))
        return all(not names or name in names for names, name in wanted)


def reason_for(problem: str, agent: str, metric: str) -> str:
    """Return the first reason that covers a cell, or that there is none."""
    for reason in load_reasons():
        if reason.covers(problem, agent, metric):
            return reason.text
    return UNEXPLAINED


@cache
def load_reasons() -> tuple[Reason, ...]:
    """Load the table of reasons."""
    text = (files(__package__) / "reasons.toml").read_text(encoding="utf-8")
    return tuple(
        Reason(
            problems=tuple(entry.get("problems", ())),
            agents=tuple(entry.get("agents", ())),
            metrics=tuple(entry.get("metrics", ())),
            text=" ".join(entry["text"].split()),
        )
        for entry in tomllib.loads(text)["reason"]
    )
