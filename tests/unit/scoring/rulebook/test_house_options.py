"""Options of a house book beyond the four documents: each id and choice has its declared effect."""

from pathlib import Path
from typing import Any

import pytest

import scoring
from scoring.rulebook.loading import READY_IDS, load_book
from scoring.rulebook.model import LATER_PATTERNS, PARTS, VARIANTS
from scoring.rulebook.settings import AMOUNTS, CHOICES
from tests.unit.scoring.support.asking import ask, drawn, tally_of

CHOWS = "123456m789p123456s55p"  # 6s wins two-sided
HONOR_PAIR = "123456m789p123456s44z"
FOUR_KONGS = "kong 1111m, added_kong 2222m, concealed_kong 3333m, kong 4444p"
EIGHT = {"win": "eight_flowers", "flowers": "12345678f"}


@pytest.fixture
def house(tmp_path: Path) -> Any:
    """The path of a house book on `base` with this text."""

    def made(text: str, base: str = "common") -> str:
        path = tmp_path / "house.toml"
        path.write_text(f'id = "house"\ntitle = "x"\ntitle_en = "x"\nbased_on = "{base}"\n{text}', encoding="utf-8")
        return str(path)

    return made


def counted(request: dict[str, Any], rules: str) -> dict[str, int]:
    response = scoring.answer(request | {"rules": rules})
    assert response.get("problems") == [], response
    return tally_of(response)


@pytest.mark.parametrize(
    ("id_", "request_", "tai"),
    [
        pytest.param("any_flower", ask(HONOR_PAIR, "6s", flowers="1467f"), 4, id="any-flower"),
        pytest.param("any_flower", ask(HONOR_PAIR, "6s"), 0, id="any-flower-none"),
        pytest.param("any_wind_pung", ask("123m456p222333z55s456s", "6s"), 2, id="any-wind"),
        pytest.param("no_flowers", ask(HONOR_PAIR, "6s"), 1, id="no-flowers"),
        pytest.param("no_flowers", ask(HONOR_PAIR, "6s", flowers="2f"), 0, id="one-flower"),
        pytest.param("no_honors", ask(CHOWS, "6s", flowers="2f"), 1, id="no-honors"),
        pytest.param("no_honors", ask(HONOR_PAIR, "6s"), 0, id="a-pair-of-honors"),
        pytest.param("no_honors_no_flowers", ask(CHOWS, "6s"), 1, id="neither"),
        pytest.param("no_honors_no_flowers", ask(CHOWS, "6s", flowers="2f"), 0, id="a-flower"),
        pytest.param("kong_each", ask("55s678s", "8s", FOUR_KONGS), 3, id="exposed-kongs"),
        pytest.param("concealed_kong_each", ask("55s678s", "8s", FOUR_KONGS), 1, id="concealed-kongs"),
        pytest.param("four_kongs", ask("55s678s", "8s", FOUR_KONGS), 1, id="four-kongs"),
        pytest.param("five_kongs", ask("55s678s", "8s", FOUR_KONGS), 0, id="four-are-not-five"),
        pytest.param("sixteen_unconnected", ask(CHOWS, "6s"), 0, id="chows-are-connected"),
        pytest.param("five_kongs", ask("55s", "5s", FOUR_KONGS + ", concealed_kong 7777s"), 1, id="five-kongs"),
    ],
)
def test_later_patterns(id_: str, request_: dict[str, Any], tai: int) -> None:
    """Each counts in the hand that has it, in any book, and nowhere if no book scores it."""
    for rules in ("luohan", "ntu", "common", "mahjong_time"):
        assert id_ not in tally_of(scoring.answer(request_ | {"rules": rules}))
        asked = request_ | {"rules": rules, "overrides": {id_: 1}}
        assert tally_of(scoring.answer(asked)).get(id_, 0) == tai, rules


