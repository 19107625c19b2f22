"""Files are written whole or not at all, and ours are known from others'."""

import os
import stat
from pathlib import Path

import pytest

from ruleplay.files import PARTIAL, is_ours, write_whole

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
