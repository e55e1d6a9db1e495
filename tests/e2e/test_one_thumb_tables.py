"""一隻手，真的牌桌: photos of real tables with racks and walls, and designs that no network saw, tapped with a thumb.

The photos are no part of the repository: without `../shared/data` these tests skip, and docs/taps.md is still checked.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.e2e.support.evenings import serve
from tests.e2e.support.pages import Board, Table
from tests.e2e.support.person import Label, Person, named
from vision.models.manifest import CLASSES

ROOT = Path(__file__).parents[2]
DATA = ROOT.parent / "shared" / "data"
TILES, ART, TEXTURES = DATA / "tiles", DATA / "art", DATA / "textures"
TAPS = ROOT / "docs" / "taps.md"
FLOWERS_IN_ORDER = CLASSES[34:42]
MOST, USUAL, SHARE = 5, 3, 0.85
"""Most taps of a photo with a rack or a wall; taps that most of them keep to, and the share that does."""
MOST_OF_NEW_SETS = 4
"""Most taps of a design that no network saw, once the table has one photo of its flowers."""


@dataclass(frozen=True)
class Photo:
    """A photo of a hand: its name, what is on it, and the taps to the number."""

    name: str
    shows: str
    taps: int

    @property
    def row(self) -> str:
        """Its line in docs/taps.md."""
        return f"| {self.name} | {self.shows} | {self.taps} |"


WAITS, WON = "牌尺或牌牆，16 張，胡的那張在海底", "牌尺或牌牆，17 張"
NEW = "沒見過的牌面，開桌時拍過八張花"
TABLES = (
    Photo("s3_531", WAITS, 3),
    Photo("s3_618", WAITS, 2),
    Photo("s3_633", WAITS, 3),
    Photo("s3_639", WAITS, 4),
    Photo("s3_646", WAITS, 3),
    Photo("s3_650", WAITS, 3),
    Photo("s3_652", WAITS, 3),
    Photo("s3_653", WAITS, 3),
    Photo("s3_655", WON, 2),
    Photo("s3_656", WAITS, 2),
    Photo("s3_658", WAITS, 3),
    Photo("s3_659", WAITS, 3),
    Photo("s3_661", WAITS, 3),
    Photo("s3_662", WAITS, 3),
    Photo("s3_663", WAITS, 4),
    Photo("s3_675", WON, 3),
    Photo("s3_679", WAITS, 3),
    Photo("s3_680", WAITS, 3),
    Photo("s3_683", WON, 3),
    Photo("s3_704", WON, 2),
    Photo("s3_705", WON, 3),
)
DESIGNS = (
    Photo("bihaifeng-planar", NEW, 2),
    Photo("imahjong-can", NEW, 2),
    Photo("imahjong-hk", NEW, 2),
    Photo("imahjong-tw", NEW, 2),
    Photo("kmahjongg-default", NEW, 4),
    Photo("pysol-crystal", NEW, 2),
    Photo("pysol-ivory", NEW, 2),
    Photo("pysol-uni", NEW, 2),
    Photo("pysol-western-classic", NEW, 2),
)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    yield from serve(tmp_path_factory.mktemp("tables"))


def labels_of(name: str) -> list[Label]:
    """The labelled tiles of a photo of the data set, in its pixels."""
    with Image.open(TILES / "images" / "train" / f"{name}.jpg") as picture:
        width, height = picture.size
    labels = []
    for line in (TILES / "labels" / "train" / f"{name}.txt").read_text("ascii").splitlines():
        number, *sides = line.split()
        x, y, w, h = map(float, sides)
        box = ((x - w / 2) * width, (y - h / 2) * height, (x + w / 2) * width, (y + h / 2) * height)
        labels.append((CLASSES[int(number)], box))
    return labels


def played(page: Any, photo: Path, labels: list[Label]) -> tuple[int, Person]:
    """The taps from a photo to its number at a running table."""
    board = Board(page)
    board.go("/")
    board.read(photo)
    person, taps = Person(board, labels), 0
    while page.locator("#ask").count():
        taps += person.answer()
        assert taps <= 2 * MOST, board.answers()
    return taps, person


def no_number_is_wrong_without_a_word(page: Any, person: Person) -> None:
    """The number stands for the labelled tiles, or the page says that something is in doubt."""
    expect(page.locator(".total strong")).to_be_visible()
    words = page.locator(".bar .hint.warn, #aside-line")
    assert person.hand_is_true() or words.count()


@pytest.fixture
def table(open_page: Any) -> Iterator[Table]:
    """A table that was just opened, so that no earlier photo helps."""
    table = Table(open_page("phone", blank=True))
    table.seated()
    yield table
    table.closed()


@pytest.mark.skipif(not TILES.is_dir(), reason="the photos of real tables are no part of the repository")
@pytest.mark.parametrize("photo", TABLES, ids=lambda photo: photo.name)
def test_a_hand_on_a_real_table(photo: Photo, table: Table) -> None:
    page = table.page
    taps, person = played(page, TILES / "images" / "train" / f"{photo.name}.jpg", labels_of(photo.name))
    assert taps == photo.taps
    no_number_is_wrong_without_a_word(page, person)


def asked_about_unread(page: Any, name: str) -> int:
    """The questions about unread things of a photo, which a person answers by its labels."""
    board, count = Board(page), 0
    board.go("/")
    board.read(TILES / "images" / "train" / f"{name}.jpg")
    person = Person(board, labels_of(name))
    while page.locator("#ask").count():
        count += "沒認出來" in page.locator(".ask-text").inner_text()
        person.answer()
    aside = [tile for tile in board.tiles() if tile["g"] == "other" and tile.get("u")]
    assert [tile for tile in aside if named(tile, person.labels)] == []
    board.press(page.locator("#again"))
    return count


@pytest.mark.skipif(not TILES.is_dir(), reason="the photos of real tables are no part of the repository")
def test_what_was_put_aside_at_a_table_is_not_asked_again(table: Table) -> None:
    """The letter on the rack of s3_626 lies on s3_624 too."""
    page = table.page
    asked = [asked_about_unread(page, "s3_624"), asked_about_unread(page, "s3_626")]
    table.closed()
    table.seated()
    asked.append(asked_about_unread(page, "s3_626"))
    assert [count > 0 for count in asked] == [True, False, True]


def test_most_hands_on_real_tables_take_three_taps_and_none_more_than_five() -> None:
    assert len(TABLES) >= 20
    assert sum(photo.taps <= USUAL for photo in TABLES) >= SHARE * len(TABLES)
    assert max(photo.taps for photo in TABLES) <= MOST


def test_a_new_set_takes_four_taps_at_most_after_its_photo_of_flowers() -> None:
    assert max(photo.taps for photo in DESIGNS) <= MOST_OF_NEW_SETS


def test_the_table_of_taps_says_so() -> None:
    written = TAPS.read_text("utf-8")
    assert [photo.row for photo in (*TABLES, *DESIGNS) if photo.row not in written] == []


@cache
def design_of(name: str) -> Any:
    """The faces of a design by code."""
    scenes, folder = import_module("set_scenes"), ART / name
    return scenes.listed_design(folder) if (folder / "map.csv").is_file() else scenes.gif_design(folder)


def scene_of(name: str, rows: Sequence[Sequence[str]], path: Path, rng: random.Random) -> list[Label]:
    """The labels of a photo with rows of tiles of one design on a texture."""
    textures = sorted((TEXTURES / "Fabric").rglob("*.jpg"))
    scene = import_module("set_scenes").compose(design_of(name), rows, textures, rng)
    Image.fromarray(scene.pixels).save(path, quality=92)
    return [(code, tuple(map(float, box))) for code, box in scene.tiles]  # type: ignore[misc]


def teach(page: Any, name: str, folder: Path) -> None:
    """One photo of the eight flowers of the design, at the table."""
    path = folder / f"{name}-flowers.jpg"
    scene_of(name, [FLOWERS_IN_ORDER[:4], FLOWERS_IN_ORDER[4:]], path, random.Random(name))
    table = Table(page)
    table.go("/sets")
    page.set_input_files("#set-photo", path)
    page.fill("#set-name", name)
    table.button("看看有哪些牌")
    expect(page.locator(".naming li")).to_have_count(8)
    for select, code in zip(page.locator(".naming select").all(), FLOWERS_IN_ORDER, strict=True):
        expect(select).to_have_value(code)
    table.button("記住這副牌")
    if page.get_by_role("alert").count():  # the networks know some of these flowers by another name
        for meant in page.locator(".naming input[type=checkbox]").all():
            table.toggle(meant)
        table.button("記住這副牌")
    expect(page.locator(".tile-set", has_text=name)).to_contain_text("這桌使用中")


def composed(name: str, folder: Path) -> tuple[Path, list[Label]]:
    """A won hand of one design on a texture, its melds and a flower behind it, the winning tile before it."""
    rng = random.Random(name)
    hand = import_module("unseen_designs").won_hand([code for code in CLASSES[:34] if code in design_of(name)], rng)
    melds, closed, winning = hand[:6], hand[6:-1], hand[-1:]
    flower = rng.sample(CLASSES[34:42], 1)
    path = folder / f"{name}.jpg"
    return path, scene_of(name, [flower + melds, closed, winning], path, rng)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # the art's files stay open
@pytest.mark.skipif(not ART.is_dir(), reason="the art is no part of the repository")
@pytest.mark.parametrize("photo", DESIGNS, ids=lambda photo: photo.name)
def test_a_hand_of_a_design_that_no_network_saw(photo: Photo, table: Table, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.syspath_prepend(ROOT / "benchmarks" / "reading")
    page = table.page
    teach(page, photo.name, tmp_path)
    path, labels = composed(photo.name, tmp_path)
    taps, person = played(page, path, labels)
    assert taps == photo.taps
    no_number_is_wrong_without_a_word(page, person)
