"""Files are written whole or not at all, and ours are known from others'."""

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from ruleplay.output import files
from ruleplay.output.files import PARTIAL, is_ours, write_whole

pytestmark = pytest.mark.uncompiled


@pytest.mark.parametrize("content", [b"\x00\xff", "Zürich ≤ 1\n"], ids=["bytes", "text"])
def test_what_is_written_is_there(tmp_path, content):
    write_whole(tmp_path / "file", content)
    read = (tmp_path / "file").read_bytes()
    assert read == (content if isinstance(content, bytes) else content.encode())
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("error", [OSError("full"), KeyboardInterrupt()], ids=["disk", "ctrl-c"])
def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, error):
    (tmp_path / "file").write_text("old")

    def fail(descriptor):
        raise error

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(type(error)):
        write_whole(tmp_path / "file", "new")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "old"


DIE_AMIDST = """
import os, signal, sys
from ruleplay.output.files import write_whole
os.fsync = lambda descriptor: os.kill(os.getpid(), signal.SIGKILL)
write_whole(sys.argv[1], "half")
"""


def test_what_a_killed_process_left_is_swept_by_the_next_write(tmp_path):
    subprocess.run([sys.executable, "-c", DIE_AMIDST, tmp_path / "file"], check=False)
    assert len(list(tmp_path.glob(f".*{PARTIAL}"))) == 1
    write_whole(tmp_path / "other", "new")
    assert [path.name for path in tmp_path.iterdir()] == ["other"]


def test_what_a_living_process_or_another_host_writes_is_left_alone(tmp_path):
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    token, host = "a" * 12, files._host()
    kept = {
        f".ruleplay-{host}-{os.getppid()}-{token}{PARTIAL}",
        f".ruleplay-{host}-{10**12}-{token}{PARTIAL}",
        f".ruleplay-{'0' * 12}-{dead.pid}-{token}{PARTIAL}",
        f"mine-{host}-{dead.pid}-{token}{PARTIAL}",
    }
    for name in (*kept, f".ruleplay-{host}-{dead.pid}-{token}{PARTIAL}"):
        (tmp_path / name).touch()
    write_whole(tmp_path / "file", "new")
    assert {path.name for path in tmp_path.iterdir()} == {*kept, "file"}


def test_an_error_names_the_file_asked_for(tmp_path, monkeypatch):
    path = tmp_path / "none" / "file"
    with pytest.raises(FileNotFoundError) as found:
        write_whole(path, "new")
    assert found.value.filename == str(path)

    def fill(descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", fill)
    with pytest.raises(OSError, match="No space left on device") as found:
        write_whole(tmp_path / "file", "new")
    assert (found.value.errno, found.value.filename) == (errno.ENOSPC, str(tmp_path / "file"))


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "link").symlink_to("file")
    write_whole(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text() == "new"


def test_a_file_stays_as_readable_as_it_was(tmp_path):
    path = tmp_path / "file"
    path.write_text("old")
    path.chmod(0o640)
    write_whole(path, "new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_what_is_no_file_is_left_alone(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path, what in ((tmp_path, "a folder"), (tmp_path / "pipe", "a pipe")):
        with pytest.raises(OSError, match=f"this is {what}, not a file"):
            write_whole(path, "new")
    with pytest.raises(OSError, match="this is a device"):
        write_whole(os.devnull, "new")
    assert Path(os.devnull).is_char_device()


def test_the_name_of_a_file_may_be_as_long_as_names_may_be(tmp_path):
    write_whole(tmp_path / ("n" * 255), "new")
    assert not list(tmp_path.glob(f"*{PARTIAL}"))


def test_an_empty_file_may_be_replaced_and_others_only_if_ours(tmp_path):
    path = tmp_path / "file"
    for content, ours in ((b"", True), (b"RULEPLAY", True), (b" RULEPLAY", False)):
        path.write_bytes(content)
        assert is_ours(path, "model") == ours
        assert not content or not is_ours(path, "page")


def test_a_mark_is_found_at_the_end_of_a_large_file(tmp_path):
    path = tmp_path / "large.pdf"
    path.write_bytes(b"%PDF" + bytes(1 << 22) + b"<< /Creator (ruleplay) >>")
    assert is_ours(path, "picture")
