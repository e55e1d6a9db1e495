"""算台的白話定義: the tally in plain Python, as the documents are read. Read it to learn the rules.

This page is how a hand is read; `scoring.reference.patterns` is what each pattern is made of. Both are slow. The engine
(`scoring.tally`) gives the same answers and is much faster. ``tests/unit/scoring/tally/test_reference.py`` holds the
two equal on random hands of every book. Left out: what a house book declares itself (own patterns and shapes), shapes
other than 嚦咕嚦咕, 雙食, and payments (`scoring.settlement` is plain).

A hand is read in every way: each division into sets and a pair, with the winning tile in each place that it can have
come to. Each reading has its patterns, from which exclusions take some away. The reading with the most tai counts.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from scoring.hands.hand import Hand, WinContext
from scoring.reference.patterns import Division, Instances, Tiles, View, all_chows, of_flowers, patterns
from scoring.rulebook.model import RuleBook, parts_of
from scoring.settlement.dealer import dealer_tai
from scoring.tiles import FLOWERS, KINDS, WINDS

OF_FLOWERS = ("seat_flower", "any_flower", "flower_set", "eight_flowers", "seven_rob_one", "dealt_flower_win")
"""Patterns that a flower win counts, complete hand or not."""


def divisions(closed: Sequence[int], *, seven_pairs: bool) -> list[Division]:
    """Every division of closed tiles. seven_pairs: whether seven pairs and a pung win."""
    tiles = sorted(closed)
    found = [
        Division(tuple(sets), pair)
        for pair in sorted(set(tiles))
        if tiles.count(pair) >= 2
        for sets in _sets(_without(tiles, (pair, pair)))
    ]
    kinds = {tile: tiles.count(tile) for tile in tiles}
    pungs = [tile for tile, number in kinds.items() if number == 3]
    if seven_pairs and len(tiles) == 17 and len(pungs) == 1 and 1 not in kinds.values():
        pairs = tuple(tile for tile, number in kinds.items() if number != 3 for _ in range(number // 2))
        found.append(Division(((pungs[0],) * 3,), pairs[0], pairs))
    return found


def _sets(tiles: list[int]) -> Iterator[list[Tiles]]:
    """Every way to lay out all tiles as chows and pungs: the lowest tile is in one of the two."""
    if not tiles:
        yield []
        return
    low = tiles[0]
    for group in ((low, low + 1, low + 2), (low, low, low)):
        is_chow = group[1] > low
        if is_chow and (low >= WINDS[0] or low % 9 > 6):
            continue
        if all(tiles.count(tile) >= group.count(tile) for tile in group):
            for others in _sets(_without(tiles, group)):
                yield [group, *others]


def _without(tiles: Sequence[int], group: Tiles) -> list[int]:
    rest = list(tiles)
    for tile in group:
        rest.remove(tile)
    return rest


def waits(hand: Hand, book: RuleBook) -> Tiles:
    """聽牌: the kinds that complete the hand before its winning tile. A kind that the hand holds four times is none."""
    assert hand.winning_tile is not None
    before = _without(hand.concealed, (hand.winning_tile,))
    held = [*before, *chain.from_iterable(meld.tiles for meld in hand.melds)]
    seven = book.patterns["seven_pairs_and_pung"].scored and not hand.melds
    kinds = [tile for tile in range(KINDS) if held.count(tile) < 4 or book.held_fourth == "wait"]
    return tuple(tile for tile in kinds if divisions([*before, tile], seven_pairs=seven and held.count(tile) < 4))


def found(view: View, *, flowers_only: bool = False) -> dict[str, Instances]:
    """The patterns that the book scores and the reading has, by the book's own definitions.

    flowers_only: of a flower win whose hand stays closed.
    """
    known = of_flowers(view) if flowers_only else patterns(view)
    instances: dict[str, Instances] = {}
    for rule in view.book.patterns.values():
        base, parts = parts_of(rule.definition)
        made_of = known.get(base, [])
        if flowers_only and rule.id not in OF_FLOWERS:
            continue
        if base.startswith("all_chows"):
            chows = [*view.division.sets, *(meld.tiles for meld in view.hand.melds)]
            made_of = [tuple(chain.from_iterable(chows))] if all_chows(view, rule.definition) else []
        elif "five_calls" in parts and sum(meld.exposed for meld in view.hand.melds) == 5:
            made_of = []
        if rule.scored and made_of:
            instances[rule.id] = made_of
    return instances


def counted(there: dict[str, Instances], book: RuleBook) -> dict[str, int]:
    """How often each pattern counts: not where it shares a tile with a counted pattern that excludes it."""
    decided: dict[str, Instances] = {}

    def decide(id_: str) -> Instances:
        if id_ not in decided:
            left = there[id_]
            for other in sorted(there):
                if id_ in book.patterns[other].excludes:
                    theirs = decide(other)
                    left = [one for one in left if not any(_touch(one, excluding) for excluding in theirs)]
            decided[id_] = left
        return decided[id_]

    return {id_: len(decide(id_)) for id_ in there if decide(id_)}


def _touch(one: Tiles, other: Tiles) -> bool:
    return not one or not other or not set(one).isdisjoint(other)


def tallies(hand: Hand, context: WinContext, book: RuleBook) -> list[tuple[int, dict[str, int]]]:
    """The tai and the counted patterns of every reading, the most tai first; empty if the hand does not win."""
    tile = hand.winning_tile
    assert tile is not None
    seven = book.patterns["seven_pairs_and_pung"].scored and not hand.melds
    every: list[tuple[Division, Tiles | None]] = []
    for division in divisions(hand.concealed, seven_pairs=seven):
        every += [(division, group) for group in dict.fromkeys(division.sets) if tile in group]
        every += [(division, None)] if tile in (division.pair, *division.pairs) else []
    if book.winning_place == "pung_first" and not context.self_drawn:
        every = [(division, place) for division, place in every if place and place[0] == place[1]] or every
    flowers_paid = book.flower_win == "paid_at_once" and len(hand.flowers) == len(FLOWERS) and not context.flower_win
    waited = waits(hand, book) if every else ()
    results: list[tuple[int, dict[str, int]]] = []
    for division, place in every:
        there = found(View(hand, context, book, waited, division, place, tuple(every)))
        if flowers_paid and book.patterns["eight_flowers"].scored:
            there = {id_: made_of for id_, made_of in there.items() if id_ not in OF_FLOWERS}
        counts = counted(there, book)
        results.append((tai_of(counts, book), counts))
    return sorted(results, key=lambda result: -result[0])


def tai_of(counts: dict[str, int], book: RuleBook) -> int:
    """The tai of the patterns that count."""
    return sum(book.patterns[id_].tai * times for id_, times in counts.items())


class Outcome(NamedTuple):
    """What a hand comes to: whether it wins, with how many tai, by which patterns."""

    wins: bool
    tai: int = 0
    counts: dict[str, int] = {}  # noqa: RUF012  # never changed


def outcome(hand: Hand, context: WinContext, book: RuleBook) -> Outcome:
    """The tally of a hand within the book's limits (起胡, 封頂)."""
    best = _flower_win(hand, context, book) if context.flower_win else _ordinary_win(hand, context, book)
    if best is None:
        return Outcome(False)
    tai, counts = best
    most = tai
    if book.limits.least_tai_covers != "hand":  # 莊家台與連莊台 help to reach the least
        collects = context.seat == context.dealer
        with_dealer = collects or context.self_drawn or context.discarder == context.dealer
        most += dealer_tai(book, context.streak, dealer_collects=collects) if with_dealer else 0
    cap = book.limits.tai_cap or max(tai, book.limits.least_tai)
    if most < min(book.limits.least_tai, cap):
        return Outcome(False)
    return Outcome(True, min(tai, cap), counts)


