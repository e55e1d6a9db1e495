"""Moves as values: undo and redo, drawn boxes, the circled hand, notes, further photos, what if."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.hands.hand import MELD_KINDS
from scoring.tiles import CODES
from vision.detection.types import Detection
from vision.layout.grouping import arrange
from vision.reading.reading import understand
from webui.board.codec import from_state, to_state
from webui.board.corrections import (
    Draw,
    Drop,
    Kind,
    Look,
    Meld,
    Move,
    Name,
    Only,
    Put,
    PutMeld,
    Win,
    format_corrections,
    parse,
    place_after,
)
from webui.board.editing import apply_all, perform, redo, undo
from webui.board.limits import BoardError
from webui.board.panels.answer.what_if import applied, changed, switches_of, view
from webui.board.panels.reading.group_offers import offers_for
from webui.board.panels.reading.warnings import suggested_fixes, warning_views
from webui.board.photos.merge import merged
from webui.board.state import Board, BoardPhoto, BoardTile, EditHistory
from webui.i18n import Texts

SIZE = (1600, 1200)


def laid(group: str, codes: str, y: float, shot: int = 0, x: float = 100) -> list[BoardTile]:
    """Tiles side by side in a photo."""
    return [
        BoardTile(code, group, (x + 62 * at, y, x + 60 + 62 * at, y + 80), 0.99, (), code, shot=shot)
        for at, code in enumerate(codes.split())
    ]


def board(*tiles: BoardTile, shots: int = 1, kinds: dict[int, str] | None = None) -> Board:
    """A board of photos with these tiles."""
    more = tuple(BoardPhoto("ab", f"{number}.jpg", SIZE) for number in range(1, shots))
    return Board("ab", "0.jpg", SIZE, tiles, kinds or {}, more=more, past=EditHistory(tiles, kinds or {}))


HAND = board(
    *laid("concealed", "2m 3m 4m 5p 6p 7p 3s 4s", 700),
    *laid("winning", "5s", 700, x=900),
    *laid("concealed", "1z 1z", 700, x=1100),
    *laid("meld:1", "5m 5m 5m", 400),
    *laid("meld:2", "7z 7z 7z", 400, x=500),
    *laid("flowers", "1f 6f", 400, x=900),
    kinds={1: "pung", 2: "pung"},
)

MOVES = st.one_of(
    st.builds("set:{}:{}".format, st.integers(0, 18), st.sampled_from(CODES)),
    st.builds(
        "move:{}:{}".format,
        st.integers(0, 18),
        st.sampled_from(["concealed", "winning", "other", "meld:new", "meld:1"]),
    ),
    st.builds("put:{}".format, st.sampled_from(CODES)),
    st.builds("drop:{}".format, st.integers(0, 10)),
    st.builds("kind:1:{}".format, st.sampled_from(["kong", "concealed_kong"])),
    st.just("only:0:0,600,1600,600,1600,1200,0,1200"),
    st.just("drawn:0:300,100,360,180:9m:812:9p=100,8m=50"),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(MOVES, min_size=1, max_size=8))
def test_undo_and_redo_lead_back_and_forth(moves: list[str]) -> None:
    steps = [HAND]
    for move in moves:
        try:
            steps.append(perform(steps[-1], move)[0])
        except BoardError:
            continue
    after = steps[-1]
    for expected in reversed(steps[:-1]):
        after = undo(from_state(to_state(after)))
        assert (after.tiles, after.kinds) == (expected.tiles, expected.kinds)
    assert undo(after) == after
    for expected in steps[1:]:
        after = redo(from_state(to_state(after)))
        assert (after.tiles, after.kinds) == (expected.tiles, expected.kinds)
    assert redo(after) == after


def test_a_new_move_forgets_what_was_taken_back() -> None:
    moved, _ = perform(HAND, "set:0:9m")
    back, _ = perform(moved, "undo")
    assert back.past.undone == ((Name(0, "9m"),),)
    other, _ = perform(back, "set:1:9m")
    assert other.past.undone == ()


def test_the_oldest_moves_become_the_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webui.board.editing.MOST_STEPS", 3)
    now = HAND
    for code in ("1m", "2m", "3m", "4m", "5m"):
        now, _ = perform(now, f"set:0:{code}")
    assert len(now.past.steps) == 3
    for code in ("4m", "3m", "2m"):
        now = undo(now)
        assert now.tiles[0].tile == code
    assert undo(now) == now


def test_several_changes_at_one_tap_are_one_move() -> None:
    changed_board, _ = perform(HAND, "set:0:9m+set:1:8m")
    assert [tile.tile for tile in changed_board.tiles[:2]] == ["9m", "8m"]
    assert undo(changed_board).tiles == HAND.tiles


@pytest.mark.parametrize(
    "move",
    [
        *("drawn:0:1,2,3:5m:900", "drawn:1:1,2,30,40:5m:900", "drawn:0:30,2,3,40:5m:900", "drawn:0:1,2,30,40:0m:900"),
        *("drawn:0:1,2,30,40:5m:1001", "drawn:0:1,2,30,40:5m:900,0z=3", "only:0:1,2,3,4", "only:1:0,0,9,0,9,9"),
        *(
            "only:0:0,0,9,0,9,9,1",
            "only:0:" + "1,1," * 120 + "1,1",
            "set:0:5m+",
            "set:0:5m+x",
            "undo:1x+",
            "put:5m:there",
        ),
    ],
)
def test_what_is_no_move_is_refused(move: str) -> None:
    with pytest.raises(BoardError):
        apply_all(HAND, parse(move))


@pytest.mark.parametrize(
    ("box", "group"),
    [
        ((225.0, 400.0, 285.0, 480.0), "meld:1"),  # the fourth of a pung
        ((160.0, 790.0, 220.0, 870.0), "concealed"),
        ((1000.0, 400.0, 1060.0, 480.0), "concealed"),  # flowers lie next to flowers only
        ((100.0, 1100.0, 160.0, 1180.0), "concealed"),
    ],
)
def test_a_drawn_tile_joins_its_neighbours(box: Any, group: str) -> None:
    move = str(Draw(0, box, "5m", 0.81, (("6p", 0.1),)))
    after, sheet = perform(HAND, move)
    added = after.tiles[-1]
    assert (added.tile, added.group, added.box, added.confidence) == ("5m", group, box, 0.81)
    assert added.others == (("6p", 0.1),)
    assert sheet is not None
    assert sheet.tile == len(HAND.tiles)


def test_outside_the_line_is_aside_and_inside_is_sorted_anew() -> None:
    strange = board(
        *laid("concealed", "1m 2m 3m", 1000),
        *laid("other", "2m 3m 4m 5p 6p 7p 3s 4s 5s 1z 1z", 700),
        *laid("other", "5m 5m 5m", 400),
        *laid("other", "7z 7z 7z", 400, x=600),
    )
    after, _ = perform(strange, "only:0:0,300,1600,300,1600,900,0,900")
    assert [tile.group for tile in after.tiles[:3]] == ["other"] * 3
    assert [tile.group for tile in after.tiles[3:14]].count("concealed") >= 10
    assert {tile.group for tile in after.tiles[14:]} == {"meld:1", "meld:2"}
    assert after.kinds == {1: "pung", 2: "pung"}
    plain, _ = perform(HAND, "only:0:0,300,1600,300,1600,900,0,900")
    assert plain.tiles == HAND.tiles  # all of it is inside the line, as a person left it


def test_notes_follow_the_board() -> None:
    assert warning_views(HAND, "zh") == []
    five, _ = perform(HAND, "set:0:5m")
    five, _ = perform(five, "set:1:5m")
    (many,) = [view for view in warning_views(five, "zh") if "5 張" in view.text]
    assert {five.tiles[place].tile for place in many.tiles} == {"5m"}
    assert warning_views(undo(undo(five)), "zh") == []


def test_places_follow_what_was_taken_away() -> None:
    after, _ = perform(HAND, "drop:3")
    after, _ = perform(after, "set:0:9m+drop:1")
    assert [place_after(after.past.steps, first) for first in range(6)] == [0, None, 1, None, 2, 3]


def test_a_suggestion_goes_when_a_tile_was_looked_at() -> None:
    state = json.loads(to_state(HAND))
    state["suggestions"] = [[[[2, "4s"], [1, "3s"]], {"zh": "也可能", "en": "may be"}]]
    offered = from_state(json.dumps(state))
    (offer,) = suggested_fixes(offered, "zh")
    assert offer.correction == "set:2:4s+set:1:3s"
    assert offer.changes == (("4m", "4s"), ("3m", "3s"))
    moved, _ = perform(offered, "drop:0")
    assert suggested_fixes(moved, "zh")[0].correction == "set:1:4s+set:0:3s"
    looked, _ = perform(offered, "set:1:3m")
    assert suggested_fixes(looked, "zh") == []


def reading(*rows: list[BoardTile]) -> Any:
    """A reading of tiles as they lie."""
    detections = [Detection(box.tile, box.box, 0.97, ()) for row in rows for box in row if box.box]
    return understand(detections, arrange(detections, SIZE), SIZE)


def test_another_photo_brings_its_tiles_and_changes_no_word_of_a_person() -> None:
    first = board(*laid("concealed", "2m 3m 4m 5p 6p 7p 3s 4s 5s 1z 1z", 700))
    first, _ = perform(first, "set:0:9m")
    first, _ = perform(first, "put:8f", into="flowers")
    second = reading(laid("", "5m 5m 5m", 300), laid("", "7z 7z 7z", 300, x=700), laid("", "1f", 900))
    after = merged(first, [second], [BoardPhoto("cd", "1.jpg", SIZE)])
    assert [shot.photo for shot in after.shots] == ["ab", "cd"]
    right = next(tile for tile in after.tiles if tile.tile == "9m")
    assert (right.settled, right.was, right.shot) == (True, "2m", 0)
    assert {tile.tile for tile in after.tiles if tile.meld} == {"5m", "7z"}
    assert {tile.shot for tile in after.tiles if tile.meld} == {1}
    assert {tile.tile for tile in after.in_group("flowers") for tile in (tile[1],)} == {"1f", "8f"}
    assert len(after.tiles) == 19


def test_groups_that_a_person_moved_stay() -> None:
    first = board(*laid("concealed", "2m 3m 4m 5p 6p 7p 3s 4s 5s 1z 1z 9m 9m 9m", 700))
    first, _ = perform(first, "move:11:meld:new+move:12:meld:1+move:13:meld:1")
    after = merged(first, [reading(laid("", "7z 7z 7z", 300))], [BoardPhoto("cd", "1.jpg", SIZE)])
    groups = {tile.tile: tile.group for tile in after.tiles}
    assert groups["9m"] == "meld:1"
    assert groups["7z"] in ("meld:2", "concealed")  # three tiles alone on a photo say little
    assert sum(tile.group == "concealed" for tile in after.tiles if tile.shot == 0) == 11


PLACES = st.lists(st.integers(0, 199), min_size=1, max_size=5, unique=True).map(tuple)
GROUPS = st.sampled_from(["concealed", "winning", "flowers", "other", "meld:1", "meld:new"])
TILES, KINDS = st.sampled_from(CODES), st.sampled_from(MELD_KINDS)
POINTS = st.tuples(st.integers(-99_999, 99_999), st.integers(-99_999, 99_999))
SHARE = st.integers(0, 1000).map(lambda value: value / 1000)
CORRECTIONS = st.one_of(
    st.builds(Name, st.integers(0, 199), TILES),
    st.builds(Look, PLACES),
    st.builds(Move, PLACES, GROUPS),
    st.builds(Meld, PLACES, KINDS),
    st.builds(Win, st.integers(0, 199)),
    st.builds(Drop, st.integers(0, 199)),
    st.builds(Put, TILES, GROUPS),
    st.builds(PutMeld, KINDS, TILES),
    st.builds(Kind, st.integers(1, 9), KINDS),
    st.builds(
        Draw,
        st.integers(0, 7),
        st.just((10.0, 20.0, 50.0, 80.0)),
        TILES,
        SHARE,
        st.lists(st.tuples(TILES, SHARE), max_size=3).map(tuple),
    ),
    st.builds(Only, st.integers(0, 7), st.lists(POINTS, min_size=3, max_size=9).map(tuple)),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(CORRECTIONS, min_size=1, max_size=4).map(tuple))
def test_corrections_are_read_as_they_are_written(corrections: tuple[Any, ...]) -> None:
    assert parse(format_corrections(corrections)) == corrections


def test_three_tiles_are_called_at_one_tap_and_taken_back_whole() -> None:
    offers = {offer.label: offer for offer in offers_for(HAND, 0)}
    assert offers["chow"].tiles == ("2m", "3m", "4m")
    called, _ = perform(HAND, offers["chow"].correction)
    assert [tile.tile for tile in called.tiles if tile.meld == 3] == ["2m", "3m", "4m"]
    assert called.kinds[3] == "chow"
    back = {offer.label: offer for offer in offers_for(called, 0)}["to_hand"]
    again, _ = perform(called, back.correction)
    assert [tile.group for tile in again.tiles] == [tile.group for tile in HAND.tiles]
    assert all(again.tiles[place].placed for place in range(3))
    kong, _ = perform(HAND, "call:concealed_kong:9p")
    assert {offer.label for offer in offers_for(kong, len(kong.tiles) - 1)} >= {"kong", "added_kong", "to_hand"}


def test_a_hand_is_entered_with_eighteen_taps() -> None:
    """The start button, 吃 and 碰 with one tile each, two flowers, eleven closed tiles; the last one wins."""
    taps, now, into = 1, Board(), "concealed"
    sheet: Any = None
    for tap in "chow 3m pung 7z 1f 6f 2p 3p 4p 5s 6s 7s 1m 2m 3m 9s 9s".split():  # noqa: SIM905
        taps += 1
        if tap in ("chow", "pung"):
            now, sheet = perform(now, f"add:{tap}")
        else:
            now, sheet = perform(now, f"put:{tap}", into)
        into = sheet.into if sheet else ""
    assert taps == 18
    assert sheet is None  # it closes by itself
    assert [tile.tile for tile in now.tiles if tile.group == "winning"] == ["9s"]
    assert sorted(tile.tile for tile in now.tiles if tile.meld == 1) == ["3m", "4m", "5m"]
    taken, sheet = perform(now, "back")
    assert sheet is not None
    assert len(taken.tiles) == len(now.tiles) - 1


class Form(dict[str, Any]):
    """A submitted form."""

    def getlist(self, key: str) -> list[Any]:
        values = self.get(key, [])
        return values if isinstance(values, list) else [values]


REQUEST = {
    "rules": "luohan",
    "concealed": "234m567p345s11z",
    "flowers": "1f6f",
    "winning_tile": "5s",
    "win": "self_draw",
    "melds": [{"kind": "pung", "tiles": "555m"}, {"kind": "pung", "tiles": "777z"}],
    "seat": "E",
    "round": "E",
    "dealer": "S",
    "streak": 0,
    "events": [],
}


@pytest.mark.parametrize(
    ("switches", "key", "value"),
    [
        ((("win", "discard"),), "discarder", "S"),
        ((("win", "discard"), ("discarder", "N")), "discarder", "N"),
        ((("win", "discard"), ("discarder", "N"), ("seat", "N")), "discarder", "E"),
        ((("event", "last_tile"),), "events", ["last_tile"]),
        ((("flower", "1f"), ("flower", "3f")), "flowers", "36f"),
        ((("streak", "2"),), "streak", 2),
    ],
)
def test_switches_change_a_request_that_can_be(switches: tuple[tuple[str, str], ...], key: str, value: object) -> None:
    from scoring import answer

    asked = changed(REQUEST, list(switches))
    assert asked[key] == value
    assert "error" not in answer(asked)


def test_the_differences_are_those_of_the_rules() -> None:
    from scoring import answer

    texts = Texts("zh")
    chosen = switches_of(Form(if_win="discard", if_flower=["3f"], if_event=["heavenly_win"], if_seat=""))
    assert chosen == (("win", "discard"), ("event", "heavenly_win"), ("flower", "3f"))
    shown = view(REQUEST, chosen, answer, texts)
    assert shown is not None
    assert shown.result is not None
    assert "heavenly_win" not in {option.value for option in shown.groups["event"]}  # melds exclude it
    then = answer(changed(REQUEST, [("win", "discard"), ("flower", "3f")]))
    assert (shown.result.tai, shown.result.points) == (
        then["tai"],
        sum(transfer["points"] for transfer in then["transfers"]),
    )
    assert shown.result.tai_difference == then["tai"] - answer(REQUEST)["tai"]
    for key, options in shown.groups.items():
        for option in options:
            alone = answer(changed(REQUEST, [(key, option.value)]))
            assert option.tai == alone["tai"] - answer(REQUEST)["tai"], (key, option.value)


def test_switches_are_made_real() -> None:
    after = applied(
        HAND, (("win", "discard"), ("discarder", "N"), ("flower", "3f"), ("flower", "1f"), ("winning_tile", "2m"))
    )
    assert (after.context.win, after.context.discarder) == ("discard", "N")
    assert {tile.tile for _, tile in after.in_group("flowers")} == {"3f", "6f"}
    assert [tile.tile for _, tile in after.in_group("winning")] == ["2m"]
    for bad in (("win", "x"), ("seat", "Q"), ("event", "y"), ("dealer", "")):
        with pytest.raises(BoardError):
            applied(HAND, (bad,))
