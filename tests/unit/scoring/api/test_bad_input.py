"""What cannot be is refused with key and value, every problem at once; what does not win is an answer."""

import json
import re
from typing import Any

import pytest

import scoring
from scoring.api.json_text import answer_text
from scoring.languages import WHOLE
from tests.unit.scoring.support.asking import ask, drawn

GOOD = ask("234m567p345s11z", "5s", "pung 555m, pung 777z", flowers="1f6f", dealer="S", round="E")
CLOSED = "123456m789p123456s44z"
KONG = "456m789p123s44z123p"

# id, request, and for each problem the words that it must name
REFUSED: tuple[tuple[str, Any, tuple[tuple[str, ...], ...]], ...] = (
    ("unknown-key", GOOD | {"foo": 1}, (("foo",),)),
    ("missing-keys", {"rules": "luohan", "concealed": "1m"}, (("win",), ("seat",), ("round",), ("dealer",))),
    ("unknown-rules", GOOD | {"rules": "riichi"}, (("rules", "riichi"),)),
    ("rules-no-text", GOOD | {"rules": 3}, (("rules", "3"),)),
    ("unknown-override", GOOD | {"overrides": {"big_hand": 3}}, (("rules", "big_hand"),)),
    ("override-no-number", GOOD | {"overrides": {"all_pungs": "4"}}, (("rules", "all_pungs", "'4'"),)),
    ("override-negative", GOOD | {"overrides": {"all_pungs": -1}}, (("rules", "all_pungs", "-1"),)),
    ("overrides-no-object", GOOD | {"overrides": [1]}, (("overrides", "[1]"),)),
    ("no-tile", GOOD | {"concealed": "234m567p34xs11z"}, (("concealed", "x", "11"),)),
    ("concealed-no-text", GOOD | {"concealed": 7}, (("concealed", "7"),)),
    ("five-of-a-kind", GOOD | {"concealed": "555m567p345s11z"}, (("concealed", "melds", "5m"),)),
    ("two-of-one-flower", GOOD | {"flowers": "11f"}, (("flowers", "1f"),)),
    ("flower-in-the-hand", GOOD | {"concealed": "234m567p345s1z2f"}, (("concealed", "2f"),)),
    (
        "one-flower-in-the-hand-and-beside-it",
        GOOD | {"concealed": "234m567p345s1z1f"},
        (("concealed, flowers", "1f"), ("concealed", "1f")),
    ),
    ("tiles-of-a-meld-no-text", GOOD | {"melds": [{"kind": "pung", "tiles": ()}]}, (("melds[0].tiles",),)),
    ("a-kind-no-text", GOOD | {"melds": [{"kind": ["pung"], "tiles": "777z"}]}, (("melds[0].kind", "pung"),)),
    ("no-flower", GOOD | {"flowers": "1f5p"}, (("flowers", "5p"),)),
    ("a-meld-that-is-none", GOOD | {"melds": [{"kind": "chow", "tiles": "124m"}]}, (("melds", "1m 2m 4m"),)),
    ("a-chow-over-two-suits", GOOD | {"melds": [{"kind": "chow", "tiles": "89m1p"}]}, (("melds", "1p"),)),
    ("a-chow-of-honors", GOOD | {"melds": [{"kind": "chow", "tiles": "567z"}]}, (("melds", "5z"),)),
    ("a-kong-of-three", GOOD | {"melds": [{"kind": "kong", "tiles": "777z"}]}, (("melds", "kong"),)),
    ("a-pung-of-four", GOOD | {"melds": [{"kind": "pung", "tiles": "7777z"}]}, (("melds", "pung"),)),
    ("an-empty-meld", GOOD | {"melds": [{"kind": "pung", "tiles": ""}]}, (("melds",),)),
    ("an-unknown-kind", GOOD | {"melds": [{"kind": "chi", "tiles": "123m"}]}, (("melds[0].kind", "chi"),)),
    ("an-unknown-key-of-a-meld", GOOD | {"melds": [{"kind": "pung", "tiles": "777z", "from": "N"}]}, (("from",),)),
    ("melds-no-list", GOOD | {"melds": {}}, (("melds", "{}"),)),
    ("a-meld-no-object", GOOD | {"melds": ["777z"]}, (("melds[0]", "777z"),)),
    ("the-winning-tile-not-held", GOOD | {"winning_tile": "9s"}, (("winning_tile", "9s"),)),
    ("null-tiles", GOOD | {"concealed": None}, (("concealed", "null"),)),
    ("an-exposed-kong-that-is-none", drawn(CLOSED, "6s", events=["after_exposed_kong"]), (("after_exposed_kong",),)),
    ("void-without-ready", ask(CLOSED, "6s", events=["ready_void"]), (("ready_void",),)),
    ("nobody-answers", GOOD | {"responsible": "N"}, (("responsible",),)),
    ("the-winner-answers", GOOD | {"rules": "mahjong_time", "responsible": "E"}, (("responsible", "E"),)),
    ("not-the-discarder", GOOD | {"rules": "mahjong_time", "responsible": "N"}, (("responsible", "N"),)),
    ("two-winning-tiles", GOOD | {"winning_tile": "55s"}, (("winning_tile", "55s"),)),
    ("no-winning-tile", GOOD | {"winning_tile": None}, (("winning_tile",),)),
    ("an-unknown-win", GOOD | {"win": "ron"}, (("win", "ron"),)),
    ("an-unknown-seat", GOOD | {"seat": "X"}, (("seat", "X"),)),
    ("a-null-round", GOOD | {"round": None}, (("round", "null"),)),
    ("the-discarder-won", GOOD | {"discarder": "E"}, (("discarder", "E"),)),
    ("no-discarder", GOOD | {"discarder": None}, (("discarder", "discard"),)),
    ("a-discarder-of-a-self-draw", GOOD | {"win": "self_draw"}, (("discarder", "S"),)),
    ("no-discarder-of-a-kong", GOOD | {"win": "rob_kong", "discarder": None}, (("discarder", "rob_kong"),)),
    ("a-negative-streak", GOOD | {"streak": -1}, (("streak", "-1"),)),
    ("a-streak-of-true", GOOD | {"streak": True}, (("streak", "true"),)),
    ("a-base-of-half", GOOD | {"base": 0.5}, (("base", "0.5"),)),
    ("an-unknown-event", GOOD | {"events": ["rain"]}, (("events", "rain"),)),
    ("events-no-list", GOOD | {"events": "last_tile"}, (("events", "last_tile"),)),
    ("heavenly-win-by-discard", ask(CLOSED, "6s", dealer="E", events=["heavenly_win"]), (("heavenly_win", "discard"),)),
    ("heavenly-win-not-the-dealers", drawn(CLOSED, "6s", events=["heavenly_win"]), (("heavenly_win", "E"),)),
    ("earthly-win-by-discard", ask(CLOSED, "6s", events=["earthly_win"]), (("earthly_win", "discard"),)),
    ("earthly-win-of-the-dealer", drawn(CLOSED, "6s", dealer="E", events=["earthly_win"]), (("earthly_win", "E"),)),
    ("human-win-self-drawn", drawn(CLOSED, "6s", events=["human_win"]), (("human_win", "self_draw"),)),
    (
        "heavenly-and-earthly",
        drawn(CLOSED, "6s", dealer="E", events=["heavenly_win", "earthly_win"]),
        (("heavenly_win", "earthly_win"), ("earthly_win", "E")),
    ),
    (
        "the-first-and-the-last-tile",
        drawn(CLOSED, "6s", events=["earthly_win", "last_tile"]),
        (("earthly_win", "last_tile"),),
    ),
    ("early-ready-with-a-call", ask(KONG, "1s", "kong 1111m", events=["early_ready"]), (("early_ready",),)),
    (
        "bloom-by-discard",
        ask(CLOSED, "6s", flowers="2f", events=["flower_replacement"]),
        (("flower_replacement", "discard"),),
    ),
    ("bloom-without-a-kong", drawn(CLOSED, "6s", events=["kong_replacement"]), (("kong_replacement",),)),
    ("bloom-without-a-flower", drawn(CLOSED, "6s", events=["flower_replacement"]), (("flower_replacement",),)),
    ("eight-flowers-of-seven", ask("", None, win="eight_flowers", flowers="1234567f"), (("eight_flowers", "8", "7"),)),
    ("seven-flowers-of-five", ask("", None, win="seven_rob_one", flowers="12345f"), (("seven_rob_one", "5"),)),
    ("dealt-flowers-of-a-discard", ask(CLOSED, "6s", events=["dealt_flowers"]), (("dealt_flowers", "discard"),)),
    ("the-eighth-flower-of-a-discard", ask(CLOSED, "6s", events=["eighth_self_drawn"]), (("eighth_self_drawn",),)),
    (
        "no-robbed-flower",
        ask("", None, win="seven_rob_one", flowers="12345678f", events=["eighth_self_drawn"]),
        (("robbed_flower",),),
    ),
    (
        "a-robbed-tile",
        ask("", None, win="seven_rob_one", flowers="12345678f", robbed_flower="1m"),
        (("robbed_flower", "1m"),),
    ),
    ("the-robbed-tile-held", ask("123456m789p123666s44z", "6s", win="rob_kong"), (("rob_kong", "6s", "2"),)),
    ("not-an-object", [1], (("[1]",),)),
    (
        "everything-at-once",
        GOOD | {"concealed": "234m567p345s11q", "win": "ron", "seat": "X", "events": ["rain"], "streak": -1, "foo": 1},
        (("foo",), ("concealed", "q"), ("win", "ron"), ("seat", "X"), ("streak",), ("rain",)),
    ),
)


