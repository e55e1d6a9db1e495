"""牌組的資料夾: tile sets on the disk, one folder a set: crops as PNG and ``set.json``, readable by anything."""

from __future__ import annotations

import io
import json
import shutil
import threading
import uuid
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from scoring.tiles import BACK, CODES
from vision.files import put_file, remove_path, replace_path, sync_folder
from vision.models.manifest import NONE
from vision.tileset.values import CROP, Plants, Reference, TileSet, TileSetError, checked_name, plant_order

FOLDER = "sets"
"""Name of the folder inside the data folder."""
INDEX = "set.json"
_writing = threading.RLock()


class TileSetStore:
    """The tile sets below a folder; the folder need not be there."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @classmethod
    def in_data(cls, data: Path) -> TileSetStore:
        """The sets of a data folder."""
        return cls(data / FOLDER)

    def names(self) -> list[str]:
        """Every set there is, sorted."""
        found = [path.parent.name for path in self.root.glob(f"*/{INDEX}")]
        return sorted(name for name in found if not name.startswith("."))

    def load(self, name: str) -> TileSet:
        """The set of that name. Raises TileSetError where there is none, or where its files are damaged."""
        return self._read(name, crops=True)

    def said_plants(self, name: str) -> Plants | None:
        """The order of the plants that a person said of this set, None where nobody did; no crop is read, so that it
        may be asked at every tap. Raises TileSetError as `load` does."""
        described = self._read(name, crops=False)
        return described.plants if described.plants_said else None

    def _read(self, name: str, *, crops: bool) -> TileSet:
        """The set, with its references where `crops`."""
        name = checked_name(name)
        folder = self.root / name
        try:
            text = (folder / INDEX).read_text(encoding="utf-8")
        except FileNotFoundError:
            raise TileSetError("set_unknown", name=name, names="、".join(self.names()) or "—") from None
        except (OSError, ValueError) as error:
            raise _damaged(folder / INDEX, error) from None
        try:
            raw = json.loads(text)
            references = tuple(_reference(folder, one) for one in raw["references"]) if crops else ()
            # sets of earlier versions do not have the key: their order may never have been looked at
            said = raw.get("plants_said") is True
            return TileSet(name, references, plant_order(raw["plants"]), bool(raw["numbers_only"]), said)
        except TileSetError as error:
            raise _damaged(folder / INDEX, error) from None
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise _damaged(folder / INDEX, error) from None

    def find(self, name: str) -> TileSet | None:
        """The set of that name, or None where there is none. Raises TileSetError where its files are damaged."""
        return self.load(name) if checked_name(name) in self.names() else None

    def save(self, tile_set: TileSet) -> TileSet:
        """Write the set; what has no key yet gets one. The index is written last, so that a set is never half there.

        Raises TileSetError where the disk is full or may not be written.
        """
        folder = self.root / checked_name(tile_set.name)
        with _writing:
            taken = {one.key for one in tile_set.references}
            following = 1 + max((int(key) for key in taken if key.isdecimal()), default=0)
            kept: list[Reference] = []
            entries: list[dict[str, Any]] = []
            try:
                for one in tile_set.references:
                    if not one.key:
                        one = replace(one, key=f"{following:04}")
                        following += 1
                    file = f"{one.key}-{one.tile}.png"
                    if not (folder / file).is_file():
                        put_file(folder / file, _png(one.crop))
                    kept.append(one)
                    entries.append({"key": one.key, "tile": one.tile, "file": file, "source": one.source})
                index = {
                    "v": 1,
                    "name": tile_set.name,
                    "plants": list(tile_set.plants),
                    "plants_said": tile_set.plants_said,
                    "numbers_only": tile_set.numbers_only,
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
        """Take a set away, in one step. Raises TileSetError where there is none."""
        name = checked_name(name)
        with _writing:
            if name not in self.names():
                raise TileSetError("set_unknown", name=name, names="、".join(self.names()) or "—")
            gone = self.root / f".{uuid.uuid4().hex[:8]}.removed"
            try:
                replace_path(self.root / name, gone)
                sync_folder(self.root)
            except OSError as error:
                reason = error.strerror or str(error)
                raise TileSetError("set_unwritable", place=str(self.root / name), reason=reason) from None
            shutil.rmtree(gone, ignore_errors=True)

    def crop_png(self, name: str, key: str) -> bytes | None:
        """The PNG of one reference, or None where there is none."""
        folder = self.root / checked_name(name)
        found = next((path for path in folder.glob("*.png") if path.name.split("-")[0] == key), None)
        return found.read_bytes() if found else None


def _reference(folder: Path, raw: dict[str, Any]) -> Reference:
    tile, file = str(raw["tile"]), Path(str(raw["file"])).name
    if tile not in (*CODES, BACK, NONE):
        raise ValueError(f"tile: {tile}")
    with Image.open(folder / file) as image:
        if max(image.size) > 4 * CROP or image.size[0] != image.size[1]:
            raise ValueError(f"{file}: {image.size}")
        pixels = np.asarray(image.convert("RGB").resize((CROP, CROP)), dtype=np.uint8)
    return Reference(tile, pixels, str(raw.get("source", "photo")), str(raw["key"]))


def _damaged(place: Path, error: Exception) -> TileSetError:
    return TileSetError("set_damaged", place=str(place), reason=f"{type(error).__name__}: {error}"[:120])


def _png(crop: NDArray[np.uint8]) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(crop).save(buffer, "PNG", optimize=True)
    return buffer.getvalue()
