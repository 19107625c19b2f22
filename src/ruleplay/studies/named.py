"""The studies that come with ruleplay, by name."""

from collections.abc import Callable
from functools import partial

from ruleplay.config import unknown_name
from ruleplay.errors import ConfigError
from ruleplay.experiments.study import Study, restrict
from ruleplay.studies.beyond.plan import beyond_study
from ruleplay.studies.literal.plan import literal_study
from ruleplay.studies.paper import plan as paper

PAPER = "paper"
INFERRED = "inferred"  # no list of runs, but a verdict: see `ruleplay.studies.inferred.report`
OTHERS: dict[str, Callable[..., Study]] = {
    "literal": literal_study,
    "beyond": beyond_study,
    "beyond-headline": partial(beyond_study, part="headline"),
    "beyond-ablation": partial(beyond_study, part="ablation"),
}


def named_study(
    name: str,
    problems: list[str] | None = None,
    agents: list[str] | None = None,
    reps: int | None = None,
    quick: bool = False,
) -> Study:
    """Return a study, or the part of it with some problems, agents and runs per cell."""
    if name == PAPER:
        return paper.paper_study(problems or None, agents or None, reps=reps, quick=quick)
    if name not in OTHERS:
        message = unknown_name("study", name, (PAPER, *OTHERS, INFERRED))
        raise ConfigError(f"{message} (a study of your own is a file, NAME.toml or NAME.py)")
    if quick:
        raise ConfigError(f"the study {name!r} takes no --quick")
    return restrict(OTHERS[name](reps=reps), problems or None, agents or None)
