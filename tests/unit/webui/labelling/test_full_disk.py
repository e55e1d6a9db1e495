"""A full disk: the workbench reports it, nothing half made stays, and nothing is called damaged."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.unit.webui.support.records_kit import store_of
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
    """All files there except SQLite's own notes."""
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
        said = "磁碟滿了" if what in ("new set", "import") else "No space left on device"
        assert said in answer.get_data(as_text=True), what
        assert "備份還原" not in answer.get_data(as_text=True), what
    left = files(tmp_path) - before
    assert not [one for one in left if one.endswith((".part", ".jpg", "job.json", "labelling.json"))], left
    assert client.get("/label").get_data(as_text=True).count("two") == 0


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 4 MB, in memory."""
    disk = tmp_path / "disk"
    disk.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(disk)]
    if shutil.which("mount") is None or subprocess.run(command, capture_output=True).returncode:
        pytest.skip("this system lets us mount no disk in memory")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


def fill(disk: Path) -> Path:
    """A file that takes all room that is left."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as stream:
        for size in (65536, 4096, 1):
            with contextlib.suppress(OSError):
                while stream.write(bytes(size)):
                    pass
    return filler


def test_a_disk_that_is_really_full(small_disk: Path, reader: Any) -> None:
    """Every save reports it, nothing half made stays, and everything is whole when there is room again."""
    app = create_app({"READER": reader, "DATA": str(small_disk)})
    client = app.test_client()
    name = client.post("/label/new", data={"title": "one"}).headers["Location"].rsplit("/", 1)[1]
    client.post(f"/label/{name}/import", data={"files": (io.BytesIO(jpeg("green")), "a.jpg")})
    client.get("/table")
    photo = next(iter(DatasetStore.open(small_disk / "datasets" / name).photos())).id
    table = {"first_dealer": "0", "rules": "luohan", **{f"name_{at}": one for at, one in enumerate("ABCD")}}
    box = {"tile": "1m", "box": [1, 2, 30, 40, 0], "origin": "person", "confidence": None, "checked": True}
    saves: dict[str, Callable[[], Any]] = {
        "new set": lambda: client.post("/label/new", data={"title": "two"}),
        "import": lambda: client.post(f"/label/{name}/import", data={"files": (io.BytesIO(jpeg("red")), "b.jpg")}),
        "settings": lambda: client.post("/label/settings", data={"phones": "on"}),
        "pre-label": lambda: client.post(f"/label/{name}/prelabel"),
        "labels": lambda: client.post(f"/label/{name}/{photo}/labels", json={"labels": [box] * 200, "revision": 0}),
        "table": lambda: client.post("/table/start", data=table),
    }
    before = files(small_disk)
    filler = fill(small_disk)
    for what, save in saves.items():
        answer = save()
        text = answer.get_data(as_text=True)
        assert answer.status_code in (200, 422, 503, 507), what
        assert re.search("No space left on device|disk is full|磁碟滿", text), (what, text[-600:])
        assert "備份還原" not in text, what
    assert files(small_disk) - before - {"filler", "training", "books"} == set()  # empty folders for jobs and books
    assert not any((small_disk / "books").iterdir())
    filler.unlink()
    for what, save in saves.items():
        if what != "pre-label":  # starts a process
            assert save().status_code in (200, 303), what
    assert len(list(DatasetStore.open(small_disk / "datasets" / name).photos())) == 2
    store_of(app).close()


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
    assert "Its content is whole" in error.value.message("en")
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
