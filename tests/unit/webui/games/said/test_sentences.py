"""Sentences of people about the end of a hand, and the form's facts from them."""

from __future__ import annotations

from typing import Any

import pytest

from webui.games.said.hearing import hear, hear_best
from webui.games.said.values import Seats

SEATS = Seats(("阿嬤", "老王", "王小美", "Bob"), dealer=1, east=1)
THREE = Seats(("阿嬤", "老王", "王小美"), dealer=0, east=0)
A, W, M, B = 0, 1, 2, 3
SELF = "self_draw"


def fields(text: str, seats: Seats = SEATS) -> tuple[Any, ...]:
    heard = hear(text, seats)
    return heard.kind, {chair: heard.tai.get(chair) for chair in heard.winners}, heard.source


WON: dict[str, tuple[dict[int, int | None], Any]] = {
    "老王放槍給阿嬤，三台": ({A: 3}, W),
    "老王放槍給阿嬤三台": ({A: 3}, W),
    "老王 放槍 給 阿嬤 3 台": ({A: 3}, W),
    "這把老王放槍給阿嬤了，一共三台喔": ({A: 3}, W),
    "老王点炮给阿嬤，３台": ({A: 3}, W),
    "老王放銃阿嬤三臺": ({A: 3}, W),
    "老王出銃，阿嬤胡，兩台": ({A: 2}, W),
    "阿嬤胡老王的三台": ({A: 3}, W),
    "阿嬤胡老王，五台": ({A: 5}, W),
    "阿嬤和老王的，五台": ({A: 5}, W),
    "阿嬤胡了老王放的槍，十台": ({A: 10}, W),
    "五台，阿嬤胡老王": ({A: 5}, W),
    "阿嬤三台胡老王": ({A: 3}, W),
    "阿嬤胡三台，老王放槍": ({A: 3}, W),
    "阿嬤胡三台老王放的": ({A: 3}, W),
    "放槍的是老王，胡的是阿嬤，三台": ({A: 3}, W),
    "老王被阿嬤胡了廿三台": ({A: 23}, W),
    "老王放槍給小美九十九台": ({M: 99}, W),
    "王小 美胡 b o b 的一百零五台": ({M: 105}, B),
    "阿嬤自摸": ({A: None}, SELF),
    "阿嬤自摸五": ({A: 5}, SELF),
    "阿嬤自摸〇台": ({A: 0}, SELF),
    "阿嬤無台自摸": ({A: 0}, SELF),
    "自摸，阿嬤，十二台": ({A: 12}, SELF),
    "莊家自摸卅一台": ({W: 31}, SELF),
    "莊家老王自摸一台": ({W: 1}, SELF),
    "東家放槍給南家七台": ({M: 7}, W),
    "阿嬤胡北家三台": ({}, None),  # who is North herself
    "老王放槍給下家四台": ({M: 4}, W),
    "阿嬤胡上家的四台": ({A: 4}, B),
    "老王放槍給對家，四台": ({B: 4}, W),
    "阿嬤胡老王的下家，四台": ({A: 4}, M),
    "老王的上家自摸，四台": ({A: 4}, SELF),
    "一炮雙響，阿嬤跟小美胡老王的": ({A: None, M: None}, W),
    "一炮雙響阿嬤三台跟小美五台胡老王的": ({A: 3, M: 5}, W),
    "老王放槍給阿嬤和小美，各三台": ({A: 3, M: 3}, W),
    "老王放槍給阿嬤、小美，三台跟五台": ({A: 3, M: 5}, W),
    "一炮三響，老王放槍，阿嬤胡3台，小美胡4台，Bob胡5台": ({A: 3, M: 4, B: 5}, W),
    "Bob won off 老王, 3 tai": ({B: 3}, W),
    "bob wins from 老王 3": ({B: 3}, W),
    "Bob won 3 tai off 老王": ({B: 3}, W),
    "Bob won on 老王's discard, 12 tai": ({B: 12}, W),
    "老王 dealt in to Bob, three tai": ({B: 3}, W),
    "老王 dealt into Bob for 3": ({B: 3}, W),
    "Bob self-draw 5": ({B: 5}, SELF),
    "Bob self-drew five tai": ({B: 5}, SELF),
    "Bob won by self-draw, 5 tai": ({B: 5}, SELF),
    "self-drawn by Bob, 5 tai": ({B: 5}, SELF),
    "Bob and 阿嬤 won off 老王, 3 and 5 tai": ({B: 3, A: 5}, W),
    "the dealer won off Bob, twenty tai": ({W: 20}, B),
    "East dealt in to Bob, 4 tai": ({B: 4}, W),
    "阿嬤胡": ({A: None}, None),
    "老王放槍": ({}, W),
    "自摸": ({}, SELF),
    "三台": ({}, None),
}


@pytest.mark.parametrize(("text", "said"), WON.items())
def test_a_won_hand(text: str, said: tuple[dict[int, int | None], Any]) -> None:
    assert fields(text) == ("won", *said)


@pytest.mark.parametrize(
    "text", ["流局", "這把流局了。", "黃牌", "荒牌", "沒人胡", "流局，沒人胡", "a draw", "Nobody won."]
)
def test_a_drawn_hand(text: str) -> None:
    assert hear(text, SEATS).kind == "drawn"


