"""Who is let in, a stranger's view, and the token in a paired phone's forms."""

from __future__ import annotations

import io
import re
import stat
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from webui import create_app
from webui.web.door import CODE_DIGITS, Door, signing_secret

BASE = "http://192.168.1.5:8016"
PHONE = {"environ_base": {"REMOTE_ADDR": "192.168.1.77"}, "base_url": BASE}
FORGED = {
    **{"X-Forwarded-For": "127.0.0.1", "X-Real-IP": "127.0.0.1"},
    **{"Forwarded": "for=127.0.0.1", "X-Forwarded-Host": "localhost"},
}
OPEN_TO_ALL = ("/pair", "/offline", "/sw.js", "/manifest.webmanifest", "/static/base.css", "/static/tiles/1m.svg")


@pytest.fixture
def door(app: Flask) -> Door:
    return app.extensions["paitai.door"]  # type: ignore[no-any-return]


@pytest.fixture
def paired(client: FlaskClient, door: Door) -> FlaskClient:
    assert client.get(f"/pair?key={door.key}", **PHONE).status_code == 303
    return client


def token_of(client: FlaskClient) -> str:
    found = re.search(r'name="csrf-token" content="([^"]+)"', client.get("/", **PHONE).get_data(as_text=True))
    assert found is not None
    return found[1]


def test_this_computer_needs_no_pairing(client: FlaskClient) -> None:
    ways = (("http://localhost", "127.0.0.1"), ("http://127.0.0.1:8016", "127.0.0.1"), ("http://[::1]", "::1"))
    for base, address in ways:
        assert client.get("/", base_url=base, environ_base={"REMOTE_ADDR": address}).status_code == 200


@pytest.mark.parametrize(
    ("address", "base"),
    [
        pytest.param("192.168.1.77", BASE, id="a-phone"),
        pytest.param("192.168.1.77", "http://localhost:8016", id="a-phone-that-says-localhost"),
        pytest.param("127.0.0.1", BASE, id="a-proxy-on-this-computer"),
        pytest.param("", "https://localhost:8016", id="over-tls"),
        pytest.param("::ffff:192.168.1.77", BASE, id="mapped"),
    ],
)
@pytest.mark.parametrize("headers", [{}, FORGED], ids=["plain", "forged"])
def test_a_stranger_sees_the_door_and_nothing_else(
    address: str, base: str, headers: dict[str, str], app: Flask, client: FlaskClient
) -> None:
    who: dict[str, Any] = {"environ_base": {"REMOTE_ADDR": address}, "base_url": base, "headers": headers}
    for rule in app.url_map.iter_rules():
        path = re.sub(r"<[^>]+>", "1", rule.rule)
        if rule.endpoint in ("static", "pages.language") or path in (*OPEN_TO_ALL, "/paitai-ca.crt"):
            continue
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
            answer = client.open(path, method=method, **who)
            assert answer.status_code == 401, f"{method} {path}"
            assert "WWW-Authenticate" in answer.headers
            if path.startswith("/api/"):
                assert answer.json["error"]
            else:
                assert 'name="code"' in answer.get_data(as_text=True)
    assert client.get("/no-such-page", **who).status_code == 401
    assert client.post("/hand", **{**who, "headers": {**headers, "X-PaiTai": "part"}}).json["error"]


@pytest.mark.parametrize("path", OPEN_TO_ALL)
def test_what_the_door_needs_is_open(path: str, client: FlaskClient) -> None:
    with client.get(path, **PHONE) as answer:
        assert answer.status_code == 200


def test_the_link_lets_in_and_keeps_the_page_that_was_wanted(client: FlaskClient, door: Door) -> None:
    answer = client.get(f"/pair?key={door.key}&next=/api/docs", **PHONE)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/api/docs")
    cookie = answer.headers["Set-Cookie"]
    for part in ("HttpOnly", "SameSite=Lax", "Path=/"):
        assert part in cookie
    assert "Secure" not in cookie
    assert door.key not in cookie
    assert client.get("/", **PHONE).status_code == 200
    assert client.get("/pair", **PHONE).status_code == 303
    assert client.get("/pair?key=old", **PHONE).headers["Location"] == "/"


