"""Files of users' own studies, small, and results of one without runs."""

from pathlib import Path

import numpy as np

from ruleplay.experiments.metrics import CurveBand
from ruleplay.experiments.storage.results import CellKey, frame_of
from ruleplay.studies.own.description import describe
from ruleplay.studies.own.file import read_study

TINY = """
title = "Do batches matter?"
about = "Two batches in very short runs."
presets = ["stein2020/rmp6"]
agents = ["xcs-er"]
seeds = 3
steps = 400

[settings]
population_size = 60
replay_warmup = 50
replay_capacity = 500

[vary]
replay_batch_size = [2, 4]
"""


def write_study(folder, text=TINY, name="batches.toml"):
    path = Path(folder) / name
    path.write_text(text, encoding="utf-8")
    return path


class MadeUpResults:
    """Results of a study whose figures are given: by label, one row of values per metric."""

    def __init__(self, path, figures, command="ruleplay reproduce --study batches.toml"):
        source = read_study(path)
        self.path = Path(path).parent / "results"
        self.description = describe(source, command)
        self._specs = {cell.spec.digest(): cell.spec for cell in source.study.cells}
        self._rows, self._failures = [], []
        for cell in self.description.cells:
            for name, values in figures.get(cell.label, {}).items():
                for seed, value in enumerate(values):
                    self._note(cell.key, seed, name, value)

    def _note(self, key, seed, name, value):
        for row in self._rows:
            if (row["digest"], row["seed"]) == (key.digest, seed):
                row[name] = value
                return
        self._rows.append({**key._asdict(), "seed": seed, "seconds": 1.0, name: value})

    def cells(self):
        return [CellKey(*cell.key) for cell in self.description.cells]

    def spec(self, digest):
        return self._specs[digest]

    def summaries(self):
        return frame_of(self._rows)

    def failures(self):
        return self._failures

    def courses(self, digest):
        return iter(())

    def close(self):
        pass

    def band(self, digest):
        step = np.linspace(2.0, 400.0, 200)
        return CurveBand(3, step, {"reward": 500 + step}, {"reward": np.full(200, 10.0)})
