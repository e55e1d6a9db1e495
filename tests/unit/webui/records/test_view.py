"""A record as its page has it, from its content alone: payments, their reasons, the groups of tiles."""

from __future__ import annotations

import json
from typing import Any

import pytest

import scoring
from scoring.languages import WHOLE
from scoring.rulebook.loading import load_book
from webui.board.state import Context
from webui.i18n import Texts
from webui.records.table_paid import Amended, TablePaid
from webui.records.view import Record, correction_text, groups_of, how_won, record_of, row_of
from webui.store import books
from webui.store.chain import Entry

TEXTS = Texts("en")
NAMES = {"E": "阿明", "S": "小美", "W": "老王", "N": "Grace"}
REQUEST = {
    "concealed": "234m567p345s55s",
    "melds": [{"kind": "pung", "tiles": "777z"}, {"kind": "concealed_kong", "tiles": "5555m"}],
    "winning_tile": "5s",
    "flowers": "6f1f",
    "rules": "luohan",
    "win": "discard",
    "seat": "S",
    "round": "E",
    "dealer": "E",
    "discarder": "N",
}
GROUPS = {"concealed": "5s 2m 3m 4m", "winning": "5s", "meld:1": "7z 7z 7z", "meld:2": "back 5m", "flowers": "6f 1f"}


def entry_of(**changed: Any) -> Entry:
    """A record as the store has it."""
    context = Context(win="discard", seat="S", discarder="N").to_json()
    tiles = [{"tile": code, "group": group} for group, codes in GROUPS.items() for code in codes.split()]
    answers = {lang: scoring.answer({**REQUEST, "explain": True}, lang=lang) for lang in WHOLE}
    content = {
        "v": 1,
        "photos": [],
        "corrections": [],
        "tiles": tiles,
        "context": context,
        "request": REQUEST,
        "book": {"key": "luohan", **books.keep(load_book("luohan"), books.text_of("luohan"))},
        "answer": answers,
        "players": NAMES,
        **changed,
    }
    return Entry(1, "id1", "record", "2026-11-23T12:00:00Z", None, json.dumps(content), "", "")


@pytest.fixture(scope="module")
def entry() -> Entry:
    return entry_of()


@pytest.fixture(scope="module")
def tallied(entry: Entry) -> list[dict[str, Any]]:
    """The transfers of the tally: Grace pays 小美."""
    transfers: list[dict[str, Any]] = entry.content["answer"]["en"]["transfers"]
    return transfers


def shown(entry: Entry, paid: TablePaid | None = None) -> Record:
    return record_of(entry, None, (), (), TEXTS, paid=paid)


def test_without_a_table_the_tally_is_paid(entry: Entry, tallied: list[dict[str, Any]]) -> None:
    record = shown(entry)
    (transfer,) = tallied
    (sentence,) = record.pay_sentences
    assert sentence.startswith(f"Grace pays 小美 {transfer['points']} points")
    assert {row.seat: row.points for row in record.pay} == {
        **{"E": 0, "W": 0},
        **{"S": transfer["points"], "N": -transfer["points"]},
    }
    assert (record.pay_why, record.ordinary, record.amended) == ((), (), None)


def test_a_table_that_paid_the_same_gives_no_reason(entry: Entry, tallied: list[dict[str, Any]]) -> None:
    record = shown(entry, TablePaid(tallied))
    assert (record.pay_why, record.ordinary) == ((), ())


@pytest.mark.parametrize(
    ("transfers", "why", "keys"),
    [
        ([{"for": "W"}], (), ["in_place"]),
        ([{}], (), []),
        ([{}, {"reason": "watching"}], (), ["watching"]),
        ([{}, {"reason": "outer_bet"}], (), ["side_bets"]),
        ([{"for": "W"}, {"reason": "outer_bet"}, {"reason": "watching"}], (), ["in_place", "watching", "side_bets"]),
        ([{"for": "W"}, {"reason": "watching"}], ("duty",), ["duty"]),
    ],
    ids=["in-place", "other-points", "watching", "bet", "all", "said"],
)
def test_why_a_table_paid_otherwise(
    entry: Entry, transfers: list[dict[str, str]], why: tuple[str, ...], keys: list[str]
) -> None:
    """Hands of earlier versions do not give the reason, but their transfers show it."""
    more = [{"from": "N", "to": "S", "points": 99, "tai": 1, **transfer} for transfer in transfers]
    record = shown(entry, TablePaid(more, why))
    assert list(record.pay_why) == [TEXTS(f"paid.{key}") for key in keys]
    assert record.ordinary == shown(entry).pay_sentences
    assert len(record.pay_sentences) == len(more)


