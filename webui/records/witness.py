"""見證碼: the number and twenty digits of an entry's hash, short enough for a picture, a chat or a slip of paper.

The hash covers every entry before it. Whoever keeps a code can hold it against the records later: a chain that was
written again, with all hashes right, has other digits. Twenty digits cannot be hit by trying.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from webui.store.chain import Entry
from webui.store.store import View

DIGITS, GROUP = 20, 5
_CODE = re.compile(rf"\D*?(\d{{1,12}})[-\s]+((?:\d[-\s]*){{{DIGITS}}})")
"""Also behind the words that a picture or a QR code has before it."""
LONGEST = 120
FITS, OTHER, MISSING, NO_CODE = "fits", "other", "missing", "no_code"
"""What became of a code: its entry is here; another entry has its number; no entry has; it is not a code."""


@dataclass(frozen=True, slots=True)
class Witnessed:
    """The outcome of a check: one of FITS, OTHER, MISSING and NO_CODE, with the number and, if it fits, the entry."""

    state: str
    seq: int = 0
    entry: Entry | None = None


def digits_of(hash_: str) -> str:
    """The digits of a hash.

    >>> digits_of("0" * 63 + "a")
    '00000000000000000010'
    """
    return f"{int(hash_, 16) % 10**DIGITS:0{DIGITS}}"


def code_of(entry: Entry) -> str:
    """The code of an entry, such as ``42-38104-22971-60412-11873``."""
    digits = digits_of(entry.hash)
    return "-".join([str(entry.seq), *(digits[at : at + GROUP] for at in range(0, DIGITS, GROUP))])


def check(view: View, code: str) -> Witnessed:
    """Hold a code against the chain, also against the numbers that merged entries had on their own device."""
    plain = _CODE.fullmatch(unicodedata.normalize("NFKC", code[:LONGEST]).strip())
    if plain is None:
        return Witnessed(NO_CODE)
    seq, digits = int(plain[1]), re.sub(r"\D", "", plain[2])
    here = view.at(seq)
    if here is not None and digits_of(here.hash) == digits:
        return Witnessed(FITS, seq, here)
    for device in view.of_kind("device"):
        for id_, (there, _, hash_) in (device.content.get("merged") or {}).get("origin", {}).items():
            if there == seq and digits_of(hash_) == digits:
                return Witnessed(FITS, seq, view.entry(id_))
    return Witnessed(MISSING if here is None else OTHER, seq, None)
