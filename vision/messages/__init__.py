"""句子: this package's messages for people, one catalog per language; code only knows keys.

Values of a message are numbers, texts or tile codes (``tile``, ``read``, ``tiles``, and ``changes``, pairs of a code
and its alternative), which are turned into names.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

from scoring.languages import comma, filled, language
from scoring.tiles import BACK, name


@cache
def catalog(lang: str) -> Mapping[str, str]:
    """All sentences of a language by key; what it does not have yet, of the language that it falls back to."""
    return load_catalog(__name__, language(lang).code)


def load_catalog(package: str, lang: str) -> Mapping[str, str]:
    """The catalog `lang`.toml of a package, over the catalog of the fallback language."""
    under = language(lang).falls_back
    file = resources.files(package).joinpath(f"{lang}.toml")
    own = tomllib.loads(file.read_text(encoding="utf-8")) if not under or file.is_file() else {}
    return {**load_catalog(package, under), **own} if under else own


OWN = "@"
"""The mark before a name that is no tile: a label set's own (``vision.labelling.own``)."""


def tile_name(code: str, lang: str) -> str:
    """中文 or English name of a tile code; ``back`` has one too. An own name is its own text."""
    if code.startswith(OWN):
        return code.removeprefix(OWN)
    return catalog(lang)["tile_back"] if code == BACK else name(code, lang)


@dataclass(frozen=True)
class Message:
    """One message: its key in the catalogs and its values."""

    key: str
    args: Mapping[str, Any] = field(default_factory=dict)

    def text(self, lang: str = "zh") -> str:
        """The sentence in ``zh`` or ``en``."""
        words = dict(self.args)
        for key in ("tile", "read"):
            if key in words:
                words[key] = tile_name(words[key], lang)
        if "tiles" in words:
            words["tiles"] = comma(lang).join(tile_name(code, lang) for code in words["tiles"])
        if "changes" in words:
            pairs = [f"{tile_name(old, lang)} → {tile_name(new, lang)}" for old, new in words["changes"]]
            words["changes"] = comma(lang).join(pairs)
        return filled(catalog(lang)[self.key], words)


class MessageError(Exception):
    """A refusal of this package, for people: ``key`` and ``args_`` select and fill a sentence of the catalogs."""

    def __init__(self, key: str, **args_: object) -> None:
        super().__init__(key, args_)
        self.key = key
        self.args_ = args_

    def message(self, lang: str = "zh") -> str:
        """The sentence in ``zh`` or ``en``: the fault, and the way out."""
        return Message(self.key, self.args_).text(lang)

    def __str__(self) -> str:
        return self.message("en")
