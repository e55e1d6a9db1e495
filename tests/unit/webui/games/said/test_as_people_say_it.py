"""Sentences as people say them: nine of ten fill everything, and none fills a wrong fact."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from webui.games.said.hearing import hear
from webui.games.said.values import Heard, Seats

PLAYERS = ("阿明", "阿嬤", "老王", "小美")
SEATS = Seats(PLAYERS, dealer=3, east=3)
CHAIRS = {name: chair for chair, name in enumerate(PLAYERS)} | {"?": None}
LINES = Path(__file__).with_name("as_people_say_it.txt").read_text("utf-8").splitlines()
SENTENCES = [line.split(" | ") for line in LINES if not line.startswith("#")]


def meant(sentence: list[str]) -> tuple[str, dict[Any, int | None], Any, int | None]:
    """The kind, the tai by winner, the source and the offender of a line of the table."""
    if sentence[1] == "流局":
        return "drawn", {}, None, None
    if sentence[1].startswith("詐胡"):
        return "false_win", {}, None, CHAIRS[sentence[1].split()[1]]
    words = sentence[1].split()
    numbers = [None if number == "?" else int(number) for number in words[1::2]]
    tai = dict(zip((CHAIRS[name] for name in words[::2]), numbers, strict=False)) if len(words) > 1 else {}
    source = "self_draw" if sentence[2] == "自摸" else CHAIRS[sentence[2]]
    return "won", {chair: number for chair, number in tai.items() if chair is not None}, source, None


def wrong(heard: Heard, sentence: list[str]) -> bool:
    """Whether a field is filled with something that the sentence does not mean."""
    kind, tai, source, offender = meant(sentence)
    return (
        heard.kind not in ("", kind)
        or not set(heard.winners) <= set(tai)
        or any(tai[chair] != number for chair, number in heard.tai.items())
        or heard.source not in (None, source)
        or heard.offender not in (None, offender)
    )


def whole(heard: Heard, sentence: list[str]) -> bool:
    """Whether all fields are filled as they are meant."""
    kind, tai, source, offender = meant(sentence)
    known = {chair: number for chair, number in tai.items() if number is not None}
    return (heard.kind, set(heard.winners), dict(heard.tai), heard.source, heard.offender) == (
        *(kind, set(tai), known, source, offender),
    )


def test_nine_of_ten_fill_everything() -> None:
    assert len(SENTENCES) >= 123
    unfilled = [sentence[0] for sentence in SENTENCES if not whole(hear(sentence[0], SEATS), sentence)]
    assert len(unfilled) <= len(SENTENCES) / 10, unfilled


@pytest.mark.parametrize("sentence", SENTENCES, ids=[sentence[0] for sentence in SENTENCES])
def test_none_fills_a_wrong_fact(sentence: list[str]) -> None:
    assert not wrong(hear(sentence[0], SEATS), sentence)


def test_other_names_change_nothing() -> None:
    """The same table with names of one letter, of words of the table, and longer ones."""
    for names in (
        ("A", "B", "C", "D"),
        ("大胡", "三哥", "放山雞", "莊小姐"),
        ("王大明", "李阿嬤", "Old Wang", "美 美"),
    ):
        seats = Seats(names, 3, 3)
        for sentence in SENTENCES:
            text = sentence[0]
            for old, new in zip(PLAYERS, names, strict=True):
                text = text.replace(old, new)
            assert not wrong(hear(text, seats), sentence), text


NOTHING = (
    *("不是老王放槍給阿嬤，三台", "老王沒有放槍給阿嬤", "老王沒胡到阿明", "差點阿嬤自摸", "阿嬤自摸三台嗎"),
    *("老王放槍，不對，小美放槍，阿嬤胡三台", "阿明自摸或老王放槍", "上一把老王放槍給阿明三台", "老王如果放槍給阿明"),
    *("老王想胡阿明", "阿明聽牌", "阿明摸牌", "阿明碰東風", "處罰老王三台", "老王給阿明三台", "阿明 老王 三台"),
    *("阿明自摸3台老王3台", "阿明三台老王四台", "阿嬤自摸三台，莊家四台", "老王跟小美放槍給阿明", "今天天氣好"),
    *("小美 almost won off 老王", "小美 didn't win", "阿嬤相公", "阿明胡三台給老王", "阿明胡老王 小美也是"),
)


@pytest.mark.parametrize("text", NOTHING)
def test_doubt_and_other_news_fill_nothing(text: str) -> None:
    heard = hear(text, SEATS)
    assert (heard.fields, bool(heard.troubles)) == (("", (), (), None, None), True)


def test_a_wind_after_the_verb_is_a_tile() -> None:
    assert hear("阿明胡東風", SEATS).fields == ("won", (0,), (), None, None)
    assert hear("東放槍給南，三台", SEATS).fields == ("won", (0,), ((0, 3),), 3, None)


PARTLY: dict[str, tuple[Any, ...]] = {
    "老王放槍給阿嬤的媳婦三台": ("won", (), (), 2, None),
    "老王放槍給阿明 老婆 三台": ("won", (), (), 2, None),
    "阿嬤的朋友自摸三台": ("won", (), (), "self_draw", None),
    "我自摸三台": ("won", (), (), "self_draw", None),
    "阿嬤自摸三塊錢": ("won", (1,), (), "self_draw", None),
    "阿明自摸三圈": ("won", (0,), (), "self_draw", None),
    "三四台阿嬤自摸": ("won", (1,), (), "self_draw", None),
    "阿明自摸三台加花兩台": ("won", (0,), (), "self_draw", None),
    "阿明門清一台自摸一台": ("won", (0,), (), "self_draw", None),
    "阿明自摸含莊五台": ("won", (0,), (), "self_draw", None),
    "阿嬤自摸連三台": ("won", (1,), (), "self_draw", None),
    "阿明胡老王，小美放槍": ("won", (0,), (), None, None),
    "老王雙響，阿明三台": ("won", (0,), ((0, 3),), 2, None),
    "老王做莊，阿明自摸三台": ("won", (0,), ((0, 3),), "self_draw", None),
    "阿明自摸三台老王包牌": ("won", (0,), ((0, 3),), "self_draw", None),
}


@pytest.mark.parametrize(("text", "fields"), PARTLY.items())
def test_an_unknown_word_fills_what_is_understood(text: str, fields: tuple[Any, ...]) -> None:
    heard = hear(text, SEATS)
    assert (heard.fields, bool(heard.troubles)) == (fields, True)
