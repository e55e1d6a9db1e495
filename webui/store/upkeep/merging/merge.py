"""合併: a backup read into a place that has records already. Nothing that is here changes, nothing of it is lost.

Where the backup's chain is ours gone on, its entries follow as they are. Else those that are not here follow under a
``device`` entry, which keeps the number and hashes that each of them had there: `paitai records verify` checks them.
Entries are the same where id and content are. An evening is one of three: new or longer there, and taken; the same or
longer here, and left; or it parted, and is not mixed: ours stays as it is, and theirs is an evening of its own beside
it (`parted`). What cannot be taken even so is in the whole backup, kept in ``merged/`` with its own chain.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from vision.files import part_of, replace_path
from webui.store.chain import Content, Entry
from webui.store.device import Device, said_by
from webui.store.errors import StoreError
from webui.store.store import Store, Writer
from webui.store.upkeep.backup import DATA, PHOTO, Archive, opened
from webui.store.upkeep.merging.counted import KIND as COUNTED
from webui.store.upkeep.merging.parted import Aside, Copies, first_of_theirs, other_id, renamed, set_aside
from webui.store.upkeep.merging.sets import BESIDE, Sets, TakenSet
from webui.store.upkeep.verify import photos_of

UNNAMED = "PaiTai"
"""What stands behind the name of a tile set from a device that has none."""
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


@dataclass(frozen=True, slots=True)
class HouseBook:
    """A house book of the backup. BESIDE: one of ours has its name, and it is another one."""

    title: str
    state: str


@dataclass(slots=True)
class Merged:
    """What both have, what is new, what differs. `changed`: entries of one id that say different things (nobody's
    doing but a change by hand). `kept`: the backup's name in ``merged/`` where something of it was not taken."""

    device: Device
    evenings: tuple[Evening, ...] = ()
    taken: list[Entry] = field(default_factory=list)
    copies: Copies = field(default_factory=Copies)
    known: int = 0
    left: int = 0
    changed: int = 0
    files: int = 0
    kept: str = ""
    houses: tuple[HouseBook, ...] = ()
    sets: tuple[TakenSet, ...] = ()


def merge(store: Store, source: Path) -> Merged:
    """Read a backup into a place with records: all that can be, or nothing of it where it is damaged. Raises
    StoreError."""
    with opened(source, store.place.folder) as archive:
        archive.check_entries()
        for name in archive.names:
            archive.check(name)
        theirs = list(archive.entries())
        device = said_by([one for one in reversed(theirs) if one.kind == "device"])
        sets = Sets(archive, store.place.folder, device.name or UNNAMED)
        try:
            sets.stage()
            with store.writing() as writer:
                found = _written(store, writer, source, archive, theirs)
                sets.place()
        except BaseException:  # all of it or nothing
            sets.undo()
            raise
        finally:
            sets.clear()
    found.sets = sets.taken
    found.files = sum(name.startswith(DATA) for name in archive.names) - sets.files()
    return found


def _written(store: Store, writer: Writer, source: Path, archive: Archive, theirs: Sequence[Entry]) -> Merged:
    """Their entries and photos among ours, as long as the block of the writer ends well."""
    ours = list(writer.every())
    found = compared(ours, theirs)
    _put_photos(store, archive, found.taken)
    if _goes_on(ours, theirs):
        for entry in theirs[len(ours) :]:
            writer.take(entry)
    else:
        _follow(writer, theirs, found, archive.head)
    if found.left or found.changed:
        found.kept = _keep(store.place.folder, source, archive.head)
    return found


def compared(ours: Sequence[Entry], theirs: Sequence[Entry]) -> Merged:
    """What of their entries is to be taken, and what each evening of theirs is beside ours."""
    here, there = ({one.id: one for one in some} for some in (ours, theirs))
    mine, yours = _evenings(ours, here), _evenings(theirs, there)
    evenings = {id_: _beside(mine.get(id_, []), steps) for id_, steps in yours.items()}
    aside = set_aside(theirs)
    own = {
        id_ for id_, one in aside.items() if id_ not in mine and _is_ours(mine.get(one.of, []), yours.get(id_, []), one)
    }
    evenings |= dict.fromkeys(own, SAME)
    found = Merged(said_by([one for one in reversed(theirs) if one.kind == "device"]))
    found.evenings = tuple(
        Evening(id_, there[id_].at, _players(there[id_]), state, len(mine.get(id_, [])), len(yours[id_]))
        for id_, state in evenings.items()
        if id_ in there and id_ not in own and there[id_].kind == "game"
    )
    found.copies.aside.update((id_, one) for id_, one in aside.items() if id_ not in own)
    found.houses = tuple(_houses(found, ours, theirs, evenings))
    copied = _copied(found, theirs, there, mine, yours, {id_ for id_, state in evenings.items() if state == PARTED})
    taken: set[str] = set()
    for entry in theirs:
        same = here.get(entry.id)
        evening = _evening(entry, there)
        if entry.kind == "device" or same is not None or evening in own or _about_own(entry, there, own):
            found.known += same is not None
            found.changed += same is not None and _says(same) != _says(entry)
        one = copied.get(entry.id, entry)
        if entry.kind == "device" or evening in own or one.id in here or _about_own(entry, there, own):
            continue
        if entry.kind == COUNTED and entry.content["of"] in mine:
            continue  # what counts of an evening that is here is said here
        if one.about is None or one.about in here.keys() | taken:
            taken.add(one.id)
            found.taken.append(one)
        else:
            found.left += 1
    return found


