"""上傳: an uploaded photo to a board, or the sentence and status for what went wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from flask import Request, Response, after_this_request
from werkzeug.datastructures import FileStorage

from webui.board.state import Board, Shot, from_reading
from webui.i18n import LANGUAGES, Texts
from webui.web.services import Busy, NoModel, Services, preview


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


def board_of_uploads(services: Services, uploads: Sequence[FileStorage], texts: Texts) -> Board:
    """The board of one photo, or of several photos of one hand; raises Refusal."""
    return board_of_readings(*read_photos(services, [(short_name(one), one.read()) for one in uploads], texts))


def board_of_sample(services: Services, texts: Texts) -> Board:
    """The board of the shipped sample photo; raises Refusal."""
    from vision.photo.sample import sample_photo_path

    path = sample_photo_path()
    return board_of_readings(*read_photos(services, [(path.name, path.read_bytes())], texts))


def read_photos(services: Services, files: Sequence[tuple[str, bytes]], texts: Texts) -> tuple[list[Any], list[Shot]]:
    """Readings of photos (name, bytes), and the photos as they are kept on the shelf.

    Raises Refusal; what is wrong with one of several is said with its name.
    """
    readings, shots = [], []
    for name, data in files:
        try:
            photo, reading = guarded(partial(services.read, data), texts)
        except Refusal as refusal:
            if len(files) == 1:
                raise
            raise Refusal(texts("error.one_photo", name=name, reason=refusal.sentence), refusal.status) from None
        readings.append(reading)
        shots.append(Shot(services.shelf.put(preview(photo)), name, reading.size))
    return readings, shots


def board_of_readings(readings: Sequence[Any], shots: Sequence[Shot]) -> Board:
    """The board of readings of one hand and their photos."""
    from vision.multiview.merge import merge

    reading = merge(readings)
    return from_reading({lang: reading.to_json(shots[0].name, lang) for lang in LANGUAGES}, shots)
