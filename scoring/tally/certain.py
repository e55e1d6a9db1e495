"""確定的台: a lower bound of a hand's tai, before it is known how the hand was won, by whom and on which tile.

The bound is the least over everything that the hand can still become, for the flowers as they are:

- A complete hand: every way to win it is scored, and the least counts.
- A hand that more tiles can complete: the melds, and three closed honors of a kind, stay whatever comes.
- Any other hand, such as 18 tiles or a false win without a shape: it stays as it lies. Three of a kind are a pung if no
  chow of the hand can take one of them.

A book that takes the face tai of a false win asks for the tai of a hand that did not win (000 L431).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations, product

from scoring.hands.decomposition import Division
from scoring.hands.hand import OTHERS, SEATS, SETS, Hand, Seat, Win, WinContext
from scoring.hands.interpretation import Facts, Reading
from scoring.hands.shanten import nearest
from scoring.hands.shapes.declared import FIVE_SETS, Shape
from scoring.hands.shapes.missing import Lacking
from scoring.hands.tables.suits import Set, suit_keys
from scoring.rulebook.pattern_list import PATTERNS
from scoring.settlement.limits import counted_tai
from scoring.tally.best import score
from scoring.tally.counting import Line, Plan, Tally, count
from scoring.tiles import KINDS, WINDS, counts

NO_PAIR = -1
_WINS: tuple[Win, ...] = ("discard", "self_draw", "rob_kong")
_MOST_EXCLUDERS = 8
_SUIT_KINDS = WINDS[0]


def certain_tally(hand: Hand, context: WinContext, plan: Plan, unknown: Collection[str] = ()) -> Tally:
    """The least tai that the hand can have, and the patterns that it has in every case.

    hand: its winning tile is not asked. unknown: ``win``, ``seat``, ``round``, if those in the context only stand in.
    The tai can be more than those of the patterns: a hand may have one pattern or another in every case.

    >>> from scoring.hands.notation import parse_tiles
    >>> from scoring.rulebook.loading import load_book
    >>> from scoring.tally.counting import plan_of
    >>> hand = Hand(tuple(parse_tiles("777z123m46p8s")), (), tuple(parse_tiles("1f")))
    >>> context = WinContext("self_draw", "E", "E", "E")
    >>> [line.rule.id for line in certain_tally(hand, context, plan_of(load_book("luohan"))).lines]
    ['dragon_pung', 'seat_flower']
    """
    ways = list(_ways(hand, context, unknown))
    if not hand.missing:
        tallies = list(_scored(hand, ways, plan))
        if tallies:
            return _least_of(tallies, plan)
    coming = _coming_shapes(hand, plan)
    pungs = _sure_pungs(hand.concealed, honors_only=bool(coming))
    tallies = [_as_it_lies(hand, way, plan, pungs, coming) for way in ways]
    return _least_of(tallies, plan)


def _ways(hand: Hand, context: WinContext, unknown: Collection[str]) -> Iterator[WinContext]:
    """Every way in which the hand can have been won, as far as it makes a difference."""
    wins = _WINS if "win" in unknown else (context.win,)
    numbers = counts(hand.tiles)
    winds = {seat for seat, wind in zip(SEATS, WINDS, strict=True) if numbers[wind] >= 3}
    seats = SEATS if "seat" in unknown and (winds or hand.flowers) else (context.seat,)
    for win, seat in product(wins, seats):
        discarder = None if win == "self_draw" else _other(seat, context)
        for round_ in _rounds(seat, winds) if "round" in unknown and winds else (context.round,):
            yield context._replace(win=win, seat=seat, round=round_, discarder=discarder)


def _rounds(seat: Seat, winds: Collection[Seat]) -> list[Seat]:
    """The rounds that make a difference: of these winds, of the winner's seat, and one that is neither."""
    others = [round_ for round_ in SEATS if round_ != seat and round_ not in winds]
    return [round_ for round_ in SEATS if round_ not in others[1:]]


def _other(seat: Seat, context: WinContext) -> Seat:
    return context.discarder if context.discarder not in (None, seat) else OTHERS[seat][0]


def _scored(hand: Hand, ways: Sequence[WinContext], plan: Plan) -> Iterator[Tally]:
    """The tally for every winning tile of a complete hand, and every way in which it wins."""
    for tile in sorted(set(hand.concealed)):
        won = hand._replace(winning_tile=tile)
        if won.problems():
            continue
        won = won._replace(known_suits=won.suits)  # looked up once for all ways
        for way in ways:
            if not way.problems(won):
                result = score(won, way, plan)
                if result.wins:
                    yield result.tally


