"""Findings of the health check that a person put away for good, or carried out."""

from __future__ import annotations

from vision.labelling.store import DatasetStore, stamp


def dismissed(store: DatasetStore) -> frozenset[str]:
    """The keys of the findings that are not shown any more."""
    with store.transaction() as connection:
        return frozenset(str(row[0]) for row in connection.execute("SELECT finding FROM dismissed"))


def put_away(store: DatasetStore, finding: str, how: str) -> None:
    """Do not show a finding any more; ``how``: ``dismissed`` or ``accepted``."""
    with store.transaction(write=True) as connection:
        connection.execute("INSERT OR REPLACE INTO dismissed VALUES (?, ?, ?)", (finding, how, stamp()))
