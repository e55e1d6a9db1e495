"""How many tiles are seen and left, which are too many, and when a player's tiles can be counted."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from vision.detection.types import Detection
from vision.layout.table.counts import Player, Reason, count_kinds, count_players, open_names, split_melds
from vision.layout.table.plane import Spot
from vision.layout.table.report import describe_table, table_json
from vision.layout.table.whole import WholeTable, ZonedTile
from vision.layout.table.zones import Side, Zone

SIZE = (1000, 1000)


def row(codes: str, zone: Zone, run: int, y: float, side: Side = 0) -> list[tuple[Detection, ZonedTile, Spot]]:
    """Tiles of a side in a row without gaps: ``1m 2m back``."""
    made = []
    for at, code in enumerate(codes.split()):
        box = (100.0 + 40 * at, y, 138.0 + 40 * at, y + 50)
        made.append((Detection(code, box), ZonedTile(zone, 1.0, side, 1.0, run), Spot(0.75 * at, y / 50, 9.0)))
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


def test_a_flower_seen_twice_is_one_too_many() -> None:
    kinds = {kind.code: kind for kind in count_kinds(table_of(row("3f 3f 4f 2m 2m 2m 2m", "river", 0, 400))[0])}
    assert [code for code, kind in kinds.items() if kind.too_many] == ["3f"]
    assert [kinds[code].left for code in ("3f", "4f", "2m")] == [0, 0, 0]
    assert not kinds["3f"].sure
    assert kinds["2m"].sure


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


def test_a_tile_of_which_only_a_part_is_seen_is_asked() -> None:
    """It may be of another kind, whatever its name's confidence: a half of a 4p shows two dots."""
    detections, table = table_of(row("2p 2p 5s", "river", 0, 400))
    part = replace(table, hidden=frozenset({1}))
    kinds = {kind.code: kind for kind in count_kinds(detections, part.hidden)}
    assert (kinds["2p"].places, kinds["2p"].maybe, kinds["2p"].sure) == ((0,), (1,), False)
    assert kinds["5s"].sure
    assert open_names(detections, part, tuple(kinds.values())) == {1}
    line = table_json("a.jpg", detections, SIZE, {}, table=part)
    assert [tile["open"] for tile in line["tiles"]] == [[], ["tile"], []]


@pytest.mark.parametrize(
    ("confidences", "weak"),
    [
        pytest.param((0.99, 0.98, 0.99), (), id="right-together"),
        pytest.param((0.99, 0.93, 0.99), (1,), id="one-weak"),
        pytest.param((0.97, 0.96, 0.96), (1, 2), id="weak-together"),
        pytest.param((0.94,), (0,), id="alone"),
    ],
)
def test_names_that_are_sure_alone_may_be_doubtful_together(
    confidences: tuple[float, ...], weak: tuple[int, ...]
) -> None:
    detections = [Detection("4p", (40.0 * at, 0, 40.0 * at + 30, 40), share) for at, share in enumerate(confidences)]
    kind = next(kind for kind in count_kinds(detections) if kind.code == "4p")
    assert sorted(kind.weak) == sorted(weak)
    assert kind.sure == (not weak)
    assert kind.seen == len(confidences)


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


def test_seventeen_shown_across_the_table_are_a_win_and_at_the_camera_one_too_many() -> None:
    own, theirs = row(HAND + " 4p", "hand", 0, 900), row(HAND + " 4p", "hand", 1, 100, side=2)
    melds = [row("5s 5s 5s", "melds", 2, 700), row("7s 7s 7s", "melds", 3, 300, side=2)]
    players = count_players(*table_of(own, theirs, *melds), SIZE)
    assert [player.side for player in players] == [0, 1, 2, 3]
    assert [player.verdict for player in players] == ["over", None, "won", None]
    assert [player.hand for player in players] == [tuple(range(14)), (), tuple(range(14, 28)), ()]


@pytest.mark.parametrize(("beside", "reason"), [pytest.param(2.1, "doubtful", id="near"), (2.3, None)])
def test_a_doubtful_tile_may_be_of_the_hand_beside_it(beside: float, reason: Reason | None) -> None:
    detections, table = table_of(row(HAND, "hand", 0, 900), row("9s", "river", 1, 700))
    spots = (*table.spots[:-1], replace(table.spots[0], y=table.spots[0].y - beside))
    unsure = replace(table, tiles=(*table.tiles[:-1], replace(table.tiles[-1], zone_share=0.9)), spots=spots)
    assert near(detections, unsure).reason == reason
    assert near(detections, replace(table, spots=spots)).reason is None


def test_a_hand_in_three_parts_is_not_counted() -> None:
    parts = [row("1m 1m 1m", "hand", at, 900 - 80 * at) for at in range(3)]
    assert near(*table_of(*parts[:2])).tiles == 6
    assert near(*table_of(*parts)).reason == "apart"


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


@pytest.mark.parametrize(("lang", "none"), [("zh", "無"), ("en", "none")])
def test_the_text_marks_open_zones_and_lists_what_is_left(lang: str, none: str) -> None:
    detections, table = table_of(row("1m 1m 9s", "river", 0, 400), row("5s 5s 5s", "melds", 1, 700))
    tiles = (*table.tiles[:-1], replace(table.tiles[-1], side_share=0.9))
    line = table_json("a.jpg", detections, SIZE, {}, lang=lang, table=replace(table, tiles=tiles))
    _, river, melds, counts = describe_table(line, lang).splitlines()
    assert "?" not in river
    assert melds.endswith(" ?")
    assert re.findall("([0-9])[/／]([0-9])", counts) == [("2", "2"), ("3", "1"), ("1", "3")]
    assert none not in counts
    nothing = table_json("a.jpg", [], SIZE, {}, lang=lang, table=WholeTable((), True, False, ()))
    assert describe_table(nothing, lang).endswith(none)
