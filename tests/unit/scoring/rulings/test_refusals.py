"""請求有誤: refused requests; the sentence names the key, in both languages."""

from typing import Any

import pytest

from scoring import ruling, seats
from scoring.languages import WHOLE

GOOD: dict[str, Any] = {"rules": "luohan", "incident": "wrong_pung", "who": "S", "facts": {"done": True}}
CALL: dict[str, Any] = {**GOOD, "incident": "unmade_call", "facts": {"call": "pung", "discarder": "E"}}

RULINGS: list[tuple[str, Any, str]] = [
    ("no object", [], "JSON"),
    ("unknown key", {**GOOD, "overrides": {}}, "overrides"),
    ("missing rules", {"incident": "wreck", "who": "E"}, "rules"),
    ("missing incident", {"rules": "ntu", "who": "E"}, "incident"),
    ("missing who", {"rules": "ntu", "incident": "wrong_pung"}, "who"),
    ("unknown incident", {**GOOD, "incident": "fire"}, "incident"),
    ("unknown book", {**GOOD, "rules": "nowhere"}, "rules"),
    ("unknown seat", {**GOOD, "who": "X"}, "who"),
    ("who refused", {"rules": "luohan", "incident": "deal_fault", "who": "S"}, "who"),
    ("who refused for the game", {"rules": "ntu", "incident": "time", "who": "S", "facts": {"what": "game"}}, "who"),
    ("who missing for a turn", {"rules": "ntu", "incident": "time", "facts": {"what": "turn"}}, "who"),
    (
        "who refused at the wall",
        {"rules": "ntu", "incident": "end_of_wall", "who": "S", "facts": {"event": "flower"}},
        "who",
    ),
    ("who missing for 棄摸", {"rules": "luohan", "incident": "end_of_wall", "facts": {"event": "declined"}}, "who"),
    ("negative streak", {**GOOD, "streak": -1}, "streak"),
    ("true is no number", {**GOOD, "streak": True}, "streak"),
    ("negative base", {**GOOD, "base": -3}, "base"),
    ("negative face tai", {**GOOD, "face_tai": -3}, "face_tai"),
    ("negative draws", {**GOOD, "draws_left": -1}, "draws_left"),
    ("fact of another incident", {**GOOD, "facts": {"stage": "seen"}}, "facts.stage"),
    ("fact of the wrong type", {**GOOD, "facts": {"done": "yes"}}, "facts.done"),
    ("facts no object", {**GOOD, "facts": []}, "facts"),
    ("unknown mark", {**GOOD, "marks": {"S": ["asleep"]}}, "marks.S"),
    ("mark of no tile", {**GOOD, "marks": {"S": ["said:9z"]}}, "marks.S"),
    ("mark that has no tile", {**GOOD, "marks": {"S": ["warned:1m"]}}, "marks.S"),
    ("mark of no seat", {**GOOD, "marks": {"X": []}}, "marks"),
    ("unknown duty", {**GOOD, "duties": [{"who": "S", "wins": "all"}]}, "duties[0].wins"),
    ("duty of nobody", {**GOOD, "duties": [{"wins": "any"}]}, "duties[0].who"),
    ("duty with more", {**GOOD, "duties": [{"who": "S", "wins": "any", "until": 3}]}, "duties[0].until"),
    ("discarder himself", {**CALL, "who": "E"}, "facts.discarder"),
    ("winner himself", {**GOOD, "incident": "watching", "facts": {"what": "fee", "winner": "S"}}, "facts.winner"),
    (
        "winner is discarder",
        {"rules": "luohan", "incident": "pay_in_place", "facts": {"winner": "E", "win": "discard", "discarder": "E"}},
        "facts.winner",
    ),
    (
        "claim of the discarder",
        {
            "rules": "luohan",
            "incident": "several_wins",
            "facts": {"discarder": "E", "claims": [{"who": "E", "tai": 1}]},
        },
        "facts.claims",
    ),
    (
        "claim twice",
        {
            "rules": "luohan",
            "incident": "several_wins",
            "facts": {"discarder": "E", "claims": [{"who": "S", "tai": 1}, {"who": "S", "tai": 2}]},
        },
        "facts.claims",
    ),
    (
        "negative tai",
        {
            "rules": "luohan",
            "incident": "several_wins",
            "facts": {"discarder": "E", "claims": [{"who": "S", "tai": -1}]},
        },
        "facts.claims[0].tai",
    ),
    (
        "word of the discarder",
        {
            "rules": "luohan",
            "incident": "priority",
            "facts": {"discarder": "E", "acts": [{"who": "E", "act": "say_win", "t": 1}]},
        },
        "facts.acts[0].who",
    ),
    (
        "negative second",
        {
            "rules": "luohan",
            "incident": "priority",
            "facts": {"discarder": "E", "acts": [{"who": "S", "act": "say_win", "t": -1}]},
        },
        "facts.acts[0].t",
    ),
    ("no pair", {**GOOD, "incident": "shown_tile", "facts": {"how": "shown", "tiles": "25m"}}, "facts.tiles"),
    ("two suits", {**GOOD, "incident": "shown_tile", "facts": {"how": "shown", "tiles": "1m2p"}}, "facts.tiles"),
    ("three tiles", {**GOOD, "incident": "shown_tile", "facts": {"how": "shown", "tiles": "123m"}}, "facts.tiles"),
    ("winds are no chow", {**GOOD, "incident": "shown_tile", "facts": {"how": "shown", "tiles": "12z"}}, "facts.tiles"),
    ("one tile for two", {**GOOD, "incident": "swap_call", "facts": {"with": "5m"}}, "facts.with"),
    ("no tile", {**GOOD, "incident": "missed_win", "facts": {"passed": ""}}, "facts.passed"),
    ("no flower", {**GOOD, "incident": "flower_fault", "facts": {"flower": "5m"}}, "facts.flower"),
    (
        "no meld",
        {
            "rules": "mahjong_time",
            "incident": "responsibility",
            "facts": {"melds": [{"kind": "pung", "tiles": "123m"}]},
        },
        "facts.melds[0]",
    ),
    (
        "three wins",
        {**GOOD, "incident": "wrong_meld_discard", "facts": {"wins": [{"who": one, "tai": 1} for one in "ESW"]}},
        "facts.wins",
    ),
    ("no bases", {"rules": "luohan", "incident": "side_bets", "facts": {"bases": 0}}, "facts.bases"),
    ("caller twice", {**GOOD, "incident": "wrong_meld_discard", "facts": {"callers": ["E", "E"]}}, "facts.callers"),
    ("no number", {**GOOD, "incident": "time", "facts": {"seconds": float("nan")}}, "facts.seconds"),
]

