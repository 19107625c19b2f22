"""Maps show rules, actions and values where they are."""

from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib import rc_context

from ruleplay.errors import ConfigError
from ruleplay.rules import Feature, draw_map
from ruleplay.rules.drawing.maps import _boxes_to_draw
from ruleplay.rules.drawing.planes import chosen_features
from unit.rules.rule_samples import INF, actions, named, rule, rule_set, slow_down

pytestmark = pytest.mark.interpreted


ABOUT_A_QUANTITY = {
    "outcomes": actions("braking"),
    "action": np.zeros(5, np.int64),
    "quantities": np.array([[0.0], [50.0], [100.0]]),
}


def panels(figure):
    return [axes for axes in figure.axes if axes.get_title()]


def test_three_maps_have_the_features_as_axes():
    boxes, policy, values = panels(draw_map(slow_down(), resolution=20))
    assert boxes.get_xlabel() == policy.get_xlabel() == values.get_xlabel() == "speed"
    assert boxes.get_ylabel() == "angle"
    assert boxes.get_xlim() == (0.0, 100.0)
    assert boxes.get_ylim() == (-1.0, 1.0)


def test_the_policy_map_has_the_colours_of_the_actions_chosen():
    rules = slow_down()
    _, policy, _ = panels(draw_map(rules, resolution=10))
    picture = policy.images[0].get_array()
    speed = np.arange(10) * 10.0 + 5.0
    chosen = rules.actions(np.column_stack([speed, np.full(10, -0.9)]))
    colours = {action: picture[0, chosen == action] for action in (0, 1)}
    assert all((found == found[0]).all() for found in colours.values())
    assert (colours[0][0] != colours[1][0]).any()


def test_the_value_map_has_the_best_values():
    _, _, values = panels(draw_map(slow_down(), resolution=10))
    picture = values.images[0].get_array()
    assert picture[0, 0] == 80.0
    assert picture[-1, 5] == 90.0


def test_axes_can_be_chosen_and_turned():
    boxes, _, _ = panels(draw_map(slow_down(), ["angle", "speed"], resolution=5))
    assert (boxes.get_xlabel(), boxes.get_ylabel()) == ("angle", "speed")
    assert chosen_features(slow_down(), [1, 0]) == (1, 0)


def test_only_boxes_that_prevail_are_drawn():
    rules = slow_down()
    assert rules.fitness[_boxes_to_draw(rules, (0, 1), np.zeros(2))].tolist() == [
        0.1,
        0.5,
        0.8,
        0.9,
    ]


def test_only_boxes_that_the_plane_cuts_are_drawn():
    rules = rule_set(
        rule(angle=(0.5, INF)),
        rule(angle=(-INF, 0.5)),
        ordered=True,
    )
    assert _boxes_to_draw(rules, (0, 0), np.array([50.0, 0.2])).tolist() == [1]


def test_what_is_kept_is_said():
    figure = draw_map(_three_features(), ["a", "c"], at=[0.0, 0.25, 0.0], resolution=5)
    assert figure.get_suptitle() == "where b = 0.25"


def _three_features(names="abc"):
    box = {"lower": np.full((1, 3), -INF), "upper": np.full((1, 3), INF)}
    return rule_set(rule(), **box, features=tuple(Feature(name, 0.0, 1.0) for name in names))


@pytest.mark.parametrize(
    "rules",
    [rule_set(), rule_set(ordered=True), rule_set(rule(prediction=np.inf))],
    ids=["no-rules", "empty-list", "infinite"],
)
def test_odd_sets_can_be_drawn(rules, tmp_path):
    draw_map(rules, path=tmp_path / "map.svg", resolution=5)
    assert (tmp_path / "map.svg").read_text().startswith("<?xml")


@pytest.mark.parametrize(
    ("suffix", "start"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")]
)
def test_the_same_map_is_the_same_file(suffix, start, tmp_path):
    first, second = tmp_path / f"a.{suffix}", tmp_path / f"b.{suffix}"
    for path in (first, second):
        draw_map(slow_down(), path=path, resolution=10)
    assert first.read_bytes() == second.read_bytes()
    assert first.read_bytes().startswith(start)
    assert sorted(path.name for path in tmp_path.iterdir()) == [first.name, second.name]


FORMULAS = ["a $ b $", r"$\frac$", r"\$x_1$", "$x^$", "_hidden", r"50 \% ^"]


@pytest.mark.parametrize("name", FORMULAS)
def test_names_are_drawn_as_they_are(name, tmp_path):
    features, outcomes = (name, f"{name}2", f"{name}3"), (f"{name}4", "New\xa0York")
    path = tmp_path / "map.svg"
    with rc_context({"svg.fonttype": "none"}):
        rules = replace(_three_features(features), outcomes=actions(*outcomes))
        draw_map(rules, path=path, resolution=10)
    drawn = [text.text for text in ElementTree.parse(path).iter("{http://www.w3.org/2000/svg}text")]
    for text in (*features[:2], *outcomes, f"where {name}3 = 0.50"):
        assert text in drawn


def test_controls_in_names_are_spelled_out(tmp_path):
    names = {"features": named("a", "\x1b[2J"), "outcomes": actions("yes", "no\n")}
    path = tmp_path / "map.svg"
    draw_map(replace(slow_down(), **names), ["\x1b[2J", "a"], path=path, resolution=10)
    ElementTree.parse(path)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"features": ["speed", "height"]}, "must be among speed, angle, got 'height'"),
        ({"features": ["speed"]}, "must be 2 different ones"),
        ({"features": ["speed", 0]}, "must be 2 different ones"),
        ({"at": [1.0]}, r"at must have shape \(2,\), got \(1,\)"),
        ({"resolution": 1}, "resolution must be an integer"),
        ({"path": "map.gif"}, "must end in .svg, .png, .pdf, got 'map.gif'"),
    ],
    ids=["unknown", "one", "twice", "short", "tiny", "gif"],
)
def test_wrong_maps_are_refused(settings, message):
    with pytest.raises(ConfigError, match=message):
        draw_map(slow_down(), **{"resolution": 3, **settings})


def test_a_quantity_has_a_map_of_its_values_and_boxes_in_their_colours():
    rules = replace(slow_down(), **ABOUT_A_QUANTITY)
    boxes, values = panels(draw_map(rules, resolution=10))
    assert values.get_title().startswith("braking")
    picture = values.images[0].get_array()
    points = np.array([[5.0, -0.9], [95.0, 0.9]])
    known = rules.estimates(points)[:, 0]
    assert [picture[0, 0], picture[-1, -1]] == pytest.approx(known.tolist())
    assert boxes.get_title() == f"{len(rules)} rules"
    drawn = boxes.collections[0].get_facecolors()
    assert len({tuple(colour[:3]) for colour in drawn.tolist()}) > 1


def test_several_quantities_have_a_row_each():
    two = replace(slow_down(), quantities=np.array([[0.0, 0.0], [50.0, 5.0], [100.0, 100.0]]))
    assert len(panels(draw_map(two, resolution=5))) == 4
