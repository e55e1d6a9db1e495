"""The order of the queue, and its reasons."""

from __future__ import annotations

import random

import pytest

from vision.detection.types import Detection
from vision.labelling.labels import Box, Label, LabelledPhoto, PhotoInfo
from vision.labelling.quality.calibration import Line
from vision.labelling.quality.examine import Seen
from vision.labelling.quality.queue import RULES, Rule, rank

BOX = (0.0, 0.0, 50.0, 80.0)


def photo(name: str, look: int | None = None) -> LabelledPhoto:
    seed = look if look is not None else sum(map(ord, name))
    return LabelledPhoto(
        PhotoInfo(name * 64, f"{name}.jpg", (100, 100), perceptual_hash=random.Random(seed).randbytes(64).hex())
    )


def seen(*tiles: tuple[str, float], warnings: tuple[str, ...] = ()) -> Seen:
    boxes = [(100.0 * n, 0.0, 100.0 * n + 50, 80.0) for n in range(len(tiles))]
    return Seen(tuple(Detection(t, b, c) for (t, c), b in zip(tiles, boxes, strict=True)), (), warnings, 1.0)


WAITING = [photo(name) for name in "abcd"]
DONE = [LabelledPhoto(photo("z").photo, tuple(Label(t, Box(0, 0, 20, 30)) for t in ["1m"] * 50 + ["2m"] * 50 + ["1f"]))]
SEEN = {
    "a" * 64: seen(("1m", 0.99), ("2m", 0.99)),
    "b" * 64: seen(("1m", 0.4), ("2m", 0.99)),
    "c" * 64: seen(("1f", 0.99), ("2m", 0.99)),
    "d" * 64: seen(("1m", 0.99), ("2m", 0.99), warnings=("tile_count_short", "low_confidence")),
}
SECOND = {**SEEN, "d" * 64: seen(("3m", 0.99), ("2m", 0.99))}


@pytest.mark.parametrize(
    ("rule", "first", "why"),
    [
        ("uncertain", "b.jpg", "1 characters (1m) (40% sure)"),
        ("disagree", "d.jpg", "breaks the rules (1)"),
        ("rare", "c.jpg", "rare spring (1f)"),
    ],
)
def test_each_rule_puts_its_photo_first_and_says_why(rule: Rule, first: str, why: str) -> None:
    turns = rank(WAITING, DONE, SEEN, second=SECOND, rule=rule)
    assert turns[0].name == first
    assert why in turns[0].why("en")
    assert turns[0].why("zh").endswith("。")
    assert [turn.place for turn in turns] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("line", "says"), [(0.3, "None in doubt, least sure of"), (0.5, "1 in doubt, most of all")], ids=["below", "above"]
)
def test_in_doubt_is_what_the_page_calls_so(line: float, says: str) -> None:
    turn = rank(WAITING, DONE, SEEN, line=Line(line, line))[0]
    assert turn.why("en").startswith(f"{says} 1 characters (1m) (40%")


def test_two_models_that_differ_are_told() -> None:
    (turn,) = [turn for turn in rank(WAITING, DONE, SEEN, second=SECOND) if turn.name == "d.jpg"]
    assert turn.parts["models"] == 1
    assert "two models differ on 1" in turn.why("en")


@pytest.mark.parametrize("rule", RULES)
def test_the_order_is_the_same_however_the_photos_come(rule: Rule) -> None:
    first = rank(WAITING, DONE, SEEN, rule=rule, seed=3)
    assert first == rank(WAITING[::-1], DONE, SEEN, rule=rule, seed=3)
    assert sorted(turn.name for turn in first) == ["a.jpg", "b.jpg", "c.jpg", "d.jpg"]


def test_a_crowded_photo_is_not_first_for_its_many_tiles() -> None:
    crowded = seen(*[("1m", 0.9)] * 100)
    turns = rank(
        [photo("a"), photo("b")], DONE, {"a" * 64: crowded, "b" * 64: seen(*[("2m", 0.5)] * 16)}, rule="uncertain"
    )
    assert [turn.name for turn in turns] == ["b.jpg", "a.jpg"]
    assert turns[0].parts["uncertain"] > turns[1].parts["uncertain"]


def test_random_needs_no_model_and_follows_its_seed() -> None:
    many = [photo(chr(97 + n)) for n in range(20)]
    orders = {tuple(turn.name for turn in rank(many, [], {}, rule="random", seed=seed)) for seed in range(4)}
    assert len(orders) == 4


def test_the_like_of_a_photo_further_up_comes_last() -> None:
    waiting = [photo("a", look=1), photo("b", look=1), photo("c", look=2)]
    readings = {"a" * 64: seen(("1m", 0.3)), "b" * 64: seen(("1m", 0.3)), "c" * 64: seen(("1m", 0.99))}
    turns = rank(waiting, DONE, readings, rule="uncertain")
    assert [turn.name for turn in turns] == ["a.jpg", "c.jpg", "b.jpg"]
    assert "a.jpg" in turns[-1].why("zh")


def test_what_is_unlike_all_labelled_photos_is_new() -> None:
    labelled = [LabelledPhoto(photo("a").photo, DONE[0].labels)]
    turns = rank([photo("a", look=sum(map(ord, "a"))), photo("b")], labelled, SEEN, rule="novel")
    assert [turn.name for turn in turns] == ["b.jpg", "a.jpg"]
    assert "unlike" in turns[0].why("en").lower()


def test_photos_that_could_not_be_read_are_not_in_a_model_s_queue() -> None:
    assert rank([photo("q")], [], {}) == []
