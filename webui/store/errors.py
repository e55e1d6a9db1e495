"""The store's one error: a key and what stands in its sentence; whoever tells people has the words (``store.KEY``)."""

from __future__ import annotations


class StoreError(Exception):
    """What the store cannot do; the catalogs' ``store.KEY`` says what, and the way out."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key, values)
        self.key = key
        self.values = values

    def __str__(self) -> str:
        return f"{self.key} {self.values}"
