"""牌面佈局: hand-made layouts for every rule."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.detection.types import Detection
from vision.layout.grouping import TableLayout, arrange
from vision.layout.melds import meld_kind
from vision.layout.region import Region, RegionError, area, inside, parse_region
from vision.layout.rows import find_rows, join_tables
from vision.reading.reading import hand_json, understand

W, H = 60, 80


def row(text: str, *, x: float = 100, y: float = 100, step: float = 62) -> list[Detection]:
    """Tiles in a row: codes with blanks between them, ``.`` for a gap of a tile, ``back`` face down."""
    out = []
    for code in text.split():
        if code != ".":
            out.append(Detection(code, (x, y, x + W, y + H), 0.99))
        x += step
    return out


def turned(detections: list[Detection], degrees: float, size: tuple[int, int]) -> list[Detection]:
    """The photo turned about its middle, with new boxes around the turned boxes."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    out = []
    for d in detections:
        corners = [(x - size[0] / 2, y - size[1] / 2) for x in d.box[::2] for y in d.box[1::2]]
        xs = [c * x - s * y + 2000 for x, y in corners]
        ys = [s * x + c * y + 2000 for x, y in corners]
        out.append(Detection(d.tile, (min(xs), min(ys), max(xs), max(ys)), d.confidence))
    return out


def read(detections: list[Detection]) -> tuple[TableLayout, dict[str, object]]:
    layout = arrange(detections, (2000, 1000))
    return layout, hand_json(understand(detections, layout, (2000, 1000)).hand)


def short(hand: dict[str, object]) -> str:
    melds = " ".join(f"{meld['kind']}:{meld['tiles']}" for meld in hand["melds"])  # type: ignore[attr-defined]
    return f"{hand['concealed']} | {melds} | {hand['flowers']} | {hand['winning_tile']}"


