"""牌組: the tile sets of a merged backup. A new set is taken. A set that differs from ours gets a name with its device.
Sets that are here never change."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from vision.files import part_of, replace_path
from vision.names import spelled_otherwise
from vision.tileset.values import NAME_LENGTH, TileSetError, checked_name
from webui.store.upkeep.backup import DATA, Archive

FOLDER = "sets"
INDEX = "set.json"
DEEP = 4
"""Parts of a set's file in the zip: data, sets, the set, the file."""
MOST_BESIDE = 100
"""The most sets with one name."""
NEW, SAME, BESIDE = "new", "same", "beside"


@dataclass(frozen=True, slots=True)
class TakenSet:
    """A tile set of the backup. `state`: NEW, SAME or BESIDE; `kept`: its name here, empty if it was not taken."""

    name: str
    state: str
    kept: str


class Sets:
    """The backup's sets on their way into the data folder: staged first, then put in place together."""

    def __init__(self, archive: Archive, folder: Path, device: str) -> None:
        self._archive, self._root = archive, folder / FOLDER
        self._staged = part_of(folder / FOLDER / "merge")
        self._placed: list[Path] = []
        self.theirs = dict(_sets(archive))
        """The files of each set in the zip, by its name."""
        self.taken = tuple(self._compared(device))

    def files(self) -> int:
        """How many files of the zip are these sets'."""
        return sum(map(len, self.theirs.values()))

    def _compared(self, device: str) -> Iterator[TakenSet]:
        here = [path.parent.name for path in self._root.glob(f"*/{INDEX}")]
        for name, files in self.theirs.items():
            alike = name if name in here else spelled_otherwise(name, here)
            if alike is None:
                here.append(name)
                yield TakenSet(name, NEW, name)
                continue
            hashes = {PurePosixPath(path).name: self._archive.sha256(path) for path in files}
            names = [alike, *(_name_beside(name, device, number) for number in range(1, MOST_BESIDE))]
            known = next(
                (
                    candidate
                    for candidate in names
                    if candidate not in here or _hashes(self._root / candidate) == hashes
                ),
                "",
            )
            if known in here:
                yield TakenSet(name, SAME, known)
            elif known:
                here.append(known)
                yield TakenSet(name, BESIDE, known)

    def stage(self) -> None:
        """Write them to the staging folder. Raises OSError."""
        for taken in self.taken:
            if taken.state != SAME:
                for file in self.theirs[taken.name]:
                    self._archive.extract(file, self._staged / taken.kept / PurePosixPath(file).name)

    def place(self) -> None:
        """Move the staged sets into place. Raises OSError; call `undo` then."""
        for taken in self.taken:
            if taken.state != SAME:
                replace_path(self._staged / taken.kept, self._root / taken.kept)
                self._placed.append(self._root / taken.kept)

    def undo(self) -> None:
        """Remove the sets that were put in place."""
        for path in self._placed:
            shutil.rmtree(path, ignore_errors=True)

    def clear(self) -> None:
        """Remove the staging folder."""
        shutil.rmtree(self._staged, ignore_errors=True)


def _name_beside(name: str, device: str, number: int) -> str:
    """What another's set of a name that ours has is called: by its device, numbered from the second on."""
    plain = " ".join(
        "".join(character if character.isalnum() or character in "_-" else " " for character in device).split()
    )
    more = f" - {plain}{f' {number}' if number > 1 else ''}"
    return name[: NAME_LENGTH - len(more)].rstrip() + more


def _sets(archive: Archive) -> Iterator[tuple[str, list[str]]]:
    files_of: dict[str, list[str]] = {}
    for path in archive.names:
        parts = PurePosixPath(path).parts
        if path.startswith(f"{DATA}{FOLDER}/") and len(parts) == DEEP and _is_name(parts[2]):
            files_of.setdefault(parts[2], []).append(path)
    yield from ((name, files) for name, files in files_of.items() if f"{DATA}{FOLDER}/{name}/{INDEX}" in files)


def _is_name(folder: str) -> bool:
    try:
        return checked_name(folder) == folder
    except TileSetError:
        return False


def _hashes(folder: Path) -> Mapping[str, str]:
    """The files of a set here with their hashes; empty if they cannot be read, which matches no other set."""
    try:
        names = [name for name in os.listdir(folder) if not name.endswith((".part", ".lock"))]
        return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names}
    except OSError:
        return {}
