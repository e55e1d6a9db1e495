"""備份: the whole data folder in one zip with a manifest of hashes, the same for either database; and its restore.

Records are ``entries.jsonl``, their photos ``photos/``. Everything else of the folder is under ``data/``: label sets,
models, trainings, tile sets, settings. Secrets (``keys``) stay out. A restore reads everything twice: first to check
it, within limits that do not depend on the zip's own claims; then to keep it, all or nothing.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, NamedTuple

from vision.files import part_of, put_file, remove_path, replace_path, sync_folder, weight_of_json
from vision.names import is_device
from webui.store.chain import START, Entry, is_intact
from webui.store.device import device_of, program_version
from webui.store.errors import StoreError
from webui.store.place import DATABASE
from webui.store.store import Store, utc_now
from webui.store.upkeep.files import OWN, RESTORED, paths_of, steady
from webui.store.upkeep.signature import sign, whose
from webui.store.upkeep.verify import photos_of

ENTRIES, MANIFEST, DATA = "entries.jsonl", "manifest.json", "data/"
FORM = 2
"""Of the zip; 1 held records and their photos only, and is still read."""
POINTER = "models/current.json"
"""Which model is in use (`vision.models.registry`)."""
HALF_RESTORED = "restoring.json"
"""Names the files of a running restore, so that a killed one can be undone."""
MOST_MANIFEST, LONGEST_LINE, LARGESTPHOTO = 64_000_000, 64_000_000, 64_000_000  # bytes
MOST_READ = 350_000_000  # bytes of memory that the manifest or a line may take when read: half a million files
CHUNK = 1 << 20
ENTRY_ID = re.compile(r"[\w-]{1,32}", re.ASCII)
PHOTO = re.compile(r"photos/([0-9a-f]{64})\.jpg")
_FIELDS = ("seq", "id", "kind", "at", "about", "text", "previous", "hash")
_BROKEN = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, struct.error),
    *(EOFError, NotImplementedError, RuntimeError, ValueError, KeyError, TypeError, IndexError, OverflowError),
)
"""The errors of reading a damaged zip."""


class Saved(NamedTuple):
    """The contents of a backup: number of entries, of their photos, and of other files."""

    entries: int
    photos: int
    files: int = 0


def backup(store: Store, target: Path, *, photos: bool = True, files: bool = True) -> Saved:
    """Write the backup while the page runs. Never touches an existing file.

    Raises StoreError, also for damaged records.

    `photos`: include the photos of records and of label sets. `files`: include everything besides the records.
    """
    if target.exists():
        raise StoreError("backup_exists", file=target.name)
    store.check()
    store.refuse_damaged()
    part = part_of(target)
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
            counts = _write(store, stream, (part, target), photos=photos, others=files)
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists():  # made by another in the meantime
            raise StoreError("backup_exists", file=target.name)
        replace_path(part, target)
        sync_folder(target.parent)
        return counts
    except OSError as error:
        raise StoreError("backup_failed", file=str(target), reason=error.strerror or error) from error
    finally:
        part.unlink(missing_ok=True)


def _write(store: Store, stream: BinaryIO, itself: tuple[Path, Path], *, photos: bool, others: bool) -> Saved:
    files: dict[str, dict[str, Any]] = {}
    pictures: set[str] = set()
    head, count = "", 0
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:

        def add(name: str, chunks: Iterator[bytes], compress: int = zipfile.ZIP_STORED) -> None:
            sha256, size = hashlib.sha256(), 0
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.compress_type = compress
            with archive.open(info, "w", force_zip64=True) as into:
                for chunk in chunks:
                    sha256.update(chunk)
                    size += len(chunk)
                    into.write(chunk)
            files[name] = {"sha256": sha256.hexdigest(), "size": size}

        def lines() -> Iterator[bytes]:
            nonlocal head, count
            with store.reading() as view:  # one moment; hands settled meanwhile are in the next backup
                for entry in view.every():
                    head, count = entry.hash, count + 1
                    pictures.update(photos_of(entry))
                    yield (json.dumps({name: getattr(entry, name) for name in _FIELDS}) + "\n").encode("ascii")

        add(ENTRIES, lines(), zipfile.ZIP_DEFLATED)
        for sha256 in sorted(pictures) if photos else ():
            data = store.photos.get(sha256)
            if data is not None:  # a lost photo does not keep the rest from being saved; `verify` names it
                add(f"photos/{sha256}.jpg", iter((data,)))
        photo_count = sum(1 for name in files if name != ENTRIES)
        folder = store.place.folder
        for name in paths_of(folder, photos=photos) if others else ():
            if (folder / name) in itself or any((folder / name).samefile(path) for path in itself if path.exists()):
                continue
            try:
                with steady(folder / name) as path, path.open("rb") as source:
                    add(DATA + name, iter(lambda: source.read(CHUNK), b""))
            except FileNotFoundError:
                continue  # a job took it away meanwhile
        manifest = {"paitai_backup": FORM, "made": utc_now(), "head": head, "photos": photos, "files": files}
        manifest |= {"device": device_of(folder)._asdict(), "version": program_version()}
        archive.writestr(MANIFEST, json.dumps(sign(manifest), indent=1), zipfile.ZIP_DEFLATED)
    return Saved(count, photo_count, len(files) - photo_count - 1)


def whose_backup(source: Path) -> str:
    """Whether this installation made it (`webui.store.upkeep.signature`). Raises StoreError if it is damaged."""
    with opened(source, source.parent) as archive:
        return archive.whose


def restore(store: Store, source: Path) -> Saved:
    """Read a backup into an empty place. A damaged one is refused, and nothing kept of it. Raises StoreError."""
    staged = part_of(store.place.folder / "restore")
    try:
        with opened(source, store.place.folder) as archive:
            return _restore(store, archive, staged)
    finally:
        shutil.rmtree(staged, ignore_errors=True)


@contextlib.contextmanager
def opened(source: Path, folder: Path) -> Iterator[Archive]:
    """Open a backup, to read it into a folder. Raises StoreError if it is damaged or if reading fails."""
    try:
        with source.open("rb") as stream, zipfile.ZipFile(stream) as archive:
            yield Archive(archive, source)
    except _BROKEN as error:
        raise _damaged(source, str(error) or type(error).__name__) from error
    except OSError as error:
        key = "backup_unreadable" if error.filename in (None, str(source)) else "restore_failed"
        place = source if key == "backup_unreadable" else folder
        raise StoreError(key, file=str(place), reason=error.strerror or error) from error


def _restore(store: Store, archive: Archive, staged: Path) -> Saved:
    folder = store.place.folder
    names = archive.names
    others = [name.removeprefix(DATA) for name in names if name.startswith(DATA)]
    photos = [name for name in names if PHOTO.fullmatch(name)]
    count = archive.check_entries()
    for name in photos:
        archive.check(name)
    store.open()
    _clear_half_restored(store)
    taken = next((name for name in others if (folder / name.split("/")[0]).exists()), None)
    if taken is not None:
        raise StoreError("restore_full", place=str(folder / taken.split("/")[0]))
    for name in others:
        archive.extract(DATA + name, staged / name)
    take_out_of_use(staged)
    tops = sorted(path.name for path in staged.iterdir()) if staged.is_dir() else []
    put_file(folder / HALF_RESTORED, json.dumps(tops).encode())
    try:
        with store.writing() as writer:
            if writer.head() is not None:
                raise StoreError("restore_full", place=store.place.shown())
            for name in photos:
                store.photos.put(archive.read(name))
            for entry in archive.entries():
                writer.take(entry)
            for top in tops:
                replace_path(staged / top, folder / top)
    except BaseException:  # all of it or nothing: the next try finds the place empty
        _clear_half_restored(store)
        raise
    remove_path(folder / HALF_RESTORED)
    return Saved(count, len(photos), len(others))


def _clear_half_restored(store: Store) -> None:
    """Remove the files of a failed or killed restore; nothing if there are records."""
    marker = store.place.folder / HALF_RESTORED
    if not marker.is_file():
        return
    with store.reading() as view:
        whole = view.head() is not None
    for name in () if whole else json.loads(marker.read_bytes()):
        path = store.place.folder / Path(name).name
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    remove_path(marker)


def take_out_of_use(staged: Path) -> None:
    """Disable restored models and jobs. A backup may be another person's, or forged: a person must choose its models
    first, and continuing its jobs would run its commands."""
    (staged / POINTER).unlink(missing_ok=True)
    for job in staged.glob("training/*/job.json"):
        job.with_name(RESTORED).touch()


class Archive:
    """The zip of a backup: its files by the manifest, each read no further than its size in the manifest."""

    def __init__(self, archive: zipfile.ZipFile, source: Path) -> None:
        self._zip, self._source = archive, source
        manifest = self._manifest()
        self.whose = whose(manifest)
        self._files: dict[str, dict[str, Any]] = manifest["files"]
        self.head = str(manifest["head"])
        self.names = sorted(self._files)

    def _manifest(self) -> dict[str, Any]:
        if {MANIFEST, ENTRIES}.isdisjoint(self._zip.namelist()):
            raise StoreError("backup_other", file=self._source.name)
        with self._zip.open(MANIFEST) as stream:
            data = stream.read(MOST_MANIFEST + 1)
        manifest = _read_json(data) if len(data) <= MOST_MANIFEST else None
        if not isinstance(manifest, dict) or not isinstance(manifest.get("files"), dict):
            raise _damaged(self._source, MANIFEST)
        if manifest["paitai_backup"] not in (1, FORM):
            raise StoreError("backup_newer", file=self._source.name)
        if ENTRIES not in manifest["files"]:
            raise _damaged(self._source, ENTRIES)
        for name, listed in manifest["files"].items():
            known = name == ENTRIES or PHOTO.fullmatch(name) or _is_safe(name)
            plain = type(listed["size"]) is int and isinstance(listed["sha256"], str)
            if not known or not plain or (PHOTO.fullmatch(name) and listed["size"] > LARGESTPHOTO):
                raise _damaged(self._source, name)
        return manifest

    def _chunks(self, name: str) -> Iterator[bytes]:
        """The file in pieces. Raises _damaged at its end if it differs from the manifest."""
        wanted, sha256, size = self._files[name], hashlib.sha256(), 0
        with self._zip.open(name) as stream:
            while chunk := stream.read(CHUNK):
                size += len(chunk)
                if size > wanted["size"]:
                    break
                sha256.update(chunk)
                yield chunk
        photo = PHOTO.fullmatch(name)
        digest = sha256.hexdigest()
        if size != wanted["size"] or digest != wanted["sha256"] or (photo and photo[1] != digest):
            raise _damaged(self._source, name)

    def sha256(self, name: str) -> str:
        """A file's hash in the manifest."""
        return str(self._files[name]["sha256"])

    def check(self, name: str) -> None:
        """Read it to its end."""
        for _ in self._chunks(name):
            pass

    def read(self, name: str) -> bytes:
        """The whole file."""
        return b"".join(self._chunks(name))

    def extract(self, name: str, target: Path) -> None:
        """Write it, for its owner only, and on the disk when this returns."""
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as into:
            for chunk in self._chunks(name):
                into.write(chunk)
            into.flush()
            os.fsync(into.fileno())

    def _lines(self) -> Iterator[bytes]:
        rest = b""
        for chunk in self._chunks(ENTRIES):
            *lines, rest = (rest + chunk).split(b"\n")
            yield from lines
            if len(rest) > LONGEST_LINE:
                raise _damaged(self._source, ENTRIES)
        if rest:
            yield rest

    def entries(self) -> Iterator[Entry]:
        """The chain, each entry looked at before it is given."""
        previous, known = START, set[str]()
        for seq, line in enumerate(self._lines(), start=1):
            try:
                entry = Entry(**_read_json(line))
                plain = _is_plain(entry) and entry.id not in known and (entry.about is None or entry.about in known)
                whole = plain and is_intact(entry) and entry.seq == seq and entry.previous == previous
                known.add(entry.id)
            except (TypeError, ValueError):
                whole = False
            if not whole:
                raise _damaged(self._source, f"{ENTRIES}: {seq}")
            previous = entry.hash
            yield entry

    def check_entries(self) -> int:
        """How many entries there are; the last one must be the one that the manifest names."""
        count, head = 0, ""
        for entry in self.entries():
            count, head = count + 1, entry.hash
        if head != self.head:
            raise _damaged(self._source, f"{ENTRIES}: {count}, head")
        return count


