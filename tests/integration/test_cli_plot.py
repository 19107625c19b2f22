"""The learning curve of a run, whatever the run has to show."""

import numpy as np
import pytest

from ruleplay.errors import ConfigError
from ruleplay.experiments.metrics import CurveBand, RunCurve
from ruleplay.report.curves import draw_learning_curve, save_figure
from ruleplay.report.figures import REWARD, draw_grid

MEASURES = ("reward", "system_error", "macroclassifiers", "microclassifiers", "generality_volume")


def course(*, rules=True, returns=()):
    curve = {name: np.linspace(1.0, 5.0, 10) for name in MEASURES}
    if not rules:
        curve |= {name: np.full(10, np.nan) for name in MEASURES[1:]}
    curve["step"] = np.arange(100.0, 1100.0, 100.0)
    lengths = np.full(len(returns), 50)
    return RunCurve(curve, np.array(returns, float), lengths)


def labels(axes):
    return axes.get_legend_handles_labels()[1]


def test_single_step_run_shows_reward_error_and_population():
    upper, lower = draw_learning_curve(course(), "a run").axes
    assert labels(upper) == ["reward", "system error"]
    assert labels(lower) == ["with numerosity", "distinct"]
    assert lower.get_xlim() == (0.0, 1000.0)


def test_multi_step_run_shows_returns():
    upper, _ = draw_learning_curve(course(returns=[1, 2, 3]), "a run", 70.0).axes
    assert labels(upper) == [
        "one episode",
        "mean of the last 100 episodes",
        "threshold of divergence",
    ]


def test_run_without_rules_has_no_population():
    assert len(draw_learning_curve(course(rules=False, returns=[1]), "a run", 70.0).axes) == 1


def test_run_without_a_finished_episode_says_so():
    upper, _ = draw_learning_curve(course(), "a run", 70.0).axes
    assert upper.texts[0].get_text() == "no episode was finished"


def test_same_run_draws_the_same_file(tmp_path):
    for name in ("a.svg", "b.svg"):
        save_figure(draw_learning_curve(course(), "a run"), tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_unknown_suffix_is_refused(tmp_path):
    with pytest.raises(ConfigError, match=r"must end in \.svg, \.png, \.pdf"):
        save_figure(draw_learning_curve(course(), "a run"), tmp_path / "a.gif")
    assert list(tmp_path.iterdir()) == []


def test_titles_are_drawn_as_they_are(tmp_path):
    title = "$\\frac$ of\x1b _me_"
    save_figure(draw_learning_curve(course(), title), tmp_path / "a.svg")
    assert r">$\frac$ of\x1b _me_<" in (tmp_path / "a.svg").read_text()


def test_agents_in_the_legend_are_named_as_they_are(tmp_path):
    curve = course().curve
    band = CurveBand(1, curve["step"], {"reward": curve["reward"]}, {"reward": curve["reward"]})
    save_figure(draw_grid([("$^$", REWARD, {"_$^$": band, "xcs": band})]), tmp_path / "a.svg")
    drawn = (tmp_path / "a.svg").read_text()
    for text in ("_$^$", "XCS", "$^$: Reward"):
        assert f">{text}<" in drawn
