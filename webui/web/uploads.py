"""上傳: uploaded photos, and the sentence and status of a bad one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from flask import Flask, Request, request
from werkzeug.datastructures import FileStorage

from webui.i18n import Texts
from webui.web.errors import Refusal
from webui.web.extensions import services
from webui.web.line import Busy
from webui.web.services import NoModel
from webui.web.templates import wants_json

Result = TypeVar("Result")

READ = frozenset({"pages.shoot", "pages.hand", "api.read", "api.table", "whole_table.shoot"})
"""The views that read photos."""
SURELY_A_PHOTO = 500_000  # bytes of a form, which may be a board without any photo


def register(app: Flask) -> None:
    """Refuse photos before parsing them while the line is full."""
    app.before_request(refuse_when_full)


def refuse_when_full() -> None:
    """Raise Busy for a photo that would find no place; a page without scripts gets its answer with its hand on it."""
    if request.endpoint in READ and wants_json() and (request.content_length or 0) > SURELY_A_PHOTO:
        services().refuse_when_full()


def gone() -> Callable[[], bool]:
    """A function that returns whether the client has disconnected; always False if the server cannot tell."""
    asked: Callable[[], bool] = request.environ.get("waitress.client_disconnected", lambda: False)
    return asked


def ticket() -> str:
    """The client's name for this upload, to ask for its place in line; empty without one."""
    return request.headers.get("X-PaiTai-Ticket", "")[:64]


def uploaded(request: Request) -> list[FileStorage]:
    """Every `photo` that is a file with a name: a form has one field for the camera and one for files."""
    return [upload for upload in request.files.getlist("photo") if upload.filename]


def short_name(upload: FileStorage) -> str:
    """The file's name for display: no folder, not endless."""
    return (upload.filename or "").replace("\\", "/").rsplit("/", 1)[-1][:120] or "photo"


def guarded(action: Callable[[], Result], texts: Texts) -> Result:
    """Run `action()`; what it raises about photo or reader becomes a Refusal."""
    from vision.photo.image import PhotoError

    try:
        return action()
    except PhotoError as error:
        raise Refusal(error.message(texts.lang), 422) from None
    except (NoModel, Busy) as error:
        raise Refusal(error.text(texts), error.status, error.retry_after) from None
