"""The study beyond the paper: cells, seeds, and the tables made of its runs."""

from pathlib import Path

import numpy as np
import pytest

from ruleplay.errors import ConfigError
from ruleplay.experiments.metrics import CurveBand
from ruleplay.experiments.storage.results import CellKey, frame_of
from ruleplay.report.text import DASH
from ruleplay.studies.beyond.ablation import effects_on
from ruleplay.studies.beyond.aims import AIMS, SOLVED
from ruleplay.studies.beyond.plan import (
    ABLATION_TASKS,
    BEYOND,
    COMPACT_TO,
    COMPACTED,
    RECIPE,
    REMOVAL_TASKS,
    TASKS,
    VARIANTS,
    ablation_cells,
    beyond_study,
    factor_of,
    headline_cells,
)
from ruleplay.studies.page import render_page
from ruleplay.studies.paper.analysis import analyse
from ruleplay.studies.reporting import make_figures, make_tables


def test_the_headline_has_every_agent_on_every_problem():
    cells = headline_cells()
    agents = {name: set() for name in TASKS}
    for cell in cells:
        agents[cell.spec.preset.removeprefix(BEYOND)].add((cell.spec.agent, cell.variant))
    published = {("xcs", ""), ("xcs-er", ""), ("xcs-er", RECIPE), ("dqn", "")}
    for found in agents.values():
        assert published <= found
    assert ("dqn-tuned", "") in agents["cartpole-v1"] & agents["mountaincar-v0"]
    runs = {cell.spec.agent: len(cell.seeds) for cell in cells}
    assert runs == {"xcs": 100, "xcs-er": 100, "dqn": 10, "dqn-tuned": 10}
    for cell in cells:
        assert cell.spec.steps == TASKS[cell.spec.preset.removeprefix(BEYOND)].steps


def test_every_run_is_tested_and_only_the_recipe_chooses_what_to_keep():
    for cell in headline_cells():
        expected = "validated" if cell.variant == RECIPE else "last"
        assert cell.spec.keep.policy == expected
        assert cell.spec.keep.test_episodes == 100


def test_as_published_means_the_papers_settings():
    cells = {
        (cell.spec.preset, cell.spec.agent): cell.spec
        for cell in headline_cells()
        if cell.variant == ""
    }
    spec = cells["beyond/cartpole", "xcs-er"]
    assert spec.replay.return_steps == 1
    assert spec.replay.action_gap == 0.0
    assert spec.xcs.initial_prediction == 0.01
    acrobot = cells["beyond/acrobot", "xcs-er"]
    assert acrobot.replay.return_steps == 1
    assert acrobot.xcs.epsilon_start == 1.0
    assert cells["beyond/chain64", "xcs"].problem_options["n"] == 64


def test_an_ablation_changes_one_factor_at_a_time():
    cells = ablation_cells()
    for name in ABLATION_TASKS:
        own = [cell for cell in cells if cell.spec.preset == BEYOND + name]
        recipe = own[0]
        assert recipe.variant == RECIPE
        digests = [cell.spec.digest() for cell in own]
        assert len(set(digests)) == len(digests)
        assert all(len(cell.seeds) == 20 for cell in own)
        assert sum(" - " in cell.variant for cell in own) >= 6
        assert sum(" + " in cell.variant for cell in own) >= 8


def test_lists_are_looked_for_where_the_table_shows_them():
    for cell in headline_cells():
        asked = cell.variant == RECIPE and cell.spec.preset.removeprefix(BEYOND) in COMPACTED
        assert cell.spec.keep.compact_to == (COMPACT_TO if asked else 0)


def test_as_published_nothing_is_forgotten():
    linear = [c.spec for c in headline_cells() if c.spec.xcs and c.spec.xcs.prediction == "linear"]
    forgetting = {(spec.keep.policy, spec.xcs.rls_forgetting) for spec in linear}
    assert forgetting == {("last", 1.0), ("validated", 0.985)}


