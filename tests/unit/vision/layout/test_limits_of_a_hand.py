"""歸屬: which tiles are of the hand, at both sides of each limit: counts, distances, doubts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.unit.vision.layout.test_layout import CLOSED, H, W, row
from vision.detection.types import Detection
from vision.layout.grouping import TableLayout, arrange
from vision.layout.partition import Doubt, Meld, Partition, _melds_or_spread_hand
from vision.layout.rows import Piece

SIZE = (2000, 1200)


def groups(detections: Sequence[Detection]) -> dict[str, str]:
    """The codes of each group, sorted; melds by their set."""
    layout, made = arrange(detections, SIZE), dict[str, str]()
    for group in layout.groups:
        name = group.meld or group.kind
        codes = " ".join(sorted(detections[place].tile for place in group.members))
        made[name] = f"{made[name]} | {codes}" if name in made else codes
    return made


def doubts(detections: Sequence[Detection]) -> dict[str, str]:
    return {
        doubt.kind: " ".join(sorted(detections[place].tile for place in doubt.members))
        for doubt in arrange(detections, SIZE).doubts
    }


def layout_of(detections: Sequence[Detection]) -> TableLayout:
    return arrange(detections, SIZE)


@pytest.mark.parametrize(
    ("codes", "kongs", "closed"),
    [
        (f"{CLOSED} 5z 5z 5z", None, 17),
        (f"{CLOSED} 5z 5z 5z 6z", None, 18),
        (f"{CLOSED} 5z 5z 5z 5z", "5z 5z 5z 5z", 14),
        ("1m 1m 1m 1m 2m 3m 4m 5m 6m 7p 8p 9p 1s 1s 2z 2z 2z 9s", "1m 1m 1m 1m", 14),
        ("1m 1m 1m 1m 2m 2m 2m 2m 4m 5m 6m 7p 8p 9p 5z 5z 5z 5z 3s", "1m 1m 1m 1m | 2m 2m 2m 2m", 11),
        ("1m 1m 1m 1m 2m 2m 2m 2m 4m 5m 6m 7p 8p 9p 5z 5z 3s 4s", "1m 1m 1m 1m", 14),
    ],
    ids=["seventeen", "eighteen", "four alike at the end", "at the start", "two of three", "one of two"],
)
def test_four_alike_in_too_long_a_row_are_kongs_until_the_number_is_right(
    codes: str, kongs: str | None, closed: int
) -> None:
    tiles = row(codes)
    made = groups(tiles)
    assert made.get("concealed_kong") == kongs
    assert len(made["concealed"].split()) == closed
    assert doubts(tiles).get("kong_guessed", "") == (kongs or "").split(" | ")[-1]
    assert "other" not in made


@pytest.mark.parametrize(
    ("closed", "apart", "expected"),
    [
        (f"{CLOSED} 5z 5z", ["5z"], {"winning": "5z"}),
        (f"{CLOSED} 5z 5z", ["5z", "6z"], {"winning": "5z", "other": "6z"}),
        (f"{CLOSED} 5z", ["5z", "6z"], {"more": "5z 6z"}),
        (CLOSED, ["5z"], {"more": "5z"}),
        ("1m 2m 3m 4m 5m 6m 7p 8p 9p 1s 1s 1s 2z", ["5z"], {"winning": "5z"}),
        (f"{CLOSED} 5z 5z 5z", ["6z"], {"other": "6z"}),
    ],
    ids=[
        "one missing",
        "the nearer one",
        "two missing",
        "three missing",
        "four missing of three and one",
        "none missing",
    ],
)
def test_single_tiles_apart_fill_up_the_hand(closed: str, apart: list[str], expected: dict[str, str]) -> None:
    """The first is near the row, the second further away."""
    tiles = row(closed, y=400)
    for at, code in enumerate(apart):
        x, y = 400.0 + 400 * at, 400.0 - H - 60 - 45 * at
        tiles.append(Detection(code, (x, y, x + W, y + H), 0.99))
    made = groups(tiles)
    assert made.get("winning", "") == expected.get("winning", "")
    assert made.get("other", "") == expected.get("other", "")
    assert len(made["concealed"].split()) == len(closed.split()) + len(expected.get("more", "").split())


@pytest.mark.parametrize(("further", "sure"), [(1.2, False), (1.35, True)])
def test_the_winning_tile_is_clearly_nearer_than_another(further: float, sure: bool) -> None:
    tiles = row(f"{CLOSED} 5z 5z", y=600)
    gap = 160.0
    for code, x, away in (("5z", 300.0, gap), ("6z", 700.0, gap * further)):
        tiles.append(Detection(code, (x, 600 - away, x + W, 600 - away + H), 0.99))
    made = groups(tiles)
    assert ("winning" in made) is sure
    assert doubts(tiles).get("winning_unsure") == (None if sure else "5z 6z")
    assert [question.tiles for question in layout_of(tiles).questions] == ([] if sure else [(16, 17)])


@pytest.mark.parametrize(("scattered", "asked"), [(4, True), (3, False)])
def test_four_scattered_closed_tiles_may_be_melds(scattered: int, asked: bool) -> None:
    tiles = row("1m 2m 3m 4m 5m 6m 7p 8p 9p 1s 1s 1s 2z 2z"[: 41 - 3 * (scattered - 3)], y=600)
    for at in range(scattered):
        x = 200.0 + 200 * at
        tiles.append(Detection("5z", (x, 380, x + W, 380 + H), 0.99))
    assert ("melds_unsure" in doubts(tiles)) is asked
    assert len(groups(tiles)["concealed"].split()) == 17


@pytest.mark.parametrize(
    ("codes", "kind"), [("5z 5z 5z", "concealed"), ("1m 2m 3m", "concealed"), ("5z 5z 5z 5z", "kong")]
)
def test_three_tiles_alone_in_a_photo_are_no_meld(codes: str, kind: str) -> None:
    assert groups(row(codes)) == {kind: codes}


def test_two_melds_alone_are_melds() -> None:
    assert groups([*row("5z 5z 5z"), *row("1m 2m 3m", y=400)]) == {"pung": "5z 5z 5z", "chow": "1m 2m 3m"}


@pytest.mark.parametrize(("apart", "kong"), [(1.15, True), (1.3, False)])
def test_a_fourth_tile_laid_against_a_pung_makes_an_added_kong(apart: float, kong: bool) -> None:
    """Up to 1.2 tile lengths from its middle tile."""
    tiles = [*row(CLOSED, y=700), *row("5z 5z 5z", y=300)]
    x, y = 100 + 62, 300 - apart * H
    tiles.append(Detection("5z", (x, y, x + W, y + H), 0.99))
    assert ("added_kong" in groups(tiles)) is kong
    other = [*tiles[:-1], replace(tiles[-1], tile="6z")]
    assert "added_kong" not in groups(other)
    chow = [replace(tile, tile=code) for tile, code in zip(tiles[14:17], ("4s", "5s", "6s"), strict=True)]
    assert "added_kong" not in groups([*tiles[:14], *chow, replace(tiles[-1], tile="5s")])


@pytest.mark.parametrize(
    ("codes", "expected"),
    [
        (f"{CLOSED} back 5z 5z back", {"concealed_kong": "5z 5z back back"}),
        (f"back 5z 5z back {CLOSED}", {"concealed_kong": "5z 5z back back"}),
        ("1m 2m 3m back 5z back back 4m 5m 6m 7p 8p 9p 1s 1s 1s 2z 2z", {"concealed_kong": "5z back back back"}),
        (f"{CLOSED} 5z 5z 6z back", {"other": "back"}),
        (f"back {CLOSED} 5z 5z 5z", {"other": "back"}),
        (f"{CLOSED} back 5z 6z back", {"other": "back back"}),
    ],
)
def test_backs_in_a_row_are_a_kong_or_lie_aside(codes: str, expected: dict[str, str]) -> None:
    made = groups(row(codes))
    assert {kind: made.get(kind) for kind in ("concealed_kong", "other")} == {
        "concealed_kong": None,
        "other": None,
        **expected,
    }


def test_tiles_beyond_a_full_hand_stay_aside() -> None:
    tiles = [*row(f"{CLOSED} 5z 5z 5z", y=600), *row("3p 4p", x=300, y=440)]
    assert groups(tiles)["other"] == "3p 4p"
    assert doubts(tiles) == {"left_aside": "3p 4p"}
    fewer = [*row(f"{CLOSED} 5z", y=600), *row("3p 4p", x=300, y=440)]
    assert "other" not in groups(fewer)
    assert doubts(fewer) == {}


@pytest.mark.parametrize(("y", "melds"), [(430.0, True), (20.0, False)])
def test_sets_far_from_the_hand_are_not_its_melds(y: float, melds: bool) -> None:
    """Twelve tile lengths away, near discards of another player."""
    discards = [tile for line in range(3) for tile in row("9p 1z 3s 7m 4z 2p", x=1300, y=20 + line * 84)]
    hand = row("1m 2m 3m 4m 5m 6m 7p 8p 9p 1s 1s 2z 2z 2z", y=1080 if not melds else 600)
    tiles = [*hand, *row("5z 5z 5z", y=y), *discards]
    assert ("pung" in groups(tiles)) is melds
    assert "hand_unsure" not in doubts(tiles)


def test_a_river_is_not_the_hand() -> None:
    discards = [tile for line in range(3) for tile in row("9p 1z 3s 7m 4z 2p", x=500, y=20 + line * 84)]
    tiles = [*row(f"{CLOSED} 5z 5z 5z", y=700), *discards]
    assert len(groups(tiles)["concealed"].split()) == 17
    assert len(groups(tiles)["other"].split()) == 18


def test_the_order_of_groups_and_their_tiles() -> None:
    tiles = [*row("5z 5z 5z . 1m 2m 3m . 1f", y=100), *row("4s 4s 7p 8p 9p 1s 1s 1s 2z 2z . 4s", y=400)]
    layout = layout_of(tiles)
    assert [group.kind for group in layout.groups] == ["concealed", "meld", "meld", "flowers", "winning"]
    assert [group.meld for group in layout.groups if group.meld] == ["pung", "chow"]
    assert layout.groups[0].members == tuple(range(7, 17))
    reversed_ = layout_of(list(reversed(tiles)))
    assert reversed_.groups[0].members == tuple(range(10, 0, -1))


def piece(first: int, count: int, row: int = 0) -> Piece:
    return Piece(tuple(range(first, first + count)), row)


CHOW: Meld = (piece(0, 3), "chow")
PUNG: Meld = (piece(3, 3), "pung")
KONG: Meld = (piece(6, 4), "kong")
OTHER: Meld = (piece(10, 3, row=1), "pung")


@pytest.mark.parametrize(
    ("closed", "small", "spread", "doubted"),
    [
        ([piece(20, 2)], [CHOW, PUNG], [CHOW, PUNG], True),
        ([piece(20, 2)], [CHOW, KONG, OTHER], [CHOW], True),
        ([piece(20, 2, row=1)], [CHOW, PUNG], [], False),
        ([piece(20, 2)], [CHOW], [], False),
        ([piece(20, 2, row=1), piece(22, 1)], [CHOW, OTHER], [OTHER], True),
        ([piece(20, 2), piece(22, 2, row=1)], [CHOW, OTHER], [CHOW, OTHER], True),
        ([piece(20, 3)], [CHOW, PUNG], [], False),
        ([piece(20, 1)], [CHOW, PUNG], [], False),
        ([], [CHOW], [CHOW], False),
        ([], [PUNG], [PUNG], False),
        ([], [KONG], [], False),
        ([], [CHOW, PUNG], [], False),
    ],
)
def test_sets_are_closed_only_in_the_row_of_a_pair_or_alone_in_a_photo(
    closed: list[Piece], small: list[Meld], spread: list[Meld], doubted: bool
) -> None:
    made = _melds_or_spread_hand(Partition(closed=tuple(closed)), small)
    assert made.closed == (*closed, *(own for own, _ in spread))
    assert made.melds == tuple(meld for meld in small if meld not in spread)
    members = tuple(place for own, _ in spread for place in own.members)
    assert made.doubts == ((Doubt("melds_unsure", members),) if doubted else ())
