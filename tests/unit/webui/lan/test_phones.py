"""Pairings have a number and a name: entries keep them, and one phone can be withdrawn."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.unit.webui.support.records_kit import at_table, entries, hidden, open_table, state, store_of, words
from webui import create_app
from webui.store.upkeep.verify import verify
from webui.views.table.steps import game_and_stale

PHONE = {"environ_base": {"REMOTE_ADDR": "192.168.1.9"}, "base_url": "http://192.168.1.5/"}


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    settings = {"DATA": str(tmp_path / "data"), "KEYS": tmp_path / "keys", "PHONE_URL": "http://192.168.1.5/"}
    return create_app({"READER": object(), **settings})


class Phone:
    """A phone's browser."""

    def __init__(self, app: Flask) -> None:
        self.client: FlaskClient = app.test_client()
        self.client.get("/pair", query_string={"key": app.extensions["paitai.door"].key}, **PHONE)

    def get(self, path: str) -> int:
        return self.client.get(path, **PHONE).status_code

    def post(self, path: str, **fields: str) -> int:
        with self.client.session_transaction(**PHONE) as session:
            token = session["csrf"]
        return self.client.post(path, data={**fields, "csrf": token}, **PHONE).status_code


def test_entries_keep_the_phone_that_made_them(app: Flask) -> None:
    first, second = Phone(app), Phone(app)
    assert first.post("/phones/name", name="阿明的手機") == 303
    owner = app.test_client()
    open_table(owner)
    names = {f"name_{at}": name for at, name in enumerate("甲乙丙丁")}
    at_table(owner, "end")
    assert first.post("/table/start", **names, first_dealer="0", rules="luohan") == 303
    game = entries(app, "game")
    assert "by" not in game[0].content
    assert game[1].content["by"] == {"phone": 1, "name": "阿明的手機"}
    assert second.get("/phones") == 200
    page = owner.get("/phones").get_data(as_text=True)
    assert "阿明的手機" in page
    assert "2 號手機" in page


def test_one_phone_is_withdrawn_and_the_others_stay(app: Flask) -> None:
    first, second = Phone(app), Phone(app)
    assert (first.get("/records"), second.get("/records")) == (200, 200)
    assert second.post("/phones/1/withdraw") == 403, "only the owner withdraws"
    assert app.test_client().post("/phones/1/withdraw").status_code == 303
    assert (first.get("/records"), second.get("/records")) == (401, 200)


def test_withdrawn_phones_stay_out_after_a_restart(app: Flask, tmp_path: Path) -> None:
    first, second = Phone(app), Phone(app)
    app.test_client().post("/phones/1/withdraw")
    again = create_app({"DATA": str(tmp_path / "data"), "KEYS": tmp_path / "keys", "READER": object()})
    for phone, status in ((first, 401), (second, 200)):
        phone.client.application = again
        assert phone.get("/records") == status


def test_a_cookie_of_an_earlier_version_has_no_number_and_is_let_in(app: Flask) -> None:
    phone = Phone(app)
    with phone.client.session_transaction(**PHONE) as session:
        del session["phone"]
    assert phone.get("/records") == 200
    assert app.test_client().post("/phones/forget").status_code == 303
    assert phone.get("/records") == 401


def test_numbers_are_never_given_again(app: Flask) -> None:
    Phone(app)
    app.test_client().post("/phones/forget")
    phone = Phone(app)
    with phone.client.session_transaction(**PHONE) as session:
        assert session["phone"] == 2


def test_everybody_is_told_of_an_undo_by_another_hand(app: Flask) -> None:
    """Phone A keeps a hand, phone B takes it back and keeps the reverse."""
    first, second = Phone(app), Phone(app)
    first.post("/phones/name", name="阿明的手機")
    open_table(app.test_client())

    assert act(first, "won", tai_0="3", source="1") == 303
    assert act(first, "undo") == 303
    assert "拿掉了" not in app.test_client().get("/table").get_data(as_text=True), "one's own undo is no news"
    assert act(first, "won", tai_0="3", source="1") == 303
    assert act(second, "undo") == 303
    assert act(second, "won", tai_1="3", source="0") == 303
    for client, options in ((first.client, PHONE), (second.client, PHONE), (app.test_client(), {})):
        page = client.get("/table", **options).get_data(as_text=True)
        assert "2 號手機拿掉了阿明的手機記的一筆" in page


def page_of(phone: Phone) -> str:
    return phone.client.get("/table", **PHONE).get_data(as_text=True)


def act(phone: Phone, action: str, **fields: str) -> int:
    """Send a form of the table's page."""
    known = hidden(page_of(phone))
    return phone.client.post(f"/table/{action}", data={**known, **fields, "csrf": token(phone)}, **PHONE).status_code


def wish_of(app: Flask) -> str:
    return entries(app, "wish")[-1].id


@pytest.fixture
def table(app: Flask) -> tuple[Phone, Phone, Phone]:
    """Three phones at a table that wants nods, and a hand that the first one kept."""
    phones = Phone(app), Phone(app), Phone(app)
    open_table(app.test_client())
    assert act(phones[0], "nods", on="1") == 303
    assert act(phones[0], "won", tai_0="3", source="1") == 303
    return phones


