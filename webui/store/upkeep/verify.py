"""驗證: checks the records: the chain, the photos, and each answer by scoring it again."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from scoring.answers import ScoreAnswer
from scoring.languages import WHOLE
from webui.store import books
from webui.store.chain import KINDS, START, Content, Entry, canonical, hash_of, is_intact, marks_of
from webui.store.errors import EntryError
from webui.store.store import Store
from webui.store.upkeep.device_signatures import OTHER, WRONG, check
from webui.store.upkeep.merging.parted import renamed
from webui.store.upkeep.nods import Nods

Answer = Callable[..., ScoreAnswer]
Probe = Callable[[Sequence[Entry], books.BookFile], Sequence[EntryError]]
"""Maps a chain to the entries that pages could not read (`webui.people.readable`)."""
PHOTO_HASH = re.compile(r"[0-9a-f]{64}")
CLOCK_SLACK = timedelta(minutes=10)
"""Clocks that a network puts right go back by seconds."""
RIGHT = ("wins", "tai", "transfers", "division")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it was kept. `what`: the sentence's key; `breaks`: whether it means a change.

    `where`: the place inside the content of an unreadable entry.
    """

    seq: int
    id: str
    kind: str
    at: str
    what: str
    breaks: bool = True
    where: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """The counts and findings of a check; `head`: the hash of the last entry, or empty."""

    entries: int
    records: int
    photos: int
    head: str
    findings: tuple[Finding, ...]

    @property
    def whole(self) -> bool:
        """Whether nothing was changed."""
        return not any(finding.breaks for finding in self.findings)


def verify(store: Store, answer: Answer | None = None, probe: Probe | None = None) -> Report:
    """Walk the whole chain, oldest first, so that the first finding names the first entry that was changed.

    Args:
        store: the records.
        answer: scores a request; `scoring.answer` if None.
        probe: finds entries that pages could not read; without it only their contents are checked.
    """
    if answer is None:
        from scoring import answer as scoring_answer

        answer = scoring_answer
    findings: list[Finding] = []
    count = records = photos = 0
    newest, told, nods = "", list[Finding](), Nods()
    head, expected = "", START
    origins: Content = {}
    copies: dict[str, str] = {}
    with store.reading() as view:
        marks = view.marks()
        chain: list[Entry] = []
        hashes: dict[int, str] = {}
        for entry in view.every():
            chain += [entry] if probe else []
            count += 1
            what = _chain(entry, count, expected)
            head = expected = hashes[entry.seq] = entry.hash
            told += _jump(entry, newest)
            newest = max(newest, entry.at if entry.id not in origins else "")
            told += [Finding(entry.seq, entry.id, entry.kind, entry.at, "nod", False)] if nods.went_round(entry) else []
            if what is None:
                faults = _looked_at(store, entry, marks.pop(entry.seq, set()), answer)
                if not _is_as_it_came(entry, origins, copies):
                    faults.append(("origin", True))
                records += entry.kind == "record"
                photos += 0 if ("content", True) in faults else len(photos_of(entry))
            else:
                faults = [(what, True)]
                marks.pop(entry.seq, None)
                count = entry.seq  # continue from here, so that one gap is reported once
            findings += [Finding(entry.seq, entry.id, entry.kind, entry.at, what, breaks) for what, breaks in faults]
        findings += [Finding(seq, "", "", "", "marks", True) for seq in sorted(marks)]
        findings += told
        findings += [
            Finding(doubt.seq, "", "", "", doubt.what, doubt.what in (OTHER, WRONG))
            for doubt in check(store.place.folder, hashes)
        ]
        findings += _unreadable(chain, probe, store, {finding.seq for finding in findings}) if probe else ()
    return Report(count, records, photos, head, tuple(findings))


def _unreadable(chain: Sequence[Entry], probe: Probe, store: Store, told: Collection[int]) -> Iterator[Finding]:
    """Entries with right hashes and contents that make no sense, such as a winner who does not sit at the table."""
    for error in probe(chain, store.book_file):
        values = {key: str(value) for key, value in error.values.items()}
        if int(values["seq"]) not in told:
            seq, what = int(values["seq"]), values["what"]
            yield Finding(seq, values["id"], values["kind"], values["at"], "unreadable", True, what)


