"""The application as the worker asks it: no server, cookies of its own, a full phone, the backup both ways."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from pocket.worker.application import Application
from pocket.worker.cookies import Cookies
from webui.store.place import find_place
from webui.store.store import Store
from webui.store.upkeep.backup import backup, restore

FORM = {"content-type": "application/x-www-form-urlencoded"}
NAMES = b"name_0=A&name_1=B&name_2=C&name_3=D&first_dealer=0&rules=luohan"


@pytest.fixture
def application(tmp_path: Path) -> Application:
    return Application(tmp_path / "kept", "/folder/")


def get(application: Application, path: str, query: str = "") -> Any:
    return application.answer("GET", path, query, {}, b"")


def sit_down(application: Application) -> Any:
    return application.answer("POST", "/table/start", "", FORM, NAMES)


def entries(data: Path) -> list[str]:
    """The hashes of the chain of a data folder."""
    store = Store(find_place(str(data)))
    with store.reading() as view:
        found = [entry.hash for entry in view.every()]
    store.close()
    return found


def test_pages_lie_in_the_folder_and_may_be_framed_by_their_own_host(application: Application) -> None:
    home = get(application, "/")
    assert home.status == 200
    assert 'href="/folder/pocket"' in home.body.decode()
    assert dict(home.headers)["X-Frame-Options"] == "SAMEORIGIN"


def test_what_a_cookie_says_is_kept_over_a_restart(application: Application, tmp_path: Path) -> None:
    answer = application.answer("POST", "/house/common/use", "", FORM, b"")
    assert answer.status == 303
    assert "set-cookie" not in {name.lower() for name, _ in answer.headers}
    assert "first-book" not in get(application, "/").body.decode()
    again = Application(tmp_path / "kept", "/folder/")
    assert "first-book" not in get(again, "/").body.decode()


def test_a_cookie_that_is_taken_back_is_gone(tmp_path: Path) -> None:
    cookies = Cookies(tmp_path / "cookies.json")
    cookies.take("lang=en; Path=/; HttpOnly")
    cookies.take('rules="a b"; Max-Age=100')
    assert cookies.header == 'lang=en; rules="a b"'
    cookies.take("lang=; Max-Age=0")
    cookies.take("not a cookie")
    assert Cookies(tmp_path / "cookies.json").header == 'rules="a b"'


def test_a_full_phone_does_nothing_and_says_so(application: Application, tmp_path: Path) -> None:
    answer = application.answer("POST", "/table/start", "", FORM, NAMES, full=True)
    assert answer.status == 507
    assert "手機沒有空間了" in answer.body.decode()
    assert entries(tmp_path / "kept/data") == []


def test_an_evening_is_shared_without_an_address(application: Application) -> None:
    sit_down(application)
    (game,) = re.findall(r'data-game="([^"]+)"', get(application, "/table").body.decode())
    html = get(application, f"/games/{game}/evening").body.decode()
    assert 'id="card"' in html
    assert "這一晚只在這支手機裡" in html
    assert "://" not in html.replace("http://www.w3.org", "")


def test_the_backup_goes_to_the_laptop(application: Application, tmp_path: Path) -> None:
    assert sit_down(application).status == 303
    answer = get(application, "/pocket/backup.zip")
    assert answer.status == 200
    assert re.search(r'filename="paitai-pocket-\d{8}-\d{4}\.zip"', dict(answer.headers)["Content-Disposition"])
    (tmp_path / "phone.zip").write_bytes(answer.body)
    laptop = tmp_path / "laptop"
    restore(Store(find_place(str(laptop))), tmp_path / "phone.zip")
    assert entries(laptop) == entries(tmp_path / "kept/data") != []


def upload(file: Path) -> tuple[dict[str, str], bytes]:
    """A form with a backup, as a browser sends it."""
    head = b'--X\r\nContent-Disposition: form-data; name="backup"; filename="b.zip"\r\n\r\n'
    return {"content-type": "multipart/form-data; boundary=X"}, head + file.read_bytes() + b"\r\n--X--\r\n"


def test_the_laptops_backup_comes_to_an_empty_phone_as_it_is(application: Application, tmp_path: Path) -> None:
    laptop = Application(tmp_path / "laptop")
    assert sit_down(laptop).status == 303
    backup(Store(find_place(str(tmp_path / "laptop/data"))), tmp_path / "laptop.zip")
    headers, body = upload(tmp_path / "laptop.zip")
    answer = application.answer("POST", "/pocket/restore", "", headers, body)
    assert answer.status == 303
    assert dict(answer.headers)["Location"] == "/folder/pocket?restored=2"  # the device, and the game
    assert entries(tmp_path / "kept/data") == entries(tmp_path / "laptop/data") != []
    assert "讀進來了，2 筆。" in get(application, "/pocket", "restored=2").body.decode()
    again = application.answer("POST", "/pocket/restore", "", headers, body)
    assert again.status == 200
    assert "2 筆這裡都有，沒有新的" in again.body.decode()
    assert "讀進來了" not in again.body.decode(), "what was merged is told line by line"
    assert entries(tmp_path / "kept/data") == entries(tmp_path / "laptop/data")


def test_a_phone_with_records_takes_the_laptops_beside_its_own(application: Application, tmp_path: Path) -> None:
    laptop = Application(tmp_path / "laptop")
    assert sit_down(laptop).status == sit_down(application).status == 303
    backup(Store(find_place(str(tmp_path / "laptop/data"))), tmp_path / "laptop.zip")
    before = entries(tmp_path / "kept/data")
    answer = application.answer("POST", "/pocket/restore", "", *upload(tmp_path / "laptop.zip"))
    assert "這裡沒有的一晚，拿來了（1 筆）" in answer.body.decode()
    assert "讀進來了" not in answer.body.decode()
    after = entries(tmp_path / "kept/data")
    assert (after[: len(before)], len(after)) == (before, len(before) + 2)


def test_the_phone_has_a_name_that_can_be_changed(application: Application, tmp_path: Path) -> None:
    headers = {**FORM, "user-agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)"}
    assert "口袋版 · 手機" in get(application, "/pocket").body.decode()
    renamed = application.answer("POST", "/pocket/device", "", headers, "name=阿明的手機".encode())
    assert renamed.status == 303
    assert "阿明的手機" in get(application, "/pocket").body.decode()
    assert application.answer("POST", "/pocket/device", "", headers, b"name=").status == 303
    assert "口袋版 · iPhone" in get(application, "/pocket").body.decode()


@pytest.mark.parametrize(("body", "status", "said"), [(b"--X--\r\n", 400, "還沒有選備份檔"), (None, 422, "壞了")])
def test_what_is_no_backup_is_refused(
    application: Application, tmp_path: Path, body: bytes | None, status: int, said: str
) -> None:
    (tmp_path / "no.zip").write_bytes(b"nothing of the kind")
    headers, damaged = upload(tmp_path / "no.zip")
    answer = application.answer("POST", "/pocket/restore", "", headers, damaged if body is None else body)
    assert (answer.status, said in answer.body.decode()) == (status, True)
    assert entries(tmp_path / "kept/data") == []
