"""The store's one error: a sentence in either language, by its key in the page's catalogs."""

from __future__ import annotations


class StoreError(Exception):
    """What the store cannot do; ``message(lang)`` says what, and the way out."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key, values)
        self.key = key
        self.values = values

    def message(self, lang: str) -> str:
        """The sentence."""
        from webui.i18n import Texts

        return Texts(lang)(f"store.{self.key}", **self.values)

    def __str__(self) -> str:
        return self.message("en")
