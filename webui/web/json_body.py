"""JSON that a script or program sends, read within limits: what no page of ours would send is 400 with a sentence."""

from __future__ import annotations

import json
from typing import Any

from flask import request
from werkzeug.exceptions import RequestEntityTooLarge

from webui.web.errors import UserError

MOST_BYTES = 400_000
MOST_VALUES = 60_000
MOST_DEPTH = 20
LONGEST_TEXT = 5_000  # characters
LARGEST = 2**53  # beyond that, whole numbers are not whole any more in a browser


JsonObject = dict[str, Any]
"""A JSON object as it is read or will be written."""


def json_object(most_bytes: int = MOST_BYTES) -> JsonObject:
    """The JSON object of this request. Raises UserError for anything else, RequestEntityTooLarge for a longer one."""
    if request.content_length is not None and request.content_length > most_bytes:
        raise RequestEntityTooLarge
    data = request.get_data(cache=False)
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):  # not JSON, not UTF-8, a number of 5,000 digits, a thousand brackets
        raise UserError("error.not_json", 400) from None
    if not isinstance(value, dict) or not _is_sane(value):
        raise UserError("error.not_json", 400)
    return value


def _is_sane(value: object) -> bool:
    """Whether it could be handled and sent back: not deep, not endless, numbers that are numbers, text that is text."""
    left = MOST_VALUES
    open_values: list[tuple[object, int]] = [(value, 0)]
    while open_values:
        one, depth = open_values.pop()
        left -= 1
        if left < 0 or depth > MOST_DEPTH:
            return False
        if isinstance(one, dict):
            open_values += [(inner, depth + 1) for inner in (*one.keys(), *one.values())]
        elif isinstance(one, list):
            if len(one) > left:
                return False
            open_values += [(inner, depth + 1) for inner in one]
        elif isinstance(one, str):
            if len(one) > LONGEST_TEXT or (not one.isascii() and any("\ud800" <= letter <= "\udfff" for letter in one)):
                return False
        elif isinstance(one, float):
            if not abs(one) <= LARGEST:  # neither infinite nor NaN
                return False
        elif isinstance(one, int) and abs(one) > LARGEST:
            return False
    return True
