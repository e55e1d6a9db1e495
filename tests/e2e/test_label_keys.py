"""Twenty photos labelled with the keyboard alone: how many keys a tile takes."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from tests.e2e.support.labelling import Open, label_all, meant, served
from tests.rendered import RENDERED, Truth, truth_of
from vision.labelling.store import DatasetStore

PHOTOS, MOST_KEYS = 20, 0.15


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[tuple[str, DatasetStore]]:
    """A server with an empty set."""
    yield from served(tmp_path)


def twenty(store: DatasetStore) -> dict[str, list[Truth]]:
    """The rendered photos, and copies of them turned upside down: truth by the photo's id."""
    truth = {}
    paths = sorted((RENDERED / "images/val").glob("*.jpg"))
    for number in range(PHOTOS):
        path = paths[number % len(paths)]
        with Image.open(path) as opened:
            image = opened.convert("RGB")
        width, height = image.size
        tiles = truth_of(path, width, height)
        data = path.read_bytes()
        if number >= len(paths):
            out = io.BytesIO()
            image.rotate(180).save(out, "JPEG", quality=92)
            data = out.getvalue()
            tiles = [
                Truth(one.tile, (width - one.box[2], height - one.box[3], width - one.box[0], height - one.box[1]))
                for one in tiles
            ]
        info, _ = store.add(data, f"photo-{number:02}.jpg", scene="rendered")
        truth[info.id] = tiles
    return truth


def test_twenty_photos_by_keyboard(bench: tuple[str, DatasetStore], open_page: Open) -> None:
    address, store = bench
    truth = twenty(store)
    person = label_all(open_page("laptop", blank=True), address, store, truth)
    tiles = sum(map(len, truth.values()))
    print(f"{person.keys} keys, {tiles} tiles, {person.keys / tiles:.3f} a tile; {dict(person.spent)}")
    for photo in store:
        wanted = truth[photo.photo.id]
        assert all(label.checked for label in photo.labels), photo.photo.name
        assert sorted(label.tile for label in photo.labels) == sorted(one.tile for one in wanted), photo.photo.name
        assert all(meant(label.box.outline, wanted) == label.tile for label in photo.labels), photo.photo.name
    assert person.keys / tiles <= MOST_KEYS
