"""Play episodes by rules, and tell whoever looks on what happens at each step."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

import numpy as np

from ruleplay.cli.playing.players import Player
from ruleplay.evaluation import Episode, play_episodes, seed_first
from ruleplay.rules import Explanation, explain


class Moment(NamedTuple):
    """A decision, before its action is carried out, or the end of an episode."""

    episode: int  # from 1 on
    step: int  # actions so far in this episode
    total: float  # return so far
    told: Explanation | None  # None at the end of an episode
    seen: str  # the observation in words
    picture: Any  # (height, width, 3), or None


class Onlooker(Protocol):
    """Whoever looks on."""

    pictures: bool  # whether moments need pictures

    def look(self, moment: Moment) -> None:
        """Take in a moment."""


def play_before_onlooker(
    player: Player, onlooker: Onlooker | None, episodes: int, seed: int, longest: int
) -> Iterator[Episode]:
    """Play a number of episodes before an onlooker; the seed decides all."""
    env, draw = player.stage(onlooker is not None and onlooker.pictures)
    scene = Scene(player, draw, None if onlooker is None else onlooker.look)
    try:
        for episode in play_episodes(env, scene.decide, seed_first(seed, episodes), longest):
            scene.end(episode)
            yield episode
    finally:
        env.close()


class Scene:
    """Who plays, and who is told."""

    def __init__(
        self,
        player: Player,
        draw: Callable[[Any], Any],
        look: Callable[[Moment], None] | None,
    ) -> None:
        self._player, self._draw, self._look = player, draw, look
        self._number = 1  # of the episode

    def decide(self, now: Episode) -> Any:
        """Return the rules' action; the onlooker learns why."""
        features = self._player.features(now.observation)
        if self._look is None:
            action = int(self._player.rules.actions(features[np.newaxis])[0])
        else:
            told = explain(self._player.rules, features)
            self._look(self._moment(now, told, told.seen))
            action = told.action
        return self._player.interface.actions.take(np.int64(action))

    def end(self, now: Episode) -> None:
        """Tell the onlooker how it ended."""
        if self._look is not None:
            seen = explain(self._player.rules, self._player.features(now.observation)).seen
            self._look(self._moment(now, None, seen))
        self._number += 1

    def _moment(self, now: Episode, told: Explanation | None, seen: str) -> Moment:
        picture = self._draw(now.observation)
        return Moment(self._number, now.length, now.total, told, seen, picture)


class Reader:
    """An onlooker that prints a line per step: what is seen, what is done, and by which rule."""

    pictures = False

    def look(self, moment: Moment) -> None:
        """Print the moment."""
        from ruleplay.cli.terminal.output import tell

        tell(describe_moment(moment))


def describe_moment(moment: Moment) -> str:
    """Return a moment in one line."""
    start = f"{moment.episode}.{moment.step:<4} {moment.seen}"
    told = moment.told
    if told is None:
        return f"{start}: the end, return {moment.total:g}"
    action = told.chosen
    if told.is_default:
        return f"{start}: {action}, the default, for no rule applies"
    best = told.votes[told.votes["action"] == action].iloc[0]
    share = "" if len(told.votes) == 1 else f", {100 * best['share']:.0f} % of its votes"
    return f"{start}: {action}{share} from IF {best['if']}"
