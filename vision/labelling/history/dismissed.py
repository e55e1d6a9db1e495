"""Findings of the health check that a person put away for good, or carried out."""

from __future__ import annotations

from vision.labelling.store import DatasetStore, stamp

GUESS = "guess"
"""What places that may be missed are called beside the canvas, where they are put away."""
KIND = "kind:"
"""In front of a kind's name where all of its findings are put away."""


def dismissed(store: DatasetStore) -> frozenset[str]:
    """The keys of the findings that are not shown any more."""
    with store.transaction() as connection:
        return frozenset(str(row[0]) for row in connection.execute("SELECT finding FROM dismissed"))


def kinds_away(store: DatasetStore) -> frozenset[str]:
    """The kinds of which nothing is shown any more; ``guess``: places that may be missed, beside the canvas."""
    return frozenset(key.removeprefix(KIND) for key in dismissed(store) if key.startswith(KIND))


def put_kind_away(store: DatasetStore, kind: str, away: bool = True) -> None:
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
