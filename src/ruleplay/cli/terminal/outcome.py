"""How a command ends: 0 done, 1 failed, 2 wrong usage, 130 interrupted.

What ruleplay refuses on purpose is one line on standard error, never a traceback.
"""

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import typer
from typer.core import TyperGroup

from ruleplay.errors import ConfigError, DivergenceWarning, RuleplayError
from ruleplay.output.harmless import visible

FAILED, WRONG_USAGE, INTERRUPTED = 1, 2, 130


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, with a sentence that says what has become of the work."""


class Commands(TyperGroup):
    """The group of all commands, which turns errors into messages and exit codes."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command asked for."""
        with explained_errors(), plain_warnings():
            return super().invoke(ctx)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command, whose help says no more of flags than what they do."""
        command = super().get_command(ctx, cmd_name)
        if command is not None:
            unname_flags(command.get_params(ctx))
        return command

    def get_params(self, ctx: Any) -> Any:
        """Return the options that stand before a command."""
        params = super().get_params(ctx)
        unname_flags(params)
        return params


def unname_flags(params: Iterable[Any]) -> None:
    """Give flags no name of a value, for they take none."""
    for param in params:
        if getattr(param, "is_flag", False) and param.metavar is None:
            param.metavar = ""


@contextmanager
def explained_errors() -> Iterator[None]:
    """Print an error as one line on standard error and exit with its code."""
    try:
        yield
    except ConfigError as error:
        raise stop(f"error: {error}", WRONG_USAGE) from None
    except RuleplayError as error:
        raise stop(f"error: {error}", FAILED) from None
    except BrokenPipeError:
        raise
    except OSError as error:
        raise stop(f"error: {error}", FAILED) from None
    except KeyboardInterrupt as error:
        what = str(error) or "files that were not finished were not written"
        raise stop(f"interrupted: {what}", INTERRUPTED) from None


@contextmanager
def plain_warnings() -> Iterator[None]:
    """Print ruleplay's own warnings as one line each, without the place in its source."""
    with warnings.catch_warnings():
        usual = warnings.showwarning

        def show(message: Any, category: Any, *place: Any, **options: Any) -> None:
            if issubclass(category, DivergenceWarning):
                typer.echo(visible(f"warning: {message}"), err=True)
            else:
                usual(message, category, *place, **options)

        warnings.showwarning = show
        yield


def stop(message: str, code: int) -> typer.Exit:
    """Print a last message and return the exception that ends the program."""
    typer.echo(visible(message), err=True)
    return typer.Exit(code)
