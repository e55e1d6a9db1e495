"""Parses fields of forms and addresses. Browsers send text, and any client may send any text."""

from __future__ import annotations

FULL_WIDTH = {0xFF10 + digit: str(digit) for digit in range(10)}
"""The digits of a Chinese keyboard."""


def whole(text: str | None, most: int) -> int | None:
    """The whole number from 0 to `most` that a text writes in plain or full-width digits; None for anything else.

    >>> whole("９", 20), whole(" 12 ", 20), whole("21", 20), whole("²", 20), whole("-1", 20), whole(None, 20)
    (9, 12, None, None, None, None)
    """
    digits = (text or "").strip().translate(FULL_WIDTH)
    if not (digits.isascii() and digits.isdigit()) or len(digits.lstrip("0")) > len(str(most)):
        return None
    number = int(digits)
    return number if number <= most else None


def page_number(text: str | None) -> int:
    """The requested page of a list, by default the first."""
    return max(1, whole(text, 999_999) or 1)


NAME_BYTES = 200
"""Bytes of a file's name that every system takes, with room for a suffix of ours (the most is 255)."""


def file_name(name: str, otherwise: str) -> str:
    """The name under which an uploaded file can be written: no folder, no control characters, not too many bytes.

    >>> file_name("C:/photos/台.JPG", "photo"), file_name("..", "photo")
    ('台.JPG', 'photo')
    >>> len(file_name("中" * 100 + ".jpg", "").encode())
    199
    """
    plain = name.replace("\\", "/").rsplit("/", 1)[-1]
    plain = "".join(letter for letter in plain if letter.isprintable()).strip(" ")
    stem, dot, suffix = plain.rpartition(".")
    if not dot or len(suffix) > 10 or not suffix.isascii():
        stem, suffix = plain, ""
    else:
        suffix = f".{suffix}"
    shortened = stem.encode("utf-8", "ignore")[: NAME_BYTES - len(suffix)].decode("utf-8", "ignore")
    return f"{shortened}{suffix}" if shortened.strip(".") else otherwise
