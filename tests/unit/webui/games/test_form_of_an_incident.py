"""出事了、一炮多響: from a form's fields to facts and questions, and which hand a further winner may join."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from werkzeug.datastructures import MultiDict

from scoring.rulings.facts import Fact, Form, Incident
from scoring.settlement.payments import Transfer
from tests.unit.webui.games.test_later_payments import Evening
from webui.board.state import Context
from webui.games.game import Game
from webui.games.incidents import (
    Question,
    Sheet,
    agreed_entry,
    already_entered,
    entry_of,
    offered_tiles,
    sheet,
    watching_entry,
)
from webui.games.paying.joint_win import asked, joined, joined_instead, joined_unpaid, joining, joint_of


@pytest.fixture(scope="module")
def game() -> Game:
    """The first hand, 甲 deals."""
    return Evening("common").game


def incident(*facts: Fact, who: Any = "refused", who_if: tuple[str, str] = ("", ""), **form: Any) -> Incident:
    """An incident that no book knows: the rules refuse it, after the form was read."""
    return Incident("made_up", facts, lambda case: None, Form("group", **form), who, who_if)  # type: ignore[arg-type,return-value]


def asked_of(game: Game, kind: Any, fields: Any) -> Any:
    """The value of the fact ``x`` of this kind in the request; None without one."""
    request = sheet(game, incident(Fact("x", kind)), MultiDict(fields), "en").request
    assert request["incident"] == "made_up"
    return request["facts"].get("x")


@pytest.mark.parametrize(
    ("kind", "fields", "value"),
    [
        ("bool", {"f_x": "1"}, True),
        ("bool", {"f_x": " 0 "}, False),
        ("bool", {"f_x": "2"}, None),
        ("bool", {}, None),
        ("count", {"f_x": "12"}, 12),
        ("count", {"f_x": " 0"}, 0),
        ("number", {"f_x": "-x"}, "-x"),
        ("number", {"f_x": " "}, None),
        ("seat", {"f_x": "0"}, "E"),
        ("seat", {"f_x": "3"}, "N"),
        ("seat", {"f_x": "4"}, "4"),
        ("seat", {"f_x": ""}, None),
        ("seats", [("f_x", "1"), ("f_x", "-"), ("f_x", "2")], ["S", "W"]),
        ("seats", {"f_x": "-"}, []),
        ("seats", {}, None),
        ("choices", [("f_x", "a"), ("f_x", "-")], ["a"]),
        ("choices", {"f_x": "-"}, []),
        ("choices", {}, None),
        ("choice", {"f_x": " a "}, "a"),
        ("choice", {"f_x": ""}, None),
        ("melds", {"f_x": "-"}, []),
        ("melds", {"f_x": ""}, None),
        ("melds", {"f_x": "5m5m5m"}, [{"kind": "pung", "tiles": "5m5m5m"}]),
        ("melds", {"f_x": "5m5m5m5m 1s2s3s"},
         [{"kind": "kong", "tiles": "5m5m5m5m"}, {"kind": "chow", "tiles": "1s2s3s"}]),
        ("claims", {"f_x_1": "3", "f_x_reached_1": "1", "f_x_2": "0"},
         [{"who": "S", "tai": 3, "reached": True}, {"who": "W", "tai": 0, "reached": False}]),
        ("claims", {"f_x_reached_1": "1"}, None),
        ("own_acts", [("f_x", "discard:5m"), ("f_x", "added_kong")],
         [{"act": "discard", "tile": "5m"}, {"act": "added_kong", "tile": ""}]),
        ("own_acts", {}, None),
        ("win", {"f_x_winner": "1", "f_x_discarder": "2", "f_x_tai": "5"},
         {"winner": "S", "win": "discard", "tai": 5, "discarder": "W"}),
        ("win", {"f_x_winner": "0"}, {"winner": "E", "win": "self_draw", "tai": None}),
        ("win", {"f_x_discarder": "2"}, None),
        ("seat_by_winner", {"f_x_0": "1", "f_x_2": "3"}, {"E": "S", "W": "N"}),
        ("seat_by_winner", {}, None),
        ("acts", [("f_x", "2.say_pung"), ("f_x", "0.say_win.4"), ("f_x", "-")],
         [{"who": "W", "act": "say_pung", "t": 0.1}, {"who": "E", "act": "say_win", "t": 4}]),
        ("acts", {"f_x": "-"}, []),
        ("acts", {}, None),
        ("wins", {"f_x_0": "2", "f_x_3": ""}, [{"who": "E", "tai": 2}]),
        ("wins", {}, None),
        ("flower_counts", {"f_x": "1", "f_x_0": "1 2", "f_x_1": ""}, {"E": [1, 2]}),
        ("flower_counts", {"f_x_0": "1"}, None),
    ],
)  # fmt: skip
def test_a_fact_as_its_fields_say(game: Game, kind: str, fields: Any, value: object) -> None:
    assert asked_of(game, kind, fields) == value


def test_the_second_act_comes_a_tenth_of_a_second_later(game: Game) -> None:
    acts = asked_of(game, "acts", [("f_x", "0.a"), ("f_x", "1.b"), ("f_x", "2.c")])
    assert [act["t"] for act in acts] == [0.1, 0.2, 0.3]


def test_the_request_has_the_table_s_state(game: Game) -> None:
    known: Any = {"face_tai": "3", "draws_left": "x", "f_strange": "1"}
    filled = sheet(game, incident(Fact("x", "bool")), MultiDict(known), "en")
    request = filled.request
    assert (request["dealer"], request["streak"], request["rules"]) == ("E", 0, "common")
    assert (request["base"], request["per_tai"], request["face_tai"], request["draws_left"]) == (3, 1, 3, "x")
    assert request["facts"] == {"strange": "1"}, "the rules refuse it by name"
    assert "players" not in request
    assert "who" not in request
    assert (filled.answer, filled.question) == (None, None)
    assert filled.problems


@pytest.mark.parametrize(
    ("who", "fields", "named", "question"),
    [
        ("needed", {}, None, True),
        ("needed", {"who": "2"}, "W", False),
        ("needed", {"who": "4"}, None, True),
        ("refused", {"who": "2"}, None, False),
        ("needed_if", {"f_x": "yes"}, None, True),
        ("needed_if", {"f_x": "yes", "who": "1"}, "S", False),
        ("needed_if", {"f_x": "no", "who": "1"}, None, False),
        ("needed_if", {}, None, False),
        ("refused_if", {"f_x": "yes", "who": "1"}, None, False),
        ("refused_if", {"f_x": "no"}, None, True),
        ("refused_if", {"f_x": "no", "who": "1"}, "S", False),
        ("refused_if", {"who": "1"}, None, False),
    ],
)
def test_who_did_it_is_asked_if_it_matters(
    game: Game, who: str, fields: dict[str, str], named: str | None, question: bool
) -> None:
    filled = sheet(game, incident(Fact("x", "choice"), who=who, who_if=("x", "yes")), MultiDict(fields), "en")
    assert filled.request.get("who") == named
    assert filled.question == (Question("who", "who") if question else None)


def test_what_is_asked_first(game: Game) -> None:
    first = incident(Fact("x", "choice", ("a", "b"), default="a"), first="x")
    assert sheet(game, first, MultiDict(), "en").question == Question("x", "choice", ("a", "b"))
    assert sheet(game, first, MultiDict({"f_x": "a"}), "en").question is None


def filled(facts: Any = (), **changed: Any) -> Sheet:
    values: dict[str, Any] = {
        "incident": incident(*facts, first="first", offers=("offered",)),
        "east": 0,
        "request": {"facts": {}},
        "question": None,
        "answer": None,
        "problems": (),
    }
    return Sheet(**{**values, **changed})


def test_the_facts_that_a_tap_can_answer() -> None:
    facts = [
        *(Fact(kind, kind, default=1) for kind in ("bool", "choice", "count", "choices", "tile", "win", "seat")),
        Fact("melds", "melds", default=1),
        Fact("plain", "bool"),
        Fact("offered", "bool"),
        Fact("first", "bool", default=1),
        Fact("liable", "seat_by_winner", default=1),
    ]
    usual = ["bool", "choice", "count", "choices", "tile", "win", "seat", "offered"]
    assert [fact.name for fact in filled(facts).extras] == usual
    won = filled(facts, request={"facts": {"winner": "E"}})
    assert [fact.name for fact in won.extras] == [*usual, "liable"]


@pytest.mark.parametrize(
    ("facts", "winners"),
    [
        ({}, []),
        ({"winner": "S"}, ["S"]),
        ({"true_win": {"winner": "W"}}, ["W"]),
        ({"claims": [{"who": "E"}, {"who": "E"}, {"who": "N"}]}, ["E", "N"]),
        ({"winner": "S", "wins": [{"who": "S"}, {"who": "N"}]}, ["S", "N"]),
    ],
)
def test_the_seats_that_win_by_the_facts(facts: dict[str, Any], winners: list[str]) -> None:
    assert filled(request={"facts": facts}).winners == winners
    assert filled(request={}).winners == []


RULED: dict[str, Any] = {"outcome": "paid", "hand": None, "deal": None, "transfers": [], "duties": [], "marks": {}}


@pytest.mark.parametrize(
    ("ruled", "enters"),
    [
        (None, False),
        (RULED, False),
        ({**RULED, "outcome": "ask", "transfers": [1]}, False),
        ({**RULED, "outcome": "not_ruled", "transfers": [1]}, False),
        ({**RULED, "transfers": [1]}, True),
        ({**RULED, "duties": [1]}, True),
        ({**RULED, "marks": {"E": ["dead"]}}, True),
        ({**RULED, "hand": "ends"}, False),
        ({**RULED, "hand": "ends", "deal": "passes"}, True),
        ({**RULED, "hand": "void", "deal": "stays"}, True),
        ({**RULED, "hand": "goes_on", "deal": "stays"}, False),
    ],
)
def test_whether_there_is_anything_to_enter(ruled: Any, enters: bool) -> None:
    assert filled(answer=ruled).enters is enters
    settled = Incident("i", (), lambda case: None, Form("g", settled=True))  # type: ignore[arg-type,return-value]
    assert filled(answer=ruled, incident=settled).enters is False


def test_side_bets_change_the_payments() -> None:
    paid = Transfer("E", "S", 1, 4)
    assert not filled(paid=(paid,)).bets_count
    assert not filled(paid=(paid,), answer={"transfers": [paid.to_json()]}).bets_count
    assert filled(paid=(paid, paid), answer={"transfers": [paid.to_json()]}).bets_count


def test_tiles_offered_as_answers() -> None:
    tile = Question("tile", "tile")
    waits = {"facts": {"waits": "3m3m6p"}}
    assert offered_tiles(filled(question=tile, request=waits)) == ["3m", "6p"]
    for other in (filled(question=None, request=waits), filled(question=Question("x", "tile"), request=waits)):
        assert len(offered_tiles(other)) == 34
    assert len(offered_tiles(filled(question=tile, request={"facts": {"waits": ["3m"]}}))) == 34


@pytest.mark.parametrize(
    ("outcome", "kind", "entered"), [("duty", "won", True), ("paid", "won", False), ("duty", "drawn", False)]
)
def test_a_duty_for_a_win_that_is_entered(outcome: str, kind: str, entered: bool) -> None:
    last = SimpleNamespace(content={"kind": kind})
    table: Any = SimpleNamespace(last=last)
    assert already_entered(table, filled(answer={"outcome": outcome})) is entered
    table.last = None
    assert not already_entered(table, filled(answer={"outcome": outcome}))
    assert not already_entered(table, filled())


def test_the_entry_of_a_ruling(game: Game) -> None:
    told = {"incident": "i", "say": {"zh": "x"}, "steps": [], "cites": [], "readings": []}
    base = {**RULED, **told, "streak": None}
    paid = (Transfer("W", "E", 0, 5),)

    def entry(request: Any = None, **changed: Any) -> tuple[str, Any]:
        asked_for = {"facts": {}, "who": "W", "dealer": "E", "streak": 0} | (request or {})
        return entry_of(game, filled(request=asked_for, answer={**base, **changed}, paid=paid))

    kind, fine = entry(marks={"W": ["dead"]})
    assert (kind, fine["who"], fine["lasts"], fine["marks"]) == ("fine", "W", False, {"W": ["dead"]})
    assert fine["transfers"] == [list(paid[0])]
    assert entry(hand="goes_on")[1]["lasts"] is True
    assert entry(outcome="duty")[1]["lasts"] is True
    kind, fouled = entry(hand="void", deal="stays", streak="same")
    assert (kind, fouled["offender"], fouled["deal"], fouled["streak"]) == ("fouled", "W", "stays", "same")
    assert entry(outcome="drawn") == ("hand", {"kind": "drawn", "counts": True, "east": 0})
    ready = entry({"facts": {"dealer_ready": False}}, outcome="drawn")[1]
    assert ready == {"kind": "drawn", "counts": True, "east": 0, "dealer_ready": False}
    assert entry_of(game, filled(request={"facts": {}, "dealer": "E"}, answer=base))[1]["who"] == "E"


def test_a_watcher_and_an_agreement(game: Game) -> None:
    watching = watching_entry(game, 2, {"zh": "x"})
    assert (watching["who"], watching["marks"], watching["lasts"]) == ("W", {"W": ["watching"]}, True)
    agreed = agreed_entry(game, "i", 1, [0, 3], 7, say={"zh": "x"})
    assert (agreed["who"], agreed["outcome"], agreed["lasts"]) == ("S", "agreed", False)
    assert agreed["transfers"] == [list(Transfer("S", "E", 0, 7)), list(Transfer("S", "N", 0, 7))]


def won_on_a_discard(book: str = "common", winner: int = 1) -> Game:
    """乙, or another, has won with two tai on 甲's discard; 甲 dealt."""
    evening = Evening(book)
    evening.play(("won", winner, 2, 0))
    return evening.game


