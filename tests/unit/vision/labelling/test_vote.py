"""Unknown class names by vote: crops of each, the tile of most of them, sure only if all agree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tests.unit.vision.labelling.support.sets import photo_bytes
from vision.labelling.assist.vote import CROPS, Ballot, vote
from vision.models.manifest import CLASSES


class ByPlace:
    """Names a box by its position: one column of tens of pixels per class; the third look at a class is unsure."""

    def __init__(self) -> None:
        self.looked = 0

    def read(self, pixels: Any, boxes: Any) -> Any:
        self.looked += 1
        shares = np.full((len(boxes), len(CLASSES) + 1), 0.001)
        for row, box in zip(shares, boxes, strict=True):
            row[int(box[0] // 20)] = 0.95
        return shares


def folder(place: Path, lines: dict[str, str], names: str) -> Path:
    place.mkdir(exist_ok=True)
    (place / "classes.txt").write_text(names)
    for n, (stem, text) in enumerate(lines.items()):
        (place / f"{stem}.png").write_bytes(photo_bytes(n))
        (place / f"{stem}.txt").write_text(text)
    return place


def line(number: int, column: int) -> str:
    return f"{number} {(20 * column + 10) / 160} 0.5 0.1 0.3\n"


def by_name(ballots: list[Ballot]) -> dict[str, tuple[str, bool]]:
    return {ballot.name: (ballot.tile, ballot.sure) for ballot in ballots}


def test_the_majority_is_proposed_and_the_surest_come_first(tmp_path: Path) -> None:
    photos = {"a": line(0, 2) + line(1, 3), "b": line(0, 2) + line(1, 4), "c": line(0, 2) + line(1, 4)}
    place = folder(tmp_path / "in", photos, "alpha\nbeta\n")
    ballots = vote([place], {"alpha": 3, "beta": 3}, ByPlace())
    assert [(ballot.name, ballot.boxes, len(ballot.crops)) for ballot in ballots] == [
        ("alpha", 3, CROPS),
        ("beta", 3, CROPS),
    ]
    assert by_name(ballots) == {"alpha": (CLASSES[2], True), "beta": (CLASSES[4], False)}
    assert all(ballot.crops[0].startswith(b"\xff\xd8") for ballot in ballots)


def test_without_a_model_there_are_pictures_and_no_proposal(tmp_path: Path) -> None:
    place = folder(tmp_path / "in", {"a": line(0, 2)}, "alpha\n")
    (ballots,) = vote([place], {"alpha": 1}, None)
    assert (ballots.tile, ballots.sure, len(ballots.crops)) == ("", False, 1)


def test_few_photos_are_enough_for_many(tmp_path: Path) -> None:
    photos = {f"p{n:02}": "".join(line(k, k) for k in range(5)) for n in range(12)}
    classifier = ByPlace()
    names = {f"n{k}": 12 for k in range(5)}
    ballots = vote([folder(tmp_path / "in", photos, "\n".join(names))], names, classifier)
    assert by_name(ballots) == {f"n{k}": (CLASSES[k], True) for k in range(5)}
    assert classifier.looked == CROPS


def test_what_cannot_be_read_is_no_vote(tmp_path: Path) -> None:
    place = folder(tmp_path / "in", {"a": line(0, 2) + "0 0.5\n" + "0 1.9 1.9 0.1 0.1\n"}, "alpha\n")
    (place / "a.png").write_bytes(b"no photo")
    (ballots,) = vote([place, tmp_path / "none"], {"alpha": 1}, ByPlace())
    assert (ballots.tile, ballots.crops) == ("", ())