CLOSED = "1m 2m 3m 4m 5m 6m 7p 8p 9p 1s 1s 1s 2z 2z"
TABLES = {
    "one-unbroken-row-is-closed": ([(f"{CLOSED} 5z 5z 5z", 100)], "123456m789p111s22555z |  |  | None"),
    "winning-tile-apart": ([(f"{CLOSED} 5z 5z . 5z", 100)], "123456m789p111s22555z |  |  | 5z"),
    "winning-tile-above": ([(". . . . 5z", 20), (f"{CLOSED} 5z 5z", 150)], "123456m789p111s22555z |  |  | 5z"),
    "melds-in-the-row": (
        [("1m 2m 3m 4m 5m 6m 7p 8p 9p 2z 2z . 5z 5z 5z . 3s 4s 5s", 100)],
        "123456m789p22z | pung:555z chow:345s |  | None",
    ),
    "melds-behind": (
        [("5z 5z 5z . 3s 4s 5s . 1f", 10), ("1m 2m 3m 4m 5m 6m 7p 8p 2z 2z . 9p", 200)],
        "123456m789p22z | pung:555z chow:345s | 1f | 9p",
    ),
    "melds-pushed-together": (
        [("5z 5z 5z 3s 4s 5s", 10), ("1m 2m 3m 4m 5m 6m 7p 8p 9p 2z 2z", 200)],
        "123456m789p22z | pung:555z chow:345s |  | None",
    ),
    "flowers-in-the-row": ([(f"3f 5f {CLOSED} 5z 5z 5z", 100)], "123456m789p111s22555z |  | 35f | None"),
    "flower-between-hand-and-meld": (
        [("1m 2m 3m 4m 5m 6m 7p 8p 9p 1s 1s 1s 2z 2z . 7f . 5z 5z 5z", 100)],
        "123456m789p111s22z | pung:555z | 7f | None",
    ),
    "kong": ([("5z 5z 5z 5z", 10), (CLOSED, 200)], "123456m789p111s22z | kong:5555z |  | None"),
    "concealed-kong-two-backs": (
        [("back 5z 5z back", 10), (CLOSED, 200)],
        "123456m789p111s22z | concealed_kong:5555z |  | None",
    ),
    "concealed-kong-one-face": (
        [("back back 5z back", 10), (CLOSED, 200)],
        "123456m789p111s22z | concealed_kong:5555z |  | None",
    ),
    "concealed-kong-no-face": (
        [("back back back back", 10), (CLOSED, 200)],
        "123456m789p111s22z | concealed_kong: |  | None",
    ),
    "concealed-kong-inside-the-row": (
        [(f"{CLOSED} back 5z 5z back", 100)],
        "123456m789p111s22z | concealed_kong:5555z |  | None",
    ),
    "open-four-in-a-row-of-eighteen": (
        [("1m 2m 3m 4m 5m 6m 7p 8p 9p 1s 1s 1s 2z 2z 5z 5z 5z 5z", 100)],
        "123456m789p111s22z | concealed_kong:5555z |  | None",
    ),
    "four-alike-in-a-row-of-seventeen-stay": (
        [("1m 2m 3m 4m 5m 6m 7p 7p 7p 7p 8p 9p 2z 2z 5z 5z 5z", 100)],
        "123456m777789p22555z |  |  | None",
    ),
    "a-wall-is-no-hand": ([("back " * 9, 10), (f"{CLOSED} 5z 5z 5z", 200)], "123456m789p111s22555z |  |  | None"),
    "two-rows-of-closed-tiles": (
        [("1m 2m 3m 5m 5m 6m 7m 8m 7p", 10), ("8p 9p 1s 1s 1s 5z 5z 5z", 92)],
        "12355678m789p111s555z |  |  | None",
    ),
    "every-set-exposed": (
        [("1m 2m 3m . 4p 4p 4p . 7s 8s 9s", 10), ("2s 3s 4s . 6z 6z 6z", 120), ("2z . . 2z", 230)],
        "22z | chow:123m pung:444p chow:789s chow:234s pung:666z |  | None",
    ),
    "never-corrected": (
        [("1m 2m 3m 4m 5m 6m 7p 8p 9p 1s 1s 9s 2z 2z 5z 5z 5z", 100)],
        "123456m789p119s22555z |  |  | None",
    ),
    "five-of-a-kind-stay": (
        [("1m 1m 1m 1m 1m 6m 7p 8p 9p 1s 1s 1s 2z 2z 5z 5z 5z", 100)],
        "111116m789p111s22555z |  |  | None",
    ),
}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("degrees", [0, 7, -15, 45, 90, 180, 271])
def test_tables(name: str, degrees: float) -> None:
    rows, expected = TABLES[name]
    detections = [d for text, y in rows for d in row(text, y=y)]
    _, hand = read(turned(detections, degrees, (2000, 1000)))
    melds = expected.split(" | ")[1]
    if degrees not in (0, 7, -15):  # melds are numbered as they lie on the photo
        assert sorted(short(hand).split(" | ")[1].split()) == sorted(melds.split())
        expected, got = (text.replace(text.split(" | ")[1], "") for text in (expected, short(hand)))
        assert got == expected
    else:
        assert short(hand) == expected


def test_added_kong() -> None:
    detections = [*row("5z 5z 5z", y=100), *row(". 5z", y=22), *row(CLOSED, y=400)]
    assert short(read(detections)[1]) == "123456m789p111s22z | added_kong:5555z |  | None"


def test_groups_are_named_as_the_contract_says() -> None:
    detections = [*row("5z 5z 5z . 3s 4s 5s . 1f", y=10), *row("1m 2m 3m 4m 5m 6m 7p 8p 2z 2z . 9p", y=200)]
    layout = arrange(detections, (2000, 1000))
    names = layout.group_names(len(detections))
    assert names[:7] == ["meld:1"] * 3 + ["meld:2"] * 3 + ["flowers"]
    assert names[7:17] == ["concealed"] * 10
    assert names[17] == "winning"
    assert sorted(place for group in layout.groups for place in group.members) == list(range(18))


def test_rows_are_found_once_for_the_same_boxes() -> None:
    tiles = row(CLOSED)
    renamed = [replace(tile, tile="5z", confidence=0.4) for tile in tiles]
    assert find_rows(renamed) is find_rows(tiles)
    assert find_rows(row(CLOSED, x=101)) is not find_rows(tiles)


