"""合併: read a backup into a place that has records already. Nothing here changes, and nothing of the backup is lost.

If the backup's chain continues ours, its entries follow unchanged. Otherwise the new entries follow under a ``device``
entry, which keeps the number and hashes that each of them had there: `paitai records verify` checks them.

Two entries are the same if id and content are. An evening is new or longer there (taken), the same or longer here
(left), or parted. Parted evenings are not mixed: ours stays, and theirs becomes another evening here (`parted`).
The whole backup with its own chain is in ``merged/`` if some of its entries could not be taken.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from vision.files import part_of, replace_path
from webui.store.chain import Content, Entry
from webui.store.device import Device, said_by
from webui.store.errors import EntryError, StoreError
from webui.store.store import Store, Writer
from webui.store.upkeep.backup import DATA, PHOTO, Archive, opened
from webui.store.upkeep.device_signatures import FILE as SIGNATURES
from webui.store.upkeep.merging.counted import KIND as COUNTED
from webui.store.upkeep.merging.parted import Aside, Copies, first_of_theirs, other_id, renamed, set_aside
from webui.store.upkeep.merging.sets import BESIDE, Sets, TakenSet
from webui.store.upkeep.rotation import keep_records
from webui.store.upkeep.verify import Probe, photos_of

UNNAMED = "PaiTai"
"""Suffix of the name of a tile set from a device without a name."""
KEPT = "merged"
"""Folder for backups of which something could not be taken, inside the data folder."""
NEW, LONGER, SAME, BEHIND, PARTED = "new", "longer", "same", "behind", "parted"
UNREADABLE = "unreadable"
"""States of the backup's evening compared with ours. BEHIND: ours goes further. UNREADABLE: it is left, and named."""
LOOSE = ("dispute", "claim", "agreement")
"""Entries about a record; they are not steps of its evening."""


@dataclass(frozen=True, slots=True)
class Evening:
    """An evening of the backup: when it began (UTC), who played, and how many entries it has here and there."""

    id: str
    at: str
    players: tuple[str, ...]
    state: str
    here: int
    there: int
    error: EntryError | None = None


@dataclass(frozen=True, slots=True)
class HouseBook:
    """A house book of the backup. BESIDE: a different book here has its name."""

    title: str
    state: str


@dataclass(slots=True)
class Merged:
    """The outcome of a merge. `changed`: entries with the same id and different content, which only manual changes
    cause. `kept`: the backup's name in ``merged/`` if some of it was not taken."""

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


def merge(store: Store, source: Path, probe: Probe) -> Merged:
    """Read a backup into a place with records: everything possible, or nothing if it is damaged. Raises StoreError.

    Args:
        store: the place.
        source: the backup's zip.
        probe: finds entries that pages could not read. An evening with one of them is left out, and named.
    """
    with opened(source, store.place.folder) as archive:
        archive.check_entries()
        for name in archive.names:
            archive.check(name)
        theirs = list(archive.entries())
        errors = probe(theirs, store.book_file)
        device = said_by([entry for entry in reversed(theirs) if entry.kind == "device"])
        sets = Sets(archive, store.place.folder, device.name or UNNAMED)
        try:
            sets.stage()
            keep_records(store)
            with store.writing() as writer:
                merged = _written(store, writer, source, archive, theirs, errors=errors)
                sets.place()
        except BaseException:  # all of it or nothing
            sets.undo()
            raise
        finally:
            sets.clear()
    merged.sets = sets.taken
    other = (name for name in archive.names if name.startswith(DATA) and name != DATA + SIGNATURES)
    merged.files = sum(1 for _ in other) - sets.files()
    return merged


def _written(
    store: Store,
    writer: Writer,
    source: Path,
    archive: Archive,
    theirs: Sequence[Entry],
    *,
    errors: Sequence[EntryError],
) -> Merged:
    """Their entries and photos among ours, as long as the block of the writer ends well."""
    ours = list(writer.every())
    merged = compared(ours, theirs, errors)
    _put_photos(store, archive, merged.taken)
    if _goes_on(ours, theirs) and not merged.left:
        for entry in theirs[len(ours) :]:
            writer.take(entry)
    else:
        _follow(writer, theirs, merged, archive.head)
    if merged.left or merged.changed:
        merged.kept = _keep(store.place.folder, source, archive.head)
    return merged


def _unreadable(errors: Sequence[EntryError], there: Mapping[str, Entry]) -> dict[str, EntryError]:
    """The evenings and single entries that are left out, by id, each with its first error."""
    left: dict[str, EntryError] = {}
    for error in errors:
        entry = there[str(error.values["id"])]
        evening = None if entry.kind == "record" else _evening(entry, there)
        left.setdefault(evening or entry.id, error)
    return left


