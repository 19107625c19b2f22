"""A file that grows while `ruleplay run` learns, a line of JSON at a time, and its reader."""

import json
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO

from ruleplay.cli.running.entries import trouble_in
from ruleplay.cli.terminal.output import finite
from ruleplay.errors import StoreError
from ruleplay.experiments.live import FIGURES
from ruleplay.output.files import errors_name, write_whole

FORMAT = "ruleplay-run"
LARGEST = 1 << 26  # bytes of a file that is read
# What a run does after an entry.
PHASES = {
    "compiling": "compiling",
    "compiled": "learning",
    "progress": "learning",
    "end": "done",
}


class RunLog:
    """Writes how a run is going; each line is whole when it is there."""

    def __init__(self, path: Path, about: dict[str, Any]) -> None:
        self._began = time.monotonic()
        self._path = path
        write_whole(path, self._line(event="start", format=FORMAT, **about))
        self._file: TextIO = path.open("a", encoding="utf-8")

    def compiling(self) -> None:
        """Note that kernels are being compiled."""
        self._write(event="compiling")

    def compiled(self) -> None:
        """Note that they are ready, and count from now on."""
        self._began = time.monotonic()
        self._write(event="compiled")

    def progress(
        self, done: int, rules: int | None = None, curve: dict[str, Any] | None = None
    ) -> None:
        """Note the learning steps done, how many rules there are, and the curve's last point."""
        point = {"measure": curve["measure"], "value": curve["mean"][-1]} if curve else {}
        self._write(event="progress", step=done, rules=rules, **point)

    def end(self, summary: Mapping[str, Any], curve: dict[str, Any] | None) -> None:
        """Note what came out."""
        figures = {name: summary.get(name) for name in FIGURES}
        self._write(event="end", figures=figures, curve=curve)
        self._file.close()

    def _write(self, **entry: Any) -> None:
        try:
            with errors_name(self._path):
                self._file.write(self._line(**entry))
                self._file.flush()
        except OSError:
            with suppress(OSError):  # it would be tried again, and complain, at the very end
                self._file.close()
            raise

    def _line(self, **entry: Any) -> str:
        entry["seconds"] = round(time.monotonic() - self._began, 3)
        return json.dumps(finite(entry), allow_nan=False) + "\n"


class RunFollower:
    """Reads such a file again and again, and never writes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._entries()

    def _entries(self) -> list[dict[str, Any]]:
        """Return all whole lines of the file, or refuse a file of something else."""
        foreign = StoreError(f"{self.path} is not a file of `ruleplay run --progress-file`")
        with self.path.open("rb") as file:
            *lines, _ = file.read(LARGEST).split(b"\n")
        try:
            entries = [json.loads(line) for line in lines]
            if not entries or entries[0]["format"] != FORMAT:
                raise foreign
        except (KeyError, RecursionError, TypeError, ValueError):
            raise foreign from None
        for number, entry in enumerate(entries, 1):
            trouble = trouble_in(entry, is_first=number == 1)
            if trouble:
                raise StoreError(f"{self.path}, line {number}: {trouble}")
        return entries

    def state(self) -> dict[str, Any]:
        """Return everything there is to show, as plain values."""
        start, *others = self._entries()
        going = [entry for entry in others if entry["event"] == "progress"]
        ended = [entry for entry in others if entry["event"] == "end"]
        phase = PHASES.get(others[-1]["event"]) if others else None
        last = going[-1] if going else {"step": 0, "seconds": 0.0}
        done, seconds = last["step"], last["seconds"]
        left = (start["steps"] - done) * seconds / done if done else None
        curve = ended[-1]["curve"] if ended else curve_so_far(going)
        figures = ended[-1]["figures"] if ended else {"rules": last.get("rules")}
        return {
            "kind": "run",
            "source": str(self.path.resolve()),
            "unit": "learning steps",
            "total": start["steps"],
            "done": done,
            "failed": 0,
            "per_minute": 60.0 * done / seconds if seconds else None,
            "seconds_left": 0.0 if ended else left,
            "phase": phase,
            "cells": [
                {
                    "name": f"{start['preset']} {start['agent']}, seed {start['seed']}",
                    "planned": start["steps"],
                    "done": done,
                    "failed": 0,
                    "figures": {
                        name: {"mean": value, "sd": None}
                        for name, value in figures.items()
                        if value is not None
                    },
                    "curve": curve,
                }
            ],
            "newest": [],
        }


def curve_so_far(going: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what is known over learning steps: rewards, before there are any, rules."""
    points = [entry for entry in going if "measure" in entry and entry.get("value") is not None]
    if not points:
        steps, rules = [entry["step"] for entry in going], [entry["rules"] for entry in going]
        return {"measure": "rules", "step": steps, "mean": rules, "sd": []}
    return {
        "measure": points[-1]["measure"],
        "step": [entry["step"] for entry in points],
        "mean": [entry["value"] for entry in points],
        "sd": [],
    }
