"""Kill commands at random moments, in every way: nothing finished is lost, nothing half remains.

The kinds of kill and their shares of the cases are in KINDS. The study is small:
a case takes a few seconds. "too-late": the command had ended before the signal came;
"not-installed": a back end whose package is missing.
"""

import importlib.util
import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from torture import victims
from torture.killing import (
    RUNS,
    SAVES,
    FaultError,
    Scene,
    await_end,
    check_code,
    check_equal,
    check_readable,
    check_tidy,
    command,
    prepare_base,
    read_until,
    remove_report,
    resume_and_compare,
    wait_until,
)
from torture.part import Result, randomness, scratch

CASES = {"quick": 20, "full": 250}  # the full ones are more than a thousand kills
LIMIT = 600.0  # a case may start a study ten times
FINE = {"sound", "too-late", "not-installed"}
PARALLEL = True
BATCH = 100
MEMORY = None  # Dask's processes map much that they do not use

KILL, TERM, INT = signal.SIGKILL, signal.SIGTERM, signal.SIGINT
PACKAGES = {"dask": "distributed", "ray": "ray"}


def prepare(folder: Path) -> None:
    """Make what kills are compared with."""
    prepare_base(folder)


def run(cases: range, folder: Path) -> Iterator[Result]:
    """Kill once for each case, and look at what is left."""
    base = prepare_base(folder)
    kinds = [kind for kind, share in KINDS.items() for _ in range(share)]
    for case in cases:
        chance = randomness("kills", case)
        kind = chance.choice(kinds)
        with scratch(folder) as place:
            os.environ["TMPDIR"] = str(place)
            try:
                scene, outcome, blows = Scene(base, place, chance), "sound", 1
                detail = kind(scene)
                if kind is kill_again:
                    blows = int(detail.partition(" ")[0])
                if detail in ("too-late", "not-installed"):
                    outcome, detail = detail, ""
            except FaultError as fault:
                outcome, detail = fault.outcome, str(fault)
        yield Result(case, outcome, f"{kind.__name__}: {detail}", blows)


def kill_parent(scene: Scene) -> str:
    """Kill the command while it runs or writes, or before its first word."""
    folder, chance = scene.place / "results", scene.chance
    jobs, number = chance.choice([1, 2]), chance.choice([KILL, KILL, INT, INT, TERM])
    moment = chance.choice(["run", "run", "write", "start" if number != INT else "run"])
    process = victims.start(*victims.reproduce(folder, RUNS, jobs))
    said = []
    if moment == "start":
        time.sleep(2.0 * chance.random())
    else:
        said = read_until(process, chance.randrange(RUNS - 2))
        time.sleep(0.1 * chance.random())
    if moment == "write":
        wait_until(process, lambda: list((folder / "curves").glob("*/*.partial")))
    victims.strike(process.pid, number, group=number == INT and chance.random() < 0.5)
    found = await_end(process, said)
    in_time = check_code(found, number)
    kept = check_readable(folder)
    said_so = f"interrupted: {kept} of {RUNS}" in found.words
    if in_time and number == INT and kept < RUNS and not said_so:
        raise FaultError("message", f"{kept} runs are kept, but: {found.words[-300:]}")
    text = resume_and_compare(scene, folder, kept)
    return f"{moment}, {number.name}, {jobs} jobs, {text}" if in_time else "too-late"


def kill_again(scene: Scene) -> str:
    """Start a study and kill it, ten times or until it is done; then let it finish."""
    folder, chance, blows = scene.place / "results", scene.chance, 0
    kept = before = 0
    while blows < 10 and kept < RUNS:
        process = victims.start(*victims.reproduce(folder, RUNS, chance.choice([1, 2])))
        said = []
        if chance.random() < 0.7:
            said = read_until(process, chance.choice([0, 1]))
            time.sleep(0.3 * chance.random())
        else:
            time.sleep(2.0 * chance.random())
        number = chance.choice([KILL, KILL, TERM])
        victims.strike(process.pid, number)
        check_code(await_end(process, said), number)
        blows, kept = blows + 1, check_readable(folder)
        if kept < before:
            raise FaultError("lost", f"{before} runs were there, and {kept} after kill {blows}")
        before = kept
    return f"{blows} kills, {resume_and_compare(scene, folder, kept)}"


