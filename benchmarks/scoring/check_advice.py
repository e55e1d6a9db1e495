"""Check the advice against a plain search and, if Node is installed, against the npm package
`mahjong-tile-efficiency` (rule set "Taiwan").

    npm pack mahjong-tile-efficiency && tar xzf mahjong-tile-efficiency-*.tgz
    python benchmarks/scoring/check_advice.py --hands 2000 --beside package

The search: a hand is complete if sets and a pair can be removed one after another. Otherwise it lacks one tile more
than the best hand after one discard and one draw. It goes `--depth` exchanges deep. Prints the differences and the time
of advice two steps ahead. Exit status 1 for any difference except a fifth tile of a kind.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from scoring import advise
from scoring.advice.missing_tiles import ClosedTiles, Melded
from scoring.hands.shanten import nearest
from scoring.tiles import CODES, KINDS, format_tiles, index

NODE = """
import { readFileSync } from 'node:fs'
const { RuleSet, tilesToHand } = await import(%s)
const rules = new RuleSet('Taiwan')
for (const line of readFileSync(0, 'utf8').trim().split('\\n')) {
  console.log(JSON.stringify(rules.calUkeire(tilesToHand(JSON.parse(line)))))
}
"""

SEATS = {"rules": "luohan", "seat": "E", "round": "E", "dealer": "S"}


def some_hand(chance: random.Random, tiles: int) -> tuple[int, ...]:
    """Tiles of one box: some drawn blindly, some with sets among them, so that every distance comes."""
    box = [tile for tile in range(KINDS) for _ in range(4)]
    chance.shuffle(box)
    hand: list[int] = []
    for _ in range(chance.randrange(6)):
        first = chance.randrange(KINDS)
        chow = first < 27 and first % 9 < 7 and chance.random() < 0.7
        meld = [first, first + 1, first + 2] if chow else [first] * 3
        if all(hand.count(tile) + meld.count(tile) <= 4 for tile in meld):
            hand += meld
    for tile in hand:
        box.remove(tile)
    return tuple(sorted((hand + box)[:tiles]))


@lru_cache(maxsize=1 << 20)
def wins(tiles: tuple[int, ...], pair_taken: bool = False) -> bool:
    """Whether sets, and one pair, can be taken out until nothing is left."""
    if not tiles:
        return pair_taken
    first, count = tiles[0], tiles.count(tiles[0])
    if not pair_taken and count >= 2 and wins(tiles[2:], True):
        return True
    if count >= 3 and wins(tiles[3:], pair_taken):
        return True
    if first >= 27 or first % 9 > 6 or first + 1 not in tiles or first + 2 not in tiles:
        return False
    rest = list(tiles)
    for tile in (first, first + 1, first + 2):
        rest.remove(tile)
    return wins(tuple(rest), pair_taken)


def neighbours(tiles: tuple[int, ...]) -> set[tuple[int, ...]]:
    """Every hand of one box that one discard and one draw lead to."""
    found = set()
    for discard in set(tiles):
        rest = list(tiles)
        rest.remove(discard)
        for draw in range(KINDS):
            if draw != discard and rest.count(draw) < 4:
                found.add(tuple(sorted((*rest, draw))))
    return found


def missing_by_hand(tiles: tuple[int, ...], depth: int) -> int:
    """The number of exchanges to a winning hand; depth + 1 if it is larger than depth."""
    border, seen = {tiles}, {tiles}
    for number in range(depth + 1):
        if any(wins(hand) for hand in border):
            return number
        if number < depth:
            border = {more for hand in border for more in neighbours(hand)} - seen
            seen |= border
    return depth + 1


def missing(tiles: Sequence[int]) -> int:
    return ClosedTiles.of(tiles, Melded((), False)).missing


def check_by_hand(hands: Sequence[tuple[int, ...]], depth: int) -> int:
    """How many hands differ from the search."""
    wrong = 0
    for hand in hands:
        ours = missing(hand)
        right = missing_by_hand(hand, depth if ours <= depth else 0) if ours <= depth else None
        if right is None:  # too far to search: one step of it
            right = 1 + min(missing(other) for other in neighbours(hand))
        if ours != right:
            wrong += 1
            print(f"{format_tiles(hand)}: {ours} missing, by hand {right}")
    return wrong


def beside(hands: Sequence[tuple[int, ...]], package: Path) -> list[dict[str, Any]]:
    """The package's answer for each hand."""
    lines = "\n".join(json.dumps([CODES[tile] for tile in hand]) for hand in hands)
    command = ["node", "--input-type=module", "-e", NODE % json.dumps(str((package / "index.js").resolve()))]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


