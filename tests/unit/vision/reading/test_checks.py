"""Whether a read hand can be a hand."""

from __future__ import annotations

import pytest

from vision.detection.types import Detection
from vision.layout.grouping import arrange
from vision.reading.checks import Standing, hand_of, standing

WHOLE = "1m 1m 1m 2m 3m 4m 5m 6m 7m 2p 3p 4p 7s 8s 9s 5z 5z"


@pytest.mark.parametrize(
    ("answer", "fine"),
    [
        (Standing(0, 0, True), True),
        (Standing(1, 0, True), False),
        (Standing(0, 1, True), False),
        (Standing(0, -1, True), False),
        (Standing(0, 0, False), False),
    ],
    ids=["nothing against it", "a fifth copy", "a tile too many", "a tile too few", "no winning shape"],
)
def test_what_speaks_against_a_hand(answer: Standing, fine: bool) -> None:
    assert answer.fine is fine


@pytest.mark.parametrize(
    ("codes", "answer"),
    [
        (WHOLE, Standing(0, 0, True)),
        (WHOLE.removesuffix(" 5z"), Standing(0, -1, False)),
        (f"{WHOLE} 9p", Standing(0, 1, False)),
        (WHOLE.replace("2m 3m 4m", "1m 1m 4m"), Standing(1, 0, False)),
    ],
    ids=["whole", "one too few", "one too many", "five of a kind"],
)
def test_the_standing_of_a_row(codes: str, answer: Standing) -> None:
    tiles = [Detection(code, (62.0 * at, 0.0, 62.0 * at + 60, 80.0), 0.99) for at, code in enumerate(codes.split(" "))]
    layout = arrange(tiles, (1200, 100))
    hand = hand_of(codes.split(" "), layout)
    assert standing(hand, layout) == answer