def test_later_patterns_leave_out_what_they_contain() -> None:
    on = {"any_flower": 1, "any_wind_pung": 1, "no_flowers": 1, "no_honors": 1, "no_honors_no_flowers": 2}
    winds = ask("123m456789p55s111222z", "2z", flowers="15f", seat="E", round="S", overrides=on)
    found = counted(winds, "common")
    assert (found["any_wind_pung"], found["any_flower"]) == (2, 2)
    assert not {"seat_flower", "seat_wind_pung", "round_wind_pung"} & set(found)
    neither = counted(ask(CHOWS, "6s", overrides=on), "common")
    assert neither["no_honors_no_flowers"] == 2
    assert not {"no_flowers", "no_honors"} & set(neither)


ALL_CHOWS = [
    # definition or part, hand, whether it is 平胡
    ("flowers_two_sided", "", ask(CHOWS, "6s", flowers="2f"), True),
    ("no_flowers_two_sided", "", ask(CHOWS, "6s", flowers="2f"), False),
    ("no_flowers_not_single", "", ask("123456m789p123p23455s", "5s"), True),
    ("no_flowers_two_kinds", "", ask("123456m789p123p23455s", "5s"), False),
    ("no_flowers_every_two_sided", "", ask(CHOWS, "6s"), True),
    ("no_flowers_two_sided", "", ask(HONOR_PAIR, "6s"), False),
    ("no_flowers_two_sided", 'pair = "any"', ask(HONOR_PAIR, "6s"), True),
    ("no_flowers_two_sided", "", drawn(CHOWS, "6s"), False),
    ("no_flowers_two_sided", 'self_draw = "counted"', drawn(CHOWS, "6s"), True),
    ("no_flowers_two_sided", 'self_draw = "counted"', drawn(CHOWS, "5s"), False),
    ("no_flowers_two_sided", "", ask(CHOWS, "6s", win="rob_kong"), True),
    ("no_flowers_two_sided", 'robbed_kong = "not_counted"', ask(CHOWS, "6s", win="rob_kong"), False),
]


@pytest.mark.parametrize(("definition", "part", "request_", "there"), ALL_CHOWS)
def test_all_chows(house: Any, definition: str, part: str, request_: dict[str, Any], there: bool) -> None:
    rules = house(f'[patterns.all_chows]\ndefinition = "all_chows.{definition}"\n{part}\n')
    assert ("all_chows" in counted(request_, rules)) is there


def test_every_reading_two_sided(house: Any) -> None:
    """44456s, won on 4s: a tile that can also be the pair is not two-sided in every reading."""
    request = ask("123456m123789p44456s", "4s")
    loose = house('[patterns.all_chows]\ndefinition = "all_chows.no_flowers_two_sided"\n')
    assert "all_chows" in counted(request, loose)
    strict = house('[patterns.all_chows]\ndefinition = "all_chows.no_flowers_every_two_sided"\n')
    assert "all_chows" not in counted(request, strict)


@pytest.mark.parametrize(
    ("definition", "request_", "there"),
    [
        ("single_wait", ask("123456m789p123p23455s", "5s"), False),
        ("single_wait.shape", ask("123456m789p123p23455s", "5s"), True),
        ("single_wait.kind_and_shape", ask("123456m789p123p23455s", "5s"), False),
        ("single_wait.kind_and_shape", ask("123456m123789p456s99s", "5s"), True),
        ("single_wait.shape", drawn("123456m789p123p23455s", "5s"), True),
    ],
)
def test_single_wait(house: Any, definition: str, request_: dict[str, Any], there: bool) -> None:
    rules = house(f'[patterns.single_wait]\ndefinition = "{definition}"\n')
    assert ("single_wait" in counted(request_, rules)) is there


def paid(request: dict[str, Any], rules: str) -> dict[str, int]:
    response = scoring.answer(request | {"rules": rules})
    assert response["wins"], response
    out: dict[str, int] = {}
    for one in response["transfers"]:
        out[one["from"]] = out.get(one["from"], 0) + one["points"]
    return out


def test_cap(house: Any) -> None:
    request = ask("12355566677799m", "3m", "pung 888m", dealer="E", streak=1)
    full = scoring.answer(request | {"rules": "common"})["tai"]
    assert full >= 8
    capped = scoring.answer(request | {"rules": house("[limits]\ntai_cap = 5\n")})
    assert (capped["tai"], capped["transfers"][0]["tai"]) == (5, 5 + 3)
    assert str(full) in capped["notes"][0]
    both = scoring.answer(request | {"rules": house('[limits]\ntai_cap = 5\ntai_cap_covers = "hand_and_dealer"\n')})
    assert both["transfers"][0]["tai"] == 5


