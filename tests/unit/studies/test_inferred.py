"""The search for one reading: space, distance, store, stages, verdict, page; runs are made up."""

import json
import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from ruleplay.errors import ConfigError, StoreError
from ruleplay.experiments.metrics import RunCurve
from ruleplay.experiments.trial import Failure, Trial
from ruleplay.studies.inferred import search as searching
from ruleplay.studies.inferred.compact import read_finalists, take_presets, write_compact
from ruleplay.studies.inferred.crossvalidation import leave_one_out
from ruleplay.studies.inferred.distance import Row, best_measurement, distance, gaps, sds_between
from ruleplay.studies.inferred.evaluation import Evaluator
from ruleplay.studies.inferred.figures import figure_for, figures_of, mean_of
from ruleplay.studies.inferred.importance import draw_importance, weigh
from ruleplay.studies.inferred.probe import draw_readings, probe
from ruleplay.studies.inferred.reasons import UNEXPLAINED, load_reasons, reason_for
from ruleplay.studies.inferred.report import reach_verdict, write_verdict
from ruleplay.studies.inferred.search import Search, Stage, finalists, one_change_each
from ruleplay.studies.inferred.space import AGENTS, FITTED, SINGLE, load_space, read_space
from ruleplay.studies.inferred.store import RUNS, InferredStore, read_lines
from ruleplay.studies.inferred.verdict import VERDICT_SEEDS, judge_reading
from ruleplay.studies.paper.printed import load_paper

pytestmark = pytest.mark.uncompiled

DOCS = Path(__file__).parents[3] / "docs"

TINY = """
[[choice]]
name = "order"
title = "Error or prediction first"
where = "Algorithm 3"
[[choice.value]]
name = "prediction"
[[choice.value]]
name = "error"
printed = true
single = { update_order = "error_first" }

[[choice]]
name = "selection"
title = "Tournament"
where = "TS"
[[choice.value]]
name = "0.4"
[[choice.value]]
name = "0.1"
all = { tournament_fraction = 0.1 }
[[choice.value]]
name = "0.9"
all = { tournament_fraction = 0.9 }
"""
MEASURED = [choice for choice in load_space().choices.values() if choice.measured]


def tiny_space():
    space = read_space(TINY)
    return type(space)({**space.choices, **{choice.name: choice for choice in MEASURED}})


class MadeUp:
    """Make up runs that suit the paper on 6-RMP with error first and tau = 0.9, others less."""

    workers = 1

    def __init__(self, fails=False):
        self.done, self.fails = 0, fails

    def outcomes(self, tasks):
        for spec, seed, *_ in tasks:
            self.done += 1
            if self.fails:
                yield Failure(digest=spec.digest(), seed=seed, error="ValueError: no")
            else:
                yield make_up(spec, seed)


def make_up(spec, seed, points=20):
    cells = load_paper().problem(spec.preset).row(spec.agent).cells
    off = (spec.xcs.update_order != "error_first") + 3 * (spec.xcs.tournament_fraction != 0.9)
    off += 0.1 * (seed % 5)
    values = {m: c.mean.value + off * c.spread for m, c in cells.items() if not c.is_count}
    curve = {"step": np.linspace(0, spec.steps, points + 1)[1:]}
    for measure in ("reward", "system_error", "macroclassifiers"):
        curve[measure] = np.full(points, values[measure])
    curve["generality_volume"] = np.full(points, values["generality"] * 64)
    curve["generality_micro"] = curve["generality_volume"] / 2
    curve["rule_error"] = curve["system_error"] * 5
    curve["explore_error"] = curve["system_error"] * 3
    summary = {"otm": None, "otm_trailing": None, "diverged": None}
    return Trial(
        digest=spec.digest(),
        seed=seed,
        summary=summary,
        course=RunCurve(curve, np.zeros(0), np.zeros(0, np.int64)),
        seconds=0.5,
    )


STAGES = (Stage(("rmp6",), (2000, 2001)), Stage(("rmp6",), (2000, 2001, 2002, 2003)))


def make_search(folder, executor=None, space=None):
    evaluator = Evaluator(space or tiny_space(), InferredStore(folder), executor or MadeUp())
    return Search(evaluator, STAGES)


def after(n):
    """Say that it is over after having been asked n times."""
    left = iter(range(n))
    return lambda: next(left, None) is None


# --- the space --------------------------------------------------------------------------------


def test_the_first_value_of_every_choice_is_that_of_the_presets():
    space = load_space()
    for choice in space.choices.values():
        assert choice.values[0].changes == {}, choice.name
        assert choice.where
        assert len(set(choice.names)) == len(choice.names) > 1


