"""Change one field of one entry with all hashes right, and ask every page, command and edition.

    python benchmarks/records/poisoned_history.py [--mutants 600] [--seed 1]

The history has entries of every kind. Each mutant misses a field, or has a value of another type, or another value; it
may have been written by a later version or by hand. Tells every answer with a status of 500 and above, every exception,
and every entry that some page cannot read and `verify` does not name. Exit status 1 if there was any.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import random
import shutil
import sqlite3
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "reliability"))
sys.path.insert(0, str(Path(__file__).parents[2]))

from server_process import temporary_folder

from pocket.worker.application import PARTS
from pocket.worker.pages import POCKET
from webui.app import create_app
from webui.games.game import FOLDED
from webui.people.hands import BRIEFS
from webui.people.readable import unreadable_in
from webui.store.chain import KINDS, canonical, hash_of
from webui.store.errors import StoreError
from webui.store.place import DATABASE, Place
from webui.store.store import Store
from webui.store.upkeep.backup import backup, restore
from webui.store.upkeep.merging.merge import merge
from webui.store.upkeep.rescue import rescue
from webui.store.upkeep.verify import verify

DATA = Path(__file__).resolve().parents[2] / "tests/unit/compatibility/data_of_a40e116.zip"
OTHERS: dict[type, tuple[Any, ...]] = {
    str: ("chicken", "", 5, None, ["x"]),
    int: (-7, 10**9, "x", None, True),
    bool: ("x", None, 3),
    list: ([], {}, "x", None, [None]),
    dict: ({}, [], "x", None),
    type(None): (7, "x", {}),
}
"""Wrong values by the type of the right one."""


def place_of(folder: Path) -> Place:
    """The place of a data folder."""
    return Place(f"sqlite:///{folder / DATABASE}", folder)


def history(folder: Path) -> None:
    """A data folder with an entry of every kind."""
    with zipfile.ZipFile(DATA) as archive:
        archive.extractall(folder.parent / "old")
    shutil.copytree(folder.parent / "old/data", folder)
    store = Store(place_of(folder))
    with store.writing() as writer:
        first = writer.of_kind("game")[0]
        players = first.content["players"]
        ruling = {"incident": "unmade_call", "outcome": "fine", "say": {"zh": "罰一台", "en": "one tai"}}
        transfers = [["N", "E", 1, 1, "fine", None]]
        marks: dict[str, Any] = {"marks": {"S": ["watching"]}, "duties": [{"who": "N", "wins": "any", "draws": 2}]}
        lasts = {"lasts": True, "steps": [], "cites": [], "readings": []}
        steps: list[tuple[str, dict[str, Any]]] = [
            ("fine", {"east": 0, "who": "N", **ruling, **marks, **lasts, "transfers": transfers}),
            ("fouled", {"kind": "fouled", "east": 0, "offender": "S", "deal": "stays", "streak": "same", **ruling,
                        "transfers": [["S", "E", 1, 2, "false_win", None]]}),
            ("hand", {"kind": "drawn", "counts": True, "east": 0}),
            ("hand", {"kind": "false_win", "east": 0, "offender": "W",
                      "transfers": [["W", "E", 1, 2, "false_win", None]]}),
            ("rules", {"book": first.content["book"], "base": 2, "per_tai": 1}),
            ("bets", {"inner": [0, 1, 0, 0], "outer": [["阿姨", 1, 5]]}),
            ("names", {"players": [f"{name}二" for name in players]}),
            ("replaced", {"leaves": f"{players[1]}二", "comes": "小李"}),
            ("end", {}),
            ("paid", {"transfers": [[f"{players[0]}二", "小李", 3]], "to": None}),
        ]  # fmt: skip
        for kind, content in steps:
            writer.append(kind, content, about=first.id)
        other = writer.append("game", {**first.content, "players": ["甲", "乙", "丙", "丁"]})
        writer.append("seating", {"players": ["丁", "甲", "乙", "丙"], "first_dealer": 1}, about=other.id)
        won = {
            "kind": "won",
            "east": 0,
            "winners": ["E"],
            "discarder": "W",
            "win": "discard",
            "tai": [3],
            "record": None,
        }
        writer.append("hand", {**won, "transfers": [["W", "E", 4, 7, "win", None]], "why": []}, about=other.id)
        hand = writer.about(other.id)[-1]
        writer.append("nods", {"on": True}, about=other.id)
        for number in range(2):
            content = {"entry": hand.id, "record": None}
            wish = writer.append("wish", {"kind": "void", "entry": hand.id, "content": content}, about=other.id)
            if not number:
                writer.append("nodded", {"wish": wish.id, "yes": False}, about=other.id)
        writer.append("person", {"name": "甲", "is": players[0]})
        writer.append("shelved", {}, about=writer.of_kind("book")[0].id)
        merged = {"head": "x", "origin": {}, "games": [], "aside": {}, "uncounted": [], "copies": {}}
        writer.append("device", {"device": "abc", "name": "阿明的手機", "merged": merged})
        writer.append("counted", {"of": first.id, "counts": first.id})
    with store.reading() as view:
        missing = set(KINDS) - {entry.kind for entry in view.every()}
    store.close()
    assert not missing, missing


def mutants(content: Any, depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Every content with one fault, with a name for the fault."""
    if depth > 6:
        return
    items = list(content.items()) if isinstance(content, dict) else list(enumerate(content[:2]))
    for key, value in items:
        without = copy.deepcopy(content)
        del without[key]
        yield f"-{key}", without
        for other in OTHERS.get(type(value), ()):
            yield f"{key}={other!r}", {**content, key: other} if isinstance(content, dict) else [
                *content[:key], other, *content[key + 1 :]]  # fmt: skip
        if isinstance(value, dict | list) and value:
            for name, inner in mutants(value, depth + 1):
                yield f"{key}.{name}", {**content, key: inner} if isinstance(content, dict) else [
                    *content[:key], inner, *content[key + 1 :]]  # fmt: skip


