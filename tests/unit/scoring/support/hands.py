"""Random hands that win, for the properties and the comparison with the reference."""

from random import Random
from typing import Any

from scoring.hands.notation import format_tiles
from scoring.tiles import CODES, index
from tests.unit.scoring.support.reference import KINDS

Hand = dict[str, Any]


def winning_hand(rng: Random, book: str | None = None) -> Hand:
    """A hand of the reference's form, of `book` or any; few suits, many honors and pungs, for the rare patterns."""
    while True:
        suits = rng.choice(["m", "s", "mp", "mps", "mps", ""])
        honors = not suits or rng.random() < 0.5
        pool = [tile for tile in KINDS if tile[1] in suits or (honors and tile[1] == "z")]
        starts = [tile for tile in pool if tile[1] != "z" and int(tile[0]) <= 7]
        pungs = rng.random()
        seven_pairs = rng.random() < 0.15
        if seven_pairs:
            tiles = [rng.choice(pool)] * 3 + [tile for _ in range(7) for tile in [rng.choice(pool)] * 2]
            melds: list[tuple[str, list[str]]] = []
        else:
            sets = []
            for _ in range(5):
                if starts and rng.random() > pungs:
                    first = rng.choice(starts)
                    sets.append([f"{int(first[0]) + step}{first[1]}" for step in range(3)])
                else:
                    sets.append([rng.choice(pool)] * 3)
            melded = rng.choice([0, 0, 0, 1, 2, 3, 5])
            melds = [_meld(rng, one) for one in sets[:melded]]
            tiles = [*[rng.choice(pool)] * 2, *(tile for one in sets[melded:] for tile in one)]
        everything = tiles + [tile for _, meld in melds for tile in meld]
        if all(everything.count(tile) <= 4 for tile in everything):
            return _won(rng, tiles, melds, seven_pairs, book)


def _meld(rng: Random, tiles: list[str]) -> tuple[str, list[str]]:
    if tiles[0] != tiles[1]:
        return "chow", tiles
    kind = rng.choice(["pung", "pung", "kong", "added_kong", "concealed_kong"])
    return kind, tiles if kind == "pung" else [*tiles, tiles[0]]


def _won(
    rng: Random, tiles: list[str], melds: list[tuple[str, list[str]]], seven_pairs: bool, book: str | None
) -> Hand:
    winning = rng.choice(tiles)
    wins = ["discard", "self_draw"]
    if (tiles + [tile for _, meld in melds for tile in meld]).count(winning) == 1:
        wins.append("rob_kong")
    win = rng.choice(wins)
    flowers = rng.sample(CODES[34:], rng.choice([0, 0, 1, 2, 4, 5, 6, 8]))
    events = [event for event in ("last_tile", "ready_declared") if rng.random() < 0.2]
    if win == "self_draw" and flowers and rng.random() < 0.3:
        events.append("flower_replacement")
    seat = rng.choice("ESWN")
    book = book or rng.choice(["luohan", "ntu", "common", "mahjong_time"])
    return {
        "book": book,
        "concealed": tiles,
        "melds": melds,
        "flowers": flowers,
        "winning_tile": winning,
        "win": win,
        "seat": seat,
        "round": rng.choice("ESWN"),
        "discarder": None if win == "self_draw" else rng.choice([other for other in "ESWN" if other != seat]),
        "dealer": rng.choice("ESWN"),
        "streak": rng.randrange(4),
        "events": events,
        # where common turns 嚦咕嚦咕 on, 門清自摸 beside it is nobody's word
        # 003 L115 has it on
        "seven_pairs": book == "mahjong_time" or seven_pairs or rng.random() < 0.3,
    }


def text(tiles: list[str]) -> str:
    """Codes as one string."""
    return format_tiles(index(tile) for tile in tiles)


def as_request(hand: Hand) -> dict[str, Any]:
    """The hand as a request to the engine."""
    return {
        **{key: hand[key] for key in ("winning_tile", "win", "seat", "round", "discarder", "dealer", "streak")},
        "events": hand["events"],
        "rules": hand["book"],
        "concealed": text(hand["concealed"]),
        "melds": [{"kind": kind, "tiles": text(tiles)} for kind, tiles in hand["melds"]],
        "flowers": text(hand["flowers"]),
        "overrides": {"seven_pairs_and_pung": 8} if hand["seven_pairs"] else {},
        "base": 3,
        "per_tai": 1,
    }
