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
from ruleplay.benchmarks.real_data.task import Answer
from ruleplay.benchmarks.real_data.wheels import CAPYMOA, extract_member, fetch
from ruleplay.benchmarks.roster import Roster

PROGRAMS = PEERS / "real_data"
REQUIREMENTS = PROGRAMS / "requirements.txt"
WEKA = "weka_peer.py"
JAR = "capymoa/jar/moa.jar"  # has Weka inside
SECONDS = 300  # of CPU time
PATIENCE = 4  # times as many may pass by the clock


CLASSIFIERS = Roster(
    ours="ruleplay.benchmarks.real_data.ours",
    programs={
        "sklearn_peer.py": ("tree", "tree-10", "forest", "boosting", "logistic", "knn"),
        WEKA: ("j48", "part", "jrip"),
        "rules_peer.py": ("ripper", "figs", "ebm"),
        "lcs_peer.py": ("xcsf", "scikit-xcs", "ex-fuzzy"),
    },
    titles={
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
    },
)
REGRESSORS = Roster(
    ours="ruleplay.benchmarks.real_data.regression.ours",
    programs={
        "sklearn_peer.py": ("tree", "tree-10", "forest", "boosting", "linear", "knn"),
        WEKA: ("m5p", "m5rules"),
        "rules_peer.py": ("cubist", "ebm"),
        "lcs_peer.py": ("xcsf", "xcsf-ours"),
    },
    titles={
        "xcs": "XCSRegressor",
        "xcs-10": "XCSRegressor, 10 populations",
        "rule-list": "RuleListRegressor",
        "tree": "regression tree",
        "tree-10": "regression tree, 10 leaves",
        "forest": "random forest, 500",
        "boosting": "gradient boosting",
        "linear": "linear regression",
        "knn": "5 nearest neighbours",
        "m5p": "M5' (Weka M5P)",
        "m5rules": "M5Rules (Weka)",
        "cubist": "Cubist",
        "ebm": "EBM (interpret)",
        "xcsf": "xcsf",
        "xcsf-ours": "xcsf, our settings",
    },
)


class Job(NamedTuple):
    """A contender and the task that it is given."""

    contender: str
    task: Path


class Programs:
    """Start contenders as programs; what peers need is made or fetched when one is started."""

    def __init__(self, roster: Roster = CLASSIFIERS) -> None:
        """Say whose programs are started."""
        self.roster = roster

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
        programs = {self.roster.program(name) for name in contenders} - {None}
        if programs:
            _ = self.python
        if WEKA in programs:
            _ = self.jar

    def run(self, job: Job) -> Answer:
        """Run a contender on a task; PeerError says what went wrong."""
        options = ["--contender", job.contender, "--task", str(job.task)]
        options += ["--seconds", str(SECONDS)]
        program = self.roster.program(job.contender)
        if program is None:
            command, environ = [sys.executable, "-m", self.roster.ours], one_thread()
        else:
            command, environ = [str(self.python), str(PROGRAMS / program)], clean_environ()
            if program == WEKA:
                options += ["--jar", str(self.jar)]
        answer: Answer = run_program([*command, *options], PATIENCE * SECONDS, environ)
        return answer
