"""取捨: doubtful tiles count beside sure ones, never alone, never on top of one."""

from __future__ import annotations

import pytest

from vision.detection.filtering import select
from vision.detection.types import Detection


def tile(x: float, score: float, confidence: float = 1.0, w: float = 30, h: float = 40, y: float = 0) -> Detection:
    return Detection("1m", (x, y, x + w, y + h), confidence, (), score)


SURE = tile(0, 0.9)


@pytest.mark.parametrize(
    ("doubtful", "kept"),
    [
        pytest.param(tile(31, 0.2), True, id="beside"),
        pytest.param(tile(0, 0.2, y=42), True, id="below"),
        pytest.param(tile(31, 0.2, 0.4), False, id="without a name"),
        pytest.param(tile(200, 0.2), False, id="alone"),
        pytest.param(tile(200, 0.6), True, id="alone and sure"),
        pytest.param(tile(15, 0.2), False, id="on top of another"),
        pytest.param(tile(31, 0.2, w=15, h=20), False, id="too small"),
        pytest.param(tile(31, 0.2, w=60), False, id="too wide"),
    ],
)
def test_one_doubtful_tile(doubtful: Detection, kept: bool) -> None:
    assert select([doubtful, SURE], 0.55) == ((SURE, doubtful) if kept else (SURE,))


@pytest.mark.parametrize(
    ("named", "others", "kept"),
    [
        pytest.param("4f", (("1f", 0.3), ("8f", 0.2)), True, id="some flower"),
        pytest.param("4f", (("1f", 0.1), ("1s", 0.4)), False, id="a flower or 1索"),
        pytest.param("1s", (("1f", 0.3), ("8f", 0.2)), False, id="other tiles count apart"),
        pytest.param("back", (("5z", 0.5),), False, id="face down or 白"),
    ],
)
def test_a_flower_is_kept_where_only_which_one_is_in_doubt(
    named: str, others: tuple[tuple[str, float], ...], kept: bool
) -> None:
    seen = Detection(named, (0, 0, 30, 40), 0.4, others, 0.9)
    assert select([seen], 0.55) == ((seen,) if kept else ())


def test_a_row_of_doubtful_tiles_hangs_on_one_sure_tile() -> None:
    row = [tile(31 * i, 0.3 - i / 100) for i in range(1, 5)]
    assert len(select([SURE, *row], 0.55)) == 5
    assert select(row, 0.55) == ()
    assert select([], 0.55) == ()