@pytest.mark.parametrize("agent", ["xcs", "xcs-er"])
def test_every_reading_is_a_run_that_can_be_specified(agent):
    space = load_space()
    for problem in FITTED:
        specs = [space.specify(reading, problem, agent) for reading in one_change_each(space)]
        assert all(spec.xcs.detailed_curve for spec in specs)
    assert len({spec.digest() for spec in specs}) > 15


def test_each_value_changes_a_run_of_some_problem():
    space = load_space()
    rows = [(problem, agent) for problem in FITTED for agent in ("xcs", "xcs-er")]
    base = {row: space.specify(space.base, *row).digest() for row in rows}
    for reading in list(one_change_each(space))[1:]:
        assert any(space.specify(reading, *row).digest() != base[row] for row in rows), reading


def test_a_reading_changes_what_it_is_about_and_nothing_else():
    space = load_space()
    reading = space.complete({"cartpole_bounds": "2 and 2", "entries": "as printed"})
    assert space.specify(reading, "cartpole-t", "xcs").problem_options["velocity_bound"] == 2.0
    assert space.specify(reading, "cartpole", "xcs-er").replay.keep_last is False
    assert space.specify(reading, "wbc", "xcs-er") == space.specify(space.base, "wbc", "xcs-er")
    half = space.complete({"single_step": "explore or exploit step in turn"})
    assert space.specify(half, "rmp6", "xcs").steps == 20_000
    assert space.differences(half) == {"single_step": "explore or exploit step in turn"}


def test_unknown_names_are_refused_with_those_that_are_known():
    with pytest.raises(ConfigError, match="crossover"):
        load_space().complete({"crosover": "uniform"})
    with pytest.raises(ConfigError, match="two-point"):
        load_space().complete({"crossover": "two_point"})


# --- figures and distance ---------------------------------------------------------------------


def test_windows_are_parts_of_the_run():
    spec = load_space().specify(load_space().base, "rmp6", "xcs")
    trial = make_up(spec, 0, points=4)
    trial.course.curve["reward"][:] = [0.0, 0.0, 10.0, 20.0]
    figures = figures_of(trial)
    assert figures["reward/whole"] == 7.5
    assert figures["reward/last half"] == 15.0
    assert figures["reward/last tenth"] == 20.0
    assert figures["explore_error/whole"] == pytest.approx(3 * figures["system_error/whole"])


def test_a_column_is_measured_as_the_reading_says():
    figures = {"generality_volume/whole": 0.5, "generality_micro/whole": 0.25, "diverged": 0.5}
    figures |= {"system_error/whole": 1.0, "explore_error/whole": 3.0, "otm_last": 7.0}
    reading = load_space().base
    figures["rule_error/whole"] = 5.0
    assert figure_for("generality", figures, reading, "mountaincar") == 0.125
    micro = reading | {"generality": "volume, micro-rules", "error_steps": "all"}
    assert figure_for("generality", figures, micro, "mountaincar") == 0.25
    assert figure_for("system_error", figures, micro, "rmp6") == 2.0
    assert figure_for("diverged", figures, reading, "chain16") == 0.5
    assert figure_for("otm", figures, reading | {"otm": "last 100 episodes"}, "chain16") == 7.0
    of_rules = reading | {"error": "rules in multi-step problems"}
    assert figure_for("system_error", figures, of_rules, "rmp6") == 1.0
    assert figure_for("system_error", figures, of_rules, "chain16") == 5.0


def test_means_over_seeds_and_shares_of_diverged_runs():
    runs = [{"reward/whole": v, "diverged": d} for v, d in ((1.0, 1.0), (2.0, 0.0), (30.0, 0.0))]
    assert mean_of(runs) == {"reward/whole": 11.0, "diverged": pytest.approx(1 / 3)}


def test_distances_are_in_printed_standard_deviations():
    cells = load_paper().problem("stein2020/rmp6").row("xcs").cells
    cell = cells["reward"]  # 925.97 +- 12.82
    assert sds_between(cell.mean.value, cell) == 0.0
    assert sds_between(cell.mean.value + 2 * cell.spread, cell) == pytest.approx(2, abs=0.001)
    car = load_paper().problem("stein2020/mountaincar").row("xcs").cells
    assert sds_between(1e5, car["system_error"]) == 0.0  # 3.5E5 +- 1.8E6
    assert sds_between(1.0, car["system_error"]) > 2.0
    chain = load_paper().problem("stein2020/chain16").row("xcs-er").cells["diverged"]  # 9 of 30
    assert sds_between(0.0, chain) > 2.0 > sds_between(0.1, chain)