def test_over_tls_the_cookie_is_for_tls_only(client: FlaskClient, door: Door) -> None:
    answer = client.get(f"/pair?key={door.key}", **{**PHONE, "base_url": BASE.replace("http:", "https:")})
    assert "Secure" in answer.headers["Set-Cookie"]


@pytest.mark.parametrize(
    "wanted", ["//evil.example", "/\\evil.example", "https://evil.example", "evil", "/\nx", "/pair"]
)
def test_the_link_leads_nowhere_else(wanted: str, client: FlaskClient, door: Door) -> None:
    answer = client.get("/pair", query_string={"key": door.key, "next": wanted}, **PHONE)
    assert answer.headers["Location"] == "/"


def test_an_old_link_says_so(client: FlaskClient) -> None:
    answer = client.get("/pair?key=old", **PHONE)
    assert answer.status_code == 403
    assert "上次" in answer.get_data(as_text=True)
    assert client.get("/", **PHONE).status_code == 401


def test_the_code_by_hand(client: FlaskClient, door: Door) -> None:
    page = client.get("/", **PHONE).get_data(as_text=True)
    assert 'name="next" value="/"' in page
    wrong = client.post("/pair", data={"code": "1"}, **PHONE)
    assert wrong.status_code == 403
    assert "代碼不對" in wrong.get_data(as_text=True)
    right = client.post("/pair", data={"code": door.spoken, "next": "/api/docs"}, **PHONE)
    assert (right.status_code, right.headers["Location"]) == (303, "/api/docs")
    assert client.get("/", **PHONE).status_code == 200


@pytest.mark.parametrize(
    "write",
    [
        pytest.param(lambda code: f"{code[:4]} {code[4:]}", id="groups"),
        pytest.param(lambda code: f"{code[:4]}-{code[4:]} ", id="dash"),
        pytest.param(lambda code: code.translate({ord("0") + n: 0xFF10 + n for n in range(10)}), id="full-width"),
    ],
)
def test_the_code_may_be_written_as_people_do(write: Any) -> None:
    door = Door()
    assert door.opens_with_code(write(door.code))


@given(st.text(max_size=60))
def test_any_text_is_only_a_wrong_code(text: str) -> None:
    door = Door()
    assert not door.opens_with_code(text)
    assert not door.opens_with_key(text)


def test_wrong_codes_are_limited_and_the_link_still_works(client: FlaskClient, app: Flask) -> None:
    door = app.extensions["paitai.door"] = Door(most=3, seconds=600)
    for _ in range(3):
        assert client.post("/pair", data={"code": "0"}, **PHONE).status_code == 403
    refused = client.post("/pair", data={"code": door.code}, **PHONE)
    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) > 500
    assert "10 分鐘" in refused.get_data(as_text=True)
    assert client.get("/", **PHONE).status_code == 401
    assert client.get(f"/pair?key={door.key}", **PHONE).status_code == 303


def test_the_limit_ends_by_itself() -> None:
    door = Door(most=1, seconds=0.0)
    assert not door.opens_with_code("0")
    assert door.wait() == 0
    assert door.opens_with_code(door.code)


def test_codes_and_keys_are_never_the_same() -> None:
    doors = [Door() for _ in range(50)]
    assert len({door.code for door in doors}) == len({door.key for door in doors}) == 50
    assert all(len(door.code) == CODE_DIGITS and len(door.key) >= 22 for door in doors)


def test_a_forged_cookie_opens_nothing(client: FlaskClient, reader: Any) -> None:
    other = create_app({"READER": reader})
    thief = other.test_client()
    thief.get(f"/pair?key={other.extensions['paitai.door'].key}", **PHONE)
    cookie = thief.get_cookie("paitai", domain="192.168.1.5")
    assert cookie is not None
    client.set_cookie("paitai", cookie.value, domain="192.168.1.5")
    assert client.get("/", **PHONE).status_code == 401


