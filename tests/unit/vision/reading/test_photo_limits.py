"""照片好不好: each fault at both sides of its threshold, by the measured tiles."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from vision.detection.types import MIRRORED, SURE, Detection
from vision.layout.rows import table_of
from vision.photo.image import Photo
from vision.reading import quality
from vision.reading.checks import Check
from vision.reading.quality import (
    BLURRED_SHARPNESS,
    DARK,
    EDGE_SHARE,
    GLARE,
    LEAST_CONTRAST,
    MORE,
    SMALL_PIXELS,
    WHITE,
    TileQuality,
    at_edge,
    judge,
    measure,
)

PHOTO = Photo(np.full((400, 2000, 3), 128, np.uint8), (2000, 400))
GOOD = TileQuality(40.0, 200.0, 2.5, 0.0)


def row(names: str, confidence: float = 0.95) -> list[Detection]:
    return [
        Detection(name, (100.0 + 50 * at, 100.0, 148.0 + 50 * at, 164.0), confidence)
        for at, name in enumerate(names.split())
    ]


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The checks of tiles with these qualities, by key; the light of the photo is usual."""

    def judged(names: str, qualities: list[TileQuality | None], confidence: float = 0.95) -> dict[str, Check]:
        tiles = row(names, confidence)
        by_box = dict(zip((tile.box for tile in tiles), qualities, strict=True))
        monkeypatch.setattr(quality, "measure", lambda photo, tile: by_box[tile.box])
        monkeypatch.setattr(quality, "unusual_white", lambda pixels, boxes: None)
        return {check.message.key: check for check in judge(PHOTO, tiles)}

    return judged


def with_(**changed: float) -> TileQuality:
    return TileQuality(**{**{"side": 40.0, "light": 200.0, "sharp": 2.5, "burnt": 0.0}, **changed})


@pytest.mark.parametrize(
    ("fault", "key"),
    [
        (with_(light=DARK), None),
        (with_(light=DARK - 0.1), "quality_dark"),
        (with_(side=SMALL_PIXELS), None),
        (with_(side=SMALL_PIXELS - 0.1), "quality_small"),
        (with_(sharp=BLURRED_SHARPNESS), None),
        (with_(sharp=BLURRED_SHARPNESS - 0.01), "quality_blurred"),
        (with_(side=SMALL_PIXELS - 0.1, sharp=0.5), "quality_small"),
    ],
    ids=["light", "dark", "large", "small", "sharp", "blurred", "small, so blurred"],
)
def test_a_fault_of_the_photo_is_one_of_its_usual_tile(judged: Any, fault: TileQuality, key: str | None) -> None:
    found = judged("1m 2m 3m", [fault, GOOD, fault])
    assert list(found) == ([key] if key else [])
    if key:
        assert found[key].tiles == (0, 2)
        assert found[key].about == "photo"
        assert found[key].message.args["count"] == 2
    assert judged("1m 2m 3m", [fault, GOOD, GOOD]) == {}, "one tile alone says nothing of the photo"


def test_the_size_of_a_small_tile_is_told(judged: Any) -> None:
    assert judged("1m 2m 3m", [with_(side=14.6)] * 3)["quality_small"].message.args == {"count": 3, "pixels": 15}


@pytest.mark.parametrize(
    ("fault", "usual", "key"),
    [
        ({"light": DARK - 1}, {"light": DARK}, "quality_dark"),
        ({"side": SMALL_PIXELS - 1}, {"side": SMALL_PIXELS}, "quality_small"),
        ({"sharp": BLURRED_SHARPNESS - 0.1}, {"sharp": BLURRED_SHARPNESS}, "quality_blurred"),
    ],
)
def test_a_tile_at_the_threshold_has_no_fault(
    judged: Any, fault: dict[str, float], usual: dict[str, float], key: str
) -> None:
    assert judged("1m 2m 3m", [with_(**fault), with_(**usual), with_(**fault)])[key].tiles == (0, 2)


