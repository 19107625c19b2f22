"""What contenders' programs are given and how their models are counted."""

import importlib
import importlib.util
import os
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import ruleplay.benchmarks
from ruleplay.benchmarks.environment import PeerError, default_env_path
from ruleplay.benchmarks.programs import TimeLimitError, run_program
from ruleplay.benchmarks.real_data import contenders
from ruleplay.benchmarks.real_data.encoding import (
    Scaling,
    one_hot,
    one_hot_origins,
    tree_conditions,
)
from ruleplay.benchmarks.real_data.task import Size, Task, read_task, solve, write_task
from ruleplay.errors import ConfigError

pytestmark = pytest.mark.uncompiled

FOLDER = Path(ruleplay.benchmarks.__file__).parent / "peers" / "real_data"


@pytest.fixture
def task():
    train = pd.DataFrame(
        {
            "colour": pd.Categorical(["red", None, "blue"], ["blue", "red"]),
            "size": [1.5, np.nan, 3.5],
        }
    )
    return Task(train, np.array([0, 1, 1]), train.iloc[[1, 0]].reset_index(drop=True), 2, 7)


def test_a_task_is_read_as_it_was_written(task, tmp_path):
    write_task(tmp_path / "task.json", task)
    again = read_task(tmp_path / "task.json")
    pd.testing.assert_frame_equal(again.train, task.train)
    pd.testing.assert_frame_equal(again.test, task.test)
    assert (again.labels.tolist(), again.n_classes, again.seed) == ([0, 1, 1], 2, 7)


def test_a_task_of_quantities_is_read_as_it_was_written(task, tmp_path):
    targets = np.array([0.1, -2.5, 1e300])
    write_task(tmp_path / "task.json", task._replace(labels=targets, n_classes=0))
    again = read_task(tmp_path / "task.json")
    assert (again.labels.tolist(), again.labels.dtype, again.n_classes) == (
        targets.tolist(),
        np.float64,
        0,
    )


class Constant:
    def predict(self, rows):
        return np.zeros(len(rows), dtype=np.int64)

    def probabilities(self, rows):
        return np.tile([0.75, 0.25], (len(rows), 1))

    def size(self):
        return Size(1, 0)


def test_an_answer_is_made_of_plain_values(task):
    answer = solve(task, lambda task: Constant(), "1.0")
    assert answer["predictions"] == [0, 0]
    assert answer["probabilities"] == [[0.75, 0.25]] * 2
    assert (answer["rules"], answer["conditions"], answer["version"]) == (1, 0, "1.0")


class Middle:
    def predict(self, rows):
        return np.full(len(rows), 1.5)

    def size(self):
        return Size()


class Between(Middle):
    def intervals(self, rows):
        return np.tile([1.0, 2.0], (len(rows), 1))


@pytest.mark.parametrize(
    ("model", "intervals"), [(Middle, None), (Between, [[1.0, 2.0]] * 2)], ids=["bare", "interval"]
)
def test_an_answer_about_quantities_has_intervals_if_the_model_does(task, model, intervals):
    quantities = task._replace(labels=np.array([1.0, 2.0, 1.5]), n_classes=0)
    answer = solve(quantities, lambda task: model(), "1.0")
    assert answer["predictions"] == [1.5, 1.5]
    assert answer.get("intervals") == intervals
    assert "probabilities" not in answer


def test_one_hot_has_numbers_first_and_zeros_for_what_is_missing(task):
    np.testing.assert_array_equal(one_hot(task.train), [[1.5, 0, 1], [np.nan, 0, 0], [3.5, 1, 0]])
    assert one_hot_origins(task.train) == [1, 0, 0]


def test_scaling_follows_from_the_training_rows():
    scaling = Scaling.of(np.array([[1.0, 5.0], [3.0, 5.0], [np.nan, 5.0]]))
    made = scaling.apply(np.array([[1.0, 5.0], [9.0, 5.0], [np.nan, 5.0]]))
    np.testing.assert_array_equal(made, [[0.0, 0.0], [1.0, 0.0], [0.5, 0.0]])


