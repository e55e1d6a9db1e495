"""JSON 文字: requests as JSON text to responses as JSON text, as the command line and programs exchange them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from scoring.api.requests.request import Request, read_request
from scoring.api.responses.json_values import utf8, write
from scoring.api.responses.response import respond_json
from scoring.messages.complaints import BadRequest, Complaint, complaint, refusal
from scoring.tally.best import score

if TYPE_CHECKING:
    from scoring.answers import Refusal

Ask = Callable[..., "Refusal"]

__all__ = ["NotJson", "answer_json", "answer_text", "ask", "parse", "write"]


class NotJson(ValueError):
    """A text that is invalid JSON, or has a key twice; `complaint` names the place."""

    def __init__(self, reason: Complaint) -> None:
        super().__init__(reason.en)
        self.complaint = reason


def parse(text: str) -> Any:
    """The value of a JSON text. Raises NotJson, also for a repeated key in one object.

    >>> parse('{"base": 3}')
    {'base': 3}
    >>> parse('{"base": 3, "base": 5}')
    Traceback (most recent call last):
    ...
    scoring.api.json_text.NotJson: base: the key appears twice
    """
    try:
        value, end = _PLAIN_DECODER.raw_decode(text)
        if end == len(text) and text.count(":") == _keys_in(value):
            return value  # most texts: an equal number of keys and colons, so no key repeats; and no blanks around it
    except (ValueError, RecursionError):
        pass  # reported below
    try:
        return _DECODER.decode(text)
    except NotJson:
        raise
    except json.JSONDecodeError as error:
        raise NotJson(complaint("not_json", line=error.lineno, column=error.colno)) from error
    except RecursionError as error:
        raise NotJson(complaint("json_too_deep")) from error
    except ValueError as error:  # a whole number of thousands of digits
        raise NotJson(complaint("json_number_too_long")) from error


def _keys_in(request: object) -> int:
    """The number of keys in a request and its melds; -1 if the request or a meld is not an object."""
    if type(request) is not dict:
        return -1
    keys = len(request)
    melds = request.get("melds")
    if type(melds) is list:
        for meld in melds:
            if type(meld) is not dict:
                return -1
            keys += len(meld)
    return keys


def _object(pairs: list[tuple[str, Any]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise NotJson(complaint("key_twice", key=key[:60]))
            seen.add(key)
    return value


_DECODER = json.JSONDecoder(object_pairs_hook=_object)
_PLAIN_DECODER = json.JSONDecoder()


def ask(function: Ask, text: str, *, lang: str = "zh", explain: bool = False) -> Refusal:
    """The response of `scoring.answer` or a function like it to a request given as JSON text.

    `explain`: reasons are wanted unless the request has the key. Invalid JSON gives ``error`` and ``problems``.
    """
    try:
        request = parse(text)
    except NotJson as error:
        return _not_json(error, lang)
    if explain and isinstance(request, dict):
        request.setdefault("explain", True)
    return function(request, lang=lang)


def _not_json(error: NotJson, lang: str) -> Refusal:
    sentence = error.complaint.text(lang)
    return {"error": sentence, "problems": [sentence]}


def answer_text(text: str, *, lang: str = "zh") -> str:
    """What `scoring.answer` responds to one request, both as JSON text.

    >>> answer_text('{"rules": "luohan"')[:9]
    '{"error":'
    """
    return answer_json([text], lang)[0].decode()


def answer_json(texts: Sequence[str], lang: str = "zh") -> list[bytes]:
    """As `answer_text` of each, in UTF-8.

    All are read before the first is tallied, and tallied before the first response is written. Data that one step
    looks up is then in the processor's cache for the next request (docs/adr/0011-what-the-core-keeps.md).
    """
    asked = [_read(text, lang) for text in texts]
    results = [
        score(request.hand, request.context, request.plan) if isinstance(request, Request) else None
        for request in asked
    ]
    return [
        respond_json(request, result, lang) if isinstance(request, Request) and result else utf8(write(request))
        for request, result in zip(asked, results, strict=True)
    ]


def _read(text: str, lang: str) -> Request | Refusal:
    """The request, or the response that refuses it."""
    try:
        return read_request(parse(text))
    except NotJson as error:
        return _not_json(error, lang)
    except BadRequest as error:
        return refusal(error.complaints, lang)
