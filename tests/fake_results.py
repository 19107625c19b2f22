"""Results without runs: figures drawn around the paper's own, with the interface of a store."""

from pathlib import Path

import numpy as np

from ruleplay.experiments.metrics import CurveBand, RunCurve
from ruleplay.experiments.portraits import Portrait, portrait_path, save_portrait
from ruleplay.experiments.spec import specify_run
from ruleplay.experiments.storage.results import CellKey, FailedRun, frame_of
from ruleplay.studies.paper.printed import load_paper

FEATURES = {"mario": 2, "rmp6": 6, "wbc": 9, "chain16": 1, "cartpole": 4, "mountaincar": 2}


class FakeResults:
    """A study whose every sample has exactly the paper's mean and standard deviation.

    `shifts` moves the mean of (preset, agent, metric) by so many of the paper's SDs; `single` is
    the number of runs whose own curves are there.
    """

    def __init__(self, presets=None, *, reps=30, shifts=None, skip_agents=(), steps=None, single=0):
        self.path = Path("fake")
        self.shifts, self.single = shifts or {}, single
        self._specs, self._cells, self._rows, self._failures = {}, [], [], []
        for problem in load_paper().problems:
            if presets is not None and problem.preset not in presets:
                continue
            for row in problem.rows:
                if row.agent not in skip_agents:
                    self.add(problem, row, reps, steps)

    def add(self, problem, row, reps, steps=None, variant=""):
        spec = specify_run(problem.preset, row.agent, steps=steps)
        key = CellKey(problem.preset, row.agent, variant, spec.digest())
        self._specs[key.digest] = spec
        self._cells.append(key)
        figures = {
            metric: self._draw(key, cell, reps, seed)
            for seed, (metric, cell) in enumerate(row.cells.items())
        }
        for seed in range(reps):
            self._rows.append({**key._asdict(), "seed": seed, **self._row(figures, seed, key)})

    def _draw(self, key, cell, reps, seed):
        if cell.is_count:
            return np.arange(reps) < round(cell.mean.value * reps / 30)
        values = np.random.default_rng([seed, len(key.agent)]).normal(size=reps)
        if reps > 1:
            values = (values - values.mean()) / values.std(ddof=1)
        shift = self.shifts.get((key.preset, key.agent, cell.metric), 0.0)
        return cell.mean.value + cell.spread * (values + shift)

    def _row(self, figures, seed, key):
        row = {name: values[seed].item() for name, values in figures.items()}
        half = row.pop("generality", None)
        features = FEATURES[key.preset.removeprefix("stein2020/").removesuffix("-t")]
        row["generality_half_width"] = half
        row["generality_volume"] = None if half is None else half * 2**features
        row["otm_trailing"] = row.get("otm")
        diverged = row.setdefault("diverged", None)
        row["never_rewarded"] = bool(diverged) and seed % 2 == 0
        row["first_reward_step"] = None if row["never_rewarded"] else 100 + seed
        row["seconds"] = 1.5
        return row

    def fail(self, key, seed):
        self._failures.append(FailedRun(*key[:3], seed, "ValueError: no luck", "Traceback ..."))

    def cells(self):
        return list(self._cells)

    def spec(self, digest):
        return self._specs[digest]

    def summaries(self):
        return frame_of(self._rows)

    def failures(self):
        return list(self._failures)

    def close(self):
        pass

    def courses(self, digest):
        band = self.band(digest)
        for seed in range(self.single):
            noise = np.random.default_rng(seed).normal(size=len(band.step))
            curve = {name: band.mean[name] + noise * band.sd[name] for name in band.mean}
            yield seed, RunCurve({"step": band.step, **curve}, np.zeros(0), np.zeros(0, int))

    def band(self, digest):
        spec = self._specs[digest]
        speed = {"xcs": 1.0, "xcs-er": 2.0, "xcs-er-8": 3.0, "dqn": 1.5}[spec.agent]
        step = np.linspace(spec.steps / 200, spec.steps, 200)
        progress = 1 - np.exp(-5 * speed * step / spec.steps)
        mean = {
            "reward": 500 + 500 * progress,
            "system_error": 400 * (1 - progress) + 10,
            "macroclassifiers": 500 * progress * (1.6 - progress),
            "generality_volume": 0.1 + 0.05 * progress,
        }
        if spec.agent == "dqn":
            mean = {"reward": mean["reward"]}
        if spec.problem_name in ("chain", "cartpole", "mountaincar"):
            mean["trailing_return"] = np.where(step < step[5], np.nan, 150 * progress)
        sd = {name: 0.08 * np.abs(values) for name, values in mean.items()}
        return CurveBand(30, step, mean, sd)


def save_fake_portrait(results, preset, agent, sizes=(5, 60, 200), linear=False):
    """Leave snapshots of made-up rules over the unit square among results."""
    spec = specify_run(preset, agent)
    random, rules = np.random.default_rng(len(agent)), sum(sizes)
    middle, half = random.random((rules, 2)), 0.05 + 0.2 * random.random((rules, 2))
    parts = {name: random.random(rules) for name in ("error", "fitness", "prediction")}
    parts["prediction"] *= 1000.0
    parts |= {"lower": middle - half, "upper": middle + half}
    if linear:
        parts["weights"] = random.normal(size=(rules, 3))
    parts = {name: array.astype(np.float32) for name, array in parts.items()}
    parts["action"] = random.integers(0, 3, rules).astype(np.int16)
    parts |= {name: random.integers(1, 99, rules) for name in ("numerosity", "experience")}
    steps = np.linspace(0, spec.steps, len(sizes) + 1)[1:].astype(int)
    portrait = Portrait(0, steps, np.array(sizes), parts)
    save_portrait(portrait_path(results.path, spec.digest(), 0), portrait)