def kill_impatiently(scene: Scene) -> str:
    """Press Ctrl-C twice."""
    folder, chance = scene.place / "results", scene.chance
    jobs = chance.choice([1, 2])
    process = victims.start(*victims.reproduce(folder, RUNS, jobs))
    said = read_until(process, 1 + chance.randrange(RUNS - 3))
    victims.strike(process.pid, INT, group=True)
    time.sleep(0.1 * chance.random())
    victims.strike(process.pid, INT, group=True)
    process.wait()
    left = victims.orphans(process.pid)
    words = "".join(said) + process.communicate()[1]
    if left or process.returncode not in (130, -INT, 0):
        raise FaultError("impatience", f"{process.returncode}, {len(left)} orphans: {words[-500:]}")
    text = resume_and_compare(scene, folder, check_readable(folder))
    return f"{'with a traceback, ' if 'Traceback' in words else ''}{text}"


def kill_worker(scene: Scene, backend: str = "local", times: int = 1) -> str:
    """Kill a worker amidst a run: the command goes on without a word."""
    folder, chance = scene.place / "results", scene.chance
    process = victims.start("-m", "torture.victims", folder, backend, 2, RUNS)
    said = read_until(process, 1 + chance.randrange(RUNS - 5))
    struck = 0
    for _ in range(times):
        busy = wait_until(process, lambda: victims.busy_workers(process.pid, process.pid))
        if busy:
            victims.strike(chance.choice(busy), chance.choice([KILL, TERM]))
            struck += 1
    found = await_end(process, said)
    if not struck:
        return "too-late"
    gave_up = found.code == 1 and "its process died 3 times" in found.words
    if found.code != 0 and not (times > 2 and gave_up):
        raise FaultError("exit-code", f"{found.code}: {found.words[-500:]}")
    kept = check_readable(folder)
    if kept < RUNS and not gave_up:
        raise FaultError("lost", f"only {kept} runs are there")
    return f"{struck} busy workers, {resume_and_compare(scene, folder, kept)}"


def kill_many_workers(scene: Scene) -> str:
    """Kill one busy worker after the other: a run may be given up, and is done later."""
    return kill_worker(scene, times=3 + scene.chance.randrange(6))


def kill_both(scene: Scene) -> str:
    """Kill a busy worker, and its parent in the next moment."""
    folder, chance = scene.place / "results", scene.chance
    process = victims.start(*victims.reproduce(folder, RUNS, 2))
    said = read_until(process, 1 + chance.randrange(RUNS - 5))
    busy = wait_until(process, lambda: victims.busy_workers(process.pid, process.pid))
    number = chance.choice([KILL, TERM, INT])
    victims.strike(busy[0] if busy else process.pid, KILL)
    time.sleep(0.03 * chance.random())
    victims.strike(process.pid, number)
    in_time = check_code(await_end(process, said), number)
    text = resume_and_compare(scene, folder, check_readable(folder))
    return f"{number.name}, {text}" if in_time and busy else "too-late"


def kill_cluster(scene: Scene, backend: str) -> str:
    """Kill a study on a cluster of this machine: the command, or a busy worker."""
    if importlib.util.find_spec(PACKAGES[backend]) is None:
        return "not-installed"
    folder, chance = scene.place / "results", scene.chance
    number = chance.choice([KILL, TERM, INT, None])
    if number is None:
        return kill_worker(scene, backend)
    process = victims.start("-m", "torture.victims", folder, backend, 2, RUNS)
    said = read_until(process, chance.randrange(RUNS - 2))
    time.sleep(0.1 * chance.random())
    victims.strike(process.pid, number, group=number == INT)
    in_time = check_code(await_end(process, said), number)
    text = resume_and_compare(scene, folder, check_readable(folder))
    return f"{backend}, {number.name}, {text}" if in_time else "too-late"


def kill_dask(scene: Scene) -> str:
    """Kill a study on a Dask cluster."""
    return kill_cluster(scene, "dask")


def kill_ray(scene: Scene) -> str:
    """Kill a study on Ray."""
    return kill_cluster(scene, "ray")