FITS = Context(rules="common", win="discard", seat="W", discarder="E", round="E", dealer="E")


def test_a_further_winner_on_the_same_discard() -> None:
    after = won_on_a_discard()
    joint = joint_of(after, FITS)
    assert joint is not None
    assert (joint.joins, joint.won, joint.names["S"]) == ("id2", ("S",), "乙")
    assert (joint.context.seat, joint.context.discarder, joint.context.dealer) == ("W", "E", "E")
    assert [joint.pays_all, joint.blocked, joint.instead].count(True) == 1
    assert joint.can_join
    other = joint_of(after, Context(rules="common", win="discard", seat="S", discarder="N"))
    assert other is not None
    assert (other.context.seat, other.context.discarder, other.fits) == ("W", "E", False), (
        "the free seat, the discarder"
    )
    assert joint_of(after, Context(rules="common", win="self_draw", seat="W")) is None
    assert joint_of(Evening("common").game, FITS) is None


@pytest.mark.parametrize("ended", [("won", 1, 2, None), ("drawn",), ("false", 1)])
def test_no_other_hand_can_be_joined(ended: Any) -> None:
    evening = Evening("common")
    evening.play(ended)
    assert joint_of(evening.game, FITS) is None


@pytest.mark.parametrize(
    ("fields", "wanted", "joins"),
    [
        ({}, "", False),
        ({"joining": "id2"}, "id2", True),
        ({"joining": "id2", "apart": "1"}, "", False),
        ({"joining": "x"}, "x", False),
    ],
)
def test_the_hand_that_a_form_joins(fields: dict[str, str], wanted: str, joins: bool) -> None:
    form: Any = MultiDict(fields)
    assert asked(form) == wanted
    assert (joining(won_on_a_discard(), FITS, form) is not None) is joins


