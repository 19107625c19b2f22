"""What notebooks show of rules: whole, harmless, and without anything that runs."""

import re
from html.parser import HTMLParser

import numpy as np
import pytest

from ruleplay.rules import RuleSet, compact, explain
from unit.rules.export_samples import sample
from unit.rules.rule_samples import actions, grid, named, slow_down

pytestmark = [pytest.mark.interpreted, pytest.mark.uncompiled]

HARMLESS = {"div", "p", "table", "thead", "tbody", "tr", "th", "td", "br"}


class Reader(HTMLParser):
    """Collect elements, and the cells of the table."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.cells, self.attributes = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_data(self, data):
        if self.cells:
            self.cells[-1] += data.strip("\n")


def shown():
    rules = slow_down()
    evil = "<script>alert(1)</script>\"'&\u202e\n"
    odd = rules.take(range(5), features=named(evil, "angle"), outcomes=actions(evil, "go"))
    return {
        "vote": rules,
        "list": sample(True, "match"),
        "none": rules.take([]),
        "explanation": explain(rules, [65.0, 0.5]),
        "default": explain(rules.take([2]), [1.0, 0.0]),
        "missing": explain(RuleSet.from_json(sample(False, "match").to_json()), [np.nan] * 7),
        "compaction": compact(rules, "greedy", grid()),
        "odd": odd,
        "odd-explanation": explain(odd, [65.0, 0.5]),
    }


@pytest.mark.parametrize("what", shown())
def test_what_is_shown_is_harmless(what):
    text = shown()[what]._repr_html_()
    page = Reader(text)
    assert set(page.elements) <= HARMLESS
    assert page.attributes <= {"style"}
    assert not re.search("[\u202e\x00-\x08]", text)
    assert text.count("<td") == text.count("</td>")


def test_a_table_has_the_weightiest_rules():
    page = Reader(slow_down()._repr_html_())
    assert page.cells[:7] == ["if", "then", "value", "error", "fitness", "numerosity", "seen"]
    assert page.cells[7:11] == ["speed ≤ 60", "go", "80.0", "1.0"]
    many = sample(False)._repr_html_()
    assert "230 rules that vote, the 10 weightiest" in many
    assert many.count("<tr>") == 11


def test_a_list_ends_with_what_is_done_else():
    rules = slow_down().take(range(2), ordered=True, default_action=1)
    assert Reader(rules._repr_html_()).cells[-7:-5] == ["else", "go"]


def test_an_explanation_shows_shares():
    page = Reader(explain(slow_down(), [65.0, 0.5])._repr_html_())
    assert page.cells[7:11] == ["stop", "81.5", "speed ≥ 30angle ≥ 0.00", "57 %"]
    assert page.cells[14:17] == ["", "", "speed ≥ 60"]
