"""The page that merges a phone's backup into a computer's records: the phone's words, nothing half, nothing lost."""

from __future__ import annotations

import errno
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.unit.webui.house_rules.test_house_rules import form_of, start
from tests.unit.webui.support.records_kit import (
    at_table,
    entries,
    hidden,
    make_app,
    open_table,
    settle,
    store_of,
    won,
    words,
)
from vision.tileset.store import TileSetStore
from vision.tileset.values import TileSet
from webui.store.device import name_device
from webui.store.place import DATABASE, Place
from webui.store.upkeep.backup import backup, restore
from webui.store.upkeep.merging.sets import Sets
from webui.store.upkeep.verify import verify

NAMED = "阿明的手機"


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def other(tmp_path: Path, reader: Any) -> Iterator[Flask]:
    """Another device, with a name."""
    folder = tmp_path / "phone"
    made = make_app(Place(f"sqlite:///{folder / DATABASE}", folder), reader)
    store_of(made).open()
    name_device(folder, NAMED)
    yield made
    store_of(made).close()


def saved(app: Flask, tmp_path: Path) -> Path:
    target = tmp_path / f"{len(list(tmp_path.glob('*.zip')))}.zip"
    backup(store_of(app), target)
    return target


def sent(client: FlaskClient, file: Path | bytes) -> Any:
    data = file.read_bytes() if isinstance(file, Path) else file
    return client.post("/backup/merge", data={"backup": (io.BytesIO(data), "phone.zip")})


def played(client: FlaskClient) -> str:
    """An evening with one hand; its id."""
    open_table(client)
    won(client, 1, 3)
    page = client.get("/table").get_data(as_text=True)
    return str(re.search(r'data-game="([^"]+)"', page)[1])  # type: ignore[index]


def parted(app: Flask, other: Flask, tmp_path: Path) -> str:
    """An evening that both went on with: here the third player won 5, there the first won 2."""
    game = played(app.test_client())
    restore(store_of(other), saved(app, tmp_path))
    name_device(store_of(other).place.folder, NAMED)
    won(other.test_client(), 0, 2)
    won(app.test_client(), 2, 5)
    return game


def test_an_evening_of_a_phone_is_said_and_shows_where_it_was_made(
    app: Flask, client: FlaskClient, other: Flask, page: Any, tmp_path: Path
) -> None:
    game = played(other.test_client())
    played(client)
    said = words(sent(client, saved(other, tmp_path)).get_data(as_text=True))
    assert f"從「{NAMED}」的備份拿來 2 筆" in said
    assert "這裡沒有的一晚，拿來了（2 筆）" in said
    assert f"不是這一台記的：{NAMED}" in words(client.get(f"/games/{game}/evening").get_data(as_text=True))
    rows = client.get(f"/games/{game}/export.csv").get_data(as_text=True).splitlines()
    assert (rows[0].split(",")[-2], rows[1].split(",")[-2]) == ("記錄裝置", NAMED)
    assert set(client.get(f"/games/{game}/export.json").json["made_on"].values()) == {NAMED}  # type: ignore[index]
    own = next(one.id for one in entries(app, "game") if one.id != game)
    assert "made_on" not in client.get(f"/games/{own}/export.json").json  # type: ignore[operator]
    assert "記錄裝置" not in client.get(f"/games/{own}/export.csv").get_data(as_text=True)


def test_a_record_says_where_it_was_made_only_elsewhere(
    app: Flask, client: FlaskClient, other: Flask, page: Any, jpeg: bytes, tmp_path: Path
) -> None:
    theirs = type(page)(other.test_client(), jpeg)
    theirs.upload().say()
    settle(theirs)
    sent(client, saved(other, tmp_path))
    (record,) = entries(app, "record")
    assert client.get(f"/records/{record.id}.json").json["made_on"] == NAMED  # type: ignore[index]
    assert "made_on" not in other.test_client().get(f"/records/{record.id}.json").json  # type: ignore[operator]


def test_both_versions_of_an_evening_can_be_read_and_one_counts(
    app: Flask, client: FlaskClient, other: Flask, tmp_path: Path
) -> None:
    game = parted(app, other, tmp_path)
    said = words(sent(client, saved(other, tmp_path)).get_data(as_text=True))
    assert "兩邊各記各的" in said
    assert NAMED in said
    assert verify(store_of(app)).findings == ()
    copy = next(one.id for one in entries(app, "game") if one.id != game)
    ours, theirs = (client.get(f"/games/{id_}").get_data(as_text=True) for id_ in (game, copy))
    assert f"這一晚「{NAMED}」也另外記了一份" in words(ours)
    assert f'href="/games/{copy}"' in ours
    assert f"這一份是「{NAMED}」另外記的" in words(theirs)
    assert f'href="/games/{game}"' in theirs
    assert [one["tai"] for one in client.get(f"/games/{copy}/export.json").json["hands"]] == [[3], [2]]  # type: ignore[index]
    assert [one["tai"] for one in client.get(f"/games/{game}/export.json").json["hands"]] == [[3], [5]]  # type: ignore[index]
    listed = words(client.get("/records").get_data(as_text=True))
    assert "5 台" in listed
    assert "2 台" not in listed
    assert f'<span class="tag">{NAMED}</span>' in client.get("/games").get_data(as_text=True)
    assert 'data-game="' + game in client.get("/table").get_data(as_text=True)  # the table continues


