"""確定的台: what is certain in a hand that does not win: flowers, pungs of honors, concealed pungs, suits.

A book that takes the face tai of a false win asks what the hand shown was worth (000 L431); of a hand that is none,
only this much can be counted, and the table says the rest.
"""

from __future__ import annotations

from collections.abc import Collection

from scoring.hands.decomposition import Division
from scoring.hands.hand import Hand, WinContext
from scoring.hands.interpretation import Facts, Reading
from scoring.hands.tables.suits import Set
from scoring.rulebook.pattern_list import PATTERNS
from scoring.tally.counting import Plan, Tally, count


def certain_tally(hand: Hand, context: WinContext, plan: Plan, unknown: Collection[str] = ()) -> Tally:
    """The tally of what is certain; three closed tiles of a kind are taken for a concealed pung.

    `unknown`: ``seat``, ``round``, where those in the context only stand in.

    >>> from scoring.hands.notation import parse_tiles
    >>> from scoring.rulebook.loading import load_book
    >>> from scoring.tally.counting import plan_of
    >>> hand = Hand(tuple(parse_tiles("777z123m46p8s")), (), tuple(parse_tiles("1f")))
    >>> context = WinContext("self_draw", "E", "E", "E")
    >>> [line.rule.id for line in certain_tally(hand, context, plan_of(load_book("luohan"))).lines]
    ['dragon_pung', 'seat_flower']
    """
    held = {tile: min(hand.concealed.count(tile), 3) for tile in sorted(set(hand.concealed))}
    closed = tuple(tile for tile, number in held.items() for _ in range(number))  # of four closed three are the pung
    facts = Facts(Hand(closed, hand.melds, hand.flowers), context, plan.plants)
    pungs = [Set("pung", tile, (tile,) * 3) for tile, number in held.items() if number == 3]
    reading = Reading(facts, Division(tuple(pungs), NO_PAIR, (), len(pungs)), None, asked=0)
    certain = {pattern.id for pattern in PATTERNS if pattern.certain and pattern.wind not in unknown}
    return count([pattern for pattern in plan.hits(reading) if pattern.entry.rule.id in certain], reading)


NO_PAIR = -1
