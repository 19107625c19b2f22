"""Full disks and folders that cannot be written, under every command that writes.

A command that cannot write says so in one line and ends with 1; what was there stays as it was,
and nothing half is left. A study goes on when there is room again. "written": there was enough
room after all; "not-possible": the machine does not let the case be tried.
"""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from torture import victims
from torture.disks import NotPossibleError, closed, fill, small_disk, start_unprivileged
from torture.killing import (
    HALF,
    RUNS,
    FaultError,
    check_equal,
    check_readable,
    check_tidy,
    command,
    finish,
    fit_save,
    prepare_base,
    run_save,
)
from torture.part import SCRATCH, Result, randomness, scratch

CASES = {"quick": 12, "full": 120}
LIMIT = 120.0
FINE = {"refused", "resumed", "written", "worked", "not-possible"}
BATCH = 40

OLD = b"what was there before\n"
FAILED, KNOWN_BEFORE = 1, 2  # exit codes: a closed folder is seen before any work
SMALL, LARGE = 64 << 10, 2 << 20  # bytes of a disk
STUDY = 8 << 20  # of one that has room for a study and its report

# A learner that saves itself, in a process of its own.
LIBRARY = """
import sys
import ruleplay
from ruleplay.errors import RuleplayError
kind, path = sys.argv[1:]
if kind == "agent":
    made = ruleplay.XCSAgent("CartPole-v1", seed=0)
    made.learn(30)
else:
    made = getattr(ruleplay, kind).load(path)
try:
    made.save(path)
except (OSError, RuleplayError) as error:
    sys.exit(f"error: {error}")
"""


class Scene(NamedTuple):
    """What was prepared, the place that is full or closed, and room beside it."""

    base: Path
    place: Path
    beside: Path


Words = tuple[Any, ...]


def prepare(folder: Path) -> None:
    """Make models and a study to begin with; take down disks that a kill has left."""
    for disk in filter(os.path.ismount, folder.glob(f"{SCRATCH}*/*")):
        subprocess.run(["umount", "--lazy", str(disk)], check=True)
    prepare_base(folder)


def run(cases: range, folder: Path) -> Iterator[Result]:
    """Let one command fail for each case."""
    base = prepare_base(folder)
    for case in cases:
        chance = randomness("disk", case)
        # Each kind comes before any comes again.
        name = sorted(TARGETS)[case // 2 % len(TARGETS)]
        how = ("full", "closed")[case % 2]
        size, free = chance.randint(SMALL, LARGE), chance.choice([0, 1, 2, 4, 8, 16]) << 12
        if TARGETS[name].study:
            size, free = STUDY, chance.choice([0, 4, 16, 64, 128, 512, 1024]) << 10
        with scratch(folder) as place:
            try:
                if how == "full":
                    outcome, detail = _on_full_disk(TARGETS[name], base, place, size, free)
                else:
                    outcome, detail = _in_closed_folder(TARGETS[name], base, place)
            except FaultError as fault:
                outcome, detail = fault.outcome, str(fault)
            except NotPossibleError as error:
                outcome, detail = "not-possible", str(error)
        yield Result(case, outcome, f"{name}, {how}: {detail}")


def _on_full_disk(
    target: "Target", base: Path, place: Path, size: int, free: int
) -> tuple[str, str]:
    with small_disk(place, size) as disk:
        scene = Scene(base, disk, place)
        words = target.command(scene)
        before = _content(disk)
        filler = fill(disk, free)
        code, said = _run(victims.start(*words, **target.options(scene)))
        after = _content(disk)
        filler.unlink()
        return _judge(target, scene, code, said, before, after)


def _in_closed_folder(target: "Target", base: Path, place: Path) -> tuple[str, str]:
    folder = place / "closed"
    folder.mkdir()
    scene = Scene(base, folder, place)
    words = target.command(scene)
    before = _content(folder)
    with closed(folder):
        code, said = _run(start_unprivileged(*words, **target.options(scene)))
    return _judge(target, scene, code, said, before, _content(folder))


def _run(process: "subprocess.Popen[str]") -> tuple[int, str]:
    words = process.communicate()[1]
    if "Traceback" in words:
        raise FaultError("spilled", words[-1500:])
    return process.returncode, words


def _content(folder: Path) -> dict[str, bytes]:
    """Return all files of a folder but the filler and a store's own helpers."""
    own = ("filler", "index.sqlite", "writer.lock", "plan.json")
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith(own)
    }


def _judge(
    target: "Target",
    scene: Scene,
    code: int,
    said: str,
    before: dict[str, bytes],
    after: dict[str, bytes],
) -> tuple[str, str]:
    """Say what a command has made of it."""
    lost = sorted(name for name in before if name not in after)
    if lost:
        raise FaultError("lost", " ".join(lost))
    if target.works:
        if code != 0:
            raise FaultError("exit-code", f"{code}: {said[-500:]}")
        return "worked", said[-100:]
    if code == 0:
        check_tidy(scene.place)
        return "written", ""
    errors = [line for line in said.splitlines() if line.startswith("error: ")]
    if code not in (FAILED, KNOWN_BEFORE) or len(errors) != 1 or said.splitlines()[-1] != errors[0]:
        raise FaultError("message", f"exit {code}: {said[-500:]}")
    if target.study:
        return _resume(scene, errors[0])
    changed = sorted(name for name in before if after[name] != before[name])
    if changed:
        raise FaultError("half-file", f"{' '.join(changed)}; {errors[0]}")
    if set(after) - set(before):
        raise FaultError("leftover", f"{' '.join(set(after) - set(before))}; {errors[0]}")
    return "refused", errors[0]