def counted(client: FlaskClient, game: str) -> Any:
    return client.post(f"/games/{game}/counts")


def both_versions(app: Flask, other: Flask, tmp_path: Path) -> tuple[str, str]:
    """Our version of an evening that parted (the third player won 5) and theirs (the first won 2)."""
    ours = parted(app, other, tmp_path)
    sent(app.test_client(), saved(other, tmp_path))
    return ours, next(one.id for one in entries(app, "game") if one.id != ours)


def test_a_person_says_which_version_counts_and_otherwise_again(
    app: Flask, client: FlaskClient, other: Flask, tmp_path: Path
) -> None:
    ours, theirs = both_versions(app, other, tmp_path)
    won_by = {ours: ("5 台", "老王"), theirs: ("2 台", "阿明")}
    for chosen, left in ((theirs, ours), (ours, theirs)):
        assert 'id="count-this"' in client.get(f"/games/{chosen}").get_data(as_text=True)
        answer = counted(client, chosen)
        assert answer.headers["Location"].endswith(f"/games/{chosen}")
        assert 'id="count-this"' not in client.get(f"/games/{chosen}").get_data(as_text=True)
        assert "統計算的是這一份" in words(client.get(f"/games/{chosen}").get_data(as_text=True))
        assert 'id="count-this"' in client.get(f"/games/{left}").get_data(as_text=True)
        listed, people = (words(client.get(path).get_data(as_text=True)) for path in ("/records", "/people"))
        for game, (tai, name) in won_by.items():
            assert (tai in listed) == (game == chosen)
            assert bool(re.search(rf"{name} [+-]\d+ 1 晚，2 把：胡 1", people)) == (game == chosen)
    before = len(entries(app))
    counted(client, ours)  # as it is already
    assert [one.content for one in entries(app, "counted")] == [
        {"of": ours, "counts": theirs},
        {"of": ours, "counts": ours},
    ]
    assert len(entries(app)) == before
    assert verify(store_of(app)).findings == ()


def test_the_records_of_a_version_that_does_not_count_are_not_listed_alone(
    app: Flask, client: FlaskClient, other: Flask, page: Any, jpeg: bytes, tmp_path: Path
) -> None:
    game = played(client)
    restore(store_of(other), saved(app, tmp_path))
    name_device(store_of(other).place.folder, NAMED)
    for one in (page, type(page)(other.test_client(), jpeg)):
        one.upload().say()
        settle(one, into_game=True)
    sent(client, saved(other, tmp_path))
    theirs = next(one.id for one in entries(app, "game") if one.id != game)
    by_game = {str(one.content["game"]): one.id for one in entries(app, "record")}
    assert set(by_game) == {game, theirs}
    for chosen, left in ((game, theirs), (theirs, game)):
        counted(client, chosen)
        listed = client.get("/records").get_data(as_text=True)
        assert f"/records/{by_game[chosen]}" in listed
        assert f"/records/{by_game[left]}" not in listed


def test_a_version_that_does_not_count_is_not_settled(
    app: Flask, client: FlaskClient, other: Flask, tmp_path: Path
) -> None:
    ours, theirs = both_versions(app, other, tmp_path)
    at_table(client, "end")
    form = {**hidden(client.get(f"/games/{ours}/evening").get_data(as_text=True)), "transfer": "0"}
    counted(client, theirs)
    before = entries(app)
    for answer in (
        client.post(f"/games/{ours}/paid", data=form),
        open_table(client, carry=ours),
        client.post(f"/games/{ours}/paid", data={**form, "undo": "1"}),
    ):
        assert answer.status_code == 409
        assert "算數的是另一份" in words(answer.get_data(as_text=True))
    assert entries(app) == before
    assert 'id="pay-off"' not in client.get(f"/games/{ours}/evening").get_data(as_text=True)
    assert "carry" not in client.get(f"/table/again/{ours}").get_data(as_text=True)
    counted(client, ours)
    assert client.post(f"/games/{ours}/paid", data=form).status_code == 303


def test_only_an_evening_with_versions_can_be_said_to_count(app: Flask, client: FlaskClient) -> None:
    game = played(client)
    before = entries(app)
    answer = counted(client, game)
    assert answer.status_code == 409
    assert "這一晚只有這一份" in words(answer.get_data(as_text=True))
    assert counted(client, "nobody").status_code == 404
    assert entries(app) == before


