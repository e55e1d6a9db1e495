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


class EntryError(ValueError):
    """An entry that this version cannot read: its number, id, kind and time, and the fault of its content.

    `sentence` is the key of its sentence in the catalogs.
    """

    sentence = "store.unreadable_entry"

    def __init__(self, seq: int, id_: str, kind: str, at: str, what: str) -> None:
        super().__init__(f"entry {seq} ({kind}): {what}")
        self.values = {"seq": seq, "id": id_, "kind": kind, "at": at, "what": what}
