"""Every page of the records' database overwritten in turn, and every write of a save failing in turn.

    python benchmarks/records/damaged_pages.py --entries 80

A damaged database refuses saves and names the damage; the contents of other pages are rescued. A save whose n-th write
fails is refused, loses nothing acknowledged, and can be repeated when there is room.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from scoring.rulebook.loading import load_book
from webui.store import books
from webui.store.engine import open_engine
from webui.store.errors import StoreError
from webui.store.place import DATABASE, Place
from webui.store.store import Store
from webui.store.upkeep.rescue import rescue

PAGE = 4096


@dataclass
class Outcome:
    """Results of the pages: how often each thing happened, the most lost entries, and the faults."""

    counts: Counter[str] = field(default_factory=Counter)
    most_lost: int = 0
    problems: list[str] = field(default_factory=list)


def place_of(folder: Path) -> Place:
    """The place with its database in that folder."""
    return Place(f"sqlite:///{folder / DATABASE}", folder)


def fill(folder: Path, entries: int) -> list[str]:
    """Entries of every size, each third with a rule book in it; their hashes, oldest first."""
    chance = random.Random(7)
    store = Store(place_of(folder))
    book = books.keep(load_book("luohan"), books.text_of("luohan"))
    hashes: list[str] = []
    with store.writing() as writer:
        for number in range(entries):
            words = "".join(chance.choices("abcdefghij", k=chance.choice((20, 900, 6_000, 30_000))))
            content = {"number": number, "once": str(number), "words": words} | (
                {"book": book} if number % 3 == 0 else {}
            )
            hashes.append(writer.append("game", content).hash)
    with store.engine.connect() as connection:  # all of it into the file
        connection.connection.driver_connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # type: ignore[union-attr]
    store.close()
    return hashes


def damage_each_page(folder: Path, entries: int, step: int = 1) -> Outcome:
    """Overwrite every `step`-th page of a database in turn; the folder is used up."""
    whole, hurt = folder / "whole", folder / "hurt"
    hashes = fill(whole, entries)
    data = (whole / DATABASE).read_bytes()
    outcome, chance = Outcome(), random.Random(11)
    for page in range(0, len(data) // PAGE, step):
        shutil.rmtree(hurt, ignore_errors=True)
        shutil.copytree(whole, hurt)
        with (hurt / DATABASE).open("r+b") as file:
            file.seek(page * PAGE)
            file.write(chance.randbytes(PAGE))
        _look_at(place_of(hurt), page + 1, hashes, outcome)
    return outcome


def _look_at(place: Place, page: int, hashes: list[str], outcome: Outcome) -> None:
    saved = _save(place)
    if saved == "saved":  # nothing that anybody needs was on the page
        kept = _hashes(place)
        outcome.counts["page without anything"] += 1
        if kept[: len(hashes)] != hashes:
            outcome.problems.append(f"page {page}: a save was acknowledged over damaged entries")
        return
    if saved != "damaged":
        outcome.problems.append(f"page {page}: the save was refused as {saved}")
    try:
        found = rescue(place)
    except StoreError as error:
        outcome.problems.append(f"page {page}: {error}")
        return
    if found is None:
        outcome.problems.append(f"page {page}: not damaged after all")
        return
    kept = _hashes(place)
    lost = [number for number, one in enumerate(hashes, start=1) if one not in kept]
    named = [entry.seq for entry in found.missing]
    outcome.counts["rescued whole" if not lost else "rescued with gaps"] += 1
    outcome.most_lost = max(outcome.most_lost, len(lost))
    last = len(kept) + len(lost)
    if [seq for seq in lost if seq < last and seq not in named and any(one in kept for one in hashes[seq:])]:
        outcome.problems.append(f"page {page}: lost {lost}, named {named}")
    if _save(place) != "saved":
        outcome.problems.append(f"page {page}: no save after the rescue")


def _hashes(place: Place) -> list[str]:
    store = Store(place)
    try:
        with store.reading() as view:
            return [entry.hash for entry in view.every()]
    finally:
        store.close()


def _save(place: Place) -> str:
    """``saved``, or the key of the store's error."""
    store = Store(place)
    try:
        with store.writing() as writer:
            writer.append("end", {"after": "the damage"})
        return "saved"
    except StoreError as error:
        return error.key
    finally:
        store.close()


def fail_each_write(folder: Path, most: int = 400) -> Outcome:
    """Let the 1st, 2nd, … write of a save hit the end of the room there is, until a save gets through."""
    import resource
    import signal

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    outcome = Outcome()
    hashes = fill(folder, 6)
    place = place_of(folder)
    store = Store(place, engine=open_engine(place))
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    store.check()
    for room in range(most):
        resource.setrlimit(resource.RLIMIT_FSIZE, (512 + room * 2048, unlimited[1]))
        try:
            with store.writing() as writer:
                added = writer.append("game", {"words": "x" * 40_000}).hash
            hashes.append(added)
            done = True
        except StoreError as error:
            outcome.counts[f"refused: {error.key}"] += 1
            done = False
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
        with store.reading() as view:
            kept = [entry.hash for entry in view.every()]
        if kept != hashes:
            outcome.problems.append(f"room {room}: {len(hashes)} acknowledged, {len(kept)} there")
            break
        if done:
            outcome.counts["through"] += 1
            break
    damage = Store(place).check()
    if damage:
        outcome.problems.append(f"damaged by writes that failed: {damage}")
    store.close()
    if _save(place) != "saved":
        outcome.problems.append("no save when there is room again")
    return outcome


def main() -> int:
    """Exit status 1 if there was any fault."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--entries", type=int, default=80)
    args = parser.parse_args()
    status = 0
    with tempfile.TemporaryDirectory(prefix="paitai-") as made:
        for name, outcome in (
            ("pages", damage_each_page(Path(made) / "pages", args.entries)),
            ("writes", fail_each_write(Path(made) / "writes")),
        ):
            counts = ", ".join(f"{count} {what}" for what, count in sorted(outcome.counts.items()))
            lost = f"; at most {outcome.most_lost} of {args.entries} entries lost" if name == "pages" else ""
            print(f"{name}: {counts}{lost}; {len(outcome.problems)} problems")
            for problem in outcome.problems:
                print(f"  {problem}")
            status |= bool(outcome.problems)
    return status


if __name__ == "__main__":
    sys.exit(main())
