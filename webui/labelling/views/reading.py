"""The model's answers during labelling: a whole photo, the box at a point, tiles that may be missed, the boxes of the
frame before laid onto this one. Saves nothing."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from flask import g, request
from flask.typing import ResponseReturnValue

from vision.detection.filtering import certainty
from vision.detection.types import Detection
from vision.labelling.assist.follow import LIES_ON_IOU, follow
from vision.labelling.assist.snap import snap
from vision.labelling.history.dismissed import GUESS, kinds_away
from vision.labelling.labels import Box, Label, LabelError, LabelledPhoto, Point
from vision.labelling.own.names import UNNAMED, NameList
from vision.labelling.quality.calibration import Line, judged, keep_line, measured
from vision.labelling.quality.missed import missed, short_of_hand
from vision.labelling.store import DatasetStore
from vision.models.manifest import CLASSES, SURE
from vision.photo.image import PhotoError
from webui.labelling import paths
from webui.labelling.renewal import decoded
from webui.labelling.views.blueprint import Views
from webui.labelling.views.memory import reading_set, renewals
from webui.web.extensions import services as the_services
from webui.web.json_body import JsonObject, json_object
from webui.web.line import Busy
from webui.web.services import NoModel, Services

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vision.detection.types import Detection
    from vision.reading.pipeline import Reader

views = Views()
LABEL_BYTES = 1_000_000
AGAIN_SAVES = 25
"""The number of saves after which the line of confidence is measured again."""


FARTHEST_PIXELS = 1_000_000
"""The largest distance of a box's corner from the photo's, in pixels."""


@views.post("/<name>/<id_>/read")
def read(name: str, id_: str) -> ResponseReturnValue:
    """The model's labels: of the whole photo, of the ``box`` or the ``point`` that was sent, or of the tiles that the
    labels sent as ``missed`` lack. With ``follow``: another photo's labels, laid onto this one."""
    store = paths.open_set(name)
    services = the_services()
    sent = json_object(LABEL_BYTES) if request.content_length else {}
    try:
        if "point" in sent:
            return _at_point(services, store, name, id_, sent)
        if "box" in sent:
            return {"names": _names_in(services, store, name, id_, sent["box"])}
        if "missed" in sent:
            return _missed(services, store, id_, sent["missed"])
        if "follow" in sent:
            return _followed(services, store, name, id_, str(sent["follow"]))
        photo = store.get(id_)
        _, reading = services.read(store.photo_file(photo.photo).read_bytes(), choose_set=reading_set(store, photo))
    except Busy:
        return {"error": g.texts("label.say.waiting")}, 503
    except NoModel as error:
        return {"error": error.text(g.texts)}, 503
    except LabelError as error:
        return {"error": g.texts("label.bad_label", reason=error.message(g.texts.lang))}, 400
    except (PhotoError, OSError) as error:
        reason = error.message(g.texts.lang) if isinstance(error, PhotoError) else str(error)
        return {"error": reason}, 422
    labels = _as_labels(reading.detections, photo.photo.size, store.names)
    fresh = renewals().labels(store, LabelledPhoto(photo.photo, tuple(labels)))
    return {"labels": [label.to_json() for label in fresh]}


def _as_labels(detections: Iterable[Detection], size: tuple[int, int], names: NameList) -> list[Label]:
    """The model's detections as unchecked labels."""
    from vision.labelling.quality.examine import box_of

    labels = []
    for detection in detections:
        box = box_of(detection, size)
        if box:
            labels.append(names.of_model(Label(detection.tile, box, "model", certainty(detection))))
    return labels


@functools.lru_cache(maxsize=8)
def _seen(reader: Reader, file: Path) -> tuple[Detection, ...]:
    from vision.labelling.quality.examine import all_seen

    return all_seen(reader, decoded(file))


def _box(values: object) -> Box | None:
    if not (isinstance(values, list) and len(values) >= 4 and all(isinstance(value, int | float) for value in values)):
        return None
    if not all(map(math.isfinite, values)) or max(map(abs, values)) > FARTHEST_PIXELS:
        return None
    if min(values[2] - values[0], values[3] - values[1]) < 4:
        return None
    return Box(*values[:5])


