"""Settling a hand and its record; records searched, disputed, shown; on both databases, without scripts."""

from __future__ import annotations

import hashlib
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from PIL import Image

from scoring.rulebook.loading import BOOKS_DIR
from tests.unit.webui.conftest import Page
from tests.unit.webui.support.records_kit import entries, kept, settle, store_of, words
from webui import create_app
from webui.board.codec import from_state
from webui.board.state import Board, BoardTile, EditHistory
from webui.records.snapshot import corrections
from webui.store.chain import is_intact
from webui.store.place import Place, find_place
from webui.store.upkeep.verify import verify


def test_what_is_kept(app: Flask, page: Any, reader: Any) -> None:
    page.upload()
    place = page.place("2m")
    page.press(f"set:{place}:3m")
    page.press(f"set:{place}:2m")
    page.press(win="discard", discarder="N", dealer="S", streak="2")
    answer = settle(page, player_E="阿明", player_N=" 老\n王 ")
    assert answer.status_code == 303
    (entry,) = entries(app)
    content = kept(app)
    assert answer.headers["Location"] == f"/records/{entry.id}?settled=1"
    assert content["read"][0] | {"others": []} == {
        "tile": "2m",
        "group": "concealed",
        "box": [20.0, 100.0, 60.0, 160.0],
        "shot": 0,
        "confidence": 0.98,
        "others": [],
    }
    assert content["moves"] == [f"set:{place}:3m", f"set:{place}:2m"]
    assert content["corrections"] == []
    assert content["context"]["discarder"] == "N"
    assert content["players"] == {"E": "阿明", "N": "老 王"}
    toml = Path(BOOKS_DIR, "luohan.toml").read_text(encoding="utf-8")
    assert content["book"]["toml"] == toml
    assert content["book"]["sha256"] == hashlib.sha256(toml.encode()).hexdigest()
    assert content["answer"]["zh"]["tai"] == content["answer"]["en"]["tai"] == 2
    assert content["answer"]["en"]["patterns"][0]["name"] == "Dragon pung"
    assert content["request"]["concealed"] == "234m567p345s11z"
    assert entry.at.endswith("Z")
    assert is_intact(entry)
    assert verify(store_of(app)).findings == ()


def test_every_correction_is_kept(app: Flask, page: Any) -> None:
    page.upload()
    seven = page.place("7z", "meld:2")
    page.press(f"set:{seven}:5z").press(f"set:{seven}:7z")
    page.press(f"drop:{page.place('1f', 'flowers')}")
    page.press("put:3f", into="flowers")
    page.press(f"win:{page.place('4s')}").press(f"win:{page.place('5s')}")
    page.press(f"set:{page.place('6f', 'flowers')}:5f")
    assert settle(page).status_code == 303
    found = [{key: one[key] for key in one if key not in ("box", "shot")} for one in kept(app)["corrections"]]
    assert found == [
        {"what": "changed", "was": "6f", "is": "5f"},
        {"what": "added", "is": "3f", "to": "flowers"},
        {"what": "dropped", "was": "1f", "from": "flowers"},
    ]
    page_text = words(page.client.get(f"/records/{entries(app)[0].id}").get_data(as_text=True))
    for said in ("蘭 改成 梅", "加上 秋（花牌）", "拿掉 春（花牌）", "人改的 3 處"):
        assert said in page_text


def test_corrections_follow_the_tiles_not_their_numbers() -> None:
    """Melds are numbered anew when one goes away: the tiles that stay together have not moved."""

    def seen(tile: str, group: str, at: int) -> BoardTile:
        return BoardTile(tile, group, (at, 0, at + 1.0, 1), 0.9, was=tile)

    first = [seen("1m", "meld:1", 0), *(seen("5p", "meld:2", at) for at in (1, 2, 3)), seen("2s", "concealed", 4)]
    last = [seen("1m", "concealed", 0), *(seen("5p", "meld:1", at) for at in (1, 2, 3)), seen("2s", "meld:1", 4)]
    assert [(one["what"], one["is"], one["from"], one["to"]) for one in corrections(first, last)] == [
        ("moved", "1m", "meld:1", "concealed"),
        ("moved", "2s", "concealed", "meld:1"),
    ]


