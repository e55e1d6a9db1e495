"""分區: contents of zones, directions of runs, and when a zone or a number is sure, at each threshold."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from tests.unit.vision.layout.table.test_counts import HAND, SIZE, near, row, table_of
from vision.detection.types import SURE, Detection
from vision.layout.table.counts import (
    EDGE,
    POSSIBLE,
    STEADY,
    Player,
    count_kinds,
    face_down,
    is_sure,
    split_melds,
)
from vision.layout.table.counts import (
    HAND as USUAL,
)
from vision.layout.table.plane import Spot
from vision.layout.table.report import describe_table, side_name, table_json
from vision.layout.table.runs import BESIDE, ROW_ON_ROW, Run, find_runs
from vision.layout.table.whole import SURE_ZONE, WholeTable, ZonedTile, with_answers
from vision.layout.table.zones import RANGES, SOFT, Contents, Side, Zone, misses, own_place, posture, set_faults


def contents(codes: str) -> Contents:
    tiles = codes.split()
    return Contents.of(tiles, Run(tuple(range(len(tiles))), 0.0, 0.0, 0.0))


@pytest.mark.parametrize(
    ("codes", "faults"),
    [
        ("", 0),
        ("1m", 1),
        ("1m 1m", 1),
        ("1m 3m", 1),
        ("1m 4m", 2),
        ("9m 9p", 2),
        ("8m 9m 1p", 2),
        ("5z 6z", 2),
        ("5z 5z", 1),
        ("1m back", 1),
        ("1m 2m 3m", 0),
        ("3m 2m 1m", 0),
        ("5z 5z 5z 5z", 0),
        ("back 5z 5z back", 0),
        ("back back back 5z", 0),
        ("5z back back", 2),
        ("1m 2m 3m 5z 5z 5z", 0),
        ("1m 2m 3m 9p 5z 5z 5z", 1),
        ("1m 2m 3m 5z 5z", 1),
    ],
)
def test_faults_of_a_row_of_sets(codes: str, faults: int) -> None:
    assert set_faults(tuple(codes.split())) == faults


def test_the_contents_of_a_run() -> None:
    assert contents("1m 2m 3m 1f back") == Contents(5, 1, 1, 1)
    assert contents("1f 2f") == Contents(2, 0, 2, 0)
    assert contents("9p 1m 2m 3m") == Contents(4, 0, 0, 1)
    assert contents("5z 5z 1m 2m 3m").faults == 1, "read from the better end"


@pytest.mark.parametrize(
    ("zone", "codes", "fit"),
    [
        ("wall", "back back", 0.0),
        ("wall", "back 1m", -3.5),
        ("rack", "back back back", 0.0),
        ("rack", "back back", -1.0),
        ("rack", "back back 1m 2m", -3.5),
        ("flowers", "1f 2f", 0.0),
        ("flowers", "1f 2f 3f 1m", -2.0),
        ("river", "1m 5z 9p", -0.5),
        ("river", "1m 5z 9p 1f", -2.0),
        ("river", "1m back", -4.0),
        ("river", "1m 5z 9p 3s 7p 1s 3z 5p", -0.5),
        ("river", "1m 5z 9p 3s 7p 1s 3z 5p 1z", -1.5),
        ("melds", "1m 2m 3m", 0.0),
        ("melds", "1m 2m 3m 9p", -1.0),
        ("melds", "1m", -2.0),
        ("melds", "back back back back", -2.5),
        ("melds", "back back back", -9.0),
        ("melds", "1m 2m 3m 5z 5z 5z 1p 2p 3p", 0.0),
        ("melds", "1m 2m 3m 5z 5z 5z 5z 1p 2p 3p", -1.5),
        ("hand", "1m 5z 9p", -3.0),
        ("hand", "1m 5z 9p 3s", -1.5),
        ("hand", "1m 5z 9p 3s 7p", -1.5),
        ("hand", "1m 5z 9p 3s 7p 1s", 0.0),
        ("hand", "1m 2m 3m 5z 5z 5z", -1.5),
        ("hand", "1m 5z 9p 3s 7p 1s back", -1.0),
        ("hand", "1m 5z 9p 3s 7p 1f", -1.0),
    ],
)
def test_how_contents_fit_a_zone(zone: Zone, codes: str, fit: float) -> None:
    assert contents(codes).fits(zone, stacked=False) == pytest.approx(fit)
    assert contents(codes).fits(zone, stacked=True) == pytest.approx(fit + 0.5 * (zone == "river"))


@pytest.mark.parametrize(("side", "place"), [(0, (3, 1)), (1, (1, -3)), (2, (-3, -1)), (3, (-1, 3))])
def test_a_place_as_its_player_sees_it(side: Side, place: tuple[float, float]) -> None:
    """One to the photo's right of the middle, three nearer to the camera: how far out, and how far to the right."""
    assert own_place(side, 1.0, 3.0) == place


