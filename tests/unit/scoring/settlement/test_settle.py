"""Settlement: section 5 of docs/rules-reading.md, cell by cell, and that every payment adds up to zero."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.hands.hand import SEATS
from scoring.rulebook.loading import BOOK_IDS, load_book
from scoring.settlement.chips import pay_from_chips
from scoring.settlement.payments import (
    Claim,
    OuterBet,
    Stakes,
    Transfer,
    balance,
    false_win,
    paid_in_place,
    pair_tai,
    payers,
    settle_claim,
    settle_claims,
    watching_fees,
    winners,
)

LUOHAN, NTU, MAHJONG_TIME, COMMON = (load_book(id_) for id_ in BOOK_IDS)
NORTH_DEALS = Stakes(base=3, per_tai=1, dealer="N")


def points(transfers):
    return {(t.payer, t.payee): t.points for t in transfers}


def win(book, winner, tai, how, discarder=None, stakes=NORTH_DEALS):
    return settle_claim(book, Claim(winner, dict.fromkeys(payers(winner, how, discarder), tai)), stakes)


# who pays


@pytest.mark.parametrize("how", ["discard", "rob_kong", "seven_rob_one"])
def test_one_pays(how):
    assert points(win(LUOHAN, "E", 5, how, "W")) == {("W", "E"): 8}


@pytest.mark.parametrize("how", ["self_draw", "eight_flowers"])
def test_all_three_pay(how):
    assert points(win(LUOHAN, "E", 5, how)) == {("S", "E"): 8, ("W", "E"): 8, ("N", "E"): 9}


def test_the_replacement_completes_the_hand_after_the_eighth_was_drawn():
    assert payers("E", "seven_rob_one", "S", eighth_drawn_complete=True) == ("S", "W", "N")


@pytest.mark.parametrize("discarder", [None, "E"])
def test_a_discard_needs_another_player(discarder):
    with pytest.raises(ValueError, match="needs another player"):
        payers("E", "discard", discarder)


def test_ntu_pays_base_4():
    stakes = Stakes(NTU.payment.base, NTU.payment.per_tai, dealer="N")
    assert points(win(NTU, "E", 7, "discard", "W", stakes)) == {("W", "E"): 11}


def test_each_payer_his_own_tai():
    """000 L247-249: 12 of the hand for all, 8 more from the robbed one, 3 of flowers from the others."""
    transfers = settle_claim(LUOHAN, Claim("W", {"E": 15, "S": 20, "N": 15}), Stakes(100, 20, dealer="N", streak=1))
    assert points(transfers) == {("E", "W"): 400, ("S", "W"): 500, ("N", "W"): 460}


# dealer and streak


@pytest.mark.parametrize("book", [LUOHAN, NTU, MAHJONG_TIME, COMMON], ids=lambda book: book.id)
@pytest.mark.parametrize(("streak", "extra"), [(0, 1), (1, 3), (2, 5), (5, 11)])
def test_dealer_and_streak_concern_the_dealer_only(book, streak, extra):
    stakes = Stakes(3, 1, dealer="S", streak=streak)
    assert pair_tai(book, stakes, "S", "W") == pair_tai(book, stakes, "W", "S") == extra
    assert pair_tai(book, stakes, "E", "W") == 0
    paid = {t.payer: t.tai for t in win(book, "E", 4, "self_draw", stakes=stakes)}
    assert paid == {"S": 4 + extra, "W": 4, "N": 4}
    paid = {t.payer: t.tai for t in win(book, "S", 4, "self_draw", stakes=stakes)}
    assert paid == {"E": 4 + extra, "W": 4 + extra, "N": 4 + extra}


@pytest.mark.parametrize(
    ("book", "shown", "collects", "pays"),
    [
        (LUOHAN, 1, 3, 5),  # L387: shown lower: collects by it, pays by the truth
        (LUOHAN, 3, 5, 7),  # shown higher: the other way
        (LUOHAN, None, 5, 5),
        (NTU, 0, 1, 5),  # L313: no marker, no right to collect streak tai; he pays them all the same
        (NTU, 2, 5, 5),
        (MAHJONG_TIME, 0, 5, 5),
        (COMMON, 0, 5, 5),
    ],
)
def test_streak_marker(book, shown, collects, pays):
    stakes = Stakes(3, 1, dealer="S", streak=2, shown_streak=shown)
    assert pair_tai(book, stakes, payer="W", payee="S") == collects
    assert pair_tai(book, stakes, payer="S", payee="W") == pays


def test_changed_dealer_and_streak_tai():
    book = load_book("luohan", {"dealer": 2, "streak": 1})
    assert pair_tai(book, Stakes(3, 1, "E", 3), "E", "S") == 5
    book = load_book("luohan", {"dealer": 0, "streak": 0})
    assert pair_tai(book, Stakes(3, 1, "E", 3), "E", "S") == 0


# several winners


@pytest.mark.parametrize(
    ("book", "claimants", "expected"),
    [
        (LUOHAN, "WN", "W"),
        (LUOHAN, "SWN", "S"),
        (COMMON, "SWN", "S"),
        (COMMON, "NW", "W"),
        (NTU, "NW", "W"),
        (NTU, "NWS", "SWN"),
        (NTU, "N", "N"),
        (MAHJONG_TIME, "NW", "WN"),
        (MAHJONG_TIME, "NWS", "SWN"),
    ],
    ids=lambda value: getattr(value, "id", value),
)
def test_several_winners(book, claimants, expected):
    assert winners(book, tuple(claimants), "E") == tuple(expected)


def test_nearest_goes_round_the_table():
    assert winners(LUOHAN, ("E", "W"), "N") == ("E",)
    assert winners(LUOHAN, ("S", "N"), "W") == ("N",)


def test_the_discarder_cannot_claim():
    with pytest.raises(ValueError, match="claims must come from the other seats"):
        winners(LUOHAN, ("E",), "E")


def test_three_winners_of_ntu_and_the_dealer():
    stakes = Stakes(4, 1, dealer="S", streak=1)
    paid = settle_claims(NTU, {"S": 2, "W": 3, "N": 0}, "E", stakes)
    assert points(paid) == {("E", "S"): 9, ("E", "W"): 7, ("E", "N"): 4}


def test_a_dealer_who_discards_pays_his_bonus_to_each():
    """003 L157: 若多贏家，須給每位贏家."""
    paid = settle_claims(MAHJONG_TIME, {"S": 2, "N": 3}, "E", Stakes(3, 1, dealer="E", streak=1))
    assert points(paid) == {("E", "S"): 8, ("E", "N"): 9}


# 包牌


def test_the_discarder_pays_for_all_three():
    paid = settle_claim(MAHJONG_TIME, Claim("E", {"W": 10}), NORTH_DEALS, responsible="W")
    assert [(t.payer, t.payee, t.points, t.for_seat) for t in paid] == [
        ("W", "E", 13, "S"),
        ("W", "E", 13, None),
        ("W", "E", 14, "N"),
    ]
    assert balance(paid) == {"W": -40, "E": 40}


@pytest.mark.parametrize("book", [LUOHAN, NTU, COMMON], ids=lambda book: book.id)
def test_no_such_responsibility(book):
    with pytest.raises(ValueError, match="no responsibility"):
        settle_claim(book, Claim("E", {"W": 10}), NORTH_DEALS, responsible="W")


def test_only_the_discarder_is_responsible():
    with pytest.raises(ValueError, match="only the discarder"):
        settle_claim(MAHJONG_TIME, Claim("E", {"W": 10}), NORTH_DEALS, responsible="N")


def test_responsible_to_one_of_two_winners():
    paid = settle_claims(MAHJONG_TIME, {"S": 10, "W": 1}, "E", NORTH_DEALS, responsible_to=["S"])
    assert [t.points for t in paid] == [13, 13, 14, 4]


# false wins


def test_false_win_luohan():
    """L431: base and the tai of the hand to each; dealer and streak tai with the dealer."""
    stakes = Stakes(3, 1, dealer="S", streak=1)
    assert points(false_win(LUOHAN, "E", stakes, face_tai=4)) == {("E", "S"): 10, ("E", "W"): 7, ("E", "N"): 7}
    assert points(false_win(LUOHAN, "S", stakes, face_tai=4)) == {("S", "E"): 10, ("S", "W"): 10, ("S", "N"): 10}


def test_false_win_ntu():
    """L114, L183-184: 一底八, 12 points; dealer and streak on top."""
    stakes = Stakes(4, 1, dealer="S", streak=1)
    assert points(false_win(NTU, "E", stakes, face_tai=99)) == {("E", "S"): 15, ("E", "W"): 12, ("E", "N"): 12}


def test_false_win_mahjong_time():
    """003 L173-174: 16 to each, double to who waited for the tile, nothing before hands are shown."""
    stakes = Stakes(3, 5, dealer="S", streak=1)
    assert points(false_win(MAHJONG_TIME, "E", stakes, face_tai=9, waiting=["W"])) == {
        ("E", "S"): 16,
        ("E", "W"): 32,
        ("E", "N"): 16,
    }
    assert false_win(MAHJONG_TIME, "E", stakes, hands_shown=False) == ()


def test_false_win_common_is_not_mentioned():
    assert false_win(COMMON, "E", NORTH_DEALS, face_tai=9) == ()


# watching


def test_watching_luohan():
    """L425: 他人胡牌時應付胡牌者1台."""
    assert points(watching_fees(LUOHAN, ["S", "E", "W"], "E", Stakes(3, 5, "N"))) == {("S", "E"): 5, ("W", "E"): 5}


def test_watching_ntu_is_forbidden():
    """L148, L183: 包賠, 12 to each."""
    fees = watching_fees(NTU, ["W"], "E", Stakes(4, 1, "N"))
    assert points(fees) == {("W", "E"): 12, ("W", "S"): 12, ("W", "N"): 13}
    assert {t.reason for t in fees} == {"pay_for_all"}


@pytest.mark.parametrize("book", [MAHJONG_TIME, COMMON], ids=lambda book: book.id)
def test_watching_is_not_mentioned(book):
    assert watching_fees(book, ["W"], "E", NORTH_DEALS) == ()


# side bets


def test_inner_bets_multiply_the_base():
    stakes = Stakes(3, 1, dealer="N", inner=(("S", 1), ("E", 2)))
    assert points(win(LUOHAN, "E", 5, "self_draw", stakes=stakes)) == {
        ("S", "E"): 3 * 4 + 5,
        ("W", "E"): 3 * 3 + 5,
        ("N", "E"): 3 * 3 + 6,
    }


def test_outer_bets_follow_their_player():
    stakes = Stakes(3, 1, dealer="N", outer=(OuterBet("Ah-Ming", "E", 10), OuterBet("Mei", "S", 7)))
    paid = win(LUOHAN, "E", 5, "self_draw", stakes=stakes)
    assert balance(paid) == {"E": 25 + 7, "S": -8 - 10, "W": -8 - 10, "N": -9 - 10, "Ah-Ming": 30, "Mei": -7}
    assert balance(win(LUOHAN, "W", 5, "discard", "S", stakes)) == {"W": 8 + 7, "S": -8, "Mei": -7}


def test_outer_bets_on_a_false_win():
    """L433: 插花之主家詐胡, 插花者應就插花注分別賠付三家."""
    stakes = Stakes(3, 1, dealer="N", outer=(OuterBet("Mei", "S", 7),))
    assert balance(false_win(LUOHAN, "S", stakes))["Mei"] == -21
    assert balance(false_win(LUOHAN, "E", stakes))["Mei"] == 7


@pytest.mark.parametrize("book", [NTU, MAHJONG_TIME, COMMON], ids=lambda book: book.id)
@pytest.mark.parametrize(
    "bets", [{"inner": (("S", 1),)}, {"outer": (OuterBet("Mei", "S", 7),)}], ids=["inner", "outer"]
)
def test_no_side_bets_elsewhere(book, bets):
    with pytest.raises(ValueError, match="no side bets"):
        win(book, "E", 5, "discard", "S", Stakes(3, 1, "N", **bets))


@pytest.mark.parametrize(("bettor", "stake"), [("E", 1), ("", 1), ("Mei", -1)])
def test_an_outer_bet_that_cannot_be(bettor, stake):
    with pytest.raises(ValueError, match=r"outer bettor|side stake"):
        OuterBet(bettor, "S", stake)


# chips


def test_chips_run_out():
    chips = {"E": 200, "S": 10, "W": 200, "N": 390}
    paid = pay_from_chips(NTU, chips, win(NTU, "E", 16, "self_draw", stakes=Stakes(4, 1, "N")))
    assert paid.chips == {"E": 251, "S": 0, "W": 180, "N": 369}
    assert [(t.payer, t.points) for t in paid.unpaid] == [("S", 10)]
    assert paid.ended


def test_the_nearest_is_paid_first():
    chips = {"E": 15, "S": 200, "W": 200, "N": 385}
    paid = pay_from_chips(NTU, chips, settle_claims(NTU, {"S": 4, "W": 4, "N": 4}, "E", Stakes(4, 1, "E")))
    assert paid.chips == {"E": 0, "S": 209, "W": 206, "N": 385}


def test_enough_chips_do_not_end_the_game():
    paid = pay_from_chips(NTU, dict.fromkeys(SEATS, 200), win(NTU, "E", 3, "discard", "S", Stakes(4, 1, "N")))
    assert (paid.ended, paid.unpaid, paid.chips["S"]) == (False, (), 193)


def test_without_chips_one_may_owe():
    paid = pay_from_chips(LUOHAN, dict.fromkeys(SEATS, 0), win(LUOHAN, "E", 3, "discard", "S"))
    assert (paid.ended, paid.chips["S"]) == (False, -6)


def test_outer_bettors_hold_no_chips():
    with pytest.raises(ValueError, match="held by the four seats"):
        pay_from_chips(NTU, dict.fromkeys(SEATS, 200), [Transfer("Mei", "E", 0, 3)])


# 代位賠付


def test_the_guilty_one_pays_in_the_place_of_others():
    paid = paid_in_place(win(LUOHAN, "E", 5, "self_draw"), "W")
    assert [(t.payer, t.payee, t.points, t.for_seat) for t in paid] == [
        ("W", "E", 8, "S"),
        ("W", "E", 8, None),
        ("W", "E", 9, "N"),
    ]
    assert paid_in_place(win(LUOHAN, "E", 5, "self_draw"), "E") == ()


# as the contract writes it


def test_json():
    assert Transfer("N", "E", 2, 5).to_json() == {"from": "N", "to": "E", "tai": 2, "points": 5}
    assert Transfer("N", "E", 2, 5, "win", "S").to_json()["for"] == "S"
    assert Transfer("N", "E", 2, 5, "false_win").to_json()["reason"] == "false_win"


# properties

seats = st.sampled_from(SEATS)
books = st.sampled_from([LUOHAN, NTU, MAHJONG_TIME, COMMON])
tais = st.integers(0, 60)


@st.composite
def all_stakes(draw, side_bets=False):
    inner, outer = (), ()
    if side_bets:
        inner = tuple(draw(st.dictionaries(seats, st.integers(0, 4), max_size=4)).items())
        outer = tuple(
            draw(st.lists(st.builds(OuterBet, st.sampled_from("abc"), seats, st.integers(0, 50)), max_size=3))
        )
    numbers = draw(st.tuples(st.integers(0, 500), st.integers(0, 100)))
    shown = draw(st.none() | st.integers(0, 9))
    return Stakes(*numbers, draw(seats), draw(st.integers(0, 9)), shown, inner, outer)


def adds_up(transfers):
    assert sum(balance(transfers).values()) == 0
    assert all(t.points >= 0 and t.payer != t.payee for t in transfers)


@given(books, seats, tais, all_stakes(), st.data())
def test_wins_add_up(book, winner, tai, stakes, data):
    how = data.draw(st.sampled_from(["discard", "self_draw", "rob_kong", "eight_flowers", "seven_rob_one"]))
    discarder = data.draw(st.sampled_from([seat for seat in SEATS if seat != winner]))
    transfers = win(book, winner, tai, how, discarder, stakes)
    adds_up(transfers)
    for transfer in transfers:
        assert transfer.points == stakes.base + stakes.per_tai * transfer.tai


@given(seats, tais, all_stakes(side_bets=True))
def test_side_bets_add_up(winner, tai, stakes):
    adds_up(win(LUOHAN, winner, tai, "self_draw", stakes=stakes))
    adds_up(false_win(LUOHAN, winner, stakes, face_tai=tai))


@given(books, seats, all_stakes(), st.data())
def test_several_winners_add_up(book, discarder, stakes, data):
    claims = data.draw(st.dictionaries(st.sampled_from([s for s in SEATS if s != discarder]), tais, min_size=1))
    responsible_to = list(claims)[:1] if book is MAHJONG_TIME else ()
    adds_up(settle_claims(book, claims, discarder, stakes, responsible_to))


@given(books, seats, tais, all_stakes(), st.sets(seats), st.booleans())
def test_penalties_add_up(book, offender, tai, stakes, waiting, shown):
    adds_up(false_win(book, offender, stakes, face_tai=tai, waiting=waiting, hands_shown=shown))
    adds_up(watching_fees(book, waiting, offender, stakes))


@given(seats, all_stakes(), st.lists(st.integers(0, 400), min_size=4, max_size=4), st.data())
def test_chips_are_neither_made_nor_lost(discarder, stakes, held, data):
    claims = data.draw(st.dictionaries(st.sampled_from([s for s in SEATS if s != discarder]), tais, min_size=1))
    before = dict(zip(SEATS, held, strict=True))
    paid = pay_from_chips(NTU, before, settle_claims(NTU, claims, discarder, stakes))
    assert sum(paid.chips.values()) == sum(held)
    assert min(paid.chips.values()) >= 0
