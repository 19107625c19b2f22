"""Say who takes part, under which name, and how each is started."""

import sys
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from ruleplay.benchmarks.environment import (
    PEERS,
    clean_environ,
    default_env_path,
    ensure_peers_env,
    one_thread,
)
from ruleplay.benchmarks.programs import run_program
from ruleplay.benchmarks.real_data import ours
from ruleplay.benchmarks.real_data.task import Answer
from ruleplay.benchmarks.real_data.wheels import CAPYMOA, extract_member, fetch
from ruleplay.config import unknown_name
from ruleplay.errors import ConfigError

PROGRAMS = PEERS / "real_data"
REQUIREMENTS = PROGRAMS / "requirements.txt"
JAR = "capymoa/jar/moa.jar"  # has Weka inside
SECONDS = 300  # of CPU time
PATIENCE = 4  # times as many may pass by the clock

_PROGRAM_OF = {
    "sklearn_peer.py": ("tree", "tree-10", "forest", "boosting", "logistic", "knn"),
    "weka_peer.py": ("j48", "part", "jrip"),
    "rules_peer.py": ("ripper", "figs", "ebm"),
    "lcs_peer.py": ("xcsf", "scikit-xcs", "ex-fuzzy"),
}
OURS = tuple(ours.CONTENDERS)
PROGRAM = {name: program for program, names in _PROGRAM_OF.items() for name in names}
CONTENDERS = (*OURS, *PROGRAM)

TITLES = {
    "xcs": "XCSClassifier",
    "xcs-10": "XCSClassifier, 10 populations",
    "rule-list": "RuleListClassifier",
    "tree": "decision tree",
    "tree-10": "decision tree, 10 leaves",
    "forest": "random forest, 500",
    "boosting": "gradient boosting",
    "logistic": "logistic regression",
    "knn": "5 nearest neighbours",
    "j48": "C4.5 (Weka J48)",
    "part": "PART (Weka)",
    "jrip": "RIPPER (Weka JRip)",
    "ripper": "RIPPER (wittgenstein)",
    "figs": "FIGS (imodels)",
    "ebm": "EBM (interpret)",
    "xcsf": "xcsf",
    "scikit-xcs": "scikit-XCS",
    "ex-fuzzy": "ex-fuzzy",
}


class Job(NamedTuple):
    """A contender and the task that it is given."""

    contender: str
    task: Path


class Programs:
    """Start contenders as programs; what peers need is made or fetched when one is started."""

    @cached_property
    def python(self) -> Path:
        """Return the interpreter of the peers' environment."""
        return ensure_peers_env(default_env_path(REQUIREMENTS), REQUIREMENTS)

    @cached_property
    def jar(self) -> Path:
        """Return the archive that has Weka."""
        return extract_member(fetch(CAPYMOA), JAR)

    def prepare(self, contenders: Sequence[str]) -> None:
        """Make and fetch what some contenders need, before any of them runs."""
        if any(name in PROGRAM for name in contenders):
            _ = self.python
        if any(PROGRAM.get(name) == "weka_peer.py" for name in contenders):
            _ = self.jar

    def run(self, job: Job) -> Answer:
        """Run a contender on a task; PeerError says what went wrong."""
        options = ["--contender", job.contender, "--task", str(job.task)]
        options += ["--seconds", str(SECONDS)]
        if job.contender in OURS:
            command, environ = [sys.executable, "-m", ours.__name__], one_thread()
        else:
            program = PROGRAM[job.contender]
            command, environ = [str(self.python), str(PROGRAMS / program)], clean_environ()
            if program == "weka_peer.py":
                options += ["--jar", str(self.jar)]
        answer: Answer = run_program([*command, *options], PATIENCE * SECONDS, environ)
        return answer


def chosen(only: Sequence[str]) -> tuple[str, ...]:
    """Return the contenders that are asked for, all if none is."""
    for name in only:
        if name not in CONTENDERS:
            raise ConfigError(unknown_name("contender", name, CONTENDERS))
    return tuple(name for name in CONTENDERS if not only or name in only)


def title(name: str) -> str:
    """Return what a contender is called in tables."""
    return TITLES.get(name, name)
