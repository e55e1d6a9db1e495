"""找紀錄: a search for records and one page of its answer."""

from __future__ import annotations

from dataclasses import dataclass

from webui.store.chain import Entry

PAGE_RECORDS = 20  # records on one page of a search


@dataclass(frozen=True, slots=True)
class Query:
    """A search: `since` and `until` as UTC times of entries (`until` is excluded), a player, a pattern."""

    since: str = ""
    until: str = ""
    player: str = ""
    pattern: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """One page of a search, newest first: `page` counts from 1."""

    entries: tuple[Entry, ...]
    total: int
    page: int

    @property
    def pages(self) -> int:
        """How many pages there are, at least one."""
        return max(1, -(-self.total // PAGE_RECORDS))
