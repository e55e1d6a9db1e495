"""上傳: uploaded photos, and the sentence and status for what is wrong with one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from flask import Request, Response, after_this_request
from werkzeug.datastructures import FileStorage

from webui.i18n import Texts
from webui.web.services import Busy, NoModel


@dataclass(frozen=True, slots=True)
class Refusal(Exception):
    """An upload that cannot be read: one sentence and the HTTP status."""

    sentence: str
    status: int


def uploaded(request: Request) -> list[FileStorage]:
    """Every `photo` that is a file with a name: a form has one field for the camera and one for files."""
    return [one for one in request.files.getlist("photo") if one.filename]


def short_name(upload: FileStorage) -> str:
    """The file's name for display: no folder, not endless."""
    return (upload.filename or "").replace("\\", "/").rsplit("/", 1)[-1][:120] or "photo"


def guarded(action: Any, texts: Texts) -> Any:
    """Run `action()`; what it raises about photo or reader becomes a Refusal."""
    from vision.photo.image import PhotoError

    try:
        return action()
    except PhotoError as error:
        raise Refusal(error.message(texts.lang), 422) from None
    except NoModel:
        raise Refusal(texts("error.no_model"), 503) from None
    except Busy as busy:
        after_this_request(partial(_come_again, busy.seconds))
        raise Refusal(texts("error.busy"), 503) from None


def _come_again(seconds: int, answer: Response) -> Response:
    answer.headers["Retry-After"] = str(seconds)
    return answer
