"""組合: the numbers and traits of combinations of sets, against plain definitions over every choice of sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations, pairwise
from random import Random
from typing import Any, NamedTuple

import pytest

from scoring.api.requests.request import read_request
from scoring.hands.interpretation import Facts, Reading
from scoring.patterns.own.numbers import NUMBERS, bits_of_number
from scoring.patterns.own.words import WORDS, bits_of
from scoring.rulebook.loading import load_book
from scoring.tally.best import readings
from scoring.tally.counting import plan_of
from scoring.tiles import CODES
from tests.unit.scoring.support.asking import ask


class Laid(NamedTuple):
    """A set of a reading, as it lies on the table: its tiles as codes, whether it is open, whether it is a kong."""

    codes: tuple[str, ...]
    is_open: bool

    @property
    def rank(self) -> int:
        return int(self.codes[0][0])

    @property
    def suit(self) -> str:
        return self.codes[0][1]

    @property
    def is_chow(self) -> bool:
        return self.codes[0] != self.codes[1]

    @property
    def is_suit_pung(self) -> bool:
        return not self.is_chow and self.suit != "z"


def laid_out(reading: Reading) -> list[Laid]:
    sets, opened = [], False
    for tile_set in reading.sets:
        by_discard = not opened and not reading.facts.drawn and tile_set == reading.place
        opened = opened or by_discard
        codes = tuple(CODES[tile] for tile in tile_set.tiles)
        sets.append(Laid(codes, not tile_set.concealed or by_discard))
    return sets


def in_row(sets: tuple[Laid, ...], gap: int, *, suits: int) -> bool:
    ranks = sorted(one.rank for one in sets)
    steps = {second - first for first, second in pairwise(ranks)}
    return steps == {gap} and len({one.suit for one in sets}) == suits


def most_meetings(chows: list[Laid]) -> int:
    """The most pairs of the same chow in two suits, each chow in one: every way to pair the first."""
    if not chows:
        return 0
    first, *rest = chows
    best = most_meetings(rest)
    for other in rest:
        if other.rank == first.rank and other.suit != first.suit:
            left = [*rest]
            left.remove(other)
            best = max(best, 1 + most_meetings(left))
    return best


def groups_of(reading: Reading) -> list[tuple[str, ...]]:
    pairs = [tuple(CODES[tile] for tile in group) for group in reading.loose or ((reading.pair,) * 2,)]
    return [*(one.codes for one in laid_out(reading)), *pairs]


def naive(reading: Reading) -> dict[str, int]:
    sets = laid_out(reading)
    chows = [one for one in sets if one.is_chow]
    pungs = [one for one in sets if one.is_suit_pung]
    pair = CODES[reading.pair] if reading.pair >= 0 else "0z"
    paired = [*pungs, Laid((pair, pair, "pair"), is_open=False)] if pair[1] != "z" else pungs
    every = [group for group in groups_of(reading) if group[0][1] != "z"]
    tiles = [code for group in groups_of(reading) for code in group]
    kongs = {one.codes[0] for one in sets if len(one.codes) == 4}
    numbers = {
        "wind_kinds": len({code for code in tiles if code in ("1z", "2z", "3z", "4z")}),
        "dragon_kinds": len({code for code in tiles if code in ("5z", "6z", "7z")}),
        "pairs_of_258": sum(len(group) == 2 and group[0][0] in "258" for group in every),
        "common_ranks": sum(all(any(code[0] == rank for code in group) for group in every) for rank in "123456789")
        if chows or pungs
        else 0,
        "concealed_pungs_or_kongs": sum(not one.is_chow and (not one.is_open or one.codes[0] in kongs) for one in sets),
        "pungs_beside": sum(in_row(two, 1, suits=1) for two in combinations(pungs, 2)),
        "disjoint_meetings": most_meetings(chows),
        "old_and_young_alone": sum(
            in_row(two, 6, suits=1) and not any(one.rank == 4 and one.suit == two[0].suit for one in chows)
            for two in combinations(chows, 2)
        ),
    }
    for id_, suits in (("pung_rows", 1), ("mixed_pung_rows", 3)):
        numbers[id_] = sum(in_row(three, 1, suits=suits) for three in combinations(pungs, 3))
        rows = [three for three in combinations(paired, 3) if in_row(three, 1, suits=suits)]
        numbers[f"{id_}_with_pair"] = sum(any("pair" in one.codes for one in three) for three in rows)
    for begin, wanted in (("concealed", False), ("open", True)):
        for id_, gap, suits in (
            ("straights", 3, 1),
            ("mixed_straights", 3, 3),
            ("chow_steps", 1, 1),
            ("chow_double_steps", 2, 1),
            ("mixed_chow_steps", 1, 3),
        ):
            numbers[f"{begin}_{id_}"] = sum(
                any(one.is_open for one in three) == wanted
                for three in combinations(chows, 3)
                if in_row(three, gap, suits=suits)
            )
        numbers |= _equal(chows, pair, begin, wanted=wanted) | _fours(reading, sets, begin, wanted=wanted)
    return numbers


def _equal(chows: list[Laid], pair: str, begin: str, *, wanted: bool) -> dict[str, int]:
    of_all = Counter(one.codes for one in chows)
    hidden = Counter(one.codes for one in chows if not one.is_open)
    numbers = {}
    for id_, size in (("equal_chows", 2), ("three_equal_chows", 3), ("four_equal_chows", 4)):
        concealed = sum(hidden[codes] // size for codes in of_all)
        numbers[f"{begin}_{id_}"] = sum(of_all[codes] // size for codes in of_all) - concealed if wanted else concealed
    twice = [codes for codes in of_all if of_all[codes] > 1]
    is_open = any(hidden[codes] < 2 for codes in twice)
    numbers[f"{begin}_twins"] = int(len(twice) == 2 and is_open == wanted)
    beside = [
        codes
        for codes in twice
        if codes[0][1] == pair[1] and int(pair[0]) in (int(codes[0][0]) - 1, int(codes[0][0]) + 3)
    ]
    numbers[f"{begin}_small_twins"] = sum((hidden[codes] < 2) == wanted for codes in beside)
    alike = [[one for one in chows if one.rank == rank] for rank in range(1, 8)]
    in_all = [sets for sets in alike if len({one.suit for one in sets}) == 3]
    right = [len(sets) for sets in in_all if any(one.is_open for one in sets) == wanted]
    numbers[f"{begin}_chows_in_three_suits"] = max(right, default=0)
    return numbers


def _fours(reading: Reading, sets: list[Laid], begin: str, *, wanted: bool) -> dict[str, int]:
    tiles = Counter(CODES[tile] for tile in reading.tiles)
    kongs = {one.codes[0] for one in sets if len(one.codes) == 4}
    fours = [code for code in tiles if tiles[code] == 4 and code not in kongs]
    won = reading.facts.winning_tile
    claimed = "" if reading.facts.drawn or won is None else CODES[won]
    right = [
        code for code in fours if (code == claimed or any(one.is_open and code in one.codes for one in sets)) == wanted
    ]
    with_pung = [code for code in right if any(one.codes == (code,) * 3 for one in sets)]
    pair = CODES[reading.pair] if reading.pair >= 0 else ""
    return {
        f"{begin}_fours": len(right),
        f"{begin}_four_with_pung": len(with_pung),
        f"{begin}_four_with_pair": sum(code == pair for code in right),
        f"{begin}_four_in_chows": sum(code != pair and code not in with_pung for code in right),
    }


def _set(rank: int, suit: str, *steps: int) -> str:
    return "".join(str(rank + step) for step in steps) + suit


def some_hand(rng: Random) -> dict[str, Any]:
    """Five sets of few kinds and a pair, some of them called, so that combinations are frequent."""
    while True:
        suits = rng.sample("mps", rng.choice([1, 1, 2, 3]))
        low = rng.randrange(1, 7)
        chows = [_set(min(low + rng.choice([0, 0, 1, 2, 3, 4]), 7), rng.choice(suits), 0, 1, 2) for _ in range(5)]
        pungs = [_set(min(low + rng.randrange(4), 9), rng.choice(suits), 0, 0, 0) for _ in range(5)]
        wide = [_set(rng.choice([1, 4, 7]), rng.choice(suits), 0, 1, 2) for _ in range(5)]
        same = [_set(low, suit, 0, 1, 2) for suit in rng.choices("mps", k=5)]
        stairs = [_set(low % 3 + 1 + step, suit, 0, 1, 2) for step, suit in enumerate(rng.choices(suits, k=5))]
        honors = rng.sample(["111z", "555z", "333z", "777z"], 2)
        sets = rng.choice(
            [
                *(chows, chows, pungs, wide, same, stairs, [*chows[:2], *pungs[:3]], [*same[:4], honors[0]]),
                *([*wide[:4], honors[0]], [*chows[:3], *honors], ["123m", "456p", "789s", *honors]),
            ]
        )
        pair = rng.choice([*(_set(rank, suit, 0, 0) for rank in range(1, 10) for suit in suits), "22z", "66z"])
        tiles = Counter(digit + text[-1] for text in (*sets, pair) for digit in text[:-1])
        if max(tiles.values()) > 4:
            continue
        melded = rng.choice([0, 0, 0, 1, 2])
        melds = ", ".join(f"{'pung' if text[0] == text[1] else 'chow'} {text}" for text in sets[:melded])
        won = rng.choice([*sets[melded:], pair])
        win = {} if rng.random() < 0.6 else {"win": "self_draw"}
        winning = rng.choice(won[:-1]) + won[-1]
        return ask("".join((*sets[melded:], pair)), winning, melds, rules="hongkong_mjwaits", **win)


KONGS = [
    ask("333p444m678p22z", "2z", "pung 555s, pung 111z", rules="hongkong_mjwaits"),
    ask("234m55p", "5p", "concealed_kong 3333s, kong 4444s, pung 222s, pung 999m", rules="hongkong_mjwaits"),
    ask("111222m33p", "3p", "concealed_kong 3333m, kong 4444m, pung 777s", rules="hongkong_mjwaits"),
]
OTHER_SHAPES = [
    ask("66778899m667788999p", "6m", rules="hongkong_mjwaits"),
    ask("1111m5555p9999s22777z", "2z", rules="hongkong_mjwaits"),
    ask("1111m223344m5555p777z", "1m", rules="hongkong_mjwaits"),
    ask("2255m88p11224447766z", "1z", rules="hongkong_mjwaits"),
    ask("159m159p159s12345677z", "9m", rules="hongkong_mjwaits"),
    ask("147m258p369s12344567z", "7m", rules="hongkong_mjwaits"),
    ask("1199m199p19s1234567777z", "7z", rules="hongkong_mjwaits"),
    ask("19m19p19s12345677z999s", "9s", rules="hongkong_mjwaits"),
]


def all_readings(hands: int) -> list[Reading]:
    rng = Random(5)
    plan = plan_of(load_book("hongkong_mjwaits"))
    several = []
    for request in [*KONGS, *OTHER_SHAPES, *(some_hand(rng) for _ in range(hands))]:
        asked = read_request(request)
        facts = Facts(asked.hand, asked.context, plan.plants, plan.shapes, held_fourth=True)
        several += [reading.in_full() for reading in readings(facts, plan)]
    return several


@pytest.fixture(scope="module")
def laid() -> list[Reading]:
    return all_readings(400)


def test_every_number_of_combinations_is_what_it_says(laid: list[Reading]) -> None:
    seen: Counter[str] = Counter()
    for reading in laid:
        expected = naive(reading)
        found = {id_: (reading.traits & bits_of_number(id_)).bit_count() for id_ in expected}
        assert found == {id_: min(number, NUMBERS[id_].most) for id_, number in expected.items()}, groups_of(reading)
        seen.update(id_ for id_, number in found.items() if number)
    assert [id_ for id_ in expected if not seen[id_]] == []


def test_no_number_is_cut_short(laid: list[Reading]) -> None:
    """`most` is the highest that a hand can have, so that each time counts."""
    for reading in laid:
        for id_, number in naive(reading).items():
            assert number <= NUMBERS[id_].most, (id_, groups_of(reading))


def _meets(codes: tuple[str, ...], others: list[Laid]) -> bool:
    return any(other.codes[0][0] == codes[0][0] and other.suit != codes[0][1] for other in others)


def stair_suits(reading: Reading) -> str:
    chows = sorted((one.rank, one.suit) for one in laid_out(reading) if one.is_chow)
    low = chows[0][0] if chows else 0
    return "".join(suit for _, suit in chows) if [rank for rank, _ in chows] == [*range(low, low + 5)] else ""


def ranks_of(reading: Reading, suit: str) -> set[str]:
    return {code[0] for group in groups_of(reading) for code in group if code[1] == suit}


def shown(reading: Reading, tile: int) -> int:
    return sum([*meld.tiles].count(tile) for meld in reading.facts.hand.melds if meld.kind != "concealed_kong")


def _of_suits(reading: Reading, allowed: str) -> bool:
    return all(code[1] != "z" and code[0] in allowed for group in groups_of(reading) for code in group)


DEFINED: dict[str, Callable[[Reading], bool]] = {
    "no_fives": lambda reading: not any(code in ("5m", "5p", "5s") for group in groups_of(reading) for code in group),
    "all_above_five": lambda reading: _of_suits(reading, "6789"),
    "all_below_five": lambda reading: _of_suits(reading, "1234"),
    "five_kinds_in_sets": lambda reading: (
        {"m", "p", "s", "wind", "dragon"}
        == {("wind" if one.rank < 5 else "dragon") if one.suit == "z" else one.suit for one in laid_out(reading)}
    ),
    "suits_share_ranks": lambda reading: (
        ranks_of(reading, "m") == ranks_of(reading, "p") == ranks_of(reading, "s") != set()
    ),
    "suits_split_ranks": lambda reading: (
        sorted([*ranks_of(reading, "m"), *ranks_of(reading, "p"), *ranks_of(reading, "s")]) == [*"123456789"]
    ),
    "every_chow_meets": lambda reading: (
        len(laid_out(reading)) == 5
        and all(
            one.is_chow and _meets(one.codes, [o for o in laid_out(reading) if o.is_chow]) for one in laid_out(reading)
        )
    ),
    "stairs": lambda reading: len(stair_suits(reading)) == 5,
    "even_stairs": lambda reading: (
        len(suits := stair_suits(reading)) == 5
        and (len({*suits}) == 1 or (len({*suits[:3]}) == 3 and suits[0] == suits[3] and suits[1] == suits[4]))
    ),
    "closed_but_kongs": lambda reading: all(
        meld.kind in ("kong", "added_kong", "concealed_kong") for meld in reading.facts.hand.melds
    ),
    "other_three_shown": lambda reading: shown(reading, reading.facts.winning_tile or 0) == 3,
    "one_tile_left": lambda reading: (
        len(reading.facts.waits) > 1 and sum(4 - shown(reading, tile) for tile in reading.facts.waits) == 1
    ),
    "fourth_of_kind": lambda reading: [*reading.facts.hand.concealed].count(reading.facts.winning_tile) == 4,
}


def test_every_trait_of_combinations_is_what_it_says(laid: list[Reading]) -> None:
    left = ask("345789m11z", "3m", "pung 333m, pung 666m, chow 567m", rules="hongkong_mjwaits")
    asked = read_request(left)
    facts = Facts(asked.hand, asked.context, asked.plan.plants, asked.plan.shapes, held_fourth=True)
    seen: Counter[str] = Counter()
    for reading in [*laid, *(reading.in_full() for reading in readings(facts, asked.plan))]:
        for id_, definition in DEFINED.items():
            holds = not bits_of(id_) & ~reading.traits
            assert holds == definition(reading), (id_, groups_of(reading))
            seen[id_] += holds
    assert [id_ for id_ in DEFINED if not seen[id_]] == []
    assert DEFINED.keys() <= WORDS.keys()
