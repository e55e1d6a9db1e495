"""The tests of board, table, records, seats, tile sets and referee once more: the same functions, another edition."""

from __future__ import annotations

from tests.e2e.test_game import test_export, test_undo
from tests.e2e.test_page import test_a_hand_is_entered_in_eighteen_taps
from tests.e2e.test_records import test_keep_a_hand_and_find_it_again
from tests.e2e.test_referee import test_may_he_win_and_whose_tile, test_the_evening_begins_with_dice
from tests.e2e.test_sets import test_a_photo_becomes_the_set_of_the_running_table

__all__ = (
    "test_a_hand_is_entered_in_eighteen_taps",
    "test_a_photo_becomes_the_set_of_the_running_table",
    "test_export",
    "test_keep_a_hand_and_find_it_again",
    "test_may_he_win_and_whose_tile",
    "test_the_evening_begins_with_dice",
    "test_undo",
)