@pytest.mark.parametrize("lang", WHOLE)
@pytest.mark.parametrize(
    ("request_", "problems"), [pytest.param(request, problems, id=name) for name, request, problems in REFUSED]
)
def test_refused(request_: Any, problems: tuple[tuple[str, ...], ...], lang: str) -> None:
    response = scoring.answer(request_, lang=lang)
    assert set(response) == {"error", "problems"}
    assert isinstance(response["error"], str)
    assert len(response["problems"]) == len(problems), response
    for words in problems:
        assert any(all(word in problem for word in words) for problem in response["problems"]), (words, response)


@pytest.mark.parametrize("lang", WHOLE)
@pytest.mark.parametrize(
    ("request_", "words"),
    [
        pytest.param(ask("123456m789p12345s44z", None), ("1", "16"), id="sixteen-tiles"),
        pytest.param(ask("123456m789p1234567s44z", "7s"), ("1", "18"), id="eighteen-tiles"),
        pytest.param(ask("", None), ("17", "0"), id="no-tiles"),
        pytest.param(
            ask("11m", "1m", "chow 123m, chow 123m, chow 456s, chow 456s, chow 789p, chow 789p"), ("3",), id="six-melds"
        ),
        pytest.param(ask("123456m789p123457s44z", "7s"), ("1",), id="one-away"),
        pytest.param(drawn(KONG, "1s", "kong 1111m", events=["kong_replacement"]), (), id="luohan-L442"),
    ],
)
def test_no_win_is_an_answer(request_: dict[str, Any], words: tuple[str, ...], lang: str) -> None:
    response = scoring.answer(request_, lang=lang)
    assert response["wins"] is False
    assert response["tai"] == 0
    assert response["patterns"] == response["left_out"] == response["transfers"] == []
    assert response["division"] is None
    (problem,) = response["problems"]
    assert all(word in problem for word in words), problem


