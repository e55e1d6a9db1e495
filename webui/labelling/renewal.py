"""更新: after a tile was confirmed, the other boxes of its scene are named again by the scene's memory.

The boxes of the photo at hand are renewed in the answer to its save, those of the scene's other photos by a thread.
"""

from __future__ import annotations

import functools
import logging
import threading
from pathlib import Path
from typing import Any

from vision.labelling.assist.renew import Memory, Opinions, first_names, opinions, renewed, waiting
from vision.labelling.assist.scene_memory import memory_in_use
from vision.labelling.labels import Label, LabelledPhoto
from vision.labelling.store import Conflict, DatasetStore
from vision.messages import MessageError
from vision.photo.image import Photo, load_photo
from vision.pixels.values import Crops
from vision.tileset.store import TileSetStore
from webui.web.services import Services

MOST_AT_ONCE = 60
"""The most photos of a scene that are renewed after a save. Others are renewed when they are opened."""
OPINIONS_KEPT, SETTLED_KEPT, MEMORIES_KEPT = 96, 1000, 3
"""Photos whose crops and opinions stay in memory (about half a megabyte each), and photos of which it is known that the
present memory changes nothing more; and scenes whose memory is ready."""


@functools.lru_cache(maxsize=3)
def decoded(file: Path) -> Photo:
    """The photo of a file. The photo at hand is asked about again and again; the file's name is its content's hash."""
    return load_photo(file)


