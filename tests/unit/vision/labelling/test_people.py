"""More than one person: who saved what, whose photos are whose, and how far two people agree."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from tests.unit.vision.labelling.support.sets import small_set
from vision.labelling.history.people import (
    Agreement,
    agreements,
    differing,
    hand_out,
    handed,
    note_review,
    note_save,
    saves,
)
from vision.labelling.io.exporting import export
from vision.labelling.labels import Box, Label


def test_a_second_look_says_how_far_two_people_agree(tmp_path: Path) -> None:
    store = small_set(tmp_path / "set", photos=2, labels=4)
    first, second = (info.id for info in store.photos())
    for id_ in (first, second):
        note_save(store, id_, 1, "Ann")
    assert not note_review(store, first, "Ann"), "nobody looks over their own work"
    assert not note_review(store, first, ""), "nor does nobody"
    labels = list(store.get(first).labels)
    changed = [dataclasses.replace(labels[0], tile="7z"), *labels[1:3], Label("1z", Box(100, 60, 140, 110))]
    store.save(first, changed, 1)
    note_save(store, first, 2, "Ben")
    assert note_review(store, first, "Ben")
    assert note_review(store, second, "Ben"), "all right as it was"
    (agreement,) = agreements(store)
    assert (agreement.first, agreement.second, agreement.photos) == ("Ann", "Ben", 2)
    assert (agreement.same, agreement.tiles) == (6, 9), "one name, one box gone, one new"
    assert {(difference.first, difference.second) for difference in agreement.differences} == {
        (labels[0].tile, "7z"),
        (labels[3].tile, ""),
        ("", "1z"),
    }
    low, high = agreement.interval
    assert low < agreement.share < high
    assert [(save.revision, save.who) for save in saves(store, first)[first]] == [(1, "Ann"), (2, "Ben")]


@pytest.mark.parametrize(
    ("same", "tiles", "low", "high"),
    [(95, 100, 0.888, 0.978), (0, 0, 0.0, 1.0), (10, 10, 0.722, 1.0), (0, 10, 0.0, 0.278)],
)
def test_the_interval_is_wilson_s(same: int, tiles: int, low: float, high: float) -> None:
    interval = Agreement("a", "b", 1, same, tiles, ()).interval
    assert interval == pytest.approx((low, high), abs=0.001)


def test_photos_are_handed_out_and_free_again(tmp_path: Path) -> None:
    store = small_set(tmp_path / "set", photos=3)
    ids = [info.id for info in store.photos()]
    hand_out(store, ids[:2], "Ann")
    hand_out(store, ids[1:2], "Ben")
    assert handed(store) == {ids[0]: "Ann", ids[1]: "Ben"}
    hand_out(store, ids, "")
    assert handed(store) == {}


def test_the_same_labels_are_no_difference() -> None:
    row = [Label("1m", Box(30 * n, 0, 30 * n + 25, 40)) for n in range(5)]
    moved = [dataclasses.replace(label, box=Box(label.box.x1 + 2, 1, label.box.x2 + 2, 41)) for label in row]
    assert differing("p", row, moved[::-1]) == []


def test_an_export_says_who_did_what_where_there_are_people(tmp_path: Path) -> None:
    store = small_set(tmp_path / "set", photos=1)
    export(store, "yolo", tmp_path / "alone")
    assert not (tmp_path / "alone" / "history.csv").exists()
    note_save(store, store.photos()[0].id, 1, "Ann")
    export(store, "yolo", tmp_path / "out")
    lines = (tmp_path / "out" / "history.csv").read_text().splitlines()
    assert lines[0] == "file,revision,who,at"
    assert lines[1].startswith("p00.png,1,Ann,20")