def test_no_seed_is_in_both_parts_and_reps_limits_them():
    parts = {part: beyond_study(part=part, reps=2) for part in ("headline", "ablation")}
    seeds = {part: {run.seed for run in study.runs()} for part, study in parts.items()}
    assert seeds == {"headline": {2000, 2001}, "ablation": {1000, 1001}}
    whole = beyond_study(reps=2)
    assert len(whole.runs()) == sum(len(study.runs()) for study in parts.values())


def test_an_unknown_part_is_refused():
    with pytest.raises(ConfigError, match="unknown part: 'headlines'; did you mean 'headline'"):
        beyond_study(part="headlines")


class Drawn:
    """Results of the study whose figures are drawn at random."""

    path = Path("drawn")

    def __init__(self):
        self._specs, self._cells, self._rows = {}, [], []
        random = np.random.default_rng(0)
        for cell in beyond_study(reps=6).cells:
            spec = cell.spec
            key = CellKey(spec.preset, spec.agent, cell.variant, spec.digest())
            self._specs[key.digest] = spec
            if key not in self._cells:
                self._cells.append(key)
            solved = TASKS[spec.preset.removeprefix(BEYOND)].solved
            for seed in cell.seeds:
                self._rows.append({**key._asdict(), "seed": seed} | self._figures(random, solved))

    @staticmethod
    def _figures(random, solved):
        lucky = bool(random.random() < 0.7)
        return {
            "otm": solved * random.normal(1.0, 0.05),
            "diverged": not lucky,
            "never_rewarded": False,
            "first_reward_step": 17,
            "greedy": solved if lucky else solved - 1.0,
            "kept_rules": 100,
            "validation_steps": 5000,
            "compact_rules": 3,
            "compact_before": 100.0,
            "compact_after": 99.0 if lucky else 97.0,
            "seconds": 1.0,
        }

    def cells(self):
        return list(self._cells)

    def spec(self, digest):
        return self._specs[digest]

    def summaries(self):
        return frame_of(self._rows)

    def failures(self):
        return []

    def band(self, digest):
        step = np.linspace(100.0, 1000.0, 10)
        names = ("trailing_return", "greedy") if self._specs[digest].dqn is None else ("reward",)
        return CurveBand(6, step, {name: step for name in names}, {name: step for name in names})


@pytest.fixture(scope="module")
def analysis():
    return analyse(Drawn())


@pytest.fixture(scope="module")
def tables(analysis):
    return make_tables(analysis)


@pytest.fixture(scope="module")
def figures(analysis):
    return dict(make_figures(analysis))


def test_the_headline_table_has_the_headlines_runs_alone(tables):
    table = tables["headline"]
    assert len(table.rows) == len(headline_cells())
    assert {row["n"] for row in table.rows} == {6}
    row = next(r for r in table.rows if (r["problem"], r["agent"]) == ("64-Chain", RECIPE))
    assert row["solved"].endswith("%]")
    assert row["rules"] == 100
    assert row["compact"] == "3.00 ± 0.00"
    solved = row["solved"].split()[0]  # figures were drawn together
    assert row["small"].split()[0] == solved


def test_the_ablation_table_compares_with_the_recipe(tables):
    table = tables["ablation"]
    assert len(table.rows) == len(ablation_cells())
    for row in table.rows:
        assert ("otm_p" in row) == ("greedy_holm" in row) == (row["variant"] != RECIPE)
    assert "other" not in tables


def test_the_table_of_factors_has_a_row_for_each_and_marks_what_is_clear(analysis, tables):
    table = tables["factors"]
    used = {cell.variant for cell in ablation_cells()} - {RECIPE}
    variants = [variant for variant in VARIANTS if variant in used]
    assert len(variants) == len(used)
    assert [row["factor"] for row in table.rows] == [factor_of(variant) for variant in variants]
    effects = effects_on(analysis, "chain32")
    for variant, row in zip(variants, table.rows, strict=True):
        effect = effects.get((variant, "otm"))
        shown = row["chain32_otm"]
        if effect is None:
            assert shown == DASH
        else:
            assert shown.endswith(" *") == (effect.holm_p < 0.05)
            assert float(shown.split()[0]) == pytest.approx(effect.comparison.difference, abs=0.051)


