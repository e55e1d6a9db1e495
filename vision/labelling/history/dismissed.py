"""Findings of the health check that a person put away for good, or carried out."""

from __future__ import annotations

from vision.labelling.store import DatasetStore, stamp

GUESS = "guess"
"""The kind of tiles that may be missed, as the canvas lists them, when they are dismissed."""
KIND = "kind:"
"""Prefix of a kind's name if all of its findings are dismissed."""


def dismissed(store: DatasetStore) -> frozenset[str]:
    """The keys of the findings that are not shown any more."""
    with store.transaction() as connection:
        return frozenset(str(row[0]) for row in connection.execute("SELECT finding FROM dismissed"))


def kinds_away(store: DatasetStore) -> frozenset[str]:
    """The kinds that are no longer shown; ``guess``: tiles that may be missed, as the canvas lists them."""
    return frozenset(key.removeprefix(KIND) for key in dismissed(store) if key.startswith(KIND))


def put_kind_away(store: DatasetStore, kind: str, *, away: bool = True) -> None:
    """Show no finding of a kind any more, or show them again."""
    if away:
        put_away(store, KIND + kind, "dismissed")
        return
    with store.transaction(write=True) as connection:
        connection.execute("DELETE FROM dismissed WHERE finding = ?", (KIND + kind,))


def put_away(store: DatasetStore, finding: str, how: str) -> None:
    """Do not show a finding any more; ``how``: ``dismissed`` or ``accepted``."""
    with store.transaction(write=True) as connection:
        connection.execute("INSERT OR REPLACE INTO dismissed VALUES (?, ?, ?)", (finding, how, stamp()))
