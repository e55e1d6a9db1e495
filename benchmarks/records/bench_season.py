"""Time of a season's pages with many evenings: first in a cold process, then again.

`paitai serve` replays the evenings once its models are loaded.

    python benchmarks/records/bench_season.py [EVENINGS [HANDS]]
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from random import Random

from webui import create_app
from webui.games.game import FOLDED
from webui.people.nights import REMEMBERED
from webui.store.place import find_place
from webui.store.store import Store

NAMES = ("阿明", "小美", "老王", "Grace")

PAGES = ("/people", "/people/player?name=阿明", "/records", "/records?player=阿明&tai=3", "/games")


def main(evenings: int = 100, hands: int = 40) -> None:
    """Play them through the page's own forms' entries, then time each page."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app({"READER": None})
        app.extensions["paitai.store"].close()
        store = app.extensions["paitai.store"] = Store(find_place(str(Path(folder))))
        client = app.test_client()
        client.post(
            "/table/start",
            data={**{f"name_{at}": name for at, name in enumerate(NAMES)}, "first_dealer": "0", "rules": "common"},
        )
        rng = Random(1)
        with store.writing() as writer:
            opened = writer.of_kind("game", 1)[0].content
            for _ in range(evenings):
                game = writer.append("game", opened)
                for _ in range(hands):
                    winner, loser = "E", rng.choice("SWN")  # the dealer, so that the evening does not end
                    paid = [[loser, winner, 3, 6, "win", None]]
                    hand = {"kind": "won", "east": 0, "winners": [winner], "discarder": loser, "win": "discard"}
                    writer.append("hand", {**hand, "tai": [3], "transfers": paid, "record": None}, about=game.id)
                writer.append("end", {}, about=game.id)
        for address in PAGES:
            REMEMBERED.clear()
            FOLDED.clear()
            store.close()
            times = []
            for _ in range(4):
                began, worked = time.perf_counter(), time.process_time()
                answer = client.get(address)
                times.append((time.perf_counter() - began, time.process_time() - worked))
                if answer.status_code != 200:
                    raise SystemExit(f"{address}: {answer.status}")
            (first, worked), (then, _) = times[0], min(times[1:])
            size = len(answer.data) // 1024
            print(f"{address}: first {first:.3f} s ({worked:.3f} s of processor time), then {then:.3f} s, {size} KB")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