WHOLE = "1m 2m 3m 4m 5m 6m 7p 8p 9p 1s 1s 1s 2z 2z 5z 5z 5z"


def scattered(seed: int, spread: float) -> list[Detection]:
    """A whole hand, each tile by itself and sure, mixed up in three crooked rows ``spread`` tile widths apart."""
    rng = random.Random(seed)
    codes = rng.sample(WHOLE.split(), 17)
    tiles = []
    for at, code in enumerate(codes):
        x, y = 200 + at % 6 * W * spread + rng.uniform(-12, 12), 100 + at // 6 * H * spread * 0.8 + rng.uniform(-12, 12)
        tiles.append(Detection(code, (x, y, x + W, y + H), rng.uniform(0.86, 1.0)))
    return tiles


def weak(detections: list[Detection]) -> list[Detection]:
    """The same tiles, less sure than any good tile: squares of a mat, letters."""
    return [replace(tile, confidence=0.7 - 0.02 * at) for at, tile in enumerate(detections)]


@pytest.mark.parametrize("squares", ["2s 2s 2s 5z", "back back back back", "5z 5z 5z", "5z 5z 5z 5z 2s 2s 2s"])
@pytest.mark.parametrize("spread", [1.6, 2.0, 2.6])
@pytest.mark.parametrize("seed", range(4))
def test_squares_of_a_mat_do_not_push_out_a_sure_hand(squares: str, spread: float, seed: int) -> None:
    below = 160 + 3 * H * spread * 0.8
    layout, hand = read([*scattered(seed, spread), *weak(row(squares, x=200, y=below))])
    assert str(hand["concealed"]) == "123456m789p111s22555z"
    assert not hand["melds"]
    assert set(layout.group_names(17 + len(squares.split()))[17:]) == {"other"}


def test_weak_backs_are_a_kong_only_where_a_set_is_missing() -> None:
    backs = weak(row("back back back back", y=10))
    assert read([*backs, *row(CLOSED, y=200)])[1]["melds"] == [{"kind": "concealed_kong", "tiles": ""}]
    assert not read([*backs, *row(WHOLE, y=200)])[1]["melds"]


def test_backs_beside_a_whole_hand_with_melds_are_wall_not_a_sixth_meld() -> None:
    hand = [*row("5z 5z 5z . 3s 4s 5s", y=10), *row("1m 2m 3m 4m 5m 6m 7p 8p 9p 2z 2z", y=200)]
    layout, read_hand = read([*hand, *row("back back back back", y=390)])
    assert short(read_hand) == "123456m789p22z | pung:555z chow:345s |  | None"
    assert layout.group_names(21)[17:] == ["other"] * 4


def test_weak_tiles_alone_are_a_hand_too() -> None:
    assert short(read(weak(row(WHOLE)))[1]) == "123456m789p111s22555z |  |  | None"


def test_a_weak_flower_stays_a_flower_beside_too_many_tiles() -> None:
    hand = read([*row(f"{CLOSED} 5z 5z 5z 6z", y=200), *weak(row("5f", y=60))])[1]
    assert hand["flowers"] == "5f"


