"""JSON 文字: requests as JSON text to responses as JSON text, as the command line and programs exchange them."""

import json
from collections.abc import Callable
from json.scanner import make_scanner
from typing import Any

from scoring.api.requests.form import (
    HAND_KEYS,
    KEYS,
    OCCASION_KEYS,
    Occasion,
    Request,
    read_form,
    read_occasion,
    read_with,
)
from scoring.api.responses.json_values import Response, utf8, write
from scoring.api.responses.response import answer, respond_json
from scoring.hands.tables.kept import Kept
from scoring.messages.complaints import Complaint, complaint

Ask = Callable[..., Response]

__all__ = ["NotJson", "answer_json", "answer_text", "ask", "parse", "write"]

_SCAN = make_scanner(json.JSONDecoder())  # type: ignore[arg-type] # as JSONDecoder itself calls it


class NotJson(ValueError):
    """A text that is no JSON, or has a key twice; `complaint` says where."""

    def __init__(self, reason: Complaint) -> None:
        super().__init__(reason.en)
        self.complaint = reason


def parse(text: str) -> Any:
    """The value of a JSON text. Raises NotJson, also for a key that stands twice in one object.

    >>> parse('{"base": 3}')
    {'base': 3}
    >>> parse('{"base": 3, "base": 5}')
    Traceback (most recent call last):
    ...
    scoring.api.json_text.NotJson: base: the key stands twice
    """
    try:
        return json.loads(text, object_pairs_hook=_object)
    except NotJson:
        raise
    except json.JSONDecodeError as error:
        raise NotJson(complaint("not_json", line=error.lineno, column=error.colno)) from error
    except RecursionError as error:
        raise NotJson(complaint("json_too_deep")) from error
    except ValueError as error:  # a whole number of thousands of digits
        raise NotJson(complaint("json_number_too_long")) from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise NotJson(complaint("key_twice", key=key[:60]))
            seen.add(key)
    return value


def ask(function: Ask, text: str, *, lang: str = "zh", explain: bool = False) -> Response:
    """The response of `scoring.answer` or another of its kind to a request given as JSON text.

    `explain`: reasons are wanted unless the request says otherwise. What is no JSON gives ``error`` and ``problems``.
    """
    try:
        request = parse(text)
    except NotJson as error:
        return {"error": error.complaint.text(lang), "problems": [error.complaint.text(lang)]}
    if explain and isinstance(request, dict):
        request.setdefault("explain", True)
    return function(request, lang=lang)


def answer_text(text: str, *, lang: str = "zh") -> str:
    """What `scoring.answer` responds to one request, both as JSON text: a good request in one go, by its form.

    >>> answer_text('{"rules": "luohan"')[:9]
    '{"error":'
    """
    return answer_json(text, lang).decode()


def answer_json(text: str, lang: str = "zh") -> bytes:
    """As `answer_text`, in UTF-8."""
    asked = _read_halves(text) or _read_whole(text)
    if asked:
        return respond_json(asked, lang)
    return utf8(write(ask(answer, text, lang=lang)))


_CUT = ', "win": '
"""Between the halves of a request: before it the hand, each time another; after it one of few occasions."""
_LONGEST_KEPT = 400


def _read_halves(text: str) -> Request | None:
    """A good request whose hand stands before its occasion, as the contract has them; None: any other.

    Two JSON objects, the one without its end and the other without its beginning, are one object with the keys of both.
    """
    hand, _, said = text.partition(_CUT)
    occasion = _OCCASIONS[said] if len(said) < _LONGEST_KEPT else None
    if occasion is None:
        return None
    hand += "}"
    request = _object_of(hand, HAND_KEYS)
    asked = read_with(request, occasion)
    return asked if asked and hand.count(":") == _colons(request) else None


def _read_whole(text: str) -> Request | None:
    request = _object_of(text, KEYS)
    asked = read_form(request)
    return asked if asked and text.count(":") == _colons(request) else None


def _occasion(said: str) -> Occasion | None:
    text = '{"win": ' + said
    request = _object_of(text, OCCASION_KEYS)
    occasion = read_occasion(request)
    return occasion if occasion and text.count(":") == _colons(request) else None


_OCCASIONS = Kept(_occasion, 1 << 12)


def _object_of(text: str, known: frozenset[str]) -> dict[str, Any]:
    """The value of a JSON text, where it is an object of no other keys; else an empty one."""
    try:
        value, end = _SCAN(text, 0)
    except (StopIteration, ValueError, RecursionError):  # no JSON, or none that Python reads
        return {}
    return value if end == len(text) and type(value) is dict and known.issuperset(value) else {}


def _colons(request: dict[str, Any]) -> int:
    """How many colons the JSON of a good request has, where no text of it has any; a key that stands twice is more."""
    colons = len(request)
    if melds := request.get("melds"):
        colons += 2 * len(melds)
    if overrides := request.get("overrides"):
        colons += len(overrides)
    return colons
