"""Every command that the documentation shows exists with its options."""

import re
import shlex
from pathlib import Path

import pytest
import typer

from ruleplay.cli import app

ROOT = Path(__file__).parents[2]
PAGES = ("README.md", "docs/commands.md")


def documented(page):
    """Return the lines of code blocks that begin with the command, without comments."""
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = re.findall(r"```\n(.*?)```", text, re.DOTALL)
    lines = [line.removeprefix("$ ") for block in blocks for line in block.splitlines()]
    return [line for line in lines if line.startswith("ruleplay ")]


@pytest.mark.parametrize("page", PAGES)
def test_documented_commands_are_understood(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    commands = typer.main.get_command(app).commands
    lines = documented(page)
    assert len(lines) > 8
    for line in lines:
        for part in line.split("&&"):
            words = shlex.split(part.split("[")[0], comments=True)[1:]
            for word in words:
                if word.endswith((".ruleplay", ".json", ".jsonl")):
                    Path(word).touch()
            with commands[words[0]].make_context(words[0], words[1:]) as context:
                assert context.command.name == words[0]
