"""PaiTai scoring: Taiwanese 16-tile mahjong, its rule books, tallies and payments. Standard library only.

`answer` takes one request and gives its response (see the contract), `summary` writes a response for people to read.
"""

from collections.abc import Mapping
from typing import Any

__all__ = ["answer", "summary"]


def answer(request: Mapping[str, Any], *, lang: str = "zh") -> dict[str, Any]:
    """The response to one score request; bad input gives ``error`` and ``problems``, never an exception."""
    from scoring import answers

    return answers.answer(request, lang=lang)


def summary(response: Mapping[str, Any], *, lang: str = "zh") -> str:
    """A response as the text that people read in a terminal."""
    from scoring import reports

    return reports.summary(response, lang=lang)
