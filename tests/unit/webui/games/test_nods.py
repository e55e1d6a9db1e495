"""點頭、別人復原的、未結、牌牆: changes that wait for a nod, what others took back, debts, the picture of the walls."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from tests.unit.webui.games.test_later_payments import KEPT, Evening, as_entry
from webui import times
from webui.games.hand_state import FRESH, ChairDuty, HandState
from webui.games.results.debts import balance_of, settled
from webui.games.results.undone import MOST, undone_by_others
from webui.games.walls import EM, LONG, NEAR, SIDE_PIXELS, THICK, faces, picture, shuffled_winds, throw
from webui.games.wishes import after, hand_of, need_nods, setting, waiting
from webui.i18n import Texts
from webui.store.chain import Entry

TEXTS = Texts("en")
AT = times.clock("2026-11-23T12:00:00Z")
HERE = TEXTS("game.this_computer")


def by(number: int, name: str = "") -> dict[str, Any]:
    """The part of a content that names the phone."""
    return {"by": {"phone": number, "name": name}}


@pytest.fixture
def evening() -> Evening:
    """Two hands, the first of 乙 self-drawn, the second of 甲 on a discard; ids id2 and id3."""
    played = Evening("common")
    played.play(("won", 1, 3, None))
    played.play(("won", 0, 2, 2))
    return played


def wishes(evening: Evening) -> list[Any]:
    return waiting(evening.game, evening.about, KEPT.book_file)


def test_the_phone_of_an_entry() -> None:
    assert hand_of(by(3, "x")) == 3
    assert hand_of({}) is None
    assert hand_of({"by": None}) is None


@pytest.mark.parametrize(
    ("said", "needed"), [([], False), ([True], True), ([False], False), ([True, False], False), ([False, True], True)]
)
def test_the_newest_setting_decides_about_nods(evening: Evening, said: list[bool], needed: bool) -> None:
    for on in said:
        evening.add("nods", {"on": on})
    assert need_nods(evening.about) is needed
    newest = setting(evening.about)
    assert (newest is evening.about[-1]) if said else (newest is None)


def test_a_wish_to_take_back_waits_while_its_entry_is_the_last_one(evening: Evening) -> None:
    assert wishes(evening) == []
    evening.add("wish", {"kind": "void", "entry": "id3", "content": {"entry": "id3"}})
    (wish,) = wishes(evening)
    assert (wish.kind, wish.content, wish.target.id, wish.entry.id) == ("void", {"entry": "id3"}, "id3", "id4")
    assert wish.now.number == 2
    assert wish.then is None
    evening.play(("drawn",))
    assert wishes(evening) == []


def test_a_wish_about_an_earlier_entry_has_lapsed_and_so_has_one_about_nothing(evening: Evening) -> None:
    evening.add("wish", {"kind": "void", "entry": "id2", "content": {"entry": "id2"}})
    evening.add("wish", {"kind": "void", "entry": "gone", "content": {"entry": "gone"}})
    assert wishes(evening) == []


def test_nothing_is_wished_of_an_entry_that_was_taken_back(evening: Evening) -> None:
    hand = as_entry(evening.game, ("won", 2, 4, None))
    evening.add("wish", {"kind": "amended", "entry": "id3", "content": {"entry": "id3", "hand": hand}})
    assert len(wishes(evening)) == 1
    evening.add("void", {"entry": "id3"})
    assert wishes(evening) == []


@pytest.mark.parametrize("yes", [True, False])
def test_an_answered_wish_waits_no_longer(evening: Evening, yes: bool) -> None:
    for _ in range(2):
        evening.add("wish", {"kind": "void", "entry": "id3", "content": {"entry": "id3"}})
    assert [wish.entry.id for wish in wishes(evening)] == ["id4", "id5"]
    evening.add("nodded", {"wish": "id4", "yes": yes})
    assert [wish.entry.id for wish in wishes(evening)] == ["id5"]


def test_a_wished_correction_shows_the_hand_as_it_would_be(evening: Evening) -> None:
    hand = as_entry(evening.game, ("won", 2, 4, None))
    evening.add("wish", {"kind": "amended", "entry": "id3", "content": {"entry": "id3", "hand": hand}})
    (wish,) = wishes(evening)
    assert (wish.now.winners, wish.then.winners) == (("甲",), ("丙",))
    assert evening.game.hands[1].winners == ("甲",), "nothing has changed yet"


def test_a_correction_that_no_session_allows_is_not_shown(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    def impossible(*given: Any) -> None:
        raise ValueError

    hand = as_entry(evening.game, ("won", 2, 4, None))
    evening.add("wish", {"kind": "amended", "entry": "id3", "content": {"entry": "id3", "hand": hand}})
    game = evening.game
    monkeypatch.setattr("webui.games.wishes.after", impossible)
    assert waiting(game, evening.about, KEPT.book_file) == []


def test_a_wish_to_switch_the_nods_off_stands_while_they_are_the_newest_setting(evening: Evening) -> None:
    evening.add("nods", {"on": True})
    evening.add("wish", {"kind": "nods", "entry": "id4", "content": {"on": False, "entry": "id4"}})
    assert [wish.kind for wish in wishes(evening)] == ["nods"]
    evening.add("nods", {"on": True})
    assert wishes(evening) == []


def test_the_game_with_one_more_entry(evening: Evening) -> None:
    then = after(evening.game, evening.about, "void", {"entry": "id3"}, KEPT.book_file)
    assert [hand.entry.id for hand in then.hands] == ["id2"]
    assert len(evening.game.hands) == 2


def entry(seq: int, kind: str, content: dict[str, Any]) -> Entry:
    return Entry(seq, f"e{seq}", kind, "2026-11-23T12:00:00Z", None, json.dumps(content), "", "")


HAND = {"kind": "drawn", "counts": True, "east": 0}


@pytest.mark.parametrize(
    ("made", "undone", "told"),
    [
        (by(1, "Ann"), by(1, "Ann"), None),
        ({}, {}, None),
        (by(1, "Ann"), by(2), (TEXTS("pair.phone_number", number=2), "Ann")),
        (by(1, "Ann"), {}, (HERE, "Ann")),
        ({}, by(1, "Ann"), ("Ann", HERE)),
        (by(1, "Ann"), {**by(2), "wish": "e9"}, None),
    ],
    ids=["one's own", "this computer's own", "another phone", "this computer", "this computer's", "agreed to"],
)
def test_an_undo_by_another_hand_is_told(made: Any, undone: Any, told: tuple[str, str] | None) -> None:
    about = [entry(1, "hand", HAND | made), entry(2, "void", {"entry": "e1", **undone})]
    expected = [TEXTS("game.other_void", at=AT, who=told[0], whose=told[1])] if told else []
    assert undone_by_others(about, TEXTS) == expected
    assert undone_by_others(about[1:], TEXTS) == [], "its entry is not of this evening"


def test_a_correction_by_another_hand_is_told() -> None:
    about = [entry(1, "hand", HAND | by(1, "Ann")), entry(2, "amended", {"entry": "e1", "hand": HAND, **by(2, "Bo")})]
    assert undone_by_others(about, TEXTS) == [TEXTS("game.other_amended", at=AT, who="Bo", whose="Ann")]


@pytest.mark.parametrize(("yes", "key"), [(True, "game.nodded_yes"), (False, "game.nodded_no")])
def test_an_answered_wish_is_told(yes: bool, key: str) -> None:
    wish = entry(2, "wish", {"kind": "void", "entry": "e1", "content": {"entry": "e1"}, **by(1, "Ann")})
    answer = entry(3, "nodded", {"wish": "e2", "yes": yes, **by(2, "Bo")})
    what = TEXTS("game.nodded_void", who="Ann")
    about = [entry(1, "hand", HAND), wish, answer]
    assert undone_by_others(about, TEXTS) == [TEXTS(key, at=AT, what=what, who="Bo")]
    assert undone_by_others([about[0], replace(answer, text=json.dumps({"wish": "e1", "yes": yes}))], TEXTS) == []


def test_the_newest_undos_are_told() -> None:
    hands = [entry(at, "hand", HAND | by(at, f"p{at}")) for at in range(1, 8)]
    undos = [entry(at + 10, "void", {"entry": f"e{at}"}) for at in range(1, 8)]
    told = undone_by_others([*hands, *undos], TEXTS)
    assert [line.split(" of p")[1][0] for line in told] == ["3", "4", "5", "6", "7"]
    assert len(told) == MOST


def test_debts_are_totals_and_carried_debts_without_what_was_settled() -> None:
    carried = {"carried": {"transfers": [["甲", "乙", 10]]}}
    game: Any = SimpleNamespace(
        all_totals={"甲": 5, "乙": -5},
        session=SimpleNamespace(bettors=(("x", 0),)),
        entry=SimpleNamespace(content=carried),
    )
    assert balance_of(game) == {"甲": -5, "乙": 5, "x": 0}
    paid = [
        entry(2, "paid", {"to": None, "transfers": [["甲", "乙", 3]]}),
        entry(3, "paid", {"to": None, "transfers": [["甲", "丁", 1]]}),
    ]
    assert balance_of(game, paid) == {"甲": -1, "乙": 2, "x": 0, "丁": -1}
    undone = [*paid, entry(4, "void", {"entry": "e2"})]
    assert [one.id for one in settled(undone)] == ["e3"]
    assert balance_of(game, undone) == {"甲": -4, "乙": 5, "x": 0, "丁": -1}
    game.entry.content = {}
    assert balance_of(game) == {"甲": 5, "乙": -5, "x": 0}
    game.entry.content = {"carried": {"transfers": [["丙", "丁", 2]]}}
    assert balance_of(game) == {"甲": 5, "乙": -5, "x": 0, "丙": -2, "丁": 2}


@pytest.mark.parametrize(
    ("duties", "asks"),
    [
        ([], ()),
        ([("every", None)], ()),
        ([("every", 3)], ("late",)),
        ([("kong_draws", None)], ("replacement",)),
        ([("this_tile", None)], ("put_back",)),
        ([("this_tile", 2), ("kong_draws", None)], ("late", "replacement", "put_back")),
    ],
)
def test_what_the_next_win_must_say(duties: list[tuple[Any, int | None]], asks: tuple[str, ...]) -> None:
    state = HandState({}, tuple(ChairDuty(at, wins, draws) for at, (wins, draws) in enumerate(duties)))
    assert state.asks == asks
    assert [list(state.duties_of(chair)) for chair in range(2)] == [[duty] for duty in state.duties[:2]] + [[]] * (
        2 - len(duties)
    )


def test_marks_and_duties_follow_the_chairs() -> None:
    session = Evening("common").game.session
    first = {"east": 1, "marks": {"E": ["dead"]}, "duties": [{"who": "S", "wins": "every", "draws": 2}]}
    state = FRESH.after(session, first)
    assert state == HandState({1: ("dead",)}, (ChairDuty(2, "every", 2),))  # type: ignore[arg-type]
    again = state.after(
        session, {"east": 0, "marks": {"N": []}, "duties": [{"who": "E", "wins": "every", "draws": None}]}
    )
    assert again.marks == {3: ()}
    assert [duty.chair for duty in again.duties] == [2, 0]
    assert state.marks_at(session, 0) == {"S": ["dead"]}
    duty = state.duties[0].at(session, 0, 4)
    assert (duty.who, duty.draws, duty.since) == ("W", 2, 4)


BROKEN = {"start": [0, 3], "tail": [[0, 2], [3, 1]], "side": 0, "stays": 2}


def test_the_walls_are_marked_where_they_are_broken() -> None:
    boxes = picture("甲乙丙丁", broken=BROKEN).boxes
    assert len(boxes) == 72
    walls = [boxes[start : start + 18] for start in range(0, 72, 18)]
    assert [box.kind for box in walls[0][:4]] == ["stays", "tail", "start", "wall"]
    assert [box.kind for box in walls[3][:2]] == ["tail", "wall"]
    assert {box.kind for box in walls[1]} == {"wall"}
    assert [box.number for box in walls[2]] == list(range(1, 19))
    assert picture("甲乙丙丁").boxes == ()


def test_the_first_stack_is_at_its_owner_s_right_hand() -> None:
    """Chair 0 sits below, then counter-clockwise; walls lie on a square."""
    boxes = picture("甲乙丙丁", broken=BROKEN).boxes
    first, begin, far = boxes[::18], (SIDE_PIXELS - 18 * LONG) / 2, SIDE_PIXELS - NEAR - THICK
    end = SIDE_PIXELS - begin - LONG
    assert [(box.x, box.y) for box in first] == [(end, far), (far, begin), (begin, NEAR), (NEAR, end)]
    assert [(box.width, box.height) for box in first] == [(LONG, THICK), (THICK, LONG)] * 2
    second = boxes[1::18]
    steps = [(b.x - a.x, b.y - a.y) for a, b in zip(first, second, strict=True)]
    assert steps == [(-LONG, 0), (0, LONG), (LONG, 0), (0, -LONG)]


def test_names_beside_the_walls() -> None:
    names = ["abcdefg", "王小明", "王小明", "王小明先生"]
    labels = picture(names, ("E", "S", "W", "N"), dealer=1).labels
    assert [label.name for label in labels] == ["abcde", "王小明", "王小明", "王小明先生"]
    assert [label.dealer for label in labels] == [False, True, False, False]
    assert [label.narrow for label in labels] == [False, True, False, True]
    assert [label.squeezed for label in labels] == [None, None, None, NEAR - 6]
    assert [label.wind for label in labels] == ["E", "S", "W", "N"]
    middle = SIDE_PIXELS / 2
    assert [(label.x, label.y) for label in labels] == [(middle, 326), (330, middle), (middle, 30), (30, middle)]
    assert 3 * EM < NEAR - 6 < 5 * EM * 0.6 + EM
    wide = picture(["x", "abcdefgh", "x", "一二三x"]).labels
    assert [label.squeezed for label in wide] == [None, None, None, 54]


def test_dice_and_winds() -> None:
    thrown = [throw(3) for _ in range(200)]
    assert {len(dice) for dice in thrown} == {3}
    assert {die for dice in thrown for die in dice} == {1, 2, 3, 4, 5, 6}
    assert faces((1, 6)) == "⚀ ⚅"
    assert sorted(shuffled_winds()) == ["E", "N", "S", "W"]