def compared(ours: Sequence[Entry], theirs: Sequence[Entry], errors: Sequence[EntryError] = ()) -> Merged:
    """Compare two chains: their entries to take, and the state of each of their evenings.

    Args:
        ours: the chain of this place.
        theirs: the chain of the backup.
        errors: their entries that pages could not read.
    """
    here, there = ({entry.id: entry for entry in some} for some in (ours, theirs))
    mine, yours = _evenings(ours, here), _evenings(theirs, there)
    evenings = {id_: _beside(mine.get(id_, []), steps) for id_, steps in yours.items()}
    aside = set_aside(theirs)
    own = _own_copies(aside, mine, yours)
    evenings |= dict.fromkeys(own, SAME)
    unreadable = _unreadable(errors, there)
    evenings |= dict.fromkeys((id_ for id_ in unreadable if evenings.get(id_) not in (None, SAME, BEHIND)), UNREADABLE)
    merged = Merged(said_by([entry for entry in reversed(theirs) if entry.kind == "device"]))
    games = {id_: state for id_, state in evenings.items() if id_ in there and id_ not in own}
    merged.evenings = tuple(_evenings_of(games, there, mine, yours, unreadable))
    merged.copies.aside.update((id_, copy) for id_, copy in aside.items() if id_ not in own)
    merged.houses = tuple(_houses(merged, ours, theirs, evenings))
    copied = _copied(
        merged, theirs, there, mine, yours, parted={id_ for id_, state in evenings.items() if state == PARTED}
    )
    unread_ids = _unread_ids(theirs, there, unreadable, evenings)
    taken: set[str] = set()
    for entry in theirs:
        same = here.get(entry.id)
        evening = _evening(entry, there)
        if entry.kind == "device" or same is not None or evening in own or _about_own(entry, there, own):
            merged.known += same is not None
            merged.changed += same is not None and _says(same) != _says(entry)
        theirs_or_copy = copied.get(entry.id, entry)
        if entry.kind == "device" or evening in own or theirs_or_copy.id in here or _about_own(entry, there, own):
            continue
        unread = entry.id in unread_ids and same is None
        if not unread and _chooses(entry, mine):
            continue  # this place decides which version of its evenings counts
        if not unread and (theirs_or_copy.about is None or theirs_or_copy.about in here.keys() | taken):
            taken.add(theirs_or_copy.id)
            merged.taken.append(theirs_or_copy)
        else:
            merged.left += 1
    return merged


def _own_copies(aside: Mapping[str, Aside], mine: Mapping[str, list[str]], yours: Mapping[str, list[str]]) -> set[str]:
    """The evenings of theirs that are copies of ours."""
    unknown = ((id_, copy) for id_, copy in aside.items() if id_ not in mine)
    return {id_ for id_, copy in unknown if _is_ours(mine.get(copy.of, []), yours.get(id_, []), copy)}


def _unread_ids(
    theirs: Sequence[Entry],
    there: Mapping[str, Entry],
    unreadable: Mapping[str, EntryError],
    states: Mapping[str, str],
) -> set[str]:
    """The entries that cannot be read, and all steps of an evening with one of them."""
    evenings = {id_ for id_, state in states.items() if state == UNREADABLE}
    return {entry.id for entry in theirs if entry.id in unreadable or _evening(entry, there) in evenings}


def _chooses(entry: Entry, mine: Mapping[str, list[str]]) -> bool:
    """Whether an entry chooses which version of one of our evenings counts."""
    return entry.kind == COUNTED and entry.fault is None and entry.content["of"] in mine


def _evenings_of(
    states: Mapping[str, str],
    there: Mapping[str, Entry],
    mine: Mapping[str, list[str]],
    yours: Mapping[str, list[str]],
    unreadable: Mapping[str, EntryError],
) -> Iterator[Evening]:
    """The evenings of these states, without house books, which have states too."""
    for id_, state in states.items():
        game, steps = there[id_], (len(mine.get(id_, [])), len(yours[id_]))
        if game.kind == "game":
            yield Evening(id_, game.at, _players(game), state, *steps, unreadable.get(id_))


def _houses(
    merged: Merged, ours: Sequence[Entry], theirs: Sequence[Entry], states: Mapping[str, str]
) -> Iterator[HouseBook]:
    """The house books of the backup. A new one with the name of one of ours becomes a copy."""
    devices = [entry for entry in reversed(theirs) if entry.kind == "device"]
    here, there = _titles(ours), _titles(theirs)
    for entry in theirs:
        if entry.kind != "book" or entry.about is not None or states[entry.id] == UNREADABLE or entry.id not in there:
            continue
        state, title = states[entry.id], there[entry.id]
        same = next((id_ for id_, other in here.items() if other == title), None)
        if state == NEW and same is not None and entry.id not in merged.copies.aside:
            merged.copies.aside[entry.id] = Aside(same, "", said_by(devices, entry.seq).name)
        yield HouseBook(title, BESIDE if state == NEW and entry.id in merged.copies.aside else state)


