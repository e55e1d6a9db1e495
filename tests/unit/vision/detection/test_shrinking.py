"""Pictures made smaller are OpenCV's, pixel by pixel."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.pixels.server.shrinking import shrunk

SIZES = [
    ((2016, 1512), (768, 576)),  # a photo of 12 megapixels, as it is decoded
    ((2016, 1512), (512, 384)),
    ((1500, 2000), (576, 768)),  # what our page sends
    ((2304, 1296), (768, 432)),
    ((2040, 1530), (512, 384)),
    ((1920, 1080), (512, 288)),
    ((1601, 1201), (768, 576)),  # no two rows of before and after begin together
    ((3000, 2999), (768, 768)),  # too large for strips
    ((640, 481), (512, 385)),
    ((1536, 1152), (768, 576)),  # whole pixels
    ((133, 133), (64, 64)),  # a tile
    ((65, 65), (64, 64)),
    ((700, 3), (512, 2)),
    ((2000, 1), (512, 1)),
]


@pytest.mark.parametrize(("before", "after"), SIZES)
@pytest.mark.parametrize("smooth", [False, True])
def test_every_pixel_is_as_opencv_has_it(before: tuple[int, int], after: tuple[int, int], smooth: bool) -> None:
    noise = np.random.default_rng(7).integers(0, 256, (before[1], before[0], 3), dtype=np.uint8)
    pixels = cv2.GaussianBlur(noise, (0, 0), 9).astype(np.uint8) if smooth else noise
    expected = cv2.resize(pixels, after, interpolation=cv2.INTER_AREA)
    assert np.array_equal(shrunk(pixels, *after), expected)


def test_a_part_of_a_picture_is_made_smaller_too() -> None:
    whole = np.random.default_rng(8).integers(0, 256, (300, 400, 3), dtype=np.uint8)
    part = whole[20:163, 31:174]
    assert np.array_equal(shrunk(part, 64, 64), cv2.resize(part, (64, 64), interpolation=cv2.INTER_AREA))