def test_an_undo_of_another_hand_waits_for_a_nod(app: Flask, table: tuple[Phone, Phone, Phone]) -> None:
    first, second, third = table
    assert act(second, "undo") == 303
    assert (entries(app, "void"), len(state(app).hands)) == ([], 1)
    assert act(second, "undo") == 409, "the same wish waits already"
    for phone in table:
        assert "2 號手機想拿掉1 號手機記的這一筆" in words(page_of(phone))
    assert "不同意" not in words(page_of(second))
    assert act(second, f"nod/{wish_of(app)}", yes="1") == 403, "nobody agrees with himself"
    assert len(state(app).hands) == 1
    assert act(third, f"nod/{wish_of(app)}", yes="1") == 303
    assert (entries(app, "void")[0].content["wish"], len(state(app).hands)) == (wish_of(app), 0)
    for phone in table:
        page = words(page_of(phone))
        assert "2 號手機拿掉別人記的一筆，3 號手機同意了" in page
        assert 'id="wishes"' not in page_of(phone)
        assert "拿掉了" not in page, "it is told once"
    assert act(first, f"nod/{wish_of(app)}", yes="1") == 409


def test_a_correction_of_another_hand_waits_too_and_shows_what_it_would_be(
    app: Flask, table: tuple[Phone, Phone, Phone]
) -> None:
    first, second, _ = table
    hand = entries(app, "hand")[0].id
    assert act(second, f"amend/{hand}", ended="won", tai_2="9", source="1") == 303
    assert entries(app, "amended") == []
    totals = state(app).totals
    assert "9 台" in words(page_of(first))
    assert act(first, f"nod/{wish_of(app)}") == 303
    assert (entries(app, "amended"), state(app).totals) == ([], totals)
    assert "1 號手機沒有同意" in words(page_of(second))
    assert act(second, f"amend/{hand}", ended="won", tai_2="9", source="1") == 303
    assert act(first, f"nod/{wish_of(app)}", yes="1") == 303
    assert state(app).totals != totals
    assert verify(store_of(app)).whole


def test_ones_own_entries_need_no_nod_and_a_lapsed_wish_is_gone(app: Flask, table: tuple[Phone, Phone, Phone]) -> None:
    first, second, _ = table
    assert act(second, "undo") == 303
    assert act(second, f"nod/{wish_of(app)}") == 303, "it is taken back by its own hand"
    assert act(second, "undo") == 303
    assert act(first, "won", tai_1="2", source="0") == 303
    assert act(first, f"nod/{wish_of(app)}", yes="1") == 409, "it was the last step then, and is not now"
    assert act(first, "undo") == 303
    assert len(state(app).hands) == 1
    assert act(first, f"nod/{wish_of(app)}", yes="1") == 303
    assert not state(app).hands


def test_switching_the_nods_off_needs_one(app: Flask, table: tuple[Phone, Phone, Phone]) -> None:
    first, second, third = table
    assert act(second, "nods") == 303
    assert act(second, "undo") == 303
    assert len(entries(app, "wish")) == 2, "it is still on"
    assert act(third, f"nod/{entries(app, 'wish')[0].id}", yes="1") == 303
    assert "2 號手機關掉「要有人同意」，3 號手機同意了" in words(page_of(first))
    assert act(first, f"nod/{wish_of(app)}") == 303
    assert act(second, "undo") == 303
    assert not state(app).hands
    assert "拿掉了" in words(page_of(first))


def test_the_page_has_the_setting(app: Flask) -> None:
    open_table(app.test_client())
    for page in (page_of(Phone(app)), app.test_client().get("/table").get_data(as_text=True)):
        assert 'action="/table/nods"' in page


def test_nobody_switches_them_off_alone(app: Flask, table: tuple[Phone, Phone, Phone]) -> None:
    """Whoever switched them on cannot switch them off, change a hand of another phone, and switch them on again."""
    first, second, third = table
    assert act(second, "won", tai_1="2", source="0") == 303
    assert act(first, "nods") == 303
    assert act(first, "undo") == 303
    assert (entries(app, "void"), len(state(app).hands)) == ([], 2)
    wish = entries(app, "wish")[0].id
    assert act(first, f"nod/{wish}", yes="1") == 403
    assert act(third, f"nod/{wish}", yes="1") == 303
    assert act(first, "undo") == 303
    assert len(state(app).hands) == 1


def test_a_correction_that_waited_is_paid_as_of_its_wish(app: Flask, table: tuple[Phone, Phone, Phone]) -> None:
    """Another correction came in between: the hand that was nodded at is offered to be paid again."""
    first, second, third = table
    assert act(first, "won", tai_2="3", source="1") == 303
    early, late = (entry.id for entry in entries(app, "hand"))
    assert act(second, f"amend/{late}", ended="won", tai_2="9", source="1") == 303
    assert act(first, f"amend/{early}", ended="won", tai_1="3", source="0") == 303
    assert act(third, f"nod/{wish_of(app)}", yes="1") == 303
    assert state(app).hands[1].tai == (9,)
    with app.test_request_context():
        assert [outdated.hand.entry.id for outdated in game_and_stale(state(app).id)[1]] == [late]
    assert act(first, "recompute") == 303
    with app.test_request_context():
        assert game_and_stale(state(app).id)[1] == ()


