"""合看: two readings of one photo, at both sides of each threshold."""

from __future__ import annotations

import pytest

from vision.detection.types import DOUBTFUL, SURE, Detection
from vision.reading.joining import CONTRADICTED, joined


def tile(code: str, x: float, confidence: float = 0.95, *, unread: bool = False, shaped: float = 1.0) -> Detection:
    """A tile of 30 x 40 pixels whose middle is at ``x``."""
    return Detection(code, (x - 15, 0.0, x + 15, 40.0), confidence, unread=unread, shaped=shaped)


def row(count: int, confidence: float = 0.95) -> list[Detection]:
    return [tile("1m", 50.0 * at, confidence) for at in range(count)]


@pytest.mark.parametrize(("sure", "counts"), [(10, True), (8, True), (7, False), (0, False)])
def test_the_second_reading_counts_if_it_is_sure_of_four_fifths(sure: int, counts: bool) -> None:
    second = [*row(sure), *(tile("1m", 50.0 * at, SURE - 0.01) for at in range(sure, 10))]
    assert (joined(row(10, SURE), second) is not None) is counts


def test_tiles_that_were_not_read_are_not_sure() -> None:
    hidden = [tile("1m", 50.0 * at, 0.95, unread=True) for at in range(10)]
    assert joined(row(10), hidden) is None
    assert joined(hidden, row(1)) is not None


def test_nothing_seen_again_is_no_reading_and_anything_is_better_than_nothing() -> None:
    assert joined((), ()) is None
    assert joined(row(1), ()) is None
    assert joined((), row(2)) == tuple(row(2))


@pytest.mark.parametrize(("apart", "same"), [(0.0, True), (-10.0, True), (16.0, True), (16.5, False), (-16.5, False)])
def test_two_boxes_are_of_one_tile_within_two_fifths_of_its_length(apart: float, same: bool) -> None:
    read = joined([tile("1m", 100)], [tile("2m", 100 + apart)])
    assert read is not None
    assert [(one.tile, one.unread) for one in read] == [("2m", False), *([] if same else [("1m", True)])]
    assert read[0].center[0] == 100 + apart / (2 if same else 1)


def test_the_mean_is_of_the_nearest_box() -> None:
    read = joined([tile("1m", 100, 0.7), tile("2m", 112)], [tile("2m", 108)])
    assert read == (tile("2m", 110),)


def test_the_mean_of_each_side() -> None:
    (read,) = joined([Detection("1m", (0.0, 0.0, 30.0, 40.0))], [Detection("1m", (4.0, 2.0, 38.0, 50.0))]) or ()
    assert read.box == (2.0, 1.0, 34.0, 45.0)


@pytest.mark.parametrize(
    ("before", "name", "confidence", "after"),
    [
        (tile("1m", 100, SURE), "2m", 0.95, CONTRADICTED),
        (tile("1m", 100, SURE), "2m", 0.65, 0.65),
        (tile("1m", 100, SURE), "1m", 0.95, 0.95),
        (tile("1m", 100, SURE - 0.01), "2m", 0.95, 0.95),
        (tile("1m", 100, SURE, unread=True), "2m", 0.95, 0.95),
    ],
    ids=["contradicts", "unsure anyway", "the same name", "was not sure", "was not read"],
)
def test_boxes_of_the_wrong_shape_are_replaced_and_contradicted_names_doubted(
    before: Detection, name: str, confidence: float, after: float
) -> None:
    others = [tile("9s", 500.0 + 50 * at) for at in range(5)]
    read = joined([before, *others], [tile(name, 104, confidence), *others], truer=True)
    assert read is not None
    assert read[0] == tile(name, 104, after)
    assert read[1:] == tuple(others)


@pytest.mark.parametrize(("confidence", "read"), [(DOUBTFUL, True), (DOUBTFUL - 0.01, False)])
def test_a_doubtful_tile_of_the_second_reading_alone_is_not_read(confidence: float, read: bool) -> None:
    answer = joined(row(1), [tile("3m", 300, confidence), *row(1)])
    new = tile("3m", 300, confidence, unread=not read, shaped=1.0 if read else confidence)
    assert answer == ((new, *row(1)) if read else (*row(1), new))


def test_what_the_second_reading_did_not_read_keeps_how_likely_it_is_a_tile() -> None:
    hidden = tile("3m", 300, 0.3, unread=True, shaped=0.9)
    assert joined(row(1), [hidden, *row(1)]) == (*row(1), hidden)
    beside = tile("3m", 0, 0.3, unread=True, shaped=0.9)
    assert joined(row(2), [beside, tile("1m", 50), tile("1m", 100)]) == (tile("1m", 50), tile("1m", 100), beside)


@pytest.mark.parametrize(
    ("lost", "shown"),
    [(tile("5z", 300, SURE), True), (tile("5z", 300, SURE - 0.01), False), (tile("5z", 300, unread=True), False)],
    ids=["sure", "not sure", "not read"],
)
def test_only_a_sure_tile_of_the_first_reading_stays_as_unread(lost: Detection, shown: bool) -> None:
    read = joined([*row(5), lost], row(5))
    assert read == (*row(5), *([tile("5z", 300, SURE, unread=True, shaped=SURE)] if shown else []))
