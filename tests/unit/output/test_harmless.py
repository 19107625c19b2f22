"""Texts of others do nothing to a terminal, to a spreadsheet, or to what is read back."""

import json
import unicodedata
from xml.etree.ElementTree import fromstring
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleplay.output.harmless import encodable, guarded_cell, plain_cell, visible, visible_json

pytestmark = pytest.mark.uncompiled

BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


@given(st.text(st.characters(categories=["Cc", "Cs", "Zl", "Zp", "Lu", "Zs"])))
def test_no_control_is_left_and_nothing_else_is_changed(text):
    shown = visible(text)
    assert not {unicodedata.category(sign) for sign in shown} & {"Cc", "Cs", "Zl", "Zp"}
    assert visible(shown) == shown
    if not any(unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") for sign in text):
        assert shown == text


def test_directions_of_writing_are_spelled_out():
    assert visible(BIDI).isascii()
    for text in ("naïve\xa0café", "東京", "\U0001f469\u200d\U0001f52c", "\u200bzero"):
        assert visible(text) == text


@given(st.text().map(visible))
def test_what_is_visible_can_stand_in_xml(text):
    assert fromstring(f"<a>{escape(text)}</a>").text in (text, text or None)


@given(st.text())
def test_json_says_the_same(text):
    spelled = visible_json(json.dumps({"a": text}, ensure_ascii=False, indent=1))
    assert json.loads(spelled) == {"a": text}
    assert visible(spelled.replace("\n", "")) == spelled.replace("\n", "")


@given(st.text(st.sampled_from("='+-@\t\r\n1e. x")))
def test_a_cell_is_no_formula_and_reads_back(text):
    cell = guarded_cell(text)
    assert plain_cell(cell) == text
    if len(cell) > 1 and cell[0] in "=+-@\t\r\n":
        float(cell)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8", "cp1252"])
def test_every_encoding_has_signs_for_all(encoding):
    encodable("x ≤ 1 → 東京 ± \xa0", encoding).encode(encoding)
