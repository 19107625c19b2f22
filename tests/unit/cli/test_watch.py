"""What `ruleplay watch` reads and serves: the state of a study or a run, to this computer only."""

import hashlib
import http.client
import json
import socket
import struct
import threading
import time
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ruleplay.cli import app
from ruleplay.cli.running.log import RunFollower, RunLog
from ruleplay.cli.watching.server import WatchServer
from ruleplay.errors import ConfigError, StoreError
from ruleplay.experiments.live import StudyFollower, describe_progress, pace
from ruleplay.experiments.storage.plan_file import (
    PLAN,
    PROGRESS,
    read_plan,
    read_progress,
    write_plan,
    write_progress,
)
from ruleplay.experiments.storage.results import LoggedRun
from ruleplay.experiments.storage.store import Store
from ruleplay.experiments.trial import Failure
from tiny_study import made_up_trial, tiny_spec

SPEC = tiny_spec()
OTHER = tiny_spec("xcs-er-2")


@pytest.fixture
def folder(tmp_path):
    """Return a store of two cells: three runs of five, one of which failed, and none."""
    path = tmp_path / "store"
    with Store.open(path, create=True) as store:
        store.register([(SPEC, ""), (OTHER, "")])
        keys = [(spec.digest(), seed) for spec in (SPEC, OTHER) for seed in range(5)]
        write_plan(path, keys, workers=2)
        for seed in range(2):
            store.publish(made_up_trial(SPEC, seed))
        failure = Failure(
            digest=SPEC.digest(), seed=2, error="went wrong", traceback="trace", seconds=0.1
        )
        store.record_failure(failure)
    return path


def hashes(folder):
    """Return what all files of a store hold; SQLite's helpers are no part of it."""
    return {
        path.relative_to(folder): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.endswith(("-shm", "-wal"))
    }


def test_a_study_is_described_from_its_store(folder):
    state = StudyFollower(folder).state()
    assert (state["total"], state["done"], state["failed"]) == (10, 2, 1)
    first, second = state["cells"]
    assert (first["name"], first["planned"], first["done"]) == ("rmp6 xcs-er", 5, 2)
    assert first["figures"]["reward"]["mean"] == pytest.approx(0.6)
    assert len(first["curve"]["mean"]) == 4
    assert second["curve"] is None
    assert [run["status"] for run in state["newest"]].count("failed") == 1
    json.dumps(state)


def test_what_a_study_is_doing_is_told_with_the_time_left(folder):
    assert StudyFollower(folder).state()["phase"] is None
    write_progress(folder, "compiling", 60.0)
    state = StudyFollower(folder).state()
    assert state["phase"] == "compiling"
    assert 30.0 < state["seconds_left"] <= 60.0
    later = read_progress(folder).at + timedelta(seconds=50)
    assert describe_progress(read_progress(folder), later)["seconds_left"] == pytest.approx(10.0)
    assert describe_progress(read_progress(folder), later + timedelta(1))["seconds_left"] is None
    write_progress(folder, "compiling", None)
    assert StudyFollower(folder).state()["seconds_left"] is None
    write_progress(folder, "done", 0.0)
    assert StudyFollower(folder).state()["seconds_left"] == 0.0


@pytest.mark.parametrize("content", ["", "[]", '{"phase": "x"}', '{"at": 3, "phase": "x"}'])
def test_damaged_progress_is_an_error(tmp_path, content):
    (tmp_path / PROGRESS).write_text(content)
    with pytest.raises(StoreError, match="cannot be read as progress"):
        read_progress(tmp_path)


def test_a_changed_store_is_seen_and_nothing_is_written(folder):
    follower = StudyFollower(folder)
    before = hashes(folder)
    assert follower.state()["done"] == 2
    assert follower.state()["cells"] is follower.state()["cells"]
    assert hashes(folder) == before
    with Store.open(folder, write=True) as store:
        store.publish(made_up_trial(SPEC, 2))
        assert follower.state()["done"] == 3
        assert follower.state()["failed"] == 0


def test_runs_outside_the_plan_do_not_count(folder):
    write_plan(folder, [(SPEC.digest(), 1)], workers=1)
    state = StudyFollower(folder).state()
    assert (state["total"], state["done"], state["failed"]) == (1, 1, 0)
    assert state["cells"][1]["planned"] is None


def test_a_store_without_a_plan_has_no_total(folder):
    (folder / PLAN).unlink()
    state = StudyFollower(folder).state()
    assert state["total"] is None
    assert state["done"] == 2
    assert state["seconds_left"] is None


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        '{"format": 2}',
        '{"format": 1, "seeds": 3}',
        '{"format": 1, "workers": 1, "seeds": {"a": [1e999]}}',
        "[" * 100_000,
    ],
)
def test_a_damaged_plan_is_an_error(tmp_path, content):
    (tmp_path / PLAN).write_text(content)
    with pytest.raises(StoreError, match="cannot be read as a plan"):
        read_plan(tmp_path)


