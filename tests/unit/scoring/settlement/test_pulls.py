"""拉、踢半、胡牌骰規、二人: the open sums against a ledger that pays at the end, dice, and two at the table."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import scoring
from scoring.rulebook.loading import RuleBook, load_book
from scoring.settlement.payments import Transfer
from scoring.settlement.pulls import Pull, after_win
from scoring.settlement.session import Drawn, Session, Won
from scoring.settlement.session_json import session_from_json, session_to_json
from tests.unit.scoring.support.asking import ask

NAMES = ("A", "B", "C", "D")
House = Callable[[str], str]


@pytest.fixture
def house(tmp_path: Path) -> House:
    def write(text: str) -> str:
        path = tmp_path / "house.toml"
        path.write_text(
            f'id = "club"\ntitle = "本會"\ntitle_en = "Club"\nbased_on = "common"\n{text}', encoding="utf-8"
        )
        return str(path)

    return write


@pytest.fixture
def pulling(house: House) -> RuleBook:
    return load_book(house('[payment]\npulls = "half_more_half_back"\n'))


def won(winner: str, payers: Mapping[str, int]) -> Won:
    transfers = tuple(Transfer(payer, winner, 1, points) for payer, points in payers.items())  # type: ignore[arg-type]
    return Won(0, (winner,), transfers, self_drawn=len(payers) > 1)  # type: ignore[arg-type]


class Later:
    """The ledger as Hong Kong tables keep it: a debt is paid when it ends, and what is left at the end of the match."""

    def __init__(self) -> None:
        self.debts: dict[tuple[int, int], int] = {}
        self.paid = [0, 0, 0, 0]

    def pay(self, creditor: int, debtor: int, points: int) -> None:
        self.paid[creditor] += points
        self.paid[debtor] -= points

    def win(self, payments: Mapping[tuple[int, int], int], winner: int) -> None:
        left = {}
        for (creditor, debtor), old in self.debts.items():
            if (creditor, debtor) in payments:
                left[creditor, debtor] = -(-3 * old // 2) + payments[creditor, debtor]
            elif (debtor, creditor) in payments or (winner == debtor and len(payments) > 1):
                self.pay(creditor, debtor, old // 2)
            elif winner == creditor:
                left[creditor, debtor] = old
            else:
                self.pay(creditor, debtor, old)
        self.debts = {pair: points for pair, points in payments.items() if points} | left

    def end(self) -> list[int]:
        for (creditor, debtor), points in self.debts.items():
            self.pay(creditor, debtor, points)
        return self.paid


@pytest.mark.parametrize("seed", range(40))
def test_paid_at_once_comes_to_the_same_as_paid_at_the_end(pulling: RuleBook, seed: int) -> None:
    random_ = random.Random(seed)
    session, later = Session(pulling, NAMES), Later()
    for _ in range(12):
        if session.finished:
            break
        winner = random_.randrange(4)
        others = [chair for chair in range(4) if chair != winner]
        payers = others if random_.random() < 0.4 else [random_.choice(others)]
        points = {payer: random_.randrange(1, 30) for payer in payers}
        later.win({(winner, payer): number for payer, number in points.items()}, winner)
        session = session.played(won("ESWN"[winner], {"ESWN"[payer]: number for payer, number in points.items()}))
        assert {(p.creditor, p.debtor): p.points for p in session.pulls} == later.debts
    assert list(session.totals) == later.end()
    assert sum(session.totals) == 0
    assert session_from_json(pulling, session_to_json(session)) == session


def test_a_pull_grows_is_kicked_and_is_cut(pulling: RuleBook) -> None:
    session = Session(pulling, NAMES).played(won("E", {"S": 10})).played(won("E", {"S": 10}))
    assert session.pulls == (Pull(0, 1, 25, 2),)
    assert session.hands[-1].pulled == (Transfer("S", "E", 0, 5, "pull"),)
    assert session.totals == (25, -25, 0, 0)
    kicked = session.played(won("S", {"E": 4}))
    assert kicked.hands[-1].pulled == (Transfer("E", "S", 0, 13, "kick"),)
    assert kicked.totals == (8, -8, 0, 0)
    assert kicked.pulls == (Pull(1, 0, 4, 1),)
    cut = session.played(won("W", {"N": 3}))
    assert cut.totals == (25, -25, 3, -3)
    assert cut.pulls == (Pull(2, 3, 3, 1),)
    assert session.played(Drawn()).pulls == session.pulls
    assert session.played(won("E", {"N": 2})).pulls[0] == Pull(0, 1, 25, 2), "the creditor wins from another"


def test_players_take_their_pulls_along_and_a_new_book_ends_them(pulling: RuleBook) -> None:
    session = Session(pulling, NAMES).played(Won(0, ("W",), (Transfer("N", "W", 1, 10),)))
    assert session.dealer == 1
    from dataclasses import replace

    seated = replace(session, dealer=0).seated((3, 2, 1, 0), 0)
    assert seated.pulls == (Pull(1, 0, 10, 1),)
    common = replace(session, book=load_book("common"))
    assert common.played(won("E", {"S": 1})).pulls == ()


def test_several_winners_settle_against_the_pulls_of_before() -> None:
    settled = after_win([Pull(0, 1, 10)], {(0, 1): 5, (2, 1): 6}, {0, 2})
    assert settled.open == (Pull(0, 1, 20, 2), Pull(2, 1, 6, 1))


@pytest.mark.parametrize(
    ("payers", "self_drawn", "kicked"),
    [
        pytest.param({"N": 10, "W": 10}, False, 0, id="a discard that two pay for"),
        pytest.param({"W": 30}, True, 8, id="a self-draw that one pays for"),
    ],
)
def test_liability_does_not_change_how_a_hand_was_won(
    pulling: RuleBook, payers: Mapping[str, int], self_drawn: bool, kicked: int
) -> None:
    """拉 is over without payment after another's discard, and half is kicked back after a self-draw, whoever pays."""
    session = Session(pulling, NAMES).played(won("E", {"S": 16}))
    transfers = tuple(Transfer(payer, "S", 1, points) for payer, points in payers.items())  # type: ignore[arg-type]
    record = session.played(Won(0, ("S",), transfers, self_drawn=self_drawn)).hands[-1]
    assert [(pull.payer, pull.payee, pull.points) for pull in record.pulled] == ([("E", "S", 8)] if kicked else [])
    stored = session_to_json(session.played(Won(0, ("S",), transfers, self_drawn=self_drawn)))
    assert session_from_json(pulling, stored).hands[-1].outcome == Won(0, ("S",), transfers, self_drawn=self_drawn)


