"""What notebooks show of rules: tables without scripts, readable on light and on dark ground."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from ruleplay.output.harmless import visible
from ruleplay.rules.table import records_of
from ruleplay.rules.text import reading_sentence, value_digits
from ruleplay.rules.wording import fixed, missing_sentence, origin_remark

if TYPE_CHECKING:
    from ruleplay.rules.compaction.methods import Compaction
    from ruleplay.rules.explain import Explanation
    from ruleplay.rules.ruleset import RuleSet

TOP = 10  # rules of a vote that are shown
TOP_VOTES = 5  # rules that are shown for each action of an explanation

# Nothing has a colour of its own: letters are the notebook's, lines and bars are half see-through.
_LINE = "1px solid rgba(128, 128, 128, 0.4)"
_TABLE = "border-collapse: collapse; font-variant-numeric: tabular-nums; color: inherit"
_HEAD = f"padding: 0.2em 0.7em; border-bottom: {_LINE}; vertical-align: bottom"
_CELL = f"padding: 0.2em 0.7em; border-bottom: {_LINE}; vertical-align: top"
_BAR = "rgba(64, 128, 224, 0.35)"

Cell = str | Sequence[str]


def rules_html(rules: "RuleSet", top: int = TOP) -> str:
    """Return a table of rules; of a vote, the weightiest ones."""
    count = f"{len(rules)} rule{'' if len(rules) == 1 else 's'}"
    how = "asked in this order" if rules.ordered else "that vote"
    shown = None if rules.ordered else top
    rest = f", the {top} weightiest" if not rules.ordered and len(rules) > top else ""
    lines = [_paragraph(f"{count} {how}{rest}"), _rules_table(rules, shown)]
    if rules.missing_values != "error":
        lines.append(_paragraph(reading_sentence(rules)))
    return _whole(lines)


def compaction_html(made: "Compaction") -> str:
    """Return what has become of rules, and the table of those that are left."""
    return _whole([_paragraph(str(made)), rules_html(made.ruleset)])


def explanation_html(told: "Explanation") -> str:
    """Return a decision, and a table of the rules that spoke."""
    decided = f"{told.seen}: {told.chosen}"
    if told.is_default:
        decided += told.why_default
    lines = [_paragraph(decided)]
    if not told.is_default:
        lines.append(_votes_table(told))
    if None in told.row:
        lines.append(_paragraph(missing_sentence(told.missing_values)))
    return _whole(lines)


def _rules_table(rules: "RuleSet", top: int | None) -> str:
    digits = value_digits(rules)
    places = rules.order[:top].tolist()
    rows: list[list[Cell]] = [
        [
            [*(rules.phrases(place) or ["anything"]), *_remarks(rules, place)],
            record["then"],
            fixed(record["prediction"], digits),
            fixed(record["error"], digits),
            fixed(record["fitness"], 3),
            str(record["numerosity"]),
            str(record["experience"]),
        ]
        for place, record in zip(places, records_of(rules, top), strict=True)
    ]
    if rules.ordered and not rules.regresses:
        rows.append(["else", rules.outcome_names[rules.default_action], *[""] * 5])
    heads = ("if", "then", "value", "error", "fitness", "numerosity", "seen")
    return _table(heads, rows, words=(0, 1))


def _remarks(rules: "RuleSet", place: int) -> list[str]:
    """Return where a rule comes from, if it was not learned."""
    remark = origin_remark(rules.origin_of(place)).removeprefix(", ")
    return [f"({remark})"] if remark else []


def _votes_table(told: "Explanation") -> str:
    """Return the weightiest votes for each action, the best action first."""
    values = dict(zip((o.name for o in told.outcomes), told.values.tolist(), strict=True))
    shown = told.votes.groupby("action", sort=False).head(TOP_VOTES)
    rows: list[list[Cell]] = []
    for place, vote in shown.to_dict("index").items():
        name = vote["action"]
        is_first = place == 0 or told.votes["action"][place - 1] != name
        rows.append(
            [
                name if is_first else "",
                fixed(values[name], told.digits) if is_first else "",
                told.conditions[place] or ["anything"],
                f"{100 * vote['share']:.0f} %",
                fixed(vote["value"], told.digits),
                fixed(vote["error"], told.digits),
                str(vote["experience"]),
            ]
        )
    heads = (told.noun, "value", "if", "share", "rule's value", "error", "seen")
    table = _table(heads, rows, words=(0, 2), bars=shown["share"].tolist())
    left_out = len(told.votes) - len(rows)
    return table + (_paragraph(f"and {left_out} weaker votes") if left_out else "")


def _table(
    heads: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    words: tuple[int, ...],
    bars: Sequence[float] = (),
) -> str:
    """Return a table; columns of words stand to the left, numbers to the right.

    `bars` are the lengths of bars behind the column `share`, as shares of its width.
    """
    sides = ["left" if k in words else "right" for k in range(len(heads))]
    head = "".join(
        f'<th style="{_HEAD}; text-align: {side}">{escape(name)}</th>'
        for name, side in zip(heads, sides, strict=True)
    )
    lines = [f'<table style="{_TABLE}">', f"<thead><tr>{head}</tr></thead>", "<tbody>"]
    for number, row in enumerate(rows):
        bar = {heads.index("share"): _bar(bars[number])} if bars else {}
        cells = (
            f'<td style="{_CELL}; text-align: {side}{bar.get(k, "")}">{_cell(cell)}</td>'
            for k, (cell, side) in enumerate(zip(row, sides, strict=True))
        )
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return "\n".join([*lines, "</tbody></table>"])


def _bar(share: float) -> str:
    gradient = f"linear-gradient(to right, {_BAR} {100 * share:.0f}%, transparent 0)"
    return f"; min-width: 6em; background: {gradient}"


def _cell(cell: Cell) -> str:
    lines = [cell] if isinstance(cell, str) else cell
    return "<br>".join(escape(visible(line)) for line in lines)


def _paragraph(text: str) -> str:
    return f'<p style="margin: 0.3em 0; color: inherit">{escape(visible(text))}</p>'


def _whole(lines: Iterable[str]) -> str:
    return '<div style="max-width: 100%; overflow-x: auto">' + "\n".join(lines) + "</div>"