def test_the_photo_is_kept_without_exif(app: Flask, page: Any) -> None:
    image = Image.new("RGB", (900, 600), (30, 90, 60))
    exif = image.getexif()
    exif[0x010F] = "Maker"
    exif.get_ifd(0x8825)[1] = "N"  # GPS
    out = io.BytesIO()
    image.save(out, "JPEG", exif=exif)
    assert b"Maker" in out.getvalue()
    page.upload(out.getvalue(), name="../../IMG_1.jpg")
    settle(page)
    (entry,) = entries(app)
    answer = page.client.get(f"/records/{entry.id}/photo1.jpg")
    assert answer.mimetype == "image/jpeg"
    shown = Image.open(io.BytesIO(answer.data))
    assert shown.size == (900, 600)
    assert not shown.getexif()
    assert b"Maker" not in answer.data
    assert entry.content["photos"][0]["sha256"] == hashlib.sha256(answer.data).hexdigest()
    assert entry.content["photos"][0]["name"] == "IMG_1.jpg"
    for number in (0, 2, 99):
        assert page.client.get(f"/records/{entry.id}/photo{number}.jpg").status_code == 404


def test_a_hand_without_a_photo(app: Flask, page: Any) -> None:
    page.take(page.client.post("/", data={"manual": "1"}))
    for tile in ["1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "1z", "1z", "1z", "5z", "5z", "5z", "2z", "2z"]:
        page.press(f"put:{tile}", into="concealed")
    page.press(f"win:{page.place('9s')}")
    page.say()
    assert settle(page).status_code == 303
    content = kept(app)
    assert (content["photos"], content["read"], content["model"]) == ([], [], None)
    assert len(content["corrections"]) >= 17
    assert "沒有照片" in words(page.client.get(f"/records/{entries(app)[0].id}").get_data(as_text=True))


def test_a_photo_that_is_no_longer_there(app: Flask, page: Any) -> None:
    """The page outlived the server: people are asked, and nothing is stored before their answer."""
    page.upload()
    app.extensions["paitai.services"].shelf.clear()
    asked = settle(page)
    assert asked.status_code == 409
    assert 'name="photoless"' in asked.get_data(as_text=True)
    assert entries(app) == []
    page.press("")
    assert "不留照片，照樣記下" in page.text
    assert settle(page, photoless="1").status_code == 303
    assert kept(app)["photos"][0]["sha256"] is None
    assert "沒有留下照片" in words(page.client.get(f"/records/{entries(app)[0].id}").get_data(as_text=True))
    assert verify(store_of(app)).whole


def test_a_hand_is_recorded_with_its_photo_after_a_restart(tmp_path: Path, reader: Any, jpeg: bytes) -> None:
    """The server starts anew between the photo and 「記下這一把」: nothing is asked, the photo is in the record."""
    settings = {"READER": reader, "DATA": str(tmp_path)}
    first = create_app(settings)
    client = first.test_client()
    client.set_cookie("rules", "luohan")
    board = Page(client, jpeg).upload()
    store_of(first).close()
    second = create_app({**settings, "SECRET_KEY": first.secret_key})
    board.client = second.test_client()
    board.client.set_cookie("rules", "luohan")
    board.press("")
    assert 'name="photoless"' not in board.html
    assert settle(board).status_code == 303
    assert kept(second)["photos"][0]["sha256"]
    assert list((tmp_path / "photos").rglob("*.jpg"))
    store_of(second).close()


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"win": "discard"}, "先選誰放槍"),
        ({"move": "drop:0"}, "還不是胡牌"),
        ({"streak": "x"}, None),
        ({"rules": "nobody"}, None),
        ({"rules": "/etc/passwd"}, None),
    ],
    ids=str,
)
def test_what_cannot_be_settled_is_not_kept(app: Flask, page: Any, changed: dict[str, str], says: str | None) -> None:
    page.upload()
    if "move" in changed:
        page.press(changed["move"])
        changed = {}
    answer = settle(page, **changed)
    assert answer.status_code == (409 if says else 400)
    if says:
        assert says in words(answer.get_data(as_text=True))
        assert 'id="state"' in answer.get_data(as_text=True)  # the hand is still there
    assert entries(app) == []


