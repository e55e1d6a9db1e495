"""The engine against `scoring.reference`, the plain definition of the tally, on random hands of every book."""

from __future__ import annotations

import os
from random import Random
from typing import Any

import pytest

from scoring import reference
from scoring.api.requests.request import read_request
from scoring.hands.notation import format_tiles
from scoring.rulebook.loading import BOOK_IDS, READY_IDS, load_book
from scoring.tally.best import score
from scoring.tiles import CODES, FLOWERS
from tests.unit.scoring.support.hands import as_request, winning_hand

HANDS = int(os.environ.get("REFERENCE_HANDS", "500"))
"""Of each book. CI's nightly run takes 20,000."""
EVENTS = (
    "kong_replacement",
    "heavenly_ready",
    "earthly_ready",
    "earthly_ready_one_shot",
    "early_ready",
    "heavenly_win",
)
EVENTS += ("earthly_win", "human_win", "ready_void", "after_exposed_kong")


def chow_hand(rng: Random) -> dict[str, Any]:
    """A hand of five chows and a pair, which the other generator seldom makes: 平胡 depends on its wait."""
    while True:
        starts = [9 * suit + rank for suit in rng.sample(range(3), rng.randrange(1, 4)) for rank in range(7)]
        chows = [[first, first + 1, first + 2] for first in rng.choices(starts, k=5)]
        pair = rng.randrange(34) if rng.random() < 0.3 else rng.choice(chows)[0]
        melded = rng.choice([0, 0, 1, 2])
        closed = [*(tile for chow in chows[melded:] for tile in chow), pair, pair]
        tiles = [*closed, *(tile for chow in chows[:melded] for tile in chow)]
        if max(map(tiles.count, tiles)) <= 4:
            hand = as_request(winning_hand(rng))
            melds = [{"kind": "chow", "tiles": format_tiles(chow)} for chow in chows[:melded]]
            won = {"concealed": format_tiles(closed), "melds": melds, "winning_tile": CODES[rng.choice(closed)]}
            win = rng.choice(["discard", "self_draw"])
            other = next(seat for seat in "ESWN" if seat != hand["seat"])
            return {**hand, **won, "win": win, "discarder": other if win == "discard" else None, "events": []}


def some_request(rng: Random, rules: str) -> dict[str, Any]:
    """A random winning hand, now and then with events, or with patterns on that the book leaves off."""
    request = chow_hand(rng) if rng.random() < 0.25 else as_request(winning_hand(rng))
    request |= {"rules": rules, "overrides": {}}
    if rng.random() < 0.5:
        request["flowers"] = ""
    kongs = [meld["kind"] for meld in request["melds"] if "kong" in meld["kind"]]
    if kongs and request["win"] == "self_draw" and rng.random() < 0.5:
        own = ["kong_replacement", *(["after_exposed_kong"] if "kong" in kongs else [])]
        more = ["flower_replacement"] if request["flowers"] else []
        request["events"] = sorted({*rng.sample(own, rng.randrange(1, len(own) + 1)), *more})
    elif rng.random() < 0.3:
        request["events"] = [*request["events"], *rng.sample(EVENTS, rng.randrange(1, 3))]
    if rng.random() < 0.1:
        request["overrides"] = {"seven_pairs_and_pung": 8, "two_concealed_pungs": 1, "all_honors_overlap": -4}
    return request


@pytest.mark.timeout(60 + HANDS // 10)
@pytest.mark.parametrize("rules", [id_ for id_ in (*BOOK_IDS, *READY_IDS) if not load_book(id_).own_patterns])
def test_the_engine_counts_as_the_plain_definition(rules: str) -> None:
    rng = Random(rules)
    won = counted = 0
    while counted < HANDS:
        try:
            asked = read_request(some_request(rng, rules))
        except ValueError:
            continue  # events that contradict each other, or the hand
        counted += 1
        book = asked.plan.book._replace(limits=load_book("common").limits)
        result = score(asked.hand, asked.context, type(asked.plan)(book)) if asked.plan.limited else None
        result = result or score(asked.hand, asked.context, asked.plan)
        tallies = reference.tallies(asked.hand, asked.context, book)
        if not result.wins:
            barred = any(problem.key == "exposed_kong_no_win" for problem in result.problems)
            assert barred or not tallies, asked
            continue
        won += 1
        best = [counts for tai, counts in tallies if tai == tallies[0][0]]
        assert result.tally.tai == tallies[0][0], (asked, tallies, result.tally.lines)
        assert {line.rule.id: line.times for line in result.tally.lines} in best, (asked, tallies)
        assert result.facts.waits == reference.waits(asked.hand, book), asked
    assert won > HANDS * 0.8


LIMITS = (
    {"tai_cap": 5},
    {"least_tai": 3},
    {"least_tai": 3, "least_tai_covers": "hand_and_dealer"},
    {"tai_cap": 2, "least_tai": 4},
)


def flower_request(rng: Random, rules: str) -> dict[str, Any]:
    """A random flower win, its hand complete or closed."""
    request = as_request(winning_hand(rng)) | {"rules": rules, "overrides": {}}
    other = next(seat for seat in rng.sample("ESWN", 4) if seat != request["seat"])
    eight = rng.random() < 0.5
    flowers = FLOWERS if eight else rng.sample(FLOWERS, 7)
    request |= {"flowers": format_tiles(flowers), "win": "eight_flowers" if eight else "seven_rob_one"}
    request |= {"discarder": None if eight else other, "events": ["dealt_flowers"] if rng.random() < 0.2 else []}
    if rng.random() < 0.4:
        request |= {"concealed": "", "melds": [], "winning_tile": None}
    return request


@pytest.mark.timeout(60 + HANDS // 10)
@pytest.mark.parametrize("rules", [id_ for id_ in (*BOOK_IDS, *READY_IDS) if not load_book(id_).own_patterns])
def test_flower_wins_and_limits_are_those_of_the_plain_definition(rules: str) -> None:
    rng = Random(rules)
    wins = counted = 0
    while counted < HANDS // 5:
        try:
            asked = read_request((flower_request if rng.random() < 0.6 else some_request)(rng, rules))
        except ValueError:
            continue
        counted += 1
        limits = asked.plan.book.limits._replace(**rng.choice(LIMITS))
        book = asked.plan.book._replace(limits=limits)
        result = score(asked.hand, asked.context, type(asked.plan)(book))
        plain = reference.outcome(asked.hand, asked.context, book)
        assert (plain.wins, plain.tai if plain.wins else 0) == (result.wins, result.tally.tai), (asked, plain, result)
        wins += plain.wins
    assert wins > HANDS // 25


def test_three_hands_as_documents_count_them() -> None:
    """000: 平胡 2, 三元牌 1 and 門清 1, as anybody can check by hand."""
    request = {"concealed": "234m567p345s555m777z11z", "flowers": "1f", "winning_tile": "5s", "win": "discard"}
    asked = read_request({**request, "rules": "luohan", "seat": "E", "round": "E", "dealer": "S", "discarder": "N"})
    ((tai, counts),) = reference.tallies(asked.hand, asked.context, asked.plan.book)
    assert (tai, counts) == (3, {"dragon_pung": 1, "concealed_hand": 1, "seat_flower": 1})