def test_a_restart_keeps_phones_paired_where_a_folder_is_kept(reader: Any, tmp_path: Path) -> None:
    keys = tmp_path / "data" / "keys"
    first = create_app({"READER": reader, "KEYS": keys})
    phone = first.test_client()
    phone.get(f"/pair?key={first.extensions['paitai.door'].key}", **PHONE)
    cookie = phone.get_cookie("paitai", domain="192.168.1.5")
    assert cookie is not None
    again = create_app({"READER": reader, "KEYS": keys}).test_client()
    again.set_cookie("paitai", cookie.value, domain="192.168.1.5")
    assert again.get("/", **PHONE).status_code == 200
    assert first.extensions["paitai.door"].key not in cookie.value


def forget(client: FlaskClient, **who: Any) -> Any:
    return client.post("/phones/forget", **who)


def test_forgetting_all_phones(reader: Any, tmp_path: Path) -> None:
    """Every pairing ends, now and after a restart; what let phones in before lets none in; the next phone comes in."""
    config = {"READER": reader, "KEYS": tmp_path / "keys", "PHONE_URL": f"{BASE}/"}
    app = create_app(config)
    phones = [app.test_client() for _ in range(2)]
    before = app.extensions["paitai.door"]
    for phone in phones:
        phone.get(f"/pair?key={before.key}", **PHONE)
        assert phone.get("/", **PHONE).status_code == 200
    here = app.test_client()
    assert 'action="/phones/forget"' in here.get("/phones").get_data(as_text=True)
    answer = forget(here)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/phones?forgotten=1")
    page = here.get(answer.headers["Location"]).get_data(as_text=True)
    assert "已經忘記" in page
    for phone in phones:
        assert phone.get("/", **PHONE).status_code == 401
    assert phones[0].get(f"/pair?key={before.key}", **PHONE).status_code == 403
    assert phones[0].post("/pair", data={"code": before.code}, **PHONE).status_code == 403
    again = create_app(config).test_client()
    cookie = phones[1].get_cookie("paitai", domain="192.168.1.5")
    assert cookie is not None
    again.set_cookie("paitai", cookie.value, domain="192.168.1.5")
    assert again.get("/", **PHONE).status_code == 401
    after = app.extensions["paitai.door"]
    assert after.spoken in page
    assert phones[0].get(f"/pair?key={after.key}", **PHONE).status_code == 303
    assert phones[0].get("/", **PHONE).status_code == 200


def test_a_phone_forgets_nobody(paired: FlaskClient, app: Flask) -> None:
    app.config["PHONE_URL"] = f"{BASE}/"
    assert "/phones/forget" not in paired.get("/phones", **PHONE).get_data(as_text=True)
    answer = forget(paired, data={"csrf": token_of(paired)}, **PHONE)
    assert answer.status_code == 403
    assert "這台電腦" in answer.get_data(as_text=True)
    assert paired.get("/", **PHONE).status_code == 200