def test_holms_family_are_the_variants_of_a_problem(analysis):
    effects = effects_on(analysis, "cartpole")
    pairs = [(e.comparison.p, e.holm_p) for (_, metric), e in effects.items() if metric == "otm"]
    smallest = min(pairs)
    assert smallest[1] == pytest.approx(min(1.0, len(pairs) * smallest[0]))
    assert all(adjusted >= p for p, adjusted in pairs)


def test_the_page_shows_both_tables(analysis, tables):
    page = render_page(analysis, tables, source="drawn")
    assert "Beyond the paper" in page
    assert "What each factor does" in page
    for task in TASKS.values():
        assert f"Beyond the paper: {task.title}</h2>" in page
    assert page.count("data-charts=") == len(TASKS)
    assert "How a cell is judged" not in page  # none is compared with the paper


def test_the_curves_of_all_problems_are_one_figure(figures):
    assert list(figures) == ["beyond", "factors"]
    figure = figures["beyond"]
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert titles[0] == "16-Chain: Return of greedy episodes"
    assert len(titles) == len(TASKS)


def test_each_factor_has_a_row_in_the_figure_of_the_ablation(analysis, tables, figures):
    figure = figures["factors"]
    assert [axes.get_title(loc="left") for axes in figure.axes] == [
        TASKS[name].title for name in REMOVAL_TASKS
    ]
    rows = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert rows == [row["factor"] for row in tables["factors"].rows]
    effects = effects_on(analysis, REMOVAL_TASKS[0])
    marks = [line for line in figure.axes[0].get_lines() if line.get_marker() == "o"]
    filled = [mark for mark in marks if mark.get_markerfacecolor() != "white"]
    assert len(marks) == len(effects)
    assert len(filled) == sum(effect.is_clear for effect in effects.values())


def test_each_aim_is_held_against_what_the_recipe_came_to(tables):
    rows = tables["aims"].rows
    assert [(row["problem"], row["figure"]) for row in rows] == [
        (TASKS[aim.problem].title, aim.figure) for aim in AIMS
    ]
    headline = tables["headline"].rows
    for aim, row in zip(AIMS, rows, strict=True):
        assert row["reached"] == ("yes" if _holds(row["aim"], float(row["measured"])) else "no")
        if aim.figure == SOLVED:
            (shown,) = [
                line["solved"]
                for line in headline
                if (line["problem"], line["agent"]) == (row["problem"], RECIPE)
            ]
            solved, runs = shown.split(" of ")
            share = 100 * int(solved) / int(runs.split()[0])
            assert float(row["measured"]) == pytest.approx(share, abs=0.06)


def test_the_short_table_says_what_the_long_one_does(tables):
    agents = {"xcs-er": "XCS-ER", RECIPE: RECIPE, "dqn": "DQN"}
    long = {(row["problem"], row["agent"]): row for row in tables["headline"].rows}
    columns = {"return while learning": "otm", "greedy return": "greedy"}
    assert len(tables["in-short"].rows) == 6
    for row in tables["in-short"].rows:
        for short, name in agents.items():
            told = long[row["problem"], name]
            if row["figure"] in columns:
                mean = float(told[columns[row["figure"]]].split()[0])
                assert float(row[short]) == pytest.approx(mean, abs=0.6)
            else:
                column = "diverged" if row["figure"] == "runs that fail" else "solved"
                assert told[column].startswith(f"{row[short]} [")


def _holds(aim, value):
    at, which, bound = aim.split()
    assert at == "at"
    return value >= float(bound) if which == "least" else value <= float(bound)
