"""Pictures: the plumber, and whatever users bring."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from matplotlib.image import imread, imsave

from ruleplay.envs import (
    Picture,
    draw_picture,
    load_picture,
    make_problem,
    mario_picture,
    save_picture,
)
from ruleplay.errors import ConfigError

pytestmark = pytest.mark.interpreted


def test_mario_has_sixteen_by_sixteen_pixels_in_seven_colours():
    mario = mario_picture()
    assert mario.classes.shape == (16, 16)
    assert set(mario.classes.ravel().tolist()) == set(range(7))
    assert len(mario.names) == len({tuple(colour) for colour in mario.palette}) == 7


def test_mario_wears_the_right_clothes():
    mario = mario_picture()
    colours = np.array(mario.names)[mario.classes]
    cap, moustache, trousers, shoes = colours[:3], colours[7], colours[13:15], colours[15]
    assert set(cap.ravel()) == {"background", "red"}
    assert set(moustache) == {"background", "brown"}
    assert set(trousers.ravel()) == {"background", "blue"}
    assert set(shoes) == {"background", "black"}
    assert (colours == "yellow").sum() == 2  # the knobs


def test_a_picture_survives_a_png_file(tmp_path):
    mario = mario_picture()
    save_picture(mario, tmp_path / "mario.png", scale=1)
    again = load_picture(tmp_path / "mario.png")
    np.testing.assert_array_equal(again.rgb(), mario.rgb())
    assert sorted(again.names) == sorted("#" + bytes(colour).hex() for colour in mario.palette)
    assert make_problem("mario", picture=str(tmp_path / "mario.png")).n_actions == 7


def test_a_saved_picture_is_enlarged(tmp_path):
    save_picture(mario_picture(), tmp_path / "mario.png", scale=5)
    assert imread(tmp_path / "mario.png").shape[:2] == (80, 80)


def test_a_picture_is_drawn_upright_over_the_unit_square():
    image = draw_picture(mario_picture())
    assert image.get_extent() == [0, 1, 0, 1]
    assert image.origin == "upper"
    np.testing.assert_array_equal(image.get_array(), mario_picture().rgb())


def test_a_picture_is_drawn_where_asked():
    from matplotlib.figure import Figure

    axes = Figure().add_subplot()
    assert draw_picture(mario_picture(), axes).axes is axes


def test_whole_numbers_become_classes_in_order():
    picture = load_picture(np.array([[7, -3], [7, 100]]))
    assert picture.names == ("-3", "7", "100")
    np.testing.assert_array_equal(picture.classes, [[1, 0], [1, 2]])
    assert len({tuple(colour) for colour in picture.palette}) == 3


def test_an_npy_file_is_read(tmp_path):
    np.save(tmp_path / "grid.npy", np.arange(6).reshape(2, 3))
    np.testing.assert_array_equal(
        load_picture(tmp_path / "grid.npy").classes, [[0, 1, 2], [3, 4, 5]]
    )


def test_bytes_and_levels_of_one_colour_are_one_class():
    colours = np.array([[[255, 0, 0], [0, 0, 255]]])
    for pixels in (colours, colours.astype(np.uint8), colours / 255.0):
        picture = load_picture(pixels)
        assert picture.names == ("#0000ff", "#ff0000")
        np.testing.assert_array_equal(picture.classes, [[1, 0]])


def test_transparent_pixels_are_white():
    pixels = np.array([[[0, 0, 0, 255], [9, 9, 9, 0], [200, 1, 2, 0], [255, 255, 255, 255]]])
    assert load_picture(pixels).names == ("#000000", "#ffffff")


def test_grey_levels_are_colours(tmp_path):
    assert load_picture(np.array([[0.0, 1.0]])).names == ("#000000", "#ffffff")
    imsave(tmp_path / "grey.png", np.array([[0.0, 0.5, 1.0]]), cmap="gray")
    assert len(load_picture(tmp_path / "grey.png").names) == 3


def test_a_finished_picture_is_taken_as_it_is():
    picture = Picture(np.eye(2, dtype=np.int64), np.zeros((2, 3), dtype=np.uint8), ("a", "b"))
    assert load_picture(picture) is picture


@pytest.mark.parametrize(
    ("pixels", "complaint"),
    [
        (np.arange(65).reshape(5, 13), "2 to 64 colours, got 65"),
        (np.zeros((4, 4), dtype=int), "2 to 64 colours, got 1"),
        (np.arange(5), "shape"),
        (np.float64(3), "shape"),
        (np.zeros((2, 2, 2)), "shape"),
        (np.zeros((2, 2, 3, 1)), "shape"),
        (np.zeros((0, 3)), "1 to 256 pixels"),
        (np.zeros((257, 3)), "1 to 256 pixels"),
        ([[0.0, np.nan]], "finite"),
        ([[0.0, np.inf]], "finite"),
        ([[0.0, 1.5]], r"\[0, 1\], got 0 to 1.5"),
        ([[[0, 0, 256], [0, 0, 0]]], r"\[0, 255\], got 0 to 256"),
        ([[[0, 0, -1], [0, 0, 0]]], r"\[0, 255\], got -1 to 0"),
        ([["a", "b"]], "whole or real numbers"),
        ([[1j, 0]], "whole or real numbers"),
        ([[None, 1]], "whole or real numbers"),
        ([[1, 2], [3]], "rectangle"),
    ],
)
def test_what_is_no_small_picture_is_refused(pixels, complaint):
    with pytest.raises(ConfigError, match=rf"picture.* must .*{complaint}"):
        load_picture(pixels)


@pytest.mark.parametrize("name", ["missing.png", "missing.npy", "text.png", "text.npy"])
def test_an_unreadable_file_is_refused_by_name(tmp_path, name):
    if name.startswith("text"):
        (tmp_path / name).write_text("no picture")
    with pytest.raises(ConfigError, match=f"readable image or .npy file, got .*{name}"):
        load_picture(tmp_path / name)


def test_pickled_arrays_are_refused(tmp_path):
    np.save(tmp_path / "objects.npy", np.array([[None, 1]]), allow_pickle=True)
    with pytest.raises(ConfigError, match="readable image"):
        load_picture(tmp_path / "objects.npy")


@given(arrays(np.uint8, st.tuples(st.integers(1, 8), st.integers(1, 8), st.just(3))))
def test_classes_and_palette_restore_any_image(pixels):
    if len(np.unique(pixels.reshape(-1, 3), axis=0)) < 2:
        with pytest.raises(ConfigError, match="colours, got 1"):
            load_picture(pixels)
    else:
        np.testing.assert_array_equal(load_picture(pixels).rgb(), pixels)
