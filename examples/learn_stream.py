"""Learn from a stream whose concept changes twice, and say what was learned.

Run with: python examples/learn_stream.py [number of examples]    (needs ruleplay[river])
"""

import sys
from itertools import islice

from river import metrics
from river.datasets import synth

from ruleplay import XCSStream


def main(n_examples: int = 15_000) -> float:
    model = XCSStream(replay="drift", seed=0)
    accuracy = metrics.Accuracy()
    for concept, variant in enumerate((0, 2, 3), start=1):
        recent = metrics.Accuracy()
        stream = synth.SEA(variant, noise=0.1, seed=variant)
        for x, y in islice(stream, n_examples // 3):
            guess = model.predict_one(x)  # first ask, then learn
            accuracy.update(y, guess)
            recent.update(y, guess)
            model.learn_one(x, y)
        print(f"concept {concept}: {recent} (one label in ten is wrong)")
    print(f"all: {accuracy}; reacted to {model.n_drifts} drifts")
    print(f"{len(model.rules_)} rules, of which the weightiest are:")
    print(model.rules_text(top=4))
    return float(accuracy.get())


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
