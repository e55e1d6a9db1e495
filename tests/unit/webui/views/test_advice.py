"""該打哪張: the page by its address, the link from a hand that did not win, the JSON API."""

from __future__ import annotations

from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from scoring import advise
from webui import create_app
from webui.views.api.routes import ADVISE_EXAMPLE
from webui.views.tiles.advice import advice_address

SCORED = {
    "concealed": "234m34s11z9p",
    "melds": [{"kind": "pung", "tiles": "555m"}, {"kind": "kong", "tiles": "7777z"}, {"kind": "chow", "tiles": "567p"}],
    "flowers": "1f",
    "seat": "S",
    "round": "E",
    "dealer": "N",
}


def page_of(client: Any, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return unescape(response.get_data(as_text=True))


def test_a_hand_that_did_not_win_leads_to_what_to_discard(page: Any, reader: Any, hand: Any) -> None:
    reader.groups = {**hand(), "winning": "9p"}
    page.shoot()
    link = unescape(page.html.split('id="advice" href="')[1].split('"')[0])
    asked = parse_qs(urlsplit(link).query)
    assert asked["hand"] == ["234m5679p34s11z"]
    text = page_of(page.client, link)
    first = text.split('class="advice-list"')[1].split("</li></ol>")[0].split('class="advice-state"')[1]
    assert 'alt="九筒"' in first
    assert "聽牌" in first


def test_a_winning_hand_is_not_asked_what_to_discard(page: Any) -> None:
    page.upload()
    assert page.tai is not None
    assert 'id="advice"' not in page.html


def test_the_address_names_the_hand_as_it_was_scored() -> None:
    with create_app({"SECRET_KEY": "x"}).test_request_context():
        address = advice_address("common", SCORED)
    assert address is not None
    asked = {key: values[0] for key, values in parse_qs(urlsplit(address).query).items()}
    assert asked == {
        "rules": "common",
        "hand": "234m34s11z9p",
        "melds": "pung:555m kong:7777z chow:567p",
        **{"flowers": "1f", "seat": "S", "round": "E", "dealer": "N"},
    }
    assert advice_address("common", {**SCORED, "concealed": "234m"}) is None


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_page_says_what_paitai_advise_says(client: Any, lang: str) -> None:
    text = page_of(client, f"/advise?lang={lang}&hand=234m34s11z9p&melds=555m+7777z+567p&seen=2s2s2s2s&seat=S&dealer=N")
    melds = [{"kind": kind, "tiles": tiles} for kind, tiles in (("pung", "555m"), ("kong", "7777z"), ("chow", "567p"))]
    said = advise({"rules": "common", **SCORED, "flowers": "", "melds": melds, "seen": "2222s"})
    assert text.count('class="advice-state"') == len(said["discards"])
    assert ("四張都看得到" if lang == "zh" else "All four are seen") in text


def test_a_hand_far_from_ready_folds_its_many_kinds(client: Any) -> None:
    far = page_of(client, "/advise?hand=147m258p369s1234567z1m&lang=zh")
    assert "看全部" in far
    near = page_of(client, "/advise?lang=zh&hand=234m34s11z9p&melds=555m+7777z+567p")
    assert "看全部" not in near


@pytest.mark.parametrize(
    "query",
    [
        pytest.param("hand=5", id="no tile"),
        pytest.param("hand=123m", id="three tiles"),
        pytest.param("hand=234m567p34s555m777z11z&seen=5555m", id="too many seen"),
        pytest.param("hand=" + "1m" * 3000, id="very long"),
        pytest.param("hand=234m&melds=%3A%3A+x%3A1m", id="melds that are none"),
        pytest.param("hand=234m&rules=/etc/passwd&seat=X", id="no such book"),
        pytest.param("hand=%3Cscript%3E", id="markup"),
    ],
)
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_what_cannot_be_is_a_sentence(client: Any, query: str, lang: str) -> None:
    response = client.get(f"/advise?lang={lang}&{query}")
    assert response.status_code == 200
    html = response.get_data(as_text=True)
    assert '<ul class="problems">' in html
    assert "<script>" not in html.split("<main")[1]


def test_the_api_answers_as_the_command_does(client: Any) -> None:
    response = client.post("/api/advise", json=ADVISE_EXAMPLE)
    assert response.status_code == 200
    assert response.get_json() == advise(ADVISE_EXAMPLE)
    refused = client.post("/api/advise", json={**ADVISE_EXAMPLE, "seen": "9x"})
    assert refused.status_code == 422
    assert refused.get_json()["problems"]
