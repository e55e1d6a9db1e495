"""取捨: one probability for each box, from detector, classifier and neighbours."""

from __future__ import annotations

import numpy as np
import pytest

from vision.detection.confidence import EVIDENCE, Named, evidence, name_boxes, weigh
from vision.detection.detector import agree
from vision.detection.filtering import SHAPED, believe, choose
from vision.detection.types import Found
from vision.models.manifest import CLASSES, NONE, Confidence
from vision.photo.image import Photo

PHOTO = Photo(np.zeros((300, 600, 3), np.uint8), (1200, 600))
CODES = (*CLASSES, NONE)


def found(*boxes: tuple[float, float, float, float], scores: tuple[float, ...] = (), least: float = 0.0) -> Found:
    n = len(boxes)
    said = np.array(scores or (0.9,) * n)
    return Found(np.array(boxes, np.float64).reshape(-1, 4), said, None, np.full(n, least))


def row_of(**shares: float) -> np.ndarray:
    """Probabilities (44,): the shares named (``_1m`` for 1m), the rest spread thin."""
    row = np.full(len(CODES), (1 - sum(shares.values())) / len(CODES))
    for code, share in shares.items():
        row[CODES.index(code.strip("_"))] += share
    return row


def column(name: str, seen: Found, rows: list[np.ndarray]) -> list[float]:
    named = name_boxes(np.array(rows))
    columns = evidence(seen, named, np.array(rows)[:, len(CLASSES)], (300, 600))
    return [round(float(value), 2) for value in columns[:, EVIDENCE.index(name)]]


TILE = (0.0, 100.0, 30.0, 140.0)


def beside(n: int, x: float = 31) -> tuple[float, float, float, float]:
    return (TILE[0] + n * x, TILE[1], TILE[2] + n * x, TILE[3])


SURE = row_of(_1m=0.98)


def test_evidence_of_neighbours() -> None:
    seen = found(TILE, beside(1), beside(2), (300, 10, 330, 50))
    assert column("neighbour", seen, [SURE] * 4) == [1, 1, 1, 0]
    assert column("neighbours", seen, [SURE] * 4) == [0, 1, 0, 0]
    assert column("row", seen, [SURE] * 4) == [1.1, 1.1, 1.1, 0]
    assert column("alone", seen, [SURE] * 4) == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("box", "lies_beside"),
    [
        pytest.param((31, 100, 61, 140), 1, id="beside"),
        pytest.param((0, 142, 30, 182), 1, id="below"),
        pytest.param((200, 100, 230, 140), 0, id="far away"),
        pytest.param((31, 100, 46, 120), 0, id="too small"),
        pytest.param((31, 100, 91, 140), 0, id="too wide"),
        pytest.param((10, 100, 40, 140), 0, id="on top"),
    ],
)
def test_what_is_a_neighbour(box: tuple[float, float, float, float], lies_beside: int) -> None:
    assert column("neighbour", found(TILE, box), [SURE, row_of(_2m=0.9)])[1] == lies_beside


def test_a_doubtful_tile_vouches_for_nothing() -> None:
    assert column("neighbour", found(TILE, beside(1)), [row_of(_1m=0.4), SURE])[1] == 0


def test_a_box_over_two_others_and_one_inside_another() -> None:
    seen = found(TILE, beside(1), (0, 100, 61, 140), (5, 110, 25, 130))
    assert column("holds_two", seen, [SURE] * 4) == [0, 0, 1, 0]
    doubtful = row_of(_1m=0.6)
    assert column("inside", seen, [SURE, SURE, doubtful, doubtful])[3] == 0.55


def test_flowers_count_together_and_the_name_apart() -> None:
    named = name_boxes(np.array([row_of(_4f=0.4, _1f=0.3), row_of(_1s=0.5, _1f=0.3), row_of(back=0.97)]))
    assert [CLASSES[code] for code in named.codes] == ["4f", "1s", "back"]
    assert named.kind[0] == pytest.approx(0.75, abs=0.01)
    assert named.name[0] == pytest.approx(0.55, abs=0.02)
    assert named.name[1] == 1.0


def test_no_boxes_no_evidence() -> None:
    nothing = evidence(found(), Named(np.zeros(0, np.intp), np.zeros(0), np.zeros(0)), np.zeros(0), (10, 10))
    assert nothing.shape == (0, len(EVIDENCE))
    assert believe(PHOTO, found(), np.zeros((0, 44)), Confidence({}, 0.0, 0.4)) == ()
    assert len(agree([(np.zeros((0, 4)), np.zeros((0, 1)))] * 2, 0.5)) == 0


