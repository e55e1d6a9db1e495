"""JSON 文字: requests as JSON text to responses as JSON text, as the command line and programs exchange them."""

import json
from collections.abc import Callable
from typing import Any

from scoring.api.json_values import Response, write
from scoring.api.request_form import read_form
from scoring.api.response import answer, respond_text
from scoring.messages.complaints import Complaint, complaint

Ask = Callable[..., Response]

__all__ = ["NotJson", "answer_text", "ask", "parse", "write"]

_DECODER = json.JSONDecoder()


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
    asked = None
    try:
        request, end = _DECODER.raw_decode(text)
        if end == len(text) and type(request) is dict:
            asked = read_form(request)
    except (ValueError, RecursionError):  # no JSON, or none that Python reads
        pass
    if asked and text.count(":") == _colons(request):
        return respond_text(asked, lang)
    return write(ask(answer, text, lang=lang))


def _colons(request: dict[str, Any]) -> int:
    """How many colons the JSON of a good request has, where no text of it has any; a key that stands twice is more."""
    colons = len(request)
    if melds := request.get("melds"):
        colons += 2 * len(melds)
    if overrides := request.get("overrides"):
        colons += len(overrides)
    return colons
