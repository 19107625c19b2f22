"""The page about rules, as far as it can be tested without a browser."""

import base64
import hashlib
import html
import re

import numpy as np
import pytest

from ruleplay.report.explorer import render_explorer
from ruleplay.report.packing import pack_arrays
from ruleplay.report.page_parts import CHARTS, RULES
from ruleplay.report.rule_data import describe_rules, telling_features
from ruleplay.rules import Feature
from ruleplay.rules.drawing.colours import PALETTE, action_colours
from unit.rules.rule_samples import rule, rule_set, slow_down


@pytest.fixture(scope="module")
def page():
    return render_explorer(slow_down(), name="brakes")


def test_the_policy_allows_just_the_scripts_of_the_page(page):
    policy = html.unescape(re.search(r'Content-Security-Policy" content="(.*?)"', page)[1])
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    hashes = [base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in scripts]
    assert len(hashes) == 2
    assert re.findall(r"'sha256-(.*?)'", policy) == hashes
    assert policy.startswith("default-src 'none'")


def test_nothing_is_fetched_or_evaluated(page):
    own = page.split("</script>")[-2]
    assert "class Explorer" in own
    assert not re.search(r"\b(fetch|eval|XMLHttpRequest|WebSocket|Function)\(|https?://", own)


def test_the_same_rules_give_the_same_page(page):
    assert render_explorer(slow_down(), name="brakes") == page


def test_a_reader_without_scripts_sees_the_strongest_rules(page):
    first = html.escape(slow_down().text(top=1))
    assert f"<li>{first}</li>" in page
    assert "5 rules, all that match vote. 2 features; actions: stop, go." in page


def test_every_script_is_used():
    from importlib.resources import files

    names = {path.name for path in (files("ruleplay.report") / "scripts").iterdir()}
    assert names == {f"{name}.js" for name in (*RULES, *CHARTS)}


def test_the_map_begins_with_the_features_that_rules_confine():
    changes = {"features": tuple(Feature(name, 0.0, 1.0) for name in "abcd")}
    edges = np.array([[-np.inf, 0.4, -np.inf, 0.1]]), np.array([[np.inf, 0.6, 0.9, 0.2]])
    rules = rule_set(rule(), lower=edges[0], upper=edges[1], **changes)
    assert telling_features(rules) == [1, 3]


@pytest.mark.parametrize("count", [0, 1])
def test_without_rules_the_map_begins_with_the_first_features(count):
    assert telling_features(slow_down().take(range(count))) == [0, 1]


def test_numbers_are_packed_exactly():
    rules = slow_down()
    described = describe_rules([rules])
    assert described["sizes"] == [5]
    assert ["lower", "f8", 10] in described["columns"]
    assert described["features"][1] == {
        "name": "angle",
        "low": -1.0,
        "high": 1.0,
        "whole": False,
        "categories": [],
        "first": 0,
        "digits": 2,
        "is_date": False,
        "fill": None,
    }


def test_packing_is_the_same_for_the_same_arrays():
    arrays = {"x": np.arange(9.0), "y": np.zeros(0, np.float32)}
    assert pack_arrays(arrays) == pack_arrays(arrays)
    assert pack_arrays(arrays)["columns"] == [["x", "f8", 9], ["y", "f4", 0]]


def test_actions_named_after_colours_have_them():
    assert action_colours(["red", "blue"]) == ["#d8232a", "#2a4fb5"]
    assert action_colours(["red", "left"]) == list(PALETTE[:2])


def test_many_actions_have_different_colours():
    colours = action_colours([str(k) for k in range(20)])
    assert len(set(colours)) == 20
    assert all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in colours)
