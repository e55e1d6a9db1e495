"""PaiTai scoring: Taiwanese 16-tile mahjong, its rule books, tallies and payments. Standard library only.

Each of these takes one request of the contract's form and gives JSON values; bad input gives ``error`` and
``problems``, never an exception. They import what they need when called, so that this import is quick.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scoring.answers import (
        AdviceAnswer,
        ChangesAnswer,
        ComparedAnswer,
        ReadyAnswer,
        RulingAnswer,
        ScoreAnswer,
        SeatsAnswer,
    )

__all__ = ["advise", "answer", "compare", "ready", "ruling", "seats", "summary", "what_if"]


def answer(request: Mapping[str, object], *, lang: str = "zh") -> ScoreAnswer:
    """算台: the response to one score request.

    request: in the form of docs/contract.md. lang: of the names and sentences, ``zh`` or ``en``.

    >>> hand = {"rules": "luohan", "concealed": "234m567p345s555m777z11z", "flowers": "1f", "winning_tile": "5s"}
    >>> said = {"win": "discard", "seat": "E", "round": "E", "dealer": "S", "discarder": "N"}
    >>> answer({**hand, **said})["transfers"]
    [{'from': 'N', 'to': 'E', 'tai': 3, 'points': 6}]
    >>> answer({**hand, **said, "seat": "X"}, lang="en")["problems"]
    ['seat: unknown value "X" (known: E, S, W, N)']
    """
    from scoring.api.responses import response

    return response.answer(request, lang=lang)


def summary(response: Mapping[str, object], *, lang: str = "zh", every: bool = False) -> str:
    """A response of any of these as the text that people read in a terminal.

    >>> print(summary(answer({"rules": "luohan", "concealed": "12m"}, lang="en"), lang="en").splitlines()[0])
    4 problems with this request: win: this key is missing
    """
    from scoring.api import terminal

    return terminal.summary(response, lang=lang, every=every)


def compare(request: Mapping[str, object], *, lang: str = "zh", books: Sequence[str] | None = None) -> ComparedAnswer:
    """並列: one hand under all books (or `books`: ids or files), with the differences by clause.

    >>> hand = {"concealed": "234m567p345s555m777z11z", "flowers": "1f", "winning_tile": "5s"}
    >>> said = {"win": "self_draw", "seat": "E", "round": "E", "dealer": "E"}
    >>> [one["response"]["tai"] for one in compare({**hand, **said}, books=["luohan", "common"])["books"]]
    [5, 5]
    """
    from scoring.api import compare as comparison

    return comparison.compare(request, lang=lang, books=books)


def what_if(request: Mapping[str, object], *, lang: str = "zh") -> ChangesAnswer:
    """如果: what each single change of the request would do to tai and payment.

    >>> hand = {"rules": "luohan", "concealed": "234m567p345s555m777z11z", "winning_tile": "5s"}
    >>> said = {"win": "discard", "seat": "E", "round": "E", "dealer": "S", "discarder": "N"}
    >>> what_if({**hand, **said}, lang="en")["changes"][0]["text"]
    'self-draw: 4 tai (+2), 22 points in all (+17)'
    """
    from scoring.api import what_if as switches

    return switches.what_if(request, lang=lang)


def ready(request: Mapping[str, object], *, lang: str = "zh") -> ReadyAnswer:
    """聽牌: for 16 tiles the waits with their tai, for 17 the waits that each discard leaves.

    >>> said = {"rules": "luohan", "seat": "E", "round": "E", "dealer": "S"}
    >>> [wait["tile"] for wait in ready({**said, "concealed": "234m567p34s555m777z11z"})["waits"]]
    ['2s', '5s']
    """
    from scoring.api import waits

    return waits.ready(request, lang=lang)


def advise(request: Mapping[str, object], *, lang: str = "zh") -> AdviceAnswer:
    """出牌建議: for 17 tiles what each discard leaves, the best first; for 16 what brings the hand on.

    The request is one of `ready`; ``seen`` in it: tiles that lie on the table for all to see.

    >>> said = {"rules": "luohan", "seat": "E", "round": "E", "dealer": "S", "seen": "2s2s2s5s"}
    >>> best = advise({**said, "concealed": "234m567p34s555m777z11z9p"})["discards"][0]
    >>> best["discard"], [(draw["tile"], draw["left"]) for draw in best["draws"]]
    ('9p', [('2s', 1), ('5s', 3)])
    """
    from scoring.advice import answer as advice

    return advice.advise(request, lang=lang)


def ruling(request: Mapping[str, object], *, lang: str = "zh") -> RulingAnswer:
    """裁決: the book's ruling on an incident at the table. The sentence comes in both languages.

    `lang`: the language of complaints about an unreadable request.

    >>> ruling({"rules": "luohan", "incident": "wrong_pung", "who": "S", "facts": {"done": False}})["say"]["en"]
    'wrong pung: South has a dead hand and cannot win this hand. The hand goes on.'
    """
    from scoring.rulings import answer as rulings

    return rulings.answer(request, lang=lang)


def seats(request: Mapping[str, object], *, lang: str = "zh") -> SeatsAnswer:
    """座位與骰子: the seats, the first dealer, the break in the wall, and the number of draws left.

    >>> seats({"rules": "luohan", "step": "east_place", "chair": 0, "throw": 11})["chair"]
    2
    """
    from scoring.rulings import seats as steps

    return steps.seats(request, lang=lang)
