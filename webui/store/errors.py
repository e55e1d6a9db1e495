"""The store's one error: a key and the values of its sentence. The page's catalogs have the words (``store.KEY``)."""

from __future__ import annotations


class StoreError(Exception):
    """A failure of the store. The catalogs' ``store.KEY`` names it and the way out."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key, values)
        self.key = key
        self.values = values

    def __str__(self) -> str:
        return f"{self.key} {self.values}"
