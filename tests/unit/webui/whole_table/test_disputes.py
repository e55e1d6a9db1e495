"""問裁判 from a table photo: what fills a sheet, what is only shown, and 相公 where a hand can be counted."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.unit.webui.support.records_kit import open_table, store_of
from tests.unit.webui.support.whole_tables import TABLE_SIZE as SIZE
from tests.unit.webui.support.whole_tables import Row, TableReader, state_of_rows, table_of
from vision.detection.types import Detection
from vision.layout.table.counts import Player, count_players
from vision.layout.table.whole import WholeTable
from webui import create_app
from webui.whole_table.disputes import Dispute, disputes_of
from webui.whole_table.state import to_text

HAND = "1m 1m 2m 3m 4m 5m 6m 7m 8m 9m 1p 2p 3p"
"""With a pung it waits for 1m 4m 7m."""


def sheets_of(*rows: Row, share: float = 1.0) -> dict[str, Dispute]:
    detections, table = table_of(*rows, share=share)
    players = count_players(detections, table, SIZE)
    return {sheet.incident: sheet for sheet in disputes_of(detections, table, players)}


def test_a_missed_win_shows_waits_and_the_river_that_has_one() -> None:
    sheet = sheets_of((HAND, "hand", 0), ("5s 5s 5s", "melds", 0), ("9s 4m 2z", "river", 1))["missed_win"]
    assert sheet.who == 0
    assert sheet.fields == {"f_waits": "147m", "f_passed": "4m"}
    facts = [(fact.kind, fact.codes, fact.side, fact.number, fact.places) for fact in sheet.facts]
    assert facts[1:] == [
        ("river_none", ("1m",), None, 0, ()),
        ("river_has", ("4m",), 1, 1, (17,)),
        ("river_none", ("7m",), None, 0, ()),
    ]


@pytest.mark.parametrize(
    "rivers",
    [
        pytest.param([("4m", "river", 1), ("7m", "river", 2)], id="two-kinds"),
        pytest.param([("4m", "river", 0)], id="own-river"),
        pytest.param([("4m", "river", None)], id="heap"),
        pytest.param([("9s", "river", 1)], id="none"),
    ],
)
def test_which_tile_was_passed_is_asked_if_it_is_not_plain(rivers: list[Row]) -> None:
    sheet = sheets_of((HAND, "hand", 0), ("5s 5s 5s", "melds", 0), *rivers)["missed_win"]
    assert "f_passed" not in sheet.fields
    assert sheet.fields["f_waits"] == "147m"


def test_no_waits_are_said_of_a_hand_that_is_not_ready_or_not_counted() -> None:
    assert "missed_win" not in sheets_of((HAND, "hand", 0), ("4m", "river", 1))
    assert "missed_win" not in sheets_of((HAND.replace("9m", "back"), "hand", 0), ("5s 5s 5s", "melds", 0))
    assert not sheets_of((HAND, "hand", 0), ("5s 5s 5s", "melds", 0), share=0.9).get("missed_win")


def test_liability_names_the_winner_and_whole_melds() -> None:
    won = HAND + " 4m"
    sheet = sheets_of((won, "hand", 2), ("5s 5s 5s", "melds", 2))["responsibility"]
    assert (sheet.who, dict(sheet.seats), sheet.fields) == (None, {"f_winner": 2}, {"f_melds": "5s5s5s"})
    hidden = sheets_of((won, "hand", 2), ("back 5s 5s back", "melds", 2))["responsibility"]
    assert hidden.fields == {}
    assert hidden.facts[0].open


def test_a_discard_that_lies_apart_is_shown_with_liability_and_fills_nothing() -> None:
    rows: list[Row] = [(HAND, "hand", 2), ("5s 5s 5s", "melds", 2), ("9p 2z", "river", 1), ("4m", "river", 1)]
    sheet = sheets_of(*rows)["responsibility"]
    assert (sheet.fields, dict(sheet.seats)) == ({"f_melds": "5s5s5s"}, {"f_winner": 2})
    assert [(fact.kind, fact.codes, fact.side) for fact in sheet.facts] == [
        ("melds", ("5s", "5s", "5s"), 2),
        ("apart", ("4m",), 1),
    ]
    assert "responsibility" not in sheets_of(*rows[:2], ("9p 2z 4m", "river", 1))


def test_discards_are_counted_for_a_wrong_discard_and_the_wall_is_never_filled_in() -> None:
    sheets = sheets_of(("9s 4m 2z", "river", 3), ("1p 2p 3p", "melds", 3), ("back back", "wall", 1))
    wrong, wall = sheets["wrong_meld_discard"], sheets["end_of_wall"]
    assert (wrong.who, [(fact.kind, fact.number) for fact in wrong.facts]) == (3, [("river", 3), ("melds", 3)])
    assert (wall.fields, [(fact.side, fact.number) for fact in wall.facts]) == ({}, [(1, 2)])


def test_of_no_table_nothing_is_said() -> None:
    detections, table = table_of((HAND, "hand", 0), ("5s 5s 5s", "melds", 0))
    players = count_players(detections, table, SIZE)
    assert disputes_of(detections, replace(table, in_play=False), players) == ()


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_from_the_photo_to_a_filled_sheet(lang: str, tmp_path: Path) -> None:
    app = create_app({"READER": TableReader(1), "DATA": str(tmp_path)})
    client = app.test_client()
    client.set_cookie("lang", lang)
    client.set_cookie("rules", "luohan")
    open_table(client)
    fields = {
        "state": to_text(state_of_rows((HAND, "hand", 0), ("5s 5s 5s", "melds", 0), ("4m", "river", 1))),
        "near": "3",
    }
    page = unescape(client.post("/whole", data=fields, follow_redirects=True).get_data(as_text=True))
    assert "whole." not in re.sub(r"whole\.css", "", page)
    address = re.search(r'href="(/table/incident/missed_win[^"]+)"', page)
    assert address is not None
    asked = parse_qs(urlsplit(address[1]).query)
    assert asked == {"who": ["3"], "f_waits": ["147m"], "f_passed": ["4m"]}
    answer = client.get(address[1])
    assert answer.status_code == 200
    store_of(app).close()


CASES = tuple((3 * melds, tiles, first) for melds in range(5) for tiles in (15, 17) for first in (0, 1))
"""Twenty hands: tiles of their melds, all of their tiles, and the first of TILES."""
TILES = "1m 1m 2m 3m 4m 5m 6m 7m 8m 9m 1p 2p 3p 4p 5p 6p 7p 9p"
MELDS = ("5s 5s 5s", "7s 7s 7s", "1z 1z 1z", "2z 2z 2z")


@pytest.mark.parametrize(("melded", "number", "first"), CASES)
def test_a_dead_hand_is_told_where_it_can_be_counted(melded: int, number: int, first: int) -> None:
    """And never where a tile is hidden, doubtful, cut or may be missing."""
    hand = " ".join(TILES.split()[first:][: number - melded])
    rows: list[Row] = [(hand, "hand", 0), *((meld, "melds", 0) for meld in MELDS[: melded // 3])]
    detections, table = table_of(*rows)
    player = count_players(detections, table, SIZE)[0]
    assert (player.tiles, player.verdict) == (number, "short" if number == 15 else "over")
    for uncountable in (
        near([replace(detections[0], tile="back"), *detections[1:]], table),
        near([replace(detections[0], confidence=0.6), *detections[1:]], table),
        near([replace(detections[0], box=(0.5, 1, 43, 57)), *detections[1:]], table),
        near(detections, replace(table, spots=(replace(table.spots[0], x=-0.6), *table.spots[1:]))),
        near(detections, replace(table, in_play=False)),
    ):
        assert (uncountable.tiles, uncountable.verdict) == (None, None)


def near(detections: list[Detection], table: WholeTable) -> Player:
    return count_players(detections, table, SIZE)[0]
