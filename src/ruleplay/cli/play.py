"""`ruleplay play`: watch rules act in their environment."""

from contextlib import closing
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ruleplay.cli.terminal.outcome import Interrupted
from ruleplay.cli.terminal.outputs import Force, Output, check_outputs
from ruleplay.errors import ConfigError

if TYPE_CHECKING:
    from ruleplay.cli.playing.players import Player
    from ruleplay.cli.playing.playing import Onlooker
    from ruleplay.evaluation import Episode


class Render(StrEnum):
    """How episodes are shown."""

    NONE = "none"
    HUMAN = "human"
    GIF = "gif"
    PAGE = "page"
    TEXT = "text"


WRITTEN = {".gif": Render.GIF, ".html": Render.PAGE}


def play(
    model: Annotated[
        Path,
        typer.Argument(
            exists=True,
            dir_okay=False,
            help="A model of `XCSAgent.save` or `run --save`, or a list of rules (.json).",
        ),
    ],
    env: Annotated[
        str | None, typer.Option(metavar="ID", help="Environment, if the model does not say.")
    ] = None,
    episodes: Annotated[
        int | None, typer.Option(min=1, max=10_000, help="Episodes (1; 100 if none is shown).")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of all that is random.")] = 0,
    render: Annotated[
        Render | None, typer.Option(help="Default: what --out says, else text.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            dir_okay=False,
            help="Write a film (.gif) or a page (.html).",
        ),
    ] = None,
    max_steps: Annotated[
        int, typer.Option(min=1, max=1_000_000, help="Longest episode, in steps.")
    ] = 10_000,
    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document instead of text.")
    ] = False,
    force: Force = False,
) -> None:
    """Play episodes by a model's rules, without learning, and show which rules act.

    text prints a line per step, gif writes a film with the rules beside the picture, page one to
    stop, step through and ask, human opens a window, none only counts.
    """
    from ruleplay.cli.playing.players import load_player
    from ruleplay.cli.terminal.output import print_json, say, tell

    mode = choose_mode(render, out, json)
    kind = "page" if mode is Render.PAGE else "film"
    check_outputs([Output("--out", out, kind)], [model], force=force)
    player = load_player(model, env)
    onlooker = choose_onlooker(mode, player, model.name)
    count = episodes or (100 if mode is Render.NONE else 1)
    ended = play_watched(player, onlooker, count, seed, max_steps)
    document = describe(player, ended, seed)
    if json:
        print_json(document)
    else:
        tell(in_words(document))
    if out is not None:
        say(write_shown(onlooker, out))


def write_shown(onlooker: Any, out: Path) -> str:
    """Write what an onlooker has kept, and say what it is."""
    count, size = onlooker.write(out), out.stat().st_size / 1000
    kind, parts = ("page", "moments") if out.suffix.lower() == ".html" else ("film", "frames")
    return f"{kind}: {out} ({count} {parts}, {size:.0f} kB)"


def choose_mode(render: Render | None, out: Path | None, json: bool) -> Render:
    """Return how episodes are shown, or refuse what does not fit together."""
    written = None if out is None else WRITTEN.get(out.suffix.lower())
    if out is not None and written is None:
        raise ConfigError(f"--out must end in .gif or .html, got {out.name!r}")
    mode = render or written or (Render.NONE if json else Render.TEXT)
    if mode is not written and (written is not None or mode in WRITTEN.values()):
        raise ConfigError(
            "--render gif and --out FILE.gif need each other, --render page and --out FILE.html"
        )
    if json and mode is Render.TEXT:
        raise ConfigError("--json contradicts --render text")
    return mode


def choose_onlooker(mode: Render, player: "Player", source: str) -> "Onlooker | None":
    """Return who looks on, if anybody does."""
    from ruleplay.cli.playing.playing import Reader

    if mode is Render.TEXT:
        return Reader()
    if mode is Render.NONE:
        return None
    if mode is Render.PAGE:
        from ruleplay.cli.playing.episode_page import EpisodePage

        return EpisodePage(player, source)
    from ruleplay.cli.playing import frames

    kind = frames.Film if mode is Render.GIF else frames.Window
    return kind(player.title, player.rules)


def play_watched(
    player: "Player", onlooker: "Onlooker | None", episodes: int, seed: int, max_steps: int
) -> list["Episode"]:
    """Play with a progress bar, unless the episodes themselves are on the screen."""
    from ruleplay.cli.playing.playing import Reader, play_before_onlooker
    from ruleplay.cli.terminal.progress import watch

    ended: list[Episode] = []
    is_quiet = not isinstance(onlooker, Reader)
    with closing(watch("episodes")) as watcher:
        try:
            if is_quiet:
                watcher.progress(0, episodes)
            for episode in play_before_onlooker(player, onlooker, episodes, seed, max_steps):
                ended.append(episode)
                if is_quiet:
                    watcher.progress(len(ended), episodes)
        except KeyboardInterrupt:
            raise Interrupted(
                f"{len(ended)} of {episodes} episodes were played; nothing was written"
            ) from None
    return ended


def describe(player: "Player", ended: list["Episode"], seed: int) -> dict[str, Any]:
    """Return everything a script may want to know, by name."""
    from statistics import fmean, pstdev

    returns, lengths = [one.total for one in ended], [one.length for one in ended]
    return {
        "env": player.title,
        "rules": len(player.rules),
        "seed": seed,
        "mean": fmean(returns),
        "sd": pstdev(returns),
        "returns": returns,
        "lengths": lengths,
        "ended": [one.end for one in ended],
    }


def in_words(document: dict[str, Any]) -> str:
    """Return the outcome in one line."""
    returns, lengths = document["returns"], document["lengths"]
    if len(returns) == 1:
        steps = "step" if lengths[0] == 1 else "steps"
        return f"{document['env']}: return {returns[0]:g} in {lengths[0]} {steps}"
    return (
        f"{document['env']}: mean return {document['mean']:.2f} ± {document['sd']:.2f} in "
        f"{len(returns)} episodes, {min(lengths)} to {max(lengths)} steps long"
    )
