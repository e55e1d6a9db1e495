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
        value_inside, depth = open_values.pop()
        left -= 1
        if left < 0 or depth > MOST_DEPTH:
            return False
        if isinstance(value_inside, dict):
            open_values += [(inner, depth + 1) for inner in (*value_inside.keys(), *value_inside.values())]
        elif isinstance(value_inside, list):
            if len(value_inside) > left:
                return False
            open_values += [(inner, depth + 1) for inner in value_inside]
        elif isinstance(value_inside, str):
            if len(value_inside) > LONGEST_TEXT or (
                not value_inside.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value_inside)
            ):
                return False
        elif isinstance(value_inside, float):
            if not abs(value_inside) <= LARGEST:  # neither infinite nor NaN
                return False
        elif isinstance(value_inside, int) and abs(value_inside) > LARGEST:
            return False
    return True
