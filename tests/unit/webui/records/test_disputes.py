"""A dispute about a settled hand: claims, the books' answers, the agreement."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from tests.unit.webui.support.records_kit import entries, settle, store_of, words
from webui.store.upkeep.verify import verify


def dispute(page: Any, record: str, who: str = "老王", claim: str = "自摸不算") -> Any:
    return page.client.post(f"/records/{record}/disputes", data={"who": who, "claim": claim})


def test_a_dispute_from_claim_to_agreement(app: Flask, page: Any) -> None:
    page.upload()
    settle(page)
    (record,) = entries(app)
    assert dispute(page, record.id).status_code == 303
    (opened,) = entries(app, "dispute")
    assert opened.about == record.id
    assert [book["tai"] for book in opened.content["books"]["zh"]["books"]] == [3, 3, 3, 3]
    text = words(page.client.get(f"/records/{record.id}").get_data(as_text=True))
    for said in ("老王", "自摸不算", "台大麻將社", "這桌用的"):
        assert said in text
    page.client.post(f"/disputes/{opened.id}/claims", data={"who": "小美", "claim": "要算"})
    assert "有爭議" in page.client.get("/records").get_data(as_text=True)
    assert dispute(page, record.id).status_code == 409  # one open dispute a record
    page.client.post(f"/disputes/{opened.id}/agreement", data={"outcome": "照羅漢，三台"})
    text = words(page.client.get(f"/records/{record.id}").get_data(as_text=True))
    for said in ("小美", "要算", "照羅漢，三台", "已談好"):
        assert said in text
    assert "已談好" in page.client.get("/records").get_data(as_text=True)
    assert page.client.post(f"/disputes/{opened.id}/claims", data={"who": "x", "claim": "y"}).status_code == 409
    assert page.client.post(f"/disputes/{opened.id}/agreement", data={"outcome": "z"}).status_code == 409
    assert [entry.kind for entry in entries(app)] == ["record", "dispute", "claim", "agreement"]
    assert dispute(page, record.id).status_code == 303  # another one may follow
    assert verify(store_of(app)).findings == ()


def test_books_that_differ_are_told_by_clause(app: Flask, page: Any, reader: Any) -> None:
    melds = {"meld:1": "345m", "meld:2": "678s"}
    reader.groups = {"concealed": "234m567p34s22p", "winning": "5s", **melds, "flowers": "2f"}
    page.upload()
    page.press(win="discard", discarder="N")
    settle(page)
    (record,) = entries(app)
    dispute(page, record.id)
    said = entries(app, "dispute")[0].content["books"]["zh"]
    assert len({book["tai"] for book in said["books"]}) > 1
    (difference,) = said["differences"]
    assert difference["name"] == "平胡"
    assert [title for title, _ in difference["cells"]] == [book["title"] for book in said["books"]]
    assert all(text for _, text in difference["cells"])


@pytest.mark.parametrize(("who", "claim"), [("", "x"), ("x", ""), (" ", "\n")])
def test_an_empty_claim(app: Flask, page: Any, who: str, claim: str) -> None:
    page.upload()
    settle(page)
    assert dispute(page, entries(app)[0].id, who, claim).status_code == 422
    assert len(entries(app)) == 1


def test_disputes_of_nothing(app: Flask, page: Any) -> None:
    assert dispute(page, "nobody").status_code == 404
    assert page.client.post("/disputes/nobody/claims", data={"who": "a", "claim": "b"}).status_code == 404
    assert page.client.post("/disputes/nobody/agreement", data={"outcome": "b"}).status_code == 404