def test_the_best_way_to_measure_is_found_and_that_of_the_presets_wins_ties():
    space = tiny_space()
    spec = space.specify(space.complete({"order": "error", "selection": "0.9"}), "rmp6", "xcs")
    figures = figures_of(make_up(spec, 2000))
    rows = {Row("rmp6", "xcs"): figures}
    found, reading = best_measurement(space, rows, space.base)
    assert reading == space.base
    assert found < 0.1
    for name in list(figures):
        if "error" in name:
            figures[name] /= 3.0
    found, reading = best_measurement(space, rows, space.base)
    assert space.differences(reading) == {"error_steps": "explore"}
    assert found == distance(gaps(rows, reading))


# --- the search -------------------------------------------------------------------------------


def test_the_sweep_tries_each_change_once(tmp_path):
    search = make_search(tmp_path)
    search.sweep(after(100))
    assert [line["reading"] for line in search.store.readings] == [
        {},
        {"order": "error"},
        {"selection": "0.1"},
        {"selection": "0.9"},
    ]
    search.sweep(after(100))
    assert len(search.store.readings) == 4


def test_the_joint_search_finds_the_best_reading(tmp_path):
    search = make_search(tmp_path)
    search.search(after(300))
    best = finalists(search.store.readings)[0]
    assert best["reading"] == {"order": "error", "selection": "0.9"}
    assert best["matched"] == best["cells"] == 8
    runs = [reading["reading"] for reading in search.store.readings]
    assert len(runs) == len({json.dumps(reading) for reading in runs}) <= 6


def test_a_search_that_was_stopped_goes_on_and_runs_nothing_twice(tmp_path):
    first = MadeUp()
    search = make_search(tmp_path, first)
    search.sweep(after(2))
    with (tmp_path / RUNS).open("a") as file:
        file.write('{"spec": "cut sho')
    second = MadeUp()
    search = make_search(tmp_path, second)
    assert len(search.store.readings) == 2
    search.sweep(after(100))
    whole = MadeUp()
    make_search(tmp_path / "whole", whole).sweep(after(100))
    assert first.done + second.done == whole.done


def test_the_same_seed_and_store_give_the_same_readings(tmp_path):
    lines = []
    for name in ("one", "other"):
        search = make_search(tmp_path / name, space=load_space())
        search.search(after(6), seed=3)
        lines.append([line["reading"] for line in search.store.readings])
    assert lines[0] == lines[1]
    assert len(lines[0]) == 6


def test_readings_that_are_not_among_the_best_third_go_no_further(tmp_path, monkeypatch):
    monkeypatch.setattr(searching, "FIRST_READINGS", 2)
    search = make_search(tmp_path)
    search.sweep(after(100))
    bad = search.space.complete({"order": "error", "selection": "0.1"})
    assert len(search.try_reading(bad, "joint")["distances"]) == 1
    line = search.try_reading(
        search.space.complete({"order": "error", "selection": "0.9"}), "joint"
    )
    assert len(line["distances"]) == 2


def test_a_failed_run_is_as_far_away_as_can_be(tmp_path):
    search = make_search(tmp_path, MadeUp(fails=True))
    line = search.try_reading(search.space.base, "one change")
    assert line["distances"][-1] == pytest.approx(math.log(51) + 1.0, abs=1e-4)
    again = InferredStore(tmp_path)
    assert all(math.isnan(figures["otm"]) for figures in again.runs.values())


# --- the verdict ------------------------------------------------------------------------------


def test_fresh_seeds_are_judged_like_the_reproduction(tmp_path):
    evaluator = make_search(tmp_path).evaluator
    best = evaluator.space.complete({"order": "error", "selection": "0.9"})
    judged = judge_reading(evaluator, best, ("rmp6",), range(4000, 4030))
    assert judged.tally().counts["match"] == 8
    assert judged.distance < 0.3
    assert 0.0 < judged.noise < 0.2
    presets = judge_reading(evaluator, evaluator.space.base, ("rmp6",), range(4000, 4030))
    assert presets.tally().counts["match"] < 8
    assert presets.distance > judged.distance


def test_a_problem_left_out_is_judged_by_the_reading_of_the_others(tmp_path):
    evaluator = make_search(tmp_path).evaluator
    readings = [evaluator.space.base, evaluator.space.complete({"selection": "0.9"})]
    both = [evaluator.evaluate(reading, ("rmp6", "wbc"), (2000, 2001)) for reading in readings]
    found = leave_one_out(evaluator.space, both, both[0])
    assert [one.problem for one in found] == ["rmp6", "wbc"]
    assert all(one.reading["selection"] == "0.9" for one in found)
    assert all(one.smallest <= one.distance for one in found)


