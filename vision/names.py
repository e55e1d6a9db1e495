"""名字: which names are one on some disk, and which none may bear; for everything whose name a person chooses."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_DEVICES = re.compile(r"(?i)(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])\s*(\..*)?")


def name_key(name: str) -> str:
    """Names that some disk takes for one have one key: capital and small letters (Windows, macOS), composed accents.

    >>> name_key("Jade") == name_key("jade")
    True
    """
    return unicodedata.normalize("NFC", name.casefold())


def is_device(name: str) -> bool:
    """Whether Windows takes this name, with any ending, for a device, so that a file written there is lost.

    Source: Microsoft, "Naming Files, Paths, and Namespaces".

    >>> [is_device(name) for name in ("con", "Aux.txt", "lpt1", "console")]
    [True, True, True, False]
    """
    return _DEVICES.fullmatch(name) is not None


def spelled_otherwise(name: str, names: Iterable[str]) -> str | None:
    """The one of ``names`` that some disk confuses with ``name`` although it is spelled differently; None if none."""
    key = name_key(name)
    return next((other for other in names if other != name and name_key(other) == key), None)
