"""自訂牌型 in the tally: patterns as data count like patterns as code, and change nothing if they are absent."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
import tomli_w

import scoring
from scoring.api.requests.request import read_request
from scoring.hands.interpretation import Facts
from scoring.hands.places import at_single_shape, places
from scoring.hands.tables.traits import TRAITS
from scoring.patterns import definition_ids, definition_of
from scoring.patterns.own.conditions import Own, definition_id, read_condition
from scoring.patterns.own.words import UNSAID, WORDS, bits_of
from scoring.rulebook.loading import BOOK_IDS, load_book
from scoring.rulebook.own_patterns import ready_own_patterns
from scoring.tally.best import all_divisions, readings
from scoring.tiles import CODES
from tests.unit.scoring.support.hands import as_request, winning_hand
from tests.unit.scoring.support.reference import KINDS
from tests.unit.scoring.tally.test_groups import DEFINED

HAND = "123456789m345p77s111z"
OTHER = "123456m789p345p77s111z"
PUNGS = "111222m333p444s55577z"


def request(seed: int, **more: Any) -> dict[str, Any]:
    return as_request(winning_hand(Random(seed))) | {"overrides": {}} | more


def book(folder: Path, own: dict[str, Any], base: str = "common", **more: Any) -> str:
    path = folder / f"{base}-{len(list(folder.iterdir()))}.toml"
    raw = {"id": "friday", "title": "週五", "title_en": "Friday", "based_on": base, **more, "own_patterns": own}
    path.write_text(tomli_w.dumps(raw), "utf-8")
    return str(path)


def own(condition: dict[str, Any], has: Any, has_not: Any, **more: Any) -> dict[str, Any]:
    return {"name": "自訂", "name_en": "Own", "tai": 3, **condition, "has": has, "has_not": has_not, **more}


@pytest.mark.parametrize("base", BOOK_IDS)
def test_what_is_not_there_changes_no_answer(tmp_path: Path, base: str) -> None:
    rare = {"concealed": "11122233344455m", "melds": ["concealed_kong 1111z"], "flowers": "12345678f"}
    condition = {"all": ["five_concealed_pungs", "all_seasons", "concealed_kong", "one_suit", "wind_pung", "pair_5m"]}
    rules = book(tmp_path, {"rare": own(condition, rare, HAND)}, base)
    for seed in range(150):
        asked = request(seed, rules=base, explain=True)
        plain, ours = scoring.answer(asked), scoring.answer(asked | {"rules": rules})
        if any(line["id"] == "rare" for line in ours["patterns"]):
            continue
        why = [one["text"] for one in ours["explain"]["why_not"] if one["id"] == "rare"]
        assert len(why) == (1 if ours["division"] else 0)
        ours["explain"]["why_not"] = [one for one in ours["explain"]["why_not"] if one["id"] != "rare"]
        assert ours | {"rules": base} == plain, asked


def test_all_pungs_as_data_is_all_pungs(tmp_path: Path) -> None:
    """碰碰胡 off, and the same as data in its place: the same tai, clause by clause, on hands with many pungs."""
    common = load_book("common")
    excluders = {id_: [*rule.excludes, "ours"] for id_, rule in common.patterns.items() if "all_pungs" in rule.excludes}
    patterns: dict[str, Any] = {id_: {"excludes": excludes} for id_, excludes in excluders.items()}
    patterns["all_pungs"] = 0
    data = own({"all": ["five_sets"], "not": ["chow_" + f"{n}{n + 1}{n + 2}" for n in range(1, 8)]}, PUNGS, HAND, tai=4)
    rules = book(tmp_path, {"ours": data}, patterns=patterns)
    there = 0
    for seed in range(400):
        asked = request(seed, rules="common")
        plain, ours = scoring.answer(asked), scoring.answer(asked | {"rules": rules})
        renamed = {"ours": "all_pungs"}
        for key in ("patterns", "left_out"):
            found = {(renamed.get(one["id"], one["id"]), one.get("tai")) for one in ours[key]}
            assert found == {(one["id"], one.get("tai")) for one in plain[key]}, asked
        assert (ours["tai"], ours["transfers"], ours["waits"]) == (plain["tai"], plain["transfers"], plain["waits"])
        there += any(one["id"] == "ours" for one in ours["patterns"])
    assert there > 30


_OF_TRAITS = {
    id_: definition.when
    for id_, definition in [(id_, definition_of(id_)) for id_ in definition_ids()]
    if definition.when and all(needed < 1 << len(TRAITS) for needed in definition.when)
}


def test_every_pattern_that_is_made_of_traits_is_the_same_as_data() -> None:
    """Each of its alternatives as a list of traits; the opposite of one that is not named as `not`."""
    opposite = {"not_self_drawn": "self_drawn", "not_five_calls": "five_calls", "no_heavenly_win": "heavenly_win"}
    opposite |= {"not_dealer": "dealer", "no_robbed_kong": "robbed_kong"}

    def data(needed: int) -> dict[str, Any] | None:
        names = [name for name, bit in TRAITS.items() if needed & bit]
        if {*names} & UNSAID - opposite.keys():
            return None
        found: dict[str, Any] = {"all": [name for name in names if name not in opposite]}
        without = [opposite[name] for name in names if name in opposite]
        return {key: parts for key, parts in (found | {"not": without}).items() if parts}

    written = {}
    for id_, when in _OF_TRAITS.items():
        alternatives = [data(needed) for needed in when]
        if None not in alternatives:
            condition = read_condition({"any": alternatives}, _refuse)
            assert condition
            written[id_] = definition_of(definition_id(Own(condition)))
    assert len(written) > 40
    seen: set[str] = set()
    for seed in range(300):
        asked = read_request(request(seed))
        for reading in readings(read_facts(asked), asked.plan):
            full = reading.in_full()
            for id_, ours in written.items():
                times = definition_of(id_).times(full.traits)
                assert bool(times) == bool(ours.times(full.traits)), (id_, asked)
                seen |= {id_} if times else set()
    assert len(seen) > 30


def read_facts(asked: Any) -> Any:
    return Facts(asked.hand, asked.context, asked.plan.plants, asked.plan.shapes)


def _refuse(reason: str, **values: object) -> None:
    raise ValueError(reason)


Sets = list[list[str]]


def _chows(sets: Sets) -> Sets:
    return [one for one in sets if one[0] != one[1]]


def _ends(one: list[str]) -> bool:
    return any(tile[1] == "z" or tile[0] in "19" for tile in one)


# the meaning of each shape trait, over the sets (tiles as codes, four tiles for a kong) and the pairs
SAID: dict[str, Callable[[Sets, Sets], bool]] = {
    "straight": lambda sets, pairs: any(
        all([f"{n + step}{suit}" for step in range(3)] in sets for n in (1, 4, 7)) for suit in "mps"
    ),
    "same_chow_three_suits": lambda sets, pairs: any(
        all([f"{n + step}{suit}" for step in range(3)] in sets for suit in "mps") for n in range(1, 8)
    ),
    "same_pung_three_suits": lambda sets, pairs: any(
        all(any(one[0] == one[1] == f"{n}{suit}" for one in sets) for suit in "mps") for n in range(1, 10)
    ),
    "same_chow_twice": lambda sets, pairs: any(_chows(sets).count(one) >= 2 for one in _chows(sets)),
    "same_chow_three_times": lambda sets, pairs: any(_chows(sets).count(one) >= 3 for one in _chows(sets)),
    "every_set_outside": lambda sets, pairs: all(map(_ends, [*sets, *pairs])),
    "every_set_terminal": lambda sets, pairs: (
        all(map(_ends, [*sets, *pairs])) and not any(one[0][1] == "z" for one in [*sets, *pairs])
    ),
    "all_inside": lambda sets, pairs: not any(_ends([tile]) for one in [*sets, *pairs] for tile in one),
    "all_outside": lambda sets, pairs: all(_ends([tile]) for one in [*sets, *pairs] for tile in one),
    "two_suits": lambda sets, pairs: len({one[0][1] for one in [*sets, *pairs]} - {"z"}) == 2,
    "three_suits": lambda sets, pairs: len({one[0][1] for one in [*sets, *pairs]} - {"z"}) == 3,
    "five_kinds": lambda sets, pairs: (
        {"m", "p", "s", "zwind", "zdragon"}
        == {one[0][1] + ("wind" if one[0] < "5z" else "dragon") * (one[0][1] == "z") for one in [*sets, *pairs]}
    ),
}
SAID |= {
    "mixed_straight": lambda sets, pairs: any(
        len({one[0][1], two[0][1], three[0][1]}) > 1
        for one in _chows(sets)
        for two in _chows(sets)
        for three in _chows(sets)
        if (one[0][0], two[0][0], three[0][0]) == ("1", "4", "7")
    ),
    "every_set_with_one_rank": lambda sets, pairs: any(
        all(any(tile[0] == rank for tile in one) for one in [*sets, *pairs] if one[0][1] != "z")
        and any(one[0][1] != "z" for one in [*sets, *pairs])
        for rank in "2345678"
    ),
    "chow": lambda sets, pairs: bool(_chows(sets)),
    "pung": lambda sets, pairs: len(_chows(sets)) < len(sets),
}
SAID |= {
    f"chow_{n}{n + 1}{n + 2}": lambda sets, pairs, n=n: any(one[0][0] == str(n) for one in _chows(sets))
    for n in range(1, 8)
}
SAID |= {
    f"chow_{n}{n + 1}{n + 2}{suit}": lambda sets, pairs, first=f"{n}{suit}": any(
        one[0] == first for one in _chows(sets)
    )
    for n in range(1, 8)
    for suit in "mps"
}
SAID |= {f"pung_{tile}": lambda sets, pairs, tile=tile: any(one[0] == one[1] == tile for one in sets) for tile in KINDS}
SAID |= {f"pair_{tile}": lambda sets, pairs, tile=tile: [tile] * 2 in pairs for tile in KINDS}


_DRAWN = {"win": "self_draw", "discarder": None, "events": [], "melds": [], "flowers": ""}
RARE = [
    {**_DRAWN, "concealed": "111m111p111s234m555z66z", "winning_tile": "5z"},
    {**_DRAWN, "concealed": "123m789m123p999s11199p", "winning_tile": "9p"},
    {**_DRAWN, "concealed": "234m234m234m567p888s55z", "winning_tile": "5z"},
]


def test_what_the_traits_of_shapes_say_is_so(tmp_path: Path) -> None:
    asked_of = {id_ for id_, word in WORDS.items() if word.holds} - {"dealer", "seat_is_round_wind"}
    asked_of -= {
        "closed_straight",
        "called_straight",
        "closed_mixed_straight",
    }  # of melds: tests/unit/scoring/tally/test_numbers.py
    asked_of -= DEFINED.keys()
    assert asked_of == SAID.keys()
    seen: set[str] = set()
    for seed in range(1000):
        asked = request(seed) if seed >= len(RARE) else request(0) | RARE[seed]
        request_read = read_request(asked)
        facts = read_facts(request_read)
        for reading in readings(facts, request_read.plan):
            sets = [[CODES[tile] for tile in one.tiles] for one in reading.sets]
            pairs = [[CODES[tile] for tile in group] for group in reading.loose or ((reading.pair,) * 2,)]
            bits = {id_: bits_of(id_) for id_ in SAID}
            full = reading.in_full()
            for id_, said in SAID.items():
                holds = not bits[id_] & ~full.traits
                assert holds == said(sets, pairs), (id_, sets, pairs)
                seen |= {id_} if holds else set()
    assert not {*list(SAID)[:12]} - seen
    assert len(seen) > 60


def test_seats_and_dealer(tmp_path: Path) -> None:
    double = dict(ready_own_patterns()["double_wind"])
    dealer = own({"all": ["dealer"]}, {"concealed": HAND, "seat": "E"}, HAND, name="莊")
    rules = book(tmp_path, {"double_wind": double, "by_dealer": dealer})
    hand = {"rules": rules, "concealed": "123m456p789s567p222z55s", "winning_tile": "5s", "win": "self_draw"}
    for seat, round_, who, expected in (
        ("S", "S", "E", {"double_wind": 4}),
        ("S", "E", "E", {"seat_wind_pung": 1}),
        ("W", "S", "W", {"round_wind_pung": 1, "by_dealer": 3}),
    ):
        response = scoring.answer(hand | {"seat": seat, "round": round_, "dealer": who})
        found = {one["id"]: one["tai"] for one in response["patterns"]}
        assert {id_: tai for id_, tai in found.items() if "wind" in id_ or id_ == "by_dealer"} == expected
        left_out = {(one["id"], one["because"], one["cite"]) for one in response["left_out"] if "wind" in one["id"]}
        wanted = {(id_, "double_wind", "本桌") for id_ in ("seat_wind_pung", "round_wind_pung")}
        assert left_out == (wanted if "double_wind" in expected else set())


@pytest.mark.parametrize("win", ["self_draw", "discard"])
def test_where_the_winning_tile_stands_counts_for_the_best_place(tmp_path: Path, win: str) -> None:
    """At 900 tai it counts wherever one division and one place of the tile in it have it."""
    has = {"concealed": "345567m111222p99s333s", "winning_tile": "9s"}
    has_not = has | {"winning_tile": "7m"}
    rules = book(tmp_path, {"ours": own({"all": ["single_shape"]}, has, has_not, tai=900)})
    found = {True: 0, False: 0}
    for seed in range(200):
        asked = request(seed, rules=rules, win=win, events=[], seat="S", discarder="E" if win == "discard" else None)
        facts = read_facts(read_request(asked))
        stands = [
            place for one in all_divisions(facts) for place in places(one, facts.winning_tile, one_is_enough=False)
        ]
        single = any(one is None or (not one.is_pung and at_single_shape(facts.winning_tile, one)) for one in stands)
        counted = {one["id"] for one in scoring.answer(asked)["patterns"]}
        assert ("ours" in counted) == single, asked
        found[single] += 1
    assert min(found.values()) > 20


def test_why_not_near_and_in_both_languages(tmp_path: Path) -> None:
    rules = book(
        tmp_path,
        {"closed_dragon": own({"all": ["straight", "closed"]}, HAND, OTHER, name="門清龍", name_en="Closed dragon")},
    )
    hand = {"rules": rules, "winning_tile": "7s", "win": "self_draw", "seat": "S", "round": "E", "dealer": "E"}
    cases = (
        (
            "345p77s111z",
            [{"kind": "chow", "tiles": f"{n}{n + 1}{n + 2}m"} for n in (1,)],
            "456789m",
            True,
            "門清（沒有吃、碰、明槓）",
        ),
        ("345p77s111z", [], "123456678m", True, "同一門的一二三、四五六、七八九"),
        ("345p77s111z", [{"kind": "chow", "tiles": "123m"}], "456678m", False, "七八九 且 門清（沒有吃、碰、明槓）"),
    )
    for rest, melds, suit, near, text in cases:
        response = scoring.answer(hand | {"concealed": suit + rest, "melds": melds, "explain": True})
        (why,) = [one for one in response["explain"]["why_not"] if one["id"] == "closed_dragon"]
        assert (why["near"], why["reason"]) == (near, "own_lacks")
        assert why["text"].startswith("門清龍：不符：")
        assert text in why["text"]
    english = scoring.answer(hand | {"concealed": "123456678m345p77s111z", "explain": True}, lang="en")
    assert "Closed dragon: not met: 123, 456 and 789 of one suit" in [
        one["text"] for one in english["explain"]["why_not"]
    ]


def test_it_is_told_with_its_tiles_and_in_every_question(tmp_path: Path) -> None:
    rules = book(tmp_path, {"straight_line": dict(ready_own_patterns()["straight_line"])})
    hand = {
        "rules": rules,
        "concealed": HAND,
        "winning_tile": "5p",
        "win": "self_draw",
        "seat": "S",
        "round": "E",
        "dealer": "E",
    }
    told = scoring.answer(hand | {"explain": True})["explain"]["patterns"]
    (line,) = [one for one in told if one["id"] == "straight_line"]
    assert line["tiles"] == [[f"{n}m" for n in range(1, 10)]]
    assert line["text"] == "一條龍：4 台，一二三四五六七八九萬（本桌的規定）"
    compared = scoring.compare(hand)
    (row,) = [one for one in compared["differences"] if one["id"] == "straight_line"]
    assert [(cell["state"], cell["tai"]) for cell in row["cells"]] == [("counted", 4), *[("not_mentioned", 0)] * 4]
    ready = scoring.ready(hand | {"concealed": HAND.replace("345p", "34p")})
    assert [one["self_draw"] - one["discard"] for one in ready["waits"]] == [2, 2]
    assert min(one["discard"] for one in ready["waits"]) >= 5
    changes = scoring.what_if(hand | {"concealed": OTHER})["changes"]
    assert changes
    assert scoring.answer(hand | {"overrides": {"straight_line": 9}})["tai"] == scoring.answer(hand)["tai"] + 5
    off = scoring.answer(hand | {"overrides": {"straight_line": 0}, "explain": True})
    assert [one["id"] for one in off["explain"]["not_in_book"]].count("straight_line") == 1


def test_a_book_with_own_patterns_rules_as_its_base_does(tmp_path: Path) -> None:
    rules = book(tmp_path, dict(ready_own_patterns()), "luohan")
    for who in "SE":
        asked = {"incident": "false_win", "who": who, "dealer": "E", "streak": 1, "face_tai": 7, "facts": {}}
        ours, plain = scoring.ruling(asked | {"rules": rules}), scoring.ruling(asked | {"rules": "luohan"})
        assert ours["transfers"] == plain["transfers"] != []
        assert ours["outcome"] == plain["outcome"]