def _titles(entries: Iterable[Entry]) -> dict[str, str]:
    """What each house book is called now, by the id of its first version."""
    readable = (entry for entry in entries if entry.kind == "book" and entry.fault is None)
    return {entry.about or entry.id: str(entry.content["book"]["title"]) for entry in readable}


def _copied(
    merged: Merged,
    theirs: Sequence[Entry],
    there: Mapping[str, Entry],
    mine: Mapping[str, list[str]],
    yours: Mapping[str, list[str]],
    *,
    parted: set[str],
) -> dict[str, Entry]:
    """The copies of what they have of evenings that parted, by the ids there; `found` learns of them."""
    devices = [entry for entry in reversed(theirs) if entry.kind == "device"]
    copies: dict[str, Entry] = {}
    for id_ in parted:
        since = first_of_theirs(mine[id_], yours[id_])
        steps = set(yours[id_])
        some = [entry for entry in theirs if entry.id in steps or (entry.kind in LOOSE and entry.about in steps)]
        ids = {entry.id: other_id(entry.id, since) for entry in some}
        copies |= {entry.id: renamed(entry, ids) for entry in some}
        merged.copies.ids.update((new, old) for old, new in ids.items())
        merged.copies.aside[ids[id_]] = Aside(id_, since, said_by(devices, there[since].seq).name)
    return copies


def _is_ours(ours: Sequence[str] | None, theirs: list[str] | None, aside: Aside) -> bool:
    """Whether their second version of an evening is a copy of ours."""
    return bool(ours and theirs) and _beside([other_id(id_, aside.since) for id_ in ours or ()], theirs or []) in (
        SAME,
        BEHIND,
    )


def _about_own(entry: Entry, there: Mapping[str, Entry], own: set[str]) -> bool:
    about = there.get(entry.about or "")
    return about is not None and _evening(about, there) in own


def _players(game: Entry) -> tuple[str, ...]:
    players = game.raw.get("players") if isinstance(game.raw, dict) else None
    return tuple(map(str, players)) if isinstance(players, list) else ()


def _goes_on(ours: Sequence[Entry], theirs: Sequence[Entry]) -> bool:
    """Whether their chain is ours, gone on."""
    return len(theirs) >= len(ours) and all(mine.hash == other.hash for mine, other in zip(ours, theirs, strict=False))


def _says(entry: Entry) -> tuple[str, str, str | None, str]:
    return entry.kind, entry.at, entry.about, entry.text


def _evening(entry: Entry, known: Mapping[str, Entry]) -> str | None:
    """The id of the game whose course the entry is a step of; a house book and its versions are one, too."""
    if entry.kind == "game":
        return entry.id
    if entry.kind in ("book", "shelved"):
        return entry.about or entry.id
    if entry.kind == "record":
        game = entry.raw.get("game") if isinstance(entry.raw, dict) else None
        return game if game and isinstance(game, str) else None
    about = known.get(entry.about or "")
    return about.id if about is not None and about.kind == "game" and entry.kind not in LOOSE else None


def _evenings(entries: Iterable[Entry], known: Mapping[str, Entry]) -> dict[str, list[str]]:
    """The steps of every evening, by its game's id."""
    steps: dict[str, list[str]] = {}
    for entry in entries:
        if evening := _evening(entry, known):
            steps.setdefault(evening, []).append(entry.id)
    return steps


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


def _follow(writer: Writer, theirs: Sequence[Entry], merged: Merged, head: str) -> None:
    """Append their entries, each device's under its name."""
    devices = [entry for entry in reversed(theirs) if entry.kind == "device"]
    runs: list[tuple[Device, list[Entry]]] = []
    for entry in merged.taken:
        device = said_by(devices, entry.seq)
        if not runs or runs[-1][0] != device:
            runs.append((device, []))
        runs[-1][1].append(entry)
    for device, some in runs:
        writer.append("device", {**device._asdict(), "merged": {"head": head, **_brought(some, merged.copies)}})
        for step in some:
            writer.follow(step.id, step.kind, step.at, step.about, step.text)


def _brought(some: Sequence[Entry], copies: Copies) -> Content:
    """The origin of merged entries: their numbers and hashes there, the evenings they begin, and the copies of parted
    evenings with their records."""
    content: Content = {
        "origin": {entry.id: [entry.seq, entry.previous, entry.hash] for entry in some},
        "games": [entry.id for entry in some if entry.kind == "game"],
    }
    aside = {entry.id: asdict(copies.aside[entry.id]) for entry in some if entry.id in copies.aside}
    uncounted = [entry.id for entry in some if entry.kind == "record" and _evening(entry, {}) in copies.aside]
    copied = {entry.id: copies.ids[entry.id] for entry in some if entry.id in copies.ids}
    more = {"aside": aside, "uncounted": uncounted, "copies": copied}
    return {**content, **{key: value for key, value in more.items() if value}}


def _keep(folder: Path, source: Path, head: str) -> str:
    """Keep the backup file itself: nothing of it is lost, and its chain can be verified in another place."""
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
