"""How many tiles are seen and left, which are too many, and when a player's tiles can be counted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vision.detection.types import Detection
from vision.layout.table.counts import Player, Reason, count_kinds, count_players, split_melds
from vision.layout.table.plane import Spot
from vision.layout.table.report import describe_table, table_json
from vision.layout.table.whole import WholeTable, ZonedTile
from vision.layout.table.zones import Zone

SIZE = (1000, 1000)


def row(codes: str, zone: Zone, run: int, y: float) -> list[tuple[Detection, ZonedTile, Spot]]:
    """Tiles of the near side in a row without gaps: ``1m 2m back``."""
    made = []
    for at, code in enumerate(codes.split()):
        box = (100.0 + 40 * at, y, 138.0 + 40 * at, y + 50)
        made.append((Detection(code, box), ZonedTile(zone, 1.0, 0, 1.0, run), Spot(0.75 * at, y / 50, 9.0)))
    return made


def table_of(*rows: list[tuple[Detection, ZonedTile, Spot]]) -> tuple[list[Detection], WholeTable]:
    tiles = [tile for one in rows for tile in one]
    table = WholeTable(tuple(tile[1] for tile in tiles), True, False, tuple(tile[2] for tile in tiles))
    return [tile[0] for tile in tiles], table


def near(detections: list[Detection], table: WholeTable) -> Player:
    return count_players(detections, table, SIZE)[0]


def test_seen_and_left_of_each_kind() -> None:
    detections, _ = table_of(row("1m 1m 9s back 3f", "river", 0, 400))
    kinds = {kind.code: kind for kind in count_kinds(detections)}
    assert len(kinds) == 42
    assert (kinds["1m"].seen, kinds["1m"].left, kinds["1m"].sure) == (2, 2, True)
    assert (kinds["3f"].seen, kinds["3f"].left) == (1, 0)
    assert (kinds["2m"].seen, kinds["2m"].left) == (0, 4)


def test_a_fifth_copy_is_named_and_never_sure() -> None:
    detections, table = table_of(row("1m 1m 1m 1m 1m", "river", 0, 400))
    kind = count_kinds(detections)[0]
    assert kind.too_many
    assert not kind.sure
    assert kind.left == 0
    line = table_json("a.jpg", detections, SIZE, {}, lang="en", table=table)
    assert [count["tiles"] for count in line["too_many"]] == [[0, 1, 2, 3, 4]]
    assert "1 character" in line["warnings"][0].lower() or "1m" in line["warnings"][0].lower()


@pytest.mark.parametrize(
    "doubtful",
    [
        pytest.param(Detection("2m", (0, 0, 9, 9), 0.6, (("1m", 0.3),)), id="weak"),
        pytest.param(Detection("1m", (0, 0, 9, 9), 0.4, (("2m", 0.3),), unread=True), id="unread"),
    ],
)
def test_what_a_doubtful_tile_may_be_is_not_sure(doubtful: Detection) -> None:
    kinds = {kind.code: kind for kind in count_kinds([Detection("1m", (20, 0, 29, 9)), doubtful])}
    assert kinds["1m"].seen == 1
    assert not kinds["1m"].sure
    assert not kinds["2m"].sure
    assert kinds["3m"].sure


HAND = "1m 1m 2m 3m 4m 5m 6m 7m 8m 9m 1p 2p 3p"


@pytest.mark.parametrize(
    ("hand", "number", "verdict"),
    [
        pytest.param(HAND, 16, "right", id="16"),
        pytest.param(HAND.removesuffix(" 3p"), 15, "short", id="15"),
        pytest.param(HAND + " 4p", 17, "over", id="17"),
        pytest.param("1m 2m 3m 4m 5m 6m", 9, "far_off", id="9"),
    ],
)
def test_a_players_tiles_by_arithmetic(hand: str, number: int, verdict: str) -> None:
    player = near(*table_of(row(hand, "hand", 0, 900), row("5s 5s 5s", "melds", 1, 700)))
    assert (player.tiles, player.verdict, player.reason) == (number, verdict, None)


def test_a_kong_counts_as_three() -> None:
    player = near(*table_of(row(HAND, "hand", 0, 900), row("back 5s 5s back", "melds", 1, 700)))
    assert player.tiles == 16


def _hidden(detections: list[Detection]) -> None:
    detections[0] = replace(detections[0], tile="back")


def _weak(detections: list[Detection]) -> None:
    detections[0] = replace(detections[0], confidence=0.7)


def _cut(detections: list[Detection]) -> None:
    detections[0] = replace(detections[0], box=(1.0, 900.0, 39.0, 950.0))


def _broken_meld(detections: list[Detection]) -> None:
    detections[-1] = replace(detections[-1], tile="9s")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        pytest.param(_hidden, "hidden", id="back"),
        pytest.param(_weak, "doubtful", id="weak"),
        pytest.param(_cut, "edge", id="edge"),
        pytest.param(_broken_meld, "melds", id="meld"),
    ],
)
def test_where_tiles_cannot_be_counted_that_is_said(change: object, reason: Reason) -> None:
    detections, table = table_of(row(HAND, "hand", 0, 900), row("5s 5s 5s", "melds", 1, 700))
    assert callable(change)
    change(detections)
    player = near(detections, table)
    assert (player.tiles, player.verdict, player.reason) == (None, None, reason)


def test_a_gap_in_the_row_may_hide_a_tile() -> None:
    detections, table = table_of(row(HAND, "hand", 0, 900))
    spots = tuple(Spot(spot.x + (0.8 if at > 6 else 0), spot.y, 9.0) for at, spot in enumerate(table.spots))
    assert near(detections, replace(table, spots=spots)).reason == "gap"


def test_without_a_table_nobody_is_counted() -> None:
    detections, table = table_of(row(HAND, "hand", 0, 900))
    assert near(detections, replace(table, in_play=False)).reason == "no_table"
    assert count_players(detections, table, SIZE)[1].reason == "no_hand"


def test_touching_melds_are_parted() -> None:
    detections, table = table_of(row("1m 2m 3m 5z 5z 5z 5z 7p 8p 9p", "melds", 0, 700))
    assert split_melds(detections, range(10), table) == ((0, 1, 2), (3, 4, 5, 6), (7, 8, 9))


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_text_lists_zones_counts_and_doubts(lang: str) -> None:
    detections, table = table_of(row(HAND, "hand", 0, 900), row("5s 5s back", "river", 1, 400))
    detections.append(Detection("9s", (0, 0, 30, 40), 0.5, unread=True))
    tiles = (*table.tiles, ZonedTile("elsewhere", 0.2, None, 0.2, 9))
    table = replace(table, tiles=tiles, spots=(*table.spots, Spot(30, 30, 0)))
    text = describe_table(table_json("a.jpg", detections, SIZE, {}, lang=lang, table=table), lang)
    assert "a.jpg" in text
    assert "{" not in text
    assert "?" in text
    assert "⚠" in text
