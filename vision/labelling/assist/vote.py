"""表決: the meaning of unknown class names, by vote: the tile that the model sees in most crops of each name."""

from __future__ import annotations

import io
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vision.labelling.formats.foreign import ForeignLabel, ForeignPhoto
from vision.labelling.io.fitting import drawn_on, fitted
from vision.labelling.io.limits import LOCAL_LIMITS, Limits
from vision.labelling.io.planning.finding import PhotoFinder
from vision.labelling.io.planning.ignored import is_ignored, is_picture
from vision.labelling.io.planning.reading import foreign_photos
from vision.labelling.io.schemes import codes_of_numbers
from vision.labelling.io.sources import Source, open_source
from vision.labelling.labels import Box, LabelError
from vision.labelling.messages import LabellingError
from vision.labelling.quality.report import Report
from vision.models.manifest import CLASSES
from vision.photo.image import Photo, PhotoError, load_photo

if TYPE_CHECKING:
    from vision.detection.classifier import Classifier

CROPS = 3
"""Pictures of each name that a person is shown; all of them vote."""
A_PHOTO = 2
"""Most crops of a name from one photo, if other photos have the name too."""
MOST_PHOTOS = 60
"""Most photos that are decoded; fewer decide a list of names."""
SURE_SHARE = 0.8
"""Mean share from which a proposal is sure, if all crops agree."""
SIDE, ROOM = 96, 0.15
"""Longest side of a crop's picture, and what of its surroundings it shows."""


@dataclass(frozen=True)
class Ballot:
    """One name: the number of its boxes, some crops (JPEG), and the tile that the model sees in most of them with its
    mean share. The tile is "" if no model was asked. ``sure``: all crops agree. ``listed``: the name is a number of a
    list whose order is known."""

    name: str
    boxes: int
    tile: str = ""
    share: float = 0.0
    sure: bool = False
    crops: tuple[bytes, ...] = ()
    listed: bool = False


@dataclass
class _Urn:
    """The crops and votes of one name so far."""

    shares: list[Any] = field(default_factory=list)
    crops: list[bytes] = field(default_factory=list)


def vote(
    places: Sequence[Path], unknown: Mapping[str, int], classifier: Classifier | None, limits: Limits = LOCAL_LIMITS
) -> list[Ballot]:
    """A ballot for each unknown name, the surest first. Numbers that agree with an order in which lists are numbered
    are sure as a whole.

    Args:
        places: folders and zips.
        unknown: how many boxes bear each name.
        classifier: of the model; None: pictures only.
        limits: of the import.
    """
    urns = {name: _Urn() for name in unknown}
    for place in places:
        wanted = {name for name, urn in urns.items() if len(urn.crops) < CROPS}
        if wanted:
            try:
                with closing(open_source(place, Report(most=0), limits)) as source:
                    _fill(source, {name: urns[name] for name in wanted}, classifier)
            except LabellingError:
                continue  # the import itself reports the problem
    ballots = [_counted(name, unknown[name], urn) for name, urn in urns.items()]
    sure = {ballot.name: ballot.tile for ballot in ballots if ballot.sure}
    told = codes_of_numbers(sure, unknown)
    ballots = [
        replace(ballot, tile=told[ballot.name], sure=True, listed=True) if ballot.name in told else ballot
        for ballot in ballots
    ]
    return sorted(ballots, key=lambda ballot: (not ballot.sure, -ballot.share, -ballot.boxes, ballot.name))


def _fill(source: Source, urns: Mapping[str, _Urn], classifier: Classifier | None) -> None:
    """Add crops of the names from one folder or zip. Photos with most of the wanted names come first."""
    finder = PhotoFinder({path: path for path in source.paths if is_picture(path) and not is_ignored(path)}, {})
    by_photo: dict[str, list[tuple[ForeignPhoto, ForeignLabel]]] = defaultdict(list)
    met: Counter[str] = Counter()
    for foreign in foreign_photos(source, Report(most=0)):
        path = finder.find(foreign) if any(label.name in urns for label in foreign.labels) else None
        here: Counter[str] = Counter()
        for label in foreign.labels if path else ():
            if label.name in urns and here[label.name] < A_PHOTO and met[label.name] < MOST_PHOTOS and path:
                here[label.name] += 1
                met[label.name] += 1
                by_photo[path].append((foreign, label))
    for path in _worth_most(by_photo, urns):
        _crops_of(source, path, by_photo[path], urns, classifier)


