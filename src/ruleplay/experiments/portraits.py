"""Keep how rules came about: snapshots of one run of each agent on two-dimensional problems."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ruleplay.engine import XCS
from ruleplay.envs import make_problem
from ruleplay.errors import ConfigError, StoreError
from ruleplay.experiments.spec import RunSpec
from ruleplay.experiments.storage.curve_files import pack_arrays, unpack_arrays
from ruleplay.experiments.study import Study
from ruleplay.output.files import flush_folder, write_whole

FOLDER = "portraits"
# When to look, in hundredths of a run: more often in the beginning, when most happens.
MOMENTS = (1, 2, 4, 7, 11, 16, 22, 29, 37, 45, 54, 63, 72, 81, 90, 100)
FEW_MOMENTS = (2, 7, 16, 37, 63, 100)

_FLOATS = ("prediction", "error", "fitness")
_COUNTS = ("numerosity", "experience")
_PARTS = {"steps", "sizes", "lower", "upper", "action", *_FLOATS, *_COUNTS}

Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Portrait:
    """Snapshots of one run: the learning steps before each, the number of rules in each.

    The other arrays hold the rules of all snapshots, one after the other, as
    `ruleplay.engine.XCS.export` names them; bounds are in the problem's units, and infinite
    where a rule's interval reaches the edge.
    """

    seed: int
    steps: NDArray[np.int64]
    sizes: NDArray[np.int64]
    rules: Arrays

    def snapshots(self) -> Iterator[tuple[int, Arrays]]:
        """Return each number of learning steps with the rules after it."""
        ends = np.cumsum(self.sizes)
        for step, end, size in zip(self.steps, ends, self.sizes, strict=True):
            yield int(step), {name: part[end - size : end] for name, part in self.rules.items()}


class Painter:
    """Take snapshots of a run's rules on its way; the run does not notice."""

    def __init__(self) -> None:
        self._ahead = list(MOMENTS)
        self._seen: list[tuple[int, Arrays]] = []

    def look(self, done: int, total: int, engine: XCS) -> None:
        """Look at the rules if it is time to."""
        due = [moment for moment in self._ahead if moment * total <= 100 * done]
        if due:
            self._seen.append((done, _rules_of(engine)))
            del self._ahead[: len(due)]

    def portrait(self, seed: int) -> Portrait:
        """Return what was seen."""
        rules = [rules for _, rules in self._seen]
        return Portrait(
            seed=seed,
            steps=np.array([step for step, _ in self._seen]),
            sizes=np.array([len(one["action"]) for one in rules]),
            rules={name: np.concatenate([one[name] for one in rules]) for name in rules[0]},
        )


def portrayed_runs(study: Study) -> set[tuple[str, int]]:
    """Return the keys of the runs that have portraits: the first of each cell with a plane."""
    return {
        (cell.spec.digest(), study.seeds_of(cell)[0])
        for cell in study.cells
        if not cell.variant and _can_be_drawn(cell.spec)
    }


def save_portrait(path: Path, portrait: Portrait) -> None:
    """Publish a portrait as a whole."""
    if not path.parent.is_dir():
        path.parent.mkdir(parents=True, exist_ok=True)
        flush_folder(path.parent.parent)
    head = {"steps": portrait.steps, "sizes": portrait.sizes}
    write_whole(path, pack_arrays({**head, **portrait.rules}))


def read_portrait(folder: Path, digest: str) -> Portrait | None:
    """Read the portrait of a specification among results, None if there is none."""
    paths = sorted((folder / FOLDER).glob(f"{digest}-[0-9]*.npz"))
    if not paths:
        return None
    arrays = unpack_arrays(paths[0])
    missing = _PARTS - set(arrays)
    if missing:
        raise StoreError(f"{paths[0]} holds no portrait: it lacks {', '.join(sorted(missing))}")
    steps, sizes = arrays.pop("steps"), arrays.pop("sizes")
    if {array.shape[:1] for array in arrays.values()} != {(int(sizes.sum()),)}:
        raise StoreError(f"{paths[0]} holds no portrait: its parts differ in length")
    return Portrait(int(paths[0].stem.rpartition("-")[2]), steps, sizes, arrays)


def list_portraits(folder: Path) -> list[str]:
    """Return the names of the portraits among results."""
    return sorted(path.name for path in (folder / FOLDER).glob("*.npz"))


def copy_portraits(source: Path, target: Path, digests: Iterable[str]) -> None:
    """Copy portraits of specifications with fewer snapshots, and numbers of four figures."""
    for digest in digests:
        portrait = read_portrait(source, digest)
        if portrait is not None:
            save_portrait(portrait_path(target, digest, portrait.seed), reduce_portrait(portrait))


def reduce_portrait(portrait: Portrait) -> Portrait:
    """Return a portrait that takes a sixth of the room."""
    total = int(portrait.steps[-1])
    wanted = [total * moment // 100 for moment in FEW_MOMENTS]
    kept = np.unique(np.searchsorted(portrait.steps, wanted).clip(max=len(portrait.steps) - 1))
    rows = np.isin(np.repeat(np.arange(len(portrait.sizes)), portrait.sizes), kept)
    rules = {name: round_floats(part[rows]) for name, part in portrait.rules.items()}
    return Portrait(portrait.seed, portrait.steps[kept], portrait.sizes[kept], rules)


def round_floats(values: NDArray[Any], kept: int = 12) -> NDArray[Any]:
    """Return numbers rounded to a number of binary digits, which compress well.

    >>> round_floats(np.array([1000.123, np.inf], np.float32), kept=8).tolist()
    [1000.0, inf]
    """
    if values.dtype.kind != "f":
        return values
    digits, exponent = np.frexp(values)
    rounded: NDArray[Any] = np.ldexp(np.round(np.ldexp(digits, kept)), exponent - kept)
    return rounded.astype(values.dtype)


def portrait_path(folder: Path, digest: str, seed: int) -> Path:
    """Return where a portrait belongs."""
    return folder / FOLDER / f"{digest}-{seed}.npz"


def _can_be_drawn(spec: RunSpec) -> bool:
    """Tell whether a run has rules, and over a plane."""
    try:
        problem = make_problem(spec.problem_name, **spec.problem_options)
    except ConfigError:  # of a run that fails
        return False
    return spec.xcs is not None and problem.n_features == 2


def _rules_of(engine: XCS) -> Arrays:
    """Return the rules of an engine, small."""
    parts = engine.export()
    span = engine.high - engine.low
    lower, upper = (engine.low + parts[side] * span for side in ("lower", "upper"))
    rules: Arrays = {
        "lower": np.where(parts["lower"] <= 0.0, -np.inf, lower),
        "upper": np.where(parts["upper"] >= 1.0, np.inf, upper),
        **{name: parts[name] for name in _FLOATS},
    }
    if "weights" in parts:
        rules["weights"] = parts["weights"]
    rules = {name: array.astype(np.float32) for name, array in rules.items()}
    rules["action"] = parts["action"].astype(np.int16)
    return rules | {name: parts[name].astype(np.int32) for name in _COUNTS}
