"""One tile set saved on the page and by `paitai sets add` at once: no acknowledged reference is lost.

    python benchmarks/records/set_savers.py [--rounds 20] [--pages 3] [--terminals 2]

In every round several pages name tiles of the sample photo one by one on a running server, while terminals add the
whole photo to the same set. Then the set must hold exactly the acknowledged references (303 of the page, exit status 0
in the terminal), every picture must exist, and no key may be used twice. Exit status 1 if anything is missing or too
much.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "reliability"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from server_process import ROOT, Client, Server, temporary_folder

from vision.photo.sample import sample_photo_path
from vision.tileset.store import TileSetStore
from vision.tileset.values import MOST_REFERENCES, TileSetError

TILES = "777z456p56f1235579p111z8p"
"""Of the sample photo, row by row."""
COUNT = 19
NAMED = ("7z", "7z", "7z", "4p", "5p", "6p", "5f", "6f")
"""The first of them, one by one."""
ADDS = 2
"""Times that each terminal adds the photo in a round."""


@dataclass
class Ledger:
    """Acknowledged references of one set, and errors."""

    by_tile: dict[str, int] = field(default_factory=dict)
    saves: int = 0
    problems: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def added(self, tile: str) -> None:
        """One reference more."""
        with self.lock:
            self.by_tile[tile] = self.by_tile.get(tile, 0) + 1
            self.saves += 1


def photo_on_page(address: str) -> str:
    """The id of the sample photo on the page that names its tiles."""
    path = sample_photo_path()
    status, page, _ = Client(address).upload("/sets/look", [("photo", path.name, path.read_bytes())], {"name": "A"})
    found = re.search(r'name="photo" value="([0-9a-f]+)"', page)
    if found is None:
        raise RuntimeError(f"the photo was not taken: {status}")
    return found[1]


def name_on_page(address: str, photo: str, name: str, ledger: Ledger, terminals: list[threading.Thread]) -> None:
    """Name one tile after another for as long as the terminals are at work."""
    client, at = Client(address), 0
    while any(terminal.is_alive() for terminal in terminals):
        with ledger.lock:
            room = sum(ledger.by_tile.values()) + COUNT * ADDS * len(terminals) + 2 * len(NAMED) < MOST_REFERENCES
        if not room:  # a full set lets go of its oldest: no reference may be lost for that
            return
        place = at % len(NAMED)
        fields = {"photo": photo, "name": name, f"tile_{place}": NAMED[place], f"meant_{place}": NAMED[place]}
        status, text, _ = client.form("/sets", fields)
        if status == 303:
            ledger.added(NAMED[place])
        else:
            with ledger.lock:
                ledger.problems.append(f"page: {status} {' '.join(re.sub('<[^>]+>', ' ', text).split())[-200:]}")
        at += 1


def add_in_terminal(data: str, name: str, ledger: Ledger) -> None:
    """Add the whole photo, as somebody at the computer does."""
    command = [sys.executable, "-m", "paitai", "sets", "add", name, str(sample_photo_path())]
    for _ in range(ADDS):
        done = subprocess.run(
            [*command, "--tiles", TILES, "--data", data, "--lang", "en"], cwd=ROOT, capture_output=True, text=True
        )
        with ledger.lock:
            if done.returncode:
                ledger.problems.append(f"terminal: {done.returncode} {done.stderr.strip()[-200:]}")
            else:
                ledger.saves += 1
                for tile in codes_of(TILES):
                    ledger.by_tile[tile] = ledger.by_tile.get(tile, 0) + 1


def codes_of(tiles: str) -> list[str]:
    """``"77z5f"`` as ``["7z", "7z", "5f"]``."""
    return [digit + kind for digits, kind in re.findall(r"(\d+)([a-z])", tiles) for digit in digits]


def lost(sets: TileSetStore, name: str, ledger: Ledger) -> list[str]:
    """Differences from the acknowledged references."""
    try:
        held = sets.load(name)  # reads every picture
    except TileSetError as error:
        return [f"{name}: {error}"]
    there: dict[str, int] = {}
    for reference in held.references:
        there[reference.tile] = there.get(reference.tile, 0) + 1
    found = [
        f"{name}: {tile} {there.get(tile, 0)} times, acknowledged {ledger.by_tile.get(tile, 0)}"
        for tile in sorted({*there, *ledger.by_tile})
        if there.get(tile, 0) != ledger.by_tile.get(tile, 0)
    ]
    keys = [reference.key for reference in held.references]
    return [*found, *([f"{name}: a key given twice"] if len(set(keys)) != len(keys) else [])]


def main() -> int:
    """Save, compare, print the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--pages", type=int, default=3)
    parser.add_argument("--terminals", type=int, default=2)
    args = parser.parse_args()
    problems: list[str] = []
    saves = references = 0
    with temporary_folder() as folder, Server(str(folder)) as server:
        photo, sets = photo_on_page(server.address), TileSetStore.in_data(folder)
        for number in range(args.rounds):
            ledger, name = Ledger(), f"table {number}"
            terminals = [
                threading.Thread(target=add_in_terminal, args=(str(folder), name, ledger))
                for _ in range(args.terminals)
            ]
            pages = [
                threading.Thread(target=name_on_page, args=(server.address, photo, name, ledger, terminals))
                for _ in range(args.pages)
            ]
            for thread in [*terminals, *pages]:
                thread.start()
            for thread in [*terminals, *pages]:
                thread.join()
            problems += [*ledger.problems, *lost(sets, name, ledger)]
            saves, references = saves + ledger.saves, references + sum(ledger.by_tile.values())
            print(f"{name}: {ledger.saves} saves, {sum(ledger.by_tile.values())} references", flush=True)
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{args.rounds} rounds, {saves} acknowledged saves of {references} references, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
