"""Pictures of problems show where things are, and Gymnasium is content with them."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from ruleplay.envs import CompiledEnv
from ruleplay.envs.drawing.rendering import (
    BODY,
    draw_acrobot,
    draw_cartpole,
    draw_chain,
    draw_mountaincar,
    draw_woods,
    painter_for,
)
from ruleplay.errors import ConfigError

DRAWN = (
    "ruleplay/Chain-v0",
    "ruleplay/CartPole-v0",
    "ruleplay/MountainCar-v0",
    "ruleplay/Woods1-v0",
)


def middle(pixels):
    """Return the centre (x, y) of what has the body's colour."""
    places = np.argwhere((pixels == BODY).all(axis=2))
    y, x = places.mean(axis=0)
    return x, y


@pytest.mark.parametrize("env_id", DRAWN)
def test_gymnasium_finds_no_fault_with_the_pictures(env_id):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(env_id, render_mode="rgb_array")
        check_env(env.unwrapped)
    env.reset(seed=0)
    first = env.render()
    assert first.shape == (320, 480, 3)
    assert first.dtype == np.uint8
    for _ in range(3):
        env.step(0)
    assert (env.render() != first).any()


def test_other_modes_and_other_problems_are_refused():
    with pytest.raises(ConfigError, match="render_mode must be None or 'rgb_array', got 'human'"):
        CompiledEnv("chain", render_mode="human")
    with pytest.raises(ConfigError, match="render_mode must be None, got 'rgb_array'"):
        CompiledEnv("mario", render_mode="rgb_array")
    assert CompiledEnv("chain").render() is None


def test_the_car_moves_right_and_down_into_the_valley():
    left, bottom, right = (middle(draw_mountaincar([x, 0.0])) for x in (-1.1, -0.52, 0.4))
    assert left[0] < bottom[0] < right[0]
    assert bottom[1] > left[1]
    assert bottom[1] > right[1]


def test_the_cart_moves_and_the_pole_leans():
    assert middle(draw_cartpole([-2.0, 0, 0, 0]))[0] < middle(draw_cartpole([2.0, 0, 0, 0]))[0]
    upright, leaning = draw_cartpole([0, 0, 0, 0]), draw_cartpole([0, 0, 0.2, 0])
    assert (upright != leaning).any()


@pytest.mark.parametrize("count", [2, 16, 1000])
def test_the_present_state_of_a_chain_is_filled(count):
    places = [middle(draw_chain(state, count))[0] for state in (0, count // 2, count - 1)]
    assert places == sorted(places)
    assert places[0] > 0
    assert places[-1] < 480


@pytest.mark.parametrize("name", ["CartPole-v1", "MountainCar-v0", "Acrobot-v1"])
def test_classic_problems_are_drawn_without_more_packages(name):
    env = gymnasium.make(name)
    observation, _ = env.reset(seed=0)
    assert painter_for(env)(observation).shape == (320, 480, 3)


def test_others_are_left_to_themselves():
    assert painter_for(gymnasium.make("Pendulum-v1")) is None
    assert draw_acrobot([1, 0, 1, 0, 0, 0]).any()


def test_the_animal_is_drawn_where_it_is_in_its_woods():
    cells = np.zeros((5, 5), int)
    corner, right, below = (middle(draw_woods(cells, place)) for place in ((0, 0), (0, 4), (4, 0)))
    assert corner[0] == pytest.approx(below[0])
    assert corner[1] == pytest.approx(right[1])
    assert right[0] > corner[0]
    assert below[1] > corner[1]
