"""The threshold of confidence, measured on checked boxes; and positions that may miss a tile."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from tests.unit.vision.labelling.support.sets import photo_bytes
from vision.detection.types import Detection
from vision.labelling.labels import Box, Label
from vision.labelling.quality.calibration import (
    ENOUGH_BOXES,
    Judged,
    Line,
    judged,
    keep_line,
    kept_line,
    measured,
    pass_photo,
    passed_under,
    steady,
    to_look_again,
)
from vision.labelling.quality.missed import doubted, short_of_hand, spots
from vision.labelling.store import DatasetStore


def boxes(count: int, confidence: float, wrong: int = 0, flower: bool = False) -> list[Judged]:
    return [Judged(confidence, n >= wrong, flower) for n in range(count)]


@pytest.mark.parametrize(
    ("seen", "tile", "flower"),
    [
        pytest.param(boxes(ENOUGH_BOXES - 1, 0.9), 0.55, 0.55, id="too few: the model's own"),
        pytest.param(boxes(400, 0.9) + boxes(40, 0.62), 0.3, 0.3, id="none wrong: the lowest"),
        pytest.param(boxes(400, 0.9) + boxes(40, 0.62, wrong=5), 0.65, 0.55, id="wrong ones below 65%"),
        pytest.param(
            boxes(400, 0.9) + boxes(40, 0.62, wrong=5) + boxes(120, 0.45, flower=True), 0.65, 0.3, id="flowers apart"
        ),
        pytest.param(
            boxes(400, 0.9) + boxes(60, 0.45, flower=True), 0.3, 0.55, id="too few flowers to go below the model's own"
        ),
        pytest.param(boxes(400, 0.97, wrong=40), 0.95, 0.55, id="never sure"),
    ],
)
def test_the_line_lies_where_one_of_two_hundred_is_wrong(seen: list[Judged], tile: float, flower: float) -> None:
    line = measured(seen, 0.55)
    assert (line.tile, line.flower) == (tile, flower)


def test_what_a_person_made_of_the_models_boxes(tmp_path: Path) -> None:
    store = DatasetStore.create(tmp_path / "set")
    info, _ = store.add(photo_bytes(), "a.png")
    read = [
        Label(tile, Box(10 + 30 * n, 10, 35 + 30 * n, 50), "model", 0.5 + n / 10, id=f"b{n}")
        for n, tile in enumerate(("1m", "2m", "3f"))
    ]
    store.save(info.id, read, 0)
    renamed = Label("5m", read[1].box, "person", None, True, "b1")
    store.save(info.id, [dataclasses.replace(read[0], checked=True), renamed], 1)
    assert judged(store) == [Judged(0.5, True, False), Judged(0.6, False, False), Judged(0.7, False, True)]


def row(count: int, without: tuple[int, ...] = ()) -> list[Label]:
    return [Label("1m", Box(20 + 50 * n, 100, 66 + 50 * n, 160)) for n in range(count) if n not in without]


@pytest.mark.parametrize(
    ("labels", "gaps"),
    [
        pytest.param(row(8), [], id="none"),
        pytest.param(row(8, (3,)), [(193.0, 130.0)], id="one"),
        pytest.param(row(9, (3, 4)), [(193.0, 130.0), (243.0, 130.0)], id="two side by side"),
        pytest.param(row(10, (3, 4, 5)), [], id="room between groups"),
        pytest.param(row(2), [], id="no row"),
    ],
)
def test_holes_in_a_row(labels: list[Label], gaps: list[tuple[float, float]]) -> None:
    found = spots(labels, (700, 300))
    assert [spot.box.center for spot in found if spot.kind == "gap"] == gaps


def test_the_holes_of_a_slanting_row_are_found_too() -> None:
    slanting = [Label("1m", Box(20 + 48 * n, 100 + 14 * n, 66 + 48 * n, 160 + 14 * n)) for n in range(8) if n != 3]
    assert [spot.kind for spot in spots(slanting, (700, 400))].count("gap") == 1


def test_what_the_model_did_not_believe_is_perhaps_missed_where_no_label_lies() -> None:
    labels = row(5)
    seen = [
        Detection("2m", (20.0, 100.0, 66.0, 160.0), 0.9, (), 0.9),
        Detection("9p", (400.0, 100.0, 446.0, 160.0), 0.9, (), 0.3),
        Detection("9p", (500.0, 100.0, 546.0, 160.0), 0.5, (), 0.2),
        Detection("9p", (100.0, 200.0, 300.0, 290.0), 0.9, (), 0.9),
    ]
    assert [(missed.tile, missed.kind, missed.confidence) for missed in doubted(seen, labels)] == [("9p", "seen", 0.27)]


@pytest.mark.parametrize(
    ("faces", "backs", "short"),
    [
        (15, 1, False),
        (16, 0, True),
        (16, 1, True),
        (17, 0, False),
        pytest.param(16, 2, False, id="whole, with a kong of two face-down"),
        (15, 2, True),
        (15, 3, False),
        (14, 4, False),
    ],
)
def test_sixteen_tiles_are_one_short(faces: int, backs: int, short: bool) -> None:
    more = [Label("1f", Box(10, 10, 40, 50))] + [Label("back", Box(50, 10, 80, 50))] * backs
    assert short_of_hand(row(faces) + more) is short


@pytest.mark.parametrize(
    ("before", "fresh", "after"),
    [
        pytest.param(None, Line(0.5, 0.5, 300), (0.5, 0.5), id="measured for the first time"),
        pytest.param(Line(0.5, 0.5, 300), Line(0.3, 0.4, 400), (0.5, 0.5), id="it does not fall again"),
        pytest.param(Line(0.5, 0.5, 300), Line(0.7, 0.4, 400), (0.7, 0.5), id="mistakes raise it"),
        pytest.param(Line(0.5, 0.5, 300), Line(0.3, 0.4, 600), (0.3, 0.4), id="twice as much is known"),
        pytest.param(Line(0.5, 0.5, 300), Line(0.9, 0.9, 0), (0.5, 0.5), id="nothing was measured"),
    ],
)
def test_a_line_moves_once(before: Line | None, fresh: Line, after: tuple[float, float]) -> None:
    line = steady(before, fresh)
    assert (line.tile, line.flower) == after


def test_photos_passed_under_a_laxer_line_come_back(tmp_path: Path) -> None:
    store = DatasetStore.create(tmp_path / "set")
    ids = {}
    for n, (sure, origin) in enumerate([(0.6, "model"), (0.8, "model"), (0.4, "model"), (0.6, "person")]):
        info, _ = store.add(photo_bytes(n), f"{n}.png")
        store.save(info.id, [Label("1m", Box(10, 10, 40, 50), origin, sure, checked=True)], 0)  # type: ignore[arg-type]
        pass_photo(store, info.id, 0.5, 0.5)
        ids[n] = info.id
    assert to_look_again(store, Line(0.5, 0.5)) == frozenset()
    assert to_look_again(store, Line(0.7, 0.5)) == {ids[0]}, "0.8 is sure, 0.4 was looked at, a person said the last"
    pass_photo(store, ids[0], 0.7, 0.5)
    assert to_look_again(store, Line(0.7, 0.5)) == frozenset()
    assert passed_under(store, ids[0]) == (0.7, 0.5)


def test_the_line_is_kept_until_another_model_comes(tmp_path: Path) -> None:
    store = DatasetStore.create(tmp_path / "set")
    assert kept_line(store) is None
    keep_line(store, 0.55, Line(0.5, 0.5, 300))
    assert keep_line(store, 0.55, Line(0.3, 0.3, 310)).tile == 0.5
    assert kept_line(store, 0.55) == Line(0.5, 0.5, 300)
    assert keep_line(store, 0.8, Line(0.3, 0.3, 310)).tile == 0.3
