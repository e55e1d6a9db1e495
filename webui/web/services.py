"""What the page uses: the reader, the rules and the shelf of photos, each made once and safe for several threads."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scoring import Response
from webui.web.errors import UserError
from webui.web.photos import UNRECORDED, PhotoCache

if TYPE_CHECKING:
    from vision.messages import MessageError
    from vision.models.registry import ModelShelf
    from vision.tileset.enrolment import Enrolment
    from webui.i18n import Texts


class Busy(UserError):
    """Too many photos wait for the reader."""

    def __init__(self, seconds: int = 3) -> None:
        super().__init__("error.busy", 503, retry_after=seconds)


class NoModel(UserError):
    """The weights, or the library that runs them, are not there or not whole; `cause` says what is wrong."""

    def __init__(self, cause: MessageError) -> None:
        super().__init__("error.no_model", 503)
        self.cause = cause

    def text(self, texts: Texts) -> str:
        """The sentence. Of weights it names no file: where they lie is this computer's own business."""
        from vision.models.manifest import LibraryError

        return self.cause.message(texts.lang) if isinstance(self.cause, LibraryError) else super().text(texts)


LOOKS = 0.5
"""Seconds between two looks at whether somebody in line has gone."""


class Gone(UserError):
    """Whoever asked has gone: nobody will read this."""

    def __init__(self) -> None:
        super().__init__("error.busy", 503)


class Line:
    """Places for so many at once, safe for several threads: who came first is next, whoever else is quicker.

    `patience`: how long `turn` waits, in seconds; `most`: so many may wait for that, the next one is told at once.
    """

    def __init__(self, places: int, patience: float = 0, most: int = 1000) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[threading.Event] = deque()
        self._free = self._size = places
        self._patience, self._most = patience, most

    @property
    def free_slots(self) -> int:
        """How many places nobody has."""
        return self._free

    @property
    def waiting(self) -> int:
        """How many wait for a place."""
        return len(self._waiting)

    @property
    def size(self) -> int:
        """How many places there are."""
        return self._size

    def turn(self, gone: Callable[[], bool] = lambda: False) -> AbstractContextManager[None]:
        """A place of a line that has its own patience. Raises Busy, also where too many wait already, and Gone."""
        if not self.free_slots and self.waiting >= self._most:
            raise Busy(LONGEST_WAIT)
        return self.place(self._patience, LONGEST_WAIT, gone)

    @contextmanager
    def place(self, seconds: float = 0, again: int = 3, gone: Callable[[], bool] = lambda: False) -> Iterator[None]:
        """One of the places, for which to wait so long at most; Busy then, with `again` seconds to wait.

        `gone`: whether the one who waits has gone; Gone then.
        """
        self._take(seconds, again, gone)
        try:
            yield
        finally:
            with self._lock:
                if self._waiting:
                    self._waiting.popleft().set()  # the place goes on to the next one
                else:
                    self._free += 1

    def _take(self, seconds: float, again: int, gone: Callable[[], bool]) -> None:
        with self._lock:
            if self._free:
                self._free -= 1
                return
            called = threading.Event()
            self._waiting.append(called)
        until = time.monotonic() + seconds
        while not (left := gone()) and (rest := until - time.monotonic()) > 0:
            if called.wait(min(rest, LOOKS)):
                return
        with self._lock:
            if not called.is_set():
                self._waiting.remove(called)
                raise Gone if left else Busy(again)


LONGEST_LINE, FEW = 45.0, 10  # seconds that photos wait for each other; so many are let in however long that is
LONGEST_WAIT = 20  # seconds that anybody is asked to wait before coming again
IMPORT_WAIT, IMPORTS_IN_LINE = 60.0, 6  # seconds that uploads of labelled photos wait for each other; so many may
Upload = bytes | Callable[[], bytes]
"""A photo's bytes, or what gives them when its turn has come: until then a large one stays on the disk."""


