"""Drive a car out of a valley by rules that one can read.

    python examples/control_mountaincar.py [steps] [--out PICTURE]

The car is rewarded at the goal only. After learning, the car drives 100 times without
exploration; then the strongest rules are printed, and a list of few rules that drives as well;
the agent is saved and read back, and says why it does what it does. The picture shows all rules
over position and velocity.
"""

import argparse
import tempfile
from pathlib import Path

from ruleplay import XCSAgent
from ruleplay.rules import draw_map


def main(steps: int = 30_000, out: str | None = None) -> None:
    agent = XCSAgent("ruleplay/MountainCar-v0", seed=0)
    agent.learn(steps, progress_bar=True)

    result = agent.evaluate(episodes=100)
    reached = sum(value > 0 for value in result.returns)
    print(f"{reached} of 100 drives reach the goal, in {sum(result.lengths) / 100:.0f} steps each")
    print(agent.rules_text(top=5))

    made = agent.compact(max_rules=3, episodes=20)
    print(made)
    print(made.ruleset.text())

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "car.ruleplay"
        agent.save(path)
        driver = XCSAgent.load(path)
    action, _ = driver.predict([-0.5, 0.02])
    print(f"in the valley, moving to the right: action {action}, because")
    print(driver.explain([-0.5, 0.02]).text(top=2))
    if out:
        draw_map(driver.engine).savefig(out, dpi=100)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("steps", nargs="?", type=int, default=30_000)
    parser.add_argument("--out", help="where to save the picture")
    main(**vars(parser.parse_args()))