def test_least_tai(house: Any) -> None:
    rules = house("[limits]\nleast_tai = 2\n")
    low = scoring.answer(ask(HONOR_PAIR, "6s") | {"rules": rules})
    assert (low["wins"], low["transfers"], len(low["problems"])) == (False, [], 1)
    assert scoring.answer(drawn(HONOR_PAIR, "6s") | {"rules": rules})["wins"]


def test_streak_limit_and_the_dealer_of_a_heavenly_win(house: Any) -> None:
    request = ask(HONOR_PAIR, "6s", dealer="S", streak=4)
    assert paid(request, "common") == {"S": 3 + 1 + 1 + 8}
    assert paid(request, house("[limits]\nstreak_limit = 2\n")) == {"S": 3 + 1 + 1 + 4}
    heavenly = drawn(HONOR_PAIR, "6s", seat="W", dealer="W", streak=1, events=["heavenly_win"])
    for choice, extra in (("counted", 3), ("streak_only", 2), ("not_counted", 0)):
        rules = house(f'[limits]\nheavenly_win_dealer_tai = "{choice}"\n')
        assert paid(heavenly, rules) == dict.fromkeys("ESN", 3 + 17 + extra)


def test_multiplier(house: Any) -> None:
    request = ask(HONOR_PAIR, "6s", events=["triple_dice"])
    assert paid(request, "common") == {"S": 4}
    doubled = house("[payment]\nmultiplier = 2\n")
    assert paid(request, doubled) == {"S": 8}
    plain = ask(HONOR_PAIR, "6s")
    for rules, offered in (("common", False), (doubled, True)):
        changes = scoring.what_if(plain | {"rules": rules})["changes"]
        assert ("triple_dice" in [one["value"] for one in changes]) == offered


def test_a_pung_goes_before_a_chow_whoever_drew_first(house: Any) -> None:
    acts = [{"who": "S", "act": "say_chow", "t": 0.5}, {"who": "S", "act": "take_in", "t": 1}]
    acts.append({"who": "W", "act": "say_pung", "t": 4})
    case = {"incident": "priority", "facts": {"discarder": "E", "acts": acts}}
    assert scoring.ruling(case | {"rules": "luohan"})["gets"] == ["S"]
    always = house('[limits]\nclaim_order = "pung_before_chow_only"\n', "luohan")
    assert scoring.ruling(case | {"rules": always})["gets"] == ["W"]
    after_the_discard = [*acts[:2], {"who": "S", "act": "discard", "t": 3}, acts[2]]
    case["facts"] = {"discarder": "E", "acts": after_the_discard}
    assert scoring.ruling(case | {"rules": always})["gets"] == ["S"]


def test_who_fed_answers(house: Any) -> None:
    won, self_drawn = ask(HONOR_PAIR, "6s", dealer="N"), drawn(HONOR_PAIR, "6s", dealer="N")
    feeder = house('[payment]\nresponsibility = "feeder_pays"\n')
    assert paid(won | {"responsible": "W"}, feeder) == {"W": 4}
    assert paid(self_drawn | {"responsible": "W"}, feeder) == {"W": 6 + 6 + 7}
    half = house('[payment]\nresponsibility = "feeder_pays_half"\n')
    assert paid(won | {"responsible": "W", "base": 4}, half) == {"S": 3, "W": 2}
    assert paid(won | {"responsible": "S"}, half) == {"S": 4}
    assert paid(self_drawn | {"responsible": "W"}, half) == {"W": 19}