def _ordinary_win(hand: Hand, context: WinContext, book: RuleBook) -> tuple[int, dict[str, int]] | None:
    if hand.missing or _barred(hand, context, book):
        return None
    results = tallies(hand, context, book)
    return results[0] if results else None


def _barred(hand: Hand, context: WinContext, book: RuleBook) -> bool:
    """碰槓之補牌: the tile that replaced an exposed kong does not win in some books."""
    return context.exposed_kong_draw(hand) and book.exposed_kong_draw == "no_win"


def _flower_win(hand: Hand, context: WinContext, book: RuleBook) -> tuple[int, dict[str, int]] | None:
    """花胡: the flowers alone, or with a complete hand if the book adds it."""
    dealt = "dealt_flowers" in context.events and book.patterns["dealt_flower_win"].scored
    if book.flower_win == "no_flower_win" or not (book.patterns[context.win].scored or dealt):
        return None
    if hand.concealed and hand.missing not in (0, 1):
        return None
    adds_hand = book.flower_win in ("hand_counts", "forced_hand_counts") and not _barred(hand, context, book)
    if adds_hand and not hand.missing and hand.winning_tile is not None:
        results = tallies(hand, context, book)
        if results:
            return results[0]
    counts = counted(found(View(hand, context, book, (), Division((), 0), None, ()), flowers_only=True), book)
    return tai_of(counts, book), counts