def rewritten(folder: Path, seq: int, change: dict[str, str]) -> None:
    """Change an entry and write all hashes from there on again."""
    with contextlib.closing(sqlite3.connect(folder / DATABASE)) as base, base:
        for action in ("update", "delete"):
            for table in ("entries", "marks"):
                base.execute(f"DROP TRIGGER IF EXISTS {table}_no_{action}")
    store = Store(place_of(folder))
    with store.reading() as view:
        entries = list(view.every())
    store.close()
    previous = entries[seq - 2].hash if seq > 1 else entries[0].previous
    with contextlib.closing(sqlite3.connect(folder / DATABASE)) as base, base:
        base.execute("PRAGMA foreign_keys = OFF")
        rows = []
        for entry in entries[seq - 1 :]:
            new = {"kind": entry.kind, "at": entry.at, "text": entry.text} | (change if entry.seq == seq else {})
            fresh = hash_of(entry.seq, entry.id, new["kind"], new["at"], entry.about, new["text"], previous)
            rows.append((new["kind"], new["at"], new["text"], previous, fresh, entry.seq))
            previous = fresh
        base.execute("UPDATE entries SET previous = seq, hash = seq WHERE seq >= ?", (seq,))
        base.executemany("UPDATE entries SET kind=?, at=?, content=?, previous=?, hash=? WHERE seq=?", rows)
    base.close()


class Asked:
    """The pages of both editions over one data folder after the other."""

    def __init__(self, folder: Path) -> None:
        settings = {"READER": object(), "DATA": str(folder)}
        self.apps = [create_app(settings), create_app({**settings, "PARTS": PARTS, "MORE_PAGES": (POCKET,)})]

    def problems(self, store: Store, ids: dict[str, list[str]]) -> Iterator[str]:
        """The faults of every page."""
        paths = [
            "/",
            "/table",
            "/games",
            "/records",
            "/people",
            "/house",
            "/records?tai=1&player=甲",
            "/backup",
            "/pocket",
        ]
        paths += [f"/people/player?name={name}" for name in ("甲", "小李")]
        for game in ids["game"]:
            paths += [f"/games/{game}{tail}" for tail in ("", "/evening", "/export.csv", "/export.json", "/head.json")]
            paths += [f"/table/again/{game}"]
        for record in ids["record"]:
            paths += [f"/records/{record}", f"/records/{record}.json", f"/records/{record}/photo1.jpg"]
        for app in self.apps:
            app.extensions["paitai.store"] = store
            client = app.test_client()
            for path in paths:
                status = client.get(path).status_code
                if status >= 500:
                    yield f"{path}: {status}"


