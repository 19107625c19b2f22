"""No command overwrites what it reads, nor what ruleplay has not written, without --force."""

import errno
import os
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from ruleplay.cli import app
from ruleplay.config import XCSConfig
from ruleplay.engine import XCS
from ruleplay.rules import RuleSet

FIT = ("--target", "y", "--epochs", 1)


def call(*arguments, **options):
    return CliRunner().invoke(app, [*map(str, arguments)], **options)


def refused(result, *words):
    assert result.exit_code == 2, result.output
    last = result.stderr.splitlines()[-1]
    assert last.startswith("error: ")
    for word in words:
        assert str(word) in last
    return True


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "data.csv"
    rows = [f"{k % 7},{'pq'[k % 7 > 3]}" for k in range(40)]
    path.write_text("\n".join(["x,y", *rows]))
    return path


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.ruleplay"
    engine = XCS(XCSConfig(population_size=50), n_actions=2, low=[0, 0], high=[1, 1], seed=0)
    random = np.random.default_rng(0)
    engine.learn_batch(random.random((20, 2)), random.integers(0, 2, 20), random.random(20))
    engine.save(path)
    return path


@pytest.mark.parametrize("name", ["itself", "another-way", "symbolic", "hard"])
@pytest.mark.parametrize("force", [(), ("--force",)], ids=["", "force"])
def test_an_input_is_never_an_output_by_whatever_name(data, name, force):
    text = data.read_bytes()
    other = {
        "itself": data,
        "another-way": data.parent / ".." / data.parent.name / data.name,
    }.get(name, data.with_name("link.csv"))
    if name == "symbolic":
        other.symlink_to(data)
    elif name == "hard":
        os.link(data, other)
    assert refused(call("fit", data, *FIT, "--save", other, *force), "--save", "is read here")
    assert data.read_bytes() == text


def test_inputs_of_each_command_are_safe(data, model, tmp_path):
    preset = tmp_path / "preset.toml"
    preset.write_text("nothing")
    rules = tmp_path / "rules.json"
    rules.write_text(RuleSet.of(XCS.load(model)).to_json())
    cases = [
        ("fit", data, *FIT, "--test", model, "--save", model),
        ("rules", rules, "--out", rules),
        ("run", preset, "--save", preset),
        ("run", preset, "--progress-file", preset),
    ]
    for command in cases:
        before = Path(command[-1]).read_bytes()
        assert refused(call(*command, "--force"), "is read here")
        assert Path(command[-1]).read_bytes() == before


def test_standard_input_is_an_input(data, monkeypatch):
    with data.open() as file:
        monkeypatch.setattr("ruleplay.cli.terminal.outputs.sys.stdin", file)
        from ruleplay.cli.terminal.outputs import _is_read

        assert _is_read(data, "-")
        assert not _is_read(data.with_name("other"), "-")


def test_two_outputs_are_two_files(data):
    page = data.with_name("page.html")
    result = call("fit", data, *FIT, "--save", page, "--report", page.parent / "." / page.name)
    assert refused(result, "--save and --report must be two files")


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (("fit", "DATA", *FIT, "--save"), "notes.ruleplay"),
        (("fit", "DATA", *FIT, "--report"), "notes.html"),
        (("rules", "MODEL", "--out"), "notes.json"),
        (("rules", "MODEL", "--out"), "notes.csv"),
        (("rules", "MODEL", "--out"), "notes.py"),
        (("rules", "MODEL", "--out"), "notes.txt"),
        (("rules", "MODEL", "--out"), "notes.html"),
        (("rules", "MODEL", "--map"), "notes.svg"),
        (("rules", "MODEL", "--map"), "notes.png"),
        (("rules", "MODEL", "--map"), "notes.pdf"),
        (("run", "stein2020/rmp6", "--steps", 50, "--save"), "notes.ruleplay"),
        (("run", "stein2020/rmp6", "--steps", 50, "--plot"), "notes.svg"),
        (("run", "stein2020/rmp6", "--steps", 50, "--progress-file"), "notes.jsonl"),
    ],
)
def test_only_our_own_files_are_replaced_without_force(data, model, tmp_path, command, name):
    names = {"DATA": data, "MODEL": model}
    command = [names.get(part, part) for part in command]
    path = tmp_path / name
    path.write_text("my notes")
    assert refused(call(*command, path), command[-1], "ruleplay has written", "--force")
    assert path.read_text() == "my notes"
    assert call(*command, path, "--force").exit_code == 0
    ours = path.read_bytes()
    assert b"my notes" not in ours
    assert call(*command, path).exit_code == 0


def test_a_model_is_not_replaced_by_a_log(model):
    result = call("run", "stein2020/rmp6", "--steps", 50, "--progress-file", model)
    assert refused(result, "is not a log that ruleplay has written")


@pytest.mark.parametrize(
    ("make", "what"),
    [(Path.mkdir, "directory"), (os.mkfifo, "this is a pipe, not a file")],
    ids=["folder", "pipe"],
)
def test_what_is_no_file_is_refused_before_the_work(data, tmp_path, make, what):
    place = tmp_path / "place"
    make(place)
    result = call("fit", data, *FIT, "--save", place, "--force")
    assert result.exit_code == 2
    assert what in result.stderr
    assert "rows to learn from" not in result.stderr


def test_a_film_is_known(tmp_path):
    from PIL import Image

    from ruleplay.cli.playing.frames import Film
    from ruleplay.cli.playing.playing import Moment
    from ruleplay.output.files import is_ours

    film = Film("title")
    for colour in ("black", "red"):
        film.look(Moment(1, 0, 0.0, None, "x 1", Image.new("RGB", (8, 8), colour)))
    film.write(tmp_path / "film.gif")
    assert is_ours(tmp_path / "film.gif", "film")
    Image.new("RGB", (8, 8)).save(tmp_path / "other.gif")
    assert not is_ours(tmp_path / "other.gif", "film")


def test_a_folder_of_ours_is_known(tmp_path):
    from ruleplay.cli.terminal.outputs import claim_folder
    from ruleplay.errors import ConfigError

    folder = tmp_path / "results"
    claim_folder("--out", folder, ["rows.json"], force=False)
    (folder / "rows.json").write_text("[]")
    claim_folder("--out", folder, ["rows.json"], force=False)
    (folder / ".ruleplay").unlink()
    with pytest.raises(ConfigError, match=r"rows\.json in it was not written by ruleplay"):
        claim_folder("--out", folder, ["rows.json"], force=False)
    claim_folder("--out", folder, ["rows.json"], force=True)


def test_a_full_disk_is_one_line_that_names_the_file(model, tmp_path, monkeypatch):
    def fill(descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fill)
    result = call("rules", model, "--out", tmp_path / "rules.json")
    assert result.exit_code == 1
    (line,) = result.stderr.splitlines()
    assert line.startswith("error: ")
    assert os.strerror(errno.ENOSPC) in line
    assert line.endswith(f"'{tmp_path / 'rules.json'}'")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model.ruleplay"]