def test_the_compact_store_has_all_that_the_page_needs(tmp_path, monkeypatch):
    search = make_search(tmp_path / "search")
    search.sweep(after(100))
    write_compact(search.evaluator, tmp_path / "found")
    kept = read_finalists(search.space, tmp_path / "found")
    assert kept[0].reading | {} == search.space.base
    assert kept[-1].rows.keys() == {Row("rmp6", "xcs"), Row("rmp6", "xcs-er")}
    monkeypatch.setattr("ruleplay.studies.inferred.report.load_space", tiny_space)
    options = {"found": tmp_path / "found", "problems": ("rmp6",), "seeds": tuple(range(8))}
    options["preset_seeds"] = options["seeds"]
    executor = MadeUp()
    verdict = reach_verdict(tmp_path / "verdict", executor, **options)
    assert executor.done == 32
    assert verdict.best.reading["selection"] == "0.9"
    page = write_verdict(verdict, tmp_path / "report", ["svg"])
    text = page.read_text(encoding="utf-8")
    assert "Tournament: 0.9" in text
    assert "data:image/png;base64," in text
    assert (tmp_path / "report/figures/importance.svg").exists()
    assert (tmp_path / "report/tables/cells.csv").exists()
    again = MadeUp()
    assert reach_verdict(tmp_path / "verdict", again, **options) == verdict
    assert again.done == 0


def test_a_folder_with_readings_of_its_own_is_judged_by_these(tmp_path, monkeypatch):
    monkeypatch.setattr("ruleplay.studies.inferred.report.load_space", tiny_space)
    search = make_search(tmp_path)
    search.sweep(after(2))
    options = {"found": tmp_path / "none", "problems": ("rmp6",), "seeds": VERDICT_SEEDS[:2]}
    options["preset_seeds"] = (0, 1)
    verdict = reach_verdict(tmp_path, MadeUp(), **options)
    assert verdict.best.reading["order"] == "error"
    assert verdict.readings == 2
    write_compact(make_search(tmp_path).evaluator, tmp_path / "found")
    kept, other = MadeUp(), tmp_path / "elsewhere"
    again = reach_verdict(other, kept, **{**options, "found": tmp_path / "found"})
    assert again.best.cells == verdict.best.cells
    assert kept.done == 0


def test_the_runs_of_the_presets_are_those_of_the_reproduction(tmp_path):
    evaluator = make_search(tmp_path, space=load_space()).evaluator
    store, results = evaluator.store, DOCS / "results" / "stein2020"
    assert take_presets(evaluator.space, store, results) == 30 * 19
    assert take_presets(evaluator.space, store, results) == 0
    judged = judge_reading(evaluator, evaluator.space.base, ("wbc", "mountaincar"), range(30))
    assert evaluator.executor.done == 0
    assert judged.tally(("wbc",)).counts["match"] == 4  # as the reproduction says
    assert judged.tally(("mountaincar",)).counts["match"] == 8


def test_what_comes_with_the_package_is_judged_without_a_run(tmp_path):
    executor = MadeUp()
    verdict = reach_verdict(tmp_path, executor)
    assert executor.done == 0
    assert {cell.ours.n for cell in verdict.best.cells + verdict.presets.cells} == {30}
    assert verdict.presets.tally(SINGLE).counts["match"] == 11  # as the reproduction says
    assert (
        verdict.best.tally(FITTED).counts["match"] > verdict.presets.tally(FITTED).counts["match"]
    )
    assert len(verdict.left_out) == len(FITTED)


def test_each_reason_names_cells_that_the_paper_has():
    for reason in load_reasons():
        for problem in reason.problems:
            rows = load_paper().problem(f"stein2020/{problem}")
            assert set(reason.agents) <= set(rows.agents)
            assert set(reason.metrics) <= set(rows.metrics)
    assert reason_for("rmp6", "xcs", "reward") == UNEXPLAINED


def test_a_probe_counts_failed_runs_of_readings_drawn_at_random():
    space, runner = load_space(), MadeUp()
    drawn = list(draw_readings(space, "chain16", 3, seed=1))
    assert drawn == list(draw_readings(space, "chain16", 3, seed=1))
    assert {reading["bootstrap"] for reading in drawn} == {"max PA"}
    lines = list(probe(space, "chain16", iter(drawn), (2000, 2001), runner))
    assert [line["xcs-er"] for line in lines] == [{"runs": 2, "diverged": 0}] * 3
    assert runner.done == 12


