"""Compare XCSStreamRegressor with River's regressors on streams, example by example.

    python benchmarks/stream_quantities.py [--examples 20000] [--seeds 5]
    python benchmarks/stream_quantities.py --table    # rebuild the tables of docs/streams.md only

Each finished run is one row of docs/results/stream_quantities.csv; what is there is not done
again. Needs the extra ruleplay[river].
"""

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from streams import ROOT, SLOW, Benchmark, Example, Row, Stream, main, table

RESULTS = ROOT / "docs" / "results" / "stream_quantities.csv"
COLUMNS = ("stream", "seed", "learner", "examples", "mae", "rmse")


def make_streams() -> dict[str, Stream]:
    """Return the streams by name."""
    from river import datasets
    from river.datasets import synth

    def drifting(kind: str, parts: int) -> Stream:
        def make(examples: int, seed: int) -> Iterable[Example]:
            changes = tuple(examples * k // parts for k in range(1, parts))
            window = examples // 10
            return synth.FriedmanDrift(kind, changes, window, seed=seed).take(examples)

        return Stream(make)

    return {
        "Friedman": Stream(lambda examples, seed: synth.Friedman(seed=seed).take(examples)),
        "Friedman, local drift": drifting("lea", 4),
        "Friedman, abrupt drift": drifting("gra", 3),
        "Friedman, gradual drift": drifting("gsg", 3),
        "Planes2D": Stream(lambda examples, seed: synth.Planes2D(seed=seed).take(examples)),
        "Mv": Stream(lambda examples, seed: named(synth.Mv(seed=seed).take(examples))),
        "ChickWeights": Stream(lambda examples, seed: datasets.ChickWeights().take(examples)),
        "TrumpApproval": Stream(lambda examples, seed: datasets.TrumpApproval().take(examples)),
    }


def named(examples: Iterable[Example]) -> Iterator[Example]:
    """Yield examples whose features have words for names: some learners sort them."""
    for x, y in examples:
        yield {f"x{name}": value for name, value in x.items()}, y


def make_learners() -> dict[str, Callable[[int], Any]]:
    """Return what makes each learner from a seed, by name."""
    from river import forest, linear_model, rules, tree

    from ruleplay import XCSStreamRegressor

    return {
        "linear regression": lambda seed: prepared(linear_model.LinearRegression()),
        "AMRules": lambda seed: prepared(rules.AMRules()),
        "Hoeffding tree": lambda seed: prepared(tree.HoeffdingTreeRegressor()),
        "Hoeffding adaptive tree": lambda seed: prepared(
            tree.HoeffdingAdaptiveTreeRegressor(seed=seed)
        ),
        "XCS": lambda seed: XCSStreamRegressor(replay=None, seed=seed),
        "XCS, fifo": lambda seed: XCSStreamRegressor(replay="fifo", seed=seed),
        "XCS, drift": lambda seed: XCSStreamRegressor(replay="drift", seed=seed),
        "adaptive random forest": lambda seed: prepared(forest.ARFRegressor(seed=seed)),
    }


def prepared(model: Any) -> Any:
    """Return a learner of River behind what it needs: scaled numbers, a column for each word."""
    from river import compose, preprocessing

    numbers = compose.SelectType((int, float)) | preprocessing.StandardScaler()
    words = compose.SelectType(str) | preprocessing.OneHotEncoder()
    return (numbers + words) | model


def judge(examples: Iterable[Example], model: Any, drifts: int = 0) -> Row:
    """Return the errors of a run, each example predicted before it is learned from."""
    count, absolute, squared = 0, 0.0, 0.0
    for x, y in examples:
        error = model.predict_one(x) - y
        model.learn_one(x, y)
        count, absolute, squared = count + 1, absolute + abs(error), squared + error**2
    rmse = math.sqrt(squared / count)
    return {"examples": str(count), "mae": f"{absolute / count:.4f}", "rmse": f"{rmse:.4f}"}


def make_tables(rows: list[Row]) -> Row:
    """Return the tables of the page, by name."""
    fast = [row for row in rows if row["learner"] not in SLOW]
    reached = {row["stream"] for row in rows if row["learner"] in SLOW}
    with_slow = [row for row in rows if row["stream"] in reached]
    return {
        "mae": table(fast, "mae", 2, overall=False),
        "rmse": table(fast, "rmse", 2, overall=False),
        "quantity_forest": table(with_slow, "mae", 2, overall=False),
    }


BENCHMARK = Benchmark(RESULTS, COLUMNS, make_streams, make_learners, judge, make_tables)

if __name__ == "__main__":
    main(BENCHMARK, __doc__)