def disturb_writer(scene: Scene) -> str:
    """Let a second command write to the same store; then kill the first."""
    from ruleplay.experiments.live import StudyFollower

    folder, chance = scene.place / "results", scene.chance
    first = victims.start("-m", "torture.victims", folder, "local", 1, RUNS)
    said = read_until(first, 1)
    victims.strike(first.pid, signal.SIGSTOP)  # so that it cannot end before the other begins
    second = victims.start("-m", "torture.victims", folder, "local", 1, RUNS)
    found = await_end(second, [])
    victims.strike(first.pid, signal.SIGCONT)
    if found.code != 1 or "another process is writing to" not in found.words:
        raise FaultError("second-writer", f"{found.code}: {found.words[-500:]}")
    if len(found.words.splitlines()) != 1:
        raise FaultError("message", found.words)
    if StudyFollower(folder).state()["done"] > RUNS:
        raise FaultError("reader", "more runs than there are")
    said += read_until(first, chance.randrange(RUNS - 4))
    victims.strike(first.pid, KILL)
    in_time = check_code(await_end(first, said), KILL)
    text = resume_and_compare(scene, folder, check_readable(folder))
    return text if in_time else "too-late"


def kill_report(scene: Scene) -> str:
    """Kill the command while it draws rule maps and the report; the next one draws all."""
    folder, chance = scene.place / "results", scene.chance
    older = chance.random() < 0.5  # a report on fewer runs is there already
    shutil.copytree(scene.base / ("half" if older else "whole") / "results", folder)
    if not older:
        remove_report(folder)
    process = victims.start(*victims.reproduce(folder, RUNS))
    said = read_until(process, 6) if older else [process.stderr.readline()]
    time.sleep(4.0 * chance.random())
    number = chance.choice([KILL, KILL, TERM, INT])
    victims.strike(process.pid, number)
    in_time = check_code(await_end(process, said), number)
    if check_readable(folder) < RUNS:
        raise FaultError("lost", "runs that were finished are gone")
    command(*victims.reproduce(folder, RUNS))
    check_equal(folder, scene.base / "calm")
    before = "on top of an older one" if older else "the first one"
    _compare_reports(folder / "report", scene.base / "whole" / "results" / "report", before)
    return f"{number.name}, {before}" if in_time else "too-late"


def _compare_reports(found: Path, calm: Path, before: str) -> None:
    """Compare all but the pages that show how long runs took."""
    timed = ("index.html", "runs.")
    for path in sorted(calm.rglob("*.*")):
        twin = found / path.relative_to(calm)
        if not twin.exists():
            raise FaultError("report", f"{before}: {path.relative_to(calm)} is missing")
        if not path.name.startswith(timed) and path.read_bytes() != twin.read_bytes():
            raise FaultError("stale-report", f"{before}: {path.relative_to(calm)} differs")


def kill_save(scene: Scene) -> str:
    """Kill a command that is about to replace a model: the old one or the new one is there."""
    chance, name = scene.chance, scene.chance.choice(sorted(SAVES))
    old, new = ((scene.base / "models" / f"{name}-{k}.ruleplay").read_bytes() for k in (0, 1))
    path = scene.place / "model.ruleplay"
    path.write_bytes(old)
    process = victims.start(*SAVES[name](path, seed=1))
    moment = chance.choice(["any", "write", "write", "replaced"])
    if moment == "any":
        time.sleep(3.0 * chance.random())
    elif moment == "write":
        wait_until(process, lambda: list(scene.place.glob(".*partial")), 60.0)
        time.sleep(0.002 * chance.random())
    else:
        wait_until(process, lambda: path.stat().st_size != len(old), 60.0)
    number = chance.choice([KILL, KILL, TERM] if moment == "any" else [KILL, KILL, TERM, INT])
    victims.strike(process.pid, number)
    found = await_end(process, [])
    in_time = check_code(found, number)
    content = path.read_bytes()
    if content not in (old, new):
        raise FaultError("half-file", f"{len(content)} bytes, neither the old nor the new model")
    if content == new and "nothing was written" in found.words:
        raise FaultError("message", f"the new model is there, but: {found.words[-200:]}")
    command(*SAVES[name](path, seed=1))
    if path.read_bytes() != new:
        raise FaultError("other-results", "the command did not write the model that it should")
    check_tidy(scene.place)
    kept = "new" if content == new else "old"
    return f"{name}, {moment}, {number.name}, the {kept} one" if in_time else "too-late"


KINDS: dict[Callable[[Scene], str], int] = {
    kill_again: 50,
    kill_parent: 34,
    kill_impatiently: 4,
    kill_worker: 20,
    kill_many_workers: 6,
    kill_both: 10,
    kill_dask: 6,
    kill_ray: 1,
    disturb_writer: 5,
    kill_report: 5,
    kill_save: 9,
}
