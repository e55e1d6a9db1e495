"""Stores with something in them, and empty ones to read a backup into."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from webui.store.place import DATABASE, Place
from webui.store.store import Store


@pytest.fixture
def short_contents(monkeypatch: pytest.MonkeyPatch) -> None:
    """Contents need only the fields that the store itself uses; `test_contents` is about the rest."""
    monkeypatch.setattr("webui.store.chain.fault_of", lambda kind, content: None)
    monkeypatch.setattr("webui.cli.unreadable_in", lambda chain, book_file: [])


@pytest.fixture
def filled(store: Store) -> Store:
    """Three entries and two photos."""
    with store.writing() as writer:
        for number in range(2):
            photo = store.photos.put(b"photo %d" % number * 1000)
            writer.append("end", {"photos": [{"sha256": photo}], "once": str(number)})
        writer.append("end", {"text": "台"})
    return store


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Store]:
    made = Store(Place(f"sqlite:///{tmp_path / 'new' / DATABASE}", tmp_path / "new"))
    yield made
    made.close()


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Store]:
    """A data folder with a bit of everything that people make in it."""
    from vision.labelling.store import DatasetStore

    store = Store(Place(f"sqlite:///{tmp_path / 'full' / DATABASE}", tmp_path / "full"))
    with store.writing() as writer:
        writer.append("end", {"photos": [{"sha256": store.photos.put(b"photo" * 100)}]})
    out = io.BytesIO()
    Image.new("RGB", (300, 200), "green").save(out, "JPEG")
    dataset = DatasetStore.create(store.place.folder / "datasets" / "evening", "Evening")
    dataset.add(out.getvalue(), "a.jpg")
    made = {
        "labelling.json": '{"phones": true}',
        "models/current.json": "{}",
        "models/mine/manifest.json": "{}",
        "training/train-1/job.json": "{}",
        "tilesets/red/set.json": "{}",
        "keys/cookie.key": "secret",
        "datasets/evening/thumbs/aa/x-240.jpg": "small",
        "training/train-1/half.part": "half",
    }
    for name, text in made.items():
        path = store.place.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    yield store
    store.close()
