"""The rules in the browser's Python give what they give here, for every book: hashes over the answers."""

from __future__ import annotations

import hashlib
import json
import random
from typing import Any

import scoring
from scoring.rulebook.loading import BOOK_IDS
from scoring.tiles import CODES
from tests.e2e.support.pocket import Opened

HANDS = 100
"""Of each book; a browser's Python takes about a millisecond for one, and ten seconds to start."""
SCRIPT = """async ([root, requests]) => {
  const { startPython } = await import(`${root}pocket/python.js`);
  const { python } = await startPython(root);
  python.globals.set("requests", JSON.stringify(requests));
  return JSON.parse(python.runPython(`
import hashlib, json, scoring
json.dumps({
    name: hashlib.sha256("".join(
        json.dumps(getattr(scoring, name)(one), ensure_ascii=False, sort_keys=True) for one in ones
    ).encode()).hexdigest()
    for name, ones in json.loads(requests).items()
})`));
}"""


def hand(chance: random.Random) -> dict[str, Any]:
    """A hand that wins: five sets and a pair, some of them melded, of tiles of which there are enough."""
    suits = [code for code in CODES if code[1] in "mpsz"]
    left = dict.fromkeys(suits, 4)
    sets: list[list[str]] = []
    while len(sets) < 5:
        first = chance.choice(suits)
        run = [f"{int(first[0]) + step}{first[1]}" for step in range(3)]
        tiles = run if first[1] != "z" and chance.random() < 0.6 else [first] * 3
        if all(left.get(tile, 0) >= tiles.count(tile) for tile in tiles):
            for tile in tiles:
                left[tile] -= 1
            sets.append(tiles)
    pair = chance.choice([tile for tile in suits if left[tile] >= 2])
    melded = chance.randrange(3)
    closed = [tile for tiles in sets[melded:] for tile in tiles] + [pair] * 2
    win = chance.choice(["self_draw", "discard"])
    seat, dealer = chance.choice("ESWN"), chance.choice("ESWN")
    asked = {"concealed": "".join(sorted(closed)), "winning_tile": chance.choice(closed), "win": win}
    kinds = [("pung" if len(set(tiles)) == 1 else "chow", "".join(tiles)) for tiles in sets[:melded]]
    asked |= {"melds": [{"kind": kind, "tiles": tiles} for kind, tiles in kinds], "seat": seat, "dealer": dealer}
    if win == "discard":
        asked["discarder"] = chance.choice([one for one in "ESWN" if one != seat])
    return asked | {"round": chance.choice("ESWN"), "streak": chance.randrange(3), "explain": True}


def requests() -> dict[str, list[dict[str, Any]]]:
    """The requests of each function of `scoring`, the same in every run."""
    chance = random.Random(31)
    hands = [{**hand(chance), "rules": book} for book in BOOK_IDS for _ in range(HANDS)]
    sixteen = [{**one, "concealed": one["concealed"][2:]} for one in hands[:10]]
    return {"answer": hands, "compare": hands[::60], "what_if": hands[::60], "ready": sixteen}


def test_the_answers_are_the_same_hash_for_hash(opened: Opened) -> None:
    asked = requests()
    here = {
        name: hashlib.sha256(
            "".join(
                json.dumps(getattr(scoring, name)(one), ensure_ascii=False, sort_keys=True) for one in ones
            ).encode()
        ).hexdigest()
        for name, ones in asked.items()
    }
    won = sum(bool(scoring.answer(one).get("wins")) for one in asked["answer"])
    assert won > len(asked["answer"]) / 2, "hardly any of these hands wins: that would prove little"
    page = opened.phone.shell(opened.address)  # next to the tab with the application
    assert page.evaluate(SCRIPT, ["/", asked]) == here
    page.close()
