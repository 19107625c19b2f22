"""Bad tables are refused in one line that says where and what to do; good ones are read."""

import numpy as np
import pandas as pd
import pytest

from ruleplay.cli.fitting.column_options import check_columns, read_kinds
from ruleplay.cli.fitting.columns import choose_columns
from ruleplay.cli.fitting.detection import date_style, number_style
from ruleplay.cli.fitting.fitting import prepare, prepare_two, split, split_at_random
from ruleplay.cli.fitting.reading import read_csv
from ruleplay.cli.fitting.target import (
    check_classes,
    quantity_style,
    take_quantity,
    take_target,
)
from ruleplay.errors import ConfigError
from ruleplay.learners.common.columns import as_numbers


@pytest.fixture
def write(tmp_path):
    def write(content, name="data.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write


def table_of(**columns):
    table = pd.DataFrame(columns, dtype=object)
    table.attrs["name"] = "data.csv"
    return table


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b" \n\n", "is empty"),
        (b"a,b\n", "column names but no rows"),
        (b"a\n1\n", "one column only if split at ',': it needs the target"),
        (b"a,b\n1,2\n\n1,2,3\n", "line 4: 3 fields, but the first line names 2 columns"),
        (b"a,b,c\n1,2,3\n1\n", "line 3: 1 field, but the first line names 3 columns"),
        (b"a,b\n1,5,x\n", "so do numbers with decimal commas"),
        (b"a,b,a\n1,2,3\n", "columns 1 and 3 are both called 'a'"),
        (b"a,,column 2\n1,2,3\n", "columns 2 and 3 are both called 'column 2'"),
        (b"1.5,2\n3,4\n", "first line must name the columns, got numbers: 1.5,2"),
        (b'a,b\n1,"2\n', "is a quotation mark left open?"),
        (b"a,b\nx,caf\xe9\n", "line 2: byte 0xe9 is not UTF-8: save it as UTF-8, or convert"),
        ("a,b\n1,2\n".encode("utf-16"), "UTF-16"),
        (b"a,b\n\0\1,2\n", "binary file"),
        (b"PK\x03\x04rest", "a workbook or an archive"),
        (b"\x1f\x8bxx", "compressed"),
    ],
)
def test_a_bad_file_is_refused_with_its_name_and_what_to_do(write, content, message):
    path = write(content)
    with pytest.raises(ConfigError) as caught:
        read_csv(path)
    assert message in str(caught.value)
    assert path in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_and_a_folder_are_refused(write, tmp_path):
    write("a,b\n1,2\n", "iris.csv")
    with pytest.raises(ConfigError, match=r"no such file; did you mean .*iris\.csv"):
        read_csv(str(tmp_path / "irs.csv"))
    with pytest.raises(ConfigError, match="nor a folder"):
        read_csv(str(tmp_path / "none" / "iris.csv"))
    with pytest.raises(ConfigError, match="is a folder"):
        read_csv(str(tmp_path))


@pytest.mark.parametrize("sign", [";", "\t", "|", ","])
def test_the_separator_is_found(write, sign):
    table = read_csv(write(f"a{sign}b\n1{sign}x y\n2{sign}z\n"))
    assert table["b"].tolist() == ["x y", "z"]


def test_a_wrong_separator_is_said_with_the_right_one(write):
    with pytest.raises(ConfigError, match="one column only if split at ','; use --separator ';'"):
        read_csv(write("a;b\n1;2\n"), ",")


@pytest.mark.parametrize("separator", ["xx", "", "a", '"'])
def test_a_separator_is_one_sign(write, separator):
    with pytest.raises(ConfigError, match="--separator must be one character"):
        read_csv(write("a,b\n1,2\n"), separator)


def test_marks_blanks_quotes_and_missing_values_are_understood(write):
    path = write('\ufeff a , b,\n"x, y", NA,\n\n"two\nlines",?,\n')
    table = read_csv(path)
    assert list(table.columns) == ["a", "b", "column 3"]
    assert table["a"].tolist() == ["x, y", "two\nlines"]
    assert table["b"].isna().all()


def test_reading_tells_how_far_it_is(write):
    told = []
    path = write("a,b\n" + "1,2\n" * 40_000)
    assert len(read_csv(path, on_progress=lambda *pair: told.append(pair))) == 40_000
    assert [round(done / total, 2) for done, total in told] == [0.5, 1.0]


