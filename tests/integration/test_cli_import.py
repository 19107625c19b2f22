"""Importing the package and asking for help stay light."""

import subprocess
import sys

import pytest
from typer.testing import CliRunner

import ruleplay
from ruleplay.cli import app


def loaded_after(code):
    """Return the modules that a fresh interpreter has loaded after running the code."""
    program = f"{code}\nimport sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


@pytest.mark.parametrize("code", ["import ruleplay", "import ruleplay.cli"])
def test_heavy_libraries_wait_until_they_are_needed(code):
    assert not loaded_after(code) & {
        "matplotlib",
        "pandas",
        "sklearn",
        "torch",
        "numba",
        "ruleplay.engine",
    }


def test_import_registers_the_environments():
    code = "import ruleplay, gymnasium\nassert 'ruleplay/Chain-v0' in gymnasium.registry"
    assert "ruleplay.envs" not in loaded_after(code)
    code += "\ngymnasium.make('ruleplay/Chain-v0')"
    assert "ruleplay.envs" in loaded_after(code)


def test_what_is_compiled_is_read_without_the_compilers_libraries():
    run = "from ruleplay import XCS, XCSConfig\n"
    run += "XCS(XCSConfig(population_size=9), n_actions=2, low=[0.0], high=[1.0]).step([0.5])"
    assert "numba.np.linalg" in loaded_after(f"{run}\nimport numba.np.linalg")
    assert not loaded_after(run) & {"numba.np.linalg", "scipy.linalg"}


def test_the_package_can_be_run_as_a_module():
    command = [sys.executable, "-m", "ruleplay", "--version"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout.split() == ["ruleplay", ruleplay.__version__]


@pytest.mark.parametrize("name", ruleplay.__all__)
def test_public_names_can_be_loaded(name):
    assert getattr(ruleplay, name) is not None
    assert name in dir(ruleplay)


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'XCSF'"):
        ruleplay.__getattr__("XCSF")


@pytest.mark.parametrize(
    "arguments",
    [
        ["fit", "nothing.csv", "--target", "y"],
        ["fit", "data.csv", "--target", "z"],
        ["fit", "data.csv", "--target", "y", "--column", "z=text"],
        ["fit", "data.csv", "--target", "y", "--drop", "z"],
        ["fit", "data.csv", "--target", "y", "--test", "nothing.csv"],
        ["predict", "data.csv", "nothing.csv"],
    ],
    ids=["file", "target", "column", "drop", "test", "new-rows"],
)
def test_files_and_columns_that_are_not_there_are_said_before_anything_heavy_is_loaded(
    arguments, tmp_path, monkeypatch
):
    (tmp_path / "data.csv").write_text("x,y\n1,a\n2,b\n")
    monkeypatch.chdir(tmp_path)
    code = f"import sys\nsys.argv[1:] = {arguments!r}\nfrom ruleplay.cli import main\n"
    code += "try:\n    main()\nexcept SystemExit as end:\n    assert end.code == 2"
    assert not loaded_after(code) & {"pandas", "sklearn", "scipy.stats", "numba", "ruleplay.engine"}


@pytest.mark.parametrize("words", [[], ["fit"], ["rules"], ["presets"]], ids="-".join)
def test_help_says_of_flags_only_what_they_do(words):
    shown = CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": "120"}).output
    assert "--help" in shown
    assert "bool" not in shown
