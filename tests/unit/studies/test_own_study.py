"""A user's own study is read from a file: what it says is run, and what is wrong is said."""

import sys

import pytest

from own_studies import TINY, write_study
from ruleplay.errors import ConfigError, StoreError
from ruleplay.experiments.spec import specify_run
from ruleplay.experiments.storage.store import Store
from ruleplay.experiments.study import Cell
from ruleplay.studies import OwnStudy, grid
from ruleplay.studies.own.description import (
    FILE,
    check_folder,
    describe,
    read_description,
    write_description,
)
from ruleplay.studies.own.file import read_study

RMP = {"title": "t", "presets": "stein2020/rmp6"}


@pytest.fixture(autouse=True)
def forget_modules(monkeypatch):
    """Let no test know the module of another."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = set(sys.modules)
    yield
    for name in set(sys.modules) & {"broken", "study_one"} - before:
        del sys.modules[name]


def labels_of(study):
    return [label for group in study.groups() for label in group.labels]


def test_a_grid_has_a_cell_for_every_combination(tmp_path):
    study = read_study(write_study(tmp_path)).study
    assert study.title == "Do batches matter?"
    assert study.seeds == (0, 1, 2)
    assert labels_of(study) == ["replay_batch_size=2", "replay_batch_size=4"]
    assert [cell.spec.replay.batch_size for cell in study.cells] == [2, 4]
    assert {cell.spec.steps for cell in study.cells} == {400}
    assert {cell.spec.xcs.population_size for cell in study.cells} == {60}


def test_cells_are_the_runs_that_their_settings_mean(tmp_path):
    """A cell's digest is that of the same run by other ways, so that stores know it."""
    study = read_study(write_study(tmp_path)).study
    settings = {"population_size": 60, "replay_warmup": 50, "replay_capacity": 500}
    same = specify_run("stein2020/rmp6", "xcs-er-2", settings, steps=400)
    assert study.cells[0].spec.digest() == same.digest()


def test_a_setting_changes_only_the_agents_that_have_it():
    study = grid(
        **RMP,
        agents=["xcs", "xcs-er"],
        settings={"replay_capacity": 500, "learning_rate": 0.1},
        vary={"replay_batch_size": [2, 4]},
    )
    assert labels_of(study) == ["xcs", "xcs-er, replay_batch_size=2", "xcs-er, replay_batch_size=4"]
    assert {cell.spec.xcs.learning_rate for cell in study.cells} == {0.1}


def test_options_of_the_problem_make_problems_of_their_own():
    study = grid(
        title="t",
        presets="stein2020/chain16",
        agents=["xcs", "xcs-er"],
        problem={"slip": 0.1},
        vary={"problem.n": [8, 16]},
    )
    groups = study.groups()
    assert [group.title for group in groups] == ["chain, n=8, slip=0.1", "chain, n=16, slip=0.1"]
    assert [group.labels for group in groups] == [("xcs", "xcs-er")] * 2
    assert study.cells[0].name == "chain16, slip=0.1, n=8 xcs"


def test_presets_with_one_problem_are_compared_with_each_other():
    study = grid(
        title="t",
        presets=["stein2020/chain16", "ruleplay/chain"],
        agents="xcs-er",
        settings={"keep_policy": "last"},
    )
    (group,) = study.groups()
    assert group.labels == ("chain16", "ruleplay/chain")


def test_variants_have_names_and_one_may_change_nothing():
    study = grid(**RMP, variants={"as preset": {}, "small": {"population_size": 100}})
    assert labels_of(study) == ["as preset", "small"]
    assert [cell.spec.xcs.population_size for cell in study.cells] == [800, 100]
    both = grid(
        **RMP,
        agents=["xcs", "xcs-er"],
        variants={"as preset": {}, "short memory": {"replay_capacity": 2000}},
    )
    assert len(both.cells) == 3


def test_a_preset_of_the_users_lies_beside_the_study(tmp_path, monkeypatch):
    (tmp_path / "mine.toml").write_text('extends = "stein2020/rmp6"\ntitle = "Mine"\nsteps = 300\n')
    path = write_study(tmp_path, 'presets = ["mine.toml"]\nseeds = [3, 5]\n')
    monkeypatch.chdir("/")
    study = read_study(path).study
    assert study.title == "batches"
    assert study.seeds == (3, 5)
    assert (study.cells[0].spec.preset, study.cells[0].spec.steps) == ("mine", 300)


@pytest.mark.parametrize(
    ("preset", "settings", "metric"),
    [
        ("stein2020/rmp6", {}, "reward"),
        ("stein2020/chain16", {}, "otm"),
        ("stein2020/chain16", {"keep_policy": "last"}, "greedy"),
    ],
)
def test_cells_are_compared_by_what_suits_the_problem(preset, settings, metric):
    (group,) = grid(title="t", presets=preset, settings=settings).groups()
    assert group.metrics == (metric,)


def test_a_declared_metric_is_taken():
    (group,) = grid(**RMP, metric=["system_error", "macroclassifiers"]).groups()
    assert group.metrics == ("system_error", "macroclassifiers")