@pytest.mark.parametrize(
    ("values", "style", "numbers"),
    [
        (["1", "-2.5e3"], "plain", [1.0, -2500.0]),
        (["1,5", "1.234,25", "2"], "decimal comma", [1.5, 1234.25, 2.0]),
        (["1,500", "12,345.5"], "thousands", [1500.0, 12345.5]),
        (["53%", "7 %"], "unit", [53.0, 7.0]),
        (["$12,345", "-$5", "$0.50"], "unit", [12345.0, -5.0, 0.5]),
        (["12,50 €", "1.000,00 €"], "decimal comma", [12.5, 1000.0]),
        (["red", "1"], "", None),
    ],
)
def test_ways_to_write_numbers(values, style, numbers):
    column = pd.Series(values, dtype=object)
    assert number_style(column) == style
    if style:
        assert as_numbers(column, style).tolist() == numbers


def test_columns_without_use_are_left_out_with_a_reason():
    n = 60
    table = table_of(
        id=[f"C{k}" for k in range(n)],
        row=[str(k + 5) for k in range(n)],
        empty=[np.nan] * n,
        same=["x"] * n,
        zero=["0"] * n,
        colour=["red", "green", "blue"] * (n // 3),
        size=[str(k % 7) for k in range(n - 1)] + ["inf"],
        noise=["1"] * n,
    )
    chosen = choose_columns(table, table.index, {"noise": "ignore"})
    assert list(chosen.numbers) == ["size"]
    assert chosen.categories == {"colour": ["blue", "green", "red"]}
    assert {name: why.split()[0] for name, why in chosen.left_out.items()} == {
        "id": "a",
        "row": "it",
        "empty": "no",
        "same": "the",
        "zero": "the",
        "noise": "as",
    }
    assert "1 value that cannot be used as a number, such as 'inf'" in chosen.decisions["size"]


def test_categories_are_those_of_the_rows_to_learn_from():
    table = table_of(colour=["c", "a", "b"] * 10)
    kept = table.index[table["colour"] != "b"]
    assert choose_columns(table, kept).categories["colour"] == ["a", "c"]


def test_a_table_without_features_is_refused():
    table = table_of(id=[f"C{k}" for k in range(20)])
    with pytest.raises(ConfigError, match="no column left to learn from"):
        choose_columns(table, table.index)


def test_unseen_categories_and_lost_columns_of_a_test_file():
    table = table_of(colour=["a", "b"] * 10)
    chosen = choose_columns(table, table.index)
    assert chosen.read(table_of(colour=["a", "z"]))["colour"].isna().tolist() == [False, True]
    lesson = table_of(colour=["a", "b"] * 10, size=["1", "2"] * 10, y=["no", "yes"] * 10)
    with pytest.raises(ConfigError, match="has no column 'colour', which the model learns from"):
        prepare_two(lesson, table_of(size=["1"], y=["no"]), "y", {})


def test_targets_are_named_rightly():
    table = ["size", "bought"]
    with pytest.raises(ConfigError, match="--target: unknown column: 'bougt'; did you mean"):
        check_columns(table, "bougt", {})
    with pytest.raises(ConfigError, match="--drop: unknown column"):
        check_columns(table, "bought", {"sizes": "ignore"})
    with pytest.raises(
        ConfigError, match="--drop 'bought': this is the target, whose values are classes"
    ):
        check_columns(table, "bought", {"bought": "ignore"})
    for kind in ("text", "number"):
        check_columns(table, "bought", {"bought": kind})


def test_rows_without_a_target_are_left_out_and_counted():
    notes = []
    table = table_of(x=["1", "2", "3"], y=["a", None, "b"])
    features, labels = take_target(table, "y", notes)
    assert features["x"].tolist() == ["1", "3"]
    assert labels.tolist() == ["a", "b"]
    assert notes == ["1 row has no 'y' and is left out"]
    with pytest.raises(ConfigError, match="has no values"):
        take_target(table_of(x=["1"], y=[None]), "y", [])


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["a"] * 5, "is 'a' in each row"),
        ([f"name {k}" for k in range(9)], "such as 'name 0': a class needs several rows"),
        ([f"{k}.50 EUR" for k in range(9)], "a quantity needs cells with nothing but a number"),
        (
            [*map(str, range(90)), *["about 300", "cheap"] * 5],
            "has 90 numbers and 10 texts such as 'about 300': correct these, or learn a quantity "
            "without their rows by --column y=number",
        ),
    ],
)
def test_targets_that_are_no_classes_are_refused(labels, message):
    with pytest.raises(ConfigError) as caught:
        check_classes("data.csv", pd.Series(labels, name="y", dtype=object))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("labels", "kind", "style"),
    [
        ([f"{k / 7:.3f}" for k in range(100)], "", "plain"),
        ([str(k % 40) for k in range(200)], "", "plain"),
        ([f"{k},5" for k in range(50)], "", "decimal comma"),
        ([str(k % 4) for k in range(200)], "", ""),
        (["yes", "no"] * 20, "", ""),
        ([str(k % 4) for k in range(200)], "number", "plain"),
        ([str(k) for k in range(100)], "text", ""),
        (["5"] * 9, "", ""),
    ],
    ids=["decimals", "many-whole", "commas", "few-whole", "words", "said", "said-text", "constant"],
)
def test_many_different_numbers_are_a_quantity(labels, kind, style):
    assert quantity_style("data.csv", pd.Series(labels, name="y", dtype=object), kind) == style