@pytest.mark.parametrize(
    ("choice", "wins", "tai"),
    [
        ("hand_counts", True, 3 + 1 + 8),
        ("flowers_only", True, 8),
        ("forced_hand_counts", True, 12),
        ("forced_flowers_only", True, 8),
        ("paid_at_once", True, 8),
        ("no_flower_win", False, 0),
    ],
)
def test_flower_wins(house: Any, choice: str, wins: bool, tai: int) -> None:
    rules = house(f'flower_win = "{choice}"\n')
    response = scoring.answer(ask(HONOR_PAIR, "6s", **EIGHT) | {"rules": rules})
    assert (response["wins"], response["tai"]) == (wins, tai)
    assert bool(response["transfers"]) is wins
    held = scoring.answer(ask(HONOR_PAIR, "6s", flowers="12345678f") | {"rules": rules})
    assert bool(held.get("notes")) is choice.startswith(("forced", "paid"))


@pytest.mark.parametrize("win", ["eight_flowers", "seven_rob_one"])
def test_a_flower_win_that_is_switched_off_wins_nothing(win: str) -> None:
    request = ask("", None, win=win, flowers="12345678f", overrides={win: 0})
    response = scoring.answer(request)
    assert (response["wins"], response["transfers"]) == (False, [])
    assert len(response["problems"]) == 1


def test_a_changed_value_says_that_it_is_the_tables(house: Any) -> None:
    text = '[patterns.half_flush]\nexcludes = ["all_pungs"]\n[patterns.all_chows]\n'
    text += 'definition = "all_chows.flowers_two_kinds"\n[patterns.small_three_dragons]\nexcludes = []\n'
    rules = house(text, "luohan")
    flush = ask("11122333555999m", "9m", "pung 777z", rules=rules, explain=True)
    response = scoring.answer(flush)
    (left_out,) = [one for one in response["left_out"] if one["id"] == "all_pungs"]
    assert left_out["cite"] == "本桌"
    (why,) = [one for one in response["explain"]["left_out"] if one["id"] == "all_pungs"]
    assert "本桌" in why["text"]
    book = load_book(rules)
    assert all("本桌" in book.patterns[id_].note for id_ in ("half_flush", "all_chows", "small_three_dragons"))
    assert book.patterns["all_chows"].cite is not None
    assert book.patterns["all_chows"].cite.house
    assert str(book.patterns["half_flush"].cite) == "000 L118"
    assert (
        "本桌"
        in load_book(house('several_winners = "each"\n'.join(["[payment]\n", ""]))).source("several_winners").note
    )


def test_a_changed_tai_and_a_pattern_switched_off_say_so_too(house: Any) -> None:
    rules = house("[patterns]\nfour_concealed_pungs = 5\nconcealed_hand = 0\n", "luohan")
    told = scoring.answer(ask("222m888p111234s11155z", "4s", rules=rules, explain=True))["explain"]
    (four,) = [one for one in told["patterns"] if one["id"] == "four_concealed_pungs"]
    assert "（台數是本桌的規定；原書見麻將羅漢規則 第 134 行「四副配得或摸得之坎子(包含暗槓)組成」）" in four["text"]
    assert four["note"].startswith("本桌改為 5 台（原書：6 台）。原書的讀法：")
    (closed,) = told["not_in_book"]
    assert (closed["text"], closed["cite"]) == ("門清：有，但這本書不計（本桌的規定）", "本桌")


@pytest.mark.parametrize("id_", READY_IDS)
def test_ready_books_say_where_each_value_was_seen(id_: str) -> None:
    book = load_book(id_)
    base = load_book(book.based_on)
    assert book.seen
    changed = [rule for rule in book.patterns.values() if rule.changed]
    assert changed
    assert [rule.id for rule in changed if not rule.seen] == []
    settings = [name for name in (*AMOUNTS, *CHOICES) if book.setting(name) != base.setting(name)]
    assert [name for name in settings if not book.source(name).seen] == []


def test_values_of_the_ready_books() -> None:
    """What their players know."""
    star31, shenlaiye, sml = (load_book(id_).patterns for id_ in ("star31", "shenlaiye", "sml"))
    assert [star31[id_].tai for id_ in ("any_flower", "any_wind_pung", "no_honors_no_flowers")] == [1, 1, 2]
    assert [star31[id_].tai for id_ in ("kong_each", "concealed_kong_each", "heavenly_win")] == [1, 2, 24]
    assert [shenlaiye[id_].tai for id_ in ("earthly_ready", "human_win", "all_honors")] == [4, 8, 8]
    assert [sml[id_].tai for id_ in ("heavenly_ready", "earthly_ready", "flower_set")] == [16, 8, 1]
    assert scoring.answer(ask(HONOR_PAIR, "6s", flowers="1234f") | {"rules": "star31"})["tai"] == 1 + 4


