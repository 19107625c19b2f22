import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from ruleplay.experiments.storage.compact import open_results
from ruleplay.studies.paper import analysis
from ruleplay.studies.paper.printed import BASELINE, load_paper
from ruleplay.studies.paper.verdicts import (
    Ours,
    judge,
    our_effect,
    paper_effect,
    summarise,
    tally,
)

PAPER = load_paper()
RMP, CHAIN, CAR, CAR_T = (
    PAPER.problem(f"stein2020/{name}")
    for name in ("rmp6", "chain16", "mountaincar", "mountaincar-t")
)


def ours(mean, sd=1.0, n=30, **effect):
    return Ours(mean=mean, sd=sd, n=n, **effect)


UP = {"change": 1.0, "p": 0.001, "pairs": 30}
DOWN = {"change": -1.0, "p": 0.001, "pairs": 30}
NONE = {"change": 1.0, "p": 0.4, "pairs": 30}


@pytest.mark.parametrize(
    ("mean", "verdict"),
    [(925.97, "match"), (925.97 + 2 * 12.82, "match"), (925.97 - 2 * 12.83, "differs")],
    ids=["equal", "at-two-sds", "beyond-two-sds"],
)
def test_the_baseline_matches_within_two_standard_deviations_or_differs(mean, verdict):
    assert judge(RMP, BASELINE, "reward", ours(mean)).verdict == verdict


def test_rounding_is_allowed_for():
    cell = PAPER.problem("stein2020/chain16-t").row(BASELINE).cells["reward"]  # 0.88 ± 0.00
    problem = PAPER.problem("stein2020/chain16-t")
    assert (cell.mean.text, cell.sd.text) == ("0.88", "0.00")
    assert judge(problem, BASELINE, "reward", ours(0.8949)).verdict == "match"
    assert judge(problem, BASELINE, "reward", ours(0.8951)).verdict == "differs"


@pytest.mark.parametrize(
    ("mean", "effect", "verdict"),
    [
        (957.0, UP, "match"),
        (957.0, NONE, "match"),
        (990.0, UP, "direction"),
        (990.0, NONE, "differs"),
        (957.0, DOWN, "differs"),
        (990.0, DOWN, "differs"),
    ],
    ids=["both", "number", "effect", "neither", "number-but-opposed", "opposed"],
)
def test_replay_cells_need_the_number_or_the_effect(mean, effect, verdict):
    assert judge(RMP, "xcs-er", "reward", ours(mean, **effect)).verdict == verdict


def test_a_number_inside_a_wide_spread_does_not_hide_an_opposed_effect():
    judgement = judge(CHAIN, "xcs-er", "otm", ours(143.6, 1.6, **UP))  # paper: 95.3 ± 63.6, down
    assert abs(judgement.sds) < 2
    assert judgement.opposed
    assert judgement.verdict == "differs"


def test_no_significant_effect_in_both_is_the_same_effect():
    assert paper_effect(CHAIN, "dqn", "otm") == "none"
    assert judge(CHAIN, "dqn", "otm", ours(120.0, **NONE)).verdict == "direction"


def test_few_pairs_leave_the_effect_open_unless_it_is_large():
    assert our_effect(ours(1.0, change=1.0, p=0.01, pairs=5)) is None
    assert our_effect(ours(1.0, change=1.0, p=0.009, pairs=5)) == "up"
    assert our_effect(ours(1.0, change=1.0, p=0.01, pairs=6)) == "up"
    assert our_effect(ours(1.0, change=1.0, p=0.4, pairs=6)) == "none"
    assert our_effect(ours(1.0, change=1.0, p=math.nan, pairs=30)) is None


@pytest.mark.parametrize(
    ("sds", "sd", "verdict"),
    [
        (0.9, 1.0, "match"),
        (0.91, 1.0, "open"),
        (3.09, 1.0, "open"),
        (3.11, 1.0, "differs"),
        (3.11, 40.0, "open"),
    ],
    ids=["close", "perhaps-close", "perhaps-far", "far", "ours-spread-more"],
)
def test_three_runs_leave_open_what_thirty_may_turn(sds, sd, verdict):
    found = judge(RMP, BASELINE, "reward", ours(925.97 + 12.82 * sds, sd, n=3))  # ± 12.82
    assert found.verdict == verdict


@pytest.mark.parametrize(
    ("mean", "change", "p", "verdict"),
    [
        (990.0, 1.0, 0.2, "open"),
        (990.0, 1.0, 0.001, "direction"),
        (990.0, -1.0, 0.2, "differs"),
        (957.6, 1.0, 0.2, "match"),
        (957.6, -1.0, 0.2, "open"),
    ],
    ids=["effect-unknown", "effect-known", "far-and-opposed", "close", "close-but-opposed"],
)
def test_three_pairs_leave_open_what_only_the_effect_decides(mean, change, p, verdict):
    few = ours(mean, 3.0, n=3, change=change, p=p, pairs=3)  # the paper: 957.64 ± 3.10, up
    assert judge(RMP, "xcs-er", "reward", few).verdict == verdict


