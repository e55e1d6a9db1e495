"""文字: the sentences of the page, one folder of TOML catalogs a language, 繁體中文 first."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from scoring.languages import filled, language

CATALOGS_DIR = Path(__file__).parent


def _flatten(table: Mapping[str, object], prefix: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for key, value in table.items():
        if isinstance(value, dict):
            flat.update(_flatten(value, f"{prefix}{key}."))
        else:
            flat[prefix + key] = str(value)
    return flat


@cache
def catalog(lang: str) -> Mapping[str, str]:
    """All texts of one language by dotted key, such as ``start.take``.

    What a language does not have yet stands there in the language that it falls back to.
    """
    under = language(lang).falls_back
    return MappingProxyType({**catalog(under), **own_texts(lang)}) if under else own_texts(lang)


@cache
def own_texts(lang: str) -> Mapping[str, str]:
    """The texts that a language has itself."""
    texts: dict[str, str] = {}
    for path in sorted((CATALOGS_DIR / lang).glob("*.toml")):
        texts.update(_flatten(tomllib.loads(path.read_text(encoding="utf-8"))))
    return MappingProxyType(texts)


class Texts:
    """The texts of one language: ``texts("start.take")``; a key that is not there raises KeyError."""

    def __init__(self, lang: str) -> None:
        self.language = language(lang)
        self.lang = self.language.code
        self._catalog = catalog(self.lang)

    @property
    def translated(self) -> tuple[int, int]:
        """How many texts of how many the language has itself; the rest stand in the one that it falls back to."""
        return len(own_texts(self.lang)), len(self._catalog)

    def __call__(self, key: str, /, **values: object) -> str:
        text = self._catalog[key]
        return filled(text, values) if values else text
