"""確認過的框成為樣本: a person's answers about labelled boxes become references of their scene's set.

A checked box is a reference of its name. A place that the model took for a tile becomes a reference of "no tile" if all
of the photo is checked and no box is left there. A later answer replaces an earlier one: each reference knows its box.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from vision.detection.coloured_light import in_white_light
from vision.geometry import covered
from vision.labelling.history.operations import earlier_labels
from vision.labelling.labels import Label, LabelledPhoto, is_checked
from vision.labelling.store import DatasetStore
from vision.messages import MessageError
from vision.models.manifest import NONE
from vision.photo.image import Photo
from vision.tileset.enrolment import crop_of, seen_whole
from vision.tileset.matcher import KNOWN_PROBABILITY
from vision.tileset.store import TileSetStore
from vision.tileset.values import OVER, SURELY_A_TILE, Reference, TileSet

ENOUGH, MOST = 2, 8
"""References of a tile that are stored however surely it was read, and the most of doubtful readings."""
MOST_GONE = 12
"""Most references of "no tile" from one photo."""
NAME_DIGITS = 16
"""The digits of a photo's SHA-256 that identify it."""


@dataclass(frozen=True)
class Said:
    """A person's answers about the boxes of one photo.

    ``confirmed`` boxes; ``gone``: boxes without a tile (None: not all of the photo is checked); the ids of all that are
    ``there``; ``before``: earlier names of boxes.
    """

    photo: str
    confirmed: tuple[Label, ...]
    gone: tuple[Label, ...] | None
    there: frozenset[str]
    before: dict[str, str]

    def as_tiles(self, tile_of: Callable[[str], str]) -> Said:
        """The same with the tiles that own names stand for, without boxes whose name stands for none."""
        tiles = [(label, tile_of(label.tile)) for label in self.confirmed]
        return replace(self, confirmed=tuple(replace(label, tile=tile) for label, tile in tiles if tile))

    def of(self, label: Label) -> str:
        """The code of a reference cut from that box."""
        return f"{self.prefix}{label.id}"

    @property
    def prefix(self) -> str:
        """The prefix of the names of all references of this photo."""
        return f"{self.photo[:NAME_DIGITS]}/"


def said_of(store: DatasetStore, photo: LabelledPhoto) -> Said:
    """A person's answers about the boxes of a photo, from its labels and their earlier revisions."""
    earlier = earlier_labels(store, photo.photo.id)
    before = {label.id: label.tile for label in reversed(earlier)}
    there = frozenset(label.id for label in photo.labels)
    gone = tuple(_gone(photo, earlier)) if is_checked(photo) and not photo.photo.hidden_backs else None
    confirmed = tuple(label for label in photo.labels if label.checked)
    return Said(photo.photo.id, confirmed, gone, there, before)


def _gone(photo: LabelledPhoto, earlier: tuple[Label, ...]) -> Iterator[Label]:
    """Unchecked boxes of the model at places without a box now; each place once."""
    places = [label.box.outline for label in photo.labels]
    by_people = {label.id for label in earlier if label.checked or label.origin != "model"}
    for label in earlier:
        of_model = label.id not in by_people and (label.confidence or 0.0) < SURELY_A_TILE
        if of_model and not any(covered(label.box.outline, place) > OVER for place in places):
            places.append(label.box.outline)
            yield label


def teach(store: TileSetStore, name: str, photo_labels: Said, decoded: Callable[[], Photo]) -> TileSet | None:
    """Update the set of that name, which may be new, with a person's answers about a photo; returns the set.

    Never raises, because labels are saved in any case; returns None then.

    Args:
        store: the tile sets.
        name: of the photo's set.
        photo_labels: the answers (:func:`said_of`).
        decoded: returns the photo; called only if something is new.
    """
    try:
        return store.change(name, lambda held: _taught(held, photo_labels, decoded), new=True)
    except (MessageError, OSError, ValueError) as error:
        logging.getLogger("paitai.vision").warning("set %s: labels not remembered: %s", name, error)
        return None


def _taught(held: TileSet, photo_labels: Said, decoded: Callable[[], Photo]) -> TileSet:
    kept = tuple(one for one in held.references if _still_said(one, photo_labels))
    known = {one.of for one in kept}
    counts = Counter(one.tile for one in kept)
    fresh: list[tuple[Label, str]] = []
    for label in photo_labels.confirmed:
        if photo_labels.of(label) not in known and _worth_it(label, photo_labels, counts[label.tile]):
            counts[label.tile] += 1
            fresh.append((label, label.tile))
    gone = [label for label in photo_labels.gone or () if photo_labels.of(label) not in known]
    fresh += [(label, NONE) for label in gone[:MOST_GONE]]
    added = tuple(_references(fresh, photo_labels, decoded())) if fresh else ()
    if len(kept) == len(held.references) and not added:
        return held
    return TileSet(held.name, kept, held.plants, held.numbers_only, held.plants_said).with_references(added)


def _still_said(reference: Reference, photo_labels: Said) -> bool:
    """Whether a reference agrees with the photo's current answers; references of other photos do."""
    if not reference.of.startswith(photo_labels.prefix):
        return True
    if reference.tile == NONE:
        if photo_labels.gone is None:
            return reference.of.removeprefix(photo_labels.prefix) not in photo_labels.there
        return any(photo_labels.of(label) == reference.of for label in photo_labels.gone)
    return any(
        photo_labels.of(label) == reference.of and label.tile == reference.tile for label in photo_labels.confirmed
    )


def _worth_it(label: Label, said: Said, references: int) -> bool:
    """Whether a box is worth a reference: a wrong or doubtful reading, or one of the first few of its tile.

    Two tiles of one art are separated by the references of both.
    """
    renamed = said.before.get(label.id, label.tile) != label.tile
    doubtful = label.confidence is None or label.confidence < KNOWN_PROBABILITY
    return references < (MOST if renamed or doubtful else ENOUGH)


def _references(fresh: list[tuple[Label, str]], photo_labels: Said, photo: Photo) -> Iterator[Reference]:
    """The crops of boxes that are seen whole, in white light."""
    height, width = photo.pixels.shape[:2]
    scale = np.array(photo.scale * 2)
    boxes = np.array([label.box.outline for label in photo_labels.confirmed], np.float64).reshape(-1, 4) / scale
    flags = seen_whole(boxes, (height, width))
    whole = {label.id: bool(flag) for label, flag in zip(photo_labels.confirmed, flags, strict=True)}
    pixels = in_white_light(photo.pixels, boxes)
    for label, tile in fresh:
        if whole.get(label.id, True):
            box = label.box
            (cx, cy), half = box.center, max(box.width, box.height) / 2
            square = np.array((cx - half, cy - half, cx + half, cy + half)) / scale
            yield Reference(tile, crop_of(pixels, [float(v) for v in square]), "correction", of=photo_labels.of(label))
