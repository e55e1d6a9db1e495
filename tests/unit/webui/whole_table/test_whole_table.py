"""全桌照 on the page: from photo to counts, answers, and the advice; the page holds the state."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from flask.testing import FlaskClient

from tests.unit.webui.support.records_kit import open_table, store_of
from tests.unit.webui.support.whole_tables import TableReader
from vision.detection.types import Detection
from vision.layout.table.zones import Side, Zone
from vision.reading.reading import Reading
from webui import create_app
from webui.web.extensions import services
from webui.whole_table.answers import answered
from webui.whole_table.panel import view_of
from webui.whole_table.state import NO_TILE, StateError, TableState, from_text, state_of, to_text

TABLE = TableReader(1)


class Photo:
    """A photo for the reader."""

    size = (1000, 300)


def state(reader: TableReader = TABLE) -> TableState:
    return state_of(reader.read(Photo()), "ab12", "桌.jpg")


def page_of(client: FlaskClient, jpeg: bytes, **fields: str) -> str:
    answer = client.post("/whole", data={"photo": (io.BytesIO(jpeg), "a.jpg"), **fields}, follow_redirects=True)
    assert answer.status_code == 200
    return unescape(answer.get_data(as_text=True))


def fields_of(page: str) -> dict[str, str]:
    """The hidden fields and selects of the page's form, as a browser sends them."""
    form = page[page.index('id="whole-form"') :]
    fields = dict(re.findall(r'<input type="hidden" name="([\w-]+)" value="(.*?)">', form, re.S))
    for name, options in re.findall(r'<select id="[\w-]+" name="([\w-]+)">(.*?)</select>', form, re.S):
        chosen = re.search(r'value="([^"]*)" selected', options) or re.search(r'value="([^"]*)"', options)
        assert chosen is not None
        fields[name] = chosen[1]
    return fields


@pytest.fixture
def client() -> FlaskClient:
    return create_app({"READER": TABLE}).test_client()


def test_the_state_goes_to_the_page_and_back() -> None:
    changed = answered(state(), {"zone-0": "river", "side-0": "2", "was-0": "hand 0"})
    assert from_text(to_text(changed)) == replace(changed, tiles=from_text(to_text(changed)).tiles)
    assert to_text(from_text(to_text(changed))) == to_text(changed)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"v": 2}, id="version"),
        pytest.param({"photo": "../../x"}, id="path"),
        pytest.param({"photo": 5}, id="photo-number"),
        pytest.param({"size": [0, 10]}, id="size"),
        pytest.param({"size": [1e9, 10]}, id="huge"),
        pytest.param({"tiles": [["1m"]]}, id="short"),
        pytest.param({"tiles": [["5x", [0, 0, 1, 1], 1, [], 0]]}, id="code"),
        pytest.param({"tiles": [["1m", [0, 0, 1, "a"], 1, [], 0]]}, id="box"),
        pytest.param({"tiles": [["1m", [0, 0, 1, 1], 7, [], 0]]}, id="confidence"),
        pytest.param({"tiles": [["1m", [0, 0, 1, 1], 1, [], 0]] * 301}, id="many"),
        pytest.param({"zones": {"999": ["river", 0]}}, id="place"),
        pytest.param({"zones": {"0": ["roof", 0]}}, id="zone"),
        pytest.param({"zones": {"0": ["river", 4]}}, id="side"),
        pytest.param({"gone": [-1]}, id="gone"),
        pytest.param({"gone": 5}, id="gone-number"),
        pytest.param({"named": [-1]}, id="named"),
    ],
)
def test_a_state_that_the_page_did_not_write_is_refused(change: dict[str, object], client: FlaskClient) -> None:
    text = json.dumps({**json.loads(to_text(state())), **change})
    with pytest.raises(StateError):
        from_text(text)
    assert client.post("/whole", data={"state": text}).status_code == 400


