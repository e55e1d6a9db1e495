"""讀牌: warnings name the doubts in both languages; the JSON is the contract's."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scoring.hands.notation import parse_tiles
from scoring.tiles import CODES
from vision.detection.types import Detection
from vision.layout.grouping import arrange
from vision.messages import Message, catalog
from vision.photo.image import Photo
from vision.photo.sample import sample_photo_path
from vision.reading.pipeline import Reader, lay
from vision.reading.reading import Reading, describe, understand

SIZE = (3000, 1000)


def tiles(text: str, y: float = 100, confidence: float = 0.99) -> list[Detection]:
    codes = [code for part in text.split() for code in ([part] if part in (".", "back") else _codes(part))]
    return [
        Detection(code, (60 * i + 20, y, 60 * i + 78, y + 78), confidence)
        for i, code in enumerate(codes)
        if code != "."
    ]


def _codes(text: str) -> list[str]:
    suit = text[-1]
    return [digit + suit for digit in text[:-1]]


def read(detections: list[Detection]) -> Reading:
    return understand(detections, arrange(detections, SIZE), SIZE)


def keys(reading: Reading) -> list[str]:
    return [warning.key for warning in reading.warnings]


SEVENTEEN = "123456m 789p 111s 22z 555z"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(SEVENTEEN, [], id="nothing to say"),
        pytest.param("", ["nothing_found"], id="no tiles"),
        pytest.param("123456m 789p 111s 22z 55z", ["tile_count_short"], id="sixteen"),
        pytest.param("1234456m 789p 111s 22z 555z", ["tile_count_long"], id="eighteen without a kong"),
        pytest.param("11111m 6m 789p 111s 22z 555z", ["too_many_of_a_kind"], id="five of a kind"),
        pytest.param(f"33f {SEVENTEEN}", ["too_many_of_a_kind"], id="a flower twice"),
        pytest.param("123456m 789p 111s 22z . back 55z back", ["backs_guessed"], id="kong, two faces"),
        pytest.param("123456m 789p 111s 22z . back back back back", ["backs_unknown"], id="kong, no face"),
        pytest.param(f"{SEVENTEEN} . back back back back back", ["backs_aside"], id="a wall"),
        pytest.param("123456m 789p 111s 22z 5555z", ["kong_guessed"], id="four alike in the row"),
        pytest.param("123m . 456m . 789p . 111s . 22z . 555z", ["melds_unsure"], id="spread in sets"),
    ],
)
def test_warnings(text: str, expected: list[str]) -> None:
    reading = read(tiles(text))
    assert keys(reading) == expected
    for warning in reading.warnings:
        assert "{" not in warning.text("zh") + warning.text("en")


def test_doubtful_tiles_are_named_least_sure_first() -> None:
    detections = tiles(SEVENTEEN)
    detections[0] = Detection("1m", detections[0].box, 0.5, (("2m", 0.3),))
    detections[7] = Detection("8p", detections[7].box, 0.4)
    (warning,) = read(detections).warnings
    assert warning.text("zh") == "不太確定：八筒、一萬。請看一下這 2 張。"
    assert "8 dots, 1 characters" in warning.text("en")


def test_tiles_of_another_hand_stay_aside_and_that_is_said() -> None:
    detections = [*tiles(SEVENTEEN, y=500), *tiles("3579p", y=50)]
    reading = read(detections)
    assert keys(reading) == ["left_aside"]
    assert reading.hand.concealed == parse_tiles("123456m789p111s22z555z")


def test_json_is_the_contracts() -> None:
    detections = [*tiles("1f . 777z . back 66z back", y=50), *tiles("123m 45678p 99s . 9s", y=300)]
    line = read(detections).to_json("a.jpg")
    assert list(line) == ["photo", "size", "tiles", "hand", "warnings", "checks", "suggestions", "questions", "ms"]
    assert line["size"] == [3000, 1000]
    assert line["hand"] == {
        "concealed": "123m45678p999s",
        "melds": [{"kind": "pung", "tiles": "777z"}, {"kind": "concealed_kong", "tiles": "6666z"}],
        "flowers": "1f",
        "winning_tile": "9s",
    }
    first = line["tiles"][0]
    assert list(first) == ["tile", "box", "confidence", "others", "group"]
    assert [tile["group"] for tile in line["tiles"]] == (
        ["concealed"] * 10 + ["meld:1"] * 3 + ["meld:2"] * 4 + ["flowers", "winning"]
    )
    json.dumps(line)


def test_described_for_people() -> None:
    line = read([*tiles("1f . 777z", y=50), *tiles("123m 45678p 99s . 9s", y=300)]).to_json("a.jpg", "zh")
    text = describe(line, "zh")
    assert "手牌: 一萬 二萬 三萬" in text
    assert "吃碰槓: 刻子 中 中 中" in text
    assert "花牌: 春" in text
    assert "⚠" in text
    assert "pung red dragon, red dragon, red dragon" in describe(line, "en")


def test_what_was_not_read_is_named_as_a_guess() -> None:
    """The hand has the likeliest name in its place, and the reading names it as a guess."""
    row = tiles("123m 45678p 999s", y=300)
    assert "先當作" not in describe(read(row).to_json("a.jpg"), "zh")
    row[1] = replace(row[1], unread=True)
    line = read(row).to_json("a.jpg")
    assert "二萬" in describe(line, "zh").splitlines()[1]
    assert "沒認出來，先當作: 二萬" in describe(line, "zh")
    assert "not read, taken for now as: 2 characters" in describe(line, "en")


def test_both_catalogs_say_the_same_things() -> None:
    zh, en = catalog("zh"), catalog("en")
    assert zh.keys() == en.keys()
    for key in zh:
        names = [sorted(set(re.findall(r"{(\w+)", words[key]))) for words in (zh, en)]
        assert names[0] == names[1], key
    assert Message("backs_guessed", {"tile": "back"}).text("en")


def test_each_step_has_its_milliseconds(monkeypatch: pytest.MonkeyPatch) -> None:
    class Seeing(Reader):
        def __init__(self) -> None:
            """Without networks."""

        def detect(self, photo: Photo, matcher: object = None) -> tuple[Detection, ...]:
            return tuple(tiles("123m"))

    clock = iter([10.0, 10.12345, 10.16782])
    monkeypatch.setattr("vision.reading.pipeline.time.perf_counter", lambda: next(clock))
    photo = Photo(np.full((100, 300, 3), 90, np.uint8), SIZE, ms=7.26)
    assert Seeing().read(photo).ms == {"decode": 7.3, "detect": 123.5, "layout": 44.4, "total": 175.1}


def test_the_samples_truth_is_a_reading() -> None:
    truth = json.loads(sample_photo_path().with_suffix(".json").read_text(encoding="utf-8"))
    detections = [Detection(tile["tile"], tuple(tile["box"]), 0.99) for tile in truth["tiles"]]
    line = understand(detections, arrange(detections, tuple(truth["size"])), tuple(truth["size"])).to_json("x")
    assert line["hand"] == truth["hand"]
    assert line["warnings"] == []
    by_box = {tuple(tile["box"]): tile["group"] for tile in truth["tiles"]}
    assert all(by_box[tuple(tile["box"])] == tile["group"] for tile in line["tiles"])


def test_the_rendered_sets_truths_are_readings() -> None:
    folder = Path(__file__).parents[4] / "datasets/rendered"
    for text in (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines():
        truth = json.loads(text)
        detections = [Detection(tile["tile"], tuple(tile["box"]), 0.99) for tile in truth["tiles"]]
        line = understand(detections, arrange(detections, tuple(truth["size"])), tuple(truth["size"])).to_json("x")
        for part in (line["hand"], truth["hand"]):
            part["melds"].sort(key=lambda meld: meld["tiles"])
        assert line["hand"] == truth["hand"], truth["photo"]


def test_codes_have_names() -> None:
    for code in CODES:
        assert Message("backs_guessed", {"tile": code}).text("zh")


def test_what_is_hardly_a_tile_is_shown_where_the_hand_lacks_one() -> None:
    row = [Detection(code, (40.0 * at, 400.0, 40.0 * at + 38, 450.0), 0.99) for at, code in enumerate(CODES[:16])]
    weak = Detection("9s", (40.0 * 16, 400.0, 40.0 * 16 + 38, 450.0), 0.1, unread=True, shaped=0.2)
    elsewhere = replace(weak, box=(40.0, 0.0, 60.0, 26.0))
    shown, layout = lay((*row, elsewhere, weak), (1000, 500))
    assert [(one.unread, one.box) for one in shown[16:]] == [(True, weak.box)]
    assert layout.group_names(17) == ["concealed"] * 17
    whole = (*row, Detection("9s", weak.box, 0.99))
    assert lay((*whole, elsewhere), (1000, 500))[0] == whole  # nothing is lacking
    clear = replace(elsewhere, shaped=0.9)  # surely a tile: shown whatever the hand has
    assert lay((*whole, clear), (1000, 500))[0] == (*whole, clear)


def test_a_tile_that_was_not_read_is_told_apart_from_those_that_were() -> None:
    row = [Detection(code, (40.0 * at, 400.0, 40.0 * at + 38, 450.0), 0.99) for at, code in enumerate(CODES[:16])]
    unread = Detection("9s", (640.0, 400.0, 678.0, 450.0), 0.1, (("8s", 0.2),), unread=True, shaped=0.9)
    shown, layout = lay((*row, unread), (1000, 500))
    line = understand(shown, layout, (1000, 500)).to_json("a.jpg")
    assert len(line["tiles"]) == 16
    assert line["unread"] == [
        {"box": [640.0, 400.0, 678.0, 450.0], "others": [["9s", 0.1], ["8s", 0.2]], "group": "concealed"}
    ]
    assert "unread" in [one["code"] for one in line["checks"]]
