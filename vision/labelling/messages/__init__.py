"""句子: the sentences of the workbench, one catalog per language; the same form as ``vision.messages``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from scoring.languages import filled, in_language, language
from vision.messages import MessageError, load_catalog, tile_name


@cache
def catalog(lang: str) -> Mapping[str, str]:
    """All sentences of a language by key; what it does not have yet, of the language that it falls back to."""
    return load_catalog(__name__, language(lang).code)


@dataclass(frozen=True)
class Message:
    """One sentence: its key and its values. ``tile`` and ``read`` are codes, shown by name. An error, a sentence or
    a text by language among the values is shown in the sentence's language."""

    key: str
    args: Mapping[str, Any] = field(default_factory=dict)

    def text(self, lang: str = "zh") -> str:
        """In ``zh`` or ``en``."""
        words = {name: _word(name, value, lang) for name, value in self.args.items()}
        return filled(catalog(lang)[self.key], words)


def _word(name: str, value: Any, lang: str) -> object:
    if name in ("tile", "read"):
        return f"{tile_name(value, lang)} ({value})"
    if isinstance(value, Mapping):
        return in_language(value, lang)
    if isinstance(value, Message):
        return value.text(lang)
    return value.message(lang) if isinstance(value, MessageError) else value


def shown(value: Any) -> str:
    """A foreign value in a sentence: a text as it is, others as Python writes them, not more than 60 characters.

    >>> shown("3p"), shown([1, None])
    ('3p', '[1, None]')
    """
    return (value if isinstance(value, str) else repr(value))[:60]


class LabellingError(MessageError):
    """Raised when the workbench refuses a request; ``message(lang)`` names the thing and the way out."""

    def message(self, lang: str = "zh") -> str:
        """The sentence in ``zh`` or ``en``."""
        return Message(self.key, self.args_).text(lang)