def test_the_pace_is_that_of_the_last_minutes():
    now = datetime(2026, 1, 1, 12, tzinfo=UTC)
    log = [
        LoggedRun("d", k, "ok", 1.0, (now - timedelta(seconds=s)).isoformat())
        for k, s in enumerate((0, 30, 60, 4000))
    ]
    assert pace(log, now) == pytest.approx(2.0)
    assert pace(log[3:], now) is None


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: None, "there is no store of results"),
        (lambda path: path.mkdir(), "there is no store of results"),
        (lambda path: (path.mkdir(), (path / "index.sqlite").touch()), "is empty"),
        (lambda path: (path.mkdir(), (path / "index.sqlite").write_text("x" * 999)), "database"),
        (lambda path: path.write_text("hello\nworld\n"), "is not a file of `ruleplay run"),
    ],
    ids=["missing", "empty", "cut-off", "foreign", "a-file"],
)
def test_what_cannot_be_watched_is_said_in_a_line(tmp_path, make, message):
    make(tmp_path / "x")
    result = CliRunner().invoke(app, ["watch", str(tmp_path / "x"), "--no-browser"])
    assert result.exit_code == 1
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1


@contextmanager
def serving(read):
    with WatchServer(read) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def ask(server, path="/", method="GET", **headers):
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=10)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer, body


@pytest.fixture(scope="module")
def server():
    with serving(lambda: {"source": "x", "value": float("nan")}) as server:
        yield server


def test_the_page_and_its_parts_are_served_with_a_strict_policy(server):
    for path, kind in (("/", "html"), ("/watch.js", "javascript"), ("/watch.css", "css")):
        answer, body = ask(server, path)
        assert answer.status == 200
        assert kind in answer.headers["Content-Type"]
        assert body
        assert b"http://" not in body.replace(b"http://www.w3.org/2000/svg", b"")
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    answer, body = ask(server, "/", "HEAD")
    assert (answer.status, body) == (200, b"")
    assert json.loads(ask(server, "/state.json")[1]) == {"source": "x", "value": None}


def test_it_listens_on_this_computer_only(server):
    assert server.socket.getsockname()[0] == "127.0.0.1"


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "evil.example:{port}", ""])
def test_other_hosts_are_refused(server, host):
    answer, body = ask(server, "/state.json", Host=host.format(port=server.server_port))
    assert answer.status == 421
    assert b"source" not in body
    own = f"localhost:{server.server_port}"
    assert ask(server, "/state.json", Host=own)[0].status == 200


@pytest.mark.parametrize(
    "path", ["/../pyproject.toml", "/watch.py", "/watch.js/", "/?x", "/%2e%2e/"]
)
def test_only_known_addresses_exist(server, path):
    assert ask(server, path)[0].status == 404


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_nothing_can_be_sent(server, method):
    assert ask(server, "/state.json", method)[0].status == 501


def test_trouble_with_the_store_is_told_to_the_page():
    def fail():
        raise StoreError("the store is gone")

    with serving(fail) as server:
        answer, body = ask(server, "/state.json")
    assert answer.status == 503
    assert json.loads(body) == {"error": "the store is gone"}


def test_a_client_that_goes_away_leaves_no_trace(server, capfd):
    for sent in (b"", b"GET /state", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"):
        client = socket.create_connection(("127.0.0.1", server.server_port))
        client.sendall(sent)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()  # which resets the connection
    assert ask(server)[0].status == 200
    time.sleep(0.2)
    assert capfd.readouterr() == ("", "")


def test_mistakes_of_ours_are_told(capfd):
    with serving(lambda: {"source": object()}) as server, pytest.raises(http.client.HTTPException):
        ask(server, "/state.json")
    assert "TypeError" in capfd.readouterr().err


def test_a_request_has_a_deadline_however_slowly_it_comes(server, monkeypatch):
    monkeypatch.setattr("ruleplay.cli.watching.server.DEADLINE", 0.5)
    began = time.monotonic()
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=0.1) as client:
        while time.monotonic() - began < 10:
            try:
                client.sendall(b"x")
                if client.recv(1) == b"":
                    break
            except TimeoutError:
                continue
            except OSError:
                break
    assert time.monotonic() - began < 5


def test_a_port_in_use_is_refused(server):
    with pytest.raises(ConfigError, match=f"--port {server.server_port} cannot be used"):
        WatchServer(dict, server.server_port)


