"""Write a page to watch an episode on: picture, values, the rules that act, and the explorer."""

import base64
import io
import math
from pathlib import Path
from typing import Any

from PIL import Image

from ruleplay.cli.playing.frames import COLOURS, fitted
from ruleplay.cli.playing.players import Player
from ruleplay.cli.playing.playing import Moment
from ruleplay.cli.playing.thinned import Thinned
from ruleplay.output.files import write_whole
from ruleplay.report.page_parts import RULES, render
from ruleplay.report.rule_data import describe_rules
from ruleplay.report.rule_list import list_items
from ruleplay.rules import Explanation, fixed
from ruleplay.rules.drawing.colours import action_colours

MOST_MOMENTS = 240
REASONS = 4  # rules told of a moment


class EpisodePage:
    """An onlooker that keeps moments for a page, fewer of them the longer it gets."""

    def __init__(self, player: Player, source: str, most: int = MOST_MOMENTS) -> None:
        self.pictures = player.has_pictures()
        self._player, self._source = player, source
        self._moments: Thinned[dict[str, Any]] = Thinned(most)

    def look(self, moment: Moment) -> None:
        """Keep some moments at equal distances, and the end of each episode."""
        self._moments.take(moment.told is None, lambda: describe_moment(moment))

    def write(self, path: Path) -> int:
        """Write the page, and return how many moments it shows."""
        rules = self._player.rules
        colours = action_colours(rules.outcome_names)
        moments = self._moments.items
        page = render(
            "episode.html",
            RULES,
            package="ruleplay.cli.playing",
            own_scripts=("episode",),
            looks={},
            env=self._player.title,
            source=self._source,
            items=list_items(rules) if rules.ordered else [],
            n_rules=len(rules),
            every=self._moments.every,
            has_pictures=self.pictures,
            play={
                "moments": moments,
                "outcomes": [[name, colours[k]] for k, name in enumerate(rules.outcome_names)],
                "ordered": rules.ordered,
            },
            model=describe_rules([rules]),
        )
        write_whole(path, page.encode())
        return len(moments)


def describe_moment(moment: Moment) -> dict[str, Any]:
    """Return a moment as the page needs it; numbers that are none are null."""
    told = moment.told
    described = {
        "episode": moment.episode,
        "step": moment.step,
        "total": f"{moment.total:g}",
        "seen": moment.seen,
        "picture": None if moment.picture is None else as_address(moment.picture),
    }
    return described | ({"ends": True} if told is None else {"ends": False, **_decision(told)})


def _decision(told: Explanation) -> dict[str, Any]:
    """Return what is decided, and why."""
    rows = zip(told.places, told.conditions, told.votes.itertuples(), strict=True)
    speaking = [row for row in rows if row[2].action == told.chosen]
    reasons = [
        {"share": float(vote.share), "says": " AND ".join(conditions) or "anything"}
        for _, conditions, vote in speaking[:REASONS]
    ]
    return {
        "action": told.action,
        "values": [_number(value) for value in told.values.tolist()],
        "texts": [fixed(v, told.digits) if math.isfinite(v) else "" for v in told.values.tolist()],
        "row": [_number(value) for value in told.observation.tolist()],
        "fires": speaking[0][0] if speaking else None,
        "speaking": len(speaking),
        "reasons": reasons,
    }


def _number(value: float) -> float | None:
    return float(f"{value:.7g}") if math.isfinite(value) else None


def as_address(picture: Any) -> str:
    """Return a picture as an address that holds all of it, in few colours."""
    file = io.BytesIO()
    few = fitted(picture).quantize(COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    few.save(file, "PNG", optimize=True)
    return f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}"