@pytest.mark.parametrize("side", [0, 1, 2, 3])
@pytest.mark.parametrize("zone", list(RANGES))
def test_a_zone_s_rectangle_holds_what_its_player_sees_there(side: Side, zone: Zone) -> None:
    expected = RANGES[zone]
    x1, x2, y1, y2 = expected.on_table(side)
    assert (x1 < x2, y1 < y2) == (True, True)
    corners = [own_place(side, x, y) for x in (x1, x2) for y in (y1, y2)]
    assert {out for out, _ in corners} == set(expected.out)
    assert {aside for _, aside in corners} == set(expected.aside)


@pytest.mark.parametrize(("value", "off"), [(2.0, 0), (5.0, 0), (3.0, 0), (1.2, 0.8), (6.6, 1.6)])
def test_what_a_miss_costs(value: float, off: float) -> None:
    assert misses(value, 2.0, 5.0) == pytest.approx(0.5 * (off / SOFT) ** 2)


def test_boxes_that_say_nothing_of_standing_cost_the_same_everywhere() -> None:
    assert [posture(0.0, share) for share in (0.9, 0.01)] == pytest.approx([math.log(0.5)] * 2)
    assert posture(3.0, 0.9) > posture(3.0, 0.1)
    assert posture(-3.0, 0.9) < posture(-3.0, 0.1)
    assert posture(50.0, 0.5) == posture(20.0, 0.5)
    assert posture(-50.0, 0.2) == posture(-20.0, 0.2)
    assert posture(20.0, 0.6) == pytest.approx(math.log(0.6), abs=1e-6)


def spots(*places: tuple[float, float], across: float = 0.0, stands: float = -9.0) -> list[Spot]:
    return [Spot(x, y, across, stands, (x, y - 0.3)) for x, y in places]