def test_a_run_is_put_in_another_zone_and_is_sure_then() -> None:
    before = state()
    run = before.table().tiles[0].run
    after = answered(before, {f"zone-{run}": "wall", f"side-{run}": "-", f"was-{run}": "x"}).table()
    moved = [tile for tile in after.tiles if tile.run == run]
    assert {(tile.zone, tile.side, tile.sure) for tile in moved} == {("wall", None, True)}


def test_what_the_form_leaves_as_it_was_stays_open() -> None:
    before = state()
    tile = next(tile for tile in before.table().tiles if not tile.sure)
    shown = f"{tile.zone} {'-' if tile.side is None else tile.side}"
    form = {
        f"zone-{tile.run}": tile.zone,
        f"side-{tile.run}": "-" if tile.side is None else str(tile.side),
        f"was-{tile.run}": shown,
    }
    assert answered(before, form) == before
    assert answered(before, {**form, f"right-{tile.run}": "1"}).zones


def test_a_doubtful_tile_is_named_or_called_no_tile() -> None:
    doubtful = Detection("9s", TABLE.truth[0].box, 0.5, (("8s", 0.4),), unread=True)
    before = state(replace(TABLE, changes=((0, doubtful),)))
    kinds = {kind.code: kind for kind in view_of(before, "zh").kinds}
    assert not kinds["9s"].sure
    named = answered(before, {"tile-0": "8s"})
    after = {kind.code: kind for kind in view_of(named, "zh").kinds}
    assert after["9s"].sure
    assert after["8s"].seen == kinds["8s"].seen + 1
    assert len(answered(before, {"tile-0": NO_TILE}).detections) == len(before.tiles) - 1
    with pytest.raises(StateError):
        answered(before, {"tile-0": "roof"})


def test_a_tile_of_which_a_part_is_hidden_is_asked_until_a_person_names_it() -> None:
    before = state()
    table = before.table()
    at = next(at for at, tile in enumerate(table.tiles) if tile.zone == "river" and at not in table.hidden)
    x1, y1, x2, y2 = before.tiles[at].box
    tiles = list(before.tiles)
    tiles[at] = replace(tiles[at], box=(x1, y1, x1 + 0.6 * (x2 - x1), y1 + 0.6 * (y2 - y1)))
    cut = replace(before, tiles=tuple(tiles))
    assert at in cut.table().hidden
    view = view_of(cut, "zh")
    assert any(at in run.doubtful for zone in view.zones for run in zone.runs)
    assert not next(kind for kind in view.kinds if kind.code == tiles[at].tile).sure
    named = answered(cut, {f"tile-{at}": tiles[at].tile})
    assert at not in named.table().hidden
    assert at not in from_text(to_text(named)).table().hidden
    assert not any(at in run.doubtful for zone in view_of(named, "zh").zones for run in zone.runs)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_from_photo_to_counts_and_advice(lang: str, client: FlaskClient, jpeg: bytes) -> None:
    client.set_cookie("lang", lang)
    page = page_of(client, jpeg, hand="123m456p789s11z2345s9p", rules="luohan")
    assert "whole." not in re.sub(r"whole\.css", "", page)  # no text without a sentence
    address = re.search(r'id="whole-advice" href="([^"]+)"', page)
    assert address is not None
    asked = parse_qs(urlsplit(address[1]).query)
    assert asked["hand"] == ["123m456p789s11z2345s9p"]
    advice = client.get(address[1])
    assert advice.status_code == 200
    assert asked["seen"][0] in unescape(advice.get_data(as_text=True))


def test_the_near_players_own_tiles_are_not_seen_tiles() -> None:
    view = view_of(state(), "zh")
    own = sum(tile.side == 0 and tile.zone in ("hand", "melds") for tile in view.table.tiles)
    faces = sum(kind.seen for kind in view.kinds if kind.code[1] != "f")
    assert own > 0
    assert sum(character.isdigit() for character in view.seen) == faces - sum(
        tile.side == 0 and tile.zone in ("hand", "rack", "melds") and detection.tile != "back"
        for tile, detection in zip(view.table.tiles, view.state.detections, strict=True)
        if detection.tile[1] != "f"
    )


