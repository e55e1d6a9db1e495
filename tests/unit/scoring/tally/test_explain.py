"""Reasons: why a pattern counts, why not, and because of what; one hand under all books; what one change would do."""

import re
from random import Random
from typing import Any

import pytest

import scoring
from scoring.languages import WHOLE
from scoring.messages import catalog, cite_words
from scoring.tiles import name
from tests.unit.scoring.support.asking import ask, drawn
from tests.unit.scoring.support.hands import as_request, winning_hand

CHOWS = ask("123456m789p123456s55p", "6s", explain=True)
CLOSED = "123456m789p123456s44z"
DEALT_KONG = drawn("456m789p123789s44z", "9s", "concealed_kong 1111m", rules="common", seat="E", dealer="E")


def reasons(request: dict[str, Any], lang: str = "zh") -> dict[str, Any]:
    return scoring.answer(request | {"explain": True}, lang=lang)["explain"]  # type: ignore[no-any-return]


def why_not(request: dict[str, Any], pattern: str, lang: str = "zh") -> str:
    (found,) = [one for one in reasons(request, lang)["why_not"] if one["id"] == pattern]
    return str(found["text"])


@pytest.mark.parametrize(
    ("request_", "pattern", "zh", "en"),
    [
        pytest.param(CHOWS | {"flowers": "1f"}, "all_chows", "有花牌「春」", "flowers: spring", id="flower"),
        pytest.param(CHOWS | {"win": "self_draw", "discarder": None}, "all_chows", "自己摸", "drawn", id="drawn"),
        pytest.param(ask(CLOSED, "6s"), "all_chows", "將是字牌「北」", "honor, north", id="pair"),
        pytest.param(ask("123456m789p123456s55p", "5s"), "all_chows", "獨聽", "only 5 bamboos", id="one-kind"),
        pytest.param(ask("123456m789p123p23455s", "5s"), "all_chows", "胡的是將", "pair of 5 b", id="pair-won"),
        pytest.param(ask("123456m789p123p23444s", "3s", rules="ntu"), "all_chows", "不是雙頭", "two-sided", id="mid"),
        pytest.param(CHOWS, "single_wait", "聽 2 洞", "2 kinds", id="two-kinds"),
        pytest.param(
            ask("456m789p123s44z123p", "1s", "kong 1111m"), "concealed_hand", "一一一一萬", "1111m", id="open"
        ),
        pytest.param(CHOWS, "self_draw", "不是自摸", "not self-drawn", id="by-discard"),
        pytest.param(
            ask("111m333p555s789s44z", "5s", "chow 123s"),
            "three_concealed_pungs",
            "別人放槍才成",
            "completed by a discard",
            id="pung-by-discard",
        ),
        pytest.param(
            CHOWS | {"events": ["heavenly_ready"], "dealer": "E"}, "heavenly_ready", "只算閒家的", "dealer", id="dealer"
        ),
        pytest.param(
            DEALT_KONG | {"events": ["heavenly_win"]},
            "heavenly_win",
            "起手開了槓",
            "kong was declared",
            id="dealt-kong",
        ),
        pytest.param(DEALT_KONG, "heavenly_win", "沒有天胡", "no heavenly win", id="not-dealt"),
        pytest.param(ask(CLOSED, "6s", flowers="234f"), "flower_set", "差「春」", "lacks spring", id="flower-set"),
        pytest.param(ask(CLOSED, "6s", flowers="2f"), "seat_flower", "春、梅", "spring, plum", id="seat-flower"),
    ],
)
def test_why_not(request_: dict[str, Any], pattern: str, zh: str, en: str) -> None:
    assert zh in why_not(request_, pattern, "zh")
    assert en in why_not(request_, pattern, "en")


def test_near_misses_come_first() -> None:
    near = [one["near"] for one in reasons(CHOWS | {"flowers": "1f"})["why_not"]]
    assert near == sorted(near, reverse=True)
    assert any(near)


def test_what_counts_names_tiles_clause_and_note() -> None:
    request = ask("456m123s44z", "1s", "pung 555z, pung 777z, chow 789p")
    (dragons,) = reasons(request)["patterns"]
    assert dragons["tiles"] == [["5z"] * 3, ["7z"] * 3]
    assert dragons["cite"] == "000 L34"
    assert dragons["quote"] in dragons["text"]
    assert "第 242 行" in dragons["note"]