@pytest.mark.parametrize(
    ("book", "winner", "seat", "state"),
    [
        ("mahjong_time", 1, "W", "pays_all"),
        ("mahjong_time", 2, "S", "pays_all"),
        ("common", 1, "W", "blocked"),
        ("common", 2, "S", "instead"),
        ("ntu", 1, "W", "blocked"),
        ("ntu", 2, "S", "instead"),
    ],
)
def test_whom_a_book_pays_of_two_winners(book: str, winner: int, seat: str, state: str) -> None:
    """The nearest to the discarder plays next after him."""
    context = Context(rules=book, win="discard", seat=seat, discarder="E", round="E", dealer="E")
    after = won_on_a_discard(book, winner)
    joint = joint_of(after, context)
    assert joint is not None
    states = ("pays_all", "blocked", "instead")
    assert [name for name in states if getattr(joint, name)] == [state]
    assert joint.can_join
    again = joint_of(after, joint.context)
    assert again is not None
    assert again.fits


PAID: dict[str, list[Any]] = {"transfers": [["E", "W", 4, 7, "win", None]], "why": ["fed"]}


def test_a_further_winner_who_is_paid_too() -> None:
    after = won_on_a_discard("mahjong_time")
    joint = joint_of(after, FITS)
    assert joint is not None
    assert after.last is not None
    both = joined(after, joint, 4, PAID, "r2")
    assert (both["winners"], both["tai"]) == (["S", "W"], [2, 4])
    assert both["transfers"] == [*after.last.content["transfers"], *PAID["transfers"]]
    assert (both["record"], both["records"], both["joins"], both["why"]) == ("r2", [None, "r2"], "id2", ["fed"])


def test_a_further_winner_who_is_not_paid_or_alone() -> None:
    after = won_on_a_discard()
    joint = joint_of(after, FITS)
    assert joint is not None
    unpaid = joined_unpaid(after, joint, 4, "r2")
    assert (unpaid["winners"], unpaid["records"], unpaid["joins"]) == (["S"], ["r2"], "id2")
    assert [(one["seat"], one["tai"]) for one in unpaid["unpaid"]] == [("W", 4)]
    instead = joined_instead(after, joint, 4, PAID, "r2")
    assert (instead["winners"], instead["tai"], instead["transfers"]) == (["W"], [4], PAID["transfers"])
    assert [(one["seat"], one["tai"]) for one in instead["unpaid"]] == [("S", 2)]
    assert (instead["record"], instead["records"]) == ("r2", ["r2"])
