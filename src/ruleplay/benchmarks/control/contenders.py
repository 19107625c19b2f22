"""Say who takes part in comparisons of control, and how each is started."""

import os
from collections.abc import Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import ruleplay
from ruleplay.benchmarks.environment import (
    PEERS,
    cache_folder,
    clean_environ,
    default_env_path,
    ensure_peers_env,
)
from ruleplay.benchmarks.programs import run_program
from ruleplay.benchmarks.roster import Roster

REQUIREMENTS = PEERS / "control" / "requirements.txt"
SECONDS = 7200  # of CPU time
PATIENCE = 4  # times as many may pass by the clock
DERIVED = {"xcs-list": "xcs", "dqn-tree": "dqn", "ppo-tree": "ppo"}  # made of whose policy

ROSTER = Roster(
    ours="ruleplay.benchmarks.control.ours",
    programs={
        "ruleplay.benchmarks.control.networks": ("dqn", "qrdqn", "ppo", "dqn-tree", "ppo-tree"),
        "ruleplay.benchmarks.control.simple": ("q-table", "random"),
    },
    titles={
        "xcs": "XCSAgent",
        "xcs-list": "XCSAgent, list of 10 rules",
        "dqn": "DQN",
        "dqn-tree": "tree of DQN, 11 leaves",
        "qrdqn": "QR-DQN",
        "ppo": "PPO",
        "ppo-tree": "tree of PPO, 11 leaves",
        "q-table": "Q-learning, table",
        "random": "random play",
    },
)


class Job(NamedTuple):
    """A run to be made: who learns what, and whether a list or a tree is wanted, too."""

    contender: str
    problem: str
    seed: int
    derived: bool


class Programs:
    """Start contenders as programs in the peers' environment, ours too."""

    @cached_property
    def python(self) -> Path:
        """Return the interpreter of the peers' environment."""
        return ensure_peers_env(default_env_path(REQUIREMENTS), REQUIREMENTS)

    def prepare(self, contenders: Sequence[str]) -> None:
        """Make the environment before anybody runs."""
        _ = self.python

    def run(self, job: Job) -> Any:
        """Run a contender and return its answer; PeerError says what went wrong."""
        module = ROSTER.program(job.contender) or ROSTER.ours
        command = [str(self.python), "-m", module, "--contender", job.contender]
        command += ["--problem", job.problem, "--seed", str(job.seed), "--seconds", str(SECONDS)]
        command += ["--derived"] if job.derived else []
        environ = clean_environ() | {
            "PYTHONPATH": str(package_alone()),
            "SDL_VIDEODRIVER": "dummy",
        }
        answer = run_program(command, PATIENCE * SECONDS, environ)
        if ROSTER.program(job.contender) is None:
            answer["version"] = ruleplay.__version__  # it is not installed there
        return answer


def package_alone() -> Path:
    """Return a folder that has this package and nothing else: a link, always the same one."""
    package = Path(ruleplay.__file__).parent
    name = sha256(str(package).encode()).hexdigest()[:12]
    folder = cache_folder() / f"package-{name}"
    link = folder / package.name
    if not link.exists():
        folder.mkdir(parents=True, exist_ok=True)
        link.unlink(missing_ok=True)
        os.symlink(package, link, target_is_directory=True)
    return folder