class Services:
    """Made from the application's settings; the reader is loaded when it is first needed."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        self._config = config
        self._lock = threading.Lock()
        self._reader: Any = config["READER"]
        self._model: Path | None = None
        self._set: tuple[tuple[int, str, int], Any] | None = None
        self.choose_set: Callable[[], tuple[Path, str] | None] = lambda: None  # folder and name of the tile set in use
        self.line = Line(config["READS_IN_LINE"])
        self.frames = Line(config["FRAMES_IN_LINE"])
        self.turns = Line(config["READS_AT_ONCE"])
        self.decoding = Line(1)
        self.imports = Line(1, patience=IMPORT_WAIT, most=IMPORTS_IN_LINE)
        self.seconds = 0.5  # that a reading takes, as a running mean
        self.shelf = PhotoCache(
            config["PHOTOS_KEPT"], config["PHOTO_BYTES_KEPT"], config["PHOTO_SECONDS_KEPT"], self._unrecorded
        )

    @property
    def answer(self) -> Callable[..., Response]:
        """`scoring.answer` or its stand-in."""
        if self._config["ANSWER"] is not None:
            return self._config["ANSWER"]  # type: ignore[no-any-return]
        from scoring import answer

        return answer

    def reader(self) -> Any:
        """The reader, loaded once, and again when another model was promoted. Raises NoModel."""
        if self._config["READER"] is not None:
            return self._config["READER"]
        with self._lock:
            from vision.messages import MessageError
            from vision.models.manifest import LibraryError

            try:
                from vision.reading.pipeline import Reader

                model = self._config["MODELS"] or self.models().current()
                if self._reader is None or model != self._model:
                    self._reader, self._model = Reader.load(model), model
            except MessageError as error:
                raise NoModel(error) from error
            except ImportError as error:  # opencv on a server without a desktop, or on Windows N
                raise NoModel(LibraryError.of(error)) from error
            return self._reader

    def _unrecorded(self) -> Path:
        """The folder of photos that are in no record yet."""
        from webui.store.place import find_place

        return find_place(self._config["DATA"]).folder / UNRECORDED

    def models(self) -> ModelShelf:
        """The models that may be put into use; none of them where ``MODELS`` says which one it is."""
        from vision.models.registry import ModelShelf
        from webui.store.place import find_place

        return ModelShelf(find_place(self._config["DATA"]).folder / "models")

    def load_photo(self, data: bytes) -> Any:
        """Bytes to a `vision.photo.image.Photo`; raises vision.photo.image.PhotoError."""
        if self._config["LOAD_PHOTO"] is not None:
            return self._config["LOAD_PHOTO"](data)
        from vision.photo.image import load_photo

        return load_photo(data)

    @property
    def again(self) -> int:
        """Seconds after which a quarter of the photos in line will have been read: worth asking again then."""
        return min(LONGEST_WAIT, max(2, round(self.seconds * self.line.size / 4 / self.turns.size)))

    def refuse_when_full(self) -> None:
        """Raise Busy where a photo that came now would find no place, or wait too long for a browser's patience."""
        taken = self.line.size - self.line.free_slots
        too_long = taken >= FEW and taken * self.seconds / self.turns.size > LONGEST_LINE
        if too_long or not self.line.free_slots:
            raise Busy(self.again)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        with self.turns.place(self._config["READ_WAIT"], self.again):
            started = time.monotonic()
            yield
            self.seconds += 0.1 * (time.monotonic() - started - self.seconds)

    @contextmanager
    def _decoded(self, line: Line, upload: Upload, gone: Callable[[], bool] = lambda: False) -> Iterator[Any]:
        """The photo of an upload when its turn to be read has come: one photo is decoded while another is read."""
        with line.place(again=self.again), ExitStack() as held:
            with self.decoding.place(self._config["READ_WAIT"], self.again, gone):
                photo = self.load_photo(upload if isinstance(upload, bytes) else upload())
                held.enter_context(self._turn())
            yield photo

    def read(self, upload: Upload, *, frame: bool = False, gone: Callable[[], bool] = lambda: False) -> tuple[Any, Any]:
        """Photo and reading of an upload. Raises PhotoError, NoModel, Busy.

        `frame`: one of a live picture; those wait in a line of their own, so that they keep no photo out.
        `gone`: whether nobody waits for it any more; Gone then.
        """
        with self._decoded(self.frames if frame else self.line, upload, gone) as photo:
            reader = self.reader()
            matcher = self._matcher(reader)
            return photo, reader.read(photo, matcher=matcher) if matcher else reader.read(photo)

    def enrol(self, data: bytes) -> Enrolment:
        """The tiles of a photo of a tile set, in reading order. Raises PhotoError, NoModel, Busy."""
        from vision.tileset.enrolment import enrol

        with self._decoded(self.line, data) as photo:
            reader = self.reader()
            return enrol(photo, reader.detector, reader.classifier)

    def _matcher(self, reader: Any) -> Any:
        """The tile set in use made ready, once for each state of its files; None for no set, or a damaged one: the
        photo is read all the same."""
        in_use = self.choose_set() if hasattr(reader, "matcher") else None
        if in_use is None:
            return None
        root, name = in_use
        from vision.messages import MessageError
        from vision.tileset.store import INDEX, TileSetStore

        store = TileSetStore(root)
        try:
            key = (id(reader), str(root / name), (store.root / name / INDEX).stat().st_mtime_ns)
            with self._lock:
                if self._set is None or self._set[0] != key:
                    self._set = key, reader.matcher(store.load(name))
                return self._set[1]
        except (MessageError, OSError) as error:
            logging.getLogger("paitai.webui").warning("set %s is not used: %s", name, error)
            return None
