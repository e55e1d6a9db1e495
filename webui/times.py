"""時間: entries keep UTC; people read and search the time of the computer at the table."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

TIME_FORM = "%Y-%m-%dT%H:%M:%SZ"


@lru_cache(maxsize=4096)
def local(at: str) -> datetime:
    """The time of an entry on this computer's clock."""
    return datetime.strptime(at, TIME_FORM).replace(tzinfo=UTC).astimezone()


def shown(at: str) -> str:
    """An entry's time for people, to the minute."""
    return local(at).strftime("%Y-%m-%d %H:%M")


def clock(at: str) -> str:
    """Hour and minute."""
    return local(at).strftime("%H:%M")


def day_begins(text: str | None, days: int = 0) -> str:
    """The UTC time at which a day (from a date field) begins here, `days` later; empty if it is not a day."""
    try:
        day = date.fromisoformat(text or "") + timedelta(days=days)
        return datetime(day.year, day.month, day.day).astimezone(UTC).strftime(TIME_FORM)
    except (ValueError, OverflowError, OSError):
        return ""