def test_who_sits_near_is_asked_once_an_evening(client: FlaskClient, jpeg: bytes) -> None:
    page = page_of(client, jpeg)
    assert "南" not in page[page.index("whole-shot") : page.index("legend")]
    named = client.post("/whole", data={**fields_of(page), "near": "1"}, follow_redirects=True)
    assert "這邊（南）" in unescape(named.get_data(as_text=True))
    again = page_of(client, jpeg)
    assert "右邊（西）" in again
    assert "左邊（東）" in again


def test_answers_of_the_form_as_shown_change_nothing(client: FlaskClient, jpeg: bytes) -> None:
    fields = fields_of(page_of(client, jpeg))
    again = unescape(client.post("/whole", data=fields, follow_redirects=True).get_data(as_text=True))
    assert fields_of(again)["state"] == fields["state"]


def test_every_answer_has_an_address_that_can_be_opened_again(client: FlaskClient, jpeg: bytes) -> None:
    sent = {"photo": (io.BytesIO(jpeg), "a.jpg"), "hand": "123m", "near": "2"}
    first = client.post("/whole", data=sent)
    assert first.status_code == 303
    page = unescape(client.get(first.location).get_data(as_text=True))
    assert parse_qs(urlsplit(first.location).query) == {"hand": ["123m"]}
    fields = fields_of(page)
    run = next(name[5:] for name in fields if name.startswith("zone-"))
    changed = client.post("/whole", data={**fields, f"zone-{run}": "wall", f"side-{run}": "-"})
    assert changed.status_code == 303
    assert changed.location != first.location
    assert fields_of(unescape(client.get(first.location).get_data(as_text=True))) == fields
    assert from_text(fields_of(unescape(client.get(changed.location).get_data(as_text=True)))["state"]).zones


@pytest.mark.parametrize("text", [None, b'{"v": 1, "size', b"\xff", b"{}"])
def test_an_address_whose_photo_is_gone_asks_for_another_photo(text: bytes | None) -> None:
    app = create_app({"READER": TABLE})
    client = app.test_client()
    with app.app_context():
        key = "0" * 32 if text is None else services().tables.put(text)
    answer = client.get(f"/whole/{key}?hand=123m")
    page = answer.get_data(as_text=True)
    assert answer.status_code == 404
    assert 'role="alert"' in page
    assert 'name="hand" value="123m"' in page
    assert client.get("/whole/hand").location == "/"


def test_without_a_photo_there_is_a_sentence(client: FlaskClient) -> None:
    answer = client.post("/whole", data={})
    assert answer.status_code == 400
    assert "沒有選照片" in answer.get_data(as_text=True)
    broken = client.post("/whole", data={"photo": (io.BytesIO(b"x"), "a.jpg")})
    assert broken.status_code == 422
    assert 'role="alert"' in broken.get_data(as_text=True)
    assert client.get("/whole").status_code == 200


def test_a_wrong_number_goes_to_the_referee_with_its_player(tmp_path: Path, jpeg: bytes) -> None:
    hand = row_state("1m 1m 2m 3m 4m 5m 6m 7m 8m 9m 1p 2p")  # 12 and a pung: 15
    app = create_app({"READER": TABLE, "DATA": str(tmp_path)})
    client = app.test_client()
    client.set_cookie("rules", "luohan")
    fields = {"state": to_text(hand), "near": "2"}
    before = client.post("/whole", data=fields, follow_redirects=True)
    assert "/table/incident/dead_hand" not in before.get_data(as_text=True)
    open_table(client)
    page = unescape(client.post("/whole", data=fields, follow_redirects=True).get_data(as_text=True))
    address = re.search(r'href="(/table/incident/dead_hand[^"]+)"', page)
    assert address is not None
    asked = parse_qs(urlsplit(address[1]).query)
    assert asked == {"who": ["2"], "f_cause": ["count"], "f_count": ["15"]}
    assert client.get(address[1]).status_code == 200
    store_of(app).close()