def test_what_counts_there_is_taken_with_an_evening_that_is_new_here(
    app: Flask, client: FlaskClient, other: Flask, reader: Any, tmp_path: Path
) -> None:
    ours, theirs = both_versions(app, other, tmp_path)
    counted(client, theirs)
    file = saved(app, tmp_path)
    sent(other.test_client(), file)  # has this evening itself: its own version counts there
    assert entries(other, "counted") == []
    folder = tmp_path / "third"
    third = make_app(Place(f"sqlite:///{folder / DATABASE}", folder), reader)
    store_of(third).open()
    played(third.test_client())
    sent(third.test_client(), file)
    assert [one.content for one in entries(third, "counted")] == [{"of": ours, "counts": theirs}]
    assert verify(store_of(third)).findings == ()
    store_of(third).close()


def test_a_damaged_backup_is_a_sentence_and_changes_nothing(
    app: Flask, client: FlaskClient, other: Flask, tmp_path: Path
) -> None:
    played(client)
    played(other.test_client())
    data = bytearray(saved(other, tmp_path).read_bytes())
    before = entries(app)
    for broken in (bytes(data[: len(data) // 2]), b"no zip", bytes([*data[:99], data[99] ^ 0xFF, *data[100:]]), b""):
        answer = sent(client, broken)
        assert answer.status_code == 422
        assert "壞了或被改過" in words(answer.get_data(as_text=True))
        assert entries(app) == before


def test_a_full_disk_while_merging_leaves_nothing_half(
    app: Flask, client: FlaskClient, other: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played(client)
    game = played(other.test_client())
    TileSetStore.in_data(store_of(other).place.folder).save(TileSet("玉"))
    file, before = saved(other, tmp_path), entries(app)
    sets = TileSetStore.in_data(store_of(app).place.folder)

    def full(self: Any, *_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    for what in ("stage", "place"):
        with monkeypatch.context() as patch:
            patch.setattr(Sets, what, full)
            assert sent(client, file).status_code >= 400
        assert (entries(app), sets.names(), list(sets.root.glob("*.part"))) == (before, [], [])
    sent(client, file)
    assert game in {one.id for one in entries(app, "game")}
    assert sets.names() == ["玉"]


def test_tile_sets_are_taken_and_never_written_over(
    app: Flask, client: FlaskClient, other: Flask, tmp_path: Path
) -> None:
    played(client)
    played(other.test_client())
    ours, theirs = (TileSetStore.in_data(store_of(one).place.folder) for one in (app, other))
    for name in ("玉", "竹"):
        theirs.save(TileSet(name, numbers_only=True))
    ours.save(TileSet("玉"))
    file = saved(other, tmp_path)
    said = words(sent(client, file).get_data(as_text=True))
    assert "牌組「竹」：這裡沒有，拿來了" in said
    assert f"牌組「玉」：兩邊不一樣。這裡的照舊，那邊的叫「玉 - {NAMED}」" in said
    assert ours.names() == sorted(["玉", "竹", f"玉 - {NAMED}"])
    assert [ours.load(name).numbers_only for name in ("玉", "竹", f"玉 - {NAMED}")] == [False, True, True]
    again = words(sent(client, file).get_data(as_text=True))
    assert again.count("兩邊一樣") == 2
    assert len(ours.names()) == 3


def test_house_books_of_one_name_are_two_books_and_changed_ones_too(
    app: Flask, client: FlaskClient, other: Flask, tmp_path: Path
) -> None:
    there = other.test_client()
    start(client, title="週五桌")
    shared = start(client, title="週六桌")
    restore(store_of(other), saved(app, tmp_path))
    name_device(store_of(other).place.folder, NAMED)
    for one, title in ((client, "週六桌 甲"), (there, "週六桌 乙")):
        fields = form_of(one.get(f"/house/{shared}").get_data(as_text=True))
        assert one.post("/house", data={**fields, "title": title}).status_code < 400
    start(there, title="週日桌")
    start(client, title="週日桌")
    said = words(sent(client, saved(other, tmp_path)).get_data(as_text=True))
    assert "桌規「週五桌」：兩邊一樣" in said
    assert f"那邊的另成一本：「週六桌 乙 · {NAMED}」" in said
    assert "桌規「週日桌」：兩邊各有一本同名的" in said
    books = words(client.get("/house").get_data(as_text=True))
    for title in ("週六桌 甲", f"週六桌 乙 · {NAMED}", f"週日桌 · {NAMED}"):
        assert title in books
    assert verify(store_of(app)).findings == ()


def test_a_computer_gets_a_name_and_gives_its_backup(app: Flask, client: FlaskClient, tmp_path: Path) -> None:
    client.post("/backup/device", data={"name": "客廳的電腦"})
    played(client)
    assert "客廳的電腦" in client.get("/backup").get_data(as_text=True)
    assert entries(app)[0].content["name"] == "客廳的電腦"
    answer = client.get("/backup/paitai.zip")
    (tmp_path / "own.zip").write_bytes(answer.get_data())
    answer.close()
    said = words(sent(client, tmp_path / "own.zip").get_data(as_text=True))
    assert "沒有新的" in said
    assert "簽名相符" in said


def test_backups_are_for_the_computer_itself(client: FlaskClient) -> None:
    assert client.get("/backup", environ_base={"REMOTE_ADDR": "192.168.1.9"}).status_code == 401  # the door
