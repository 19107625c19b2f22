"""A store keeps finished runs for good, refuses what is not a store, and never overwrites."""

import json
import os
import shutil
import sqlite3

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruleplay.errors import StoreError
from ruleplay.experiments.storage import index as store_index
from ruleplay.experiments.storage.compact import CompactResults, export_compact, open_results
from ruleplay.experiments.storage.results import decode_summary, encode_summary
from ruleplay.experiments.storage.store import Store
from ruleplay.experiments.trial import Failure
from tiny_study import made_up_trial, tiny_spec

SPEC, OTHER = tiny_spec(), tiny_spec("xcs")
KEY = (SPEC.digest(), 0)


def fill(path, trials):
    with Store.open(path, create=True) as store:
        store.register([(SPEC, ""), (OTHER, "")])
        for trial in trials:
            store.publish(trial)


@pytest.fixture
def folder(tmp_path):
    trials = [made_up_trial(spec, seed) for spec in (SPEC, OTHER) for seed in range(3)]
    fill(tmp_path / "store", trials)
    return tmp_path / "store"


def contents(folder):
    """Return all files but the helpers that SQLite makes for readers."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path: path.read_bytes() for path in files if not path.name.endswith(("-wal", "-shm"))}


def test_a_published_run_is_there_when_the_store_is_opened_again(folder):
    with Store.open(folder) as store:
        digests = [SPEC.digest(), OTHER.digest()]
        assert store.completed(digests) == {(d, seed) for d in digests for seed in range(3)}
        assert store.completed([SPEC.digest()]) == {(SPEC.digest(), seed) for seed in range(3)}
        course = store.load_curve(SPEC.digest(), 2)
        expected = made_up_trial(SPEC, 2).course
        assert set(course.curve) == set(expected.curve)
        assert all((course.curve[name] == expected.curve[name]).all() for name in expected.curve)
        assert (course.episode_returns == expected.episode_returns).all()
        assert (course.episode_lengths == expected.episode_lengths).all()


def test_specifications_are_kept_completely(folder):
    with Store.open(folder) as store:
        assert [cell[:3] for cell in store.cells()] == [
            ("stein2020/rmp6", "xcs", ""),
            ("stein2020/rmp6", "xcs-er", ""),
        ]
        assert store.spec(SPEC.digest()) == SPEC
        with pytest.raises(StoreError, match="no specification 0000"):
            store.spec("0000")


def test_summaries_have_a_row_per_run(folder):
    with Store.open(folder) as store:
        frame = store.summaries()
    assert list(frame["agent"]) == ["xcs"] * 3 + ["xcs-er"] * 3
    assert list(frame["seed"]) == [0, 1, 2] * 2
    assert list(frame["reward"]) == [0.1, 1.1, 2.1] * 2
    assert frame["otm"].isna().all()


def test_an_empty_store_has_an_empty_table(tmp_path):
    with Store.open(tmp_path / "new", create=True) as store:
        assert list(store.summaries().columns[:5]) == [
            "preset",
            "agent",
            "variant",
            "digest",
            "seed",
        ]
        assert store.summaries().empty
        assert store.completed([SPEC.digest()]) == set()


def test_a_changed_specification_is_another_run_and_the_cell_means_the_new_one(folder):
    changed = tiny_spec(ga_threshold=13)
    with Store.open(folder, write=True) as store:
        store.register([(changed, "")])
        assert store.completed([changed.digest()]) == set()
        assert set(store.summaries()["agent"]) == {"xcs"}
        store.register([(SPEC, "")])
        assert set(store.summaries()["agent"]) == {"xcs", "xcs-er"}


def test_variants_are_cells_of_their_own(folder):
    with Store.open(folder, write=True) as store:
        store.register([(tiny_spec(ga_threshold=13), "theta_GA = 13")])
        assert [cell.variant for cell in store.cells()] == ["", "", "theta_GA = 13"]


def test_one_specification_may_stand_in_two_cells(folder):
    with Store.open(folder, write=True) as store:
        store.register([(tiny_spec("xcs-er-4"), "")])
        assert list(store.summaries()["agent"]) == ["xcs"] * 3 + ["xcs-er"] * 3 + ["xcs-er-4"] * 3


def test_a_failure_is_kept_until_the_run_succeeds(folder):
    failure = Failure(digest=SPEC.digest(), seed=9, error="Boom: no", traceback="line\nBoom: no")
    with Store.open(folder, write=True) as store:
        store.record_failure(failure)
        assert (SPEC.digest(), 9) not in store.completed([SPEC.digest()])
        (failed,) = store.failures()
        assert (failed.agent, failed.seed, failed.error) == ("xcs-er", 9, "Boom: no")
        assert failed.traceback == "line\nBoom: no"
        store.publish(made_up_trial(SPEC, 9))
        assert store.failures() == []
        assert (SPEC.digest(), 9) in store.completed([SPEC.digest()])


def test_the_canonical_digest_ignores_order_and_time(tmp_path, folder):
    trials = [made_up_trial(spec, seed) for seed in (2, 0, 1) for spec in (OTHER, SPEC)]
    fill(tmp_path / "other", trials)
    with Store.open(folder) as one, Store.open(tmp_path / "other") as two:
        assert one.canonical_digest() == two.canonical_digest()
    fill(tmp_path / "other", [made_up_trial(SPEC, 3)])
    with Store.open(folder) as one, Store.open(tmp_path / "other") as two:
        assert one.canonical_digest() != two.canonical_digest()


def test_a_second_writer_is_refused_and_readers_are_not(folder):
    with Store.open(folder, write=True) as store:
        with pytest.raises(StoreError, match="another process is writing to"):
            Store.open(folder, write=True)
        with Store.open(folder) as reader:
            store.publish(made_up_trial(SPEC, 5))
            assert (SPEC.digest(), 5) in reader.completed([SPEC.digest()])
    Store.open(folder, write=True).close()


def helpers(folder):
    return sorted(path.name for path in folder.glob("index.sqlite-*"))


def test_a_writer_leaves_the_index_in_one_file_and_so_do_readers(folder):
    with Store.open(folder) as store:
        assert len(store.summaries()) > 0
    assert helpers(folder) == []
    with Store.open(folder, write=True):
        pass
    with Store.open(folder):
        pass
    assert helpers(folder) == []


def test_a_reader_that_looks_on_does_not_keep_a_writer_from_closing(folder):
    with Store.open(folder, write=True) as writer, Store.open(folder) as reader:
        before = reader.summaries()
        writer.close()
        assert len(reader.summaries()) == len(before)
    with Store.open(folder, write=True):
        pass
    assert helpers(folder) == []


def test_a_reader_cannot_write(folder):
    with Store.open(folder) as store, pytest.raises(StoreError, match="open for reading only"):
        store.publish(made_up_trial(SPEC, 5))


def test_leftovers_of_a_killed_writer_are_swept(folder):
    place = folder / "curves" / "ab"
    place.mkdir(exist_ok=True)
    orphan, partial = place / f"{'ab' * 32}-7.npz", place / f"{'ab' * 32}-8.npz.partial"
    foreign = place / "notes.txt"
    for path in (orphan, partial, foreign):
        path.write_bytes(b"x")
    Store.open(folder).close()
    assert orphan.exists()
    with Store.open(folder, write=True) as store:
        assert not orphan.exists()
        assert not partial.exists()
        assert foreign.exists()
        assert len(store.completed([SPEC.digest(), OTHER.digest()])) == 6


def killed_while_writing(folder, killed):
    """Copy a store as a process leaves it that is killed in the middle of a transaction."""
    connection = sqlite3.connect(folder / "index.sqlite", isolation_level=None)
    connection.execute("PRAGMA cache_size = 1")  # so that what is not committed goes to the disk
    connection.execute("BEGIN IMMEDIATE")
    rows = [(f"half {number}", "x" * 500) for number in range(200)]
    connection.executemany("INSERT INTO specs VALUES (?, ?)", rows)
    shutil.copytree(folder, killed)
    connection.execute("ROLLBACK")
    connection.close()


def test_a_journal_of_a_killed_writer_is_played_back_by_who_reads(tmp_path, folder):
    killed = tmp_path / "killed"
    killed_while_writing(folder, killed)
    assert (killed / "index.sqlite-journal").stat().st_size
    assert b"half 7" in (killed / "index.sqlite").read_bytes()
    with Store.open(folder) as store, Store.open(killed) as other:
        assert other.summaries().equals(store.summaries())
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            other._index.execute("DELETE FROM runs")
    assert not (killed / "index.sqlite-journal").exists()


def test_a_journal_where_nothing_can_be_written_is_an_error(tmp_path, folder, monkeypatch):
    killed_while_writing(folder, tmp_path / "killed")
    connect = store_index._connect
    monkeypatch.setattr(store_index, "_connect", lambda path, mode: connect(path, "mode=ro"))
    with pytest.raises(StoreError, match=r"cannot be used as a store of results.*readonly"):
        Store.open(tmp_path / "killed")


def test_a_run_whose_curve_is_gone_counts_as_not_done(folder):
    next((folder / "curves").rglob(f"{SPEC.digest()}-0.npz")).unlink()
    with Store.open(folder, write=True) as store:
        assert KEY not in store.completed([SPEC.digest()])
        with pytest.raises(StoreError, match="cannot be read"):
            store.load_curve(*KEY)
        store.publish(made_up_trial(SPEC, 0))
        assert KEY in store.completed([SPEC.digest()])


def not_sqlite(index):
    index.write_bytes(b"these are my own notes, not results\n" * 200)


def empty(index):
    index.write_bytes(b"")


def truncated(index):
    index.write_bytes(index.read_bytes()[: index.stat().st_size // 2])


def scrambled(index):
    content = bytearray(index.read_bytes())
    content[4096:] = os.urandom(len(content) - 4096)
    index.write_bytes(bytes(content))


def change(index, statement):
    connection = sqlite3.connect(index)
    connection.execute(statement)
    connection.commit()
    connection.close()


def other_format(index):
    change(index, "UPDATE meta SET format = 99")


def other_layout(index):
    change(index, "ALTER TABLE runs ADD COLUMN colour TEXT")


def other_program(index):
    index.unlink()
    change(index, "CREATE TABLE recipes (name TEXT)")


def no_index(index):
    index.unlink()


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (not_sqlite, "file is not a database"),
        (empty, "is empty"),
        (truncated, "malformed|damaged"),
        (scrambled, "malformed|damaged"),
        (other_format, "its format is 99, this version of ruleplay reads 1"),
        (other_layout, "its tables are not those of a store"),
        (other_program, "is not a store of results"),
        (no_index, "holds curves without an index"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_is_not_a_whole_store_is_refused_and_left_alone(folder, damage, message):
    damage(folder / "index.sqlite")
    before = contents(folder)
    with pytest.raises(StoreError, match=message):
        Store.open(folder, create=True)
    assert contents(folder) == before


def test_a_file_or_an_absent_folder_is_no_store(tmp_path):
    with pytest.raises(StoreError, match="there is no store of results in"):
        Store.open(tmp_path / "absent")
    assert not (tmp_path / "absent").exists()
    (tmp_path / "file").write_text("mine")
    with pytest.raises(StoreError, match="is a file"):
        Store.open(tmp_path / "file", create=True)


def test_a_folder_with_other_things_may_get_a_store(tmp_path):
    (tmp_path / "quick").mkdir()
    (tmp_path / "notes.txt").write_text("mine")
    Store.open(tmp_path, create=True).close()
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_a_store_on_a_read_only_disk_is_read_without_helper_files(folder, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    before = set(folder.iterdir())
    with Store.open(folder) as store:
        assert len(store.summaries()) == 6
        assert set(folder.iterdir()) == before


@pytest.mark.parametrize(
    "arrays",
    [
        {"curve/reward": np.zeros(3)},
        {"curve/step": np.zeros(3), "episode_returns": np.zeros(2)},
        {
            "curve/step": np.zeros(3),
            "curve/reward": np.zeros(2),
            "episode_returns": np.zeros(2),
            "episode_lengths": np.zeros(2, int),
        },
        {
            "curve/step": np.array(["a"]),
            "episode_returns": np.zeros(2),
            "episode_lengths": np.zeros(2, int),
        },
    ],
    ids=["no-steps", "no-lengths", "other-length", "text"],
)
def test_a_file_that_is_no_curve_is_refused(folder, arrays):
    path = next((folder / "curves").rglob(f"{SPEC.digest()}-0.npz"))
    np.savez(path, **arrays)
    with Store.open(folder) as store, pytest.raises(StoreError, match="holds no learning curve"):
        store.load_curve(*KEY)


def test_a_curve_file_with_python_objects_is_refused(folder):
    path = next((folder / "curves").rglob(f"{SPEC.digest()}-0.npz"))
    np.savez(path, **{"curve/step": np.array([{}], dtype=object)})
    with Store.open(folder) as store, pytest.raises(StoreError, match="cannot be read"):
        store.load_curve(*KEY)


figures = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**53), 2**53), st.floats(allow_nan=False)
)
summaries = st.dictionaries(st.text(min_size=1, max_size=20), figures, max_size=8)


@given(summaries)
def test_summaries_survive_the_index_exactly(summary):
    text = encode_summary(summary)
    json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))
    read = decode_summary(text)
    assert read == summary
    assert [type(read[name]) for name in summary] == [type(value) for value in summary.values()]


measures = st.fixed_dictionaries(
    {
        "reward": st.none() | st.floats(allow_nan=False),
        "system_error": st.none() | st.floats(allow_nan=False),
        "otm": st.none() | st.floats(allow_nan=False),
        "first_reward_step": st.none() | st.integers(1, 2**40),
        "episodes": st.integers(0, 2**40),
        "diverged": st.none() | st.booleans(),
        "never_rewarded": st.booleans(),
    }
)


@settings(max_examples=15, deadline=None)
@given(st.lists(measures, min_size=1, max_size=3))
def test_tables_survive_store_and_compact_folder_exactly(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("round")
    fill(folder / "store", [made_up_trial(SPEC, k, row) for k, row in enumerate(rows)])
    with Store.open(folder / "store") as store:
        frame = store.summaries()
        export_compact(store, folder / "compact")
    read = open_results(folder / "compact").summaries()
    pd.testing.assert_frame_equal(read, frame, check_exact=True)
    for k, row in enumerate(rows):
        for name, value in row.items():
            found = frame.iloc[k][name]
            assert (pd.isna(found) and value is None) or found == value
    shutil.rmtree(folder)


def test_a_compact_folder_tells_a_report_everything(tmp_path, folder):
    failure = Failure(digest=SPEC.digest(), seed=9, error="Boom", traceback="long")
    with Store.open(folder, write=True) as store:
        store.record_failure(failure)
        export_compact(store, tmp_path / "compact")
        compact = open_results(tmp_path / "compact")
        assert isinstance(compact, CompactResults)
        assert compact.cells() == store.cells()
        assert compact.spec(SPEC.digest()) == SPEC
        assert [failed.seed for failed in compact.failures()] == [9]
        for digest in (SPEC.digest(), OTHER.digest()):
            one, two = store.band(digest), compact.band(digest)
            assert one.runs == two.runs == 3
            assert [seed for seed, _ in store.courses(digest)] == [0, 1, 2]
            assert list(compact.courses(digest)) == []  # bands only
            assert (one.step == two.step).all()
            for part in ("mean", "sd"):
                first, second = getattr(one, part), getattr(two, part)
                assert set(first) == set(second) == {"reward", "system_error", "trailing_return"}
                for name in first:
                    assert np.array_equal(first[name], second[name], equal_nan=True)


def test_the_same_results_give_the_same_compact_bytes(tmp_path, folder):
    with Store.open(folder) as store:
        export_compact(store, tmp_path / "one")
        export_compact(store, tmp_path / "two")
        export_compact(store, tmp_path / "two")
    one, two = (sorted(contents(tmp_path / name).items()) for name in ("one", "two"))
    assert [path.name for path, _ in one] == ["bands.npz", "runs.csv", "study.json"]
    assert [content for _, content in one] == [content for _, content in two]


def test_a_compact_folder_does_not_replace_other_things(tmp_path, folder):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    with Store.open(folder) as store, pytest.raises(StoreError, match="holds something else"):
        export_compact(store, tmp_path / "mine")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "cannot be read"),
        ("[]", "cannot be read"),
        ('{"format": 7}', "its format is 7"),
        ('{"format": 1, "cells": []}', "lacks failures, runs_per_band, specs"),
    ],
)
def test_a_damaged_compact_folder_is_refused(tmp_path, text, message):
    (tmp_path / "study.json").write_text(text)
    with pytest.raises(StoreError, match=message):
        open_results(tmp_path)


def test_a_folder_without_results_is_refused(tmp_path):
    with pytest.raises(StoreError, match="there is no store of results in"):
        open_results(tmp_path)


def test_results_of_the_whole_paper_fit_into_a_repository(tmp_path):
    specs = [tiny_spec(ga_threshold=10 + k) for k in range(36)]
    with Store.open(tmp_path / "store", create=True) as store:
        store.register((spec, str(k)) for k, spec in enumerate(specs))
        for spec in specs:
            trial = made_up_trial(spec, 0, points=200)
            names = ("macroclassifiers", "microclassifiers", "generality_volume")
            trial.course.curve.update({n: np.random.default_rng(1).random(200) for n in names})
            store.publish(trial)
            store.publish(made_up_trial(spec, 1, points=200))
        export_compact(store, tmp_path / "compact")
    sizes = {path.name: path.stat().st_size for path in (tmp_path / "compact").iterdir()}
    assert sizes["bands.npz"] + sizes["study.json"] + 15 * sizes["runs.csv"] < 3_000_000


def test_a_compact_folder_without_curves_still_has_all_figures(tmp_path, folder):
    with Store.open(folder) as store:
        export_compact(store, tmp_path / "compact", has_curves=lambda cell: False)
        compact = open_results(tmp_path / "compact")
        pd.testing.assert_frame_equal(compact.summaries(), store.summaries())
        assert [compact.spec(cell.digest) for cell in compact.cells()] == [
            store.spec(cell.digest) for cell in store.cells()
        ]
    with pytest.raises(StoreError, match="has no curves of specification"):
        compact.band(SPEC.digest())
