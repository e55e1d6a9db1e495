"""更正之後: effects of a correction on later hands are marked, and one tap pays them as if known before."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st
from werkzeug.datastructures import MultiDict

from scoring.rulebook.loading import BOOK_IDS, load_book
from scoring.settlement.payments import Claim, others
from tests.unit.webui.support.records_kit import (
    at_table,
    hidden,
    make_app,
    open_table,
    settle,
    state,
    store_of,
    won,
    words,
)
from webui.games.game import Game, fold
from webui.games.paying.later_payments import Kept, Stale, false_win_entry, stale_hands
from webui.games.paying.win_payments import paid_for
from webui.store import books
from webui.store.chain import Entry
from webui.store.place import Place

EVENINGS = int(os.environ.get("PAITAI_EVENINGS", "40"))
"""Random evenings; 1200 were run by hand."""
KEPT = Kept(lambda id_: None, lambda text, sha256: "")


@pytest.fixture
def app(place: Place, reader: Any) -> Iterator[Flask]:
    made = make_app(place, reader)
    yield made
    store_of(made).close()


class NoChipsError(Exception):
    """A player's chips are gone before the last hand: the table would refuse the step."""


class Evening:
    """A game as entries in memory, under one book."""

    def __init__(self, book: str, dealer: int = 0) -> None:
        content = {"players": list("甲乙丙丁"), "first_dealer": dealer, "base": 3, "per_tai": 1}
        content["book"] = {"key": book, **books.keep(load_book(book), books.text_of(book))}
        self.about: list[Entry] = []
        self.opened = self._entry("game", content)

    def _entry(self, kind: str, content: dict[str, Any]) -> Entry:
        seq = 2 + len(self.about) if kind != "game" else 1
        return Entry(seq, f"id{seq}", kind, "2026-11-23T12:00:00Z", None, json.dumps(content), "", "")

    @property
    def game(self) -> Game:
        try:
            return fold(self.opened, self.about, KEPT.book_file)
        except ValueError:
            raise NoChipsError from None

    @property
    def stale(self) -> tuple[Stale, ...]:
        return stale_hands(self.game, self.about, KEPT)

    def add(self, kind: str, content: dict[str, Any]) -> None:
        self.about.append(self._entry(kind, content))

    def play(self, ended: Any) -> None:
        self.add("hand", as_entry(self.game, ended))

    def amend(self, number: int, ended: Any) -> None:
        entry = self.game.hands[number].entry.id
        at = next(one.seq for one in self.about if one.id == entry)
        known = [one for one in self.about if one.seq < at or one.kind == "amended"]
        content = as_entry(fold(self.opened, known, KEPT.book_file), ended)
        self.add("amended", {"entry": entry, "hand": content})

    def recompute(self) -> None:
        for one in self.stale:
            assert one.content is not None
            self.add("amended", {"entry": one.hand.entry.id, "hand": one.content})


def as_entry(game: Game, ended: Any) -> dict[str, Any]:
    """A hand's entry by how it ended: ``("won", winner, tai, payer or None)``, ``("false", who)`` or ``("drawn",)``."""
    east = game.session.dealer  # the wall breaks at the dealer
    if ended[0] == "drawn":
        return {"kind": "drawn", "counts": True, "east": east}
    if ended[0] == "false":
        return false_win_entry(game, east, ended[1], MultiDict())
    _, winner, tai, payer = ended
    seat = game.session.seat(winner, east)
    discarder = None if payer is None else game.session.seat(payer, east)
    paying = others(seat) if discarder is None else (discarder,)
    paid = paid_for(game, [Claim(seat, dict.fromkeys(paying, tai))], east, MultiDict(), self_draw=payer is None)
    win = "self_draw" if discarder is None else "discard"
    entry = {"kind": "won", "east": east, "winners": [seat], "discarder": discarder, "win": win, "tai": [tai]}
    return {**entry, **paid.to_json(), "record": None}


def random_ending(rng: Random) -> Any:
    kind = rng.random()
    if kind < 0.12:
        return ("drawn",)
    if kind < 0.2:
        return ("false", rng.randrange(4))
    winner = rng.randrange(4)
    payer = rng.choice([None, *(chair for chair in range(4) if chair != winner)])
    return ("won", winner, rng.randrange(1, 6), payer)


@settings(max_examples=EVENINGS, deadline=None)
@given(st.integers(0, 1 << 32), st.sampled_from(BOOK_IDS))
def test_after_corrections_anywhere_everyone_has_what_a_replay_from_the_first_hand_gives(seed: int, book: str) -> None:
    with suppress(NoChipsError):
        _corrected(Random(seed), book)