def _jump(entry: Entry, newest: str) -> Iterator[Finding]:
    """An entry made here whose time is long before an earlier entry's: the clock was changed. No sign of a forgery."""
    try:
        back = datetime.fromisoformat(newest[:19]) - datetime.fromisoformat(entry.at[:19])
    except ValueError:
        return
    if back > CLOCK_SLACK:
        yield Finding(entry.seq, entry.id, entry.kind, entry.at, "clock", False, newest)


def _is_as_it_came(entry: Entry, origins: Content, copies: dict[str, str]) -> bool:
    """Whether an entry from another device's records still has the hash that it had there."""
    if entry.kind == "device" and entry.fault is None:
        merged = entry.content.get("merged") or {}
        origins.update(merged.get("origin") or {})
        copies.update(merged.get("copies") or {})
    if entry.id not in origins:
        return True
    was = renamed(entry, copies) if entry.id in copies else entry
    try:
        seq, previous, hash_ = origins[entry.id]
    except (TypeError, ValueError):
        return False
    return hash_of(seq, was.id, was.kind, was.at, was.about, was.text, previous) == str(hash_)


def _chain(entry: Entry, seq: int, previous: str) -> str | None:
    if entry.seq != seq:
        return "gap"
    if not is_intact(entry):
        return "changed"
    if entry.previous != previous:
        return "order"
    return None if entry.kind in KINDS else "kind"


def photos_of(entry: Entry) -> list[str]:
    """The hashes of the photos that an entry keeps."""
    photos = entry.raw.get("photos") if isinstance(entry.raw, dict) else None
    hashes = [photo.get("sha256") for photo in photos if isinstance(photo, dict)] if isinstance(photos, list) else []
    return [sha256 for sha256 in hashes if isinstance(sha256, str) and PHOTO_HASH.fullmatch(sha256)]


def _looked_at(store: Store, entry: Entry, marks: set[tuple[str, str]], answer: Answer) -> list[tuple[str, bool]]:
    """The faults of an entry with a correct hash: someone who writes new hashes may have forgotten these."""
    try:
        return [*_marks(entry, marks), *_contents(store, entry, answer)]
    except (LookupError, TypeError, ValueError, AttributeError):
        return [("content", True)]


def _marks(entry: Entry, marks: set[tuple[str, str]]) -> Iterator[tuple[str, bool]]:
    if marks != set(marks_of(entry.kind, entry.raw)):
        yield "marks", True


def _contents(store: Store, entry: Entry, answer: Answer) -> Iterator[tuple[str, bool]]:
    content = entry.content
    for sha256 in photos_of(entry):
        state = store.photos.state(sha256)
        if state != "whole":
            yield f"photo_{state}", True
    book = content.get("book")
    if book and books.sha256_of(book["toml"]) != book["sha256"]:
        yield "book", True
    elif entry.kind == "record":
        yield from _scored_again(store, content, answer)


def _scored_again(store: Store, content: Mapping[str, Any], answer: Answer) -> Iterator[tuple[str, bool]]:
    """The same request under the kept book must give the same answer."""
    rules = books.rules_of(content["book"], store.book_file)
    for lang in WHOLE:
        recorded = content["answer"][lang]
        fresh = answer({**content["request"], "rules": rules}, lang=lang)
        if _essence(recorded) not in (_essence(fresh), _essence(_without_liability(fresh))):
            # a house book is based on a built-in one: a change of that one may honestly change the answer
            yield ("base", False) if books.base_changed(content["book"]) else ("answer", True)
            return


def _without_liability(response: Mapping[str, Any]) -> Mapping[str, object]:
    """The answer of earlier versions, in which each loser paid his own share unless the table named who is liable."""
    transfers = response.get("transfers", ())
    return {**response, "transfers": [transfer for transfer in transfers if not transfer.get("for")]}


def _essence(response: Mapping[str, Any]) -> str:
    """The facts of an answer, without its wording."""
    patterns = [(pattern["id"], pattern["tai"], pattern["count"]) for pattern in response.get("patterns", ())]
    return canonical([patterns, [response.get(key) for key in RIGHT]])
