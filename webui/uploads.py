"""上傳: an uploaded photo to a board, or the sentence and status for what went wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import Request
from werkzeug.datastructures import FileStorage

from webui.services import Busy, NoModel, Services
from webui.texts import Texts


@dataclass(frozen=True, slots=True)
class Refusal(Exception):
    """An upload that cannot be read: one sentence and the HTTP status."""

    sentence: str
    status: int


def uploaded(request: Request) -> FileStorage | None:
    """The first `photo` that is a file with a name: a form has one field for the camera and one for files."""
    return next((one for one in request.files.getlist("photo") if one.filename), None)


def short_name(upload: FileStorage) -> str:
    """The file's name for display: no folder, not endless."""
    return (upload.filename or "").replace("\\", "/").rsplit("/", 1)[-1][:120] or "photo"


def guarded(action: Any, texts: Texts) -> Any:
    """Run `action()`; what it raises about photo or reader becomes a Refusal."""
    from vision.image import PhotoError

    try:
        return action()
    except PhotoError as error:
        raise Refusal(error.message(texts.lang), 422) from None
    except NoModel:
        raise Refusal(texts("error.no_model"), 503) from None
    except Busy:
        raise Refusal(texts("error.busy"), 503) from None


def board_of_upload(services: Services, upload: FileStorage, texts: Texts) -> Any:
    """The board of an uploaded photo; raises Refusal."""
    data = upload.read()
    return guarded(lambda: services.read_board(data, short_name(upload)), texts)


def board_of_sample(services: Services, texts: Texts) -> Any:
    """The board of the shipped sample photo; raises Refusal."""
    from vision.sample import sample_photo_path

    path = sample_photo_path()
    return guarded(lambda: services.read_board(path.read_bytes(), path.name), texts)