def row_state(codes: str) -> TableState:
    """A near player's row of tiles and a pung, whose zones a person has said, on a made table's plane."""
    tiles = tuple(
        Detection(code, (300.0 + 45 * at, 900.0, 343.0 + 45 * at, 957.0)) for at, code in enumerate(codes.split())
    )
    pung = tuple(Detection("5s", (300.0 + 45 * at, 700.0, 343.0 + 45 * at, 757.0)) for at in range(3))
    zones: dict[int, tuple[Zone, Side | None]] = dict.fromkeys(range(len(tiles)), ("hand", 0))
    zones |= {len(tiles) + at: ("melds", 0) for at in range(3)}
    return TableState("ab12", "a.jpg", (1600, 1200), (*tiles, *pung), zones)


def in_rows(*rows: list[str]) -> TableState:
    """A photo of rows of sure tiles far from each other, which shows no table in play."""
    tiles = tuple(
        Detection(code, (60.0 * at, 500.0 * row, 60.0 * at + 57, 500.0 * row + 76), 0.99)
        for row, codes in enumerate(rows)
        for at, code in enumerate(codes)
    )
    return replace(state(), size=(1200, 1000), tiles=tiles, zones={}, gone=frozenset())


def test_tiles_of_no_known_place_are_not_taken_from_what_is_left() -> None:
    """They may be the player's own hand: counted twice it would call a live wait dead."""
    photo = in_rows([f"{rank}m" for rank in range(1, 9)] * 2, ["5z", "5z", "6z"])
    assert view_of(photo, "zh").seen == ""
    run = photo.table().tiles[-1].run
    told = answered(photo, {f"zone-{run}": "river", f"side-{run}": "2", f"was-{run}": "x"})
    assert view_of(told, "zh").seen == "556z"


@pytest.mark.parametrize("count", [1, 2])
def test_an_answer_about_few_tiles_counts_nobody(count: int) -> None:
    """No plane is found on so few tiles, though the answer says that they belong to a table."""
    photo = in_rows(["5m", "6m"][:count])
    table = answered(photo, {"zone-0": "hand", "side-0": "0", "was-0": "x"})
    assert table.zones
    assert {player.reason for player in view_of(table, "zh").players} == {"no_table"}


def test_a_second_photo_updates_the_counts_and_keeps_who_sits_near(jpeg: bytes) -> None:
    """The second photo shows one tile less of the near player's river, and another kind in its place."""
    place = next(at for at, tile in enumerate(TABLE.truth) if tile.zone == "river" and tile.code != "9m")
    before, after = TABLE.truth[place].code, "9m"
    changed = replace(TABLE, changes=((place, Detection(after, TABLE.truth[place].box)),))
    client = create_app({"READER": PhotosInTurn((TABLE, changed))}).test_client()
    first = page_of(client, jpeg, hand="123m456p789s11z2345s9p", rules="luohan", near="2")
    second = page_of(client, jpeg, **fields_of(first), near="2")
    one, two = (view_of(from_text(fields_of(page)["state"]), "zh") for page in (first, second))
    seen = [{kind.code: kind.seen for kind in view.kinds} for view in (one, two)]
    assert seen[1][before] == seen[0][before] - 1
    assert seen[1].get(after, 0) == seen[0].get(after, 0) + 1
    address = re.search(r'id="whole-advice" href="([^"]+)"', second)
    assert address is not None
    assert parse_qs(urlsplit(address[1]).query)["hand"] == ["123m456p789s11z2345s9p"]
    assert parse_qs(urlsplit(address[1]).query)["seen"] == [two.seen]


class PhotosInTurn:
    """Reads the first photo with the first reader, the next one with the second."""

    def __init__(self, readers: tuple[TableReader, TableReader]) -> None:
        self.readers = list(readers)

    def read(self, photo: Photo) -> Reading:
        """The next table."""
        return self.readers.pop(0).read(photo)
