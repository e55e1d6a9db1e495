"""A win from a table photo: the board of the winner's tiles, and the record that keeps photo and zones."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.unit.webui.support.records_kit import entries, store_of
from tests.unit.webui.support.whole_tables import TABLE_SIZE, WON, Row, TableReader, record_won, state_of_rows, table_of
from vision.layout.table.counts import count_players
from vision.layout.table.zones import Side
from webui import create_app
from webui.board.codec import from_state, to_state
from webui.board.limits import BoardError
from webui.store.upkeep.verify import verify
from webui.whole_table.fed import winning_discard
from webui.whole_table.panel import view_of
from webui.whole_table.winning_hand import board_of_side, zones_of


def test_the_winners_tiles_are_proposed_in_their_groups() -> None:
    state = state_of_rows(*WON)
    assert view_of(state, "zh").winners == (2,)
    board = board_of_side(state, 2, ("甲", "乙", "丙", "丁"))
    groups = {group: [tile.tile for tile in board.tiles if tile.group == group] for group in ("winning", "meld:1")}
    assert groups == {"winning": ["9s"], "meld:1": ["5s"] * 3}
    assert [tile.tile for tile in board.tiles if tile.group == "flowers"] == ["1f"]
    assert sum(tile.group == "concealed" for tile in board.tiles) == 13
    assert board.kinds == {1: "pung"}
    assert [note.code for note in board.notes] == ["from_table"]
    assert not any(tile.settled or tile.placed for tile in board.tiles)
    assert from_state(to_state(board)) == replace(board, context=from_state(to_state(board)).context)


def test_a_hand_in_one_row_leaves_the_winning_tile_to_be_asked() -> None:
    board = board_of_side(state_of_rows((WON[0][0] + " 9s", "hand", 0)), 0, ("", "", "", ""))
    assert {tile.group for tile in board.tiles} == {"concealed"}


APART: tuple[Row, ...] = (
    ("1m 2m 3m 4m 5m 6m 7m 8m 9m 1p 2p 3p 9s", "hand", 2), ("5s 5s 5s", "melds", 2),
    ("4p 7p 2z", "river", 1), ("9s", "river", 1), ("9s 9s 9s", "melds", 3),
)  # fmt: skip


def test_a_discard_that_lies_apart_is_proposed_and_whose_it_was_is_asked() -> None:
    board = board_of_side(state_of_rows(*APART[:-1]), 2, ("甲", "乙", "丙", "丁"))
    assert [tile.tile for tile in board.tiles if tile.group == "winning"] == ["9s"]
    assert [note.code for note in board.notes] == ["from_table", "table_apart"]
    assert "乙" in board.notes[1].texts["zh"]
    assert board.context.discarder is None


def test_a_discard_that_lies_turned_is_proposed() -> None:
    detections, table = table_of(*APART[:2], ("4p 7p 2z 9s", "river", 1))
    players = count_players(detections, table, TABLE_SIZE)
    turned = replace(table, spots=(*table.spots[:-1], replace(table.spots[-1], across=-9.0)))
    assert winning_discard(detections, table, players[2]) is None
    assert winning_discard(detections, turned, players[2]) == len(detections) - 1


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param((*APART[:2], ("4p 7p 2z 9s", "river", 1)), id="in-the-row"),
        pytest.param((*APART[:2], ("4p 7p 2z", "river", 1), ("8s", "river", 1)), id="no-wait"),
        pytest.param((*APART[:2], ("9s", "river", 2)), id="own"),
        pytest.param((*APART[:2], ("9s", "river", 1), ("9s", "river", 3)), id="two"),
        pytest.param((*APART[:2], ("9s", "river", None)), id="heap"),
        pytest.param((("1m 2m 3m 4m 5m 6m 7m 8m 9m 1p 2p 3p 9s 9s", "hand", 2), *APART[1:4]), id="seventeen"),
    ],
)
def test_no_other_discard_is_proposed(rows: tuple[Row, ...]) -> None:
    board = board_of_side(state_of_rows(*rows), 2, ("", "", "", ""))
    assert not [tile for tile in board.tiles if tile.group == "winning"]
    assert [note.code for note in board.notes] == ["from_table"]


@pytest.mark.parametrize(("side", "code"), [(3, "9s"), (1, "9s"), (3, "8s")])
def test_a_pung_of_the_winning_tile_may_have_become_a_kong_that_was_robbed(side: Side, code: str) -> None:
    rows = (*WON[:2], *WON[3:], (f"{code} {code} {code}", "melds", side))
    notes = board_of_side(state_of_rows(*rows), 2, ("", "", "", "")).notes
    assert ("table_robbed" in [note.code for note in notes]) == (code == "9s")


def test_a_side_with_hidden_tiles_is_no_winner() -> None:
    assert view_of(state_of_rows((" ".join(["back"] * 16), "rack", 1)), "zh").winners == ()
    melds: list[Row] = [(f"{rank}s {rank}s {rank}s", "melds", 1) for rank in range(1, 6)]
    assert view_of(state_of_rows(*melds), "zh").winners == ()
    assert view_of(state_of_rows(*melds, ("2z 2z", "hand", 1)), "zh").winners == (1,)


@pytest.mark.parametrize(
    "change",
    [
        {"shot": 1},
        {"names": ["a"]},
        {"tiles": [["1m", [0, 0, 1, 1], "roof", 0]]},
        {"tiles": [["1m", [0, 0], "river", 0]]},
    ],
)
def test_zones_that_the_page_did_not_write_are_refused(change: dict[str, object]) -> None:
    text = json.loads(to_state(board_of_side(state_of_rows(*WON), 2, ("", "", "", ""))))
    text["table"] |= change
    with pytest.raises(BoardError):
        from_state(json.dumps(text))


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_record_keeps_photo_and_zones(lang: str, tmp_path: Path, jpeg: bytes) -> None:
    app = create_app({"READER": TableReader(1), "DATA": str(tmp_path)})
    client = app.test_client()
    client.set_cookie("lang", lang)
    answer = record_won(client, jpeg)
    assert answer.status_code == 303, answer.get_data(as_text=True)[-3000:]
    (entry,) = entries(app, "record")
    assert entry.content["photos"][0]["sha256"]
    assert entry.content["table"]["names"][2]
    tiles = len(state_of_rows(*WON).tiles)
    assert len(entry.content["table"]["tiles"]) == tiles
    assert ("melds", 2, ("5s", "5s", "5s")) in zones_of(entry.content["table"])
    record = client.get(f"/records/{entry.id}").get_data(as_text=True)
    assert record.count('class="box of-') == tiles
    assert "whole." not in record.replace("whole.css", "")
    report = verify(store_of(app))
    assert (report.whole, report.photos, report.findings) == (True, 1, ())
    store_of(app).close()
