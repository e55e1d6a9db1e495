"""A reader that reads every photo as a made table in play, whose truth is known."""

from __future__ import annotations

import io
import random
from dataclasses import dataclass, replace
from html import unescape
from typing import Protocol

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.unit.webui.support.records_kit import hidden
from vision.detection.types import Detection
from vision.layout.grouping import TableLayout
from vision.layout.table.plane import Spot
from vision.layout.table.whole import WholeTable, ZonedTile
from vision.layout.table.zones import Side, Zone
from vision.reading.checks import hand_of
from vision.reading.reading import Reading
from vision.training.synthetic.whole_table.laying import lay_table
from vision.training.synthetic.whole_table.photos import TruthTile, boxes_alone, choose_view
from webui.whole_table.state import TableState, from_text, to_text

SIZE = (1000, 300)
"""Of the photo that the tests send."""


class Sized(Protocol):
    """A photo, of which only the size is asked."""

    @property
    def size(self) -> tuple[int, int]: ...


@dataclass(frozen=True)
class TableReader:
    """Reads every photo as the table that ``seed`` makes; ``changes`` are put in the place of its tiles."""

    seed: int
    changes: tuple[tuple[int, Detection], ...] = ()

    @property
    def truth(self) -> list[TruthTile]:
        """The tiles of the table."""
        rng = random.Random(self.seed)
        plan, view = lay_table(rng), choose_view(rng)
        return boxes_alone(plan, view.camera)

    def read(self, photo: Sized) -> Reading:
        """The table, whatever the photo shows."""
        rng = random.Random(self.seed)
        _, view = lay_table(rng), choose_view(rng)
        detections = [Detection(tile.code, tile.box) for tile in self.truth]
        for place, detection in self.changes:
            detections[place] = detection
        layout = TableLayout(0.0, (), ())
        ms = {"decode": 1.0, "detect": 2.0, "layout": 0.0, "total": 3.0}
        return Reading(view.camera.size, tuple(detections), layout, hand_of([], layout), ms=ms)


TABLE_SIZE = (1600, 1600)
"""Of the photo of tables made of rows."""
Row = tuple[str, Zone, Side | None]


def table_of(*rows: Row, share: float = 1.0) -> tuple[list[Detection], WholeTable]:
    """Rows of tiles without gaps, far from each other; ``share``: confidence of every zone."""
    detections, tiles, spots = [], [], []
    for number, (codes, zone, side) in enumerate(rows):
        for at, code in enumerate(codes.split()):
            x, y = 100.0 + 45 * at, 100.0 + 150 * number
            detections.append(Detection(code, (x, y, x + 43, y + 57)))
            tiles.append(ZonedTile(zone, share, side, share, number))
            spots.append(Spot(0.75 * at, 3.0 * number, 9.0))
    return detections, WholeTable(tuple(tiles), True, False, tuple(spots))


def state_of_rows(*rows: Row) -> TableState:
    """The same tiles as the page holds them, every zone said by a person."""
    detections, table = table_of(*rows)
    zones = {at: (tile.zone, tile.side) for at, tile in enumerate(table.tiles)}
    return TableState("ab12", "a.jpg", TABLE_SIZE, tuple(detections), zones)


WON: tuple[Row, ...] = (
    ("1m 2m 3m 4m 5m 6m 7m 8m 9m 1p 2p 3p 9s", "hand", 2), ("9s", "hand", 2), ("5s 5s 5s", "melds", 2),
    ("1f", "flowers", 2), ("4p 7p 2z", "river", 1),
)  # fmt: skip
"""A table on whose far side a hand has won."""


def record_won(client: FlaskClient, jpeg: bytes) -> TestResponse:
    """The answer to recording that win from a photo."""
    client.set_cookie("rules", "luohan")
    sent = {"photo": (io.BytesIO(jpeg), "a.jpg")}
    page = unescape(client.post("/whole", data=sent, follow_redirects=True).get_data(as_text=True))
    photo = from_text(page.split('name="state" value="')[1].split('">')[0]).photo
    shown: TableState = replace(state_of_rows(*WON), photo=photo, size=TABLE_SIZE)
    won = client.post("/whole/hand", data={"state": to_text(shown), "winner": "2", "near": "0"})
    said = {"seat": "W", "win": "self_draw", "round": "E", "dealer": "E", "streak": "0"}
    return client.post("/records", data={**hidden(won.get_data(as_text=True)), **said})