def test_a_book_without_pulls_is_as_before() -> None:
    session = Session(load_book("common"), NAMES).played(won("E", {"S": 10})).played(won("E", {"S": 10}))
    assert session.pulls == ()
    assert session.totals == (20, -20, 0, 0)
    assert "pulls" not in session_to_json(session)


HAND = ("123m456m789m234p55s345s", "5s")


def points_of(response: Mapping[str, Any]) -> list[int]:
    return [transfer["points"] for transfer in response["transfers"]]


def test_the_winners_dice_multiply_every_payment(house: House) -> None:
    rules = house('[payment]\nwin_dice = "multiplies"\n')
    request = ask(*HAND, rules=rules, win="self_draw", discarder=None)
    plain = points_of(scoring.answer(ask(*HAND, rules="common", win="self_draw", discarder=None)))
    thrown = scoring.answer(request | {"win_dice": 4})
    assert points_of(thrown) == [4 * points for points in plain]
    assert "notes" not in thrown
    unknown = scoring.answer(request, lang="en")
    assert points_of(unknown) == plain
    assert unknown["notes"] == ["the dice after the win are not multiplied yet: give their number as win_dice"]
    capped = house('[payment]\nwin_dice = "multiplies"\n[limits]\npoints_cap = 20\n')
    assert max(points_of(scoring.answer(request | {"rules": capped, "win_dice": 18}))) == 20


@pytest.mark.parametrize("dice", [0, 19, "6", True])
def test_no_such_dice(house: House, dice: object) -> None:
    rules = house('[payment]\nwin_dice = "multiplies"\n')
    assert "error" in scoring.answer(ask(*HAND, rules=rules) | {"win_dice": dice})


def test_a_book_without_such_dice_refuses_them() -> None:
    response = scoring.answer(ask(*HAND, rules="common") | {"win_dice": 3}, lang="en")
    assert response["problems"] == ["win_dice: this rule book has no dice after a win"]


def test_two_players() -> None:
    """二人: East and South only; one loser pays, and a round is two deals."""
    request = ask(*HAND, rules="common", win="self_draw", discarder=None, seat="E", dealer="E") | {"players": 2}
    response = scoring.answer(request)
    assert [(transfer["from"], transfer["to"]) for transfer in response["transfers"]] == [("S", "E")]
    assert "error" in scoring.answer(request | {"seat": "W"})
    session = Session(load_book("common"), ("A", "B"), totals=(0, 0))
    winds = []
    for _ in range(8):
        winds.append(session.round_wind)
        loser = session.seat(1 - session.dealer, 0)
        session = session.played(won(loser, {session.seat(session.dealer, 0): 1}))
    assert winds == [wind for wind in "ESWN" for _ in range(2)]
    assert session.finished
    ruled = scoring.ruling(
        {"rules": "luohan", "incident": "false_win", "who": "S", "players": 2, "face_tai": 1, "facts": {}}
    )
    assert [(transfer["from"], transfer["to"]) for transfer in ruled["transfers"]] == [("S", "E")]


def test_a_pull_is_cut_after_as_many_as_the_table_says(house: House) -> None:
    """斬: the third pull is still paid, the next win opens a new sum, and nothing is kicked back of the old one."""
    book = load_book(house('[payment]\npulls = "half_more_half_back"\npulls_most = 3\n'))
    session = Session(book, NAMES)
    pulled = []
    for _ in range(5):
        session = session.played(won("E", {"S": 10}))
        pulled.append(sum(transfer.points for transfer in session.hands[-1].pulled))
    assert pulled == [0, 5, 13, 24, 0]
    assert session.pulls == (Pull(0, 1, 10, 1),)
    cut = Session(book, NAMES)
    for _ in range(4):
        cut = cut.played(won("E", {"S": 10}))
    assert cut.pulls == ()
    assert cut.played(won("S", {"E": 4})).hands[-1].pulled == ()