GOOD = 'presets = ["stein2020/rmp6"]\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("presets = [", "it is no TOML"),
        ("", "presets is missing"),
        ('preset = "stein2020/rmp6"', "unknown key: 'preset'; did you mean 'presets'"),
        ('presets = "stein2020/rmp7"', "unknown preset: 'stein2020/rmp7'; did you mean"),
        ("presets = 3", "presets must be a name or a list of names, got 3"),
        (GOOD + 'agents = ["xcsf"]', "agent must be 'xcs', 'xcs-er' or 'xcs-er-M'.*got 'xcsf'"),
        (GOOD + "[vary]\nlearning_rat = [1]", "'learning_rat'; did you mean 'learning_rate'"),
        (GOOD + "[vary]\nlearning_rate = 0.1", "vary.learning_rate must be a list of values"),
        (GOOD + "[vary]\nlearning_rate = []", r"must be a list of values, got \[\]"),
        (GOOD + "[vary]\nlearning_rate = [2.0]", r"learning_rate \(beta\) must lie in \(0, 1\]"),
        (GOOD + "[problem]\nbit = 3", "unknown option of problem 'rmp6' 'bit'"),
        (GOOD + "[settings]\nreplay_capacity = 9", "changes none of the agents.*add 'xcs-er'"),
        (GOOD + "seeds = 0", r"seeds must .*got 0"),
        (GOOD + "seeds = [1, 1]", "seeds must differ from each other"),
        (GOOD + "seeds = []", "seeds must hold at least one seed"),
        (GOOD + 'seeds = "ten"', "seeds must be a number of runs or a list"),
        (GOOD + "steps = 0", r"steps must be an integer in \[1, inf\), got 0"),
        (GOOD + 'metric = "rewards"', "unknown metric: 'rewards'; did you mean 'reward'"),
        (GOOD + 'metric = "otm"', "metric 'otm' needs episodes, and rmp6 has none"),
        (GOOD + 'metric = "greedy"', "metric 'greedy' needs episodes"),
        (GOOD + 'baseline = "xcs-er"', "unknown baseline: 'xcs-er'; did you mean 'xcs'"),
        (GOOD + "title = 3", "title must be text, got 3"),
        (GOOD + 'title = " "', "title must say what the study is about"),
        (GOOD + 'agents = ["xcs-er", "xcs-er-4"]', "are the same runs: they differ in name only"),
        (GOOD + "settings = 3", "settings must be a table"),
        (GOOD + "[variants]\nbig = 3", "variants.big must be a table"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path, text, message):
    path = write_study(tmp_path, text)
    with pytest.raises(ConfigError, match=f"study '.*batches.toml': .*{message}"):
        read_study(path)


def test_a_file_that_is_not_there_is_said(tmp_path):
    with pytest.raises(ConfigError, match=r"cannot be read: .*No such file"):
        read_study(tmp_path / "nothing.toml")


def test_a_python_file_defines_its_study(tmp_path):
    text = (
        "from ruleplay.studies import grid\n"
        "study = grid(title='mine', presets='stein2020/rmp6', seeds=range(2, 4))\n"
    )
    source = read_study(write_study(tmp_path, text, "study_one.py"))
    assert source.study.title == "mine"
    assert source.study.seeds == (2, 3)
    assert source.module == str(tmp_path / "study_one.py")
    assert source.study.study(source.module).module == source.module


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"it must define study = ruleplay.studies.grid\(...\).*, got None"),
        ("study = 3", "it must define study.*, got 3"),
        ("\n\nimport nowhere_at_all", "ModuleNotFoundError in line 3 of broken.py: No module"),
        ("x = (", "SyntaxError"),
        (
            "from ruleplay.studies import grid\nstudy = grid(title='t', presets='rmp7')",
            "unknown preset: 'rmp7'",
        ),
    ],
)
def test_what_is_wrong_with_a_python_file_is_said(tmp_path, text, message):
    path = write_study(tmp_path, text, "broken.py")
    with pytest.raises(ConfigError, match=f"study '.*broken.py': .*{message}"):
        read_study(path)


def test_a_python_file_must_not_hide_another_module(tmp_path):
    path = write_study(tmp_path, "study = 1", "json.py")
    with pytest.raises(ConfigError, match="another module is called 'json': rename it"):
        read_study(path)


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ((), "at least one cell"),
        ((3,), r"cells must be Cell\(specification, variant\), got 3"),
        ((Cell(specify_run("stein2020/rmp6"), "", (1,)),), "must have the study's seeds"),
        (
            (
                Cell(specify_run("stein2020/rmp6"), "a"),
                Cell(specify_run("stein2020/rmp6", steps=10), "a"),
            ),
            r"two cells are called 'rmp6 xcs \(a\)'",
        ),
    ],
)
def test_impossible_cells_are_refused(cells, message):
    with pytest.raises(ConfigError, match=message):
        OwnStudy(title="t", cells=cells)


def test_results_remember_the_study(tmp_path):
    source = read_study(write_study(tmp_path))
    described = describe(source, "ruleplay reproduce --study batches.toml")
    write_description(tmp_path, described)
    assert read_description(tmp_path) == described
    assert (described.name, described.text) == ("batches", TINY)
    assert described.runs == 6
    assert read_description(tmp_path / "elsewhere") is None


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"format": 2}', '{"format": 1, "seeds": 3}'])
def test_a_damaged_description_is_an_error(tmp_path, content):
    (tmp_path / FILE).write_text(content)
    with pytest.raises(StoreError, match="cannot be read as a study's description"):
        read_description(tmp_path)


def test_a_folder_keeps_one_study(tmp_path):
    source = read_study(write_study(tmp_path))
    folder = tmp_path / "results"
    check_folder(folder, "batches")
    with Store.open(folder, create=True):
        pass
    check_folder(folder, None)
    with pytest.raises(StoreError, match="holds results of another study: name another folder"):
        check_folder(folder, "batches")
    write_description(folder, describe(source, ""))
    check_folder(folder, "batches")
    for name in ("other", None):
        with pytest.raises(StoreError, match=r"holds results of the study 'batches.toml'"):
            check_folder(folder, name)