def test_tables_of_several_photos_lie_apart() -> None:
    """A table of three rows after one of one row: no two photos share a line, and places keep their tiles."""
    lines = [row("1m 2m 3m", y=y) for y in (100, 700, 1300)]
    shapes = [lines[0], [*lines[0], *lines[1], *lines[2]], lines[0]]
    starts = [0, 3, 12]
    numbers = [range(start, start + len(shape)) for start, shape in zip(starts, shapes, strict=True)]
    joined = join_tables([(find_rows(shape), given) for shape, given in zip(shapes, numbers, strict=True)])
    spans = [(float(joined.across[given].min()), float(joined.across[given].max())) for given in map(list, numbers)]
    assert spans[0][1] < spans[1][0] < spans[1][1] < spans[2][0]
    assert sorted(place for line in joined.rows for place in line) == list(range(15))
    assert [len(line) for line in joined.rows] == [3] * 5
    assert all(piece.row == place // 3 for piece in joined.pieces for place in piece.members)


def test_nothing_and_one_tile() -> None:
    assert arrange([], (100, 100)).groups == ()
    layout, hand = read(row("5m"))
    assert layout.group_names(1) == ["concealed"]
    assert hand["winning_tile"] is None


@pytest.mark.parametrize(
    ("codes", "kind"),
    [
        ("1m 2m 3m", "chow"),
        ("9m 1p 2p", None),
        ("6z 7z 5z", None),
        ("5z 5z 5z", "pung"),
        ("5z 5z 5z 5z", "kong"),
        ("8m 9m 1p", None),
        ("1m 3m 5m", None),
        ("1f 1f 1f", None),
        ("back back back back", "concealed_kong"),
        ("back 1m 1m back", "concealed_kong"),
        ("back 1m 2m back", None),
        ("back 1m 1m", None),
        ("1m 1m", None),
    ],
)
def test_meld_kind(codes: str, kind: str | None) -> None:
    assert meld_kind(codes.split()) == kind


def test_a_turned_tile_marks_a_meld_in_the_row() -> None:
    """The last three of a row without a gap, their middle tile lying across."""
    detections = row("1m 2m 3m 4m 5m 6m 7p 8p 9p 1s 1s 1s 2z 2z 5z", y=100)
    x = detections[-1].box[2] + 2
    across = Detection("5z", (x, 118, x + H, 118 + W), 0.99)
    last = Detection("5z", (x + H + 2, 100, x + H + 2 + W, 180), 0.99)
    assert short(read([*detections, across, last])[1]) == "123456m789p111s22z | pung:555z |  | None"
    upright = row("1m 2m 3m 4m 5m 6m 7p 8p 9p 1s 1s 1s 2z 2z 5z 5z 5z", y=100)
    assert short(read(upright)[1]) == "123456m789p111s22555z |  |  | None"


def test_a_second_row_of_sets_is_melds_and_asked_about() -> None:
    front = row("1m 2m 3m 7p 8p 9p 2z 2z", y=200)
    close, apart = row("4m 5m 6m 1s 1s 1s 5z 5z 5z", y=118), row("4m 5m 6m 1s 1s 1s 5z 5z 5z", y=40)
    for back in (close, apart):
        detections = [*back, *front]
        layout, hand = read(detections)
        assert short(hand) == "123m789p22z | chow:456m pung:111s pung:555z |  | None"
        (doubt,) = layout.doubts
        assert doubt.kind == "melds_unsure"
        assert {detections[place].tile for place in doubt.members} == {"4m", "5m", "6m", "1s", "5z"}
        asked = [(one.kind, [detections[place].tile for place in one.tiles], one.assumed) for one in layout.questions]
        assert asked == [
            ("open_or_closed", ["4m", "5m", "6m"], "open"),
            ("open_or_closed", ["1s", "1s", "1s"], "open"),
            ("open_or_closed", ["5z", "5z", "5z"], "open"),
        ]
        assert layout.questions[0].options == ("open", "closed")


def test_sets_among_closed_tiles_of_another_row_are_asked_about() -> None:
    front, back = row("1m 2m 3m 7p 8p 9p 2z 2z 4s", y=200), row("4m 5m 6m 1s 1s 1s 5s 6s", y=118)
    detections = [*back, *front]
    layout, hand = read(detections)
    assert short(hand) == "123456m789p111456s22z |  |  | None"
    asked = [([detections[place].tile for place in one.tiles], one.assumed) for one in layout.questions]
    assert asked == [(["4m", "5m", "6m"], "closed"), (["1s", "1s", "1s"], "closed")]


def test_melds_well_apart_and_one_row_leave_nothing_open() -> None:
    for detections in (
        [*row("1m 2m 3m 7p 8p 9p 2z 2z 4s 5s 6s", y=300), *row("1s 1s 1s . 5z 5z 5z", y=100)],
        row("1m 2m 3m 4m 5m 6m 7p 8p 9p 1s 1s 1s 2z 2z 5z 5z 5z"),
    ):
        assert read(detections)[0].questions == ()


def test_a_closed_tile_lying_across_may_be_the_winning_one() -> None:
    before = row("1m 2m 3m 7p 8p 9p 2z 2z 4s 5s", y=200)
    x = before[-1].box[2] + 2
    across = Detection("6s", (x, 200 + H - 50, x + H, 200 + H - 50 + W), 0.99)
    detections = [*before, across, *row("1s 1s 1s . 5z 5z 5z", y=20)]
    layout, hand = read(detections)
    assert short(hand) == "123m789p22z | pung:111s pung:555z chow:456s |  | None"
    assert [(one.kind, one.tiles) for one in layout.questions] == [
        ("open_or_closed", (8, 9, 10)),
        ("winning_tile", (10,)),
    ]


def test_two_hands_on_one_photo_are_said() -> None:
    other = row("3m 4m 5m 2p 3p 4p 5p 5p 6s 7s 8s 1z 1z 1z 7z 7z 7z", y=700)
    detections = [*row(f"{CLOSED} 5z 5z 5z", y=100), *other]
    reading = understand(detections, arrange(detections, (2000, 1000)), (2000, 1000))
    check = next(check for check in reading.checks if check.message.key == "hand_unsure")
    assert len(check.tiles) == 17
    chosen = Region(((0, 600), (2000, 600), (2000, 900), (0, 900)))
    lassoed = arrange(detections, (2000, 1000), chosen)
    names = lassoed.group_names(len(detections))
    assert names[17:] == ["concealed"] * 17
    assert names[:17] == ["other"] * 17
    within = understand(detections, lassoed, (2000, 1000), region=chosen)
    assert [check.message.key for check in within.checks] == []
    assert within.to_json("a.jpg")["region"] == chosen.to_json()
    assert parse_region(chosen.to_json()) == chosen


@pytest.mark.parametrize(
    ("value", "key"),
    [
        (None, "region_points"),
        ([], "region_points"),
        ("0,0 1,1 2,2", "region_points"),
        ([[0, 0], [5, 5]], "region_points"),
        ([[0, 0]] * 501, "region_points"),
        ([[0, 0], [5, 5], [1]], "region_point"),
        ([[0, 0], [5, 5], "ab"], "region_point"),
        ([[0, 0], [5, 5], [float("nan"), 1]], "region_point"),
        ([[0, 0], [5, 5], [True, 1]], "region_point"),
        ([[0, 0], [5, 5], ["1", 1]], "region_point"),
        ([[0, 0], [5, 5], [1e9, 1]], "region_point"),
        ([[0, 0], [5, 5], [10, 10]], "region_empty"),
    ],
)
def test_what_is_no_region_is_refused_with_a_sentence(value: object, key: str) -> None:
    with pytest.raises(RegionError) as caught:
        parse_region(value)
    assert caught.value.key == key
    assert "{" not in caught.value.message("zh") + caught.value.message("en")


def test_a_region_of_one_pixel_is_one() -> None:
    assert parse_region([[3, 3], [4, 3], [4, 4], [3, 4]]).to_json() == [[3, 3], [4, 3], [4, 4], [3, 4]]


def test_a_point_is_in_a_region_where_opencv_says_so() -> None:
    """On small grids many points lie on lines and corners."""
    chosen = random.Random(31)
    for _ in range(2000):
        grid = chosen.choice((4, 30, 2000))
        polygon = [(chosen.randint(0, grid), chosen.randint(0, grid)) for _ in range(chosen.randint(3, 8))]
        point = (chosen.randint(0, 2 * grid) / 2, chosen.randint(0, 2 * grid) / 2)
        theirs = np.array(polygon, np.float32).reshape(-1, 1, 2)
        assert inside(polygon, point) == (cv2.pointPolygonTest(theirs, point, False) >= 0), (polygon, point)
        assert area(polygon) == pytest.approx(cv2.contourArea(theirs), rel=1e-4)
