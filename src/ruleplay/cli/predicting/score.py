"""Count how often answers are right, chunk by chunk."""

from collections import Counter

import numpy as np
import pandas as pd

from ruleplay.cli.fitting.fitting import Measure
from ruleplay.experiments.stats import exact_share
from ruleplay.rules.spelling import places_by_spelling, spelling


class Score:
    """How often each class was taken for each."""

    def __init__(self, classes: list[str]) -> None:
        """Know the classes by their names, however these are spelled."""
        self._classes = classes
        self._places = places_by_spelling(classes)
        self._counts: Counter[tuple[str, str]] = Counter()
        self.without = 0  # rows that do not say what is right

    def note(self, truths: "pd.Series[str]", answers: list[str]) -> None:
        """Count answers beside what is right."""
        known = truths.astype(object)
        for truth, answer in zip(known.where(known.notna(), None), answers, strict=True):
            if truth is None:
                self.without += 1
            else:
                self._counts[self._named(truth), answer] += 1

    def _named(self, truth: str) -> str:
        """Return the class that a text means, or the text, if it is none."""
        if truth in self._classes:
            return truth
        place = self._places.get(spelling(truth) or "")
        return truth if place is None else self._classes[place]

    @property
    def measure(self) -> Measure | None:
        """Return how many answers were right; None if there was nothing to compare with."""
        _, counts = self.confusions()
        if not counts.sum():
            return None
        rows = counts.sum(axis=1)
        hits = np.diag(counts)
        share = exact_share(int(hits.sum()), int(counts.sum()))
        return Measure(share, float((hits[rows > 0] / rows[rows > 0]).mean()))

    @property
    def unknown(self) -> dict[str, int]:
        """Return how many rows are of classes that the model does not know."""
        found: Counter[str] = Counter()
        for (truth, _), count in self._counts.items():
            if truth not in self._classes:
                found[truth] += count
        return dict(found)

    def confusions(self) -> tuple[list[str], "np.ndarray[tuple[int, int], np.dtype[np.int64]]"]:
        """Return all classes, and how often each (row) was taken for each (column)."""
        names = [*self._classes, *sorted(self.unknown)]
        counts = np.zeros((len(names), len(names)), np.int64)
        for (truth, answer), count in self._counts.items():
            counts[names.index(truth), names.index(answer)] += count
        return names, counts
