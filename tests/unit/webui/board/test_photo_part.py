"""The names on the photo: on the photo, off the other tiles and names, and what is shown of it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from webui.board.panels.photo import Label, labels_of
from webui.board.state import Board, BoardTile, Box

SIZE = (1600, 700)


def plate(one: Label) -> Box:
    return one.x - one.width / 2, one.y - 1.25 * one.size, one.x + one.width / 2, one.y + 0.05 * one.size


def shared(one: Box, other: Box) -> float:
    """The share of the first box that lies on the other."""
    width = max(0.0, min(one[2], other[2]) - max(one[0], other[0]))
    height = max(0.0, min(one[3], other[3]) - max(one[1], other[1]))
    return width * height / ((one[2] - one[0]) * (one[3] - one[1]))


@settings(max_examples=60, deadline=None)
@given(
    top=st.integers(0, 120), pitch=st.integers(70, 140), rows=st.integers(1, 3),
    jitter=st.lists(st.integers(-3, 3), min_size=24, max_size=24),
    lang=st.sampled_from(["zh", "en"]),
)  # fmt: skip
def test_a_name_is_whole_and_covers_no_other_tile(
    top: int, pitch: int, rows: int, jitter: list[int], lang: str
) -> None:
    """One to three rows close behind each other, as near to the photo's edge as can be."""
    tiles = []
    for at in range(8 * rows):
        x, y = 4 + 66 * (at % 8) + jitter[at], max(0, top + pitch * (at // 8) + jitter[at])
        tiles.append(BoardTile(("5m", "1f", "7z")[at % 3], "concealed", (x, y, x + 60, y + 80), 0.99))
    labels = labels_of(Board("ab", "0.jpg", SIZE, tuple(tiles)), lang)
    assert len(labels) == len(tiles)
    for place, one in labels.items():
        x1, y1, x2, y2 = plate(one)
        assert x1 >= 0
        assert y1 >= 0
        assert x2 <= SIZE[0]
        assert y2 <= SIZE[1]
        others = [tile.box for at, tile in enumerate(tiles) if at != place and tile.box]
        assert max(shared(plate(one), other) for other in others) < 0.25
        assert max(shared(plate(one), plate(other)) for at, other in labels.items() if at != place) < 0.25
