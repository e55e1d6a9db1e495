"""The engine against `scoring.reference` in the ready books with own patterns (港式台灣麻雀).

The plain definition has the divisions, the built-in patterns and the exclusions; whether a reading has an own pattern
is asked of the engine's traits, which `test_groups`, `test_numbers` and `test_own_patterns` hold to plain definitions.
"""

from __future__ import annotations

import os
from random import Random
from typing import Any

import pytest

from scoring import reference
from scoring.api.requests.request import Request, read_request
from scoring.hands.hand import Hand
from scoring.hands.interpretation import Facts, Reading
from scoring.patterns import definition_of
from scoring.reference.patterns import Division, View
from scoring.rulebook.loading import READY_IDS, load_book
from scoring.rulebook.model import RuleBook
from scoring.tally.best import readings, score
from scoring.tally.counting import Plan, plan_of
from tests.unit.scoring.tally.test_groups import some_hand
from tests.unit.scoring.tally.test_reference import some_request

HANDS = int(os.environ.get("REFERENCE_HANDS", "150"))
FLOWERS = [0, 0, 1, 2, 5, 6]
Key = tuple[tuple[tuple[int, ...], ...], tuple[int, ...], tuple[int, ...] | None]


def key_of(reading: Reading) -> Key:
    closed = sorted(tile_set.tiles for tile_set in reading.sets if not tile_set.melded)
    pairs = sorted(group[0] for group in reading.loose) or [reading.pair]
    return tuple(closed), tuple(pairs), reading.place.tiles if reading.place else None


def plain_readings(hand: Hand) -> list[tuple[Division, tuple[int, ...] | None]]:
    """Every division with the winning tile in every place that it can have come to."""
    every: list[tuple[Division, tuple[int, ...] | None]] = []
    for division in reference.divisions(hand.concealed, seven_pairs=not hand.melds):
        every += [(division, group) for group in dict.fromkeys(division.sets) if hand.winning_tile in group]
        every += [(division, None)] if hand.winning_tile in (division.pair, *division.pairs) else []
    return every


def plain_tai(asked: Request, plan: Plan, book: RuleBook) -> list[int]:
    """The tai of each reading of five sets, or of seven pairs and a pung, in the order of `plain_readings`."""
    facts = Facts(asked.hand, asked.context, plan.plants, plan.shapes, held_fourth=plan.held_fourth)
    by_key = {key_of(reading): reading.in_full() for reading in readings(facts, plan)}
    every, results = plain_readings(asked.hand), []
    for division, place in every:
        view = View(asked.hand, asked.context, book, facts.waits, division, place, tuple(every))
        pairs = tuple(sorted(division.pairs)) or (division.pair,)
        traits = by_key[tuple(sorted(division.sets)), pairs, place].traits
        there, on_total = reference.found(view), []
        for rule in book.patterns.values():
            definition = definition_of(rule.definition)
            if not (rule.scored and definition.holds and definition.times(traits)):
                continue
            if definition.total:
                on_total.append((rule, definition.total))
            else:
                there[rule.id] = [()] * definition.times(traits)
        tai = reference.tai_of(reference.counted(there, book), book)
        results.append(tai + sum(rule.tai for rule, (least, most) in on_total if least <= tai <= most))
    return results


def hand_for(rng: Random, rules: str) -> dict[str, Any]:
    """A hand of few kinds, or any other; of this book's other shapes only seven pairs are in the plain definition."""
    flowers = "".join(sorted(rng.sample("12345678", rng.choice(FLOWERS))))
    if rng.random() < 0.6:
        return some_hand(rng) | {"rules": rules, "flowers": f"{flowers}f" if flowers else ""}
    return some_request(rng, rules) | {"overrides": {}}


@pytest.mark.timeout(60 + HANDS // 10)
@pytest.mark.parametrize("rules", [id_ for id_ in READY_IDS if load_book(id_).own_patterns])
def test_the_engine_counts_as_the_plain_definition(rules: str) -> None:
    rng, book = Random(rules), load_book(rules)
    plan = plan_of(book)
    compared = 0
    while compared < HANDS:
        try:
            asked = read_request(hand_for(rng, rules))
        except ValueError:
            continue  # events that contradict each other, or the hand
        every = plain_readings(asked.hand)
        result = score(asked.hand, asked.context, plan)
        if result.second or not (every and result.wins):
            continue
        compared += 1
        assert result.tally.tai == max(plain_tai(asked, plan, book)), asked
    assert compared == HANDS