def test_hands_of_others_that_wait_do_not_keep_ones_own_from_being_paid_again(
    app: Flask, table: tuple[Phone, Phone, Phone]
) -> None:
    first, second, _ = table
    assert act(second, "won", tai_2="3", source="0") == 303
    assert act(first, "won", tai_3="3", source="1") == 303
    hand = entries(app, "hand")[0].id
    assert act(first, f"amend/{hand}", ended="won", tai_1="3", source="0") == 303
    with app.test_request_context():
        assert len(game_and_stale(state(app).id)[1]) == 2
    assert act(first, "recompute", entry="") == 303, "one's own at once, the other's is wished for"
    assert (len(entries(app, "amended")), len(entries(app, "wish"))) == (2, 1)
    assert act(first, "recompute", entry="") == 409, "nothing is left but what waits"


def test_a_device_without_phones_has_nobody_to_ask(tmp_path: Path) -> None:
    """A backup of a table with nods, opened on a phone alone."""
    app = create_app({"READER": object(), "DATA": str(tmp_path), "PARTS": ()})
    client = app.test_client()
    open_table(client)
    at_table(client, "won", tai_0="3", source="1")
    game = state(app).id
    with store_of(app).writing() as writer:
        hand = dict(entries(app, "hand")[0].content) | {"by": {"phone": 1, "name": ""}}
        writer.append("nods", {"on": True}, about=game)
        writer.append("hand", hand, about=game)
    at_table(client, "undo")
    assert (len(entries(app, "void")), entries(app, "wish")) == (1, [])


def test_the_page_of_a_device_without_phones_has_no_such_setting(tmp_path: Path) -> None:
    app = create_app({"READER": object(), "DATA": str(tmp_path), "PARTS": ()})
    open_table(app.test_client())
    assert "nods" not in app.test_client().get("/table").get_data(as_text=True)


def token(phone: Phone) -> str:
    with phone.client.session_transaction(**PHONE) as session:
        return str(session["csrf"])


def nods_named(app: Flask) -> list[tuple[str, bool]]:
    report = verify(store_of(app))
    assert report.whole
    return [(finding.kind, finding.breaks) for finding in report.findings if finding.what == "nod"]


def test_verify_names_what_went_round_the_nod(app: Flask, table: tuple[Phone, Phone, Phone]) -> None:
    """A program that writes into the database, with all hashes right."""
    game, (hand,) = state(app).id, entries(app, "hand")
    with store_of(app).writing() as writer:
        writer.append("void", {"entry": hand.id, "record": None, "by": {"phone": 1, "name": ""}}, about=game)
    assert nods_named(app) == [], "one's own"
    with store_of(app).writing() as writer:
        writer.append("void", {"entry": hand.id, "record": None, "by": {"phone": 2, "name": ""}}, about=game)
        writer.append("nods", {"on": False, "by": {"phone": 1, "name": ""}}, about=game)
        writer.append("void", {"entry": hand.id, "record": None, "by": {"phone": 3, "name": ""}}, about=game)
    assert nods_named(app) == [("void", False), ("nods", False)], "after that the table wants none"


@pytest.mark.parametrize("forged", ["no answer", "refused", "own nod", "another change"])
def test_verify_names_a_change_with_a_nod_that_was_not_given(
    app: Flask, table: tuple[Phone, Phone, Phone], forged: str
) -> None:
    second, third = ({"phone": number, "name": ""} for number in (2, 3))
    game, (hand,) = state(app).id, entries(app, "hand")
    change = {"entry": hand.id, "record": None}
    setting = entries(app, "nods")[0].id
    wished = {"kind": "void", "entry": hand.id, "content": change}
    if forged == "another change":
        wished = {"kind": "nods", "entry": setting, "content": {"on": False, "entry": setting}}
    with store_of(app).writing() as writer:
        wish = writer.append("wish", {**wished, "by": second}, about=game)
        if forged != "no answer":
            by = second if forged == "own nod" else third
            writer.append("nodded", {"wish": wish.id, "yes": forged != "refused", "by": by}, about=game)
        writer.append("void", {**change, "wish": wish.id, "by": second}, about=game)
    assert nods_named(app) == [("void", False)]


def test_verify_finds_nothing_where_the_page_asked(app: Flask, table: tuple[Phone, Phone, Phone]) -> None:
    _, second, third = table
    assert act(second, "undo") == 303
    assert act(third, f"nod/{wish_of(app)}", yes="1") == 303
    assert act(second, "nods") == 303
    assert act(third, f"nod/{wish_of(app)}", yes="1") == 303
    assert (len(entries(app, "void")), len(entries(app, "nods"))) == (1, 2)
    assert nods_named(app) == []