def test_the_note_says_of_the_probe_what_was_found():
    lines = read_lines(DOCS / "results" / "inferred" / "chain16-probe.jsonl")
    groups = {True: Counter(), False: Counter()}
    for line in lines:
        group = groups[line["reading"].get("set_subsumption") == "on"]
        group.update({"runs": line["xcs"]["runs"]} | {a: line[a]["diverged"] for a in AGENTS})
    assert groups[True] == {"runs": 150, "xcs-er": 10, "xcs": 11}
    assert groups[False] == {"runs": 250, "xcs-er": 1, "xcs": 4}


def test_a_given_reading_is_tried_once(tmp_path):
    search = make_search(tmp_path)
    given = [search.space.complete({"order": "error", "selection": "0.9"})]
    search.try_given([*given, *given], after(5))
    assert [line["phase"] for line in search.store.readings] == ["given"]
    assert search.known(given[0])["matched"] == 8


def test_effects_that_add_up_are_found(tmp_path):
    search = make_search(tmp_path)
    search.sweep(after(100))
    suggested = search.suggest(np.random.default_rng(0))
    assert (suggested["order"], suggested["selection"]) == ("error", "0.9")


def test_without_readings_the_verdict_says_what_to_run(tmp_path):
    with pytest.raises(StoreError, match="have been tried: run python -m ruleplay"):
        reach_verdict(tmp_path, MadeUp(), found=tmp_path / "nothing")


def test_weights_tell_a_change_alone_from_the_best_with_it(tmp_path):
    search = make_search(tmp_path)
    search.sweep(after(100))
    search.try_reading(search.space.complete({"order": "error", "selection": "0.9"}), "joint", 2)
    weights = {(w.choice.name, w.value): w for w in weigh(search.space, search.store.readings)}
    assert weights["order", "error"].alone < 0.0
    assert weights["order", "error"].together == 0.0
    assert weights["order", "error"].printed
    assert weights["selection", "0.1"].alone >= 0.0
    assert weights["selection", "0.1"].together is None  # nobody tried it with others
    figure = draw_importance(list(weights.values()))
    assert [axes.get_title(loc="left") for axes in figure.axes] == [
        "changed alone",
        "with the best of the others",
    ]


def test_the_command_line_refuses_parts_of_the_verdict():
    from ruleplay.cli.inferred_study import refuse_parts

    with pytest.raises(ConfigError, match="takes no --reps"):
        refuse_parts(None, None, 3, False)
    refuse_parts(None, None, None, False)


@pytest.mark.parametrize("as_json", [False, True], ids=["table", "json"])
def test_the_command_says_the_verdict(tmp_path, monkeypatch, capsys, as_json):
    from ruleplay.cli.inferred_study import reproduce_inferred

    def reach(folder, executor):
        options = {"found": tmp_path / "none", "problems": ("rmp6",), "seeds": VERDICT_SEEDS[:2]}
        return reach_verdict(folder, executor, preset_seeds=(0, 1), **options)

    monkeypatch.setattr("ruleplay.studies.inferred.report.load_space", tiny_space)
    monkeypatch.setattr("ruleplay.studies.inferred.report.reach_verdict", reach)
    make_search(tmp_path).sweep(after(100))
    reproduce_inferred(tmp_path, MadeUp(), as_json)
    said = capsys.readouterr()
    if as_json:
        document = json.loads(said.out)
        assert document["reading"]["selection"] == "0.9"
        assert document["distance"]["inferred"] < document["distance"]["presets"]
    else:
        assert "6-RMP" in said.out
        assert "Tournament: 0.9" in said.err
    assert (tmp_path / "report/index.html").exists()


def test_the_program_searches_until_the_time_is_over(tmp_path, monkeypatch, capsys):
    from ruleplay.studies.inferred import __main__ as program

    monkeypatch.setattr(program, "make_executor", lambda *_: MadeUp())
    monkeypatch.setattr(program, "load_space", tiny_space)
    program.main(["--out", str(tmp_path), "--minutes", "1", "--problem", "rmp6", "--sweep"])
    assert capsys.readouterr().out.count("matched") == 4
    program.main(["--out", str(tmp_path), "--minutes", "0", "--compact", str(tmp_path / "found")])
    kept = read_finalists(tiny_space(), tmp_path / "found")
    assert len(kept) == 1  # only the presets have all seeds
