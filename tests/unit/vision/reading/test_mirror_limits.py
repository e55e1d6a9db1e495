"""鏡像: how many tiles, and how sure, say that a photo is mirrored."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from vision.detection.types import SURE, Detection
from vision.models.manifest import CLASSES
from vision.photo.image import Photo
from vision.reading.joining import CONTRADICTED
from vision.reading.mirror import CLEAR, MOST, WORSE, Mirror, doubted, flip, flipped_back, mirror

PHOTO = Photo(np.full((300, 1600, 3), 90, np.uint8), (1600, 300))


class Answers:
    """A classifier with one answer for each tile that it is asked about, as (name, probability); the last repeats."""

    def __init__(self, *answers: tuple[str, float]) -> None:
        self.answers = answers
        self.asked = 0

    def read(self, pixels: np.ndarray, boxes: np.ndarray) -> np.ndarray:
        self.asked = len(boxes)
        table = np.zeros((len(boxes), len(CLASSES) + 1))
        for at in range(len(boxes)):
            name, share = self.answers[min(at, len(self.answers) - 1)]
            table[at, CLASSES.index(name)] = share
        table[:, len(CLASSES)] = 2.0  # the background's share names no tile
        return table


def row(*tiles: tuple[str, float], unread: Sequence[int] = ()) -> list[Detection]:
    return [
        Detection(code, (40.0 * at, 100.0, 40.0 * at + 38, 150.0), sure, unread=at in unread)
        for at, (code, sure) in enumerate(tiles)
    ]


DOUBTFUL, CERTAIN = ("5m", 0.5), ("5m", 0.95)


@pytest.mark.parametrize(
    ("clear", "doubtful", "mirrored"),
    [(1, 2, False), (2, 2, True), (2, 3, True), (2, 4, False), (3, 4, True), (3, 6, False), (4, 6, True)],
)
def test_most_of_the_doubtful_tiles_must_be_clear_flipped(clear: int, doubtful: int, mirrored: bool) -> None:
    answers = [("5m", CLEAR)] * clear + [("5m", CLEAR - 0.01)] * (doubtful - clear)
    assert mirror(PHOTO, row(*[DOUBTFUL] * doubtful), Answers(*answers)).mirrored is mirrored


@pytest.mark.parametrize(
    ("confidence", "unread", "looked_at"), [(SURE - 0.01, (), 2), (SURE, (), 0), (SURE, (0, 1), 2)]
)
def test_doubtful_is_what_is_not_sure_or_not_read(confidence: float, unread: tuple[int, ...], looked_at: int) -> None:
    answers = Answers(("5m", 0.95))
    assert mirror(PHOTO, row(("5m", confidence), ("7p", confidence), unread=unread), answers).mirrored is bool(
        looked_at
    )
    assert answers.asked == looked_at


@pytest.mark.parametrize(
    ("against", "mirrored"),
    [([0.6] * 5, True), ([WORSE] * 5, True), ([WORSE - 0.01, 0.9], True), ([WORSE - 0.01] * 2, False)],
    ids=["none", "at the threshold", "one of two", "as many as half"],
)
def test_sure_tiles_that_are_worse_flipped_speak_against_it(against: list[float], mirrored: bool) -> None:
    seen = row(*[DOUBTFUL] * 4, *[CERTAIN] * len(against))
    answers = Answers(*[("5m", 0.95)] * 4, *(("5m", share) for share in against))
    assert mirror(PHOTO, seen, answers).mirrored is mirrored
    assert answers.asked == 4 + len(against)


@pytest.mark.parametrize(("confidence", "asked"), [(CLEAR, 3), (CLEAR - 0.01, 2)])
def test_only_clear_names_are_asked_about(confidence: float, asked: int) -> None:
    answers = Answers(("5m", 0.95))
    mirror(PHOTO, row(DOUBTFUL, DOUBTFUL, ("5m", confidence), ("1s", 0.99)), answers)
    assert answers.asked == asked


def test_twelve_tiles_of_each_kind_are_looked_at() -> None:
    answers = Answers(("5m", 0.95))
    mirror(PHOTO, row(*[DOUBTFUL] * 14, *[CERTAIN] * 14), answers)
    assert answers.asked == 2 * MOST
    mirror(PHOTO, row(*[("8m", 0.95)] * 14), answers)
    assert answers.asked == MOST, "names that a mirror gives"


@pytest.mark.parametrize(("doubtful", "asked"), [(1, 1), (2, 4)])
def test_one_doubtful_tile_is_not_looked_at(doubtful: int, asked: int) -> None:
    """A tile whose name a mirror gives is looked at all the same, without the clear ones."""
    answers = Answers(("5m", 0.95))
    mirror(PHOTO, row(*[DOUBTFUL] * doubtful, CERTAIN, ("8m", 0.85)), answers)
    assert answers.asked == asked


def test_a_doubtful_tile_is_no_suspect_too() -> None:
    seen = row(("8m", 0.5), ("8m", 0.5))
    answers = Answers(("2m", 0.95))
    assert mirror(PHOTO, seen, answers) == Mirror(True, ())
    assert answers.asked == 2
    by_set = [Detection("8m", tile.box, 0.95, by="set") for tile in seen]
    assert mirror(PHOTO, by_set, answers) == Mirror()
    assert mirror(PHOTO, row(("8m", 0.95), unread=(0,)), answers) == Mirror()


@pytest.mark.parametrize(
    ("share", "against", "mirrored"), [(CLEAR, 0.95, True), (CLEAR - 0.01, 0.95, False), (CLEAR, WORSE - 0.01, False)]
)
def test_a_taken_tile_speaks_alone_unless_another_speaks_against_it(
    share: float, against: float, mirrored: bool
) -> None:
    """Two doubtful tiles stay unclear flipped, so that they say nothing."""
    seen = row(DOUBTFUL, DOUBTFUL, CERTAIN, ("8m", 0.95))
    answer = mirror(PHOTO, seen, Answers(("5m", 0.6), ("5m", 0.6), ("5m", against), ("2m", share)))
    assert answer == Mirror(mirrored, (seen[3],))


def test_a_doubted_name_is_less_than_sure() -> None:
    assert doubted(Detection("1m", (0, 0, 1, 1), 0.95)).confidence == CONTRADICTED
    assert doubted(Detection("1m", (0, 0, 1, 1), 0.4)).confidence == 0.4


def test_a_flipped_photo_keeps_its_size_and_tiles_their_places() -> None:
    pixels = np.arange(2 * 4 * 3, dtype=np.uint8).reshape(2, 4, 3)
    flipped = flip(Photo(pixels, (40, 20)))
    assert (flipped.size, flipped.pixels.tolist()) == ((40, 20), pixels[:, ::-1].tolist())
    (tile,) = flipped_back(Photo(pixels, (40, 20)), [Detection("1m", (1.0, 2.0, 5.0, 9.0))])
    assert (tile.box, tile.by) == ((35.0, 2.0, 39.0, 9.0), "mirror")