def test_few_runs_say_nothing_where_one_run_in_thirty_decides():
    for mean in (2.0, 1e5):
        assert judge(CAR, BASELINE, "system_error", ours(mean, n=3)).verdict == "open"


def test_verdicts_of_three_seeds_are_seldom_turned_by_thirty(monkeypatch):
    results = open_results(Path(__file__).parents[3] / "docs" / "results" / "stein2020")
    read = analysis.read_samples
    final = verdicts_of(results)
    turned = Counter()
    for first in (0, 9, 27):
        few = [sample.with_seeds(first, first + 3) for sample in read(results)]
        monkeypatch.setattr(analysis, "read_samples", lambda _, few=few: few)
        for cell, verdict in verdicts_of(results).items():
            turned[verdict, verdict == final[cell]] += 1
    # Confirmed in all ten triples: 92 of 94 cells that differ, 356 of 401 that match (0.89).
    assert turned["differs", False] <= 2 < 20 < turned["differs", True]
    assert turned["match", True] > 0.8 * (turned["match", True] + turned["match", False])


def verdicts_of(results):
    cells = analysis.analyse(results).cells()
    named = {(c.problem.preset, c.row.agent, c.metric): c.judgement.verdict for c in cells}
    return {cell: verdict for cell, verdict in named.items() if cell[1] != "dqn"}


def test_a_mean_made_by_one_blown_up_run_must_be_met_in_size():
    blown_up = CAR.row(BASELINE).cells["system_error"]  # 3.5E5 ± 1.8E6
    assert blown_up.spread > 3 * blown_up.mean.value
    assert judge(CAR, BASELINE, "system_error", ours(2.0)).verdict == "differs"
    assert judge(CAR, BASELINE, "system_error", ours(1e5)).verdict == "match"


@pytest.mark.parametrize(
    ("agent", "count", "effect", "verdict"),
    [
        ("xcs-er", 9, UP, "match"),
        ("xcs-er", 8, UP, "match"),
        ("xcs-er", 0, {"change": -0.1, "p": 0.5, "pairs": 30}, "differs"),
        ("xcs-er", 25, UP, "direction"),
        ("xcs", 3, {}, "match"),
        ("xcs", 12, {}, "differs"),
    ],
)
def test_numbers_of_diverged_runs_are_told_apart_by_fishers_test(agent, count, effect, verdict):
    assert judge(CHAIN, agent, "diverged", ours(count, math.nan, **effect)).verdict == verdict


def test_the_papers_effect_on_divergence_is_computed_from_its_numbers():
    assert paper_effect(CHAIN, "xcs-er", "diverged") == "up"  # 9 against 1
    assert paper_effect(CAR, "dqn", "diverged") == "down"  # 3 against 29
    assert paper_effect(CAR_T, "xcs-er", "diverged") == "none"  # 0 against 5: p = 0.052
    assert paper_effect(CHAIN, BASELINE, "diverged") is None


def test_the_papers_test_counts_where_its_stars_contradict_it():
    assert CAR_T.row("xcs-er").cells["macroclassifiers"].stars == 0
    assert paper_effect(CAR_T, "xcs-er", "macroclassifiers") == "up"


def test_a_cell_without_runs_is_missing():
    assert judge(CHAIN, "dqn", "otm", None).verdict == "missing"
    assert judge(CHAIN, "dqn", "otm", ours(math.nan, math.nan, n=0)).verdict == "missing"


def test_differences_are_given_in_the_papers_standard_deviations():
    judgement = judge(RMP, "xcs-er", "reward", ours(957.64 - 6.2, **UP))
    assert judgement.difference == pytest.approx(-6.2)
    assert judgement.sds == pytest.approx(-2.0)
    assert judgement.same_p < 0.01


def test_one_run_can_be_judged():
    assert judge(RMP, BASELINE, "reward", ours(926.0, math.nan, n=1)).verdict == "match"
    assert judge(RMP, BASELINE, "reward", ours(940.0, math.nan, n=1)).verdict == "open"


def test_a_tally_counts_verdicts_and_effects():
    counted = tally(
        [
            judge(RMP, BASELINE, "reward", ours(926.0)),
            judge(RMP, "xcs-er", "reward", ours(990.0, **UP)),
            judge(RMP, "xcs-er", "system_error", ours(400.0, **UP)),
            judge(RMP, "xcs-er", "macroclassifiers", None),
        ]
    )
    assert counted.counts == {"match": 1, "direction": 1, "differs": 1, "open": 0, "missing": 1}
    assert (counted.cells, counted.effects, counted.same_effects) == (4, 2, 1)
    assert sum(share for _, _, share in counted.shares) == pytest.approx(100)


def test_summaries_leave_out_what_is_not_finite():
    assert summarise(np.array([1.0, np.nan, 3.0, np.inf])) == pytest.approx((2.0, math.sqrt(2), 2))
    mean, sd, n = summarise(np.array([np.nan]))
    assert math.isnan(mean)
    assert math.isnan(sd)
    assert n == 0
