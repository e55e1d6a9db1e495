"""讀一筆: errors of an entry with the right shape and impossible values, such as a player who is not at the table."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from scoring.rulebook.errors import RuleBookError
from webui.store.chain import Entry
from webui.store.errors import EntryError

STRANGE = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""The errors of code that meets impossible values."""
UNREADABLE = (EntryError, RuleBookError)
"""The errors of entries and rule books that this version cannot read."""


@contextmanager
def reading(entry: Entry) -> Iterator[None]:
    """Turn errors about impossible values into an EntryError that names this entry."""
    try:
        yield
    except UNREADABLE:
        raise
    except STRANGE as error:
        logging.getLogger("paitai.webui").info("entry %d is unreadable", entry.seq, exc_info=error)
        raise entry.unreadable(error) from error


def refuse_unreadable(*entries: Entry) -> None:
    """Raise EntryError for the first of these entries that this version cannot read."""
    for entry in entries:
        if entry.fault is not None:
            raise entry.unreadable(entry.fault)
