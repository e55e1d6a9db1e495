"""The pocket edition's pixels on random pictures: what is resized is OpenCV's, all else within one level of 256; its
numbers are within the effect of one level."""

from __future__ import annotations

import base64
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Browser, Page, Route

from vision.pixels.server import crops as server_crops
from vision.pixels.server import light, patches, planes, sharpness, shrinking
from vision.pixels.values import Cut
from vision.reading.sharpened import taken_back
from vision.tileset.features import COMPARED, MOVES, SHAPES

ROOT = "http://pixels.test/"
SITE = Path(__file__).parents[3] / "pocket/site"
Pixels = NDArray[np.uint8]
RUN = """async ([code, given]) => {
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const picture = ([height, width, text]) => ({ width, height, data: bytes(text) });
  const cut = ([count, side, , text]) => ({ count, side, data: bytes(text) });
  const pixels = await import("/pixels.js");
  const made = await eval(code)(pixels, given, picture, cut);
  return JSON.parse(JSON.stringify(made, (_, value) => (ArrayBuffer.isView(value) ? [...value] : value)));
}"""


@pytest.fixture(scope="module")
def blank(browser: Browser) -> Iterator[Page]:
    """A blank page that can import the pocket edition's scripts."""

    def file(route: Route) -> None:
        path = SITE / route.request.url.removeprefix(ROOT)
        if path.suffix == ".js" and path.is_file():
            route.fulfill(body=path.read_bytes(), content_type="text/javascript")
        else:
            route.fulfill(body="<!doctype html><title>blank</title>", content_type="text/html")

    context = browser.new_context()
    context.route(f"{ROOT}**", file)
    page = context.new_page()
    page.goto(ROOT)
    yield page
    context.close()


def told(values: NDArray[np.uint8]) -> list[Any]:
    """A picture or crops as the page takes them."""
    return [*values.shape[: values.ndim - 1], base64.b64encode(np.ascontiguousarray(values).tobytes()).decode()]


def ran(page: Page, code: str, *given: Any) -> Any:
    """The result of a function of pixels.js."""
    return page.evaluate(RUN, [f"(pixels, given, picture, cut) => {code}", list(given)])


