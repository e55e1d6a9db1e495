"""牌組的資料夾: tile sets on the disk, one folder a set: crops as PNG and ``set.json``, readable by anything."""

from __future__ import annotations

import contextlib
import json
import shutil
import threading
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from scoring.tiles import BACK, CODES
from vision.files import put_file, remove_path, replace_path, sync_folder
from vision.locks import locked
from vision.messages import OWN
from vision.models.manifest import NONE
from vision.names import is_device, spelled_otherwise
from vision.pixels import files
from vision.tileset.values import CROP, Plants, Reference, TileSet, TileSetError, checked_name, plant_order

SETS_FOLDER = "sets"
"""Name of the folder inside the data folder."""
INDEX = "set.json"
LOCK, USED = "sets.lock", "used_keys.json"
"""Next to the sets: the lock of writers, and the keys of removed sets."""
_writing = threading.RLock()
_NOT_READ: Any = None
"""Placeholder for the crops of an outline."""


class TileSetStore:
    """The tile sets below a folder; the folder need not be there."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @classmethod
    def in_data(cls, data: Path) -> TileSetStore:
        """The sets of a data folder."""
        return cls(data / SETS_FOLDER)

    def names(self) -> list[str]:
        """Every set there is, sorted."""
        found = [path.parent.name for path in self.root.glob(f"*/{INDEX}")]
        return sorted(name for name in found if not name.startswith("."))

    def _told_apart(self, name: str) -> str:
        """The name without surrounding blanks. Raises TileSetError if only a set in other letter case exists: on some
        disks, writing this one would destroy that one."""
        name, names = checked_name(name), self.names()
        other = None if name in names else spelled_otherwise(name, names)
        if other is not None:
            raise TileSetError("set_alike", name=name, other=other)
        return name

    def load(self, name: str) -> TileSet:
        """The set of that name. Raises TileSetError if it does not exist or its files are damaged."""
        return self._read(name, crops=True)

    def said_plants(self, name: str) -> Plants | None:
        """A person's order of the plants of this set, or None. Raises TileSetError as `load` does."""
        described = self.outline(name)
        return described.plants if described.plants_said else None

    def outline(self, name: str) -> TileSet:
        """The set with its references, their crops None: no picture is read, so that it may be asked at every tap.
        Raises TileSetError as `load` does."""
        return self._read(name, crops=False)

    def _read(self, name: str, *, crops: bool) -> TileSet:
        """The set; with `crops`, its references have their pictures."""
        name = self._told_apart(name)
        folder = self.root / name
        try:
            text = (folder / INDEX).read_text(encoding="utf-8")
        except FileNotFoundError:
            raise TileSetError("set_unknown", name=name, names="、".join(self.names()) or "—") from None
        except (OSError, ValueError) as error:
            raise _damaged(folder / INDEX, error) from None
        try:
            raw = json.loads(text)
            references = tuple(_reference(folder, one, crop=crops) for one in raw["references"])
            # sets of earlier versions do not have the key: their order may never have been looked at
            said = raw.get("plants_said") is True
            return TileSet(name, references, plant_order(raw["plants"]), bool(raw["numbers_only"]), said)
        except TileSetError as error:
            raise _damaged(folder / INDEX, error) from None
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise _damaged(folder / INDEX, error) from None

    def state(self, name: str) -> int:
        """A number that changes with the set; 0 if it does not exist."""
        try:
            return (self.root / name / INDEX).stat().st_mtime_ns
        except OSError:
            return 0

    def find(self, name: str) -> TileSet | None:
        """The set of that name, or None. Raises TileSetError if its files are damaged, or if some disk would confuse
        its name with another set's."""
        return self.load(name) if self._told_apart(name) in self.names() else None

    def save(self, tile_set: TileSet) -> TileSet:
        """Write the set, replacing an earlier one; references without a key get a new one.

        Raises TileSetError if the disk is full or read-only, and for a name that some disk would confuse with another
        set's or with a device.
        """
        with self._locked(tile_set.name):
            return self._save(tile_set)

    def change(self, name: str, how: Callable[[TileSet], TileSet], *, new: bool = False) -> TileSet:
        """Load the set (`new`: or begin one), change it and write it under the lock of writers.

        Raises TileSetError if it does not exist, and as `save`.
        """
        with self._locked(name):
            held = (self.find(name) if new else self.load(name)) or TileSet(checked_name(name))
            changed = how(held)
            return held if changed is held else self._save(changed)

    @contextlib.contextmanager
    def _locked(self, name: str) -> Iterator[None]:
        """The only one that writes sets, of the threads here and of all processes."""
        try:
            lock = contextlib.ExitStack()
            lock.enter_context(_writing)
            lock.enter_context(locked(self.root / LOCK))
        except OSError as error:
            lock.close()
            reason = error.strerror or str(error)
            raise TileSetError("set_unwritable", place=str(self.root / name), reason=reason) from None
        with lock:
            yield

    def _save(self, tile_set: TileSet) -> TileSet:
        """The index is written last, so that a set is never half there."""
        folder = self.root / self._told_apart(tile_set.name)
        if not folder.is_dir() and is_device(folder.name):
            raise TileSetError("set_name_device", name=folder.name)
        following = max(self._next_key(tile_set.name), _after(one.key for one in tile_set.references))
        kept: list[Reference] = []
        entries: list[dict[str, Any]] = []
        try:
            for reference in tile_set.references:
                if not reference.key:
                    reference = replace(reference, key=f"{following:04}")
                    following += 1
                file = f"{reference.key}-{reference.tile}.png"
                if not (folder / file).is_file():
                    put_file(folder / file, files.png(reference.crop, small=True))
                kept.append(reference)
                entry = {"key": reference.key, "tile": reference.tile, "file": file, "source": reference.source}
                entries.append({**entry, "of": reference.of} if reference.of else entry)
            index = {
                "v": 1,
                "name": tile_set.name,
                "plants": list(tile_set.plants),
                "plants_said": tile_set.plants_said,
                "numbers_only": tile_set.numbers_only,
                "next_key": following,
                "references": entries,
            }
            put_file(folder / INDEX, json.dumps(index, ensure_ascii=False, indent=1).encode("utf-8"))
            for path in folder.glob("*.png"):
                if path.name not in {entry["file"] for entry in entries}:
                    remove_path(path)
        except OSError as error:
            raise TileSetError("set_unwritable", place=str(folder), reason=error.strerror or str(error)) from None
        return replace(tile_set, references=tuple(kept))

    def remove(self, name: str) -> None:
        """Remove a set in one step. Raises TileSetError if it does not exist."""
        name = self._told_apart(name)
        with self._locked(name):
            if name not in self.names():
                raise TileSetError("set_unknown", name=name, names="、".join(self.names()) or "—")
            gone = self.root / f".{uuid.uuid4().hex[:8]}.removed"
            try:
                used = {**self._used_keys(), name: self._next_key(name)}
                put_file(self.root / USED, json.dumps(used, ensure_ascii=False).encode("utf-8"))
                replace_path(self.root / name, gone)
                sync_folder(self.root)
            except OSError as error:
                reason = error.strerror or str(error)
                raise TileSetError("set_unwritable", place=str(self.root / name), reason=reason) from None
            shutil.rmtree(gone, ignore_errors=True)

    def _next_key(self, name: str) -> int:
        """The least key that no reference of that set has ever had, nor of one removed that was called so."""
        try:
            raw = json.loads((self.root / name / INDEX).read_text(encoding="utf-8"))
            held = _after(str(one["key"]) for one in raw["references"])
            return max(held, int(raw.get("next_key", 1)), self._used_keys().get(name, 1))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return self._used_keys().get(name, 1)

    def _used_keys(self) -> dict[str, int]:
        """By the name of a set that was removed: the key that follows its last one."""
        try:
            raw = json.loads((self.root / USED).read_text(encoding="utf-8"))
            return {str(name): int(key) for name, key in raw.items()}
        except (OSError, ValueError, TypeError, AttributeError):
            return {}

    def crop_png(self, name: str, key: str) -> bytes | None:
        """The PNG of one reference, or None."""
        folder = self.root / self._told_apart(name)
        found = next((path for path in folder.glob("*.png") if path.name.split("-")[0] == key), None)
        return found.read_bytes() if found else None


def _after(keys: Iterable[str]) -> int:
    """The number after the largest key."""
    return 1 + max((int(key) for key in keys if key.isdecimal()), default=0)


def _reference(folder: Path, raw: Mapping[str, object], *, crop: bool) -> Reference:
    tile, file = str(raw["tile"]), Path(str(raw["file"])).name
    if tile not in (*CODES, BACK, NONE) and not tile.startswith(OWN):
        raise ValueError(f"tile: {tile}")
    if not crop:
        pixels = _NOT_READ
    else:
        try:
            pixels = files.crop_from((folder / file).read_bytes(), CROP)
        except ValueError as error:
            raise ValueError(f"{file}: {error}") from None
    return Reference(tile, pixels, str(raw.get("source", "photo")), str(raw["key"]), str(raw.get("of", "")))


def _damaged(place: Path, error: Exception) -> TileSetError:
    return TileSetError("set_damaged", place=str(place), reason=f"{type(error).__name__}: {error}"[:120])