def test_weights_make_one_probability() -> None:
    columns = np.zeros((2, len(EVIDENCE)))
    columns[1, EVIDENCE.index("detector")] = 2.0
    assert weigh(columns, Confidence({"detector": 1.0}, -1.0, 0.4)).round(3).tolist() == [0.269, 0.731]


def test_the_surest_of_boxes_over_each_other_is_kept() -> None:
    boxes = np.array([TILE, (2, 102, 28, 139), beside(1)])
    assert choose(boxes, np.array([0.7, 0.9, 0.45]), 0.4).tolist() == [1, 2]
    assert choose(boxes, np.array([0.7, 0.9, 0.35]), 0.4).tolist() == [1]


def test_believed_tiles_lie_in_pixels_of_the_full_photo_and_tell_other_names() -> None:
    confidence = Confidence({"kind": 1.0}, 1.0, 0.4)
    rows = np.array([row_of(_4f=0.5, _1f=0.4), row_of(none=0.9)])
    (tile,) = believe(PHOTO, found(TILE, beside(3)), rows, Confidence({"kind": 3.0}, 0.5, 0.4))
    assert tile.confidence > 0.45
    (tile,) = believe(PHOTO, found(TILE), rows[:1], confidence)
    assert (tile.tile, tile.box) == ("4f", (0.0, 200.0, 60.0, 280.0))
    assert 0.4 < tile.confidence < 0.6
    assert tile.others[0][0] == "1f"
    assert tile.confidence + sum(share for _, share in tile.others) <= 1.0001


@pytest.mark.parametrize(("by_set", "sure"), [(False, 0.94), (True, 0.75)])
def test_what_a_set_decided_is_no_surer_than_the_set(by_set: bool, sure: float) -> None:
    (tile,) = believe(
        PHOTO, found(TILE), np.array([row_of(_4f=0.75)]), Confidence({}, 5.0, 0.4), by_set=np.array([by_set])
    )
    assert tile.confidence == pytest.approx(sure, abs=0.02)


def test_two_input_sizes_make_one_box() -> None:
    small = np.array([[0.0, 0, 20, 40], [100, 0, 120, 40]]), np.array([[0.9], [0.3]])
    large = np.array([[2.0, 0, 22, 40]]), np.array([[0.6]])
    seen = agree([small, large], 0.5)
    assert seen.boxes.round(2).tolist() == [[0.8, 0.0, 20.8, 40.0], [100.0, 0.0, 120.0, 40.0]]
    assert seen.scores.tolist() == [0.9, 0.3]
    assert seen.least is not None
    assert seen.least.tolist() == [0.6, 0.0]


def test_what_is_shaped_like_a_tile_is_shown_though_nobody_can_read_it() -> None:
    """A clear name, a tile of unknown art, a thing that is not a tile, and a second box of the first tile."""
    confidence = Confidence({"kind": 1.0, "detector": 0.3}, -0.5, 0.4)
    rows = np.array([row_of(_2m=0.99), row_of(_1p=0.2, _5z=0.15), row_of(none=0.98), row_of(_2m=0.3)])
    nearly_the_first = (2, 102, 29, 139)
    first, second = believe(PHOTO, found(TILE, beside(1), beside(3), nearly_the_first), rows, confidence)
    assert (first.tile, first.unread) == ("2m", False)
    assert (second.tile, second.unread, second.box[0]) == ("1p", True, 2 * beside(1)[0])
    assert second.shaped > SHAPED > second.confidence


@pytest.mark.parametrize(("none", "unread"), [(0.3, True), (0.02, False)])
def test_a_set_names_a_box_but_makes_no_tile_of_it(none: float, unread: bool) -> None:
    """The set knows the face of an unbelievable box: it counts only on a sure tile."""
    without = np.array([row_of(none=none, _1p=0.2)])
    known = np.array([row_of(_7z=0.95)])
    confidence = Confidence({"kind": 1.0}, 0.0, 0.45)
    (tile,) = believe(PHOTO, found(TILE), known, confidence, by_set=np.array([True]), without_set=without)
    assert (tile.tile, tile.unread) == ("7z", unread)