@pytest.mark.parametrize(
    ("labels", "kind", "message"),
    [
        ([*map(str, range(50)), "inf"], "", "'y' is infinite in 1 row, such as 'inf': correct"),
        (["high", "low"] * 5, "number", "--column y=number: there is no number among the values"),
        (["5"] * 9, "number", "is 5 in each row: there is nothing to learn; name another column"),
        (["5"], "number", "has a number in 1 row: a quantity needs 2 rows at least"),
        (["5", "high"], "number", "has a number in 1 row"),
    ],
    ids=["infinite", "words", "constant", "one-row", "one-number"],
)
def test_targets_that_are_no_quantities_are_refused(labels, kind, message):
    target = pd.Series(labels, name="y", dtype=object)
    with pytest.raises(ConfigError) as caught:
        take_quantity("data.csv", target, quantity_style("data.csv", target, kind), [])
    assert message in str(caught.value)


def test_rows_whose_target_is_no_number_are_left_out_and_counted():
    notes = []
    target = pd.Series([*map(str, range(9)), "high"], name="y", dtype=object)
    assert take_quantity("data.csv", target, "plain", notes).tolist() == list(range(9))
    assert notes == ["1 row with a 'y' that is no number, such as 'high', is left out"]


def test_a_random_split_leaves_rows_to_learn_from():
    taught, tested = split_at_random(20, 0.25, seed=0)
    assert len(tested) == 5
    assert sorted([*taught, *tested]) == list(range(20))
    assert [len(part) for part in split_at_random(2, 0.9, seed=0)] == [1, 1]
    assert len(split_at_random(9, 0.0, seed=0)[1]) == 0
    with pytest.raises(ConfigError, match="--test-share must lie in"):
        split_at_random(9, 1.0, seed=0)


def test_a_split_keeps_some_of_each_class_on_both_sides():
    labels = np.array(["a"] * 40 + ["b"] * 8 + ["c"] * 2 + ["d"])
    taught, tested = split(labels, 0.25, seed=0)
    assert sorted([*taught, *tested]) == list(range(len(labels)))
    counts = [int((labels[tested] == name).sum()) for name in "abcd"]
    assert counts == [10, 2, 1, 0]
    assert len(split(labels, 0.0, seed=0)[1]) == 0
    with pytest.raises(ConfigError, match=r"--test-share must lie in \[0, 1\)"):
        split(labels, 1.0, seed=0)


def test_single_rows_and_unknown_classes_are_told():
    table = table_of(x=[str(k * k) for k in range(21)], y=["a", "b"] * 10 + ["c"])
    lesson = prepare(table, "y", {}, 0.25, 0)
    assert lesson.notes == ["classes with a single row are learned, not tested: c"]
    test = table_of(x=["1", "2"], y=["c", "z"])
    lesson = prepare_two(table, test, "y", {})
    assert lesson.notes == ["classes of the test file that were not learned: z"]
    assert len(lesson.test_rows) == 2


# --- what columns are taken for -------------------------------------------------------------------

N = 60


def chosen_for(kind="", **columns):
    table = table_of(**columns)
    (name,) = columns
    table["other"] = [str(k % 7) for k in range(len(table))]
    return choose_columns(table, table.index, {name: kind} if kind else {})


def test_codes_with_leading_zeros_are_text_unless_a_person_says_otherwise():
    codes = ["02683", "10115", "00501"] * 20
    chosen = chosen_for(zip=codes)
    assert chosen.categories == {"zip": ["00501", "02683", "10115"]}
    assert "leading zeros (else --column zip=number)" in chosen.decisions["zip"]
    assert chosen_for("number", zip=codes).numbers["zip"] == "plain"
    assert "zip" in chosen_for(zip=["07", "12", "00"] * 20).numbers


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("account", [str(4 * 10**18 + 77_777 * (k * 7 % N)) for k in range(N)]),
        ("customer_id", [str(1000 + k * 37 % 997) for k in range(N)]),
        ("orderID", [str(1000 + k * 37 % 997) for k in range(N)]),
    ],
)
def test_identifiers_are_left_out_unless_a_person_says_otherwise(name, values):
    chosen = chosen_for(**{name: values})
    assert f"as identifiers are (else --column {name}=number)" in chosen.left_out[name]
    assert name in chosen_for("number", **{name: values}).numbers
    assert "size" in chosen_for(size=values[:5] * 12).numbers


