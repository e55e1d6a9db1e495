"""The session: 連莊, 下莊, 荒局, 圈, 將, over many hands."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.hands.hand import SEATS
from scoring.rulebook.loading import BOOK_IDS, load_book
from scoring.settlement.payments import Claim, OuterBet, Transfer, balance, false_win, payers, settle_claim
from scoring.settlement.session import Drawn, FalseWin, Session, Won
from scoring.settlement.session_json import session_from_json, session_to_json

BOOKS = {id_: load_book(id_) for id_ in BOOK_IDS}
PLAYERS = ("Ah-Hua", "Mei", "Lin", "Chen")


def table(book="luohan", **state):
    return Session(BOOKS[book], PLAYERS, **state)


def won(*winners, east=0, transfers=()):
    return Won(east, winners, transfers)


def test_the_dealer_wins():
    after = table().played(won("E"))
    assert (after.dealer, after.streak, after.round) == (0, 1, 0)
    assert after.played(won("E")).streak == 2


def test_another_wins():
    after = table(streak=3).played(won("S"))
    assert (after.dealer, after.streak, after.round) == (1, 0, 0)


def test_the_dealer_is_one_of_several_winners():
    assert table("mahjong_time").played(won("S", "E")).dealer == 0


def test_seats_follow_the_wall_break():
    session = table(dealer=1)
    assert [session.seat(chair, east=2) for chair in range(4)] == ["W", "N", "E", "S"]
    assert session.stakes(east=2).dealer == "N"
    after = session.played(won("N", east=2))
    assert (after.dealer, after.streak) == (1, 1)


@pytest.mark.parametrize(
    ("book", "counts", "streak"),
    [
        ("luohan", True, 3),
        ("ntu", True, 3),
        ("common", True, 3),
        ("mahjong_time", True, 3),
        ("mahjong_time", False, 2),
        ("luohan", False, 3),
    ],
)
def test_a_drawn_hand(book, counts, streak):
    after = table(book, streak=2).played(Drawn(counts))
    assert (after.dealer, after.streak, after.totals) == (0, streak, (0, 0, 0, 0))


def limited(**limits):
    book = BOOKS["common"]
    return book._replace(limits=book.limits._replace(**limits))


@pytest.mark.parametrize("outcome", [won("E"), Drawn()], ids=["won", "drawn"])
@pytest.mark.parametrize(
    ("then", "streak", "dealer", "after"),
    [
        ("deal_passes", 1, 0, 2),
        ("deal_passes", 2, 1, 0),  # the streak would be 3
        ("counts_no_more", 2, 0, 3),
    ],
)
def test_a_streak_that_has_a_limit(outcome, then, streak, dealer, after):
    """連莊上限 2: the next deal passes, or stays and its tai grow no more."""
    book = limited(streak_limit=2, streak_limit_then=then)
    played = Session(book, PLAYERS, streak=streak).played(outcome)
    assert (played.dealer, played.streak) == (dealer, after)
    tai = settle_claim(book, Claim("E", {"S": 1}), played.stakes(east=0))[0].tai
    assert tai == 1 + 1 + 2 * min(played.streak, 2)  # E or S deals


def test_flowers_that_are_paid_at_once_do_not_end_the_hand():
    paid = (Transfer("S", "E", 8, 11),)
    after = table(streak=2, dealer=1).played(Won(0, ("E",), paid, goes_on=True))
    assert (after.dealer, after.streak, after.totals) == (1, 2, (11, -11, 0, 0))
    assert session_from_json(after.book, json.loads(json.dumps(session_to_json(after)))) == after
    assert after.played(won("S")).streak == 3


@pytest.mark.parametrize(
    ("book", "offender", "dealer", "streak"),
    [
        ("luohan", "E", 1, 0),  # L434
        ("luohan", "S", 0, 2),
        ("ntu", "E", 1, 0),  # L93
        ("ntu", "S", 0, 3),  # L90
        ("mahjong_time", "E", 1, 0),  # L175
        ("mahjong_time", "S", 1, 0),
        ("common", "E", 0, 2),
        ("common", "S", 0, 2),
    ],
)
def test_a_false_win(book, offender, dealer, streak):
    after = table(book, streak=2).played(FalseWin(0, offender, ()))
    assert (after.dealer, after.streak) == (dealer, streak)


def pass_deals(session, times):
    for _ in range(times):
        session = session.played(Won((session.dealer + 1) % 4, ("E",), ()))
    return session


def test_rounds():
    """L308: four deals a round, four rounds a 將; the round follows the first dealer."""
    session = table(first_dealer=2, dealer=2)
    winds = []
    for _ in range(16):
        winds.append(session.round_wind)
        session = pass_deals(session, 1)
    assert winds == ["E"] * 4 + ["S"] * 4 + ["W"] * 4 + ["N"] * 4
    assert session.finished
    assert session.dealer == 2
    assert len(session.hands) == 16


def test_nothing_is_played_after_the_end():
    with pytest.raises(ValueError, match="finished"):
        pass_deals(table(), 16).played(Drawn())


def test_the_next_jiang():
    session = pass_deals(table(), 16).next_jiang(chairs=(1, 0, 3, 2), first_dealer=3)
    assert (session.jiang, session.round, session.dealer, session.finished) == (2, 0, 3, False)
    assert session.players == ("Mei", "Ah-Hua", "Chen", "Lin")


def test_no_next_jiang_before_the_end():
    with pytest.raises(ValueError, match="not over"):
        table().next_jiang()


def test_ntu_changes_places_after_the_south_round():
    """L97-99: 南風圈結束後重新抽位, 西風圈重新起莊."""
    half = pass_deals(table("ntu"), 8)
    assert half.seats_due
    assert not pass_deals(table("ntu"), 4).seats_due
    assert not pass_deals(table("luohan"), 8).seats_due
    again = half.seated((3, 2, 1, 0), first_dealer=1)
    assert (again.players, again.dealer, again.round_wind) == (PLAYERS[::-1], 1, "W")
    assert not again.seats_due
    assert pass_deals(again, 8).finished


def test_places_do_not_change_within_a_round():
    with pytest.raises(ValueError, match="between rounds"):
        pass_deals(table(), 1).seated((0, 1, 2, 3), 0)


def test_totals_follow_the_chairs():
    transfers = (Transfer("S", "E", 5, 8),)
    after = table().played(Won(2, ("E",), transfers))
    assert after.totals == (0, 0, 8, -8)
    assert after.hands[0].points == (0, 0, 8, -8)
    assert after.hands[0].round == "E"


def test_outer_bettors_have_totals():
    session = table()
    stakes = session.stakes(0, outer=[OuterBet("Uncle", "E", 10)])
    paid = settle_claim(session.book, Claim("E", dict.fromkeys(payers("E", "self_draw"), 2)), stakes)
    after = session.played(Won(0, ("E",), paid))
    assert after.bettors == (("Uncle", 30),)
    assert sum(after.totals) == -30


def test_chips_end_the_game():
    """001 L135: 一家籌碼歸零，當場結束."""
    session = table("ntu", totals=(0, -190, 95, 95))
    assert session.chips == (200, 10, 295, 295)
    after = session.played(Won(0, ("E",), (Transfer("S", "E", 16, 20),)))
    assert after.chips == (210, 0, 295, 295)
    assert after.finished
    with pytest.raises(ValueError, match="no chips left"):
        after.next_jiang()


def test_the_books_own_stakes():
    assert (table("ntu").stakes(0).base, table("ntu").stakes(0).per_tai) == (4, 1)
    assert (table().stakes(0, base=100, per_tai=20).base, table(streak=2).stakes(0).streak) == (100, 2)


@pytest.mark.parametrize(
    "state", [{"dealer": 4}, {"first_dealer": -1}, {"streak": -1}, {"round": 4}, {"totals": (0, 0)}]
)
def test_a_session_that_cannot_be(state):
    with pytest.raises(ValueError, match=r"chairs|range|players have 2 totals"):
        table(**state)


def test_playing_leaves_the_session_as_it_was():
    session = table()
    session.played(won("E", transfers=(Transfer("S", "E", 5, 8),)))
    assert session == table()


@given(
    st.sampled_from(BOOK_IDS),
    st.lists(
        st.tuples(
            st.integers(0, 3),
            st.sampled_from(SEATS),
            st.integers(0, 30),
            st.sampled_from(["win", "drawn", "false_win"]),
        ),
        max_size=40,
    ),
)
def test_totals_add_up_to_zero(book, hands):
    session = table(book)
    for east, seat, tai, kind in hands:
        if session.finished:
            break
        stakes = session.stakes(east)
        if kind == "drawn":
            session = session.played(Drawn())
        elif kind == "win":
            claim = Claim(seat, dict.fromkeys(payers(seat, "self_draw"), tai))
            session = session.played(Won(east, (seat,), settle_claim(session.book, claim, stakes)))
        else:
            paid = false_win(session.book, seat, stakes, face_tai=tai)
            assert sum(balance(paid).values()) == 0
            session = session.played(FalseWin(east, seat, paid))
        assert sum(session.totals) == 0
        assert book != "ntu" or min(session.chips) >= 0
    assert session_from_json(session.book, json.loads(json.dumps(session_to_json(session)))) == session


def kept():
    session = table().played(Won(2, ("E",), (Transfer("S", "E", 5, 8), Transfer("S", "Uncle", 0, 3, "outer_bet"))))
    return json.loads(json.dumps(session_to_json(session)))


def test_a_kept_session_comes_back():
    assert session_to_json(session_from_json(BOOKS["luohan"], kept())) == kept()


@pytest.mark.parametrize("key", kept())
def test_a_kept_session_misses_a_key(key):
    data = kept()
    del data[key]
    with pytest.raises(ValueError, match=f"missing key '{key}'"):
        session_from_json(BOOKS["luohan"], data)


@pytest.mark.parametrize("key", kept())
@pytest.mark.parametrize("value", [None, "x", 3.5, [[]], [3]], ids=repr)
def test_a_kept_session_with_a_wrong_value(key, value):
    with pytest.raises(ValueError, match=r"."):
        session_from_json(BOOKS["luohan"], {**kept(), key: value})


def test_a_session_is_kept_with_its_book():
    with pytest.raises(ValueError, match="played by 'luohan'"):
        session_from_json(BOOKS["ntu"], kept())
