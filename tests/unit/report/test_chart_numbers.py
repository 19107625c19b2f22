"""Numbers beside and below a small chart are plain, lie within it, and apart from each other."""

import re
from itertools import pairwise

import pytest

from ruleplay.report.svg import WIDTH, Frame, margin_for, round_ticks, width_of

pytestmark = pytest.mark.uncompiled

TEXT = re.compile(r'<text x="([^"]+)" [^>]*>([^<]*)</text>')


@pytest.mark.parametrize("largest", [0.0008, 1.0, 871.0, 45_000.0, 1_127_200.0, 9e9, 8e13])
def test_numbers_of_a_chart_are_not_cut(largest):
    ticks = round_ticks(0.0, largest)
    frame = Frame(ticks[0], ticks[-1], ticks[0], ticks[-1], margin_for(ticks))
    beside, below = (
        [(float(x), text) for x, text in TEXT.findall(drawn)]
        for drawn in (frame.ticks_up(ticks), frame.ticks_across(ticks))
    )
    assert [float(text) for _, text in beside] == ticks
    assert "e+" not in "".join(text for _, text in beside + below)
    assert all(x >= width_of(float(text)) for x, text in beside)
    spans = [(x - width_of(float(t)) / 2, x + width_of(float(t)) / 2) for x, t in below]
    assert len(spans) >= 2
    assert spans[0][0] >= 0.0
    assert spans[-1][1] <= WIDTH
    assert all(one[1] < other[0] for one, other in pairwise(spans))