def test_numbers_that_stand_for_a_gap_are_missing_unless_a_person_says_otherwise():
    values = [str(k % 30 + 0.5) for k in range(N - 4)] + ["-999"] * 3 + ["-999.0"]
    chosen = chosen_for(temp=values)
    assert chosen.stand_ins == {"temp": -999.0}
    assert "4 values -999 taken as missing (else --column temp=number)" in chosen.decisions["temp"]
    assert chosen.read(table_of(temp=["-999", "3"]))["temp"].isna().tolist() == [True, False]
    assert not chosen_for("number", temp=values).stand_ins
    assert not chosen_for(score=[str(k * 17 % 1000) for k in range(N)] + ["999"] * 3).stand_ins


@pytest.mark.parametrize(
    ("values", "style", "low"),
    [
        ([f"2024-01-{k % 28 + 1:02d}" for k in range(N)], "date", "2024-01-01"),
        ([f"{k % 28 + 1}.3.2024" for k in range(N)], "date, day first", "2024-03-01"),
        ([f"3/{k % 28 + 1}/2024" for k in range(N)], "date, month first", "2024-03-01"),
        ([f"{k % 28 + 1}/3/24 12:30" for k in range(N)], "date, day first", "2024-03-01 12:30"),
    ],
    ids=["year-first", "points", "slashes", "times"],
)
def test_dates_are_numbers_of_days_said_as_dates(values, style, low):
    chosen = chosen_for(when=values)
    assert chosen.numbers["when"] == style
    assert chosen.decisions["when"].startswith(f"dates, {low} to 2024-")
    assert chosen.categories == {}
    assert chosen_for("text", when=values).categories["when"] == sorted(set(values))
    assert date_style(pd.Series(["red", "1.2"], dtype=object)) == ""


def test_rare_ones_of_many_categories_are_grouped():
    values = [f"c{k % 80}" for k in range(800)] + [f"rare {k}" for k in range(40)]
    chosen = chosen_for(city=values)
    assert chosen.grouped == ["city"]
    assert len(chosen.categories["city"]) == 81
    assert "40 rare ones are one: (other)" in chosen.decisions["city"]
    read = chosen.read(table_of(city=["c3", "rare 3", "never seen", None]))["city"]
    assert read.tolist()[:3] == ["c3", "(other)", "(other)"]
    assert read.isna().tolist() == [False, False, False, True]
    rare = [f"c{k // 2}" for k in range(800)]
    assert "most of them rare" in chosen_for(city=rare).left_out["city"]


def test_whole_numbers_are_known(write):
    chosen = chosen_for(tickets=["1", "2", "0", "5.0"] * 15)
    assert chosen.whole == ["tickets", "other"]
    assert chosen.decisions["tickets"] == "whole numbers, 0 to 5"


def test_words_that_count_as_missing_are_said_with_their_count(write):
    rows = "".join(f"{region},{k % 7}\n" for k, region in enumerate(["North", "None", "West"] * 9))
    table = read_csv(write("region,x\n" + rows))
    chosen = choose_columns(table, table.index)
    assert chosen.decisions["region"] == "text, 2 categories; taken as missing: 9 'None'"


def test_rows_of_a_test_that_were_learned_from_are_said():
    table = table_of(x=[str(k * k) for k in range(20)], y=["a", "b"] * 10)
    test = table_of(x=["1", "4", "5"], y=["b", "a", "a"])
    notes = prepare_two(table, test, "y", {}).notes
    assert "2 of the 3 rows of data.csv are also among the rows to learn from" in notes[0]


def test_a_first_line_that_looks_like_data_is_asked_about(write):
    rows = "5.1,1.4,setosa\n" * 3 + "6.0,5.5,virginica\n" * 3
    lesson = prepare(read_csv(write(rows)), "setosa", {}, 0.25, 0)
    assert "are these names of columns: 5.1, 1.4, setosa?" in lesson.notes[0]
    named = read_csv(write("country,2019,2020\n" + "x,1,2\ny,3,4\n" * 5))
    assert prepare(named, "country", {}, 0.25, 0).notes == []


@pytest.mark.parametrize("text", ["zip", "zip=zipcode", "=", "zip="])
def test_kinds_are_few(text):
    with pytest.raises(ConfigError, match="a kind among text, number, date, ignore"):
        read_kinds([text])


@pytest.mark.parametrize("kind", ["number", "date"])
def test_a_kind_that_no_value_has_is_refused(kind):
    with pytest.raises(ConfigError, match=f"--column colour={kind}: there is no {kind}"):
        chosen_for(kind, colour=["red", "green"] * 30)
