"""備份: all records and photos in one zip with a manifest of hashes, the same for either database; and back."""

from __future__ import annotations

import hashlib
import json
import os
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from vision.files import sync_folder
from webui.store.chain import START, Entry, holds
from webui.store.errors import StoreError
from webui.store.store import Store, utc_now
from webui.store.verify import photos_of

ENTRIES, MANIFEST = "entries.jsonl", "manifest.json"
_PHOTO = re.compile(r"photos/([0-9a-f]{64})\.jpg")
_FIELDS = ("seq", "id", "kind", "at", "about", "text", "previous", "hash")


def backup(store: Store, target: Path) -> tuple[int, int]:
    """Write the backup while the page runs; how many entries and photos it holds. An existing file is never touched."""
    if target.exists():
        raise StoreError("backup_exists", file=target.name)
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        with part.open("xb") as stream:
            counts = _write(store, stream)
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists():  # made by another in the meantime
            raise StoreError("backup_exists", file=target.name)
        os.replace(part, target)
        sync_folder(target.parent)
        return counts
    except OSError as error:
        raise StoreError("backup_failed", file=str(target), reason=error.strerror or error) from error
    finally:
        part.unlink(missing_ok=True)


def _write(store: Store, stream: Any) -> tuple[int, int]:
    files: dict[str, dict[str, Any]] = {}
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:

        def add(name: str, data: bytes, compress: int) -> None:
            files[name] = {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}
            archive.writestr(name, data, compress)

        with store.reading() as view:  # one moment; what is settled meanwhile is in the next backup
            kept = list(view.every())
        lines = [json.dumps({name: getattr(entry, name) for name in _FIELDS}) for entry in kept]
        add(ENTRIES, "".join(f"{line}\n" for line in lines).encode("ascii"), zipfile.ZIP_DEFLATED)
        for sha256 in sorted({sha256 for entry in kept for sha256 in photos_of(entry)}):
            data = store.photos.get(sha256)
            if data is not None:  # a lost photo does not keep the rest from being saved; `verify` names it
                add(f"photos/{sha256}.jpg", data, zipfile.ZIP_STORED)
        head = kept[-1].hash if kept else ""
        manifest = {"paitai_backup": 1, "made": utc_now(), "head": head, "files": files}
        archive.writestr(MANIFEST, json.dumps(manifest, indent=1), zipfile.ZIP_DEFLATED)
    return len(kept), len(files) - 1


def restore(store: Store, source: Path) -> tuple[int, int]:
    """Read a backup into an empty store; how many entries and photos. A damaged one is refused, nothing kept of it."""
    try:
        with zipfile.ZipFile(source) as archive:
            manifest = _manifest(archive, source)
            kept = list(_entries(_checked(archive, ENTRIES, manifest, source), source))
            photos = [name for name in manifest["files"] if name != ENTRIES]
            for name in photos:
                _checked(archive, name, manifest, source)
            with store.writing() as writer:
                if writer.head() is not None:
                    raise StoreError("restore_full", place=store.place.shown())
                for name in photos:
                    store.photos.put(_checked(archive, name, manifest, source))
                for entry in kept:
                    writer.take(entry)
    except (zipfile.BadZipFile, zipfile.LargeZipFile, EOFError, NotImplementedError, RuntimeError) as error:
        raise StoreError("backup_damaged", file=source.name, what=error) from error
    except OSError as error:
        raise StoreError("backup_unreadable", file=str(source), reason=error.strerror or error) from error
    return len(kept), len(photos)


def _damaged(source: Path, what: str) -> StoreError:
    return StoreError("backup_damaged", file=source.name, what=what)


def _manifest(archive: zipfile.ZipFile, source: Path) -> dict[str, Any]:
    try:
        manifest = json.loads(archive.read(MANIFEST))
        if manifest["paitai_backup"] != 1:
            raise StoreError("backup_newer", file=source.name)
        names = set(manifest["files"])
    except (KeyError, TypeError, ValueError):
        raise _damaged(source, MANIFEST) from None
    strange = next((name for name in names if name != ENTRIES and not _PHOTO.fullmatch(name)), None)
    if strange is not None or ENTRIES not in names:
        raise _damaged(source, strange or ENTRIES)
    return manifest  # type: ignore[no-any-return]


def _checked(archive: zipfile.ZipFile, name: str, manifest: dict[str, Any], source: Path) -> bytes:
    """A file of the archive when it is what the manifest says; a photo also when it is what its name says."""
    try:
        wanted = manifest["files"][name]
        if archive.getinfo(name).file_size != wanted["size"]:
            raise _damaged(source, name)
        data = archive.read(name)
    except (KeyError, TypeError):
        raise _damaged(source, name) from None
    sha256 = hashlib.sha256(data).hexdigest()
    photo = _PHOTO.fullmatch(name)
    if sha256 != wanted["sha256"] or (photo and photo[1] != sha256):
        raise _damaged(source, name)
    return data


def _entries(data: bytes, source: Path) -> Iterator[Entry]:
    previous = START
    for seq, line in enumerate(data.decode("ascii", "replace").splitlines(), start=1):
        try:
            entry = Entry(**json.loads(line))
            whole = holds(entry) and entry.seq == seq and entry.previous == previous
        except (TypeError, ValueError):
            whole = False
        if not whole:
            raise _damaged(source, f"{ENTRIES}: {seq}")
        previous = entry.hash
        yield entry
