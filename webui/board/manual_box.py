"""補框: reads the tile in a box that a person drew on the photo."""

from __future__ import annotations

import re

from webui.board.corrections import Draw
from webui.board.limits import BoardError, Box
from webui.board.state import Board
from webui.i18n import Texts
from webui.web.errors import Refusal
from webui.web.services import Services
from webui.web.uploads import guarded

LEAST_PIXELS = 4  # pixels of the photo: a smaller box is a slip of the finger
_BOX = re.compile(r"(\d):(-?\d{1,6}),(-?\d{1,6}),(-?\d{1,6}),(-?\d{1,6})")


def read_box(services: Services, board: Board, text: str, texts: Texts) -> Draw:
    """The correction that adds the tile in `text`, ``SHOT:x1,y1,x2,y2``, named by the classifier.

    Raises BoardError for a bad box, Refusal if the photo or the classifier is missing.
    """
    match = _BOX.fullmatch(text)
    if match is None or int(match[1]) >= len(board.shots):
        raise BoardError(f"box {text!r}")
    number = int(match[1])
    width, height = board.shots[number].size
    xs, ys = sorted((int(match[2]), int(match[4]))), sorted((int(match[3]), int(match[5])))
    box = (float(max(0, xs[0])), float(max(0, ys[0])), float(min(width, xs[1])), float(min(height, ys[1])))
    if box[2] - box[0] < LEAST_PIXELS or box[3] - box[1] < LEAST_PIXELS:
        raise Refusal(texts("error.small_box"), 422)
    (tile, confidence), *others = _faces(services, board.shots[number].photo, (width, height), box, texts)
    shares = tuple((code, round(share, 3)) for code, share in others)
    return Draw(number, box, tile, round(confidence, 3), shares)


def _faces(
    services: Services, photo: str | None, size: tuple[int, int], box: Box, texts: Texts
) -> list[tuple[str, float]]:
    """(code, probability), best first, for the tile in the box."""
    import numpy as np

    from vision.detection.classifier import OTHERS
    from vision.models.manifest import CLASSES

    jpeg = services.shelf.get(photo) if photo else None
    if jpeg is None:
        raise Refusal(texts("error.photo_gone"), 422)
    kept = guarded(lambda: services.load_photo(jpeg), texts)
    classifier = guarded(services.reader, texts).classifier
    if classifier is None:
        raise Refusal(texts("error.no_model"), 503)
    height, width = kept.pixels.shape[:2]
    scale = np.array([width / size[0], height / size[1]] * 2)
    shares = classifier.read(kept.pixels, np.array([box]) * scale)[0][: len(CLASSES)]
    shares = shares / max(float(shares.sum()), 1e-9)
    best = np.argsort(-shares, kind="stable")[: OTHERS + 1]
    return [(CLASSES[place], float(shares[place])) for place in best]
