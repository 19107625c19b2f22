"""Odd calls of a subject: each must be refused and change nothing, or leave it sound."""

import copy
from collections.abc import Callable
from random import Random
from typing import Any

from ruleplay.errors import RuleplayError
from torture.odd_values import Boom
from torture.part import first_line
from torture.survival import Verdict

Call = Callable[[Any, Random], Any]


class Subject:
    """Something with public calls; a case makes a few of them with odd arguments."""

    name = ""
    refusals: tuple[type[BaseException], ...] = (RuleplayError, Boom)
    calls: dict[str, Call] = {}  # noqa: RUF012

    def fresh(self, random: Random) -> Any:
        """Return the subject of one case."""
        raise NotImplementedError

    def state(self, subject: Any) -> Any:
        """Return what a refused call must not change."""
        return None

    def check(self, subject: Any) -> None:
        """Raise AssertionError if the subject is not sound."""


def suffer(subject: Subject, random: Random, calls: int = 5) -> Verdict:
    """Make a few odd calls; return the first that ends badly."""
    victim = subject.fresh(random)
    done: list[str] = []
    for _ in range(calls):
        name = random.choice(sorted(subject.calls))
        done.append(name)
        verdict = _call(subject, victim, subject.calls[name], random)
        if verdict[0] not in ("refused", "sound"):
            words = f"{subject.name}.{name}: {verdict[1]}"
            return verdict[0], f"{words}\nafter {', '.join(done)}"
    return verdict[0], ""


def _call(subject: Subject, victim: Any, call: Call, random: Random) -> Verdict:
    before = copy.copy(subject.state(victim))
    try:
        call(victim, random)
    except subject.refusals:
        same = subject.state(victim) == before
        return ("refused", "") if same else ("changed", "a refused call left its trace")
    except Exception as error:
        return "other-error", first_line(error)
    try:
        subject.check(victim)
    except AssertionError as error:
        return "check-fails", first_line(error)
    return "sound", ""