def test_phones_that_cannot_be_forgotten_are_still_in(paired: FlaskClient, app: Flask, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    app.config["KEYS"] = tmp_path / "file" / "keys"
    answer = forget(paired)
    assert answer.status_code == 500
    assert "配對都還在" in answer.get_data(as_text=True)
    assert paired.get("/", **PHONE).status_code == 200


def test_the_secret_is_its_owners_only(tmp_path: Path) -> None:
    secret = signing_secret(tmp_path / "keys")
    path = tmp_path / "keys" / "cookie.key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert signing_secret(tmp_path / "keys") == secret
    path.write_bytes(b"short")
    assert signing_secret(tmp_path / "keys") not in (secret, b"short")
    assert signing_secret(None) != signing_secret(None)


def test_a_paired_phone_needs_its_token(paired: FlaskClient, jpeg: bytes) -> None:
    def send(**more: Any) -> int:
        data = {"photo": (io.BytesIO(jpeg), "a.jpg"), **more.pop("data", {})}
        return paired.post("/", data=data, content_type="multipart/form-data", **PHONE, **more).status_code

    token = token_of(paired)
    assert send() == 403
    assert send(data={"csrf": "x" * len(token)}) == 403
    assert send(data={"csrf": "é"}) == 403
    assert send(data={"csrf": token}) == 200
    assert send(headers={"X-CSRF-Token": token}) == 200
    assert send(headers={"X-CSRF-Token": token, "Origin": "http://evil.example"}) == 403


def test_the_api_of_a_paired_phone_needs_its_token(paired: FlaskClient) -> None:
    from webui.views.api.routes import EXAMPLE

    refused = paired.post("/api/score", json=EXAMPLE, **PHONE)
    assert refused.status_code == 403
    assert "重新整理" in refused.json["error"]
    answer = paired.post("/api/score", json=EXAMPLE, headers={"X-CSRF-Token": token_of(paired)}, **PHONE)
    assert answer.status_code == 200


def test_a_page_from_before_another_pairing_is_told_so(paired: FlaskClient, door: Door) -> None:
    old = token_of(paired)
    paired.get(f"/pair?key={door.key}", **PHONE)
    answer = paired.post("/lang", data={"lang": "en", "csrf": old}, **PHONE)
    assert answer.status_code == 403
    assert "重新整理" in answer.get_data(as_text=True)


def test_every_form_carries_the_token() -> None:
    import webui

    folder = Path(webui.__file__).parent / "templates"
    one_form = re.compile(r'<form[^>]*method="post".*?</form>|<form[^>]*method="post".*', re.S)  # or up to the end
    forms = 0
    for path in folder.rglob("*.html"):
        for form in one_form.findall(path.read_text("utf-8")):
            if 'url_for("pairing.typed")' in form:  # who types the eight digits has no token yet
                continue
            forms += 1
            assert "csrf_field()" in form, path.name
    assert forms >= 3


def test_the_phones_page(client: FlaskClient, reader: Any) -> None:
    assert "--lan" in client.get("/phones").get_data(as_text=True)
    app = create_app({"READER": reader, "PHONE_URL": f"{BASE}/"})
    page = app.test_client().get("/phones").get_data(as_text=True)
    assert app.extensions["paitai.door"].spoken in page
    assert "data:image/svg+xml" in page
    assert 'href="/phones"' in app.test_client().get("/").get_data(as_text=True)


def test_a_stranger_who_guesses_keeps_no_other_phone_out() -> None:
    """Wrong codes count for their sender, and all together only at a number that no guess needs."""
    door = Door(most=3, seconds=600, in_all=8)
    for _ in range(5):
        assert not door.opens_with_code("00000000", "192.168.1.66")
    assert door.wait("192.168.1.66") > 0
    assert door.wait("192.168.1.5") == 0
    assert door.opens_with_code(door.code, "192.168.1.5")
    assert not door.opens_with_code(door.code, "192.168.1.66"), "who guesses waits, even with the right one"
    for sender in "abcdef":
        door.opens_with_code("00000000", sender)
    assert door.wait("192.168.1.5") > 0, "many senders together"


def test_another_code_at_the_computer_works_at_once(app: Flask) -> None:
    door = app.extensions["paitai.door"]
    phone, here = app.test_client(), app.test_client()
    old = door.code
    for _ in range(30):
        phone.post("/pair", data={"code": "00000000"}, **PHONE)
    assert phone.post("/pair", data={"code": door.code}, **PHONE).status_code == 429
    assert phone.post("/phones/code", **PHONE).status_code in (401, 403)
    assert here.post("/phones/code").status_code == 303
    assert door.code != old
    assert phone.post("/pair", data={"code": door.code}, **PHONE).status_code == 303
