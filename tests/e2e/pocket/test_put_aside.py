"""認得的旁邊 in the pocket edition: the test of the server's page, with photos that are read in the phone."""

from __future__ import annotations

import pytest

from tests.e2e.test_one_thumb_tables import table, test_what_was_put_aside_at_a_table_is_not_asked_again

__all__ = ("table", "test_what_was_put_aside_at_a_table_is_not_asked_again")
pytestmark = pytest.mark.usefixtures("patient")