def test_what_is_left_out_names_the_cause_and_its_clause() -> None:
    request = ask("456m123s77z", "1s", "pung 555z, pung 666z, chow 789p")
    assert scoring.answer(request)["left_out"] == [
        {"id": "dragon_pung", "because": "small_three_dragons", "cite": "000 L174"}
    ]
    (entry,) = reasons(request)["left_out"]
    assert entry["because_name"] in entry["text"]
    assert "麻將羅漢規則 第 174 行" in entry["text"]


def test_a_pattern_that_the_book_does_not_mention_is_told() -> None:
    entries = {one["id"]: one["status"] for one in reasons(ask(CLOSED, "6s", events=["ready_declared"]))["not_in_book"]}
    assert entries["ready_declared"] == "not_counted"


def test_every_reading_is_shown() -> None:
    shown = reasons(ask("111222333m789p44455s", "3m"))["readings"]
    assert len(shown) == 2
    assert sum(one["chosen"] for one in shown) == 1
    chosen = next(one for one in shown if one["chosen"])
    assert chosen["tai"] == max(one["tai"] for one in shown)


@pytest.mark.parametrize("lang", WHOLE)
def test_the_summary_tells_the_whole(lang: str) -> None:
    response = scoring.answer(drawn(CLOSED, "6s", flowers="1f", explain=True, dealer="E", streak=1), lang=lang)
    text = scoring.summary(response, lang=lang)
    for pattern in response["patterns"]:
        assert pattern["name"] in text
        assert cite_words(pattern["cite"], lang) in text
    for transfer in response["transfers"]:
        assert str(transfer["points"]) in text
    assert {"zh": "[四五六索]", "en": "[456s]"}[lang] in text


@pytest.mark.parametrize("lang", WHOLE)
def test_the_summary_of_the_other_answers(lang: str) -> None:
    request = ask("222m888p111234s11155z", "4s")
    compared = scoring.summary(scoring.compare(request, lang=lang), lang=lang)
    assert cite_words("000 L134", lang) in compared
    assert cite_words("001 L254", lang) in compared
    changed = scoring.what_if(request, lang=lang)
    assert all(one["text"] in scoring.summary(changed, lang=lang, every=True) for one in changed["changes"])
    effective = [one for one in changed["changes"] if one["points_difference"] or one["tai_difference"]]
    assert all(one["text"] in scoring.summary(changed, lang=lang) for one in effective)
    sixteen = ask("222m888p11123s11155z", None)
    assert scoring.summary(scoring.ready(sixteen, lang=lang), lang=lang).count("\n") == 2
    seventeen = ask("222m888p11123s11155z9m", None)
    assert name("9m", lang) in scoring.summary(scoring.ready(seventeen, lang=lang), lang=lang)


def test_the_catalogs_say_the_same() -> None:
    zh, en = catalog("zh"), catalog("en")
    assert zh.keys() == en.keys()
    for section in zh:
        assert zh[section].keys() == en[section].keys()
    for key, text in zh["sentences"].items():
        names = [set(re.findall(r"\{(\w+)", one)) for one in (text, en["sentences"][key])]
        assert names[0] == names[1], key


# one hand under all books


def test_compare_names_each_difference_by_clause() -> None:
    request = ask("222m888p111234s11155z", "4s", seat="E", round="S", dealer="N", discarder="W")
    del request["rules"]
    response = scoring.compare(request)
    assert {one["rules"]: one["response"]["tai"] for one in response["books"]} == {
        "luohan": 8,
        "ntu": 7,
        "mahjong_time": 7,
        "common": 7,
    }
    (difference,) = response["differences"]
    assert difference["id"] == "four_concealed_pungs"
    assert {one["column"]: (one["tai"], one["cite"]) for one in difference["cells"]} == {
        "luohan": (6, "000 L134"),
        "ntu": (5, "001 L254"),
        "mahjong_time": (5, "001 L254"),
        "common": (5, "001 L254"),
    }


