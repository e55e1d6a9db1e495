"""詐胡: its full price is shown before it is entered, and equals the payment."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.datastructures import MultiDict

from tests.unit.webui.support.records_kit import NAMES, at_table, open_table, state, won, words
from webui.games.paying.false_win import false_win_costs_of


@pytest.mark.parametrize("chair", range(4))
@pytest.mark.parametrize("rules", ["ntu", "luohan", "common"])
def test_the_amounts_are_those_that_are_paid(app: Flask, client: FlaskClient, rules: str, chair: int) -> None:
    open_table(client, rules=rules, base="5", per_tai="1")
    won(client, 0, 3)  # the dealer deals again, streak 1
    before = state(app)
    cost = false_win_costs_of(before, MultiDict({"face_tai": "2"}))[chair]
    assert at_table(client, "false-win", offender=str(chair), face_tai="2").status_code == 303
    after = state(app)
    points = {name: number for name, number in after.hands[-1].points.items() if number > 0}
    assert (dict(cost.pays), cost.total) == (points, sum(points.values()))
    assert (cost.next_dealer, cost.streak) == (after.dealer, after.session.streak)


def test_the_page_says_all_of_it_and_asks_who_deals_next(app: Flask, client: FlaskClient) -> None:
    open_table(client, rules="ntu", base="5", per_tai="1")
    won(client, 0, 3)
    page: Any = client.get("/table").get_data(as_text=True)
    text = words(page)
    costs = false_win_costs_of(state(app), MultiDict())
    assert costs[1].pays[NAMES[0]] > costs[1].pays[NAMES[2]]
    for cost in costs:
        for name, points in cost.pays.items():
            assert f"賠{name} {points}" in text
    assert ("詐胡之後誰作莊" in text) == ('id="rule-false_win_deal"' in page)


def test_a_table_without_a_penalty_shows_no_amounts(client: FlaskClient) -> None:
    open_table(client, rules="common")
    assert at_table(client, "rule", rule="false_win", answer="nothing").status_code == 303
    assert "false-win-full" not in client.get("/table").get_data(as_text=True)