def test_sixteen_tiles_show_their_waits() -> None:
    assert scoring.answer(ask("123456m789p12345s44z", None))["waits"] == ["3s", "6s"]


def test_the_nearest_hand_is_named() -> None:
    (problem,) = scoring.answer(ask("123456m789p123p123s45z", "5z"), lang="zh")["problems"]
    assert any(words in problem for words in ("進 北 換掉 白", "進 白 換掉 北"))


@pytest.mark.parametrize("lang", WHOLE)
@pytest.mark.parametrize("request_", [pytest.param(case[1], id=case[0]) for case in REFUSED])
def test_the_summary_lists_the_problems(request_: Any, lang: str) -> None:
    response = scoring.answer(request_, lang=lang)
    text = scoring.summary(response, lang=lang)
    assert all(problem in text for problem in response["problems"])


TEXT = json.dumps(GOOD)
MELD = '{"kind": "pung", "tiles": "555m"'


@pytest.mark.parametrize("lang", WHOLE)
@pytest.mark.parametrize(
    ("text", "zh", "en"),
    [
        pytest.param("[" * 100_000 + "]" * 100_000, "括號套得太深", "too deep", id="deep"),
        pytest.param(TEXT.replace('"streak": 0', f'"streak": {"9" * 5000}'), "數字太長", "too long", id="long-number"),
        pytest.param(TEXT.replace("{", '{"rules": "ntu", ', 1), "rules：這個鍵寫了兩次", "rules", id="key-twice"),
        pytest.param(
            TEXT.replace(MELD, MELD + ', "kind": "chow"'), "kind：這個鍵寫了兩次", "kind", id="key-twice-in-a-meld"
        ),
        pytest.param(
            TEXT.replace("{", '{"overrides": {"all_pungs": 1, "all_pungs": 2}, ', 1),
            *("all_pungs：這個鍵寫了兩次", "all_pungs"),
            id="key-twice-in-overrides",
        ),
        pytest.param(TEXT[:-1], "不是 JSON：第 1 行", "line 1", id="cut-off"),
        pytest.param(json.dumps(GOOD | {"round": "x" * 100_000}), "round：不認得", "round", id="long-text"),
    ],
)
def test_what_is_no_request_is_said_in_one_short_sentence(text: str, zh: str, en: str, lang: str) -> None:
    """No word of a program's own, nothing of thousands of letters, and of two values of a key none is taken."""
    response = json.loads(answer_text(text, lang=lang))
    (problem,) = response["problems"]
    assert {"zh": zh, "en": en}[lang] in problem
    assert len(problem) < 200
    assert not re.search("recursion|Expecting|Exceeds|int\\(|Error", problem)
    assert lang == "en" or not re.search(r"(?<![\w\"'])(is|the|not|too)(?!\w)", problem)


@pytest.mark.parametrize("digits", [6, 11, 500, 1999])
def test_a_long_row_of_one_tile_is_refused_with_its_number(digits: int) -> None:
    request = {"rules": "luohan", "concealed": "1" * digits + "m", "win": "self_draw", "seat": "E", "round": "E"}
    (problem,) = scoring.answer({**request, "dealer": "E"}, lang="en")["problems"]
    assert f" {digits} of " in problem
