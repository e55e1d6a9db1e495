"""上傳: uploaded photos, and the sentence and status for what is wrong with one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from flask import Request
from werkzeug.datastructures import FileStorage

from webui.i18n import Texts
from webui.web.errors import Refusal
from webui.web.services import Busy, NoModel

Result = TypeVar("Result")


def uploaded(request: Request) -> list[FileStorage]:
    """Every `photo` that is a file with a name: a form has one field for the camera and one for files."""
    return [one for one in request.files.getlist("photo") if one.filename]


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