@pytest.mark.parametrize("why", [("duty",), ("amended",), ("duty", "amended")])
def test_a_corrected_hand_says_so_once_and_has_its_present_roles(
    entry: Entry, tallied: list[dict[str, Any]], why: tuple[str, ...]
) -> None:
    now = Amended("2026-11-23T13:00:00Z", "", "小美", "", 3, {"W": ("winner", "dealer")}, moved=True)
    record = shown(entry, TablePaid(tallied, why, now))
    keys = [*(key for key in why if key != "amended"), "amended"]
    assert list(record.pay_why) == [TEXTS(f"paid.{key}") for key in keys]
    assert {row.seat: row.roles for row in record.pay} == {"E": (), "S": (), "W": ("winner", "dealer"), "N": ()}
    assert record.amended is now
    assert shown(entry, TablePaid(tallied, (), now)).pay_why == (), "it is paid as tallied"
    assert {row.seat: row.roles for row in shown(entry).pay} == {
        **{"E": ("dealer",), "S": ("winner",)},
        **{"W": (), "N": ("from_discard",)},
    }


def test_the_groups_have_their_kinds_and_the_tiles_their_order(entry: Entry) -> None:
    assert groups_of(entry.content, TEXTS) == [
        (TEXTS("group.concealed"), ["2m", "3m", "4m", "5s"]),
        (TEXTS("group.winning"), ["5s"]),
        (TEXTS("kind.pung"), ["7z", "7z", "7z"]),
        (TEXTS("kind.concealed_kong"), ["5m", "back"]),
        (TEXTS("group.flowers"), ["1f", "6f"]),
    ]


@pytest.mark.parametrize(
    ("context", "sentence"),
    [
        ({"win": "discard", "discarder": "N"}, TEXTS("record.from_discard", player="Grace")),
        ({"win": "discard", "discarder": None}, TEXTS("win.discard")),
        ({"win": "rob_kong", "discarder": "E"}, TEXTS("record.from_rob_kong", player="阿明")),
        ({"win": "self_draw", "discarder": "N"}, TEXTS("win.self_draw")),
    ],
)
def test_how_a_hand_was_won(context: dict[str, Any], sentence: str) -> None:
    assert how_won({"context": context, "players": NAMES}, TEXTS) == sentence


@pytest.mark.parametrize(
    ("correction", "sentence"),
    [
        (
            {"what": "changed", "was": "2m", "is": "back"},
            TEXTS("record.changed", was="2 characters", now=TEXTS("tile.back")),
        ),
        (
            {"what": "moved", "is": "2m", "from": "concealed", "to": "meld:2"},
            TEXTS(
                "record.moved", tile="2 characters", start=TEXTS("group.concealed"), end=TEXTS("hand.meld", number="2")
            ),
        ),
        (
            {"what": "added", "is": "2m", "to": "flowers"},
            TEXTS("record.added", tile="2 characters", end=TEXTS("group.flowers")),
        ),
        (
            {"what": "dropped", "was": "2m", "from": "winning"},
            TEXTS("record.dropped", tile="2 characters", start=TEXTS("group.winning")),
        ),
    ],
    ids=["changed", "moved", "added", "dropped"],
)
def test_a_correction_is_a_sentence(correction: dict[str, str], sentence: str) -> None:
    assert correction_text(correction, TEXTS) == sentence


@pytest.mark.parametrize("photos", [[], [{"sha256": None}], [{"sha256": None}, {"sha256": "ab" * 32}]])
def test_a_row_of_the_list(photos: list[dict[str, Any]]) -> None:
    row = row_of(entry_of(photos=photos), TEXTS, void=True, dispute=None)
    assert (row.winner, row.photo, row.void, row.dispute) == ("小美", len(photos) == 2, True, None)
    assert row.tai == entry_of().content["answer"]["en"]["tai"]
