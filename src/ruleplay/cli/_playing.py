"""Play episodes by rules, and tell whoever looks on what happens at each step."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

import numpy as np

from ruleplay.cli._players import Player
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


class Ended(NamedTuple):
    """An episode that has ended."""

    total: float
    length: int
    ended: str  # "terminated", "truncated" or "cut off"


def play_episodes(
    player: Player, onlooker: Onlooker | None, episodes: int, seed: int, longest: int
) -> Iterator[Ended]:
    """Play a number of episodes; the seed decides all."""
    env, draw = player.stage(onlooker is not None and onlooker.pictures)
    look = None if onlooker is None else onlooker.look
    try:
        for episode in range(1, episodes + 1):
            observation, _ = env.reset(seed=seed if episode == 1 else None)
            yield _play_one(Scene(player, env, draw, look, episode), observation, longest)
    finally:
        env.close()


class Scene(NamedTuple):
    """Where an episode is played, and who is told."""

    player: Player
    env: Any
    draw: Callable[[Any], Any]
    look: Callable[[Moment], None] | None
    episode: int

    def decide(self, observation: Any, step: int, total: float) -> int:
        """Return the rules' action; the onlooker learns why."""
        features = self.player.features(observation)
        if self.look is None:
            return int(self.player.rules.actions(features[np.newaxis])[0])
        told = explain(self.player.rules, features)
        self.look(Moment(self.episode, step, total, told, told.seen, self.draw(observation)))
        return told.action

    def end(self, observation: Any, step: int, total: float) -> None:
        """Tell the onlooker how it ended."""
        if self.look is not None:
            seen = explain(self.player.rules, self.player.features(observation)).seen
            self.look(Moment(self.episode, step, total, None, seen, self.draw(observation)))


def _play_one(scene: Scene, observation: Any, longest: int) -> Ended:
    total, step, ended = 0.0, 0, ""
    while not ended:
        action = np.int64(scene.decide(observation, step, total) + scene.player.first_action)
        observation, reward, terminated, truncated, _ = scene.env.step(action)
        total, step = total + float(reward), step + 1
        if terminated or truncated or step >= longest:
            ended = "terminated" if terminated else "truncated" if truncated else "cut off"
    scene.end(observation, step, total)
    return Ended(total, step, ended)


class Reader:
    """An onlooker that prints a line per step: what is seen, what is done, and by which rule."""

    pictures = False

    def look(self, moment: Moment) -> None:
        """Print the moment."""
        from ruleplay.cli._output import tell

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
