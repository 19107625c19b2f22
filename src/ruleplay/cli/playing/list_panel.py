"""Write an ordered list of rules beside a picture, and mark the rule that decides."""

from textwrap import wrap

from ruleplay.cli.playing.pen import GLUE, MARK, Pen
from ruleplay.rules import Explanation, RuleSet

WIDTH = 470  # pixels
LETTERS = 68  # of a line
SMALL, LINE = 11, 15  # pixels of a letter and of a line
HEADER = 116  # pixels above the list


class ListPanel:
    """The entries of a list, each marked when it decides."""

    width, letters = WIDTH, 60

    def __init__(self, rules: RuleSet) -> None:
        self._entries = list_entries(rules)
        lines = sum(len(entry) for entry in self._entries)
        self.height = HEADER + LINE * lines + 2 * len(self._entries)

    def write(self, pen: Pen, told: Explanation) -> None:
        """Write all entries; the one that decides is marked."""
        pen.write(f"{told.chosen}:", bold=True)
        decides = len(self._entries) - 1 if told.is_default else told.places[0]
        for place, entry in enumerate(self._entries):
            if place == decides:
                pen.mark(len(entry) * LINE, WIDTH - 24, MARK)
            for line in entry:
                pen.write(line, size=SMALL, gap=LINE - SMALL)
            pen.skip(2)


def list_entries(rules: RuleSet) -> list[list[str]]:
    """Return the lines of each rule of a list, broken between conditions, the default last."""
    entries = []
    for place in range(len(rules)):
        conditions = [phrase.replace(" ", GLUE) for phrase in rules.phrases(place)] or ["anything"]
        action = rules.speaks_for(place).replace(" ", GLUE)
        text = f" AND{GLUE}".join(conditions) + f" →{GLUE}{action}"
        lines = wrap(
            f"{place + 1}{GLUE}{GLUE}{text}",
            LETTERS,
            subsequent_indent=4 * GLUE,
            break_on_hyphens=False,
        )
        entries.append([line.replace(GLUE, " ") for line in lines])
    return [*entries, [f"else → {rules.outcome_names[rules.default_action]}"]]
