"""Any names of players: a sentence in a usual form is understood; no sentence at all raises."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from webui.games.said.hearing import hear
from webui.games.said.numerals import number
from webui.games.said.pieces import plain
from webui.games.said.values import Seats

DIGITS = "零一二三四五六七八九"
WAYS = (
    "{d} 放槍給 {w}，{n}台",
    "{d} 點砲給 {w} {n} 台",
    "{w} 胡 {d} 的，{n}台",
    "{w} 胡 {d}，{n}台",
    "{n}台，{w} 胡 {d} 放的",
    "{w} 胡 {n}台，{d} 放槍",
    "放槍的是 {d}，胡的是 {w}，{n}台",
    "{w} won off {d}, {n} tai",
    "{d} dealt in to {w}, {n} tai",
    "{w} won {n} tai off {d}",
)
SELF_WAYS = ("{w} 自摸 {n}台", "自摸的是 {w}，{n}台", "{w} self-draw {n}", "{w} 自摸，{n}台")
TWO_WAYS = (
    "一炮雙響 {w} {n}台 跟 {v} {m}台 胡 {d} 的",
    "{d} 放槍給 {w} 跟 {v}，{n}台跟{m}台",
    "{w} and {v} won off {d}, {n} and {m} tai",
)


def in_words(value: int) -> str:
    """三, 十二, 九十九."""
    tens, ones = divmod(value, 10)
    if not tens:
        return DIGITS[ones]
    return ("" if tens == 1 else DIGITS[tens]) + "十" + (DIGITS[ones] if ones else "")


NUMERALS = st.integers(0, 99).flatmap(
    lambda value: st.tuples(
        st.just(value),
        st.sampled_from(
            (str(value), in_words(value), str(value).translate({48 + one: 0xFF10 + one for one in range(10)}))
        ),
    )
)
LETTERS = st.text("阿明小美胡三3１放槍台自摸莊家的跟Aab", min_size=1, max_size=4)
OTHERS = st.text("阿明嬤王林陳Mei Lin É", min_size=1, max_size=8).map(lambda text: " ".join(text.split())).filter(bool)


Draw = Callable[[st.SearchStrategy[Any]], Any]


@st.composite
def tables(draw: st.DrawFn, names: st.SearchStrategy[str]) -> Seats:
    """Three players or four, some of whom begin as another does."""
    players = draw(st.lists(names, min_size=3, max_size=4, unique_by=plain))
    if draw(st.booleans()):
        longer = players[0] + draw(st.sampled_from("胡明3a"))
        players = [*players[:2], longer, *players[3:]] if longer not in players else players
    return Seats(tuple(players), draw(st.integers(0, len(players) - 1)), draw(st.none() | st.integers(0, 2)))


def said(draw: Draw, seats: Seats) -> tuple[str, tuple[Any, ...]]:
    """A sentence, and its meaning."""
    w, d, v = draw(st.permutations(range(len(seats.players))))[:3]
    (n, n_said), (m, m_said) = draw(NUMERALS), draw(NUMERALS)
    way = draw(st.sampled_from((*WAYS, *SELF_WAYS, *TWO_WAYS)))
    text = way.format(w=seats.players[w], d=seats.players[d], v=seats.players[v], n=n_said, m=m_said)
    winners = {w: n, v: m} if way in TWO_WAYS else {w: n}
    return text, (
        "won",
        tuple(sorted(winners)),
        tuple(sorted(winners.items())),
        "self_draw" if way in SELF_WAYS else d,
        None,
    )


@given(st.data())
def test_a_sentence_comes_back_as_it_was_meant(data: st.DataObject) -> None:
    seats = data.draw(tables(OTHERS))
    text, meant = said(data.draw, seats)
    assert hear(text, seats).fields == meant, text


@given(st.data())
def test_with_names_that_are_words_it_comes_back_or_is_asked_about(data: st.DataObject) -> None:
    seats = data.draw(tables(LETTERS))
    text, meant = said(data.draw, seats)
    heard = hear(text, seats)
    two = [one.code for one in heard.troubles] == ["two_meanings"]
    assert heard.fields == meant or two, (text, heard)


@given(
    st.text(max_size=60)
    | st.lists(
        st.sampled_from(
            (*"阿明胡和的跟、，三台0x ", "自摸", "放槍", "給", "一炮雙響", "莊家", "上家", "東家", "won", "off", "'s")
        )
    ).map("".join),
    tables(LETTERS),
)
def test_no_text_whatever_falls_over(text: str, seats: Seats) -> None:
    heard = hear(text, seats)
    assert set(heard.tai) <= set(heard.winners) <= set(range(len(seats.players)))
    assert heard.source not in heard.winners
    assert bool(heard.kind) or bool(heard.troubles)


@given(st.integers(0, 99))
def test_a_number_comes_back(value: int) -> None:
    assert (number(str(value)), number(in_words(value))) == (value, value)