@pytest.mark.parametrize(
    ("text", "chair"), [("小美詐胡", M), ("詐胡的是老王", W), ("Bob false win", B), ("詐胡", None)]
)
def test_a_false_win(text: str, chair: int | None) -> None:
    heard = hear(text, SEATS)
    assert (heard.kind, heard.offender) == ("false_win", chair)


TROUBLES: dict[str, tuple[str, str]] = {
    "老王放槍給阿媽，三台": ("unknown", "阿媽"),
    "阿媽自摸三台": ("unknown", "阿媽"),
    "阿媽胡三台": ("whose_tai", "三台"),
    "氣溫老王放槍給阿嬤": ("unknown", "氣溫"),
    "不是老王放槍給阿嬤": ("doubt", "不"),
    "老王沒有放槍給阿嬤": ("doubt", "沒"),
    "老王放槍給老王，三台": ("own_discard", ""),
    "阿嬤自摸，老王放槍": ("self_and_discard", ""),
    "阿嬤跟老王自摸": ("self_several", ""),
    "阿嬤自摸三台五台": ("two_tai", "三台、五台"),
    "阿嬤自摸三台，是五台": ("two_tai", "三台、五台"),
    "老王放槍，小美放槍，阿嬤胡": ("two_discarders", ""),
    "老王放槍給阿嬤跟小美三台": ("whose_tai", "三台"),
    "三台": ("nobody_tai", "三台"),
    "阿嬤自摸一萬台": ("unknown", "一萬台"),
    "阿嬤自摸5000台": ("too_many", "5000台"),
    "莊家阿嬤自摸": ("not_dealer", "莊家阿嬤"),
    "一炮雙響，阿嬤胡老王": ("several", "一炮雙響"),
    "流局，阿嬤自摸": ("two_ends", ""),
    "下家自摸": ("beside", "下家"),
    "阿嬤老王": ("no_sentence", ""),
    "": ("empty", ""),
}


@pytest.mark.parametrize(("text", "trouble"), TROUBLES.items())
def test_what_cannot_be_taken_is_said(text: str, trouble: tuple[str, str]) -> None:
    assert trouble in [(one.code, one.values.get("words", "")) for one in hear(text, SEATS).troubles]


@pytest.mark.parametrize(
    "text", ["不是老王放槍給阿嬤，三台", "老王沒有放槍給阿嬤", "今天天氣好", "流局，阿嬤自摸", "阿嬤老王三台"]
)
def test_nothing_is_taken_from_what_is_no_sentence(text: str) -> None:
    assert fields(text) == ("", {}, None)


def test_a_contradiction_leaves_both_sides_open() -> None:
    assert fields("老王放槍給老王跟阿嬤，三台跟五台") == ("won", {A: None}, None)
    assert fields("阿嬤自摸，老王放槍，三台") == ("won", {A: 3}, None)
    assert fields("阿媽放槍，阿嬤自摸，三台") == ("won", {A: 3}, None)


def test_a_part_of_a_name_counts_only_where_it_is_in_no_other() -> None:
    seats = Seats(("王小明", "王小美", "Maximiliane", "阿明"), 0)
    assert fields("王小放槍給小明", seats) == ("won", {0: None}, None)
    assert [one.code for one in hear("王小放槍給小明", seats).troubles] == ["which"]
    assert fields("max放槍給阿明", seats) == ("won", {3: None}, 2)
    assert fields("明自摸三台", seats)[0] in ("", "won")
    assert fields("明自摸三台", seats)[1] == {}


def test_winds_are_nobody_while_the_book_leaves_them_to_the_wall() -> None:
    heard = hear("東家自摸三台", Seats(SEATS.players, 1))
    assert (heard.winners, [one.code for one in heard.troubles][:1]) == ((), ["winds"])


def test_three_players_have_nobody_opposite_and_no_north() -> None:
    assert fields("老王放槍給上家三台", THREE) == ("won", {A: 3}, W)
    assert fields("阿嬤胡上家的三台", THREE) == ("won", {A: 3}, M)
    for text in ("老王放槍給對家三台", "老王放槍給北家三台"):
        heard = hear(text, THREE)
        assert (heard.winners, [one.code for one in heard.troubles][:1]) == ((), ["three"])


def test_names_that_are_words_of_the_table() -> None:
    seats = Seats(("胡", "三台", "胡胡", "莊家"), 0)
    assert fields("胡自摸三台", seats) == ("won", {0: 3}, SELF)
    assert fields("三台放槍給胡，三台", seats) == ("won", {0: 3}, 1)
    assert hear("胡胡胡胡，三台", seats).troubles[0].code == "two_meanings"
    assert fields("莊家自摸三台", seats) == ("won", {3: 3}, SELF)  # a name before a word


def test_another_hearing_counts_where_it_is_whole_and_says_nothing_else() -> None:
    heard = hear_best(["老王放槍給阿媽三台", "老王放槍給阿嬤三台"], SEATS)
    assert (heard.winners, heard.source, heard.text) == ((A,), W, "老王放槍給阿嬤三台")
    assert hear_best(["小美放槍給阿媽三台", "老王放槍給阿嬤三台"], SEATS).text == "小美放槍給阿媽三台"
    assert hear_best(["老王放槍給阿嬤三台", "老王放槍給小美三台"], SEATS).winners == (A,)
    assert hear_best([], SEATS).troubles[0].code == "empty"
