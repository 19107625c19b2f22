"""Learn from a stream whose concept changes twice, and say what was learned.

Run with: python examples/learn_stream.py [number of examples] [--out PICTURE]
(needs ruleplay[river])

The picture shows the accuracy over the latest 300 examples; the concept changes at the lines.
"""

import argparse
from itertools import islice

import numpy as np
from matplotlib.figure import Figure
from river import metrics
from river.datasets import synth

from ruleplay import XCSStream

CONCEPTS = (0, 2, 3)
WINDOW = 300


def draw(right: list[bool], path: str) -> None:
    recent = np.convolve(right, np.ones(WINDOW) / WINDOW, mode="valid")
    figure = Figure(figsize=(8, 3.5), layout="constrained")
    axes = figure.subplots()
    axes.plot(np.arange(WINDOW, len(right) + 1), 100 * recent)
    for number in range(1, len(CONCEPTS)):
        axes.axvline(number * len(right) / len(CONCEPTS), color="grey", linestyle="--")
    axes.set(xlabel="example", ylabel="accuracy, %", title="SEA, one label in ten is wrong")
    figure.savefig(path, dpi=110)


def main(n_examples: int = 15_000, out: str | None = None) -> float:
    model = XCSStream(replay="drift", seed=0)
    accuracy, right = metrics.Accuracy(), []
    for concept, variant in enumerate(CONCEPTS, start=1):
        recent = metrics.Accuracy()
        stream = synth.SEA(variant, noise=0.1, seed=variant)
        for x, y in islice(stream, n_examples // len(CONCEPTS)):
            guess = model.predict_one(x)  # first ask, then learn
            accuracy.update(y, guess)
            recent.update(y, guess)
            right.append(guess == y)
            model.learn_one(x, y)
        print(f"concept {concept}: {recent} (one label in ten is wrong)")
    print(f"all: {accuracy}; reacted to {model.n_drifts} drifts")
    print(f"{len(model.rules_)} rules, of which the weightiest are:")
    print(model.rules_text(top=4))
    if out:
        draw(right, out)
    return float(accuracy.get())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("n_examples", nargs="?", type=int, default=15_000)
    parser.add_argument("--out", help="where to save the picture")
    main(**vars(parser.parse_args()))
