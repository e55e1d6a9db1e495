"""再拍一張 in the pocket edition: the tests of the server's page, with photos that are read in the phone."""

from __future__ import annotations

import pytest

from tests.e2e.test_second_photo import (
    test_a_photo_of_other_tiles_is_left_out,
    test_the_second_photo_that_is_asked_for_settles_the_hand,
)

__all__ = (
    "test_a_photo_of_other_tiles_is_left_out",
    "test_the_second_photo_that_is_asked_for_settles_the_hand",
)
pytestmark = pytest.mark.usefixtures("patient")
