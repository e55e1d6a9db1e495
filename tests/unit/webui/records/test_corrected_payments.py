"""更正: a record of a hand that the table put right, or paid otherwise; its picture, and its QR code."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote

import pytest

from scoring.settlement.payments import Transfer
from tests.unit.webui.records.test_view import NAMES, TEXTS, entry_of, shown
from webui.games.results.played import Played
from webui.records.sharing import qr_of, qr_rows
from webui.records.table_paid import Amended, TablePaid, table_paid
from webui.records.view import card_of, record_of, row_of
from webui.records.witness import code_of
from webui.store.chain import Entry

CHAIRS = ("阿明", "小美", "老王", "Grace")
RECORD: Any = SimpleNamespace(content={"context": {"seat": "S"}, "answer": {"zh": {"tai": 3}}})
AMENDMENT = Entry(2, "id2", "amended", "2026-11-23T13:00:00Z", "id1", "{}", "", "")


def hand(content: dict[str, Any], **changed: Any) -> Played:
    """A hand that 小美 won from Grace, with other content and values."""
    won = {"kind": "won", "east": 0, "winners": ["S"], "tai": [3], "transfers": [], "discarder": "N", "win": "discard"}
    text = json.dumps({key: value for key, value in {**won, **content}.items() if value != "nobody"})
    entry = Entry(1, "id1", "hand", "2026-11-23T12:00:00Z", None, text, "", "")
    points = dict.fromkeys(CHAIRS, 0)
    played = Played(entry, 1, "won", "E", "阿明", 0, ("小美",), "Grace", (3,), points, points, ("id1",))
    return replace(played, **changed)


def paid_of(content: dict[str, Any], east: int = 0, **changed: Any) -> TablePaid:
    paid = table_paid(hand(content, **changed), RECORD, east, TEXTS)
    assert paid is not None
    return paid


@pytest.mark.parametrize(
    ("content", "changed", "roles", "moved"),
    [
        ({}, {}, {"S": ("winner",), "E": ("dealer",), "N": ("from_discard",)}, False),
        ({"tai": [4]}, {"tai": (4,)}, {"S": ("winner",), "E": ("dealer",), "N": ("from_discard",)}, True),
        ({"win": "rob_kong"}, {}, {"S": ("winner",), "E": ("dealer",), "N": ("from_rob_kong",)}, False),
        ({"discarder": "nobody", "win": "self_draw"}, {"loser": None}, {"S": ("winner",), "E": ("dealer",)}, False),
        ({"discarder": "E"}, {"loser": "阿明"}, {"S": ("winner",), "E": ("dealer", "from_discard")}, False),
        ({"winners": ["E"]}, {"winners": ("阿明",)}, {"E": ("winner", "dealer"), "N": ("from_discard",)}, True),
        ({}, {"dealer": "老王"}, {"S": ("winner",), "W": ("dealer",), "N": ("from_discard",)}, False),
    ],
    ids=["as it was", "other tai", "robbed", "self-drawn", "the dealer paid", "another won", "another dealer"],
)
def test_a_corrected_hand_has_its_present_roles(
    content: dict[str, Any], changed: dict[str, Any], roles: dict[str, tuple[str, ...]], moved: bool
) -> None:
    assert paid_of(content, **changed).amended is None
    now = paid_of(content, amended=AMENDMENT, **changed).amended
    assert now is not None
    assert (now.at, dict(now.roles), now.moved) == (AMENDMENT.at, roles, moved)
    assert now.winner in now.hand


@pytest.mark.parametrize("east", [0, 1, 2, 3])
def test_the_roles_are_by_the_seats_of_the_record(east: int) -> None:
    """The chair that was East when the hand was entered, and the one that is East now."""
    seats = [("E", "S", "W", "N")[(chair - 1) % 4] for chair in range(4)]
    content = {"east": 1, "winners": [seats[2]], "discarder": seats[3]}
    record: Any = SimpleNamespace(content={"context": {"seat": "S"}, "answer": {"zh": {"tai": 3}}})
    paid = table_paid(hand(content, amended=AMENDMENT, dealer="老王"), record, east, TEXTS)
    assert paid is not None
    assert paid.amended is not None
    seat = {chair: ("E", "S", "W", "N")[(chair - east) % 4] for chair in range(4)}
    assert dict(paid.amended.roles) == {seat[2]: ("winner", "dealer"), seat[3]: ("from_discard",)}
    assert paid.amended.moved is (seat[2] != "S")


def test_of_three_players_the_seats_go_round_three_chairs() -> None:
    points = dict.fromkeys(CHAIRS[:3], 0)
    content = {"east": 1, "winners": ["W"], "discarder": "E", "transfers": [["E", "W", 3, 6, "win", None]]}
    paid = table_paid(hand(content, points=points, amended=AMENDMENT), RECORD, 0, TEXTS)
    assert paid is not None
    assert paid.transfers == [Transfer("S", "E", 3, 6, "win", None).to_json()]
    assert paid.amended is not None
    assert dict(paid.amended.roles) == {"E": ("winner", "dealer"), "S": ("from_discard",)}


def test_a_hand_that_is_no_longer_won() -> None:
    """A correction to a false win pays what that costs; without one there is nothing to say."""
    content = {
        "kind": "false_win",
        "offender": "S",
        "winners": [],
        "tai": [],
        "transfers": [["S", "E", 0, 9, "fine", None]],
    }
    changed: dict[str, Any] = {"kind": "false_win", "winners": (), "tai": (), "loser": "小美"}
    assert table_paid(hand(content, **changed), RECORD, 0, TEXTS) is None
    paid = paid_of(content, amended=AMENDMENT, **changed)
    assert [transfer["points"] for transfer in paid.transfers] == [9]
    assert paid.why == ("amended",)
    assert paid.amended is not None
    assert paid.amended.tai is None


@pytest.mark.parametrize(("seat", "blocked"), [("S", True), ("W", False)])
def test_a_winner_who_is_not_paid(seat: str, blocked: bool) -> None:
    row = ["N", "S", 3, 6, "win", None]
    paid = paid_of({"unpaid": [{"seat": seat, "rule": "nearest", "tai": 3}], "transfers": [row], "why": ["fed"]})
    assert list(paid.why) == (["unpaid_nearest"] if blocked else ["fed"])
    assert len(paid.transfers) == (0 if blocked else 1)


@pytest.mark.parametrize(("winners", "shown_to"), [(["S"], 3), (["S", "W"], 2)])
def test_of_several_winners_a_record_shows_its_own_payments(winners: list[str], shown_to: int) -> None:
    own, other = ["N", "S", 3, 6, "win", None], ["N", "W", 1, 2, "win", None]
    bet = ["N", "x", 0, 4, "outer_bet", None]
    names = tuple("小美" if seat == "S" else "老王" for seat in winners)
    content = {"winners": winners, "tai": [3] * len(winners), "transfers": [own, other, bet]}
    paid = paid_of(content, winners=names, tai=(3,) * len(winners))
    assert len(paid.transfers) == shown_to
    assert paid.why == ()


@pytest.fixture(scope="module")
def entry() -> Entry:
    return replace(entry_of(), hash="ab" * 32)


def card(entry: Entry, paid: TablePaid | None = None, void: Entry | None = None) -> Any:
    return json.loads(card_of(record_of(entry, void, (), (), TEXTS, paid=paid), "http://a/records/1", TEXTS))


def test_the_picture_for_the_chat_group(entry: Entry) -> None:
    answer = entry.content["answer"]["en"]
    picture = card(entry)
    assert (picture["winner"], picture["tai"], picture["unit"]) == ("小美", answer["tai"], TEXTS("tally.unit"))
    assert picture["how"] == TEXTS("record.from_discard", player="Grace")
    assert picture["groups"][picture["winning"]] == ["5s"]
    assert picture["winning"] == 1
    assert [line[1] for line in picture["lines"]] == [pattern["tai"] for pattern in answer["patterns"]]
    (transfer,) = answer["transfers"]
    points = {"E": 0, "S": transfer["points"], "W": 0, "N": -transfer["points"]}
    assert picture["players"] == [[NAMES[seat], points[seat]] for seat in points]
    assert picture["link"] == "http://a/records/1"
    assert picture["hash"] == "ab" * 8
    assert picture["witness"] == TEXTS("witness.line", code=code_of(entry))
    assert picture["void"] == ""
    assert card(entry, void=AMENDMENT)["void"] == TEXTS("record.void")


def test_a_pattern_counted_twice_says_so(entry: Entry) -> None:
    answers = {lang: dict(answer) for lang, answer in entry.content["answer"].items()}
    first, *others = answers["en"]["patterns"]
    answers["en"]["patterns"] = [{**first, "count": 2}, *({**one, "count": 1} for one in others)]
    names = [line[0] for line in card(replace(entry_of(answer=answers), hash="ab"))["lines"]]
    assert names == [f"{first['name']} ×2", *(one["name"] for one in others)]


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (Amended("", "", "老王", "drew it", 7, {}, moved=True), ("老王", "drew it", 7, "tai")),
        (Amended("", "", "", "nobody won", None, {}, moved=True), ("nobody won", "", "", "")),
        (Amended("", "", "老王", "drew it", 7, {}, moved=False), None),
    ],
    ids=["another winner", "no winner", "the same hand"],
)
def test_the_picture_of_a_corrected_hand(entry: Entry, now: Amended, expected: tuple[Any, ...] | None) -> None:
    picture = card(entry, TablePaid([], (), now))
    shown_now = (picture["winner"], picture["how"], picture["tai"], picture["unit"])
    tai = entry.content["answer"]["en"]["tai"]
    if expected is None:
        assert shown_now == ("小美", TEXTS("record.from_discard", player="Grace"), tai, TEXTS("tally.unit"))
        assert picture["void"] == ""
    else:
        assert shown_now == (*expected[:3], TEXTS("tally.unit") if expected[3] else "")
        assert picture["void"] == TEXTS("record.card_amended", player="小美", tai=tai)


def test_a_dispute_has_its_own_claims_and_agreement(entry: Entry) -> None:
    compared = {"en": {"books": [], "differences": []}, "zh": {"books": [], "differences": [], "problems": ["x"]}}
    text = json.dumps({"claims": {}, "books": compared})
    dispute = Entry(2, "d", "dispute", "2026-11-23T12:00:00Z", "id1", text, "", "")
    replies = [
        Entry(3 + at, f"r{at}", kind, "2026-11-23T12:00:00Z", about, "{}", "", "")
        for at, (kind, about) in enumerate([("claim", "d"), ("claim", "other"), ("agreement", "other"), ("claim", "d")])
    ]
    end = Entry(9, "end", "agreement", "2026-11-23T12:00:00Z", "d", "{}", "", "")
    object.__setattr__(dispute, "fault", None)
    (open_,) = record_of(entry, None, [dispute], replies, TEXTS).disputes
    assert [claim.id for claim in open_.claims] == ["d", "r0", "r3"]
    assert open_.agreement is None
    assert open_.problems == ()
    (settled,) = record_of(entry, None, [dispute], [*replies, end], TEXTS).disputes
    assert settled.agreement is end


def test_each_line_has_its_quote_and_the_division_its_tiles(entry: Entry) -> None:
    record = shown(entry)
    reasons = {one["id"]: one for one in entry.content["answer"]["en"]["explain"]["patterns"]}
    for line in record.lines:
        reason = reasons[line["id"]]
        assert (line["quote"], line["note"]) == (reason.get("quote") or "", reason.get("note") or "")
    assert sum(map(len, record.division)) >= 14
    assert ["5s", "5s"] in record.division or ["5s", "5s", "5s"] in record.division
    answers = {lang: {**answer, "division": None} for lang, answer in entry.content["answer"].items()}
    assert shown(entry_of(answer=answers)).division == []


def test_a_player_without_a_name_is_named_by_the_seat() -> None:
    row = row_of(entry_of(players={"N": "Grace"}), TEXTS, dispute=False, void=False)
    assert row.winner == TEXTS("pay.player", seat=TEXTS("seat.S"))
    assert row.how == TEXTS("record.from_discard", player="Grace")
    assert (row.void, row.dispute) == (False, False)
    assert row.patterns == TEXTS("record.separator").join(
        pattern["name"] for pattern in entry_of().content["answer"]["en"]["patterns"]
    )


def test_a_qr_code_has_a_quiet_border_and_is_never_a_small_one() -> None:
    rows = qr_rows("1")
    assert len(rows) == 21
    assert {len(row) for row in rows} == {21}
    assert set("".join(rows)) == {"0", "1"}
    assert rows[0][:7] == "1111111"
    assert re.findall(r"(?:width|height)=.(\d+)", unquote(qr_of("1"))) == [str(6 * (21 + 2 * 3))] * 2