def test_compare_tells_why_a_book_does_not_count() -> None:
    response = scoring.compare(ask("123456m789p123456s55p", "6s", flowers="2f"), lang="en")
    difference = next(one for one in response["differences"] if one["id"] == "all_chows")
    cells = {one["column"]: one for one in difference["cells"]}
    assert cells["ntu"]["state"] == "counted"
    assert cells["luohan"]["state"] == "not_there"
    assert "flowers: summer" in cells["luohan"]["text"]


def test_compare_shows_house_rules_beside_the_books() -> None:
    response = scoring.compare(ask("555s999s44z", "9s", "pung 111m, pung 333p, pung 777p", overrides={"all_pungs": 6}))
    assert response["books"][0]["column"] == "request"
    assert [one["response"]["tai"] for one in response["books"]] == [6, 4, 4, 4, 4]


def test_compare_where_a_book_does_not_win() -> None:
    response = scoring.compare(ask("11m224499p33777s1111z", "1m"))
    states = {one["column"]: one["state"] for one in response["differences"][0]["cells"]}
    assert states["luohan"] == "no_win"
    assert states["mahjong_time"] == "counted"


def test_compare_refuses_what_cannot_be() -> None:
    assert scoring.compare(ask("11111m", "1m"))["problems"]
    assert scoring.compare(ask(CLOSED, "6s"), books=["luohan", "nowhere"])["problems"]


# what if


def changes(request: dict[str, Any]) -> dict[tuple[str, Any], dict[str, Any]]:
    return {(one["key"], one["value"]): one for one in scoring.what_if(request)["changes"]}


def test_what_if_gives_the_difference_of_each_change() -> None:
    found = changes(ask(CLOSED, "6s"))
    drawn_ = found["win", "self_draw"]
    assert (drawn_["tai"], drawn_["tai_difference"]) == (3, 2)
    assert drawn_["gained"] == ["concealed_self_draw"]
    # dealer W pays one more; three players pay base 3 + 3 tai, one paid 3 + 1
    assert (drawn_["points"], drawn_["points_difference"]) == (19, 15)
    assert found["dealer", "S"]["points_difference"] == 1
    assert found["flower_more", "1f"]["gained"] == ["seat_flower"]
    assert found["winning_tile", "5s"]["gained"] == ["single_wait"]
    assert ("event_more", "heavenly_win") not in found


def test_what_if_agrees_with_asking() -> None:
    request = drawn(CLOSED, "6s", flowers="1f", events=["last_tile"], streak=1)
    found = changes(request)
    assert found["event_less", "last_tile"]["tai"] == scoring.answer(request | {"events": []})["tai"]
    assert found["flower_less", "1f"]["tai"] == scoring.answer(request | {"flowers": ""})["tai"]
    assert found["streak", 2]["transfers"] == scoring.answer(request | {"streak": 2})["transfers"]


def test_what_if_refuses_what_cannot_be() -> None:
    assert "error" in scoring.what_if(ask("11111m", "1m"))


# what nearly counted


def near_ids(request: dict[str, Any]) -> set[str]:
    return {one["id"] for one in reasons(request)["why_not"] if one["near"]}