@pytest.mark.parametrize("state", ["", "x", "{}", "[]", '{"v":1}'])
def test_a_form_that_is_none(app: Flask, page: Any, state: str) -> None:
    page.upload()
    assert settle(page, state=state).status_code == 400
    assert entries(app) == []


def test_the_same_hand_is_kept_once(app: Flask, page: Any) -> None:
    page.upload()
    first = settle(page)
    again = settle(page)  # the same form: a second tap
    page.press()  # a new form of the same hand
    other = settle(page)
    assert first.headers["Location"] == again.headers["Location"] == other.headers["Location"]
    assert len(entries(app)) == 1
    page.press(streak="1")
    settle(page)
    assert len(entries(app)) == 2


def test_a_store_that_is_away(page: Any, app: Flask, tmp_path: Any, place: Place) -> None:
    """The hand stays on the page, hands are still scored, and each page of the store names the fault."""
    page.upload()
    blocked = tmp_path / "file"
    blocked.write_text("")
    from webui.store.store import Store

    store_of(app).close()
    app.extensions["paitai.store"] = Store(find_place(str(blocked / "x")))
    answer = settle(page)
    assert answer.status_code == 503
    assert "讀寫不了" in words(answer.get_data(as_text=True))
    assert 'id="state"' in answer.get_data(as_text=True)
    assert page.press().tai == 3
    for address in ("/records", "/table", "/house", "/records/x", "/games", "/house/house-x"):
        answer = page.client.get(address)
        assert (answer.status_code, "讀寫不了" in answer.get_data(as_text=True)) == (503, True), address


def settled_hands(page: Any, number: int) -> None:
    for hand in range(number):
        page.upload(name=f"{hand}.jpg")
        page.press(streak=str(hand % 90), seat="ESWN"[hand % 4])
        settle(page, **{f"player_{'ESWN'[hand % 4]}": ("阿明", "小美", "老王", "Grace")[hand % 4]})


def test_list_and_search(app: Flask, page: Any) -> None:
    settled_hands(page, 5)
    html = page.client.get("/records").get_data(as_text=True)
    assert len(re.findall(r'class="card record-row', html)) == 5
    assert "5 把" in html

    def count(query: str) -> int:
        return len(re.findall(r'class="card record-row', page.client.get(f"/records?{query}").get_data(as_text=True)))

    assert count("player=阿明") == 2
    assert count("player=nobody") == 0
    assert count("pattern=dragon_pung") == 5
    assert count("pattern=big_four_winds") == 0
    assert count("pattern=dragon_pung&player=小美") == 1
    from webui.times import local

    today = local(entries(app)[0].at).date().isoformat()
    assert count(f"since={today}&until={today}") == 5
    assert count("until=2020-01-01") == 0
    assert count("since=2999-01-01") == 0
    assert count("since=rubbish&page=-1") == 5
    assert count("page=99999999999999") == 5
    tai = [record.content["answer"]["zh"]["tai"] for record in entries(app, "record")]
    assert count("book=luohan") == 5
    assert count(f"tai={max(tai)}") == tai.count(max(tai))
    assert (count("tai=99"), count("book=mahjong_time")) == (0, 0)
    assert page.client.get("/records?tai=x").status_code == 422
    assert "沒有符合" in page.client.get("/records?player=nobody").get_data(as_text=True)


def test_pages_of_the_list(app: Flask, page: Any) -> None:
    page.upload()
    settle(page, player_E="阿明")
    content = dict(kept(app))
    with store_of(app).writing() as writer:
        for number in range(44):
            writer.append("record", {**content, "once": str(number)})
    html = page.client.get("/records?player=阿明").get_data(as_text=True)
    assert "第 1 頁，共 3 頁" in html
    older = re.search(r'rel="next" href="([^"]+)"', html).group(1).replace("&amp;", "&")  # type: ignore[union-attr]
    assert "player=" in older
    second = page.client.get(older).get_data(as_text=True)
    assert "第 2 頁，共 3 頁" in second
    assert 'rel="prev"' in second


