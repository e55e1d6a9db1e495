"""A long evening: the next hand costs no more than the first, and the cache equals the entries."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from scoring.settlement.session import Session
from tests.unit.webui.support.records_kit import NAMES, at_table, make_app, open_table, state, store_of, won
from webui.games.game import FOLDED, fold
from webui.store.place import find_place

HANDS = 24


@pytest.fixture
def app(tmp_path: Path, reader: Any) -> Iterator[Flask]:
    made = make_app(find_place(str(tmp_path)), reader)
    yield made
    store_of(made).close()


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How often a hand was played through the settlement, in its one number."""
    count, real = [0], Session.played

    def played(self: Session, outcome: Any) -> Session:
        count[0] += 1
        return real(self, outcome)

    monkeypatch.setattr(Session, "played", played)
    return count


def test_a_late_hand_costs_as_little_as_an_early_one(app: Flask, counted: list[int]) -> None:
    client = app.test_client()
    open_table(client)
    costs = []
    for number in range(HANDS):
        before = counted[0]
        won(client, number % 3, 3)
        client.get("/table")
        costs.append(counted[0] - before)
        if state(app).session.finished:
            at_table(client, "seating", **{f"place_{at}": name for at, name in enumerate(NAMES)}, first_dealer="0")
    assert len(state(app).hands) == HANDS
    assert max(costs[12:]) <= max(costs[:5]) <= 1 + 2 * len(NAMES)  # the hand, and what each false win would cost


def test_what_is_remembered_is_what_the_entries_say(app: Flask) -> None:
    """After hands, undone ones, fines, other names and amended hands, in any order."""
    client, chance = app.test_client(), random.Random(4)
    open_table(client)
    for number in range(26):
        what = chance.randrange(8)
        if what == 0:
            at_table(client, "undo")
        elif what == 1:
            at_table(client, "drawn")
        elif what == 2:
            at_table(client, "names", **{f"name_{at}": f"{name}{number}" for at, name in enumerate("ABCD")})
        elif what == 3 and (hands := state(app).hands):
            entry = chance.choice(hands).entry.id
            page = client.get(f"/table/amend/{entry}").get_data(as_text=True)
            known = dict(re.findall(r'<input type="hidden" name="(game|head)" value="([^"]*)"', page))
            client.post(f"/table/amend/{entry}", data={**known, "kind": "won", "tai_1": "7", "source": "self_draw"})
        else:
            won(client, chance.randrange(3), chance.randrange(1, 9))
        with store_of(app).reading() as view:
            entry, *_ = view.of_kind("game", 1)
            remembered = fold(entry, view.about(entry.id), store_of(app).book_file)
            FOLDED.clear()
            assert remembered == fold(entry, view.about(entry.id), store_of(app).book_file)
    assert len(remembered.rows) > 5
    assert remembered.taken_back
    assert any(hand.amended for hand in remembered.hands)
