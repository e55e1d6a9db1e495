"""The pages as a person uses them. Their verbs are the only clicks of the browser tests.

Each verb waits for its result: the next page with all scripts, the inserted answer, the open fold, the pressed button.
"""

from __future__ import annotations

from tests.e2e.support import engines as engines  # before any page object takes Playwright's ``expect``
from tests.e2e.support.pages.board import Board
from tests.e2e.support.pages.canvas import Canvas, ContactSheet, Outline, Shown
from tests.e2e.support.pages.own_pattern import OwnPatternForm
from tests.e2e.support.pages.record import Record
from tests.e2e.support.pages.screen import Screen, becomes, box_of, catch, holds, no_sideways, shows_heading
from tests.e2e.support.pages.table import NAMES, Table

__all__ = [
    "NAMES",
    "Board",
    "Canvas",
    "ContactSheet",
    "Outline",
    "OwnPatternForm",
    "Record",
    "Screen",
    "Shown",
    "Table",
    "becomes",
    "box_of",
    "catch",
    "holds",
    "no_sideways",
    "shows_heading",
]
