"""The page's services: the reader, the rules and the photos, each made once and safe for several threads."""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scoring.answers import ScoreAnswer
from vision.heap import give_back
from webui.web.errors import UserError
from webui.web.line import LONGEST_WAIT, Busy, Line
from webui.web.photos.page import page_jpeg, preview
from webui.web.photos.readings import Readings, ReadPhoto, Upload, bytes_of, digest_of
from webui.web.photos.unrecorded import UNRECORDED, PhotoCache

if TYPE_CHECKING:
    from vision.messages import MessageError
    from vision.models.registry import ModelShelf
    from vision.photo.image import Photo
    from vision.reading.pipeline import Reader
    from vision.reading.reading import Reading
    from vision.tileset.enrolment import Enrolment
    from vision.tileset.matcher import Matcher
    from webui.i18n import Texts
    from webui.web.photos.decoding_process import DecodingProcess
    from webui.web.photos.second_process import Read, ReadsAs, SecondProcess, SetInUse


class NoModel(UserError):
    """Missing or broken weights, or a missing library to run them; `cause` has the details."""

    def __init__(self, cause: MessageError) -> None:
        super().__init__("error.no_model", 503)
        self.cause = cause

    def text(self, texts: Texts) -> str:
        """The sentence. It names no file of the weights: their folder is private to this computer."""
        from vision.models.manifest import LibraryError

        return self.cause.message(texts.lang) if isinstance(self.cause, LibraryError) else super().text(texts)


LONGEST_LINE, FEW = 45.0, 10  # seconds that photos wait for each other; this many are let in anyway
IMPORT_WAIT, IMPORTS_IN_LINE = 60.0, 6  # seconds that labelled photos wait; how many may wait
SETS_READY = 3  # tile sets ready for reading: the table's, and those of labelled scenes
ChooseSet = Callable[[], tuple[Path, str] | None]
"""Gives folder and name of the tile set to read with, or None."""
LARGE = 16_000_000  # pixels of a photo that is decoded slowly while the second process is ended
STATES_KEPT, STATE_BYTES_KEPT = 400, 8_000_000  # table photos with answers, so that a page can be opened again
READINGS_KEPT, READING_BYTES_KEPT = 48, 24_000_000  # readings in memory, and the bytes of their page content