def test_a_record_in_both_languages(app: Flask, page: Any) -> None:
    page.upload()
    settle(page, player_E="阿明")
    address = f"/records/{entries(app)[0].id}"
    chinese = words(page.client.get(address).get_data(as_text=True))
    for said in ("阿明胡牌", "箭字坎", "南家付阿明", "麻將羅漢", "憑證", entries(app)[0].hash):
        assert said in chinese
    english = words(page.client.get(address, headers={"Accept-Language": "en"}).get_data(as_text=True))
    for said in ("阿明 won", "Dragon pung", "pays 阿明", "Mahjong Luohan", "Proof"):
        assert said in english


def test_the_record_shows_the_division_with_its_pair(app: Flask, page: Any) -> None:
    page.upload()
    settle(page)
    html = page.client.get(f"/records/{entries(app)[0].id}").get_data(as_text=True)
    shown = html.partition('<div class="division">')[2].partition("</div></div>")[0]
    sets = [re.findall(r'alt="([^"]+)"', part) for part in shown.split('class="one-set"')[1:]]
    assert [len(set_) for set_ in sets] == [3, 3, 3, 3, 3, 2]
    assert sets[-1][0] == sets[-1][1] == "東"


def test_the_language_button_stays_on_the_page(app: Flask, page: Any) -> None:
    def answer(referrer: str) -> Any:
        return page.client.post("/lang", data={"lang": "en"}, headers={"Referer": referrer})

    assert answer("http://localhost/records?player=a").headers["Location"] == "/records?player=a"
    assert answer("http://localhost/hand").headers["Location"] == "/"
    assert answer("http://evil.example/records").status_code == 403
    assert answer("http://localhost//evil.example/records").headers["Location"] == "/"


def test_the_entry_as_data(app: Flask, page: Any) -> None:
    page.upload()
    settle(page)
    (entry,) = entries(app)
    data = page.client.get(f"/records/{entry.id}.json").get_json()
    assert data["hash"] == entry.hash
    assert data["content"] == entry.content


@pytest.mark.parametrize("address", ["none", "none.json", "none/photo1.jpg", "..%2f"])
def test_no_such_record(page: Any, address: str) -> None:
    assert page.client.get(f"/records/{address}").status_code == 404


def test_the_card_has_all_that_the_picture_shows(app: Flask, page: Any) -> None:
    from html import unescape

    page.upload()
    settle(page, player_E='阿"明<b>')
    path = f"/records/{entries(app)[0].id}"
    assert "&#34;link&#34;: &#34;&#34;" in page.client.get(path).get_data(as_text=True)  # this computer only
    app.config["PHONE_URL"] = "http://192.168.1.5:8016/"
    html = page.client.get(path).get_data(as_text=True)
    card = json.loads(unescape(re.search(r'data-card="([^"]*)"', html).group(1)))  # type: ignore[union-attr]
    assert card["winner"] == '阿"明<b>'
    assert sum(len(codes) for codes in card["groups"]) == 19
    assert card["tai"] == 3
    assert sum(points for _, points in card["players"]) == 0
    assert card["link"] == f"http://192.168.1.5:8016{path}"
    assert "<b>" not in html.split("<h1>")[1].split("</h1>")[0]


def test_the_model_is_kept_by_its_hash(app: Flask, page: Any, reader: Any, tmp_path: Any) -> None:
    (tmp_path / "manifest.json").write_text("{}")
    reader.models = type("Models", (), {"folder": tmp_path})()
    page.upload()
    settle(page)
    assert kept(app)["model"] == {"manifest_sha256": hashlib.sha256(b"{}").hexdigest()}


def test_a_board_remembers_its_first_reading(page: Any) -> None:
    page.upload()
    page.press("drop:0")
    board: Board = from_state(page.fields()["state"])
    assert isinstance(board.past, EditHistory)
    assert len(board.past.tiles) == len(board.tiles) + 1