def _read_json(data: bytes) -> Any:
    """JSON, unless it is many times larger when read than it is written. Raises ValueError."""
    if weight_of_json(data) > MOST_READ:
        raise ValueError("too large when read")
    return json.loads(data)


def _is_plain(entry: Entry) -> bool:
    """Whether the fields of an entry have the types and lengths that a database takes."""
    fields = (entry.id, entry.kind, entry.at, entry.text, entry.previous, entry.hash, entry.about or "")
    lengths = len(entry.kind) <= 16 and len(entry.at) <= 20 and ENTRY_ID.fullmatch(entry.id) is not None
    return all(isinstance(field, str) for field in fields) and type(entry.seq) is int and lengths


def _is_safe(name: str) -> bool:
    """Whether a file of that name may be written: inside the folder, and in no place that is the store's own."""
    if not name.startswith(DATA) or len(name) > 1000 or "\\" in name or ":" in name or not name.isprintable():
        return False
    parts = PurePosixPath(name).parts[1:]
    plain = "/".join((DATA.rstrip("/"), *parts)) == name and ".." not in parts and bool(parts)
    if any(is_device(part) or part.endswith((".", " ")) for part in parts):  # a device or another name on Windows
        return False
    return plain and parts[0] not in OWN and not parts[0].startswith(DATABASE) and len(parts[-1].encode()) <= 255


def _damaged(source: Path, what: str) -> StoreError:
    return StoreError("backup_damaged", file=source.name, what=what[:200])