@pytest.mark.parametrize(("names", "blurred"), [("1m 2m 3m", True), ("1m 2m", False)])
def test_of_few_tiles_the_photo_is_not_judged(judged: Any, names: str, blurred: bool) -> None:
    assert ("quality_blurred" in judged(names, [with_(sharp=0.5)] * len(names.split()))) is blurred


@pytest.mark.parametrize("blank", ["back", "5z"])
def test_blank_tiles_tell_no_sharpness_and_no_size(judged: Any, blank: str) -> None:
    soft = with_(sharp=0.5, side=10)
    assert judged(f"1m {blank} {blank}", [GOOD, soft, soft]) == {}
    assert list(judged(f"{blank} {blank} {blank}", [soft] * 3)) == ["quality_small"], "if there are no others"
    dark = with_(light=10.0)
    assert list(judged(f"1m {blank} {blank}", [GOOD, dark, dark])) == ["quality_dark"]


def test_boxes_without_pixels_are_left_out(judged: Any) -> None:
    assert judged("1m 2m 3m 4m", [None, with_(sharp=0.5), GOOD, with_(sharp=0.5)])["quality_blurred"].tiles == (1, 3)
    assert judged("1m 2m 3m", [None, with_(sharp=0.5), with_(sharp=0.5)]) == {}


@pytest.mark.parametrize(
    ("name", "burnt", "rest", "confidence", "glares"),
    [
        ("1m", GLARE, 0.0, 0.7, False),
        ("1m", GLARE + 0.01, 0.0, 0.7, True),
        ("1m", 0.5, 0.5 - MORE, 0.7, False),
        ("1m", 0.5, 0.5 - MORE - 0.01, 0.7, True),
        ("1m", 0.9, 0.0, SURE, False),
        ("1m", 0.9, 0.0, SURE - 0.01, True),
        ("5z", 0.65, 0.65 - WHITE, 0.99, False),
        ("5z", 0.65, 0.64 - WHITE, 0.99, True),
    ],
    ids=["hardly", "burnt out", "like the others", "more than they", "seen", "not sure", "white", "whiter than white"],
)
def test_glare(judged: Any, name: str, burnt: float, rest: float, confidence: float, glares: bool) -> None:
    found = judged(f"2m {name} 3m", [with_(burnt=rest), with_(burnt=burnt), with_(burnt=rest)], confidence)
    assert list(found) == (["quality_glare"] if glares else [])
    if glares:
        assert (found["quality_glare"].tiles, found["quality_glare"].message.args) == ((1,), {"count": 1})


@pytest.mark.parametrize(
    ("white", "dark", "keys"),
    [
        ((200.0, 200.0, 200.0), False, []),
        ((60.0, 60.0, 60.0), False, ["quality_dim"]),
        ((60.0, 60.0, 60.0), True, ["quality_dark"]),
        ((220.0, 140.0, 90.0), False, ["quality_coloured"]),
        ((60.0, 30.0, 15.0), False, ["quality_dim", "quality_coloured"]),
        ((60.0, 30.0, 15.0), True, ["quality_dark", "quality_coloured"]),
    ],
    ids=["white", "dim", "dark", "coloured", "both", "dark and coloured"],
)
def test_light_that_was_corrected(
    monkeypatch: pytest.MonkeyPatch, white: tuple[float, float, float], dark: bool, keys: list[str]
) -> None:
    monkeypatch.setattr(quality, "unusual_white", lambda pixels, boxes: np.array(white))
    monkeypatch.setattr(quality, "measure", lambda photo, tile: with_(light=20.0 if dark else 200.0))
    found = judge(PHOTO, row("1m 2m 3m 4m"))
    assert [check.message.key for check in found] == keys
    assert {check.tiles for check in found} <= {(0, 1, 2, 3)}


def test_the_light_is_measured_at_the_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(quality, "unusual_white", lambda pixels, boxes: asked.append(boxes.tolist()))
    judge(Photo(PHOTO.pixels, (4000, 1600)), [Detection("1m", (400.0, 400.0, 480.0, 480.0))])
    assert asked == [[[200.0, 100.0, 240.0, 120.0]]]