def test_conditions_of_a_tree_count_a_feature_once_on_the_way_to_a_leaf():
    columns, children = {0: 0, 2: 1, 4: 2}, {0: (1, 2), 2: (3, 4), 4: (5, 6)}
    # Columns 0 and 1 come from one feature: 1 + 1 + 2 + 2.
    assert tree_conditions(0, columns.get, children.get, [0, 0, 1]) == 6


def load_weka(monkeypatch):
    return load_program(monkeypatch, "weka_peer")


def load_program(monkeypatch, name):
    monkeypatch.syspath_prepend(str(FOLDER.parents[2]))
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_table_for_weka_has_plain_names_and_question_marks(task, monkeypatch):
    weka = load_weka(monkeypatch)
    assert weka.arff(task.train, [0, None, 1], 2).splitlines() == [
        "@relation fold",
        "@attribute a0 {v0,v1}",
        "@attribute a1 numeric",
        "@attribute class {c0,c1}",
        "@data",
        "v1,1.5,c0",
        "?,?,?",
        "v0,3.5,c1",
    ]


def test_a_table_of_quantities_for_weka_has_numbers_in_full(task, monkeypatch):
    weka = load_weka(monkeypatch)
    lines = weka.arff(task.train, [0.1, None, -2.5], 0).splitlines()
    assert lines[3] == "@attribute class numeric"
    assert lines[5:] == ["v1,1.5,0.1", "?,?,?", "v0,3.5,-2.5"]


@pytest.mark.parametrize(
    ("counter", "text", "size"),
    [
        (
            "tree_size",
            "J48 pruned tree\n------------------\n\na1 <= 2: c0 (3.0/1.0)\na1 > 2\n"
            "|   a1 <= 5\n|   |   a0 = v0: c1 (2.0)\n|   |   a0 = v1: c0 (1.0)\n"
            "|   a1 > 5: c1 (4.0)\n\nNumber of Leaves  : \t4\n",
            (4, 6),
        ),
        ("tree_size", "J48 pruned tree\n------------------\n: c0 (10.0/4.0)\n", (1, 0)),
        (
            "list_size",
            "PART decision list\n\na0 <= 1 AND\na0 > 0 AND\na2 = v1: c0 (3.0)\n\n: c1 (2.0/1.0)\n",
            (2, 2),
        ),
        (
            "list_size",
            "JRIP rules:\n===========\n\n(a0 <= 1) and (a3 >= 2) => class=c1 (3.0/1.0)\n"
            " => class=c0 (5.0/0.0)\n\nNumber of Rules : 2\n",
            (2, 2),
        ),
        (
            "tree_size",
            "M5 pruned model tree:\n(using smoothed linear models)\n\na0=v1,v2 <= 0.5 : \n"
            "|   a2 <= 5 : LM1 (10/20%)\n|   a2 >  5 : LM2 (5/3%)\na0=v1,v2 >  0.5 : LM3 (9/1%)\n\n"
            "LM num: 1\nclass = \n\t2.5 * a0=v1,v2 \n\t+ 3\n\nNumber of Rules : 3\n",
            (3, 5),
        ),
        ("tree_size", "M5 pruned model tree:\n\nLM1 (9/50%)\n\nLM num: 1\nclass = \n\t2", (1, 0)),
        (
            "list_size",
            "M5 pruned model rules \n(using smoothed linear models) :\nNumber of Rules : 2\n\n"
            "Rule: 1\nIF\n\ta2 <= 5\n\ta2 > 1\n\ta0=v1 > 0.5\nTHEN\n\nclass = \n\t2 * a3 \n"
            "\t+ 1 [7/4%]\n\nRule: 2\n\nclass = \n\t-2 * a1 \n\t+ 1 [7/4%]\n",
            (2, 2),
        ),
    ],
    ids=["tree", "leaf", "PART", "JRip", "M5P", "M5P leaf", "M5Rules"],
)
def test_the_text_of_a_model_is_counted(monkeypatch, counter, text, size):
    assert getattr(load_weka(monkeypatch), counter)(text) == size