class Renewals:
    """Renews the unconfirmed boxes of a scene, with one thread for all scenes of a data folder."""

    def __init__(self, services: Services, sets: TileSetStore) -> None:
        self._services = services
        self._sets = sets
        self._lock = threading.Lock()
        self._work = threading.Lock()  # a memory learns and compares in one thread at a time
        self._memories: dict[tuple[Path, str, int], tuple[int, Memory]] = {}
        self._opinions: dict[tuple[str, tuple[str, ...]], Opinions] = {}
        self._asked: dict[tuple[Path, str], str] = {}
        self._settled: dict[str, tuple[int, tuple[Label, ...]]] = {}
        self._thread: threading.Thread | None = None

    def labels(self, store: DatasetStore, photo: LabelledPhoto) -> list[Label]:
        """The labels of a photo as the memory of its scene names the unconfirmed ones now. Saves nothing, never raises.

        `store`: the set; `photo`: one of its photos.
        """
        unchanged = list(photo.labels)
        boxes = waiting(photo.labels)
        if not boxes:
            return unchanged
        try:
            state = self._state(store, photo.photo.scene), tuple(boxes)
            if not state[0] or self._settled.get(photo.photo.id) == state:
                return unchanged
            with self._work:
                memory = self._memory(store, photo.photo.scene)
                if memory is None:
                    return unchanged
                fresh = renewed(photo.labels, first_names(store, photo), self._seen(store, photo, boxes), memory)
                codes = set(store.names.codes)  # the memory may know names that the list has no more
                fresh = [new if new.tile in codes else old for new, old in zip(fresh, photo.labels, strict=True)]
            with self._lock:
                self._settled[photo.photo.id] = state[0], tuple(waiting(fresh))
                while len(self._settled) > SETTLED_KEPT:
                    del self._settled[next(iter(self._settled))]
            return fresh
        except (MessageError, OSError, ValueError) as error:
            logging.getLogger("paitai.webui").warning("%s: not renewed: %s", photo.photo.name, error)
            return unchanged

    def renew(self, store: DatasetStore, photo: LabelledPhoto) -> tuple[LabelledPhoto, int]:
        """Save the renewed labels of a photo; the photo as it is then, and how many boxes changed. If somebody saves
        it meanwhile, theirs stays.

        `store`: the set; `photo`: one of its photos.
        """
        fresh = self.labels(store, photo)
        changed = sum(new != old for new, old in zip(fresh, photo.labels, strict=True))
        if not changed:
            return photo, 0
        try:
            return store.save(photo.photo.id, fresh, photo.photo.revision), changed
        except Conflict as conflict:
            return conflict.current, 0

    def soon(self, store: DatasetStore, scene: str, but: str) -> None:
        """Renew the other photos of a scene in the background.

        `store`: the set; `but`: the id of the photo at hand, which is left alone.
        """
        with self._lock:
            self._asked[store.folder, scene] = but
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="renewals", daemon=True)
                self._thread.start()

    def crops(self, store: DatasetStore, photo: LabelledPhoto) -> Crops:
        """The crops of the unconfirmed boxes of a photo, in their order. Raises MessageError or OSError.

        `store`: the set; `photo`: one of its photos.
        """
        with self._work:
            return self._seen(store, photo, waiting(photo.labels)).crops

    def wait(self) -> None:
        """Wait until all that was asked for is done."""
        thread = self._thread
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        while True:
            with self._lock:
                if not self._asked:
                    self._thread = None
                    return
                (folder, scene), but = self._asked.popitem()
            try:
                store = DatasetStore.open(folder)
                for photo in _others(store, scene, but):
                    self.renew(store, photo)
            except (MessageError, OSError) as error:  # the set was removed, or the disk is full
                logging.getLogger("paitai.webui").warning("%s: not renewed: %s", folder, error)

    def _state(self, store: DatasetStore, scene: str) -> int:
        """A number that differs when the memory of a scene differs; 0 if it has none."""
        place = memory_in_use(self._sets, store, scene)
        return TileSetStore(place[0]).state(place[1]) if place else 0

    def _memory(self, store: DatasetStore, scene: str) -> Memory | None:
        """The memory of a scene as it is now; None if there is none, or if the networks cannot compare tiles."""
        reader, place = self._services.reader(), memory_in_use(self._sets, store, scene)
        classifier: Any = getattr(reader, "classifier", None)
        if place is None or not hasattr(classifier, "describe"):
            return None
        held, key = TileSetStore(place[0]), (*place, id(classifier))
        state = held.state(place[1])
        before, memory = self._memories.pop(key, (0, None))
        memory = memory or Memory(classifier)
        if before != state:
            memory.learn(held.load(place[1]))
        self._memories[key] = state, memory
        while len(self._memories) > MEMORIES_KEPT:
            del self._memories[next(iter(self._memories))]
        return memory

    def _seen(self, store: DatasetStore, photo: LabelledPhoto, boxes: list[Label]) -> Opinions:
        """The networks' view of the waiting boxes of a photo; asked once for each box."""
        key = photo.photo.id, tuple(f"{label.id} {label.box}" for label in boxes)
        with self._lock:
            known = self._opinions.get(key)
        if known is None:
            picture = decoded(store.photo_file(photo.photo))
            classifier: Any = self._services.reader().classifier  # there is a memory only with one
            known = opinions(classifier, picture, boxes)
            with self._lock:
                self._opinions[key] = known
                while len(self._opinions) > OPINIONS_KEPT:
                    del self._opinions[next(iter(self._opinions))]
        return known


def _others(store: DatasetStore, scene: str, but: str) -> list[LabelledPhoto]:
    """Photos of a scene with unconfirmed boxes, in the list's order from the photo at hand on."""
    with store.transaction() as connection:
        query = "SELECT id FROM photos WHERE scene = ? AND unchecked > 0 ORDER BY name, id"
        ids = [str(row[0]) for row in connection.execute(query, (scene,))]
        at = connection.execute("SELECT name, id FROM photos WHERE id = ?", (but,)).fetchone()
        before = connection.execute(
            "SELECT count(*) FROM photos WHERE scene = ? AND unchecked > 0 AND (name, id) < (?, ?)",
            (scene, *(at or ("", ""))),
        ).fetchone()[0]
    turned = [id_ for id_ in [*ids[before:], *ids[:before]] if id_ != but]
    return [store.get(id_) for id_ in turned[:MOST_AT_ONCE]]