def _resume(scene: Scene, error: str) -> tuple[str, str]:
    """Go on with a study, now that there is room."""
    folder = scene.place / "results"
    kept = check_readable(folder)
    if kept < HALF:
        raise FaultError("lost", f"{kept} of {HALF} runs are left")
    command(*victims.reproduce(folder, RUNS))
    finish(folder)
    check_equal(folder, scene.base / "calm")
    return "resumed", f"{kept} runs kept; {error}"


class Target(NamedTuple):
    """A command, and what is expected of it."""

    make: Callable[[Scene], Words]
    study: bool = False
    works: bool = False  # even without room
    variables: Callable[[Scene], dict[str, str]] = lambda scene: {}

    def command(self, scene: Scene) -> Words:
        """Put what it needs in its place; return its words."""
        return self.make(scene)

    def options(self, scene: Scene) -> dict[str, Any]:
        """Return how the process is to be started."""
        return {"env": {**os.environ, "TMPDIR": str(scene.beside), **self.variables(scene)}}


def _old(scene: Scene, name: str, content: bytes = OLD) -> Path:
    path = scene.place / name
    path.write_bytes(content)
    return path


def _learner(kind: str, model: str | None = None) -> Callable[[Scene], Words]:
    def make(scene: Scene) -> Words:
        content = OLD
        if model is not None:
            content = (scene.base / "models" / f"{model}-0.ruleplay").read_bytes()
            _need(scene, 2 * len(content))
        return ("-c", LIBRARY, kind, _old(scene, "m.ruleplay", content))

    return make


def _need(scene: Scene, size: int) -> None:
    """Make a small disk larger, so that what is there before has room."""
    if os.path.ismount(scene.place):
        grow = ["mount", "-o", f"remount,size={max(size, SMALL)}", str(scene.place)]
        subprocess.run(grow, check=True)


def _run_with(option: str, name: str) -> Callable[[Scene], Words]:
    def make(scene: Scene) -> Words:
        preset = f"stein2020/{victims.PROBLEM}"
        words = ("run", preset, "--agent", victims.AGENT, "--steps", 1500)
        return victims.ruleplay(*words, option, _old(scene, name), "--force")

    return make


def _fit_with(option: str, name: str) -> Callable[[Scene], Words]:
    def make(scene: Scene) -> Words:
        words = fit_save(scene.beside / name, seed=0)
        return (*words[:-2], option, _old(scene, name), "--force")

    return make


def _rules_with(option: str, name: str) -> Callable[[Scene], Words]:
    def make(scene: Scene) -> Words:
        model = scene.base / "models" / "run-0.ruleplay"
        return victims.ruleplay("rules", model, option, _old(scene, name), "--force")

    return make


def _study(scene: Scene) -> Words:
    """Go on with a study of which half is there, and its report."""
    shutil.copytree(scene.base / "half" / "results", scene.place / "results")
    return victims.reproduce(scene.place / "results", RUNS)


def _cached(scene: Scene) -> Words:
    """Compile a small kernel with a cache that has no room."""
    (scene.beside / "small.py").write_text(
        "from ruleplay.compiler.jit import kernel\n"
        "@kernel\ndef twice(x):\n    return 2 * x\n"
        "assert twice(4) == 8\n"
    )
    (scene.place / "cache").mkdir()
    return (scene.beside / "small.py",)


TARGETS = {
    "run --save": Target(lambda scene: (*run_save(_old(scene, "m.ruleplay"), seed=0), "--force")),
    "run --plot svg": Target(_run_with("--plot", "curve.svg")),
    "run --plot png": Target(_run_with("--plot", "curve.png")),
    "run --plot pdf": Target(_run_with("--plot", "curve.pdf")),
    "run --progress-file": Target(_run_with("--progress-file", "progress.jsonl")),
    "fit --save": Target(_fit_with("--save", "m.ruleplay")),
    "fit --report": Target(_fit_with("--report", "page.html")),
    **{
        f"rules --out {suffix}": Target(_rules_with("--out", f"rules.{suffix}"))
        for suffix in ("json", "csv", "py", "txt", "html")
    },
    "rules --map": Target(_rules_with("--map", "map.svg")),
    "XCS.save": Target(_learner("XCS", "run")),
    "XCSClassifier.save": Target(_learner("XCSClassifier", "fit")),
    "XCSAgent.save": Target(_learner("agent"), variables=lambda scene: {"NUMBA_DISABLE_JIT": "1"}),
    "reproduce": Target(_study, study=True),
    "cache": Target(
        _cached,
        works=True,
        variables=lambda scene: {"NUMBA_CACHE_DIR": str(scene.place / "cache")},
    ),
}
