"""What `ruleplay fit` learns, classes or a quantity, and who does each step of it."""

from collections.abc import Callable
from typing import Any, NamedTuple

from ruleplay.cli.fitting.fitting import Lesson


class Task(NamedTuple):
    """The steps from rows to what is shown."""

    learn: Callable[..., tuple[Any, float]]
    examine: Callable[..., Any]
    shorten: Callable[..., Any]
    shown: Callable[..., Any]
    show: Callable[..., None]


def task_of(lesson: Lesson) -> Task:
    """Return the steps that a lesson asks for."""
    return _quantity() if lesson.is_quantity else _classes()


def _classes() -> Task:
    from ruleplay.cli.fitting import fitting, output

    return Task(fitting.learn, fitting.examine, fitting.shorten, output.Shown, output.show_fitted)


def _quantity() -> Task:
    from ruleplay.cli.fitting.quantity import fitting, output

    return Task(
        fitting.learn_quantity,
        fitting.examine_quantity,
        fitting.shorten_quantity,
        output.ShownQuantity,
        output.show_quantity,
    )
