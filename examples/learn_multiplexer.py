"""Learn the 6-bit real multiplexer with and without replay, and read the rules.

Run with: python examples/learn_multiplexer.py [steps] [--out PICTURE]

The picture compares both on their way.
"""

import argparse

from matplotlib.figure import Figure

from ruleplay import XCS, ReplayConfig, XCSConfig
from ruleplay.engine.run_record import RunRecord
from ruleplay.envs import make_problem
from ruleplay.rules import rules_text


def learn(replay: ReplayConfig | None, steps: int) -> tuple[XCS, RunRecord]:
    problem = make_problem("rmp6")
    engine = XCS(
        XCSConfig(population_size=800, ga_threshold=12, cover_spread=1.0),
        replay,
        n_actions=problem.n_actions,
        low=problem.low,
        high=problem.high,
        seed=0,
        about={"feature_names": problem.feature_names, "action_names": problem.action_names},
    )
    return engine, engine.run(problem, steps, curve_points=80)


def draw(records: dict[str, RunRecord], path: str) -> None:
    figure = Figure(figsize=(9, 3.5), layout="constrained")
    for axes, measure in zip(figure.subplots(1, 2), ("reward", "macroclassifiers"), strict=True):
        for name, record in records.items():
            axes.plot(record.curve["step"], record.curve[measure], label=name)
        axes.set(xlabel="learning step", ylabel=measure)
        axes.legend()
    figure.savefig(path, dpi=110)


def main(steps: int = 40_000, out: str | None = None) -> None:
    _, plain = learn(None, steps)
    engine, replayed = learn(ReplayConfig(batch_size=4, warmup=500), steps)
    for name, record in (("without", plain), ("with", replayed)):
        print(f"{name} replay: reward {record.curve['reward'][-1]:.0f} of 1000 in the last steps")
    print(rules_text(engine, top=5))
    if out:
        draw({"XCS": plain, "XCS with replay": replayed}, out)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("steps", nargs="?", type=int, default=40_000)
    parser.add_argument("--out", help="where to save the picture")
    main(**vars(parser.parse_args()))
