"""What holds for every ruling: payments add up, marks and hand agree, nothing is changed, both languages speak."""

from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import ruling, seats
from scoring.languages import WHOLE
from scoring.rulebook.loading import BOOK_IDS
from scoring.rulings.facts import Fact
from scoring.rulings.incidents.registry import INCIDENTS
from scoring.rulings.terminal import summary
from scoring.rulings.values import DUTY_WINS

SEATS = "ESWN"
seat = st.sampled_from(SEATS)
tile = st.sampled_from(["1m", "5p", "9s", "3s", "6s", "1z", "7z"])
flag = st.booleans()
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "bool": flag,
    "count": st.integers(1, 18),
    "number": st.floats(0, 8000),
    "seat": seat,
    "seats": st.lists(seat, unique=True, max_size=3),
    "tile": tile,
    "flower": st.sampled_from(["1f", "8f"]),
    "tiles": st.sampled_from(["36s", "1z", "36s2z"]),
    "set": st.sampled_from(["5m", "45s", "79p", "77z"]),
    "two": st.sampled_from(["45s", "79p", "77z"]),
    "melds": st.just([{"kind": "pung", "tiles": "777z"}, {"kind": "kong", "tiles": "6666z"}]),
    "claims": st.lists(
        st.fixed_dictionaries({"who": seat, "tai": st.integers(0, 20), "reached": flag}),
        unique_by=lambda one: one["who"],
        max_size=3,
    ),
    "win": st.one_of(
        st.fixed_dictionaries({"winner": seat, "win": st.just("self_draw"), "tai": st.integers(0, 20)}),
        st.fixed_dictionaries(
            {"winner": seat, "win": st.just("discard"), "discarder": seat, "tai": st.integers(0, 20)}
        ),
    ),
    "seat_by_winner": st.dictionaries(seat, seat, max_size=2),
    "wins": st.lists(st.fixed_dictionaries({"who": seat, "tai": st.integers(0, 20)}), min_size=1, max_size=2),
    "flower_counts": st.dictionaries(seat, st.lists(st.integers(1, 2), min_size=1, max_size=3)),
}


def value(fact: Fact) -> st.SearchStrategy[Any]:
    match fact.kind:
        case "choice":
            return st.sampled_from(fact.choices)
        case "choices":
            return st.lists(st.sampled_from(fact.choices), max_size=2)
        case "own_acts":
            return st.lists(st.fixed_dictionaries({"act": st.sampled_from(fact.choices), "tile": tile}), max_size=2)
        case "acts":
            acts = st.fixed_dictionaries({"who": seat, "act": st.sampled_from(fact.choices), "t": st.integers(0, 5)})
            return st.lists(acts, max_size=6)
        case _:
            return VALUES[fact.kind]


MARKS = ["dead_hand", "hidden_dead_hand", "missed_win", "missed_win:3s", "said:5p", "watching", "warned"]
duty = st.fixed_dictionaries(
    {
        "who": seat,
        "wins": st.sampled_from(DUTY_WINS),
        "draws": st.sampled_from([8, None]),
        "since": st.integers(0, 9),
    }
)


@st.composite
def requests(draw: st.DrawFn) -> dict[str, Any]:
    """A request with every fact, of any incident; now and then one that is refused."""
    incident = INCIDENTS[draw(st.sampled_from(sorted(INCIDENTS)))]
    facts = {fact.name: draw(value(fact)) for fact in incident.facts if draw(st.integers(0, 9))}
    request = {
        "rules": draw(st.sampled_from(BOOK_IDS)),
        "incident": incident.id,
        "dealer": draw(seat),
        "streak": draw(st.integers(0, 5)),
        "face_tai": draw(st.integers(0, 20)),
        "draws_left": draw(st.integers(0, 12)),
        "marks": draw(st.dictionaries(seat, st.lists(st.sampled_from(MARKS), max_size=2), max_size=2)),
        "duties": draw(st.lists(duty, max_size=3)),
        "facts": facts,
    }
    rule, (name, needed) = incident.who, incident.who_if
    with_who = facts.get(name) == needed if rule == "needed_if" else facts.get(name) != needed
    if rule == "needed" or (rule != "refused" and with_who):
        request["who"] = draw(seat)
    return request


@settings(deadline=None)
@given(requests())
def test_every_ruling_holds_together(request: dict[str, Any]) -> None:
    before = copy.deepcopy(request)
    answer = ruling(request)
    assert request == before
    assert ruling(request) == answer
    if "error" in answer:
        assert answer["problems"]
        return
    json.dumps(answer)
    sums = dict.fromkeys(SEATS, 0)
    for one in answer["transfers"]:
        assert one["from"] != one["to"]
        assert one["points"] >= 0
        assert one.get("for") not in (one["from"], one["to"])
        sums[one["from"]] -= one["points"]
        sums[one["to"]] += one["points"]
    assert sum(sums.values()) == 0
    over = answer["hand"] in ("ends", "void")
    assert (answer["deal"] is not None) == over or answer["outcome"] == "game_over"
    assert over is False or (answer["marks"] == {} and answer["duties"] == [])
    assert all(answer["marks"].values())
    if answer["outcome"] in ("ask", "not_ruled"):
        assert answer["transfers"] == answer["duties"] == answer["steps"] == []
        assert len(answer["ask"]) == (answer["outcome"] == "ask")
    elif request["rules"] in ("luohan", "ntu") and answer["outcome"] not in ("as_won", "allowed"):
        assert answer["cites"] or answer["readings"]
    assert answer["say"]["zh"]
    assert answer["say"]["en"]
    assert "{" not in "".join(answer["say"].values())
    for lang in WHOLE:
        assert summary(answer, lang=lang)


@settings(deadline=None)
@given(requests(), seat)
def test_turning_the_table_turns_the_ruling(request: dict[str, Any], to: str) -> None:
    """No seat is special: with every seat moved on alike, the answer is moved on alike."""
    steps = SEATS.index(to)

    def turned(value: Any) -> Any:
        if isinstance(value, dict):
            return {turned(key): item if key == "tile" else turned(item) for key, item in value.items()}
        if isinstance(value, list):
            return [turned(item) for item in value]
        return SEATS[(SEATS.index(value) + steps) % 4] if isinstance(value, str) and value in list(SEATS) else value

    first, second = ruling(request), ruling(turned(request))
    if "error" in first:
        assert "error" in second
        return
    for key in ("outcome", "hand", "deal", "streak", "ask"):
        assert first[key] == second[key]
    for key in ("transfers", "marks", "duties", "gets", "lost", "rounds"):
        assert _loose(turned(first.get(key))) == _loose(second.get(key))


def _loose(value: Any) -> Any:
    """Without the order of a list: transfers go in seat order, which turning does not keep."""
    return sorted(map(json.dumps, value)) if isinstance(value, list) else value


@given(st.sampled_from(BOOK_IDS), st.integers(0, 3), st.integers(3, 12))
def test_the_deal_takes_every_stack_once(book: str, dealer: int, throw: int) -> None:
    asked = {"rules": book, "dealer": dealer, "throw": throw}
    deal = seats({**asked, "step": "deal_order"})
    broken = seats({**asked, "step": "break"})
    taken = [tuple(stack) for one in deal["takes"] for stack in one["stacks"]]
    assert len(set(taken)) == 32
    assert taken[0] == tuple(broken["start"])
    assert tuple(deal["last"]) not in taken
    assert {tuple(stack) for stack in broken["tail"]}.isdisjoint(taken)
    assert deal["replacement"] == broken["tail"][0]
    assert sorted(broken["winds"]) == ["E", "N", "S", "W"]