@pytest.mark.parametrize(
    ("step", "members"),
    [(BESIDE[0], 1), (BESIDE[0] + 0.01, 3), (0.75, 3), (BESIDE[1] - 0.01, 3), (BESIDE[1], 1)],
)
@pytest.mark.parametrize("down", [False, True])
def test_tiles_side_by_side_are_a_run(step: float, members: int, down: bool) -> None:
    places = [(0.0, at * step) if down else (at * step, 0.0) for at in (0, 1, 2)]
    runs = find_runs(spots(*places))
    assert [len(run.members) for run in runs] == [members] * (3 // members)
    if members == 3:
        assert runs[0].members == (0, 1, 2)
        assert (runs[0].across < 0) is down
        assert (runs[0].x, runs[0].y) == pytest.approx((0.0, step) if down else (step, 0.0))


@pytest.mark.parametrize(("off", "joined"), [(0.29, True), (0.3, False)])
def test_a_tile_off_the_line_is_not_of_the_run(off: float, joined: bool) -> None:
    assert len(find_runs(spots((0.0, 0.0), (0.75, off)))) == (1 if joined else 2)
    assert len(find_runs(spots((0.0, 0.0), (off, 0.75)))) == (1 if joined else 2)


def test_a_run_is_read_from_left_to_right_or_from_top_to_bottom() -> None:
    assert find_runs(spots((1.5, 0.0), (0.0, 0.0), (0.75, 0.0)))[0].members == (1, 2, 0)
    assert find_runs(spots((0.0, 1.5), (0.0, 0.0), (0.0, 0.75)))[0].members == (1, 2, 0)


@pytest.mark.parametrize(("across", "joined"), [(-1.4, True), (-1.5, False), (-1.6, False), (0.0, True)])
def test_tiles_whose_boxes_speak_more_against_a_row_are_none(across: float, joined: bool) -> None:
    """A neighbour in the row speaks for it by 1.5, and so much against it leaves nothing."""
    assert len(find_runs(spots((0.0, 0.0), (0.75, 0.0), across=across))) == (1 if joined else 2)
    assert len(find_runs(spots((0.0, 0.0), (0.0, 0.75), across=-across))) == (1 if joined else 2)


def test_a_box_speaks_no_more_than_its_neighbours_do() -> None:
    """At most 2.5, and each of two neighbours 1.5."""
    (pair,) = find_runs(spots((0.0, 0.0), (0.75, 0.0), across=9.0))
    assert pair.across == pytest.approx(2 * (2.5 + 1.5))
    (three,) = find_runs(spots((0.0, 0.0), (0.75, 0.0), (1.5, 0.0), across=1.0))
    assert three.across == pytest.approx(2.5 + 4.0 + 2.5)
    (column,) = find_runs(spots((0.0, 0.0), (0.0, 0.75), across=-9.0))
    assert column.across == pytest.approx(-2 * (2.5 + 1.5))
    (crowd,) = find_runs([Spot(0.6 * at, 0.0, 0.0) for at in range(4)] + [Spot(0.9, 0.05, 0.0)])
    assert crowd.across == pytest.approx(1.5 * (2 + 2 + 2 + 2 + 2)), "a third neighbour adds nothing"


@pytest.mark.parametrize(
    ("stands", "count", "told"),
    [(1.0, 2, 2.0), (9.0, 2, 5.0), (-9.0, 2, -5.0), (1.0, 4, 4.0), (1.0, 8, 4.0)],
)
def test_at_most_four_boxes_speak_for_standing_tiles(stands: float, count: int, told: float) -> None:
    (run,) = find_runs(spots(*((0.75 * at, 1.0) for at in range(count)), stands=stands))
    assert run.stands == pytest.approx(told)
    assert run.y == pytest.approx(0.7 if stands > 0 else 1.0), "a standing tile's foot is elsewhere"


@pytest.mark.parametrize(
    ("apart", "aside", "stacked"),
    [
        (1.0, 0.0, True),
        (ROW_ON_ROW[0], 0.0, False),
        (ROW_ON_ROW[0] + 0.01, 0.0, True),
        (ROW_ON_ROW[1] - 0.01, 0.0, True),
        (ROW_ON_ROW[1], 0.0, False),
        (1.0, 2.45, True),
        (1.0, 2.5, False),
    ],
)
def test_rows_that_lie_row_on_row(apart: float, aside: float, stacked: bool) -> None:
    first = [(0.75 * at, 0.0) for at in range(3)]
    second = [(0.75 * at + aside, apart) for at in range(3)]
    assert [run.stacked for run in find_runs(spots(*first, *second, across=1.0))] == [stacked] * 2


@pytest.mark.parametrize(
    ("tiles", "shown", "verdict"),
    [
        (None, False, None),
        (USUAL - 2, False, "far_off"),
        (USUAL - 1, False, "short"),
        (USUAL - 1, True, "short"),
        (USUAL, True, "right"),
        (USUAL + 1, False, "over"),
        (USUAL + 1, True, "won"),
        (USUAL + 2, True, "far_off"),
    ],
)
def test_what_a_number_of_tiles_says(tiles: int | None, shown: bool, verdict: str | None) -> None:
    assert Player(0, (), (), (), tiles, shown=shown).verdict == verdict


@pytest.mark.parametrize(
    ("confidence", "unread", "sure"), [(SURE, False, True), (SURE - 0.01, False, False), (1, True, False)]
)
def test_a_name_is_sure_from_a_probability(confidence: float, unread: bool, sure: bool) -> None:
    assert is_sure(Detection("1m", (0, 0, 1, 1), confidence, unread=unread)) is sure


@pytest.mark.parametrize(("share", "maybe"), [(POSSIBLE, True), (POSSIBLE - 0.001, False)])
def test_hardly_likely_names_do_not_count(share: float, maybe: bool) -> None:
    kinds = {
        kind.code: kind for kind in count_kinds([Detection("1m", (0, 0, 1, 1), 0.01, (("2m", share), ("back", 0.5)))])
    }
    assert kinds["2m"].maybe == ((0,) if maybe else ())
    assert kinds["1m"].maybe == (0,), "its own name counts, however unlikely"
    assert kinds["1m"].places == ()


def test_face_down_tiles_are_counted_by_zone() -> None:
    detections, table = table_of(row("back 1m back", "wall", 0, 400), row("back 5s", "rack", 1, 500))
    detections[0] = replace(detections[0], unread=True)
    assert face_down(detections, table) == {"wall": 1, "rack": 1}


@pytest.mark.parametrize(
    ("codes", "melds"),
    [
        ("1m 2m 3m", ((0, 1, 2),)),
        ("1m 2m", ((0, 1),)),
        ("1m 2m 3m 9p", ((0, 1, 2, 3),)),
        ("5z 5z 5z 5z 5z 5z 5z", ((0, 1, 2), (3, 4, 5, 6))),
        ("5z back back back 1m 2m 3m", ((0, 1, 2, 3), (4, 5, 6))),
    ],
)
def test_a_run_of_melds_is_cut_into_sets(codes: str, melds: tuple[tuple[int, ...], ...]) -> None:
    detections, table = table_of(row(codes, "melds", 0, 700))
    assert split_melds(detections, range(len(codes.split())), table) == melds


@pytest.mark.parametrize(("step", "even"), [(STEADY[0], False), (0.56, True), (0.96, True), (STEADY[1], False)])
def test_a_row_lacks_no_tile_at_usual_steps(step: float, even: bool) -> None:
    detections, table = table_of(row(HAND, "hand", 0, 900))
    moved = tuple(replace(spot, x=step * at) for at, spot in enumerate(table.spots))
    assert near(detections, replace(table, spots=moved)).reason == (None if even else "gap")
    across = tuple(replace(spot, x=0.0, y=step * at) for at, spot in enumerate(table.spots))
    assert near(detections, replace(table, spots=across)).reason == (None if even else "gap")


@pytest.mark.parametrize("side", [0, 1, 2, 3])
@pytest.mark.parametrize(("margin", "cut"), [(0.0, False), (0.1, True)])
def test_the_photo_s_edge_may_cut_a_row(side: int, margin: float, cut: bool) -> None:
    detections, table = table_of(row(HAND, "hand", 0, 500))
    box, least = list(detections[0].box), EDGE * 1000 - margin
    box[side] = least if side < 2 else 1000 - least
    detections[0] = replace(detections[0], box=tuple(box))  # type: ignore[arg-type]
    assert near(detections, table).reason == ("edge" if cut else None)


@pytest.mark.parametrize(
    "change",
    [
        {"zone_share": SURE_ZONE - 0.01},
        {"side_share": SURE_ZONE - 0.01},
        {"zone_share": SURE_ZONE, "side_share": SURE_ZONE},
    ],
)
def test_every_tile_of_a_player_must_be_sure(change: dict[str, float]) -> None:
    detections, table = table_of(row(HAND, "hand", 0, 900), row("5s 5s 5s", "melds", 1, 700))
    for place in (0, 15):
        tiles = tuple(replace(tile, **change) if at == place else tile for at, tile in enumerate(table.tiles))  # type: ignore[arg-type]
        sure = min(change.values()) >= SURE_ZONE
        assert near(detections, replace(table, tiles=tiles)).reason == (None if sure else "doubtful")


def test_an_answer_is_sure_and_puts_a_photo_in_play() -> None:
    table = WholeTable((ZonedTile("elsewhere", 0.0, None, 0.0, 0), ZonedTile("river", 0.5, 1, 0.5, 1)), False, False)
    said = with_answers(table, {1: ("melds", 2)})
    assert said.tiles == (table.tiles[0], ZonedTile("melds", 1.0, 2, 1.0, 1))
    assert (said.in_play, with_answers(table, {}).in_play) == (True, False)
    assert said.tiles[1].sure
    assert said.tiles[1].side_sure
    assert not replace(said.tiles[1], side=None).side_sure


def test_the_json_of_a_table() -> None:
    detections, table = table_of(row("1m 2m back", "hand", 0, 900), row("3f", "flowers", 1, 700, side=2))
    detections[1] = replace(detections[1], unread=True, confidence=0.41236, others=(("3m", 0.2),))
    tiles = (
        *table.tiles[:2],
        replace(table.tiles[2], zone="elsewhere", side=None, side_share=0.123456),
        table.tiles[3],
    )
    line: Any = table_json("a.jpg", detections, SIZE, {"total": 1.0}, lang="en", table=replace(table, tiles=tiles))
    assert [tile["tile"] for tile in line["tiles"]] == ["1m", "back", "3f"]
    assert [(tile["side"], tile["side_confidence"]) for tile in line["tiles"]] == [
        ("near", 1.0),
        (None, 0.1235),
        ("far", 1.0),
    ]
    assert [tile["open"] for tile in line["tiles"]] == [[], [], []], "a tile elsewhere needs no side"
    assert line["unread"] == [
        {"box": [140.0, 900.0, 178.0, 950.0], "others": [["2m", 0.4124], ["3m", 0.2]], "zone": "hand", "side": "near"}
    ]
    assert line["face_down"] == {"elsewhere": 1}
    players = {player["side"]: player for player in line["players"]}
    assert list(players) == ["near", "right", "far", "left"]
    assert (players["near"]["hand"], players["near"]["reason"], players["far"]["flowers"]) == (2, "doubtful", [2])
    assert next(count for count in line["counts"] if count["tile"] == "3m")["maybe"] == 1
    assert next(count for count in line["counts"] if count["tile"] == "3f")["tiles"] == [2]
    assert [side_name(side) for side in (0, 1, 2, 3, None)] == ["near", "right", "far", "left", None]


def test_a_table_that_is_not_in_play_lists_no_zones() -> None:
    detections, table = table_of(row("1m 1m", "river", 0, 400))
    line = table_json("a.jpg", detections, SIZE, {}, lang="en", table=replace(table, in_play=False))
    assert len(line["warnings"]) == 1
    assert len(describe_table(line, "en").splitlines()) == 3, "title, counts and warning"


def test_a_table_in_play_tells_the_number_of_a_player_s_tiles() -> None:
    detections, table = table_of(row(HAND, "hand", 0, 900), row("5s 5s 5s", "melds", 1, 700))
    for in_play in (True, False):
        line = table_json("a.jpg", detections, SIZE, {}, lang="en", table=replace(table, in_play=in_play))
        line["players"][1]["tiles"] = 15 if not in_play else None
        text = describe_table(line, "en").splitlines()
        assert len(text) == (5 if in_play else 3), "title, two zones, the player and the counts"
        assert ("16" in text[3]) if in_play else ("15" not in text[1])
