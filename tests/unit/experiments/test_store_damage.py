"""A damaged store is refused with the documented error, whatever is odd in it."""

import io
import sqlite3
import struct
import zipfile

import numpy as np
import pytest

from ruleplay.errors import StoreError
from ruleplay.experiments.live import StudyFollower
from ruleplay.experiments.storage.curve_files import curve_path
from ruleplay.experiments.storage.store import Store
from tiny_study import made_up_trial, tiny_spec

pytestmark = pytest.mark.uncompiled

SPEC = tiny_spec()


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "store"
    with Store.open(path, create=True) as store:
        store.register([(SPEC, "")])
        for seed in range(2):
            store.publish(made_up_trial(SPEC, seed))
    return path


def read_all(folder):
    with Store.open(folder) as store:
        store.log(), store.summaries(), store.canonical_digest()
        for cell in store.cells():
            store.spec(cell.digest), store.band(cell.digest)


DEEP = "[" * 100_000


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("runs.seed", "x", "runs.seed are no integer"),
        ("runs.seconds", "soon", "runs.seconds are no real"),
        ("runs.summary", None, "runs.summary are no text"),
        ("runs.finished_at", b"\xff", "runs.finished_at are no text"),
        ("cells.variant", b"x", "cells.variant are no text"),
        ("runs.finished_at", "yesterday", "the time at which a run ended cannot be read"),
        ("runs.finished_at", "2026-01-01T00:00:00", "must have a time zone"),
        ("runs.summary", "", "the summary of a run cannot be read"),
        ("runs.summary", "[]", "a summary must be an object"),
        ("runs.summary", '{"reward": "x"}', "reward must be a number or null"),
        ("runs.summary", '{"reward": 1' + "0" * 400 + "}", "the summary of a run cannot be read"),
        ("runs.summary", DEEP, "the summary of a run is nested too deeply"),
        ("specs.spec", "", "the specification .* cannot be read"),
        ("specs.spec", "[]", "the specification .* cannot be read"),
        ("specs.spec", "{}", "the specification .* cannot be read"),
        ("specs.spec", '{"xcs": 3}', "the specification .* cannot be read"),
    ],
)
def test_odd_values_in_the_index_are_refused(folder, column, value, message):
    table, name = column.split(".")
    with sqlite3.connect(folder / "index.sqlite") as connection:
        connection.execute(f"UPDATE {table} SET {name} = ? WHERE rowid = 1", (value,))
    connection.close()
    with pytest.raises(StoreError, match=message):
        read_all(folder)
    if table == "runs":
        with pytest.raises(StoreError, match=message):
            StudyFollower(folder).state()


def damaged_inside(content):
    """Return an archive whose first compressed block is of a kind that does not exist."""
    name, extra = struct.unpack("<HH", content[26:30])
    start = 30 + name + extra
    return content[:start] + b"\x07" + content[start + 1 :]


def encrypted(content):
    """Return an archive that claims to need a password."""
    place = content.index(b"PK\x01\x02") + 8
    return content[:place] + bytes([content[place] | 1]) + content[place + 1 :]


def of_one_array(content):
    buffer = io.BytesIO()
    np.save(buffer, np.zeros(3))
    return buffer.getvalue()


def of_something_else(content):
    """Return an archive with a part that is no array."""
    buffer = io.BytesIO(content)
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.writestr("curve/more.npy", b"no array")
    return buffer.getvalue()


@pytest.mark.parametrize(
    "damage",
    [damaged_inside, encrypted, of_one_array, of_something_else, lambda content: content[:50]],
)
def test_a_damaged_curve_is_refused(folder, damage):
    path = curve_path(folder / "curves", SPEC.digest(), 0)
    path.write_bytes(damage(path.read_bytes()))
    with Store.open(folder) as store, pytest.raises(StoreError, match="cannot be read"):
        store.band(SPEC.digest())


def test_curves_that_do_not_belong_together_are_refused(folder):
    with Store.open(folder, write=True) as store:
        store.publish(made_up_trial(SPEC, 0, points=7))
        with pytest.raises(StoreError, match=r"the curves of .* cannot be read"):
            store.band(SPEC.digest())


def test_bytes_that_are_no_text_are_a_damaged_store(tmp_path):
    from ruleplay.experiments.storage.index import explain_errors

    with pytest.raises(StoreError, match="cannot be used as a store"), explain_errors(tmp_path):
        b"\xff".decode()
