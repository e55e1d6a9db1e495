"""``paitai sets`` and ``paitai read --set`` with the shipped networks, on the shipped photo."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import paitai
from vision.photo.sample import sample_photo_path
from vision.tileset.enrolment import Enrolment
from vision.tileset.values import CROP

TILES = "777z456p56f 1235579p111z8p"
"""The sample photo's tiles row by row: the melds and the flowers behind, the hand before them."""


def told(capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    answer = json.loads(capsys.readouterr().out)
    assert isinstance(answer, dict)
    return answer


def test_a_set_is_added_used_shown_and_removed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photo, data = str(sample_photo_path()), ["--data", str(tmp_path), "--json"]
    assert paitai.main(["sets", "add", "阿公的牌", photo, "--tiles", TILES, "--plants", "5687f", *data]) == 0
    assert told(capsys) == {"name": "阿公的牌", "found": 19, "added": 19, "references": 19}
    assert paitai.main(["sets", "list", *data]) == 0
    codes = [*(f"{n}p" for n in (1, 2, 3, 4, 5, 6, 7, 8, 9)), "1z", "7z", "5f", "6f"]
    assert told(capsys) == {"sets": [{"name": "阿公的牌", "references": 19, "tiles": codes}]}
    assert paitai.main(["read", "--set", "阿公的牌", photo, *data]) == 0
    line = told(capsys)
    tiles = line["tiles"]
    assert isinstance(tiles, list)
    flowers = [one for one in tiles if one["tile"].endswith("f")]
    assert [(one["tile"], one["by"]) for one in flowers] == [("5f", "set"), ("6f", "set")]
    assert paitai.main(["sets", "show", "阿公的牌", *data]) == 0
    shown = told(capsys)
    assert (shown["plants"], shown["plants_said"]) == (["5f", "6f", "8f", "7f"], True)
    references = shown["references"]
    assert isinstance(references, list)
    key = references[0]["key"]
    assert paitai.main(["sets", "remove", "阿公的牌", "--reference", key, *data]) == 0
    assert told(capsys)["references"] == 18
    assert paitai.main(["sets", "remove", "阿公的牌", *data]) == 0
    capsys.readouterr()
    assert paitai.main(["sets", "list", *data]) == 0
    assert told(capsys) == {"sets": []}


def test_another_number_of_tiles_is_refused_and_nothing_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photo, data = str(sample_photo_path()), ["--data", str(tmp_path)]
    assert paitai.main(["sets", "add", "A", photo, "--tiles", "12345678f", *data, "--json"]) == 2
    answer = told(capsys)
    assert (answer["found"], answer["named"]) == (19, 8)
    assert not (tmp_path / "sets").exists()


def test_names_given_from_the_wrong_end_are_refused_unless_they_are_meant(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    photo, data = str(sample_photo_path()), ["--data", str(tmp_path), "--json"]
    crops = (np.zeros((CROP, CROP, 3), np.uint8),) * 4
    read = tuple((f"{n}s", 0.95) for n in range(1, 5))
    row = Enrolment(((0.0, 0.0, 60.0, 80.0),) * 4, crops, (True, True, True, False), read)
    monkeypatch.setattr("vision.tileset.enrolment.enrol", lambda *_: row)
    assert paitai.main(["sets", "add", "A", photo, "--tiles", "6543s", *data]) == 2
    assert "順序" in str(told(capsys)["error"])
    assert not (tmp_path / "sets").exists()
    assert paitai.main(["sets", "add", "A", photo, "--tiles", "1235s", *data]) == 0
    slip = {"number": 4, "tile": "5s", "read": "4s", "percent": 95}
    added = {"name": "A", "found": 4, "added": 3, "references": 3, "contradicted": [slip], "not_whole": [4]}
    assert told(capsys) == added
    assert paitai.main(["sets", "add", "A", photo, "--tiles", "6543s", "--as-named", *data]) == 0
    assert told(capsys)["added"] == 3


def test_the_order_of_the_plants_is_said_only_by_its_option(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An added photo without the option keeps the earlier order, or none."""
    photo, data = str(sample_photo_path()), ["--data", str(tmp_path), "--json"]
    one = Enrolment(((0.0, 0.0, 60.0, 80.0),), (np.zeros((CROP, CROP, 3), np.uint8),))
    monkeypatch.setattr("vision.tileset.enrolment.enrol", lambda *_: one)

    def said_after(*options: str) -> object:
        assert paitai.main(["sets", "add", "A", photo, "--tiles", "1f", *options, *data]) == 0
        assert paitai.main(["sets", "show", "A", *data]) == 0
        shown = json.loads(capsys.readouterr().out.splitlines()[-1])
        return shown["plants_said"], "".join(code[0] for code in shown["plants"])

    assert said_after() == (False, "5678")
    assert said_after("--plants", "5678f") == (True, "5678")
    assert said_after() == (True, "5678")


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        pytest.param(["show", "A"], "A", id="no such set"),
        pytest.param(["add", "A"], "--tiles", id="no photo"),
        pytest.param(["add", "A", "no.jpg", "--tiles", "1f"], "找不到這個檔案", id="no file"),
        pytest.param(["add", "A", "no.jpg", "--tiles", "9f"], "9f", id="no tile"),
        pytest.param(["add", "../A", "no.jpg", "--tiles", "1f"], "../A", id="no name"),
        pytest.param(["add", "A", "no.jpg", "--tiles", "1f", "--plants", "12f"], "5678f", id="no plants"),
        pytest.param(["remove"], "remove", id="which"),
        pytest.param(["remove", "A", "no.jpg"], "no.jpg", id="a photo too many"),
    ],
)
def test_what_cannot_be_is_said(
    arguments: list[str], part: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert paitai.main(["sets", *arguments, "--data", str(tmp_path), "--lang", "zh"]) == 2
    assert part in capsys.readouterr().err


def test_reading_with_an_unknown_set_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photo = str(sample_photo_path())
    assert paitai.main(["read", "--set", "A", photo, "--data", str(tmp_path), "--lang", "en"]) == 2
    assert "'A'" in capsys.readouterr().err
