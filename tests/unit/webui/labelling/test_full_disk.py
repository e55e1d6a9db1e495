"""A disk that is full: the workbench says so, nothing half made stays, and nothing is called damaged."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from vision.labelling.labels import Box, Label
from vision.labelling.messages import LabellingError
from vision.labelling.store import DatasetStore
from webui import create_app


def jpeg(colour: str) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (300, 200), colour).save(out, "JPEG")
    return out.getvalue()


@contextlib.contextmanager
def full_disk() -> Iterator[None]:
    """Nothing can be put in its place any more."""

    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    patch = pytest.MonkeyPatch()
    patch.setattr(os, "replace", full)
    try:
        yield
    finally:
        patch.undo()


def files(folder: Path) -> set[str]:
    """All that lies there but for SQLite's own notes."""
    found = (path.relative_to(folder).as_posix() for path in folder.rglob("*"))
    return {one for one in found if not one.endswith(("-wal", "-shm"))}


def test_the_workbench_says_so(tmp_path: Path, reader: Any) -> None:
    client = create_app({"READER": reader, "DATA": str(tmp_path)}).test_client()
    name = client.post("/label/new", data={"title": "one"}).headers["Location"].rsplit("/", 1)[1]
    photo = (io.BytesIO(jpeg("green")), "a.jpg")
    client.post(f"/label/{name}/import", data={"files": photo})
    before = files(tmp_path)
    with full_disk():
        answers = {
            "new set": client.post("/label/new", data={"title": "two"}),
            "import": client.post(f"/label/{name}/import", data={"files": (io.BytesIO(jpeg("red")), "b.jpg")}),
            "settings": client.post("/label/settings", data={"phones": "on"}),
            "pre-label": client.post(f"/label/{name}/prelabel"),
        }
    for what, answer in answers.items():
        assert answer.status_code in (200, 422, 507), what
        assert "No space left on device" in answer.get_data(as_text=True), what
        assert "備份還原" not in answer.get_data(as_text=True), what
    left = files(tmp_path) - before
    assert not [one for one in left if one.endswith((".part", ".jpg", "job.json", "labelling.json"))], left
    assert client.get("/label").get_data(as_text=True).count("two") == 0


def test_a_full_disk_is_not_called_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = DatasetStore.create(tmp_path / "set")
    info, _ = store.add(jpeg("green"), "a.jpg")
    real = sqlite3.connect

    def small(*args: Any, **more: Any) -> sqlite3.Connection:
        connection = real(*args, **more)
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
        return connection

    labels = [Label("1m", Box(at, 10, at + 20, 60)) for at in range(1, 250)]
    monkeypatch.setattr(sqlite3, "connect", small)
    with pytest.raises(LabellingError) as error:
        store.save(info.id, labels, 0)
    assert "What is in it is whole" in error.value.message("en")
    monkeypatch.undo()
    assert store.save(info.id, labels, 0).photo.revision == 1


def test_a_thumbnail_tells_nothing_of_its_photo(tmp_path: Path) -> None:
    """Comments and EXIF may name a place or a person; the pictures of the list have neither."""
    from webui.labelling import thumbnails

    out = io.BytesIO()
    exif = Image.Exif()
    exif[0x010E] = "at the table of Mei"
    Image.new("RGB", (900, 600), "green").save(out, "JPEG", comment=b"at the table of Mei", exif=exif)
    store = DatasetStore.create(tmp_path / "set")
    info, _ = store.add(out.getvalue(), "a.jpg")
    for side in (thumbnails.SMALL, thumbnails.LARGE):
        assert b"table of Mei" not in thumbnails.picture(store, info, side).read_bytes()