def random_picture(seed: int, height: int, width: int) -> Pixels:
    """Smooth shapes with noise on them: photos are neither flat nor all noise."""
    chosen = np.random.default_rng(seed)
    coarse = chosen.integers(0, 256, (height // 7 + 2, width // 7 + 2, 3))
    picture = np.kron(coarse, np.ones((7, 7, 1)))[:height, :width] + chosen.normal(0, 20, (height, width, 3))
    return picture.clip(0, 255).astype(np.uint8)


SIZES = [(97, 131, 64), (97, 131, 160), (128, 256, 64), (96, 64, 32), (61, 47, 96), (300, 41, 96)]


@pytest.mark.parametrize(("height", "width", "size"), SIZES)
def test_the_input_of_a_detector(blank: Page, height: int, width: int, size: int) -> None:
    picture = random_picture(1, height, width)
    wanted, scale, margin = server_crops.letterbox(picture, size)
    made = ran(blank, "pixels.letterbox(picture(given[0]), given[1])", told(picture), size)
    assert made["dims"] == list(wanted.shape)
    assert made["scale"] == scale
    assert (made["left"], made["top"]) == margin
    assert np.array_equal(np.array(made["values"], np.float32).reshape(wanted.shape), wanted)


BOXES = [[10.2, 20.7, 44.1, 61.0], [-6, -9, 20, 18.5], [80, 70, 140.3, 120], [30, 30, 36, 38], [0, 0, 131, 97]]


@pytest.mark.parametrize("side", [64, 96, 33])
def test_windows_round_boxes_some_over_the_edge(blank: Page, side: int) -> None:
    picture, boxes = random_picture(2, 97, 131), np.array(BOXES, dtype=np.float64)
    wanted = server_crops.crops(picture, boxes, side, 0.08)
    flat = boxes.reshape(-1).tolist()
    made = ran(blank, "pixels.crops(picture(given[0]), ...given[1])", told(picture), [flat, side, 0.08])
    assert (made["count"], made["side"]) == (len(boxes), side)
    assert np.array_equal(np.array(made["data"]).reshape(wanted.shape), wanted)


@pytest.mark.parametrize("side", [64, 96, 128, 150])
def test_crops_at_another_size(blank: Page, side: int) -> None:
    crops = np.stack([random_picture(seed, 128, 128) for seed in range(3)])
    wanted = server_crops.resized(crops, side)
    made = ran(blank, "pixels.resized(cut(given[0]), given[1])", told(crops), side)
    assert np.array_equal(np.array(made["data"]).reshape(wanted.shape), wanted)


def test_crops_without_their_colours(blank: Page) -> None:
    crops = np.stack([random_picture(seed, 64, 64) for seed in range(2)])
    made = ran(blank, "pixels.grey(cut(given[0]))", told(crops))
    assert np.abs(np.array(made["data"]).reshape(crops.shape) - server_crops.grey(crops).astype(int)).max() <= 1


def test_crops_in_four_turns(blank: Page) -> None:
    crops = np.stack([random_picture(seed, 16, 16) for seed in range(2)])
    values = crops.transpose(0, 3, 1, 2).astype(np.float32) / 255
    wanted = np.concatenate([np.rot90(values, quarter, (2, 3)) for quarter in (0, 1, 2, 3)])
    made = ran(blank, "pixels.turned(cut(given[0]), [0, 1, 2, 3])", told(crops))
    assert np.array_equal(np.array(made, np.float32).reshape(wanted.shape), wanted)


def test_a_rectangle_cut_out(blank: Page) -> None:
    picture = random_picture(4, 40, 50)
    made = ran(blank, "pixels.cut(picture(given[0]), 7, 9, 31, 22)", told(picture))
    assert np.array_equal(np.array(made["data"]).reshape(13, 24, 3), picture[9:22, 7:31])


@pytest.mark.parametrize(("degrees", "stretch"), [(30, 1.0), (45, 1.0), (-67, 1.0), (0, 2.6), (20, 1.9)])
def test_a_picture_laid_otherwise(blank: Page, degrees: float, stretch: float) -> None:
    picture = random_picture(8, 80, 110)
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    matrix = np.array([[cos, sin * stretch, 20.3], [-sin, cos * stretch, 60.7]])
    wanted = planes.turned(picture, matrix, (120, 130))
    flat = matrix.reshape(-1).tolist()
    made = ran(blank, "pixels.laid(picture(given[0]), given[1], 120, 130)", told(picture), flat)
    assert np.abs(np.array(made["data"]).reshape(wanted.shape) - wanted.astype(int)).max() <= 1


@pytest.mark.parametrize("places", [[], [(3, 4, 30, 20), (50, 10, 131, 60), (100, 80, 140, 120)]])
@pytest.mark.parametrize("percentile", [97, 90, 50])
def test_what_is_white(blank: Page, places: list[tuple[int, int, int, int]], percentile: float) -> None:
    picture = random_picture(5, 97, 131)
    wanted = light.whites(picture, percentile, 2, places)
    flat = [value for place in places for value in place]
    made = ran(blank, "pixels.whites(picture(given[0]), given[1], 2, given[2])", told(picture), percentile, flat)
    assert made == pytest.approx(wanted.tolist(), abs=1e-9)


def test_white_light(blank: Page) -> None:
    picture, gain = random_picture(6, 30, 40), np.array([1.0, 3.7, 1.25])
    made = ran(blank, "pixels.raised(picture(given[0]), given[1])", told(picture), gain.tolist())
    assert np.array_equal(np.array(made["data"]).reshape(picture.shape), light.raised(picture, gain))


@pytest.mark.parametrize("box", [(10, 10, 90, 95), (0, 0, 131, 97), (20, 30, 44, 61), (5, 5, 125, 30), (3, 3, 6, 6)])
def test_how_clearly_a_tile_is_seen(blank: Page, box: tuple[int, int, int, int]) -> None:
    picture = np.minimum(random_picture(7, 97, 131).astype(int) + 40, 255).astype(np.uint8)
    wanted = light.face(picture, box, 48, 250)
    made = ran(blank, "pixels.face(picture(given[0]), given[1], 48, 250)", told(picture), list(box))
    assert made["burnt"] == wanted.burnt
    for name in ("bright", "low", "high"):
        assert made[name] == pytest.approx(getattr(wanted, name), abs=1)
    assert made["steepest"] == pytest.approx(wanted.steepest, abs=4, rel=0.02)


@pytest.mark.parametrize(("share", "sigma"), [(1.0, 0.5), (1.0, 1.7), (0.61, 1.28)])
def test_how_steeply_light_changes(blank: Page, share: float, sigma: float) -> None:
    picture, boxes = random_picture(7, 97, 131), [(10, 10, 90, 95), (0, 0, 131, 97), (5, 5, 125, 30)]
    wanted = sharpness.steepness(picture, boxes, share, sigma)
    flat = [value for box in boxes for value in box]
    code = "pixels.steepness(picture(given[0]), given[1], given[2], given[3])"
    made = ran(blank, code, told(picture), flat, share, sigma)
    scale = np.abs(wanted).max(axis=1, keepdims=True)
    assert np.abs(np.array(made).reshape(2, 3) - wanted).max() / scale.min() < 0.01


@pytest.mark.parametrize("sigma", [0.8, 2.56])
def test_light_taken_back_from_a_spot(blank: Page, sigma: float) -> None:
    picture = random_picture(10, 61, 83)
    wanted = sharpness.focused(picture, sigma)
    made = ran(blank, "pixels.focused(picture(given[0]), given[1])", told(picture), sigma)
    assert np.abs(np.array(made["data"]).reshape(wanted.shape) - wanted.astype(int)).max() <= 1


def test_a_picture_made_smaller(blank: Page) -> None:
    picture = random_picture(11, 97, 131)
    wanted = shrinking.shrunk(picture, 83, 61)
    made = ran(blank, "pixels.smaller(picture(given[0]), 83, 61)", told(picture))
    assert np.abs(np.array(made["data"]).reshape(wanted.shape) - wanted.astype(int)).max() <= 1


@pytest.mark.parametrize(("direction", "length"), [(0.0, 4.0), (0.7, 6.4), (2.5, 15.0)])
def test_light_gathered_from_a_line(blank: Page, direction: float, length: float) -> None:
    picture, taps = random_picture(9, 61, 83), taken_back(direction, length)
    wanted = sharpness.gathered(picture, taps)
    flat = [value for tap in taps for value in tap]
    made = ran(blank, "pixels.gathered(picture(given[0]), given[1])", told(picture), flat)
    assert np.abs(np.array(made["data"]).reshape(wanted.shape) - wanted.astype(int)).max() <= 1


def test_patches_of_a_tile_set_are_as_like_each_other(blank: Page) -> None:
    """The same tile turned and a little brighter, and strangers: how like they are is what reading goes by."""
    crops = np.stack([random_picture(seed, 128, 128) for seed in range(3)])
    seen = np.stack([np.rot90(crops[1]), np.minimum(crops[2].astype(int) + 25, 255).astype(np.uint8)])
    part = Cut(*COMPARED)
    wanted = patches.nearest(patches.moved_patches(seen, part, MOVES), patches.shaped_patches(crops, part, SHAPES))
    tiles, references = (
        "pixels.moved(cut(given[0]), given[2], given[3])",
        "pixels.shaped(cut(given[1]), given[2], given[4])",
    )
    code = f"pixels.nearest({tiles}, {references})"
    made = ran(blank, code, told(seen), told(crops), part._asdict(), MOVES, [list(shape) for shape in SHAPES])
    found = np.array(made).reshape(wanted.shape)
    assert np.abs(found - wanted).max() < 0.02
    assert found.max(axis=1).argmax(axis=1).tolist() == [1, 2]
    assert found.max() > 0.9


@pytest.mark.parametrize("optimize", [False, True])
def test_a_png_of_a_tile_set(blank: Page, optimize: bool) -> None:
    import zlib

    from vision.pixels.server.encoding import png

    picture = random_picture(8, 64, 64)
    file = png(picture, small=optimize)
    start = file.index(b"IDAT") + 4
    raw = np.frombuffer(zlib.decompress(file[start:]), np.uint8)
    made = ran(
        blank, "pixels.unfiltered(picture([1, 1, given[0]]).data, 64, 64)", base64.b64encode(raw.tobytes()).decode()
    )
    assert np.array_equal(np.array(made["data"]).reshape(picture.shape), picture)
