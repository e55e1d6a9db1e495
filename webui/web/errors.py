"""Answers for requests that fail: one sentence with the way out, and a status. Nothing changed.

`UserError` is the root of the page's own errors. `register` turns it, errors of the packages below and unforeseen
errors into an answer; scripts and programs get JSON.
"""

from __future__ import annotations

import errno
import logging
from pathlib import PurePath
from typing import Any

from flask import Flask, Response, current_app, g, has_request_context, jsonify, make_response, request
from flask.globals import request_ctx
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from scoring.languages import LANGUAGES
from scoring.rulebook.loading import RuleBookError
from vision.messages import MessageError
from webui.i18n import Texts
from webui.store.errors import EntryError, StoreError
from webui.web.templates import page_error, wants_json

KNOWN_STATUSES = {400: "bad_form", 403: "cross_site", 404: "not_found", 405: "method"}
"""Werkzeug's statuses that have their own sentence."""

NOT_OURS = frozenset({"backup_damaged", "backup_newer", "backup_other"})
"""Errors about a file that was sent: sending it again does not help."""

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""System errors for a full disk."""
NOT_ALLOWED = (errno.EACCES, errno.EPERM, errno.EROFS)
"""System errors for a file that may not be written, or (Windows) that another program holds open."""


class UserError(Exception):
    """A request that cannot be done: the key of its sentence, the HTTP status, and the sentence's values.

    `retry_after`: seconds until another try is worthwhile, None if it is not.
    """

    def __init__(self, key: str, status: int = 422, *, retry_after: int | None = None, **values: object) -> None:
        super().__init__(key)
        self.key = key
        self.status = status
        self.retry_after = retry_after
        self.values: dict[str, object] = values

    def text(self, texts: Texts) -> str:
        """The sentence."""
        return texts(self.key, **self.values)


class NotDone(UserError):
    """A form that cannot be carried out in the present state (409 by default)."""

    def __init__(self, key: str, status: int = 409, **values: object) -> None:
        super().__init__(key, status)
        self.values = values


class Refused(UserError):
    """A request that is refused whatever it asks for: another site, another host, an unpaired phone."""

    def __init__(self, status: int, key: str) -> None:
        super().__init__(key, status)


class Refusal(UserError):
    """An upload that cannot be read; its sentence is a whole one already."""

    def __init__(self, sentence: str, status: int, retry_after: int | None = None) -> None:
        super().__init__("", status, retry_after=retry_after)
        self.sentence = sentence

    def text(self, texts: Texts) -> str:
        """The sentence."""
        return self.sentence


def store_sentence(error: StoreError, texts: Texts) -> str:
    """The sentence of a store error, in the page's language. Only this computer learns the folders of a path."""
    values = dict(error.values)
    if has_request_context() and not g.get("local"):
        values |= {key: PurePath(str(values[key])).name for key in ("place", "file") if key in values}
    return texts(f"store.{error.key}", **values)


def entry_sentence(error: EntryError, texts: Texts) -> str:
    """The sentence of an entry that cannot be read, in the page's language."""
    return texts(error.sentence, **error.values)


def register(app: Flask) -> None:
    """Turn every error of a request into an answer."""
    app.register_error_handler(UserError, _user_error)
    app.register_error_handler(StoreError, _store_error)
    app.register_error_handler(EntryError, lambda error: answer(entry_sentence(error, _texts()), 422))
    app.register_error_handler(RuleBookError, lambda error: answer(error.message(_texts().lang), 422))
    app.register_error_handler(MessageError, lambda error: answer(error.message(_texts().lang), 422))
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(OSError, _os_error)
    app.register_error_handler(Exception, _unforeseen)


def answer(sentence: str, status: int, retry_after: int | None = None) -> Response:
    """One sentence, as JSON or as a page."""
    if wants_json():
        response: Response = jsonify({"error": sentence, "problems": [sentence]})
    elif request_ctx.url_adapter is None:  # a Host header with which no address can be written
        response = Response(sentence, mimetype="text/plain")
    else:
        g.setdefault("texts", _texts())
        response = make_response(page_error(sentence))
    response.status_code = status
    if retry_after is not None:
        response.headers["Retry-After"] = str(retry_after)
    return response


def too_large(texts: Texts) -> str:
    """The sentence for an upload over the limit."""
    return texts("error.too_large", limit=int(current_app.config["MAX_CONTENT_LENGTH"] / 1_000_000))


def _texts() -> Texts:
    return g.texts if "texts" in g else Texts(LANGUAGES[0])


def _user_error(error: UserError) -> Response:
    return answer(error.text(_texts()), error.status, error.retry_after)


def _store_error(error: StoreError) -> Response:
    if error.key in NOT_OURS:
        return answer(store_sentence(error, _texts()), 422)
    return answer(store_sentence(error, _texts()), 503, 3 if error.key == "busy" else None)


def _http_error(error: HTTPException) -> Any:
    code = error.code or 500
    if code < 400:  # a redirect
        return error
    if code == 404 and request.endpoint and "store_trouble" in g:  # the store cannot tell whether it exists
        return _store_error(g.store_trouble)
    texts = _texts()
    if isinstance(error, RequestEntityTooLarge):
        sentence = too_large(texts)
    else:
        sentence = texts(f"error.{KNOWN_STATUSES.get(code, 'bad_form' if code < 500 else 'server')}")
    response = answer(sentence, code)
    allow = error.get_response().headers.get("Allow")
    if allow:
        response.headers["Allow"] = allow
    return response


def _os_error(error: OSError) -> Response:
    """A full or read-only disk gets its own sentence; any other error is ours."""
    if error.errno not in (*NO_ROOM, *NOT_ALLOWED):
        return _unforeseen(error)
    logging.getLogger("paitai.webui").warning("%s %s: %s", request.method, request.path, error)
    reason = error.strerror or str(error)
    if error.errno in NO_ROOM:
        return answer(_texts()("error.disk", reason=reason), 507)
    return answer(_texts()("error.held", file=_named_in(error), reason=reason), 507)


def _named_in(error: OSError) -> str:
    """The file's name without its folders, which are private to this computer."""
    path = error.filename2 or error.filename
    return PurePath(path).name if isinstance(path, str) else "—"


def _unforeseen(error: Exception) -> Response:
    """Logged with its trace, shown without one."""
    logging.getLogger("paitai.webui").error("%s %s failed", request.method, request.path, exc_info=error)
    return answer(_texts()("error.server"), 500)
