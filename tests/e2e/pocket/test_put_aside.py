"""認得的旁邊 and 花牌算幾張 in the pocket edition: tests of the server's page, with photos read in the phone."""

from __future__ import annotations

import pytest

from tests.e2e.test_one_thumb import test_a_flower_that_the_page_did_not_find_is_two_taps_away
from tests.e2e.test_one_thumb_tables import table, test_what_was_put_aside_at_a_table_is_not_asked_again

__all__ = (
    "table",
    "test_a_flower_that_the_page_did_not_find_is_two_taps_away",
    "test_what_was_put_aside_at_a_table_is_not_asked_again",
)
pytestmark = pytest.mark.usefixtures("patient")