SEATS: list[tuple[str, Any, str]] = [
    ("no object", 3, "JSON"),
    ("missing step", {"rules": "ntu"}, "step"),
    ("unknown step", {"rules": "ntu", "step": "dance"}, "step"),
    ("unknown key", {"rules": "ntu", "step": "equipment", "chair": 1}, "chair"),
    ("missing throw", {"rules": "ntu", "step": "east_place", "chair": 1}, "throw"),
    ("throw too low", {"rules": "ntu", "step": "east_place", "chair": 1, "throw": 2}, "throw"),
    ("two dice", {"rules": "mahjong_time", "step": "first_dealer", "chair": 1, "throw": 13}, "throw"),
    ("no such chair", {"rules": "ntu", "step": "east_place", "chair": 4, "throw": 5}, "chair"),
    ("a wind twice", {"rules": "ntu", "step": "sit", "east_place": 1, "drawn": ["E", "E", "W", "N"]}, "drawn"),
    ("the same throw", {"rules": "luohan", "step": "break", "dealer": 1, "throw": 5, "same_throw": True}, "same_throw"),
    ("136 tiles", {"rules": "ntu", "step": "wall", "drawn": 1, "replaced": 0, "tiles": 136}, "tiles"),
    ("below the reserve", {"rules": "ntu", "step": "wall", "drawn": 60, "replaced": 4}, "drawn"),
    ("negative", {"rules": "ntu", "step": "wall", "drawn": -1, "replaced": 4}, "drawn"),
    ("the temporary dealer's throw", {"rules": "mahjong_time", "step": "draw", "east_place": 1}, "throw"),
]


@pytest.mark.parametrize(("request_", "key"), [pytest.param(one, key, id=name) for name, one, key in RULINGS])
@pytest.mark.parametrize("lang", WHOLE)
def test_a_ruling_is_refused(request_: Any, key: str, lang: str) -> None:
    answer = ruling(request_, lang=lang)
    assert set(answer) == {"error", "problems"}
    assert any(key in problem for problem in answer["problems"]), answer["problems"]


@pytest.mark.parametrize(("request_", "key"), [pytest.param(one, key, id=name) for name, one, key in SEATS])
def test_a_step_is_refused(request_: Any, key: str) -> None:
    answer = seats(request_)
    assert set(answer) == {"error", "problems"}
    assert any(key in problem for problem in answer["problems"]), answer["problems"]


@pytest.mark.parametrize(("tiles", "lying"), [(144, 78), (None, 78), (True, None), ("144", None), (144.0, None)])
def test_the_tiles_in_the_box_are_a_whole_number_that_the_book_knows(tiles: object, lying: int | None) -> None:
    answer = seats({"rules": "ntu", "step": "wall", "drawn": 1, "replaced": 0, "tiles": tiles})
    assert answer.get("lying") == lying
    assert ("error" in answer) is (lying is None)


def test_every_problem_is_named_at_once() -> None:
    answer = ruling({**GOOD, "who": "X", "streak": -1, "facts": {"done": 1, "stage": "seen"}})
    assert len(answer["problems"]) == 4


def test_facts_that_another_book_needs_are_allowed() -> None:
    assert (
        ruling({**CALL, "who": "N", "facts": {**CALL["facts"], "discards": 1, "next_drew": True}})["outcome"] == "fine"
    )


def test_null_counts_as_not_given() -> None:
    assert ruling({**CALL, "who": "N", "streak": None, "marks": None, "face_tai": None})["outcome"] == "fine"


def test_the_answer_writes_marks_in_seat_order_and_once() -> None:
    marks = {"N": ["warned", "warned"], "E": ["said:五萬"], "W": []}
    assert ruling({**CALL, "who": "N", "marks": marks})["marks"] == {"E": ["said:5m"], "N": ["warned"]}
