"""照片幫忙: a photo of a hand that does not win leads to the referee's sheet with what it shows filled in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.unit.webui.support.records_kit import open_table, store_of, words
from webui import create_app

SHORT = {"concealed": "234m567p34s1z7z", "meld:1": "555m", "flowers": "1f"}  # 10 closed, a pung: 13
SEVENTEEN = {"concealed": "234m567p34s11z9p777z", "meld:1": "555m"}  # 14 and a pung: no win, the right number


@pytest.fixture
def app(tmp_path: Path, reader: Any) -> Iterator[Flask]:
    made = create_app({"READER": reader, "DATA": str(tmp_path)})
    yield made
    store_of(made).close()


def links(html: str) -> list[str]:
    """The addresses of the board's 出事了."""
    part = html.partition('id="went-wrong"')[2].partition("</div>")[0]
    return [unescape(one) for one in re.findall(r'href="([^"]+)"', part)]


def test_the_count_goes_to_the_dead_hand(client: FlaskClient, page: Any, reader: Any) -> None:
    reader.groups = SHORT
    open_table(client)
    page.upload()
    page.press(seat="S", win="self_draw")  # 小美
    assert "照片裡有 13 張：手裡 10 張，吃碰槓 1 組" in words(page.html)
    assert "應該是 16 張" in words(page.html)
    dead, _, _ = links(page.html)
    asked = words(client.get(dead).get_data(as_text=True))
    assert "是誰" not in asked
    assert "摸" in asked  # the one thing that no photo shows: drawn already or not
    ruled = words(client.get(f"{dead}&f_drawn=0").get_data(as_text=True))
    assert "小美相公，這把不能胡" in ruled


def test_the_certain_tai_go_to_the_false_win(client: FlaskClient, page: Any, reader: Any) -> None:
    reader.groups = SEVENTEEN
    open_table(client)
    page.upload()
    page.press(seat="S", win="self_draw")
    assert "照片裡有 17 張" in words(page.html)
    assert "張數沒有錯" in words(page.html)
    assert "確定的台：1 台" in words(page.html)  # 中
    _, false_win, menu = links(page.html)
    answer = client.get(false_win).get_data(as_text=True)
    assert 'name="face_tai"' in answer
    assert 'value="1"' in answer
    assert "照片上確定的台數" in answer
    ruled = words(client.get(f"{false_win}&face_tai=1").get_data(as_text=True))
    assert "小美付阿明 5 點、老王 4 點、Grace 4 點" in ruled  # 3 + 1, the dealer's tai on top
    through = client.get(menu).get_data(as_text=True)
    (dead,) = (one for one in re.findall(r'href="(/table/incident/dead_hand[^"]*)"', through))
    assert "f_count=17" in dead


def test_what_hangs_on_the_seat_is_not_certain_before_it_is_said(page: Any, client: FlaskClient, reader: Any) -> None:
    reader.groups = {**SEVENTEEN, "concealed": "234m567p34s11z9p222z", "flowers": "2f"}  # 南 and 夏: South's
    open_table(client)
    page.shoot()
    assert "確定的台：0 台" in words(page.html)
    assert not any("who=" in one for one in links(page.html))
    page.press(seat="S", win="self_draw")
    assert "確定的台：2 台" in words(page.html)


def test_nothing_of_it_without_a_table_or_where_the_hand_wins(client: FlaskClient, page: Any, reader: Any) -> None:
    reader.groups = SHORT
    page.upload()
    assert links(page.html) == []
    open_table(client)
    assert links(page.upload().html) != []
    reader.groups = {"concealed": "234m567p34s11z", "winning": "5s", "meld:1": "555m", "meld:2": "777z"}
    assert links(page.upload().html) == []