def _names_in(services: Services, store: DatasetStore, name: str, id_: str, values: object) -> list[tuple[str, float]]:
    """The likeliest tiles in a box, taken that it is one."""
    import numpy as np

    if not store.names.tiles:
        return []
    reader, labelled = services.reader(), store.get(id_)
    box, classifier, info = _box(values), getattr(reader, "classifier", None), labelled.photo
    box = box and box.clipped(*info.size)
    if classifier is None or box is None:
        return []
    photo = decoded(store.photo_file(info))
    sx, sy = photo.scale
    outline = np.array([box.outline], dtype=np.float64) / (sx, sy, sx, sy)
    shares = classifier.read(photo.pixels, outline)
    matcher = services.matcher(reader, reading_set(store, labelled))
    shares = (matcher.decide(photo.pixels, outline, shares).probabilities if matcher else shares)[0][: len(CLASSES)]
    shares = shares / max(float(shares.sum()), 1e-9)
    best = np.argsort(-shares, kind="stable")[:4]
    return [(CLASSES[place], round(float(shares[place]), 4)) for place in best]


def _at_point(services: Services, store: DatasetStore, name: str, id_: str, sent: Mapping[str, object]) -> JsonObject:
    """The box of the tile at a point, about as large as the one sent, and its likeliest names."""
    expected, at = _box(sent.get("box")), sent.get("point")
    if not (expected and isinstance(at, list) and len(at) == 2 and all(isinstance(value, int | float) for value in at)):
        raise LabelError("fields_wrong", fields="point, box")
    point: Point = (float(at[0]), float(at[1]))
    info, detector = store.get(id_).photo, getattr(services.reader(), "detector", None)
    snapped = None
    if detector is not None and not expected.angle:
        photo = decoded(store.photo_file(info))
        snapped = snap(detector, photo.pixels, photo.scale, point, expected)
    box = (snapped or expected).clipped(*info.size) or expected
    values = [box.x1, box.y1, box.x2, box.y2, box.angle]
    return {"box": values, "snapped": snapped is not None, "names": _names_in(services, store, name, id_, values)}


def _missed(services: Services, store: DatasetStore, id_: str, sent: object) -> JsonObject:
    """Places that look like tiles but have no label; and whether a hand is one short."""
    labels = [Label.from_json(label) for label in sent] if isinstance(sent, list) else []
    reader, file, own = services.reader(), store.photo_file(store.get(id_).photo), store.names.own
    classifier = getattr(reader, "classifier", None)
    if classifier is None or not labels or GUESS in kinds_away(store):
        return {"missed": [], "short": not own and short_of_hand(labels)}
    photo = decoded(file)
    places = missed(labels, photo.size, photo.pixels, photo.scale, classifier, seen=_seen(reader, file))
    found = [place.to_json() | ({"tile": UNNAMED} if not store.names.tiles else {}) for place in places]
    return {"missed": found, "short": not own and short_of_hand(labels)}


def _followed(services: Services, store: DatasetStore, name: str, id_: str, before: str) -> JsonObject:
    """The labels of the frame before for the tiles that are still there, and the model's labels for new tiles."""
    first, second = store.get(before), store.get(id_)
    _, reading = services.read(store.photo_file(second.photo).read_bytes(), choose_set=reading_set(store, second))
    pictures = [decoded(store.photo_file(frame.photo)) for frame in (first, second)]
    followed = follow(first.labels, pictures[0], pictures[1], reading.detections)
    fresh = _as_labels(reading.detections, second.photo.size, store.names) if followed else []
    followed += [label for label in fresh if all(label.box.iou(other.box) < LIES_ON_IOU for other in followed)]
    return {"labels": [label.to_json() for label in followed]}


_lines: dict[Path, tuple[int, Line]] = {}


def line_of(store: DatasetStore) -> Line:
    """The confidence above which tiles of this set need no separate look, measured on its checked boxes."""
    with store.transaction() as connection:
        saves = int(connection.execute("SELECT count(*) FROM history").fetchone()[0])
    known = _lines.get(store.folder)
    if known and 0 <= saves - known[0] < AGAIN_SAVES:
        return known[1]
    services = the_services()
    try:
        models = getattr(services.reader(), "models", None)
    except (Busy, NoModel):
        models = None
    own = models.classifier.sure if models else SURE
    line = keep_line(store, own, measured(judged(store), own))
    _lines[store.folder] = saves, line
    return line
