"""Health: each kind of mistake is found, named with photo and box, and sound labels are left in peace."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageEnhance

from scoring.languages import WHOLE
from scoring.tiles import BACK
from tests.unit.vision.labelling.support.sets import small_set
from vision.detection.types import Detection
from vision.labelling.labels import Box, Label, LabelledPhoto, PhotoInfo
from vision.labelling.quality.card import card
from vision.labelling.quality.examine import Opinion, Seen, _Once
from vision.labelling.quality.health import FINDING_KINDS, Finding, check
from vision.labelling.quality.missed import Missed, ranked, too_few
from vision.labelling.store import DatasetStore
from vision.models.manifest import CLASSES

INFO = PhotoInfo("a" * 64, "a.jpg", (1000, 800), perceptual_hash="00" * 64, revision=1)
TILES = ("1m", "2m", "3m", "4m", "5m")
ROW = tuple(Label(tile, Box(100 * n, 100, 100 * n + 90, 220), id=f"id{n}") for n, tile in enumerate(TILES))


def looked(**changes: object) -> Seen:
    """A model that agrees with ROW, except for the numbered labels in ``changes`` (``n2="7z"``)."""
    named = [str(changes.get(f"n{n}", label.tile)) for n, label in enumerate(ROW)]
    pairs = list(zip(named, ROW, strict=True))
    detections = [Detection(name, label.box.outline, 0.99) for name, label in pairs if name != "none"]
    opinions = tuple(Opinion(0.97 if name == label.tile else 0.001, name, 0.97) for name, label in pairs)
    return Seen((*detections, *changes.get("more", ())), opinions, (), 5.0)  # type: ignore[misc]


def found(labels: tuple[Label, ...], seen: Seen | None, info: PhotoInfo = INFO) -> list[Finding]:
    return list(check([LabelledPhoto(info, labels)], {info.id: seen} if seen else None).findings)


def test_sound_labels_are_left_in_peace() -> None:
    assert found(ROW, looked()) == []
    assert found(ROW, None) == []


def moved(n: int, dx: float, dy: float = 0, grow: float = 0) -> tuple[Label, ...]:
    box = ROW[n].box
    other = Box(box.x1 + dx - grow, box.y1 + dy - grow, box.x2 + dx + grow, box.y2 + dy + grow)
    return tuple(Label(label.tile, other if m == n else label.box, id=label.id) for m, label in enumerate(ROW))


@pytest.mark.parametrize(
    ("labels", "seen", "kind", "label"),
    [
        pytest.param(ROW, looked(n2="7z"), "wrong_name", "id2", id="wrong-name"),
        pytest.param(ROW, looked(n3="none"), "no_tile", "id3", id="no-tile"),
        pytest.param(moved(1, 0, 60), looked(), "shifted", "id1", id="half-a-tile-down"),
        pytest.param(moved(4, 45), looked(), "shifted", "id4", id="half-a-tile-right"),
        pytest.param(moved(1, 0, 0, -18), looked(), "tight", "id1", id="small"),
        pytest.param((*ROW, Label("9s", ROW[0].box, id="x")), None, "doubled", "x", id="doubled"),
        pytest.param(
            (*ROW, Label("1f", Box(500, 400, 590, 520), id="x"), Label("1f", Box(700, 400, 790, 520), id="y")),
            None,
            "too_many",
            "x",
            id="two-springs",
        ),
        pytest.param((*ROW, Label("9s", Box(700, 500, 720, 530), id="x")), None, "odd_size", "x", id="tiny"),
    ],
)
def test_each_mistake_is_found(labels: tuple[Label, ...], seen: Seen | None, kind: str, label: str) -> None:
    (finding,) = found(labels, seen)
    assert (finding.kind, finding.label, finding.photo, finding.name) == (kind, label, INFO.id, "a.jpg")
    assert finding.box == next(said.box.outline for said in labels if said.id == label)
    for lang in WHOLE:
        assert finding.to_json(lang)["text"]


def test_a_tile_that_the_model_missed_is_not_its_neighbour_of_the_same_kind() -> None:
    """Turned tiles' boxes overlap; the one box that the model has is the neighbour's."""
    pair = Label("9s", Box(600, 400, 690, 520), id="x"), Label("9s", Box(650, 440, 740, 560), id="y")
    seen = looked(more=(Detection("9s", pair[0].box.outline, 0.99),))
    assert found((*ROW, *pair), seen) == []


@pytest.mark.parametrize(("tile", "kind"), [("back", "unlabelled_back"), ("6p", "unlabelled")])
def test_what_only_the_model_sees(tile: str, kind: str) -> None:
    more = (Detection(tile, (700.0, 500.0, 790.0, 620.0), 0.95), Detection(tile, (800.0, 500.0, 890.0, 620.0), 0.4))
    (finding,) = found(ROW, looked(more=more))
    assert (finding.kind, finding.box, finding.label) == (kind, (700.0, 500.0, 790.0, 620.0), "")


def test_backs_that_are_known_to_lie_unlabelled_are_not_told_again() -> None:
    more = (Detection("back", (700.0, 500.0, 790.0, 620.0), 0.95),)
    assert found(ROW, looked(more=more), replace(INFO, hidden_backs=True)) == []


def picture(seed: int, brightness: float = 1.0, size: int = 400) -> bytes:
    noise = np.random.default_rng(seed).integers(0, 200, (9, 12, 3), dtype=np.uint8)
    image = Image.fromarray(noise).resize((400, 300), Image.Resampling.BICUBIC)
    image = ImageEnhance.Brightness(image).enhance(brightness).resize((size, size * 3 // 4))
    out = io.BytesIO()
    image.save(out, "JPEG", quality=70)
    return out.getvalue()


def test_near_duplicates_are_found_also_across_splits(tmp_path: Path) -> None:
    store = DatasetStore.create(tmp_path / "set")
    store.add(picture(1), "a.jpg", split="train")
    store.add(picture(1, brightness=1.2, size=320), "b.jpg", split="val")
    store.add(picture(1, size=240), "c.jpg", split="train")
    for n in range(2, 8):
        store.add(picture(n), f"{n}.jpg", split="train")
    findings = check(list(store)).findings
    (group,) = [finding for finding in findings if finding.kind.startswith("near_duplicate")]
    assert (group.kind, group.name, group.said.args["count"]) == ("near_duplicate_split", "a.jpg", 2)
    assert {store.get(id_).photo.name for id_ in group.said.args["members"]} == {"a.jpg", "b.jpg", "c.jpg"}
    assert group.said.args["members"][0] == group.photo, "the largest picture is best kept"
    assert "train / val" in group.said.text("en")


def test_what_a_person_checked_is_best_kept_of_a_group(tmp_path: Path) -> None:
    store = DatasetStore.create(tmp_path / "set")
    store.add(picture(1), "a.jpg")
    small, _ = store.add(picture(1, size=240), "small.jpg")
    store.save(small.id, [Label("1m", Box(10, 10, 60, 60), checked=True)], 0)
    (group,) = [finding for finding in check(list(store)).findings if finding.kind == "near_duplicate"]
    assert group.name == "small.jpg"


def test_numbers_and_texts(tmp_path: Path) -> None:
    store = small_set(tmp_path / "set", photos=4, labels=3, scenes=2)
    photos = list(store)
    health = check(photos)
    assert (health.photos, health.labels, health.scenes, sum(health.classes.values())) == (4, 12, 2, 12)
    assert health.sizes["median"] == 40
    json.dumps(health.to_json("zh"))
    assert "12" in health.text("zh")
    assert check([]).photos == 0
    assert check([]).text("en")


@pytest.mark.parametrize("lang", WHOLE)
def test_the_card_tells_what_is_there(lang: str, tmp_path: Path) -> None:
    store = small_set(tmp_path / "set", photos=4, scenes=2)
    store.change("p00.png", source="Set | 1", licence="CC0", split="val")
    photos = list(store)
    text = card("A *set*", photos, check(photos), lang)
    assert text.startswith("# A \\*set\\*\n")
    unsaid = {"zh": "沒有寫", "en": "not said"}[lang]
    assert f"Set \\| 1 | CC0 | {unsaid} | 1 |" in text
    assert "| val | scene0 | 1 |" in text
    assert all(f"| {tile} |" in text for tile in ("1m", "back"))
    assert len([line for line in text.splitlines() if line.startswith("|---")]) == 4
    assert len(FINDING_KINDS) == text.split("## ")[-1].count("\n|") - 2


def test_the_card_of_an_empty_set(tmp_path: Path) -> None:
    store = DatasetStore.create(tmp_path / "set")
    assert card("x", list(store), check([]), "en")


class Clouded:
    """A network that finds a box as bright as its picture, and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def find(self, pixels: np.ndarray) -> int:
        self.asked += 1
        return int(pixels.mean())


def test_parts_of_a_photo_get_their_own_answers() -> None:
    """A part that is let go leaves its place in memory to the next one."""
    network = Clouded()
    once = _Once(network)
    answers = [once.find(np.full((8, 8, 3), level, np.uint8)) for level in range(50)]
    assert answers == list(range(50))
    photo = np.zeros((8, 8, 3), np.uint8)
    assert [once.find(photo), once.find(photo)] == [0, 0]
    assert network.asked == 51


def test_places_of_a_photo_that_lacks_tiles_come_first() -> None:
    def row(count: int) -> list[Label]:
        return [Label(CLASSES[n], Box(10 * n, 0, 10 * n + 9, 12)) for n in range(count)]

    place = Missed(Box(0, 50, 9, 62), "end", "1m", 0.9)
    back = Missed(Box(50, 50, 59, 62), "gap", BACK, 0.9)
    weights = {count: ranked([place], row(count))[0][1] for count in (3, 14, 17)}
    assert weights[14] > weights[3] > weights[17]
    assert too_few(row(14))
    assert not too_few(row(17))
    (_, face), (_, behind) = ranked([place, back], row(14))
    assert behind < face < weights[14], "one of many says less than one alone"