def _least_of(tallies: Sequence[Tally], plan: Plan) -> Tally:
    """The least tai of some tallies, with the patterns that all of them have."""
    least = min(tally.tai for tally in tallies)
    times = [{line.rule: line.times for line in tally.lines} for tally in tallies]
    lines = [Line(rule, min(of_one[rule] for of_one in times)) for rule in times[0] if all(rule in t for t in times)]
    return Tally(counted_tai(plan.book, least), tuple(lines), ())


def _coming_shapes(hand: Hand, plan: Plan) -> list[Shape]:
    """The shapes that more tiles can make of a hand, without a discard."""
    if hand.missing <= 0:
        return []
    shapes = [] if hand.melds else [shape for shape in plan.shapes if _lacks(hand, shape) == hand.missing]
    if len(hand.melds) <= SETS and nearest(hand.concealed, hand.melds).distance == hand.missing:
        shapes.append(FIVE_SETS)
    return shapes


def _lacks(hand: Hand, shape: Shape) -> int:
    """How many tiles a hand without melds lacks for a shape."""
    return Lacking.of(shape, suit_keys(hand.concealed)).missing


def _sure_pungs(concealed: Sequence[int], *, honors_only: bool) -> list[int]:
    """The kinds of which three closed tiles are a pung, whatever becomes of the hand."""
    numbers = counts(concealed)
    return [
        tile
        for tile in range(KINDS)
        if numbers[tile] >= 3 and (tile >= _SUIT_KINDS or not (honors_only or _in_a_chow(tile, numbers)))
    ]


def _in_a_chow(tile: int, numbers: Sequence[int]) -> bool:
    """Whether the hand holds two tiles that make a chow with this one."""
    rank = tile % 9
    return any(
        rank + low >= 0 and rank + low + 2 < 9 and all(numbers[tile + low + step] for step in range(3))
        for low in (-2, -1, 0)
    )


def _as_it_lies(hand: Hand, context: WinContext, plan: Plan, pungs: Sequence[int], coming: Sequence[Shape]) -> Tally:
    """The tally of what stays of a hand that does not win: its melds, its flowers and these closed pungs."""
    numbers = counts(hand.concealed)
    # of four closed tiles three are the pung
    closed = tuple(tile for tile in sorted(set(hand.concealed)) for _ in range(min(numbers[tile], 3)))
    sets = [Set("pung", tile, (tile,) * 3) for tile in pungs[: max(0, SETS - len(hand.melds))]]
    facts = Facts(Hand(closed, hand.melds, hand.flowers), context, plan.plants)
    opened = next((tile_set for tile_set in sets if numbers[tile_set.first] == 3), None)
    place = None if facts.drawn else opened  # a discard may have completed one of them
    reading = Reading(facts, Division(tuple(sets), NO_PAIR, (), len(sets)), place, asked=0)
    certain = {pattern.id for pattern in PATTERNS if pattern.certain and not (coming and pattern.id in _OF_ALL_TILES)}
    tally = count([pattern for pattern in plan.hits(reading) if pattern.entry.rule.id in certain], reading)
    if not coming:
        return tally
    least, lines = _with_excluders(tally, plan), tally.lines
    others = [plan.book.patterns[shape.id].tai for shape in coming if shape is not FIVE_SETS]
    if others:  # no pung stays one: four of a kind may be two pairs
        lines = tuple(line for line in lines if line.rule.id in _FLOWERS)
        least = min(least, sum(line.tai for line in lines) + min(others))
    return Tally(least, lines, ())


_OF_ALL_TILES = frozenset({"half_flush", "full_flush", "all_honors"})
_FLOWERS = frozenset(pattern.id for pattern in PATTERNS if pattern.group == "flowers")


def _with_excluders(tally: Tally, plan: Plan) -> int:
    """The least tai if patterns that may still come exclude some of these, such as 大三元 the single pungs."""
    lines = {line.rule.id: line.tai for line in tally.lines}
    coming = [
        entry.rule
        for entry in plan.entries
        if entry.definition.scope != "flowers"
        and entry.rule.id not in lines
        and 0 <= entry.rule.tai < sum(lines.get(excluded, 0) for excluded in set(entry.rule.excludes))
    ]
    coming.sort(key=lambda rule: rule.tai)
    least = tally.tai
    for size in range(1, min(len(coming), _MOST_EXCLUDERS) + 1):
        for some in combinations(coming[:_MOST_EXCLUDERS], size):
            excluded = {id_ for rule in some for id_ in rule.excludes}
            stay = sum(tai for id_, tai in lines.items() if id_ not in excluded)
            least = min(least, stay + sum(rule.tai for rule in some))
    return least
