"""A win from a table photo: the board of the winner's tiles, and the record that keeps photo and zones."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.unit.webui.support.records_kit import entries, store_of
from tests.unit.webui.support.whole_tables import WON, Row, TableReader, record_won, state_of_rows
from webui import create_app
from webui.board.codec import from_state, to_state
from webui.board.limits import BoardError
from webui.store.upkeep.verify import verify
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