Said = dict[int | None, tuple[int, dict[str, int]]]
"""By discard (None for 16 tiles): how far the hand is then from ready, and the draws that bring it on."""


def theirs_of(said: dict[str, Any], hand: tuple[int, ...]) -> Said:
    """The package's answer, with the discarded tile counted as seen."""
    if len(hand) == 16:
        return {None: (said["shanten"], said["ukeire"])}
    found: Said = {}
    for key, farther in (("normalDiscard", 0), ("recedingDiscard", 1)):
        for discard, draws in said[key].items():
            seen = {code: left - (code == discard) for code, left in draws.items() if left > (code == discard)}
            # a discard from a hand that has won leaves one that waits; the package calls that receding too
            found[index(discard)] = (said["shanten"] + farther, seen)
    return found


def ours_of(hand: tuple[int, ...]) -> Said:
    """The same of our advice."""
    advice = advise({**SEATS, "concealed": format_tiles(hand)})
    return {
        index(entry["discard"]) if "discard" in entry else None: (
            entry["shanten"],
            {draw["tile"]: draw["left"] for draw in entry["draws"]},
        )
        for entry in advice["discards"] or [advice]
    }


def is_proven(tiles: tuple[int, ...], draw: int) -> bool:
    """Whether a winning hand can be shown that is one tile nearer with the draw than the tiles are without it."""
    return is_reached((*tiles, draw), missing(tiles) - 1)


def is_reached(tiles: tuple[int, ...], number: int) -> bool:
    """Whether a winning hand exists that takes at most `number` new tiles."""
    target = nearest(tiles)
    return wins(tuple(sorted([*_without(tiles, target.lose), *target.gain]))) and target.distance == number


def _without(tiles: Sequence[int], lost: Sequence[int]) -> list[int]:
    rest = list(tiles)
    for tile in lost:
        rest.remove(tile)
    return rest


def check_beside(hands: Sequence[tuple[int, ...]], package: Path) -> int:
    """The number of hands that differ from the package, without the proven mistakes of the package.

    The package counts on a fifth tile of a kind, misses some draws, and may overrate the distance. A winning hand
    proves the latter two.
    """
    equal = four = unseen = wrong = 0
    for hand, said in zip(hands, beside(hands, package), strict=True):
        theirs, ours = theirs_of(said, hand), ours_of(hand)
        if ours == theirs:
            equal += 1
            continue
        if max(hand.count(tile) for tile in hand) == 4:
            four += 1
            continue
        proven = True
        for discard, (shanten, draws) in ours.items():
            tiles = hand if discard is None else tuple(_without(hand, [discard]))
            their_shanten, their_draws = theirs[discard]
            if shanten < their_shanten:  # a hand that is nearer than the package thinks
                proven &= is_reached(tiles, shanten + 1)
            else:
                more = draws.items() - their_draws.items()
                seen = shanten == their_shanten and their_draws.keys() <= draws.keys()
                proven &= seen and all(is_proven(tiles, index(code)) for code, _ in more)
        unseen += proven
        if not proven:
            wrong += 1
            print(f"{format_tiles(hand)}: ours {ours}, theirs {theirs}")
    print(
        f"beside the package: {len(hands)} hands, {equal} alike, {four} with four of a kind, "
        f"{unseen} where it does not see what is shown, {wrong} others"
    )
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--hands", type=int, default=200)
    parser.add_argument("--depth", type=int, default=1, help="exchanges that are searched through (2: a minute a hand)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--beside", type=Path, metavar="FOLDER", help="the unpacked npm package")
    args = parser.parse_args()
    chance = random.Random(args.seed)
    hands = [some_hand(chance, 17) for _ in range(args.hands)]
    times = []
    for hand in hands:
        begun = time.process_time()
        advise({**SEATS, "concealed": format_tiles(hand)})
        times.append(time.process_time() - begun)
    print(f"two steps ahead: median {median(times):.3f} s, most {max(times):.3f} s of CPU time")
    wrong = check_by_hand(hands, args.depth)
    print(f"by hand: {len(hands)} hands, {wrong} differ")
    if args.beside:
        wrong += check_beside(hands + [some_hand(chance, 16) for _ in range(args.hands)], args.beside)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
