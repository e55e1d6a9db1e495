"""The table's payments for a record, turned back to the seats of the record, so that names stay with players."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from scoring.settlement.payments import Transfer
from webui.games.results.played import Played
from webui.i18n import Texts
from webui.records.table_paid import table_paid
from webui.store.chain import Entry

CHAIRS = ("阿明", "小美", "老王", "Grace")
RECORD: Any = SimpleNamespace(content={"context": {"seat": "S"}, "answer": {"zh": {"tai": 3}}})
"""As much of a record as is looked at."""


def entry_of(content: dict[str, Any]) -> Entry:
    return Entry(1, "id1", "hand", "2026-11-23T12:00:00Z", None, json.dumps(content), "", "")


def hand_of(east: int) -> Played:
    """阿明 is liable for what 老王 owes 小美; the table's entry has the seats of the chair that is East now."""
    seats = [("E", "S", "W", "N")[chair - east] for chair in range(4)]
    paid = [seats[0], seats[1], 3, 6, "win", seats[2]]
    content = {"kind": "won", "east": east, "winners": [seats[1]], "tai": [3], "transfers": [paid], "why": ["fed"]}
    points = dict.fromkeys(CHAIRS, 0)
    return Played(entry_of(content), 1, "won", "E", "阿明", 0, ("小美",), None, (3,), points, points, ("id1",))


def test_the_seats_are_those_of_the_record_whoever_is_east_now() -> None:
    for east in range(4):
        paid = table_paid(hand_of(east), RECORD, 0, Texts("en"))
        assert paid is not None
        assert paid.transfers == [Transfer("E", "S", 3, 6, "win", "W").to_json()], east
        assert (paid.why, paid.amended) == (["fed"], None)


def test_of_two_winners_each_record_has_its_own_payments_and_the_outer_bets() -> None:
    own, other = ["E", "S", 3, 6, "win", None], ["E", "N", 2, 5, "win", None]
    bet = ["W", "N", 0, 4, "outer_bet", None]
    content = {"kind": "won", "east": 0, "winners": ["S", "N"], "tai": [3, 2], "transfers": [own, other, bet]}
    hand = replace(hand_of(0), entry=entry_of(content), winners=("小美", "Grace"), tai=(3, 2))
    paid = table_paid(hand, RECORD, 0, Texts("en"))
    assert paid is not None
    assert paid.transfers == [Transfer(*own).to_json(), Transfer(*bet).to_json()]
