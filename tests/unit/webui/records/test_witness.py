"""The table is the witness: a chain written again with all hashes right is named by whoever kept a code or a head."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Sequence
from html import unescape

import cv2
import numpy as np
import pytest
from flask import Flask

from paitai.commands import main
from tests.unit.webui.support.records_kit import entries, open_table, rewrite, state, store_of, won, words
from webui.records.witness import FITS, MISSING, NO_CODE, OTHER, check, code_of
from webui.store.upkeep.verify import verify


@pytest.fixture
def evening(app: Flask) -> str:
    client = app.test_client()
    open_table(client)
    won(client, 0, 3)
    won(client, 1, 2)
    return state(app).id


def forge(app: Flask, evening: str) -> None:
    """An attack by the laptop's owner: another winner of the first hand, every hash right."""
    first = entries(app, "hand")[0]
    content = {**first.content, "tai": [9]}
    rewrite(store_of(app), first.seq, json.dumps(content, sort_keys=True, separators=(",", ":")))
    assert verify(store_of(app)).whole, "the hashes alone say nothing"


def of_picture(app: Flask, evening: str) -> str:
    page = app.test_client().get(f"/games/{evening}/evening").get_data(as_text=True)
    found = re.search(r"見證碼 ([\d-]+)", words(page))
    assert found is not None
    return found[1]


def of_csv(app: Flask, evening: str) -> str:
    text = app.test_client().get(f"/games/{evening}/export.csv").get_data(as_text=True)
    rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))
    assert rows[0][-1] == "見證碼"
    return rows[-1][-1]


def read_qr(rows: Sequence[str]) -> str:
    """What a phone's camera reads from a QR code."""
    squares = np.array([[255 * (square == "0") for square in row] for row in rows], np.uint8)
    large = np.pad(squares, 4, constant_values=255).repeat(8, axis=0).repeat(8, axis=1)
    return str(cv2.QRCodeDetector().detectAndDecode(large)[0])


def of_qr(app: Flask, evening: str) -> str:
    page = app.test_client().get(f"/games/{evening}/evening").get_data(as_text=True)
    drawn = re.search(r'data-evening="1" data-card="([^"]*)"', page)
    assert drawn is not None
    code = read_qr(json.loads(unescape(drawn[1]))["code"])
    assert code == of_picture(app, evening)
    return code


def of_text(app: Flask, evening: str) -> str:
    """The last line of the words that are copied, with what is before the code."""
    page = app.test_client().get(f"/games/{evening}/evening").get_data(as_text=True)
    copied = re.search(r'id="share-words">([^<]*)<', page)
    assert copied is not None
    return copied[1].strip().splitlines()[-1]


def of_page(app: Flask, evening: str) -> str:
    return code_of(entries(app)[-1])


@pytest.mark.parametrize("kept_by", [of_picture, of_text, of_csv, of_qr, of_page])
def test_a_chain_written_again_is_named(app: Flask, evening: str, kept_by: Callable[[Flask, str], str]) -> None:
    code = kept_by(app, evening)
    page = app.test_client().get("/records/witness", query_string={"code": code}).get_data(as_text=True)
    assert "對得上" in words(page)
    forge(app, evening)
    page = app.test_client().get("/records/witness", query_string={"code": code}).get_data(as_text=True)
    assert "對不上" in words(page)


def test_a_phone_learns_that_its_entry_is_gone(app: Flask, evening: str) -> None:
    client = app.test_client()
    seen = client.get("/records/head.json").get_json()
    won(client, 2, 1)
    after = client.get(f"/records/head.json?seq={seen['seq']}").get_json()
    assert (after["then"], after["seq"]) == (seen["hash"], seen["seq"] + 1)
    forge(app, evening)
    assert client.get(f"/records/head.json?seq={seen['seq']}").get_json()["then"] != seen["hash"]


@pytest.mark.parametrize(
    ("change", "state"),
    [
        (lambda code: code, FITS),
        (lambda code: code.replace("-", " "), FITS),
        (lambda code: f"見證碼 {code}", FITS),
        (lambda code: f" Witness code {code}\n", FITS),
        (lambda code: code.translate({ord(digit): 0xFEE0 + ord(digit) for digit in "0123456789-"}), FITS),
        (lambda code: f"3 號手機 {code}", NO_CODE),
        (lambda code: code.partition("-")[0] + "-" + code.partition("-")[2].replace("-", ""), FITS),
        (lambda code: code[:-1] + str((int(code[-1]) + 1) % 10), OTHER),
        (lambda code: "999-" + code.partition("-")[2], MISSING),
        (lambda code: code[:-1], NO_CODE),
        (lambda code: "", NO_CODE),
        (lambda code: "見證", NO_CODE),
    ],
)
def test_a_code_as_people_type_it(app: Flask, evening: str, change: Callable[[str], str], state: str) -> None:
    with store_of(app).reading() as view:
        assert check(view, change(code_of(entries(app)[-1]))).state == state


def test_the_command(app: Flask, evening: str, capsys: pytest.CaptureFixture[str]) -> None:
    if not store_of(app).place.is_file:
        pytest.skip("one database is enough for the command")
    data, code = str(store_of(app).place.folder), code_of(entries(app)[-1])
    assert main(["records", "witness", code, "--data", data, "--lang", "zh"]) == 0
    assert "對得上" in capsys.readouterr().out
    forge(app, evening)
    assert main(["records", "witness", code, "--data", data, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["state"] == OTHER
    assert main(["records", "witness", "12", "--data", data]) == 2
