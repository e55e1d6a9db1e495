"""看牌: each decision on the way from a photo to tiles, with the answers of a test in place of networks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from vision.detection.classifier import OnnxClassifier
from vision.detection.filtering import SHAPED
from vision.detection.types import SURE, Detection
from vision.layout.grouping import arrange
from vision.models.manifest import CLASSES, DEFAULT_CONFIDENCE, DetectorSpec, ModelError
from vision.photo.image import Photo
from vision.reading import pipeline
from vision.reading.mirror import Mirror
from vision.reading.pipeline import MOST_BOXES, OF_COLOURS, Reader, lay
from vision.reading.reading import Reading, Sighting, describe, hand_json, understand

PHOTO = Photo(np.full((100, 400, 3), 90, np.uint8), (800, 200))
Patch = pytest.MonkeyPatch


def tile(code: str, at: int = 0, confidence: float = 0.95, **more: Any) -> Detection:
    return Detection(code, (40.0 * at, 100.0, 40.0 * at + 38, 150.0), confidence, **more)


class Networks(OnnxClassifier):
    """A classifier without networks: which names it refuses, does not name, and contradicts."""

    def __init__(self, refused: str = "", unnamed: str = "", against: str = "") -> None:
        self.answers = refused.split(), unnamed.split(), against.split()
        self.asked: list[list[str]] = []

    def _told(self, number: int, codes: Any) -> list[bool]:
        return [CLASSES[code] in self.answers[number] for code in codes]

    def second_look(self, pixels: Any, boxes: Any, codes: Any) -> Any:
        self.asked.append([CLASSES[code] for code in codes])
        return self._told(0, codes), self._told(1, codes)

    def contradicted(self, pixels: Any, boxes: Any, codes: Any) -> Any:
        self.asked.append([CLASSES[code] for code in codes])
        return self._told(2, codes)

    def read(self, pixels: Any, boxes: Any) -> Any:
        return np.zeros((len(boxes), len(CLASSES) + 1))


def reader(classifier: Any = None, **more: Any) -> Reader:
    return Reader(SimpleNamespace(), classifier, **more)


@pytest.fixture
def found(monkeypatch: Patch) -> Callable[..., None]:
    """Let the search find this many boxes, and the filter make these tiles of them."""

    def found(count: int, tiles: Sequence[Detection] = ()) -> None:
        finds: Any = type("Finds", (), {"__len__": lambda self: count, "faces": None, "boxes": np.zeros((count, 4))})()
        monkeypatch.setattr(pipeline, "search", lambda detector, pixels: (pixels, finds))
        monkeypatch.setattr(pipeline, "believe", lambda *given, **more: tuple(tiles))
        monkeypatch.setattr(pipeline, "strange", lambda pixels, tiles, scale: set())

    return found


def test_a_photo_in_which_nothing_is_found_is_not_named(found: Any) -> None:
    found(0)
    assert reader()._detect(PHOTO, None) == ()


def test_boxes_without_a_classifier_cannot_be_named(found: Any) -> None:
    found(1)
    with pytest.raises(ModelError) as error:
        reader()._detect(PHOTO, None)
    assert error.value.key == "model_missing"
    assert "reader.onnx" in error.value.message("en")


def test_tiles_come_before_what_was_not_read(found: Any) -> None:
    found(2, [tile("1m", 0, 0.3, unread=True), tile("2m", 1, 0.5)])
    assert [one.tile for one in reader(Networks())._detect(PHOTO, None)] == ["2m", "1m"]
    plain = SimpleNamespace(read=lambda pixels, boxes: np.zeros((len(boxes), 44)))
    assert [one.tile for one in reader(plain)._detect(PHOTO, None)] == ["1m", "2m"], "without a second network"


@pytest.mark.parametrize(
    ("classifier", "seen", "expected"),
    [
        (Networks(), tile("1m"), tile("1m")),
        (Networks(refused="1m"), tile("1m"), tile("1m", unread=True, shaped=SHAPED)),
        (Networks(unnamed="1m"), tile("1m", 0, SURE), tile("1m", 0, OF_COLOURS)),
        (Networks(unnamed="1m"), tile("1m", 0, SURE - 0.01), tile("1m", 0, SURE - 0.01)),
        (Networks(against="1m"), tile("1m", 0, SURE), tile("1m", 0, OF_COLOURS)),
        (Networks(against="1m"), tile("1m", 0, SURE - 0.01), tile("1m", 0, SURE - 0.01)),
        (Networks(against="1m"), tile("2m"), tile("2m")),
        (Networks(against="back"), tile("back"), tile("back")),
        (Networks(refused="1m", unnamed="1m"), tile("1m", by="set"), tile("1m", by="set")),
        (Networks(refused="1m"), tile("1m", unread=True), tile("1m", unread=True)),
    ],
    ids=[
        *("no objection", "no tile", "not its name", "not sure anyway", "needs its colours", "unsure without them"),
        *("another name", "a back", "of the own set", "not read"),
    ],
)
def test_the_second_network_s_objections(
    found: Any, classifier: Networks, seen: Detection, expected: Detection
) -> None:
    found(1, [seen])
    assert reader(classifier)._detect(PHOTO, None) == (expected,)


def test_only_sure_faces_are_looked_at_without_colours(found: Any) -> None:
    networks = Networks(refused="4m", unnamed="5m")
    found(
        6, [tile("1m", 0), tile("back", 1), tile("3m", 2, 0.5), tile("4m", 3), tile("5m", 4), tile("6m", 5, by="set")]
    )
    reader(networks)._detect(PHOTO, None)
    assert networks.asked == [["1m", "back", "3m", "4m", "5m"], ["1m"]]


def test_a_tile_on_another_ground_is_not_sure(found: Any, monkeypatch: Patch) -> None:
    found(2, [tile("1m", 0), tile("2m", 1)])
    monkeypatch.setattr(pipeline, "strange", lambda pixels, tiles, scale: {1})
    assert [one.confidence for one in reader(Networks())._detect(PHOTO, None)] == [0.95, OF_COLOURS]


@pytest.mark.parametrize("models", [None, SimpleNamespace(confidence="of the model")])
def test_names_are_believed_as_the_model_says(found: Any, monkeypatch: Patch, models: Any) -> None:
    found(1)
    given: list[Any] = []

    def believe(*values: Any, **more: Any) -> tuple[Detection, ...]:
        given.append((values[3], more))
        return ()

    monkeypatch.setattr(pipeline, "believe", believe)
    assert Reader(SimpleNamespace(), Networks(), models)._detect(PHOTO, None) == ()
    assert given == [(models.confidence if models else DEFAULT_CONFIDENCE, {"by_set": None, "without_set": None})]


def test_the_table_s_own_set_decides_before_the_network(found: Any, monkeypatch: Patch) -> None:
    """For the tiles that it decided, the names without it come from the network."""
    found(2)
    given: list[Any] = []

    def believe(*values: Any, **more: Any) -> tuple[Detection, ...]:
        given.append((values[2], more))
        return ()

    monkeypatch.setattr(pipeline, "believe", believe)
    own, decided = np.ones((2, len(CLASSES) + 1)), np.array([True, False])
    matcher: Any = SimpleNamespace(decide=lambda *values: SimpleNamespace(decided=decided, probabilities=own))
    reader(Networks())._detect(PHOTO, matcher)
    ((probabilities, more),) = given
    assert probabilities is own
    assert more["by_set"] is decided
    assert more["without_set"][:, 0].tolist() == [0.0, 1.0]


def test_a_classifier_that_cannot_compare_has_no_tile_sets() -> None:
    with pytest.raises(ModelError) as error:
        reader(SimpleNamespace()).matcher(SimpleNamespace())  # type: ignore[arg-type]
    assert error.value.key == "model_no_sets"


def test_a_reader_for_frames_has_the_same_networks_and_does_not_sharpen() -> None:
    whole = reader(Networks())
    frames = whole.for_frames
    assert (frames.detector, frames.classifier, frames.models) == (whole.detector, whole.classifier, whole.models)
    assert (whole._sharpens, frames._sharpens) == (True, False)


@pytest.mark.parametrize("shipped", [True, False])
def test_one_detector_is_loaded_with_the_shipped_classifier_if_there_is_one(monkeypatch: Patch, shipped: bool) -> None:
    def models(folder: Path | None = None) -> Any:
        if not shipped:
            raise ModelError("model_missing", place="x")
        return SimpleNamespace(detector=DetectorSpec(Path("finder.onnx")), classifier="shipped")

    monkeypatch.setattr(pipeline, "find_models", models)
    monkeypatch.setattr(pipeline, "load_detector", lambda spec: spec.path)
    monkeypatch.setattr(pipeline, "OnnxClassifier", lambda spec: spec)
    alone: Any = Reader.load(Path("mine.onnx"))
    assert (alone.detector, alone.classifier) == (Path("mine.onnx"), "shipped" if shipped else None)
    with pytest.raises(ModelError) as error:
        Reader.load(Path("mine.pt"))
    assert error.value.key == "model_not_onnx"
    checked: Any = Reader.load(Path("mine.pt"), checkpoints=True)
    assert checked.detector == Path("mine.pt")
    if shipped:
        loaded: list[Any] = [Reader.load(Path("folder")), Reader.load()]
        assert [one.detector for one in loaded] == [Path("finder.onnx")] * 2


@pytest.mark.parametrize(
    ("mirrored", "blurred", "flipped", "read"),
    [
        (False, False, 0.95, [("1m", 0.95), ("8m", 0.7)]),
        (True, False, 0.95, [("1m", 0.95), ("2m", 0.95)]),
        (True, False, 0.5, [("1m", 0.95), ("8m", 0.7)]),
        (True, True, 0.95, [("1m", 0.95), ("8m", 0.7)]),
    ],
    ids=["as it is", "mirrored", "no better flipped", "blurred"],
)
def test_a_mirrored_photo_is_read_flipped_if_that_is_better(
    monkeypatch: Patch, mirrored: bool, blurred: bool, flipped: float, read: list[tuple[str, float]]
) -> None:
    seen = (tile("1m"), tile("8m", 1))
    whole = reader(Networks())
    monkeypatch.setattr(
        whole, "_improved", lambda photo, matcher: seen if photo is PHOTO else (tile("1m"), tile("2m", 1, flipped))
    )
    monkeypatch.setattr(pipeline, "mirror", lambda photo, tiles, classifier: Mirror(mirrored, (seen[1],)))
    monkeypatch.setattr(pipeline, "sharpened", lambda photo, tiles: PHOTO if blurred else None)
    assert [(one.tile, one.confidence) for one in whole.detect(PHOTO)] == read


def short_row(count: int) -> list[Detection]:
    return [tile(code, at, 0.99) for at, code in enumerate([*CLASSES[:9], *CLASSES[9:18]][:count])]


@pytest.mark.parametrize("weak", [MOST_BOXES, MOST_BOXES + 1])
def test_six_weak_boxes_are_tried_if_a_hand_is_short(weak: int) -> None:
    """The last one is in the row, the others are far away."""
    far = [replace(tile("9s", 0, 0.1, unread=True, shaped=0.1), box=(30.0 * at, 900.0, 30.0 * at + 20, 926.0))
           for at in range(weak - 1)]  # fmt: skip
    beside = tile("9s", 16, 0.1, unread=True, shaped=0.1)
    shown, _ = lay([*short_row(16), *far, beside], (1000, 1000))
    assert (shown[16:] == (replace(beside, shaped=1.0),)) is (weak == MOST_BOXES)
    assert len(shown) == (17 if weak == MOST_BOXES else 16)


def test_a_weak_box_beside_a_whole_hand_is_not_shown() -> None:
    beside = tile("9s", 17, 0.1, unread=True, shaped=0.1)
    assert len(lay([*short_row(17), beside], (1000, 1000))[0]) == 17


@pytest.mark.parametrize(("shaped", "shown"), [(SHAPED, 18), (SHAPED - 0.01, 17)])
def test_a_box_that_is_likely_a_tile_is_shown_anyway(shaped: float, shown: int) -> None:
    extra = replace(tile("9s", 20, 0.1, unread=True, shaped=shaped), box=(0.0, 900.0, 20.0, 926.0))
    assert len(lay([*short_row(17), extra], (1000, 1000))[0]) == shown


def read(codes: str, **more: Any) -> Reading:
    seen = [tile(code, at, 0.99) for at, code in enumerate(codes.split())]
    return replace(understand(seen, arrange(seen, (1000, 400)), (1000, 400)), **more)


def test_the_json_of_merged_photos_names_every_place_of_a_tile() -> None:
    box, other = (0.0, 0.0, 9.0, 9.0), (1.25, 2.0, 3.0, 4.0)
    plain = read("1m 2m 3m")
    merged = replace(plain, photos=((10, 20), (30, 40)), sightings=((Sighting(1, box), Sighting(0, other)),) * 3)
    line = merged.to_json("a.jpg")
    assert line["photos"] == [{"size": [10, 20]}, {"size": [30, 40]}]
    assert (line["tiles"][0]["photo"], line["tiles"][0]["also"]) == (1, [{"photo": 0, "box": [1.2, 2.0, 3.0, 4.0]}])
    assert not {"photos", "unread", "region"} & set(plain.to_json("a.jpg"))
    assert "by" not in plain.to_json("a.jpg")["tiles"][0]
    by_set = replace(plain, detections=tuple(replace(one, by="set") for one in plain.detections))
    assert by_set.to_json("a.jpg")["tiles"][0]["by"] == "set"


def test_numbers_of_the_json_are_rounded() -> None:
    seen = [Detection("1m", (0.04, 1.26, 40.0, 50.0), 0.123456, (("2m", 0.98765),), unread=at == 1) for at in range(2)]
    line = understand(seen, arrange(seen, (100, 100)), (100, 100)).to_json("a.jpg")
    (shown,), (unread,) = line["tiles"], line["unread"]
    assert (shown["box"], shown["confidence"], shown["others"]) == ([0.0, 1.3, 40.0, 50.0], 0.1235, [["2m", 0.9877]])
    assert unread["others"] == [["1m", 0.1235], ["2m", 0.9877]]
    assert hand_json(read("5m").hand)["winning_tile"] is None


def test_what_a_terminal_shows() -> None:
    line = read("1m 1m 1m").to_json("a.jpg", "en")
    assert len(describe(line, "en").splitlines()) == 3 + len(line["warnings"])
    assert "1 characters, 1 characters" in describe(line, "en")
    whole: Any = {
        **line,
        "warnings": [],
        "tiles": [{"tile": "9s", "group": "other"}, {"tile": "1m", "group": "concealed"}],
        "unread": [{"others": [["2p", 0.4]], "group": "other"}, {"others": [["3p", 0.4]], "group": "concealed"}],
        "hand": {"concealed": "", "melds": [{"kind": "kong", "tiles": "5555z"}], "flowers": "1f", "winning_tile": "9p"},
    }
    text = describe(whole, "en").splitlines()
    assert len(text) == 7
    assert text[1].endswith("none  []")
    assert "kong" in text[2]
    assert text[4].endswith("9 dots")
    assert text[5].endswith("9 bamboos")
    assert text[6].endswith("3 dots"), "what lies aside is guessed at by nobody"
    without: Any = {**whole, "hand": {**whole["hand"], "winning_tile": None}}
    assert len(describe(without, "en").splitlines()) == 6
