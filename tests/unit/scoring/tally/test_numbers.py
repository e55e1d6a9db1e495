"""數目與總台數: own patterns that ask for a number, count once for each, or look at the total; options on waits."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import scoring
from scoring.api.requests.request import read_request
from scoring.hands.interpretation import Facts
from scoring.patterns.own.numbers import NUMBERS, bits_of_number
from scoring.patterns.own.words import WORDS
from scoring.rulebook import wording
from scoring.rulebook.loading import RuleBookError, load_book
from scoring.tally.best import readings
from scoring.tiles import CODES
from tests.unit.scoring.support.asking import ask, tally_of
from tests.unit.scoring.tally import test_groups as groups
from tests.unit.scoring.tally.test_own_patterns import request

HEAD = 'id = "club"\ntitle = "本會"\ntitle_en = "Club"\nbased_on = "common"\n'
HAS = 'has = "111222m333p456s789s55z"\nhas_not = "123456789m345p77s123s"\n'


def house(tmp_path: Path, text: str, top: str = "") -> str:
    path = tmp_path / "club.toml"
    path.write_text(f"{HEAD}{top}\n{text}", encoding="utf-8")
    return str(path)


def own(tmp_path: Path, body: str, examples: str = HAS, tai: int = 2) -> str:
    return house(tmp_path, f'[own_patterns.ours]\nname = "我們的"\nname_en = "Ours"\ntai = {tai}\n{body}\n{examples}')


def count_of(response: dict[str, Any], id_: str = "ours") -> int:
    return next((line["count"] for line in response["patterns"] if line["id"] == id_), 0)


# every number once more, of the sets (tiles, kind, whether melded), the pair and the facts


def _same(sets: list[Any], pungs: bool) -> int:
    pairs = 0
    for rank in range(9):
        per_suit = [sum(one.is_pung == pungs and one.first == 9 * suit + rank for one in sets) for suit in range(3)]
        pairs += min(sorted(per_suit)[1:]) if min(per_suit) == 0 else 0
    return pairs


def _of_ranks(reading: Any, pungs: list[Any], chows: Counter[int]) -> dict[str, int]:
    held = {CODES[one.first] for one in pungs if one.first < 27}
    pair = CODES[reading.pair] if reading.pair >= 0 else ""
    brothers = {True: 0, False: 0}
    for rank in "123456789":
        missing = [rank + suit for suit in "mps" if rank + suit not in held]
        if len(missing) == 1:
            brothers[missing[0] == pair] += 1
    big = small = 0
    for suit in "mps":
        runs = [[f"{low + step}{suit}" for step in range(3)] for low in range(1, 8)]
        if any(all(tile in held for tile in run) for run in runs):
            big += 1
        elif any(pair in run and {*run} - {pair} <= held for run in runs):
            small += 1
    by_rank = Counter({rank: sum(chows[9 * suit + rank] for suit in range(3)) for rank in range(7)})
    return {
        "two_brothers": brothers[False],
        "small_three_brothers": brothers[True],
        "small_three_sisters": small,
        "big_three_sisters": big,
        "old_and_young_pungs": sum({f"1{suit}", f"9{suit}"} <= held for suit in "mps"),
        "chows_of_one_rank": max(by_rank.values()),
    }


def _loose(facts: Any, own_flowers: int) -> int:
    flowers = {*facts.hand.flowers}
    complete = [colour for colour in ({34, 35, 36, 37}, {38, 39, 40, 41}) if colour <= flowers]
    place = "ESWN".index(facts.context.seat)
    own = {34 + place, facts.plants[place]}
    return sum(tile not in own and not any(tile in colour for colour in complete) for tile in flowers)


RARE = {
    *("small_three_brothers", "small_three_sisters", "big_three_sisters", "four_with_pair", "four_in_chows"),
    *("concealed_kongs", "exposed_kongs"),
}


def naive(reading: Any) -> dict[str, int]:
    facts, sets = reading.facts, reading.sets
    context, melds = facts.context, facts.hand.melds
    tiles = Counter([*facts.hand.concealed, *(tile for meld in melds for tile in meld.tiles)])
    chows = Counter(one.first for one in sets if not one.is_pung)
    pungs = [one for one in sets if one.is_pung]
    kongs = [meld for meld in melds if len(meld.tiles) == 4]
    fours = [tile for tile, number in tiles.items() if number == 4 and all(meld.tiles[0] != tile for meld in kongs)]
    place = "ESWN".index(context.seat)
    own_flowers = sum(tile in facts.hand.flowers for tile in (34 + place, facts.plants[place]))
    concealed = [one for one in pungs if one.concealed and not (one is reading.place and not facts.drawn)]
    return {
        "waits": min(len(facts.waits), 10),
        "melds": len(melds),
        "loose_flowers": _loose(facts, own_flowers),
        "calls": sum(meld.kind != "concealed_kong" for meld in melds),
        "kongs": len(kongs),
        "concealed_kongs": sum(meld.kind == "concealed_kong" for meld in kongs),
        "exposed_kongs": sum(meld.kind != "concealed_kong" for meld in kongs),
        "flowers": len(facts.hand.flowers),
        "own_flowers": own_flowers,
        "other_flowers": len(facts.hand.flowers) - own_flowers,
        "suits": len({tile // 9 for tile in tiles if tile < 27}),
        "wind_pungs": sum(27 <= one.first < 31 for one in pungs),
        "dragon_pungs": sum(one.first >= 31 for one in pungs),
        "pungs": len(pungs),
        "concealed_pungs": len(concealed),
        "same_pungs_two_suits": _same(sets, True),
        **_of_ranks(reading, pungs, chows),
        "four_with_pung": sum(any(one.first == tile for one in pungs) for tile in fours),
        "four_with_pair": sum(tile == reading.pair for tile in fours),
        "four_in_chows": sum(tile != reading.pair and all(one.first != tile for one in pungs) for tile in fours),
        "chows": sum(chows.values()),
        "called_chows": sum(meld.kind == "chow" for meld in melds),
        "closed_chows": sum(chows.values()) - sum(meld.kind == "chow" for meld in melds),
        "same_chow_pairs": sum({2: 1, 4: 2, 5: 2}.get(number, 0) for number in chows.values()),
        "same_chows_two_suits": _same(sets, False),
        "old_and_young": sum(min(chows[9 * suit], chows[9 * suit + 6]) for suit in range(3)),
    }


def test_every_number_is_what_it_says() -> None:
    seen: Counter[str] = Counter()
    for seed in range(600):
        asked = read_request(request(seed))
        facts = Facts(asked.hand, asked.context, asked.plan.plants, asked.plan.shapes)
        for reading in readings(facts, asked.plan):
            expected = naive(reading)
            assert expected.keys() == NUMBERS.keys() - groups.naive(reading).keys()
            bits = {id_: bits_of_number(id_) for id_ in expected}
            full = reading.in_full()
            found = {id_: (full.traits & of).bit_count() for id_, of in bits.items()}
            wanted = {id_: min(number, NUMBERS[id_].most) for id_, number in expected.items()}
            assert found == wanted, asked
            seen.update(id_ for id_, number in found.items() if number)
    assert (
        seen.keys() >= expected.keys() - {"four_with_pair", "four_in_chows", "concealed_kongs", "exposed_kongs"} - RARE
    )


def test_a_pattern_counts_once_for_each(tmp_path: Path) -> None:
    rules = own(tmp_path, 'each = "concealed_pungs"')
    response = scoring.answer(ask("111222m333p456s789s55z", "9s", rules=rules, explain=True))
    assert count_of(response) == 3
    assert tally_of(response)["ours"] == 6
    assert count_of(scoring.answer(ask("111222m333p456s789s55z", "3p", rules=rules))) == 2
    missing = scoring.answer(ask("123456789m345p77s123s", "3s", rules=rules, explain=True), lang="en")
    (why,) = [line for line in missing["explain"]["why_not"] if line["id"] == "ours"]
    assert "concealed pungs and kongs: at least 1" in why["reason_text"]


def test_each_with_a_condition(tmp_path: Path) -> None:
    rules = own(tmp_path, 'each = "concealed_pungs"\nall = ["no_flowers"]')
    assert count_of(scoring.answer(ask("111222m333p456s789s55z", "9s", rules=rules))) == 3
    assert count_of(scoring.answer(ask("111222m333p456s789s55z", "9s", rules=rules, flowers="1f"))) == 0


def test_two_pairs_of_suits_count_twice(tmp_path: Path) -> None:
    examples = 'has = "123m123p456m456s789s55z"\nhas_not = "123m456m789m345p777s11z"\n'
    rules = own(tmp_path, 'each = "same_chows_two_suits"', examples)
    assert count_of(scoring.answer(ask("123m123p456m456s789s55z", "9s", rules=rules))) == 2
    assert count_of(scoring.answer(ask("123m123p123s456m789m55z", "9m", rules=rules))) == 0


def test_a_number_of_waits(tmp_path: Path) -> None:
    """34567m waits for three kinds, 23m for two."""
    examples = 'has = { concealed = "123m456p123p789s55z444z", winning_tile = "1m" }\n'
    examples += 'has_not = { concealed = "345678m123p789s11444z", winning_tile = "8m" }\n'
    rules = own(tmp_path, 'number = { of = "waits", at_least = 2, at_most = 2 }', examples)
    assert count_of(scoring.answer(ask("123m456p123p789s55z444z", "1m", rules=rules))) == 1
    assert count_of(scoring.answer(ask("345678m123p789s11444z", "8m", rules=rules))) == 0
    assert scoring.answer(ask("345678m123p789s11444z", "8m", rules=rules))["waits"] == ["2m", "5m", "8m"]


MELDS = "chow 456p, chow 789s, pung 444p, chow 123s"


def test_a_pattern_on_the_total(tmp_path: Path) -> None:
    """雞糊: it counts only if nothing else does."""
    chicken = '{ concealed = "23499m", melds = ["456p", "789s", "444p", "123s"], winning_tile = "2m", win = "%s" }\n'
    with_three = 'has_not = "111222m333p456s789s55z"\n'
    with pytest.raises(RuleBookError) as caught:
        load_book(own(tmp_path, "total = { at_most = 0 }", f"has = {chicken % 'self_draw'}{with_three}"))
    assert "the other patterns total 1 tai" in str(caught.value)
    rules = own(tmp_path, "total = { at_most = 1 }", f"has = {chicken % 'self_draw'}{with_three}")
    hand = ask("23499m", "2m", MELDS, rules=rules)
    assert tally_of(scoring.answer(hand)) == {"ours": 2}
    more = scoring.answer({**hand, "flowers": "15f", "explain": True}, lang="en")
    assert "ours" not in tally_of(more)
    (why,) = [line for line in more["explain"]["why_not"] if line["id"] == "ours"]
    assert why["reason_text"] == f"the other patterns total {more['tai']} tai"
    assert [line["id"] for line in more["explain"]["why_not"]].count("ours") == 1


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ('each = "pung"', "unknown number 'pung'"),
        ("each = 3", "must be a string"),
        ("total = 3", "total needs at_least or at_most"),
        ("total = { at_least = 4, at_most = 2 }", "total needs at_least or at_most"),
        ('total = { at_most = 2 }\nexcludes = ["self_draw"]', "cannot exclude others"),
        ('number = { of = "waits" }', "number needs of"),
        ('number = { of = "huh", at_least = 1 }', "unknown number 'huh'"),
        ('number = { of = "waits", at_least = 99 }', "must be whole numbers from 0 to 10"),
        ("", "it has no condition"),
    ],
)
def test_refusals(tmp_path: Path, body: str, reason: str) -> None:
    with pytest.raises(RuleBookError) as caught:
        load_book(own(tmp_path, body))
    assert any(reason in problem.reason_text("en") for problem in caught.value.problems)


def test_straights_called_and_closed(tmp_path: Path) -> None:
    assert {"closed_straight", "called_straight"} <= WORDS.keys()
    examples = 'has = "123456789m345p77s11z"\nhas_not = { concealed = "456789m345p77s11z", melds = ["123m"] }\n'
    closed = own(tmp_path, 'all = ["closed_straight"]', examples.replace("77s11z", "777s11z"))
    assert count_of(scoring.answer(ask("123456789m345p777s11z", "1z", rules=closed))) == 1
    assert count_of(scoring.answer(ask("456789m345p777s11z", "1z", "chow 123m", rules=closed))) == 0


def test_kong_upon_kong(tmp_path: Path) -> None:
    kongs = 'melds = ["kong 1111m", "concealed_kong 2222p"]'
    examples = (
        f'has = {{ concealed = "345p777s123s11z", {kongs}, events = ["kong_upon_kong"] }}\n'
        f'has_not = {{ concealed = "345p777s123s11z", {kongs}, events = ["kong_replacement"] }}\n'
    )
    rules = own(tmp_path, 'all = ["kong_upon_kong"]', examples)
    asked = ask("345p777s123s11z", "1z", "kong 1111m, concealed_kong 2222p", rules=rules, win="self_draw")
    assert count_of(scoring.answer(asked | {"events": ["kong_upon_kong"]})) == 1
    one = ask("345p777s123s11z456m", "1z", "kong 1111m", rules=rules, win="self_draw", events=["kong_upon_kong"])
    assert "needs two kongs" in scoring.answer(one, lang="en")["problems"][0]


@pytest.mark.parametrize(("event", "times"), [("within_seven_discards", 2), ("within_ten_discards", 1)])
def test_within_so_many_discards(tmp_path: Path, event: str, times: int) -> None:
    examples = 'has = { concealed = "123456789m345p777s11z", events = ["within_seven_discards"] }\n'
    examples += 'has_not = "123456789m345p777s11z"\n'
    rules = house(
        tmp_path,
        '[own_patterns.seven]\nname = "七隻內"\ntai = 20\nall = ["within_seven_discards"]\n'
        + examples
        + '[own_patterns.ten]\nname = "十隻內"\ntai = 10\nall = ["within_ten_discards"]\n'
        + examples,
    )
    response = scoring.answer(ask("123456789m345p777s11z", "1z", rules=rules, events=[event]))
    assert len({"seven", "ten"} & tally_of(response).keys()) == times
    changes = {
        change["value"] for change in scoring.what_if(ask("123456789m345p777s11z", "1z", rules="common"))["changes"]
    }
    assert event not in changes


def test_a_held_fourth_is_a_wait_where_the_table_says_so(tmp_path: Path) -> None:
    """1111234m waits for 1m and 4m; the hand itself holds all four 1m."""
    tiles, tile = "11112344m567p789s555z", "4m"
    plain = scoring.answer(ask(tiles, tile, rules="common"))
    assert plain["waits"] == ["4m"]
    assert "single_wait" in tally_of(plain)
    rules = house(tmp_path, "", 'held_fourth = "wait"')
    counted = scoring.answer(ask(tiles, tile, rules=rules))
    assert counted["waits"] == ["1m", "4m"]
    assert "single_wait" not in tally_of(counted)
    note = load_book(rules).patterns["single_wait"].note_en
    assert wording.choice("held_fourth", "wait", "en") in note
    left = ask("1111234m567p789s555z", None, rules=rules)
    assert [wait["tile"] for wait in scoring.ready(left)["waits"]] == ["4m"]


def test_a_held_fourth_in_a_kong(tmp_path: Path) -> None:
    rules = house(tmp_path, "", 'held_fourth = "wait"')
    request_ = ask("345s123m123p789p44z", "3s", "kong 6666s", rules=rules)
    assert scoring.answer(request_)["waits"] == ["3s", "6s"]
    assert scoring.answer(request_ | {"rules": "common"})["waits"] == ["3s"]


def test_all_chows_of_two_waits_only(tmp_path: Path) -> None:
    """34567 waits for three kinds: whether 平胡 allows it is the table's word."""
    rules = house(tmp_path, '[patterns.all_chows]\nmany_waits = "not_counted"\n')
    three = ask("345678m123456p789s99s", "8m", rules="common")
    assert scoring.answer(three)["waits"] == ["2m", "5m", "8m"]
    assert "all_chows" in tally_of(scoring.answer(three))
    refused = scoring.answer({**three, "rules": rules, "explain": True}, lang="en")
    assert "all_chows" not in tally_of(refused)
    (why,) = [line for line in refused["explain"]["why_not"] if line["id"] == "all_chows"]
    assert "not for two kinds only" in why["reason_text"]
    two = ask("123678m123456p789s99s", "8m", rules=rules)
    assert "all_chows" in tally_of(scoring.answer(two))


def test_two_concealed_pungs() -> None:
    on = {"two_concealed_pungs": 3}
    two = ask("111222m456p456s789s55z", "9s", rules="common", overrides=on)
    assert tally_of(scoring.answer(two))["two_concealed_pungs"] == 3
    assert "two_concealed_pungs" not in tally_of(scoring.answer(two | {"winning_tile": "2m"}))
    three = ask("111222m333p456s789s55z", "9s", rules="common", overrides=on)
    assert not {"two_concealed_pungs"} & tally_of(scoring.answer(three)).keys()
    assert CODES[0] == "1m"