class Services:
    """Made from the application's settings; the reader is loaded when it is first needed."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        self._config = config
        self._lock = threading.Lock()
        self._reader: Reader | None = config["READER"]
        self._model: Path | None = None
        self._loads = 0  # how often a reader was loaded: another one reads otherwise
        self._sets: dict[str, tuple[tuple[int, int], Matcher]] = {}
        self.choose_set: ChooseSet = lambda: None
        self.line = Line(config["READS_IN_LINE"])
        self.frames = Line(config["FRAMES_IN_LINE"])
        self.second = self._second_process()
        self.turns = Line(config["READS_AT_ONCE"] + (1 if self.second else 0))  # one more is ready for the process
        self.here = Line(config["READS_AT_ONCE"])  # the places of this process
        self.decoding = Line(1)
        self.slow = Line(1)  # the same for photos that may take seconds
        self._decoder: DecodingProcess | None = None
        self.imports = Line(1, patience=IMPORT_WAIT, most=IMPORTS_IN_LINE)
        self.readings = Readings(READINGS_KEPT, READING_BYTES_KEPT)
        self.seconds = 0.5  # that a reading takes, as a running mean
        self.shelf = PhotoCache(
            config["PHOTOS_KEPT"], config["PHOTO_BYTES_KEPT"], config["PHOTO_SECONDS_KEPT"], self._unrecorded
        )
        self.tables = PhotoCache(
            STATES_KEPT, STATE_BYTES_KEPT, config["PHOTO_SECONDS_KEPT"], self._unrecorded, suffix=".json"
        )

    @property
    def answer(self) -> Callable[..., ScoreAnswer]:
        """`scoring.answer` or its stand-in."""
        if self._config["ANSWER"] is not None:
            return self._config["ANSWER"]  # type: ignore[no-any-return]
        from scoring import answer

        return answer

    def reader(self) -> Reader:
        """The reader, loaded once, and again when another model was promoted. Raises NoModel."""
        if self._config["READER"] is not None:
            reader: Reader = self._config["READER"]
            return reader
        with self._lock:
            from vision.messages import MessageError
            from vision.models.manifest import LibraryError

            try:
                from vision.reading.pipeline import Reader

                model = self._config["MODELS"] or self.models().current()
                if self._reader is None or model != self._model:
                    self._reader, self._model = Reader.load(model), model
                    self._loads += 1
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
        """The models to choose from; none if ``MODELS`` names one."""
        from vision.models.registry import ModelShelf
        from webui.store.place import find_place

        return ModelShelf(find_place(self._config["DATA"]).folder / "models")

    def load_photo(self, data: bytes) -> Photo:
        """Bytes to a `vision.photo.image.Photo`; raises vision.photo.image.PhotoError."""
        if self._config["LOAD_PHOTO"] is not None:
            photo: Photo = self._config["LOAD_PHOTO"](data)
            return photo
        from vision.photo.image import load_photo

        return load_photo(data)

    @property
    def again(self) -> int:
        """Seconds after which a quarter of the photos in line will have been read: worth asking again then."""
        return min(LONGEST_WAIT, max(2, round(self.seconds * self.line.size / 4 / self.turns.size)))

    def refuse_when_full(self) -> None:
        """Raise Busy if a photo that arrived now would find no place, or wait too long for a browser."""
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
    def _decoded(
        self, line: Line, upload: Upload, gone: Callable[[], bool] = lambda: False, ticket: str = ""
    ) -> Iterator[Photo]:
        """The photo of an upload when its turn to be read has come: one photo is decoded while another is read."""
        with line.place(again=self.again), ExitStack() as held:
            photo = None
            with self.decoding.place(self._config["READ_WAIT"], self.again, gone, ticket):
                data = bytes_of(upload)
                if self._is_quick(data):
                    photo = self.load_photo(data)
                    held.enter_context(self._turn())
                    held.enter_context(self._place_here())
            del data
            yield photo or held.enter_context(self._slowly(upload, gone, ticket))

    @contextmanager
    def _slowly(self, upload: Upload, gone: Callable[[], bool], ticket: str) -> Iterator[Photo]:
        """The photo of an upload that may take long, decoded where it can be ended, and a place to read it. Photos that
        are quick to decode go on meanwhile: this one waits in a line of its own."""
        with ExitStack() as held:
            with self.slow.place(self._config["READ_WAIT"], self.again, gone, ticket):
                photo = self._decode_slowly(upload, gone)
                held.enter_context(self._turn())
                held.enter_context(self._place_here())
            yield photo

    def _decode_slowly(self, upload: Upload, gone: Callable[[], bool]) -> Photo:
        """The same without a place to read it; only for the holder of the `slow` place."""
        from webui.web.photos.decoding_process import DecodingProcess

        self._decoder = self._decoder or DecodingProcess()
        with self._room(upload):
            return self._decoder.decode(lambda: bytes_of(upload), gone)

    def read(
        self,
        upload: Upload,
        *,
        frame: bool = False,
        gone: Callable[[], bool] = lambda: False,
        choose_set: ChooseSet | None = None,
    ) -> tuple[Photo, Reading]:
        """Photo and reading of an upload. Raises PhotoError, NoModel, Busy.

        Args:
            upload: the uploaded photo.
            frame: whether it is a live frame; frames wait in a separate line and delay no photo.
            gone: whether the client has disconnected; raises Gone then.
            choose_set: the tile set to read with, if it is not the table's.
        """
        with self._decoded(self.frames if frame else self.line, upload, gone) as photo:
            reader = self.reader()
            matcher = self.matcher(reader, choose_set or self.choose_set)
            reader = getattr(reader, "for_frames", reader) if frame else reader
            return photo, reader.read(photo, matcher=matcher) if matcher else reader.read(photo)

    def read_shown(self, upload: Upload, gone: Callable[[], bool] = lambda: False, ticket: str = "") -> ReadPhoto:
        """Reading and page content of an upload, from memory if `remembered` has it; else as `read`.

        `ticket`: identifies the upload for `ahead`.
        """
        digest = digest_of(upload)
        if known := self.remembered(digest):
            return known
        with self.line.place(again=self.again), ExitStack() as held:
            with self.decoding.place(self._config["READ_WAIT"], self.again, gone, ticket):
                data = bytes_of(upload)
                quick = self._is_quick(data)
                elsewhere = photo = None
                if quick:
                    held.enter_context(self._turn())
                    reader, matcher, reads_as = self._ready()
                    elsewhere = held.enter_context(self._elsewhere(reads_as))
                    if elsewhere is None:
                        held.enter_context(self._place_here())
                    photo = None if elsewhere else self.load_photo(data)
            if not quick:
                data = b""
                photo = held.enter_context(self._slowly(upload, gone, ticket))
                reader, matcher, reads_as = self._ready()
            shown = elsewhere(data) if elsewhere else None
            if shown is None:
                photo = photo or self.load_photo(data)
                reading = reader.read(photo, matcher=matcher) if matcher else reader.read(photo)
                shown = ReadPhoto(reading, page_jpeg(photo, data))
        if reads_as is not None:
            self.readings.put((digest, reads_as), shown)
        return shown

    @contextmanager
    def _place_here(self, places: int = 1) -> Iterator[None]:
        """Reading places of this process; none and nothing to wait for if `places` is 0."""
        with ExitStack() as held:
            for _ in range(places):
                held.enter_context(self.here.place(self._config["READ_WAIT"], self.again))
            yield

    @contextmanager
    def _elsewhere(self, reads_as: ReadsAs | None) -> Iterator[Read | None]:
        """The second process's function for this photo; None if this process has to read it."""
        if self.second is None or reads_as is None or self.turns.size - self.turns.free_slots < 2:
            yield None
            return
        from vision.pixels.server.cores import taken
        from webui.web.photos.second_process import Weights

        with self.second.claimed(Weights(self._model, reads_as)) as read, taken() if read else nullcontext():
            yield read

    def remembered(self, digest: bytes) -> ReadPhoto | None:
        """The remembered reading of the photo with this SHA-256, current networks and tile set. Raises NoModel."""
        if not self.readings:  # then the networks need not be loaded: a full line is reported at once
            return None
        _, _, reads_as = self._ready()
        return None if reads_as is None else self.readings.get((digest, reads_as))

    def ahead(self, ticket: str) -> int | None:
        """How many photos are read before the one with this ticket; None if it does not wait."""
        lines = (self.decoding, self.slow) if ticket else ()
        waiting = next((at for line in lines if (at := line.ahead(ticket)) is not None), None)
        being_read = self.turns.size - self.turns.free_slots
        return None if waiting is None else waiting + 1 + being_read

    def _ready(self) -> tuple[Reader, Matcher | None, ReadsAs | None]:
        """The reader, its prepared tile set, and a key for readings with both. The key is None for a stand-in reader.
        Raises NoModel."""
        reader = self.reader()
        matcher, used = self._matcher(reader, self.choose_set)
        return reader, matcher, (self._loads, used) if self._ours() else None

    def shown(self, upload: Upload) -> bytes:
        """The JPEG of a photo that the page shows, decoded when its turn has come. Raises PhotoError, Busy."""
        with self.line.place(again=self.again):
            with self.decoding.place(self._config["READ_WAIT"], self.again):
                data = bytes_of(upload)
                if self._is_quick(data):
                    return preview(self.load_photo(data))
            del data
            with self.slow.place(self._config["READ_WAIT"], self.again):
                return preview(self._decode_slowly(upload, lambda: False))

    @contextmanager
    def import_turn(self, gone: Callable[[], bool]) -> Iterator[None]:
        """The turn of an upload of labelled photos: one after the other, each may take as much as the machine has. Its
        photos that may take long are decoded where they can be ended. Raises Busy, Gone."""
        from vision.photo.image import slow_photos_by

        def decode(data: bytes) -> Photo:
            with self.slow.place(self._config["READ_WAIT"], self.again):
                return self._decode_slowly(data, gone)

        with (
            self.imports.turn(gone=gone),
            self.second.resting() if self.second else nullcontext(),
            slow_photos_by(decode) if self._can_be_ended else nullcontext(),
        ):
            try:
                yield
            finally:
                give_back()

    def close(self) -> None:
        """End the other processes; the server ends."""
        if self._decoder:
            self._decoder.close()
        if self.second:
            self.second.close()

    def _second_process(self) -> SecondProcess | None:
        """None if one photo is read at a time, and for a stand-in reader."""
        if self._config["READS_AT_ONCE"] < 2 or not self._ours():
            return None
        from webui.web.photos.second_process import SecondProcess

        return SecondProcess()

    def _ours(self) -> bool:
        return self._config["READER"] is None and self._config["LOAD_PHOTO"] is None

    @property
    def _can_be_ended(self) -> bool:
        """Whether there is a process for slow photos: not in the pocket edition, where the browser decodes."""
        return sys.platform != "emscripten" and self._config["LOAD_PHOTO"] is None

    def _is_quick(self, photo: bytes) -> bool:
        """Whether it is decoded in this process. Raises PhotoError for one that no process decodes."""
        if not self._can_be_ended:
            return True
        from vision.photo.structure import check_structure

        return check_structure(photo)

    @contextmanager
    def _room(self, upload: Upload) -> Iterator[None]:
        """Memory for decoding a large photo: the second process ends, and one photo at a time is read here."""
        from vision.photo.image import pixels_of

        if self.second is None or pixels_of(bytes_of(upload)) <= LARGE:
            yield
            return
        with self.second.resting(), self._place_here(self.here.size - 1):
            give_back()
            yield

    def enrol(self, data: bytes) -> Enrolment:
        """The tiles of a photo of a tile set, in reading order. Raises PhotoError, NoModel, Busy."""
        from vision.tileset.enrolment import enrol

        with self._decoded(self.line, data) as photo:
            reader = self.reader()
            return enrol(photo, reader.detector, reader.classifier)

    def matcher(self, reader: Reader, choose_set: ChooseSet) -> Matcher | None:
        """The chosen tile set, prepared once for each state of its files. None without a set, or if it is damaged: the
        photo is read anyway."""
        return self._matcher(reader, choose_set)[0]

    def _matcher(self, reader: Reader, choose_set: ChooseSet) -> tuple[Matcher | None, SetInUse | None]:
        """The same, and which state of which set it is."""
        in_use = choose_set() if hasattr(reader, "matcher") else None
        if in_use is None:
            return None, None
        root, name = in_use
        from vision.messages import MessageError
        from vision.tileset.store import TileSetStore

        store, place = TileSetStore(root), str(root / name)
        try:
            state = id(reader), store.state(name)
            with self._lock:
                held = self._sets.get(place)
                if held is None or held[0] != state:
                    matcher = reader.matcher(store.load(name))
                    others = [(other, loaded) for other, loaded in self._sets.items() if other != place]
                    self._sets = dict([*others[1 - SETS_READY :], (place, (state, matcher))])
                return self._sets[place][1], (root, name, state)
        except (MessageError, OSError) as error:
            logging.getLogger("paitai.webui").warning("set %s is not used: %s", name, error)
            return None, None
