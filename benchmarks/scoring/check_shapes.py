"""Hold the waits of every winning shape against the npm package mahjong-tile-efficiency (MIT).

    npm pack mahjong-tile-efficiency && tar xf mahjong-tile-efficiency-*.tgz
    python benchmarks/scoring/check_shapes.py package --hands 2000

The package knows five sets, 嚦咕, 十三么 and 十六不搭 (its rules "HKTW"). With --gold FILE the first hands are written
with the package's waits, for the test that needs no package.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from scoring.hands.shapes.declared import SHAPES
from scoring.hands.waits import waits
from scoring.tiles import CODES, KINDS, format_tiles
from tests.unit.scoring.hands.test_shapes import changed, hand_of

KNOWN = [shape for shape in SHAPES if shape.id != "eight_pairs"]
NODE = """
import { readFileSync } from 'node:fs'
const { RuleSet, tilesToHand } = await import(%s)
const rules = new RuleSet('HKTW')
for (const line of readFileSync(0, 'utf8').trim().split('\\n')) {
  const said = rules.calUkeire(tilesToHand(JSON.parse(line)))
  console.log(JSON.stringify(said.shanten === 0 ? Object.keys(said.ukeire) : []))
}
"""


def some_hand(chance: random.Random) -> tuple[int, ...]:
    """16 tiles of a shape, some with one tile exchanged."""
    tiles = [*changed(hand_of(chance.choice(KNOWN), chance), chance, chance.choice((0, 0, 0, 1)))]
    tiles.remove(chance.choice(tiles))
    return tuple(tiles)


def waits_of_the_package(hands: Sequence[tuple[int, ...]], package: Path) -> list[list[str]]:
    """The package's waits of each hand, as codes."""
    lines = "\n".join(json.dumps([CODES[tile] for tile in hand]) for hand in hands)
    command = ["node", "--input-type=module", "-e", NODE % json.dumps(str((package / "index.js").resolve()))]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package", type=Path, help="the unpacked npm package")
    parser.add_argument("--hands", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--gold", type=Path)
    args = parser.parse_args()
    chance = random.Random(args.seed)
    hands = [some_hand(chance) for _ in range(args.hands)]
    differ: Counter[str] = Counter()
    gold: list[str] = []
    for hand, theirs in zip(hands, waits_of_the_package(hands, args.package), strict=True):
        held = Counter(hand)
        # a fifth tile of a kind is no wait for us; the package leaves it out of its lists as well
        kinds = sorted(CODES.index(code) for code in theirs if held[CODES.index(code)] < 4)
        ours = [tile for tile in waits(hand, (), KNOWN) if tile < KINDS]
        if ours == kinds:
            gold.append(json.dumps({"tiles": format_tiles(hand), "waits": format_tiles(kinds)}))
        else:
            differ["differ"] += 1
            print(f"{format_tiles(hand)}: ours {format_tiles(ours)}, theirs {format_tiles(kinds)}")
    ready = sum('"waits": ""' not in line for line in gold)
    print(f"{len(hands)} hands, {len(gold)} alike ({ready} of them ready), {differ['differ']} differ")
    if args.gold:
        args.gold.write_text("\n".join(gold[:300]) + "\n", encoding="utf-8")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