def main() -> int:
    """Make the mutants and ask."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutants", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    chance, outcomes, problems, started = random.Random(args.seed), Counter[str](), [], time.monotonic()
    with temporary_folder() as folder:
        whole = folder / "whole" / "data"
        history(whole)
        store = Store(place_of(whole))
        with store.reading() as view:
            chain = list(view.every())
        for named in verify(store, probe=unreadable_in).findings:
            problems.append(f"the history itself: {named}")
        store.close()
        ids = {kind: [entry.id for entry in chain if entry.kind == kind] for kind in KINDS}
        by_kind: dict[str, list[tuple[int, str, dict[str, str]]]] = {kind: [] for kind in KINDS}
        for entry in chain:
            faults = [(name, {"text": canonical(value)}) for name, value in mutants(dict(entry.content))]
            faults += [("content", {"text": text}) for text in ("[]", "null", "{", '"x"', "{}")]
            faults += [
                ("kind", {"kind": "later_kind"}),
                *(("at", {"at": at}) for at in ("", "0001-01-01T00:00:00Z", "x")),
            ]
            by_kind[entry.kind] += [(entry.seq, f"{entry.kind} {name}", change) for name, change in faults]
        made = sum(map(len, by_kind.values()))
        for several in by_kind.values():
            chance.shuffle(several)
        chosen = [
            list_[turn]
            for turn in range(max(map(len, by_kind.values())))
            for list_ in by_kind.values()
            if turn < len(list_)
        ]
        asked = Asked(folder / "none")
        for number, (seq, name, change) in enumerate(chosen[: args.mutants]):
            data = folder / f"m{number}"
            shutil.copytree(whole, data)
            rewritten(data, seq, change)
            try:
                for problem in one(data, whole, folder, asked, ids, seq, outcomes):
                    problems.append(f"{name}: {problem}")
            except Exception as error:
                problems.append(f"{name}: {type(error).__name__}: {str(error)[:200]}")
            shutil.rmtree(data)
    seconds = time.monotonic() - started
    print(
        f"{min(args.mutants, made)} of {made} mutants in {seconds:.0f} s: "
        + ", ".join(f"{n} × {what}" for what, n in sorted(outcomes.items()))
    )
    print(f"{len(problems)} problems")
    for problem in problems[:40]:
        print(problem.encode("ascii", "backslashreplace").decode(), file=sys.stderr)
    return 1 if problems else 0


def one(
    data: Path, whole: Path, folder: Path, asked: Asked, ids: Any, seq: int, outcomes: Counter[str]
) -> Iterator[str]:
    """What goes wrong with one mutant."""
    FOLDED.clear()
    BRIEFS._known.clear()
    store, other, empty = Store(place_of(data)), folder / "other", folder / "empty"
    for path in (other, empty, folder / "b.zip"):
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    yield from asked.problems(store, ids)
    with store.reading() as view:
        errors = unreadable_in(list(view.every()), store.book_file)
    report = verify(store, probe=unreadable_in)
    named = {finding.seq for finding in report.findings}
    for error in errors:
        if error.values["seq"] not in named:
            yield f"verify does not name {error}"
    outcomes["unreadable" if errors else "changed" if not report.whole else "as good as any"] += 1
    backup(store, folder / "b.zip")
    store.close()
    if rescue(place_of(data)) is not None:
        yield "rescue takes the database for damaged"
    ours = Store(place_of(other))
    with ours.writing() as writer:
        writer.append("person", {"name": "a", "is": None})
    try:
        merge(ours, folder / "b.zip", unreadable_in)
        yield from asked.problems(ours, ids)
        with ours.reading() as view:
            if left := unreadable_in(list(view.every()), ours.book_file):
                yield f"merged in: {left[0]}"
    except StoreError as error:
        outcomes[f"merge refused: {error.key}"] += 1
    ours.close()
    new = Store(place_of(empty))
    try:
        restore(new, folder / "b.zip")
        yield from asked.problems(new, ids)
    except StoreError as error:
        outcomes[f"restore refused: {error.key}"] += 1
    new.close()


if __name__ == "__main__":
    sys.exit(main())
