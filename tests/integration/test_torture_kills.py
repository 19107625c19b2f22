"""Some of what the torture chamber does at length, in the smallest version that is worth it."""

import itertools
import signal
from pathlib import Path

import pytest

import tiny_study
from ruleplay.errors import StoreError
from ruleplay.experiments.executors import LocalExecutor
from ruleplay.experiments.runner import run_study
from ruleplay.experiments.storage.store import Store
from torture import victims
from torture.disks import NotPossibleError, closed, fill, small_disk, start_unprivileged
from torture.killing import wait_until
from torture.parts import caches

RUNS = 40
pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")


@pytest.fixture(scope="module")
def calm(tmp_path_factory):
    """Return the digest of an undisturbed study."""
    with Store.open(tmp_path_factory.mktemp("calm") / "store", create=True) as store:
        run_study(tiny_study.tiny_study(RUNS, steps=3000), store, LocalExecutor(1))
        return store.canonical_digest()


def test_a_worker_killed_amidst_a_run_is_replaced_and_nothing_changes(tmp_path, calm):
    folder = tmp_path / "store"
    process = victims.start(tiny_study.__file__, folder, 2, RUNS)
    try:
        for _ in range(4):
            process.stdout.readline()
        busy = wait_until(process, lambda: victims.busy_workers(process.pid, process.pid))
        assert busy
        victims.strike(busy[0], signal.SIGKILL)
        lines, words = process.communicate(timeout=120)
        assert (process.returncode, words) == (0, "")
        assert len(lines.splitlines()) == RUNS + 1 - 4
        assert victims.orphans(process.pid) == []
    finally:
        victims.end(process)
    with Store.open(folder) as store:
        assert store.canonical_digest() == calm


def test_a_store_on_a_full_disk_keeps_what_it_has_and_goes_on_when_there_is_room(tmp_path):
    spec = tiny_study.tiny_spec()
    try:
        with small_disk(tmp_path, 512 << 10) as disk:
            kept = _publish_until_full(disk, spec)
            with Store.open(disk / "store", write=True) as store:
                assert len(store.completed([spec.digest()])) == kept
                store.publish(tiny_study.made_up_trial(spec, 1000))
                assert all(len(course.curve["step"]) for _, course in store.courses(spec.digest()))
            assert not list(disk.rglob("*partial*"))
    except NotPossibleError as error:
        pytest.skip(str(error))


def _publish_until_full(disk, spec):
    """Publish runs until there is no room; return how many there were."""
    with Store.open(disk / "store", create=True) as store:
        store.register([(spec, "")])
        store.publish(tiny_study.made_up_trial(spec, 0))
        filler = fill(disk, free=96 << 10)
        seeds = itertools.count(1)
        with pytest.raises((OSError, StoreError), match=r"full|No space left"):
            _publish_all(store, spec, seeds)
    filler.unlink()
    kept = next(seeds) - 1
    assert kept > 1
    return kept


def _publish_all(store, spec, seeds):
    for seed in itertools.takewhile(lambda seed: seed < 100, seeds):
        store.publish(tiny_study.made_up_trial(spec, seed))


def test_a_cache_that_cannot_be_written_costs_only_time(tmp_path):
    place = caches.Place(tmp_path, caches.SMALL)
    free = place.run()
    for path in place.cache.rglob("*.nb?"):
        path.unlink()
    with closed(place.cache):
        try:
            assert place.run(start=start_unprivileged) == free
        except NotPossibleError as error:
            pytest.skip(str(error))
