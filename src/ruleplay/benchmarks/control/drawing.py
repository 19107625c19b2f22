"""Draw performance profiles: which share of runs scores more than each level."""

import numpy as np
import pandas as pd
from matplotlib import rc_context
from matplotlib.figure import Figure

from ruleplay.benchmarks.control.analysis import normalised, profile, shared_problems
from ruleplay.benchmarks.control.contenders import DERIVED, ROSTER
from ruleplay.report.curves import STYLE
from ruleplay.rules.drawing.pictures import LITERAL

LEVELS = np.linspace(0.0, 1.2, 241)
SIZE = (8.0, 4.5)


def draw_profiles(runs: pd.DataFrame, figure: str, contenders: list[str]) -> Figure:
    """Draw the profile of each contender; lists and trees are dashed, ours are thick."""
    good = normalised(runs, figure)
    problems = shared_problems(runs, contenders)
    with rc_context(STYLE):
        drawing = Figure(figsize=SIZE, layout="constrained")
        axes = drawing.subplots()
        colours: dict[str, str] = {}
        for name in contenders:
            source = DERIVED.get(name, name)
            colours.setdefault(source, f"C{len(colours)}")
            axes.plot(
                LEVELS,
                profile(good, name, LEVELS, problems),
                label=ROSTER.title(name),
                color=colours[source],
                linestyle="--" if name in DERIVED else "-",
                linewidth=2.2 if name in ROSTER.own else 1.2,
            )
        axes.set_xlabel("normalised score")
        axes.set_ylabel("share of runs that score more")
        axes.set_ylim(0.0, 1.02)
        axes.set_xlim(LEVELS[0], LEVELS[-1])
        axes.set_title(
            f"Profiles over {len(problems)} problems", loc="left", fontsize="medium", **LITERAL
        )
        axes.legend(frameon=False, fontsize="small")
    return drawing
