"""Blank tiles named by their places: dragons without a frame and pale backs, on made tables."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scoring.tiles import BACK
from vision.detection.filtering import SHAPED
from vision.detection.types import SURE, Detection
from vision.photo.image import Photo
from vision.reading.blanks import decided

WIDE, HIGH = 40, 54
TABLE, FACE, COLOURED = (40, 90, 50), (235, 230, 220), (200, 120, 40)
HAND = "1m 2m 3m 4m 5m 6m 7m 8m 9m 1p 1p"
Colour = tuple[int, int, int]


def row(text: str, y: float, x: float = 20.0, confidence: float = 0.95) -> tuple[Detection, ...]:
    """Tiles side by side; a code with a question mark was not read."""
    return tuple(
        Detection(
            code.rstrip("?"),
            (x + WIDE * at, y, x + WIDE * at + WIDE - 2, y + HIGH),
            confidence,
            unread=code.endswith("?"),
            shaped=0.6 if code.endswith("?") else 1.0,
        )
        for at, code in enumerate(text.split())
    )


def photo(tiles: tuple[Detection, ...], back: Colour = FACE) -> Photo:
    """A table with plain tiles, backs in their own colour."""
    pixels = np.full((300, 900, 3), TABLE, np.uint8)
    for tile in tiles:
        x1, y1, x2, y2 = map(round, tile.box)
        pixels[y1:y2, x1:x2] = back if tile.tile == BACK else FACE
    return Photo(pixels, (900, 300))


def named(tiles: tuple[Detection, ...], back: Colour = FACE) -> tuple[list[str], list[bool]]:
    """The names, and whether each is sure."""
    read = decided(photo(tiles, back), tiles)
    assert [tile.box for tile in read] == [tile.box for tile in tiles]
    return [tile.tile for tile in read], [tile.confidence >= SURE for tile in read]


def test_pale_backs_round_a_pair_are_a_kong() -> None:
    tiles = (*row(HAND + " 2p 3p 4p", 20), *row("5z 7s 7s 5z", 120))
    names, sure = named(tiles)
    assert names[-4:] == [BACK, "7s", "7s", BACK]
    assert sure == [True] * 14 + [False, True, True, False]


@pytest.mark.parametrize(("others", "is_kong"), [(HAND + " 2p 3p 4p", True), (HAND + " 2p 3p 4p 5p", False)])
def test_backs_that_were_hardly_seen_are_shown_if_the_hand_is_whole_with_them(others: str, is_kong: bool) -> None:
    weak = [replace(tile, shaped=0.2) if tile.unread else tile for tile in row("5z? 7s 7s back?", 120)]
    tiles = (*row(others, 20), *weak)
    read = decided(photo(tiles), tiles)
    assert ([tile.tile for tile in read[-4:]] == [BACK, "7s", "7s", BACK]) == is_kong
    assert all((tile.shaped >= SHAPED) == is_kong for tile in (read[-4], read[-1]))
    assert all(tile.unread for tile in (read[-4], read[-1])), "asked about"


def test_a_kong_pushed_to_a_row_is_one_if_the_hand_is_whole_with_it() -> None:
    tiles = (*row(HAND, 20), *row("5z 7s 7s 5z 2p 3p 4p", 120))
    names, _ = named(tiles)
    assert names[-7:] == [BACK, "7s", "7s", BACK, "2p", "3p", "4p"]


def test_dragons_round_a_pair_stay_where_the_hand_wins_with_them() -> None:
    for tiles in (
        (*row("1m 2m 3m 4m 5m 6m 7m 8m 9m 2p 3p 4p 5z", 20), *row("5z 7s 7s 5z", 120)),
        row("1m 2m 3m 4m 5m 6m 7m 8m 9m 2p 3p 4p 5z 7s 7s 5z 5z", 20),
    ):
        assert decided(photo(tiles), tiles) == tiles


def test_where_backs_are_pale_no_dragon_is_sure() -> None:
    tiles = (*row("1m 2m 3m 4m 5m 6m 7m 8m 9m 1p 1p 5z 5z 5z", 20), *row("5z? 7s 7s 5z", 120))
    names, sure = named(tiles)
    assert (names.count("5z"), names.count(BACK)) == (3, 2)
    assert not any(is_sure for name, is_sure in zip(names, sure, strict=True) if name in ("5z", BACK))


@pytest.mark.parametrize(("back", "becomes"), [(FACE, "5z"), ((170, 166, 158), "5z"), (COLOURED, BACK)])
def test_a_back_of_the_faces_colour_in_their_row_is_a_dragon(back: Colour, becomes: str) -> None:
    tiles = row("1m 2m 3m 4m 5m 6m 7m 8m 9m 2p 3p 4p 5z back 5z 7s 7s", 20)
    names, sure = named(tiles, back)
    assert names[13] == becomes
    assert sure[13] == (becomes == BACK)


def test_a_pale_patch_that_a_whole_hand_does_not_need_stays_a_back_in_doubt() -> None:
    """A gap between the tiles of a whole hand looks like a back, and is none."""
    names, sure = named((*row(HAND, 20), *row("2p 3p 4p back 5p 6p 7p", 120)))
    assert (names[-4], sure[-4]) == (BACK, False)


def test_four_white_dragons_are_dragons() -> None:
    tiles = (*row("1m 2m", 120), *row("5z 5z 5z 5z", 20))
    assert decided(photo(tiles), tiles) == tiles


def test_of_more_white_dragons_than_a_set_has_none_is_one_for_sure() -> None:
    """A wall of pale backs: every one looks like a dragon without a frame, also the one that was not read."""
    names, sure = named((*row("1m", 120), *row("5z 5z 5z 5z 5z 5z?", 20)))
    assert names == ["1m", *[BACK] * 6]
    assert sure == [True, *[False] * 6]


def test_unread_ones_beyond_four_are_no_dragons() -> None:
    names, sure = named((*row("1m", 120), *row("5z 5z 5z 5z? 5z?", 20)))
    assert names == ["1m", "5z", "5z", "5z", BACK, BACK]
    assert sure == [True, *[False] * 5]


def test_dragons_that_a_set_named_are_not_counted() -> None:
    known = tuple(Detection("5z", tile.box, tile.confidence, by="set") for tile in row("5z 5z 5z", 120))
    tiles = (*row("5z 5z 5z 5z", 20), *known)
    assert decided(photo(tiles), tiles) == tiles


def test_without_a_blank_tile_nothing_is_looked_at() -> None:
    tiles = row(HAND, 20)
    unseen = Photo(np.zeros((0, 0, 3), np.uint8), (900, 300))
    assert decided(unseen, tiles) == tiles
