"""合併: a backup read into a place that has records already. Nothing that is here changes, nothing of it is lost.

Where the backup's chain is ours gone on, its entries follow as they are. Else those that are not here follow under a
``device`` entry, which keeps the number and hashes that each of them had there: `paitai records verify` checks them.
Entries are the same where id and content are. An evening is one of three: new or longer there, and taken; the same or
longer here, and left; or it parted, and is not mixed: ours stays as it is, and the whole backup is kept in ``merged/``,
with its own chain, to be restored elsewhere.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from vision.files import part_of, replace_path
from webui.store.chain import Entry
from webui.store.device import Device, said_by
from webui.store.errors import StoreError
from webui.store.store import Store, Writer
from webui.store.upkeep.backup import DATA, PHOTO, Archive, opened
from webui.store.upkeep.verify import photos_of

KEPT = "merged"
"""Folder for backups of which something could not be taken, inside the data folder."""
NEW, LONGER, SAME, BEHIND, PARTED = "new", "longer", "same", "behind", "parted"
"""What an evening of the backup is beside ours. BEHIND: ours goes further."""
LOOSE = ("dispute", "claim", "agreement")
"""What is said about a record: no step of its evening."""


@dataclass(frozen=True, slots=True)
class Evening:
    """An evening of the backup: when it began (UTC), who played, and how many entries it has here and there."""

    id: str
    at: str
    players: tuple[str, ...]
    state: str
    here: int
    there: int


@dataclass(slots=True)
class Merged:
    """What both have, what is new, what differs. `changed`: entries of one id that say different things (nobody's
    doing but a change by hand). `kept`: the backup's name in ``merged/`` where something of it was not taken."""

    device: Device
    evenings: tuple[Evening, ...] = ()
    taken: list[Entry] = field(default_factory=list)
    known: int = 0
    left: int = 0
    changed: int = 0
    files: int = 0
    kept: str = ""


def merge(store: Store, source: Path) -> Merged:
    """Read a backup into a place with records: all that can be, or nothing of it where it is damaged. Raises
    StoreError."""
    with opened(source, store.place.folder) as archive:
        archive.check_entries()
        for name in archive.names:
            archive.check(name)
        theirs = list(archive.entries())
        with store.writing() as writer:
            ours = list(writer.every())
            found = compared(ours, theirs)
            found.files = sum(name.startswith(DATA) for name in archive.names)
            _put_photos(store, archive, found.taken)
            if _goes_on(ours, theirs):
                for entry in theirs[len(ours) :]:
                    writer.take(entry)
            else:
                _follow(writer, theirs, found.taken, archive.head)
            if found.left or found.changed:
                found.kept = _keep(store.place.folder, source, archive.head)
    return found


def compared(ours: Sequence[Entry], theirs: Sequence[Entry]) -> Merged:
    """What of their entries is to be taken, and what each evening of theirs is beside ours."""
    here, there = ({one.id: one for one in some} for some in (ours, theirs))
    mine, yours = _evenings(ours, here), _evenings(theirs, there)
    evenings = {id_: _beside(mine.get(id_, []), steps) for id_, steps in yours.items()}
    found = Merged(said_by([one for one in reversed(theirs) if one.kind == "device"]))
    found.evenings = tuple(
        Evening(id_, there[id_].at, _players(there[id_]), state, len(mine.get(id_, [])), len(yours[id_]))
        for id_, state in evenings.items()
        if id_ in there
    )
    taken: set[str] = set()
    for one in theirs:
        same = here.get(one.id)
        if one.kind == "device" or same is not None:
            found.known += same is not None
            found.changed += same is not None and _says(same) != _says(one)
        elif evenings.get(_evening(one, there) or "") != PARTED and (
            one.about is None or one.about in here.keys() | taken
        ):
            taken.add(one.id)
            found.taken.append(one)
        else:
            found.left += 1
    return found


def _players(game: Entry) -> tuple[str, ...]:
    return tuple(str(name) for name in game.content.get("players") or ())


def _goes_on(ours: Sequence[Entry], theirs: Sequence[Entry]) -> bool:
    """Whether their chain is ours, gone on."""
    return len(theirs) >= len(ours) and all(one.hash == other.hash for one, other in zip(ours, theirs, strict=False))


def _says(entry: Entry) -> tuple[str, str, str | None, str]:
    return entry.kind, entry.at, entry.about, entry.text


def _evening(entry: Entry, known: Mapping[str, Entry]) -> str | None:
    """The id of the game whose course the entry is a step of."""
    if entry.kind == "game":
        return entry.id
    if entry.kind == "record":
        game = entry.content.get("game")
        return str(game) if game else None
    about = known.get(entry.about or "")
    return about.id if about is not None and about.kind == "game" and entry.kind not in LOOSE else None


def _evenings(entries: Iterable[Entry], known: Mapping[str, Entry]) -> dict[str, list[str]]:
    """The steps of every evening, by its game's id."""
    found: dict[str, list[str]] = {}
    for entry in entries:
        if evening := _evening(entry, known):
            found.setdefault(evening, []).append(entry.id)
    return found


def _beside(ours: list[str], theirs: list[str]) -> str:
    if not ours:
        return NEW
    if ours == theirs:
        return SAME
    if ours[: len(theirs)] == theirs:
        return BEHIND
    return LONGER if theirs[: len(ours)] == ours else PARTED


def _put_photos(store: Store, archive: Archive, taken: Iterable[Entry]) -> None:
    wanted = {f"photos/{sha256}.jpg" for entry in taken for sha256 in photos_of(entry)}
    for name in archive.names:
        if name in wanted and PHOTO.fullmatch(name):
            store.photos.put(archive.read(name))


def _follow(writer: Writer, theirs: Sequence[Entry], taken: Iterable[Entry], head: str) -> None:
    """Their entries after ours, those of each device under its name."""
    devices = [one for one in reversed(theirs) if one.kind == "device"]
    runs: list[tuple[Device, list[Entry]]] = []
    for entry in taken:
        device = said_by(devices, entry.seq)
        if not runs or runs[-1][0] != device:
            runs.append((device, []))
        runs[-1][1].append(entry)
    for device, some in runs:
        origin = {one.id: [one.seq, one.previous, one.hash] for one in some}
        games = [one.id for one in some if one.kind == "game"]
        writer.append("device", {**device._asdict(), "merged": {"head": head, "games": games, "origin": origin}})
        for one in some:
            writer.follow(one.id, one.kind, one.at, one.about, one.text)


def _keep(folder: Path, source: Path, head: str) -> str:
    """Keep the backup itself: nothing of what it says is lost, and its chain can be verified where it is restored."""
    target = folder / KEPT / f"{head[:16]}.zip"
    part = part_of(target)
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        shutil.copyfile(source, part)
        replace_path(part, target)
    except OSError as error:
        raise StoreError("restore_failed", file=str(folder), reason=error.strerror or error) from error
    finally:
        part.unlink(missing_ok=True)
    return f"{KEPT}/{target.name}"
