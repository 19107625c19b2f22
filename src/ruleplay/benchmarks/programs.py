"""Run a program that prints its result as one JSON document on its last line."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ruleplay.benchmarks.environment import PeerError, last_lines

GRACE_SECONDS = 5.0


class TimeLimitError(PeerError):
    """Report a program that took longer than it may."""


def run_program(command: Sequence[str], seconds: float, environ: Mapping[str, str]) -> Any:
    """Run a program and return its result.

    Raises:
        TimeLimitError: it took longer than `seconds`, or used up its CPU time.
        PeerError: it cannot be run, ended with an error, or printed no result.
        KeyboardInterrupt: it was interrupted, which is no failure of its own.
    """
    name = name_of(command)
    pipe = subprocess.PIPE
    try:
        process = subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=dict(environ))
    except OSError as error:
        raise PeerError(f"{name} could not be run: {error}") from error
    with process:
        try:
            printed, complaints = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired as error:
            raise TimeLimitError(f"{name} took more than {seconds:g} s") from error
        finally:
            end(process)
    if process.returncode == -getattr(signal, "SIGXCPU", 0) < 0:
        raise TimeLimitError(f"{name} took more CPU time than it may")
    if process.returncode == -signal.SIGINT:
        raise KeyboardInterrupt  # the terminal interrupts a program as it does this one
    if process.returncode != 0:
        said = last_lines(printed + "\n" + complaints)
        raise PeerError(f"{name} ended with code {process.returncode}: {said}")
    try:
        return json.loads(printed.splitlines()[-1])
    except (IndexError, json.JSONDecodeError) as error:
        raise PeerError(f"{name} printed no result: {last_lines(printed)}") from error


def name_of(command: Sequence[str]) -> str:
    """Return the module or the file that a command runs.

    >>> name_of(["bin/python", "-m", "some.module", "--fast"]), name_of(["python", "a/run.py"])
    ('some.module', 'run.py')
    """
    if "-m" in command:
        return command[command.index("-m") + 1]
    return next((Path(part).name for part in command if part.endswith(".py")), command[0])


def end(process: subprocess.Popen[str]) -> None:
    """End a program that still runs; it may first end what it has started itself."""
    if process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
