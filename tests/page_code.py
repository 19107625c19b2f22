"""Read and run the code of a page of the documentation, in order, in a folder of its own.

What a block is, its fence says:

    python               runs; all blocks of a page share their names
    python title="a.py"  is written to that file, which later blocks import
    toml title="a.toml"  is written to that file, which later commands read
    console              lines after `$ ` run if they call ruleplay; other lines are the output
    bash                 commands that are shown without output: checked, and not run
    text title="Prints"  what the block before it prints

A title that begins with "Not run" says that a block is checked only, and why. Numbers in
outputs are not compared, for their last digits may depend on the machine; where they decide
about words, too, the title is "Prints, for example", and nothing is compared.
"""

import contextlib
import io
import re
import shlex
import sys
import warnings
from pathlib import Path
from typing import NamedTuple

import typer
from typer.testing import CliRunner

from ruleplay.cli import app
from ruleplay.cli.fit import read_settings
from ruleplay.cli.inferred_study import refuse_parts
from ruleplay.cli.reproduce import choose_study
from ruleplay.cli.run import split_setting
from ruleplay.experiments.executors import BACKENDS
from ruleplay.experiments.modules import load_module
from ruleplay.experiments.spec import load_preset, specify_run
from ruleplay.studies.named import INFERRED
from ruleplay.studies.own.file import is_study_file

ROOT = Path(__file__).parents[1]
SNIPPET = re.compile(r"^# include: (\S+)$", re.MULTILINE)
FENCE = re.compile(r'^```(\w*)(?: title="([^"]*)")?\n(.*?)^```$', re.DOTALL | re.MULTILINE)
NUMBER = re.compile(r"-?\d[\d.,]*(e[-+]?\d+)?")
COMMANDS = typer.main.get_command(app).commands
INPUTS = (".ruleplay", ".json", ".jsonl", ".csv")


class Block(NamedTuple):
    """A block of code: its language, its title, its text, and where it begins."""

    page: Path
    line: int
    kind: str
    title: str
    text: str

    @property
    def is_run(self):
        return not self.title.startswith("Not run")

    @property
    def place(self):
        return f"{self.page.name}, line {self.line}"


def read_blocks(page):
    """List the blocks of a page."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(
            page, text.count("\n", 0, found.start()) + 2, found[1], found[2] or "", _whole(found[3])
        )
        for found in FENCE.finditer(text)
    ]


def _whole(text):
    """Return a block with the files that it includes."""
    return SNIPPET.sub(lambda found: (ROOT / found[1]).read_text(encoding="utf-8"), text)


def run_page(page, folder):
    """Run the blocks of a page; return its names, and all that was printed as `printed`."""
    names, printed, last = {"__name__": "__main__"}, [], ""
    with contextlib.chdir(folder), _modules_of(folder):
        for block in read_blocks(page):
            if block.kind == "python" and block.is_run:
                last = _run_python(block, names)
                printed.append(last)
            elif block.kind == "toml" and block.title:
                Path(block.title).write_text(block.text, encoding="utf-8")
            elif block.kind == "console" and block.is_run:
                printed.append(_run_console(block))
            elif block.title == "Prints":
                _compare(block, block.text, last)
    return names | {"printed": "\n".join(printed)}


@contextlib.contextmanager
def _modules_of(folder):
    """Let a page import the files that it shows."""
    before = set(sys.modules)
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - before:
            if str(folder) in str(getattr(sys.modules[name], "__file__", "")):
                del sys.modules[name]


def _run_python(block, names):
    """Run a block, so that a traceback shows the page's own lines; return what it prints."""
    if block.title.endswith(".py"):
        Path(block.title).write_text(block.text, encoding="utf-8")
        return ""
    code = compile("\n" * (block.line - 1) + block.text, str(block.page), "exec")
    with contextlib.redirect_stdout(io.StringIO()) as output, warnings.catch_warnings():
        warnings.simplefilter("error")
        exec(code, names)
    return output.getvalue()


def _run_console(block):
    """Run the commands of a block and compare what each prints with what is shown."""
    printed = []
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        line, _, shown = part.partition("\n")
        words = shlex.split(line, comments=True)
        if words[:1] != ["ruleplay"]:
            continue
        done = CliRunner().invoke(app, words[1:])
        expected = 2 if shown.startswith("error:") else 0
        assert done.exit_code == expected, done.output or done.exception
        _compare(block, shown, done.output)
        printed.append(done.output)
    return "\n".join(printed)


def _compare(block, shown, printed):
    """Check that each shown line was printed, in order; `...` stands for any lines."""
    lines = iter(_words(printed))
    for line in _words(shown):
        assert line in lines, f"{block.place}: not printed, or not in this order: {line!r}"


def _words(text):
    """Return the lines that say something, with every number alike and without frames."""
    lines = (NUMBER.sub("#", line).strip() for line in text.splitlines())
    return [line for line in lines if re.search(r"\w", line)]


def commands_of(block):
    """List the calls of ruleplay in a block of bash or of a console, as words."""
    lines = block.text.replace("\\\n", " ").splitlines()
    if block.kind == "console":
        lines = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
    parts = [part.strip() for line in lines for part in re.split(r"&&|\|", line.split(" [")[0])]
    calls = [shlex.split(part, comments=True) for part in parts if part.startswith("ruleplay ")]
    return [words[1:] for words in calls]


def check_command(words):
    """Refuse a command, an option, a preset, an agent or a setting that does not exist."""
    for word in words:
        if word.endswith(INPUTS):
            Path(word).touch()
    if words[0] == "--with":
        load_module(str(ROOT / "examples" / "components" / words[1]))
        words = words[2:]
    command = COMMANDS[words[0]]
    with command.make_context(words[0], words[1:]) as context:
        check_values(words, context.params)


def check_values(words, options):
    """Check the values that only the command itself would look at."""
    match words:
        case ["run", *_]:
            settings = dict(map(split_setting, options["set_"] or []))
            specify_run(options["preset"], options["agent"], settings)
        case ["presets", "show", name, *_]:
            load_preset(name)
        case ["reproduce", *_]:
            wish = [options[name] for name in ("study", "problem", "agent", "reps", "quick")]
            if options["study"] == INFERRED:
                refuse_parts(*wish[1:])
            elif not is_study_file(options["study"]):  # which its page has, or the user
                choose_study(*wish)
            assert options["backend"] in BACKENDS
        case ["fit", *_]:
            read_settings(options["set_"] or [], options["epochs"])
