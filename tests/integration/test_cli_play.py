"""`ruleplay play` shows rules at work: as lines, as a film, in figures."""

import json
import re

import numpy as np
import pytest
from PIL import Image, ImageColor, ImageDraw
from typer.testing import CliRunner

from hill_list import push_where_it_rolls
from ruleplay.cli import app
from ruleplay.cli.playing.frames import Composer, Film, wrap_seen
from ruleplay.cli.playing.list_panel import LINE, ListPanel, list_entries
from ruleplay.cli.playing.pen import MARK, Pen
from ruleplay.cli.playing.players import Player
from ruleplay.cli.playing.playing import Moment
from ruleplay.config import XCSConfig
from ruleplay.engine import XCS
from ruleplay.errors import ConfigError
from ruleplay.learners.agent import XCSAgent
from ruleplay.rules import RuleSet, explain

YELLOW = ImageColor.getrgb(MARK)


def told_about(value):
    """Return an explanation by an empty set of rules."""
    rules = RuleSet.of(XCS(XCSConfig(), n_actions=2, low=[0.0], high=[1.0]))
    return explain(rules, [value])


def call(*arguments):
    return CliRunner().invoke(app, ["play", *map(str, arguments)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def chain(folder):
    path = folder / "chain.ruleplay"
    arguments = ["run", "stein2020/chain16", "--steps", "2000", "--save", str(path)]
    assert CliRunner().invoke(app, arguments).exit_code == 0
    return path


@pytest.fixture(scope="module")
def car(folder):
    """Return the list of one rule that climbs the hill: push where you roll."""
    path = folder / "car.json"
    path.write_text(push_where_it_rolls().to_json())
    return path


def test_text_has_a_line_per_step_with_the_rule(car):
    result = call(car, "--env", "ruleplay/MountainCar-v0")
    assert result.exit_code == 0, result.output
    *steps, end, summary = result.stdout.splitlines()
    assert steps[0].startswith("1.0 ")
    assert "left from IF velocity ≤ 0.000" in steps[0]
    assert any("right, the default, for no rule applies" in line for line in steps)
    assert end.endswith("the end, return 1000")
    assert summary == f"ruleplay/MountainCar-v0: return 1000 in {len(steps)} steps"


def test_a_film_of_the_car_has_frames_and_a_sensible_size(car, tmp_path):
    path = tmp_path / "car.gif"
    result = call(car, "--env", "ruleplay/MountainCar-v0", "--out", path)
    assert result.exit_code == 0, result.output
    with Image.open(path) as film:
        assert 50 <= film.n_frames <= 121
        assert film.size == (950, 320)
        assert film.is_animated
    assert path.stat().st_size < 3_000_000
    assert [other.name for other in tmp_path.iterdir()] == ["car.gif"]


def test_a_page_of_the_car_has_every_moment_with_the_rule_that_fires(car, tmp_path):
    path = tmp_path / "car.html"
    result = call(car, "--env", "ruleplay/MountainCar-v0", "--out", path)
    assert result.exit_code == 0, result.output
    steps = int(re.search(r"return 1000 in (\d+) steps", result.stdout)[1])
    moments = watched(path)["moments"]
    assert f"page: {path} ({len(moments)} moments" in result.stderr.replace("\n", "")
    assert [moment["step"] for moment in moments] == [*range(steps + 1)]
    for moment in moments[:-1]:
        velocity = moment["row"][1]
        assert moment["action"] == (0 if velocity <= 0.0 else 2)
        assert moment["fires"] == (0 if velocity <= 0.0 else None)
        assert moment["picture"].startswith("data:image/png;base64,")
    assert moments[-1]["ends"]
    assert moments[-1]["total"] == "1000"


def watched(path):
    """Return what a page knows of an episode."""
    found = re.search(r'<script type="application/json" id="play">(.*?)</script>', path.read_text())
    return json.loads(found[1])


def test_a_page_of_rules_that_vote_tells_the_weightiest(chain, tmp_path):
    path = tmp_path / "chain.html"
    result = call(chain, "--out", path, "--max-steps", 20, "--episodes", 2)
    assert result.exit_code == 0, result.output
    moments = watched(path)["moments"]
    assert [moment["ends"] for moment in moments] == 2 * [*20 * [False], True]
    for moment in moments[:20]:
        known = [value for value in moment["values"] if value is not None]
        assert not known or moment["values"][moment["action"]] == max(known)
        assert sum(reason["share"] for reason in moment["reasons"]) <= 1.0 + 1e-9


def test_a_page_does_without_pictures_where_there_are_none(agents, tmp_path, monkeypatch):
    monkeypatch.setattr(Player, "stage", stage_without_pictures(Player.stage))
    path = tmp_path / "cards.html"
    result = call(agents["Blackjack-v1"], "--out", path)
    assert result.exit_code == 0, result.output
    assert all(moment["picture"] is None for moment in watched(path)["moments"])
    assert "<img alt" not in path.read_text()


def stage_without_pictures(stage):
    def refuse(player, pictures):
        if pictures:
            raise ConfigError("no pictures")
        return stage(player, pictures)

    return refuse


def test_a_preset_says_where_it_plays(chain, tmp_path):
    path = tmp_path / "chain.gif"
    result = call(chain, "--out", path, "--max-steps", 20, "--episodes", 2)
    assert result.exit_code == 0, result.output
    assert "stein2020/chain16: mean return" in result.stdout
    with Image.open(path) as film:
        assert film.n_frames > 2  # frames that are alike become one


def test_figures_are_those_of_the_episodes(chain, car):
    document = json.loads(call(chain, "--json", "--episodes", 3).stdout)
    assert document["env"] == "stein2020/chain16"
    assert document["lengths"] == [200] * 3
    assert document["ended"] == ["truncated"] * 3
    assert document["mean"] == pytest.approx(np.mean(document["returns"]))
    quiet = call(car, "--env", "MountainCar-v0", "--render", "none", "--max-steps", 5)
    assert quiet.stdout == (
        "MountainCar-v0: mean return -5.00 ± 0.00 in 100 episodes, 5 to 5 steps long\n"
    )


def test_rules_may_play_in_gymnasiums_own_environment(car, tmp_path):
    path = tmp_path / "car.gif"
    result = call(car, "--env", "MountainCar-v0", "--out", path, "--max-steps", 4)
    assert result.exit_code == 0, result.output
    assert path.exists()


@pytest.fixture(scope="module")
def agents(folder):
    """Return the files of agents with observations of parts, and with actions of real numbers."""
    paths = {}
    for name, settings in {"Blackjack-v1": {}, "Pendulum-v1": {"action_grid": 3}}.items():
        paths[name] = folder / f"{name}.ruleplay"
        XCSAgent(name, seed=0, population_size=300, **settings).learn(300).save(paths[name])
    return paths


def test_an_agent_plays_cards(agents):
    result = call(agents["Blackjack-v1"], "--seed", 3)
    assert result.exit_code == 0, result.output
    first = result.stdout.splitlines()[0]
    assert first.startswith("1.0 ")
    assert re.search(r"player_sum \d+, dealer_card \d+, usable_ace \d: (stick|hit)", first)


def test_an_agent_plays_with_real_numbers(agents):
    result = call(agents["Pendulum-v1"], "--max-steps", 3)
    assert result.exit_code == 0, result.output
    assert re.search(r"velocity -?[\d.]+: torque = (-2.0|0.0|2.0)", result.stdout)
    document = json.loads(call(agents["Pendulum-v1"], "--json", "--episodes", 2).stdout)
    assert document["lengths"] == [200, 200]


@pytest.mark.parametrize("name", ["Blackjack-v1", "Pendulum-v1"])
def test_rules_of_agents_in_any_space_are_read_and_made_few(agents, name, tmp_path):
    listed = tmp_path / "list.json"
    arguments = ["rules", str(agents[name]), "--compact", "--episodes", "2", "--out", str(listed)]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    played = call(listed, "--env", name, "--render", "none", "--max-steps", 2, "--episodes", 2)
    if name == "Blackjack-v1":
        assert played.exit_code == 0, played.output
    else:
        assert "takes actions" in played.stderr or "has 3 features and 5 actions" in played.stderr


def engine_file(path, about):
    engine = XCS(XCSConfig(), n_actions=2, low=[0.0], high=[1.0], about=about)
    engine.save(path)
    return path


@pytest.mark.parametrize(
    ("about", "arguments", "message"),
    [
        ({}, [], "does not say which environment it is for: use --env ID"),
        ({"learner": "classifier"}, [], "classifies rows and does not act"),
        ({"learner": "agent"}, [], "the notes on the agent are damaged"),
        ({"preset": "stein2020/rmp6"}, [], "there is nothing to play"),
        ({"preset": "stein2020/mountaincar"}, [], "does not fit its preset"),
        ({}, ["--env", "CartPole-v1"], "has 4 features and 2 actions"),
        ({}, ["--env", "Nothing-v7"], "cannot be made"),
        ({}, ["--render", "gif"], "need each other"),
        ({}, ["--render", "page"], "need each other"),
        ({}, ["--render", "gif", "--out", "film.html"], "need each other"),
        ({}, ["--out", "film.mp4"], "--out must end in .gif or .html"),
        ({}, ["--json", "--render", "text"], "--json contradicts"),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_line(tmp_path, about, arguments, message):
    result = call(engine_file(tmp_path / "model", about), *arguments)
    assert result.exit_code in (1, 2)
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_window_needs_a_display(chain, monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "agg")
    result = call(chain, "--render", "human")
    assert result.exit_code == 2
    assert "--render human needs a display" in result.stderr


def colours_of_lines(frame, panel):
    """Return the colour in front of each line of the list."""
    left = frame.width - panel.width + 10
    return [frame.getpixel((left, y)) for y in range(frame.height)]


def test_a_list_stands_beside_the_picture_and_the_rule_that_decides_is_marked():
    rules = push_where_it_rolls()
    panel, picture = ListPanel(rules), np.zeros((320, 480, 3), np.uint8)
    marks = []
    for velocity in (-0.01, 0.01):  # the rule, and the default
        told = explain(rules, [-0.5, velocity])
        frame = Composer("car", rules).frame(Moment(1, 0, 0.0, told, told.seen, picture))
        marked = [y for y, rgb in enumerate(colours_of_lines(frame, panel)) if rgb == YELLOW]
        assert len(marked) == LINE + 1  # one line of the list
        marks.append(marked[0])
    assert marks[1] - marks[0] == LINE + 2


def test_a_rule_is_shown_whole_or_not_at_all():
    picture, told = np.zeros((320, 480, 3), np.uint8), told_about(0.5)
    pen = Pen(ImageDraw.Draw(Image.fromarray(picture)), 0, 100)
    assert pen.has_room(5, size=13)  # 10 pixels, four lines of 18, and letters of 13
    assert not pen.has_room(6, size=13)
    seen = ", ".join(f"feature_{k} 0.00" for k in range(9))
    frame = Composer("long").frame(Moment(1, 0, 0.0, told, seen, picture))
    assert frame.height == 320
    assert wrap_seen(seen, 50)[0] == "feature_0 0.00, feature_1 0.00, feature_2 0.00,"


def test_long_lists_have_room(folder):
    one = push_where_it_rolls()
    some = one.take([0] * 20)
    narrow = some.take(range(20), lower=np.tile([-0.91, -0.051], (20, 1)))
    lines = [line for entry in list_entries(narrow) for line in entry]
    assert max(map(len, lines)) <= 68
    assert lines[-1] == "else → right"
    panel = ListPanel(narrow)
    told = explain(narrow, [-0.5, 0.01])
    frame = Composer("car", narrow).frame(
        Moment(1, 0, 0.0, told, told.seen, np.zeros((400, 600, 3), np.uint8))
    )
    assert frame.height == panel.height
    assert YELLOW in colours_of_lines(frame, panel)[-40:]  # the last line, the default


def test_long_films_are_thinned_and_keep_the_ends():
    film, told = Film("test", most=20), told_about(0.5)
    picture = np.zeros((320, 480, 3), np.uint8)
    for episode in (1, 2):
        for step in range(50):
            picture[:, step] = 200
            film.look(Moment(episode, step, 0.0, None if step == 49 else told, "x 1", picture))
    assert len(film._frames.items) <= 20
    assert sum(film._frames.ends) == 2


def test_a_film_of_ends_only_is_refused():
    film = Film("test", most=3)
    picture = np.zeros((320, 480, 3), np.uint8)
    moment = Moment(1, 0, 0.0, None, "x 1", picture)
    for _ in range(3):
        film.look(moment)
    with pytest.raises(ConfigError, match="fewer --episodes"):
        film.look(moment)