def test_the_lists_are_complete() -> None:
    """The ids and choices that twelve apps' tables ask for."""
    assert {
        *("any_flower", "any_wind_pung", "no_flowers", "no_honors", "no_honors_no_flowers", "kong_each"),
        *("concealed_kong_each", "four_kongs", "five_kongs"),
        *("eight_pairs", "thirteen_orphans", "sixteen_unconnected", "two_concealed_pungs"),
    } == LATER_PATTERNS
    assert len(VARIANTS["all_chows"]) == 14
    assert set(PARTS["all_chows"]) == {"pair", "self_draw", "robbed_kong", "closed", "many_waits"}


MIDDLE = ask("34555p123789s", "4p", "chow 123m, chow 456m")  # 3p and 4p are waited for, 4p in the middle


@pytest.mark.parametrize(
    ("definition", "part", "request_", "there"),
    [
        ("flowers_not_single", "", MIDDLE, True),
        ("flowers_open_end", "", MIDDLE, False),
        ("flowers_any_wait", "", ask("345p55s123789s", "4p", "chow 123m, chow 456m"), True),
        ("flowers_two_kinds", "", ask("345p55s123789s", "4p", "chow 123m, chow 456m"), False),
        ("no_flowers_open_end", "", ask("345p55s123789s", "5p", "chow 123m, chow 456m"), True),
        ("no_flowers_open_end", "", ask("345p55s123789s", "5p", "chow 123m, chow 456m", flowers="1f"), False),
        ("no_flowers_every_open_end", "", ask("345p55s123789s", "5p", "chow 123m, chow 456m"), True),
        ("no_flowers_every_open_end", "", ask("34555p123789s", "5p", "chow 123m, chow 456m"), False),
        ("flowers_two_sided", 'closed = "not_counted"', ask(CHOWS, "6s"), False),
        (
            "flowers_two_sided",
            'closed = "not_counted"',
            ask("456p456s55m", "6s", "chow 123m, chow 456m, chow 789m"),
            True,
        ),
    ],
)
def test_more_of_all_chows(house: Any, definition: str, part: str, request_: dict[str, Any], there: bool) -> None:
    rules = house(f'[patterns.all_chows]\ndefinition = "all_chows.{definition}"\n{part}\n')
    response = scoring.answer(request_ | {"rules": rules})
    assert ("all_chows" in tally_of(response)) is there, response


@pytest.mark.parametrize("definition", VARIANTS["single_wait"])
def test_the_pair_of_five_calls(house: Any, definition: str) -> None:
    five = ask("55p", "5p", "chow 123m, chow 456m, chow 789m, pung 222s, pung 777p")
    text = f'[patterns.single_wait]\ndefinition = "{definition}"\n'
    assert "single_wait" in counted(five, house(text))
    assert "single_wait" not in counted(five, house(text + 'five_calls = "not_counted"\n'))
    assert "single_wait" in counted(ask(HONOR_PAIR, "4z"), house(text + 'five_calls = "not_counted"\n'))


@pytest.mark.parametrize(("choice", "tai"), [("most_tai", 5), ("pung_first", 2)])
@pytest.mark.parametrize("win", ["discard", "self_draw"])
def test_pung_first(house: Any, choice: str, tai: int, win: str) -> None:
    """A self-drawn tile is placed for the most tai, whatever the choice."""
    hand = ask("122223333m11p", "2m", "concealed_kong 8888p, concealed_kong 9999m", win=win)
    if win == "self_draw":
        hand |= {"discarder": None}
    found = counted(hand, house(f'winning_place = "{choice}"\n'))
    four, three = found.get("four_concealed_pungs", 0), found.get("three_concealed_pungs", 0)
    assert four + three == (5 if win == "self_draw" else tai)