@pytest.mark.parametrize(
    ("request_", "pattern", "near"),
    [
        pytest.param(CHOWS | {"flowers": "1f"}, "all_chows", True, id="only-a-flower"),
        pytest.param(CHOWS | {"flowers": "1f", "win": "self_draw", "discarder": None}, "all_chows", False, id="both"),
        pytest.param(CHOWS, "single_wait", False, id="the-waits-stand-there-already"),
        pytest.param(ask("123456m789p123s44z123p", "1s"), "three_concealed_pungs", False, id="no-pung-at-all"),
        pytest.param(ask("111m333p555s789s44z", "5s", "chow 123s"), "three_concealed_pungs", True, id="by-discard"),
        pytest.param(ask("123456m789m99m111z", "9m", "chow 123m"), "full_flush", True, id="one-set-of-honors"),
        pytest.param(ask("123456m789m999m11m", "9m", "chow 456m"), "half_flush", False, id="under-a-full-flush"),
        pytest.param(ask("123456m789m55p99m111z", "9m"), "full_flush", False, id="two-groups"),
        pytest.param(ask("111222333z66z123m555z", "5z"), "all_honors", True, id="all-honors-but-a-chow"),
        pytest.param(ask("111222333z99m123m555z", "5z"), "all_honors", False, id="and-the-pair"),
        pytest.param(ask("123456m99m111z", "9m", "chow 123m, concealed_kong 7777p"), "half_flush", True, id="one-kong"),
        pytest.param(
            ask("1133557799m22p44p888m", "8m", rules="mahjong_time"), "full_flush", False, id="two-pairs-of-seven"
        ),
        pytest.param(
            ask("1133557799m2222p888m", "8m", rules="mahjong_time"), "full_flush", False, id="four-of-a-kind-as-pairs"
        ),
        pytest.param(ask(CLOSED, "6s", events=["heavenly_ready"], dealer="E"), "heavenly_ready", True, id="the-dealer"),
        pytest.param(
            ask(CLOSED, "6s", events=["heavenly_ready", "ready_void"]), "heavenly_ready", True, id="ready-but-void"
        ),
        pytest.param(
            ask(CLOSED, "6s", events=["heavenly_ready", "ready_void"], dealer="E"),
            *("heavenly_ready", False),
            id="the-dealer-and-void",
        ),
        pytest.param(ask(CLOSED, "6s", overrides={"no_honors": 1}), "no_honors", True, id="a-pair-of-honors"),
        pytest.param(
            ask(CLOSED, "6s", flowers="2f", overrides={"no_honors_no_flowers": 1}),
            *("no_honors_no_flowers", False),
            id="honors-and-a-flower",
        ),
    ],
)
def test_near_is_what_lacked_exactly_one_thing(request_: dict[str, Any], pattern: str, near: bool) -> None:
    assert (pattern in near_ids(request_)) is near


def test_what_another_line_says_is_not_said_again() -> None:
    closed = drawn(CLOSED, "6s")
    for rules in ("common", "luohan", "ntu"):
        told = {one["id"] for one in reasons(closed | {"rules": rules})["not_in_book"]}
        assert told.isdisjoint({"concealed_and_self_draw", "concealed_self_draw", "any_flower", "no_honors"}), rules


@pytest.mark.parametrize("seed", range(30))
def test_there_are_about_eight_lines_at_most_and_each_note_once(seed: int) -> None:
    explained = reasons(as_request(winning_hand(Random(seed))))
    near = [one for one in explained["why_not"] if one["near"]]
    assert len(near) + len(explained["left_out"]) + len(explained["not_in_book"]) <= 8
    entries = [one for key in ("patterns", "left_out", "not_in_book", "why_not") for one in explained[key]]
    sentences = [one for entry in entries for one in re.findall("[^。]+。", entry["note"] or "")]
    assert len(sentences) == len(set(sentences))


def test_a_note_is_said_once_in_part_too() -> None:
    told = reasons(drawn("111m333p555s777s999s44z", "9s", rules="mahjong_time"))["patterns"]
    notes = [one["note"] for one in told]
    assert notes[0] == "Mahjong Time 沒有台數表：照通行台數表。"
    assert sum("Mahjong Time 沒有台數表：照通行台數表。" in (one or "") for one in notes) == 1
    assert len([one for one in notes if one]) == 2


@pytest.mark.parametrize(
    ("rules", "hand", "id_", "through"),
    [
        ("ntu", "111m333p555s777s999s44z", "three_concealed_pungs", "四暗刻"),
        ("common", "111m333p555s777s999s44z", "four_concealed_pungs", None),
        ("mahjong_time", "555666777z123m44m789p", "dragon_pung", "小三元"),
        ("ntu", "111222333444z55m456p", "seat_wind_pung", "小四喜"),
        ("luohan", "111222333444z55m456p", "seat_wind_pung", None),
    ],
)
def test_a_clause_about_a_smaller_pattern_says_which(rules: str, hand: str, id_: str, through: str | None) -> None:
    """001 L255「不重複計算三暗刻」 belongs to 四暗刻. With 五暗刻 the explanation names 四暗刻 as the link."""
    winning = "9s" if hand.endswith("44z") else hand[-2:]
    (entry,) = [one for one in reasons(drawn(hand, winning, rules=rules))["left_out"] if one["id"] == id_]
    assert entry["through_name"] == through
    assert (f"裡面有{through}" in entry["text"]) if through else ("裡面有" not in entry["text"])
