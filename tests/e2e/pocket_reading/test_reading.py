"""The pocket edition reads a photo as the server does: hand, tiles, groups, questions and doubts are equal.

Confidences are within 0.001 of the server's. Here a few of our own rendered photos are read.
All of them, and sixty photos of a labelled set:

    PAITAI_READ=../shared/data/tiles/images/val pytest tests/e2e/pocket_reading/test_reading.py -s
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Browser

from tests.e2e.pocket_reading.site import Pocket, packages, same_reading
from vision.multiview.merge import merge
from vision.photo.image import load_photo
from vision.reading.pipeline import Reader
from vision.reading.sharpened import sharpened
from vision.tileset.enrolment import enrol
from vision.tileset.values import TileSet

RENDERED = sorted((Path(__file__).parents[3] / "datasets/rendered/images/val").glob("*.jpg"))
FOLDER = os.environ.get("PAITAI_READ")
SIXTY = 60
FEW = RENDERED[1::4]
Pixels = NDArray[np.uint8]


@pytest.fixture(scope="module")
def pocket(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pocket]:
    """A page whose worker reads."""
    brought = packages()
    if brought is None:
        pytest.skip("npm is not here: the pocket edition was not built, and its reading is not tested")
    made = Pocket(browser, brought, tmp_path_factory.mktemp("pocket") / "models")
    yield made
    made.close()


@pytest.fixture(scope="module")
def server() -> Reader:
    """The server's reader."""
    return Reader.load()


def photos() -> list[Path]:
    """A few of ours; with PAITAI_READ all of them, and sixty of that folder, evenly taken."""
    if not FOLDER:
        return FEW
    found = sorted(path for path in Path(FOLDER).iterdir() if path.suffix.lower() in (".jpg", ".jpeg", ".png"))
    return [*RENDERED, *(found[at * len(found) // SIXTY] for at in range(min(SIXTY, len(found))))]


@pytest.mark.timeout(1800 if FOLDER else 300)
def test_photos(pocket: Pocket, server: Reader) -> None:
    differ = []
    for path in photos():
        data = path.read_bytes()
        theirs = server.read(load_photo(data)).to_json("photo", "zh")
        differ += [f"{path.name}: {how}" for how in same_reading(pocket.ask("read", data), theirs, 0.001)]
    assert differ == []


def test_two_photos_of_one_hand(pocket: Pocket, server: Reader) -> None:
    """The second is the first from nearer, and darker."""
    first = FEW[0].read_bytes()
    with Image.open(io.BytesIO(first)) as whole:
        width, height = whole.size
        part = whole.crop((width // 12, height // 12, width, height)).point(lambda value: int(value * 0.85))
    out = io.BytesIO()
    part.save(out, "JPEG", quality=92)
    both = [first, out.getvalue()]
    theirs = merge([server.read(load_photo(file)) for file in both]).to_json("photo", "zh")
    assert same_reading(pocket.ask("read", *both), theirs, 0.001) == []


def test_the_tables_own_tiles(pocket: Pocket, server: Reader) -> None:
    """Shown one photo, its tiles are found and named alike, and the next photo is read by them."""
    shown, photo = FEW[0].read_bytes(), FEW[1].read_bytes()
    boxes, read = pocket.ask("remember", shown)
    enrolment = enrol(load_photo(shown), server.detector, server.classifier)
    assert [name for name, _ in read] == [name for name, _ in enrolment.read]
    assert [list(map(round, box)) for box in boxes] == [list(map(round, box)) for box in enrolment.boxes]
    matcher = server.matcher(TileSet("table", enrolment.named([name for name, _ in enrolment.read])))
    theirs = server.read(load_photo(photo), matcher=matcher).to_json("photo", "zh")
    assert same_reading(pocket.ask("read", photo), theirs, 0.02) == []
    pocket.ask("forget")


def turned_by_exif(orientation: int) -> bytes:
    with Image.open(FEW[2]) as whole:
        exif = Image.Exif()
        exif[0x0112] = orientation
        out = io.BytesIO()
        whole.save(out, "JPEG", exif=exif, quality=95)
    return out.getvalue()


@pytest.mark.parametrize("orientation", [3, 6])
def test_a_photo_lies_as_its_exif_says(pocket: Pocket, server: Reader, orientation: int) -> None:
    file = turned_by_exif(orientation)
    theirs = server.read(load_photo(file)).to_json("photo", "zh")
    mine = pocket.ask("read", file)
    assert mine["size"] == theirs["size"]
    assert same_reading(mine, theirs, 0.001) == []


def moved(sharp: Pixels) -> Pixels:
    """The camera moved from left to right by 13 pixels."""
    return np.mean([np.roll(sharp, by, axis=1) for by in range(-6, 7)], axis=0).round().astype(np.uint8)


def unfocused(sharp: Pixels) -> Pixels:
    """The lens stood elsewhere."""
    return cv2.GaussianBlur(sharp, (0, 0), 2.5).astype(np.uint8)


@pytest.mark.parametrize("change", [moved, unfocused])
def test_a_photo_that_is_not_sharp(pocket: Pocket, server: Reader, change: Callable[[Pixels], Pixels]) -> None:
    with Image.open(FEW[1]) as whole:
        pixels = change(np.asarray(whole))
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "JPEG", quality=95)
    photo = load_photo(out.getvalue())
    assert sharpened(photo, server.for_frames.detect(photo)) is not None, "it is read once"
    theirs = server.read(photo).to_json("photo", "zh")
    assert same_reading(pocket.ask("read", out.getvalue()), theirs, 0.01) == []


def heic() -> bytes:
    import pillow_heif

    out = io.BytesIO()
    pillow_heif.from_pillow(Image.new("RGB", (200, 100))).save(out)
    return out.getvalue()


REFUSED: dict[str, tuple[Callable[[], bytes], str]] = {
    "heic": (heic, "photo_no_heic_here"),
    "damaged": (lambda: FEW[0].read_bytes()[:300], "photo_damaged"),
    "pdf": (lambda: b"%PDF-1.7 and so on", "photo_kind"),
    "text": (lambda: b"nothing of the kind", "photo_not"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_no_photo_is_refused_in_words(pocket: Pocket, kind: str) -> None:
    file, key = REFUSED[kind]
    assert pocket.ask("read", file()) == {"error": key}


def test_files_that_the_browser_makes_in_its_own_time(pocket: Pocket) -> None:
    """The page's JPEG, a photo turned: asked again once they are there. A set's PNG comes back as it was written."""
    data = FEW[0].read_bytes()
    page: dict[str, Any] = pocket.timed("page", data)
    assert page["made"] > 10_000
    assert page["turns"] <= 2
    width, height = load_photo(data).size
    assert pocket.ask("turned", data) == [height, width]
    assert pocket.ask("png", data) is True