def _houses(
    found: Merged, ours: Sequence[Entry], theirs: Sequence[Entry], states: Mapping[str, str]
) -> Iterator[HouseBook]:
    """The house books of the backup; one that is new and called as one of ours is, stands aside as copies do."""
    devices = [one for one in reversed(theirs) if one.kind == "device"]
    here, there = _titles(ours), _titles(theirs)
    for one in theirs:
        if one.kind != "book" or one.about is not None:
            continue
        state, title = states[one.id], there[one.id]
        same = next((id_ for id_, other in here.items() if other == title), None)
        if state == NEW and same is not None and one.id not in found.copies.aside:
            found.copies.aside[one.id] = Aside(same, "", said_by(devices, one.seq).name)
        yield HouseBook(title, BESIDE if state == NEW and one.id in found.copies.aside else state)


def _titles(entries: Iterable[Entry]) -> dict[str, str]:
    """What each house book is called now, by the id of its first version."""
    return {one.about or one.id: str(one.content["book"]["title"]) for one in entries if one.kind == "book"}


def _copied(
    found: Merged,
    theirs: Sequence[Entry],
    there: Mapping[str, Entry],
    mine: Mapping[str, list[str]],
    yours: Mapping[str, list[str]],
    parted: set[str],
) -> dict[str, Entry]:
    """The copies of what they have of evenings that parted, by the ids there; `found` learns of them."""
    devices = [one for one in reversed(theirs) if one.kind == "device"]
    made: dict[str, Entry] = {}
    for id_ in parted:
        since = first_of_theirs(mine[id_], yours[id_])
        steps = set(yours[id_])
        some = [one for one in theirs if one.id in steps or (one.kind in LOOSE and one.about in steps)]
        ids = {one.id: other_id(one.id, since) for one in some}
        made |= {one.id: renamed(one, ids) for one in some}
        found.copies.ids.update((new, old) for old, new in ids.items())
        found.copies.aside[ids[id_]] = Aside(id_, since, said_by(devices, there[since].seq).name)
    return made


def _is_ours(ours: Sequence[str] | None, theirs: list[str] | None, aside: Aside) -> bool:
    """Whether what they keep beside their own evening is a copy of ours."""
    return bool(ours and theirs) and _beside([other_id(id_, aside.since) for id_ in ours or ()], theirs or []) in (
        SAME,
        BEHIND,
    )


def _about_own(entry: Entry, there: Mapping[str, Entry], own: set[str]) -> bool:
    about = there.get(entry.about or "")
    return about is not None and _evening(about, there) in own


def _players(game: Entry) -> tuple[str, ...]:
    return tuple(str(name) for name in game.content.get("players") or ())


def _goes_on(ours: Sequence[Entry], theirs: Sequence[Entry]) -> bool:
    """Whether their chain is ours, gone on."""
    return len(theirs) >= len(ours) and all(one.hash == other.hash for one, other in zip(ours, theirs, strict=False))


def _says(entry: Entry) -> tuple[str, str, str | None, str]:
    return entry.kind, entry.at, entry.about, entry.text


def _evening(entry: Entry, known: Mapping[str, Entry]) -> str | None:
    """The id of the game whose course the entry is a step of; a house book and its versions are one, too."""
    if entry.kind == "game":
        return entry.id
    if entry.kind in ("book", "shelved"):
        return entry.about or entry.id
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


def _follow(writer: Writer, theirs: Sequence[Entry], found: Merged, head: str) -> None:
    """Their entries after ours, those of each device under its name."""
    devices = [one for one in reversed(theirs) if one.kind == "device"]
    runs: list[tuple[Device, list[Entry]]] = []
    for entry in found.taken:
        device = said_by(devices, entry.seq)
        if not runs or runs[-1][0] != device:
            runs.append((device, []))
        runs[-1][1].append(entry)
    for device, some in runs:
        writer.append("device", {**device._asdict(), "merged": {"head": head, **_brought(some, found.copies)}})
        for one in some:
            writer.follow(one.id, one.kind, one.at, one.about, one.text)


def _brought(some: Sequence[Entry], copies: Copies) -> Content:
    """What is said of entries that come from elsewhere: what each was there, which evenings they begin, and which of
    them are copies of evenings that parted, with the records of those."""
    said: Content = {
        "origin": {one.id: [one.seq, one.previous, one.hash] for one in some},
        "games": [one.id for one in some if one.kind == "game"],
    }
    aside = {one.id: asdict(copies.aside[one.id]) for one in some if one.id in copies.aside}
    uncounted = [one.id for one in some if one.kind == "record" and one.content.get("game") in copies.aside]
    copied = {one.id: copies.ids[one.id] for one in some if one.id in copies.ids}
    more = {"aside": aside, "uncounted": uncounted, "copies": copied}
    return {**said, **{key: value for key, value in more.items() if value}}


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