def _worth_most(
    by_photo: Mapping[str, Sequence[tuple[ForeignPhoto, ForeignLabel]]], urns: Mapping[str, _Urn]
) -> Iterator[str]:
    """Photos one after the other, each the one with most names that lack crops; none that brings nothing."""
    left = set(by_photo)
    for _ in range(MOST_PHOTOS):
        lacking = {name for name, urn in urns.items() if len(urn.crops) < CROPS}
        worth = {path: len({label.name for _, label in by_photo[path]} & lacking) for path in left}
        best = max(sorted(worth), key=lambda path: worth[path], default="")
        if not best or not worth[best]:
            return
        left.discard(best)
        yield best


def _crops_of(
    source: Source,
    path: str,
    marked: Collection[tuple[ForeignPhoto, ForeignLabel]],
    urns: Mapping[str, _Urn],
    classifier: Classifier | None,
) -> None:
    """What one photo shows of the names.

    Args:
        source: the folder or zip.
        path: of the photo in it.
        marked: its labels, each with the file's word on the photo.
        urns: take pictures and shares.
        classifier: of the model; None: pictures only.
    """
    import numpy as np

    try:
        data = source.read(path)
        photo = load_photo(data)
    except (PhotoError, LabellingError):
        return
    boxes: list[tuple[str, Box]] = []
    for foreign, label in marked:
        try:
            drawn = drawn_on(foreign, data, photo.size)
            box = label.make(*drawn.size)[0]
            inside = (fitted(box, drawn, photo.size) if drawn.size != photo.size else box).clipped(*photo.size)
        except LabelError:
            continue
        if inside and len(urns[label.name].crops) < CROPS:
            boxes.append((label.name, inside))
            urns[label.name].crops.append(_picture(photo, inside))
    if classifier is None or not boxes:
        return
    sx, sy = photo.scale
    outlines = np.array([box.outline for _, box in boxes], dtype=np.float64) / (sx, sy, sx, sy)
    for (name, _), shares in zip(boxes, classifier.read(photo.pixels, outlines), strict=True):
        tiles = shares[: len(CLASSES)]
        urns[name].shares.append(tiles / max(float(tiles.sum()), 1e-9))


def _picture(photo: Photo, box: Box) -> bytes:
    from PIL import Image

    sx, sy = photo.scale
    x1, y1, x2, y2 = box.outline
    room = ROOM * max(x2 - x1, y2 - y1)
    height, width = photo.pixels.shape[:2]
    left, top = max(0, int((x1 - room) / sx)), max(0, int((y1 - room) / sy))
    right, bottom = min(width, int((x2 + room) / sx) + 1), min(height, int((y2 + room) / sy) + 1)
    part = Image.fromarray(photo.pixels[top:bottom, left:right])
    part.thumbnail((SIDE, SIDE))
    out = io.BytesIO()
    part.save(out, "JPEG", quality=80)
    return out.getvalue()


def _counted(name: str, boxes: int, urn: _Urn) -> Ballot:
    """The tile of most crops; if two are even, the one with the larger share."""
    import numpy as np

    if not urn.shares:
        return Ballot(name, boxes, crops=tuple(urn.crops))
    shares = np.array(urn.shares)
    mean, votes = shares.mean(axis=0), Counter(int(place) for place in shares.argmax(axis=1))
    best = max(votes, key=lambda place: (votes[place], mean[place]))
    share = float(mean[best])
    return Ballot(name, boxes, CLASSES[best], share, share >= SURE_SHARE and len(votes) == 1, tuple(urn.crops))
