"""口袋版 in Firefox and WebKit reads twenty photos as the server does: the same tiles in the same groups."""

from __future__ import annotations

import base64
import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from PIL import Image

from tests.e2e.support.webdriver.phone import KeptPhone
from tests.unit.webui.conftest import Page
from vision.photo.sample import sample_photo_path
from vision.reading.pipeline import Reader
from webui import create_app

TWENTY = 20
FOLDER = os.environ.get("PAITAI_READ")
RENDERED = sorted((Path(__file__).parents[3] / "datasets/rendered/images/val").glob("*.jpg"))
DATA = Path(__file__).parents[1] / "data"
READ = """async (text) => {
  const form = new FormData();
  form.append("photo", new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], "a.jpg"));
  const page = await (await fetch("/", { method: "POST", body: form })).text();
  return new DOMParser().parseFromString(page, "text/html").getElementById("state")?.value ?? page;
}"""


def photos() -> dict[str, bytes]:
    """Ours, and four of them darker; with PAITAI_READ twenty of that folder, evenly taken."""
    if FOLDER:
        paths = sorted(path for path in Path(FOLDER).iterdir() if path.suffix.lower() in (".jpg", ".jpeg", ".png"))
        chosen = [paths[at * len(paths) // TWENTY] for at in range(min(TWENTY, len(paths)))]
        return {path.name: path.read_bytes() for path in chosen}
    ours = [*RENDERED, DATA / "closed.jpg", DATA / "melds.jpg", DATA / "whole-table.jpg", sample_photo_path()]
    dark = {f"{path.name}, darker": darker(path) for path in RENDERED[: TWENTY - len(ours)]}
    return {path.name: path.read_bytes() for path in ours} | dark


def darker(path: Path) -> bytes:
    """A photo with a third less light."""
    out = io.BytesIO()
    with Image.open(path) as image:
        image.convert("RGB").point(lambda value: value * 2 // 3).save(out, "JPEG", quality=92)
    return out.getvalue()


def board_of(state: str) -> list[tuple[Any, ...]]:
    """Tiles and groups of a page's state."""
    return [(tile["t"], tile["g"]) for tile in json.loads(state)["tiles"]]


@pytest.fixture
def laptop(tmp_path: Path) -> Iterator[Flask]:
    """The server's edition."""
    app = create_app({"DATA": str(tmp_path / "laptop"), "READER": Reader.load()})
    yield app
    app.extensions["paitai.store"].close()


@pytest.mark.timeout(3600)
def test_twenty_photos_are_read_as_by_the_server(hosted: str, phone: KeptPhone, laptop: Flask) -> None:
    board = phone.open(hosted)
    phone.be_patient()
    wanted, differ = photos(), []
    assert len(wanted) == TWENTY
    for name, data in wanted.items():
        mine = board_of(board.page.evaluate(READ, base64.b64encode(data).decode()))
        client = laptop.test_client()
        client.set_cookie("rules", "luohan")
        theirs = board_of(Page(client, b"").shoot(data).fields()["state"])
        assert theirs, f"{name}: the server sees no tile"
        differ += [f"{name}: {mine}, not {theirs}"] if mine != theirs else []
    assert differ == []