def _corrected(rng: Random, book: str) -> None:
    endings: list[Any] = []
    evening = Evening(book, rng.randrange(4))
    for _ in range(rng.randrange(3, 9)):
        endings.append(random_ending(rng))
        evening.play(endings[-1])
        if rng.random() < 0.35:
            number = rng.randrange(len(endings))
            endings[number] = random_ending(rng)
            evening.amend(number, endings[number])
    fresh = Evening(book, evening.game.session.first_dealer)
    for ended in endings:
        fresh.play(ended)
    marked = {one.hand.number: one for one in evening.stale}
    for hand, right in zip(evening.game.hands, fresh.game.hands, strict=True):
        assert hand.dealer == right.dealer
        if hand.points != right.points:
            assert hand.number in marked, f"hand {hand.number} is wrong without a word"
    assert all(one.now == fresh.game.hands[number - 1].points for number, one in marked.items())
    evening.recompute()
    assert evening.game.totals == fresh.game.totals
    assert evening.stale == ()


def test_what_an_entry_of_before_does_not_say_is_not_guessed() -> None:
    """An entry whose payment does not follow from tai and seats is left to people."""
    evening = Evening("common")
    evening.play(("won", 1, 3, None))
    evening.play(("won", 0, 2, 2))
    entry = json.loads(evening.about[1].text)
    entry["transfers"] = [[*entry["transfers"][0][:3], 777, *entry["transfers"][0][4:]]]
    evening.about[1] = Entry(3, "id3", "hand", "2026-11-23T12:00:00Z", None, json.dumps(entry), "", "")
    evening.amend(0, ("won", 0, 3, None))
    (stale,) = evening.stale
    assert (stale.now, stale.content) == (None, None)


def amend(client: FlaskClient, entry: str, **fields: str) -> Any:
    known = hidden(client.get(f"/table/amend/{entry}").get_data(as_text=True))
    return client.post(f"/table/amend/{entry}", data={**known, **fields})


def test_the_table_shows_what_is_left_behind_until_it_is_brought_up_to_date(app: Flask, client: FlaskClient) -> None:
    open_table(client, base="100", per_tai="20")
    won(client, 0, 1)  # the dealer stays
    won(client, 0, 3, "2")  # as dealer with one streak: 100 + 20 * (3 + 3)
    at_table(client, "false-win", offender="1")
    first, second, _ = state(app).hands
    assert second.points["阿明"] == 220
    assert amend(client, first.entry.id, tai_1="1", source="self_draw").status_code == 303
    html = client.get("/table").get_data(as_text=True)
    assert "當時 +220 → 更正後 +160" in words(html)
    id_ = state(app).id
    assert 'id="stale"' in client.get(f"/games/{id_}/evening").get_data(as_text=True)
    assert "照當時的莊家" in client.get(f"/games/{id_}/export.csv").get_data(as_text=True)
    exported = client.get(f"/games/{id_}/export.json").get_json()
    assert [hand["stale"] for hand in exported["hands"]][:2] == [False, True]
    form = html.split('action="/table/recompute"')[1].split("</form>")[0]
    answer = client.post("/table/recompute", data={**hidden(form), "entry": second.entry.id})
    assert answer.status_code == 303
    assert state(app).hands[1].points["阿明"] == 160
    assert sum(state(app).totals.values()) == 0
    html = client.get("/table").get_data(as_text=True)
    assert second.entry.id not in html.split('id="stale"')[-1].split("</section>")[0] or 'id="stale"' not in html


def test_a_photographed_hand_is_tallied_again(app: Flask, client: FlaskClient, page: Any) -> None:
    open_table(client)
    won(client, 0, 1)
    page.upload()
    assert settle(page, into_game=True).status_code == 303
    before = state(app).hands[1]
    assert amend(client, state(app).hands[0].entry.id, tai_1="1", source="self_draw").status_code == 303
    html = client.get("/table").get_data(as_text=True)
    assert "照更正後重算" in html
    assert client.post("/table/recompute", data=hidden(html.split('action="/table/recompute"')[1])).status_code == 303
    after = state(app).hands[1]
    assert after.points != before.points
    assert after.records == before.records
    assert 'id="stale"' not in client.get("/table").get_data(as_text=True)


def test_false_wins_and_fines_can_be_put_right(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    at_table(client, "false-win", offender="1")
    (hand,) = state(app).hands
    assert amend(client, hand.entry.id, ended="false_win", offender="2").status_code == 303
    assert state(app).hands[0].loser == state(app).players[2]
    assert amend(client, hand.entry.id, tai_3="2", source="self_draw").status_code == 303
    assert state(app).hands[0].winners == (state(app).players[3],)
    assert client.get("/table/amend/nobody").status_code == 409
    stale = client.post("/table/recompute", data=hidden(client.get("/table").get_data(as_text=True)))
    assert stale.status_code == 409
