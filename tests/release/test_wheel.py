"""What is released can be installed into an empty environment, and works there."""

import csv
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest
from sklearn.datasets import load_iris

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
VERSION = PROJECT["version"]
SCRIPTS = "Scripts" if os.name == "nt" else "bin"


def run(*command, folder, **environment):
    """Run a command that knows nothing of this checkout; return what it prints."""
    own = ("PYTHONPATH", "NUMBA_CACHE_DIR", "VIRTUAL_ENV")
    inherited = {name: value for name, value in os.environ.items() if name not in own}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env=inherited | environment,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build both archives; the wheel is made from the source archive."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--outdir", folder, ROOT, folder=folder)
    return folder


@pytest.fixture(scope="module")
def ruleplay(built, tmp_path_factory):
    """Return how to call the command of an environment that has the wheel and what it needs."""
    home = tmp_path_factory.mktemp("home")
    venv.create(home / "venv", with_pip=True)
    (wheel,) = built.glob("*.whl")
    scripts = home / "venv" / SCRIPTS
    wanted = ("-c", ROOT / "constraints.txt", wheel)
    run(scripts / "python", "-m", "pip", "install", "--quiet", *wanted, folder=home)

    def call(*arguments):
        caches = {"HOME": str(home), "XDG_CACHE_HOME": str(home / "cache")}
        return run(scripts / "ruleplay", *arguments, folder=home, **caches)

    call.home = home
    return call


def test_the_archives_are_named_after_the_version(built):
    assert {path.name for path in built.iterdir()} == {
        f"ruleplay-{VERSION}-py3-none-any.whl",
        f"ruleplay-{VERSION}.tar.gz",
    }


def test_the_wheel_has_all_that_is_no_python(built):
    (wheel,) = built.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    package = ROOT / "src" / "ruleplay"
    files = {
        f"ruleplay/{path.relative_to(package).as_posix()}"
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert files <= names
    assert {name.split("/")[0] for name in names} == {"ruleplay", f"ruleplay-{VERSION}.dist-info"}


def test_the_source_archive_can_be_tested(built):
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    for part in ("Makefile", "constraints.txt", "tests/conftest.py", "docs/index.md", "LICENSE"):
        assert part in names
    assert not [name for name in names if name.startswith((".venv", ".numba_cache", "out/"))]


def test_the_version_is_said_in_one_place(ruleplay):
    assert ruleplay("--version").strip().endswith(VERSION)
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## \[(.+?)\]", changes, re.MULTILINE)[1] in (VERSION, "Unreleased")
    assert VERSION not in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_it_fits_a_table(ruleplay):
    iris = load_iris()
    with (ruleplay.home / "iris.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["sepal length", "sepal width", "petal length", "petal width", "species"])
        writer.writerows(
            [*row, iris.target_names[kind]]
            for row, kind in zip(iris.data, iris.target, strict=True)
        )
    printed = ruleplay("fit", "iris.csv", "--target", "species", "--save", "iris.ruleplay")
    assert "THEN setosa" in printed
    assert (ruleplay.home / "iris.ruleplay").exists()


def test_it_runs_a_preset_and_reads_the_rules(ruleplay):
    wanted = ("stein2020/rmp6", "--agent", "xcs", "--steps", "3000")
    ruleplay("run", *wanted, "--save", "mux.ruleplay", "--plot", "curve.svg")
    assert (ruleplay.home / "curve.svg").stat().st_size > 1000
    assert ruleplay("rules", "mux.ruleplay", "--top", "3").count("THEN") == 3


def test_it_reports_on_a_study(ruleplay):
    wanted = ("--problem", "rmp6", "--agent", "xcs", "--reps", "2", "--jobs", "1")
    ruleplay("reproduce", *wanted, "--out", "results")
    printed = ruleplay("report", "results", "--figures", "svg")
    assert "6-RMP" in (ruleplay.home / printed.strip()).read_text(encoding="utf-8")
    assert (ruleplay.home / "results" / "report" / "figures" / "rmp6.svg").exists()
