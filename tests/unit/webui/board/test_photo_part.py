"""The names on the photo, which part of it is shown, and the notes of its reading."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.languages import WHOLE
from tests.unit.webui.board.test_questions import board, laid
from vision.detection.types import Detection
from vision.layout.grouping import arrange
from vision.multiview.merge import merge
from vision.reading.reading import Reading, understand
from webui.board.editing import perform
from webui.board.limits import Box
from webui.board.panels.reading.photo import Label, close_up, labels_of
from webui.board.panels.reading.warnings import warning_views
from webui.board.photos.merge import merged
from webui.board.photos.readings import board_of
from webui.board.state import Board, BoardPhoto, BoardTile, EditHistory, Note

SIZE = (1600, 1200)
SHORT = (1600, 700)


def plate(label: Label) -> Box:
    return (
        label.x - label.width / 2,
        label.y - 1.25 * label.size,
        label.x + label.width / 2,
        label.y + 0.05 * label.size,
    )


def shared(box: Box, other: Box) -> float:
    """The share of the first box that the other covers."""
    width = max(0.0, min(box[2], other[2]) - max(box[0], other[0]))
    height = max(0.0, min(box[3], other[3]) - max(box[1], other[1]))
    return width * height / ((box[2] - box[0]) * (box[3] - box[1]))


@settings(max_examples=60, deadline=None)
@given(
    top=st.integers(0, 120),
    pitch=st.integers(70, 140),
    rows=st.integers(1, 3),
    jitter=st.lists(st.integers(-3, 3), min_size=24, max_size=24),
    lang=st.sampled_from(WHOLE),
)
def test_a_name_is_whole_and_covers_no_other_tile(
    top: int, pitch: int, rows: int, jitter: list[int], lang: str
) -> None:
    """One to three rows close behind each other, as near to the photo's edge as can be."""
    tiles = []
    for at in range(8 * rows):
        x, y = 4 + 66 * (at % 8) + jitter[at], max(0, top + pitch * (at // 8) + jitter[at])
        tiles.append(BoardTile(("5m", "1f", "7z")[at % 3], "concealed", (x, y, x + 60, y + 80), 0.99))
    labels = labels_of(Board("ab", "0.jpg", SHORT, tuple(tiles)), lang)
    assert len(labels) == len(tiles)
    for place, label in labels.items():
        x1, y1, x2, y2 = plate(label)
        assert x1 >= 0
        assert y1 >= 0
        assert x2 <= SHORT[0]
        assert y2 <= SHORT[1]
        others = [tile.box for at, tile in enumerate(tiles) if at != place and tile.box]
        assert max(shared(plate(label), other) for other in others) < 0.25
        assert max(shared(plate(label), plate(other)) for at, other in labels.items() if at != place) < 0.25


@pytest.mark.parametrize(
    ("row", "shape"),
    [
        (laid("concealed", "2m 3m 4m 5p 6p 7p 3s 4s 5s 1z 1z", 700), 2.4),
        (laid("concealed", "2m 3m 4m 5p 6p 7p 3s 4s 5s 1z 1z", 0), 2.4),
        ([BoardTile("2m", "concealed", (700, 100 + 90 * at, 760, 180 + 90 * at), 0.99) for at in range(11)], 0.8),
        (laid("concealed", "2m", 1120, x=1540), None),
    ],
    ids=["row", "row-at-the-edge", "column", "corner"],
)
def test_the_window_on_the_photo_is_no_slit(row: list[BoardTile], shape: float | None) -> None:
    read = board(*row)
    x, y, width, height = close_up(read, 0, labels_of(read, "zh"))
    assert x >= 0
    assert y >= 0
    assert x + width <= SIZE[0]
    assert y + height <= SIZE[1]
    for seen in row:
        assert seen.box is not None
        assert x <= seen.box[0]
        assert seen.box[2] <= x + width
        assert y <= seen.box[1]
        assert seen.box[3] <= y + height
    if shape:
        assert width / height == pytest.approx(shape, rel=0.02)


HAND = laid("concealed", "2m 3m 4m 5p 6p 7p 3s 4s 5s 1z 1z 1z 9p 9p 9p 2z 2z", 900)


@pytest.mark.parametrize(
    ("aside", "shown"),
    [
        (laid("other", "7s", 420), True),  # an eighteenth tile, laid apart
        (laid("other", "7s 8s", 420), True),
        (laid("other", "1z 9p 7s 8s", 420), False),  # discards
        (laid("other", "7s", 60), False),
        (
            [replace(tile, unread=True, confidence=0.2) for tile in laid("other", "7s", 420)],
            False,
        ),  # a letter on a rack
        ([replace(tile, unread=True, confidence=0.2) for tile in laid("other", "7s", 720)], True),  # a tile, perhaps
    ],
)
def test_a_tile_laid_apart_is_in_the_picture_and_discards_are_not(aside: list[BoardTile], shown: bool) -> None:
    read = board(*HAND, *aside)
    x, y, width, height = close_up(read, 0, labels_of(read, "zh"))
    inside = [
        x <= seen.box[0] and seen.box[2] <= x + width and y <= seen.box[1] and seen.box[3] <= y + height
        for seen in aside
        if seen.box
    ]
    assert inside == [shown] * len(aside)


@pytest.mark.parametrize(
    ("code", "group", "kinds", "labels"),
    [
        ("melds_unsure", "meld:1", {1: "pung"}, ["open", "closed"]),
        ("kong_guessed", "meld:1", {1: "concealed_kong"}, ["concealed_kong", "kong", "closed"]),
        ("left_aside", "other", {}, ["not_mine", "closed"]),
    ],
)
def test_a_note_about_groups_is_settled_at_one_tap(
    code: str, group: str, kinds: dict[int, str], labels: list[str]
) -> None:
    """Every answer of the note settles it; until then it stays, whatever else is done."""
    count = 4 if code == "kong_guessed" else 3
    tiles = (*laid("concealed", "2m 3m 4m 5p 6p 7p 1z 1z", 700), *laid(group, " ".join(["9s"] * count), 400))
    note = Note(code, "reading", {"zh": "看", "en": "look"}, tuple(range(8, 8 + count)))
    start = replace(board(*tiles), kinds=kinds, notes=(note,), past=EditHistory(tiles, kinds))
    (shown,) = (view for view in warning_views(start, "zh") if view.text == "看")
    assert [offer.label for offer in shown.offers] == labels
    looked = perform(start, "look:0,1,2")[0]
    assert "看" in [view.text for view in warning_views(looked, "zh")]
    for offer in shown.offers:
        after = perform(start, offer.correction)[0]
        assert "看" not in [view.text for view in warning_views(after, "zh")], offer.label
        assert all(tile.placed for tile in after.tiles[8:])


ROW = "1m 2m 3m 4m 5m 6m 7p 8p 9p 2s 2s 2s 3s 4s 5s 1z 1z"


@pytest.mark.parametrize("shared_tiles", [2, 3, 5])
@pytest.mark.parametrize("scale", [1.0, 1.3])
def test_two_halves_of_a_row_are_one_hand(shared_tiles: int, scale: float) -> None:
    """The left half and the right half of one row of seventeen, taken from two places, two tiles or more on both."""
    codes = ROW.split()

    def half(first: int, last: int, times: float) -> Reading:
        seen = [
            Detection(code, (90 + 62 * at * times, 300, 90 + (62 * at + 60) * times, 300 + 80 * times), 0.97)
            for at, code in enumerate(codes[first:last])
        ]
        return understand(seen, arrange(seen, SIZE), SIZE)

    halves = [half(0, 9, 1.0), half(9 - shared_tiles, 17, scale)]
    photos = [BoardPhoto(f"a{at}", f"{at}.jpg", SIZE) for at in range(2)]
    together = board_of(merge(halves), photos)
    assert sorted(tile.tile for tile in together.tiles if tile.group != "other") == sorted(codes)
    added = merged(board_of(halves[0], photos[:1]), halves[1:], photos[1:])  # the second one later
    assert sorted(tile.tile for tile in added.tiles if tile.group != "other") == sorted(codes)