@pytest.mark.parametrize(
    ("splits", "size"),
    [
        (None, (1, 0)),
        (pd.DataFrame(), (1, 0)),
        (pd.DataFrame({"rule": [1, 1, 1], "variable": ["a0", "a0", "a1"]}), (1, 2)),
    ],
    ids=["none", "empty", "two features"],
)
def test_conditions_of_cubist_are_counted(monkeypatch, splits, size):
    cubist = load_program(monkeypatch, "rules_peer").Cubist
    model = cubist.__new__(cubist)
    model.model = SimpleNamespace(model_='rules="1"\nconds="3" cover="9"\n', splits_=splits)
    assert model.size() == size


def test_no_java_is_said(monkeypatch, task, tmp_path):
    weka = load_weka(monkeypatch)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SystemExit, match="there is no java on the path"):
        weka.run("j48", task, tmp_path)


def run_python(code, seconds=30.0):
    return run_program([sys.executable, "-c", code], seconds, {})


def test_a_result_is_the_last_line():
    assert run_python("print('hello'); print('{\"a\": 1}')") == {"a": 1}


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("raise SystemExit('boom')", "ended with code 1: boom"),
        ("print('hello')", "printed no result: hello"),
        ("pass", "printed no result: no output"),
    ],
)
def test_a_program_without_a_result_says_why(code, reason):
    with pytest.raises(PeerError, match=reason):
        run_python(code)


def test_a_program_that_cannot_be_started_says_so():
    with pytest.raises(PeerError, match="could not be run"):
        run_program(["/no/such/program"], 1.0, {})


def test_a_program_that_takes_too_long_is_ended():
    with pytest.raises(TimeLimitError, match=r"took more than 0\.5 s"):
        run_python("import time; time.sleep(60)", seconds=0.5)


@pytest.mark.skipif(os.name != "posix", reason="needs limits of processes")
def test_a_program_that_has_used_up_its_cpu_time_is_too_slow():
    code = f"import sys; sys.path.insert(0, {str(FOLDER.parents[2])!r})\n"
    code += "from benchmarks.real_data.task import limit_cpu\nlimit_cpu(1)\nwhile True: pass"
    with pytest.raises(TimeLimitError, match="more CPU time than it may"):
        run_python(code)


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_an_interrupted_program_has_not_failed():
    listen = "import os, signal; signal.signal(signal.SIGINT, signal.SIG_DFL)"  # also in background
    with pytest.raises(KeyboardInterrupt):
        run_python(f"{listen}; os.kill(os.getpid(), signal.SIGINT)")


def test_every_contender_has_a_title_and_peers_a_program():
    for roster in (contenders.CLASSIFIERS, contenders.REGRESSORS):
        ours = importlib.import_module(roster.ours).CONTENDERS
        peers = [name for names in roster.programs.values() for name in names]
        assert set(roster.names) == {*ours, *peers}
        assert [name for name in roster.names if roster.program(name) is None] == list(ours)
        assert all((FOLDER / program).is_file() for program in roster.programs)


def test_contenders_keep_their_order_and_unknown_ones_are_refused():
    assert contenders.CLASSIFIERS.chosen(["tree", "xcs"]) == ("xcs", "tree")
    assert contenders.CLASSIFIERS.chosen([]) == contenders.CLASSIFIERS.names
    with pytest.raises(ConfigError, match="unknown contender: 'trees'; did you mean 'tree'"):
        contenders.CLASSIFIERS.chosen(["trees"])


def test_ours_need_no_environment_of_peers(monkeypatch):
    monkeypatch.setattr(contenders, "ensure_peers_env", None)
    contenders.Programs().prepare(["xcs", "rule-list"])
    contenders.Programs(contenders.REGRESSORS).prepare(["xcs", "xcs-10"])


def test_environments_of_other_requirements_lie_elsewhere():
    assert default_env_path() != default_env_path(contenders.REQUIREMENTS)