def test_a_flipped_photo_says_so() -> None:
    tiles = [*row("1m"), Detection("2m", (300.0, 100.0, 348.0, 164.0), by=MIRRORED)]
    assert [(one.message.key, one.tiles) for one in judge(PHOTO, tiles)][:1] == [("quality_mirrored", (0, 1))]


@pytest.mark.parametrize(("count", "told"), [(6, True), (5, False)])
@pytest.mark.parametrize(("height", "low"), [(36.0, False), (35.0, True)])
def test_a_low_camera(monkeypatch: pytest.MonkeyPatch, count: int, told: bool, height: float, low: bool) -> None:
    """Faces of 45 pixels that are less than six tenths as high as from straight above."""
    monkeypatch.setattr(quality, "measure", lambda photo, tile: GOOD)
    tiles = [Detection("1m", (100.0 + 45 * at, 100.0, 145.0 + 45 * at, 100 + height)) for at in range(count)]
    centers = np.array([tile.center for tile in tiles])
    table = table_of(centers, np.full(count, 40.0), angle=0.0)
    keys = [check.message.key for check in judge(PHOTO, tiles, table)]
    assert keys == (["quality_slanting"] if told and low else [])
    assert judge(PHOTO, tiles) == (), "without rows nothing is told"


@pytest.mark.parametrize(
    ("box", "cut"),
    [
        ((4.0, 10.0, 60.0, 80.0), False),
        ((3.9, 10.0, 60.0, 80.0), True),
        ((100.0, 4.0, 160.0, 80.0), False),
        ((100.0, 3.9, 160.0, 80.0), True),
        ((1900.0, 10.0, 1996.0, 80.0), False),
        ((1900.0, 10.0, 1996.1, 80.0), True),
        ((100.0, 300.0, 160.0, 396.0), False),
        ((100.0, 300.0, 160.0, 396.1), True),
    ],
)
def test_a_tile_at_the_edge_may_be_cut_off(box: tuple[float, float, float, float], cut: bool) -> None:
    assert EDGE_SHARE * 2000 == 4
    assert at_edge(Detection("1m", box), (2000, 400)) is cut


@pytest.mark.parametrize(
    ("box", "measured"),
    [((10, 10, 13, 13), True), ((10, 10, 12, 40), False), ((10, 10, 40, 12), False), ((-20, -20, 3, 3), True)],
)
def test_three_pixels_are_measured(box: tuple[float, float, float, float], measured: bool) -> None:
    assert (measure(PHOTO, Detection("1m", box)) is not None) is measured


def test_the_side_of_a_tile_is_of_the_part_in_the_photo() -> None:
    tile = measure(Photo(PHOTO.pixels, (4000, 800)), Detection("1m", (3960.0, 760.0, 4100.0, 900.0)))
    assert tile is not None
    assert tile.side == pytest.approx(20)
    wide = measure(PHOTO, Detection("1m", (100.0, 100.0, 140.0, 190.0)))
    assert wide is not None
    assert wide.side == pytest.approx(60)


def test_a_tile_of_one_colour_is_measured_with_the_least_contrast(monkeypatch: pytest.MonkeyPatch) -> None:
    face = type("Face", (), {"bright": 99.0, "steepest": 16.0, "high": 100.0, "low": 96.0, "burnt": 0.5})
    monkeypatch.setattr("vision.reading.quality.sight.face", lambda *given: face)
    tile = measure(PHOTO, Detection("1m", (100.0, 100.0, 150.0, 150.0)))
    assert tile == TileQuality(50.0, 99.0, 16 / LEAST_CONTRAST, 0.5)
    face.low = 84.0  # type: ignore[attr-defined]
    tile = measure(PHOTO, Detection("1m", (100.0, 100.0, 150.0, 150.0)))
    assert tile is not None
    assert math.isclose(tile.sharp, 1.0)