def test_a_run_writes_what_a_follower_reads(tmp_path):
    path = tmp_path / "run.jsonl"
    about = {"preset": "rmp6", "agent": "xcs", "seed": 1, "steps": 200}
    log, follower = RunLog(path, about), RunFollower(path)
    assert follower.state()["done"] == 0
    log.progress(50, 12)
    log.progress(100, 20)
    with path.open("a") as file:
        file.write('{"event": "prog')  # a line that is being written
    state = follower.state()
    assert (state["done"], state["total"], state["unit"]) == (100, 200, "learning steps")
    assert state["cells"][0]["curve"]["mean"] == [12, 20]
    assert state["cells"][0]["name"] == "rmp6 xcs, seed 1"


def test_a_follower_sees_compiling_which_is_no_part_of_the_pace(tmp_path, monkeypatch):
    seconds = iter([0.0, 0.0, 1.0, 31.0, 31.0, 36.0])
    monkeypatch.setattr("ruleplay.cli.running.log.time.monotonic", lambda: next(seconds))
    path = tmp_path / "run.jsonl"
    log = RunLog(path, {"preset": "rmp6", "agent": "xcs", "seed": 1, "steps": 200})
    log.compiling()
    assert RunFollower(path).state()["phase"] == "compiling"
    log.compiled()
    assert RunFollower(path).state()["phase"] == "learning"
    log.progress(100, 12)
    state = RunFollower(path).state()
    assert (state["phase"], state["seconds_left"]) == ("learning", 5.0)


def test_a_follower_sees_rewards_as_soon_as_there_are_any(tmp_path):
    path = tmp_path / "run.jsonl"
    log = RunLog(path, {"preset": "chain16", "agent": "xcs", "seed": 1, "steps": 200})
    log.progress(50, 12, None)
    for step, mean in ((100, [3.0]), (150, [3.0, 7.5])):
        log.progress(step, 20, {"measure": "reward", "step": [step], "mean": mean, "sd": []})
    curve = RunFollower(path).state()["cells"][0]["curve"]
    assert (curve["measure"], curve["step"], curve["mean"]) == ("reward", [100, 150], [3.0, 7.5])


def test_the_end_of_a_run_has_its_figures(tmp_path):
    path = tmp_path / "run.jsonl"
    log = RunLog(path, {"preset": "rmp6", "agent": "xcs", "seed": 1, "steps": 2})
    log.progress(2, 5)
    curve = {"measure": "reward", "step": [1.0, 2.0], "mean": [500.0, float("nan")], "sd": []}
    log.end({"reward": 700.0, "otm": None, "diverged": True}, curve)
    state = RunFollower(path).state()
    assert state["seconds_left"] == 0.0
    assert state["cells"][0]["figures"] == {"reward": {"mean": 700.0, "sd": None}}
    assert state["cells"][0]["curve"]["mean"] == [500.0, None]


def test_a_full_disk_names_the_file_of_a_run(tmp_path):
    log = RunLog(tmp_path / "run.jsonl", {})
    log._file.close()
    with Path("/dev/full").open("a") as log._file, pytest.raises(OSError, match=r"run\.jsonl"):
        log.progress(100)
    assert log._file.closed


ABOUT = {"preset": "rmp6", "agent": "xcs", "seed": 1, "steps": 200}
DEEP = "[" * 100_000


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"step": 1, "seconds": 1.0, "rules": 2}', "must begin with one event 'start'"),
        ('"progress"', "must begin with one event 'start'"),
        ('{"event": "start"}', "must begin with one event 'start'"),
        ('{"event": "progress", "seconds": 1.0, "rules": 2}', "step is missing"),
        ('{"event": "progress", "step": "x", "seconds": 1.0, "rules": 2}', "step must be a whole"),
        ('{"event": "progress", "step": 1, "seconds": null, "rules": 2}', "seconds must be"),
        ('{"event": "end", "figures": [], "curve": null}', "figures must be numbers by name"),
        ('{"event": "end", "figures": {}, "curve": {"mean": 1}}', "curve must be a curve"),
        (DEEP, "is not a file of"),
    ],
    ids=["no-event", "text", "start", "no-step", "step", "seconds", "figures", "curve", "deep"],
)
def test_odd_lines_of_a_run_are_refused(tmp_path, line, message):
    path = tmp_path / "run.jsonl"
    RunLog(path, ABOUT).progress(50, 12)
    follower = RunFollower(path)
    with path.open("a") as file:
        file.write(f"{line}\n")
    with pytest.raises(StoreError, match=f"run.jsonl.*{message}"):
        follower.state()


def test_events_of_a_later_version_are_left_out(tmp_path):
    path = tmp_path / "run.jsonl"
    RunLog(path, ABOUT).progress(50, 12)
    with path.open("a") as file:
        file.write('{"event": "pause"}\n')
    assert RunFollower(path).state()["done"] == 50
