"""建議: what rules and probabilities favour is offered, never carried out; sure tiles and fine hands are left alone."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.hands.decomposition import divisions
from scoring.hands.tables.suits import suit_keys
from scoring.tiles import CODES, counts, index
from tests.unit.vision.support.layouts import made_hand
from vision.detection.types import Detection
from vision.layout.grouping import arrange
from vision.reading.checks import hand_of, standing
from vision.reading.reading import Reading, hand_json, understand
from vision.reading.suggestions import SETTLED, suggest

SIZE = (3000, 1000)
Doubtful = tuple[int, str, float, tuple[tuple[str, float], ...]]


def read(codes: str, *doubtful: Doubtful, y: float = 100) -> Reading:
    """Codes in one row, ``.`` for a gap; doubtful ones as (place, code, confidence, others)."""
    detections: list[Detection] = []
    for step, code in enumerate(codes.split()):
        if code != ".":
            detections.append(Detection(code, (60 * step + 20, y, 60 * step + 78, y + 78), 0.995))
    for place, code, confidence, others in doubtful:
        detections[place] = replace(detections[place], tile=code, confidence=confidence, others=others)
    return understand(detections, arrange(detections, SIZE), SIZE)


FINE = "1m 2m 3m 4m 5m 6m 7p 8p 9p 1s 1s 1s 2z 2z 5z 5z 5z"


def keys(reading: Reading) -> list[str]:
    return [check.message.key for check in reading.checks]


def test_the_tile_that_spoils_the_shape_is_asked_about() -> None:
    reading = read(FINE, (4, "4m", 0.6, (("5m", 0.35), ("7m", 0.02))))
    assert hand_json(reading.hand)["concealed"] == "123446m789p111s22555z", "as seen, not as it should be"
    assert keys(reading) == ["no_shape", "low_confidence"]
    (offered,) = reading.suggestions
    assert offered.changes == ((4, "5m"),)
    assert offered.because.key == "suggest_shape"
    assert offered.probability > 0.8
    line = reading.to_json("a.jpg")
    (change,) = line["suggestions"][0]["changes"]
    assert line["tiles"][change["tile"]]["tile"] == "4m"
    assert change["to"] == "5m"
    assert ["5m", 0.35] in line["tiles"][change["tile"]]["others"]
    assert line["suggestions"][0]["because"] in line["warnings"]
    assert "四萬 → 五萬" in line["suggestions"][0]["because"]


def test_the_check_names_the_tiles_that_are_not_used() -> None:
    reading = read(FINE.replace("9p", "9s"))
    check = next(check for check in reading.checks if check.message.key == "no_shape")
    assert {reading.detections[place].tile for place in check.tiles} <= {"7p", "8p", "9s"}
    assert check.tiles


def test_a_false_win_with_sure_tiles_stays_one() -> None:
    reading = read(FINE, (8, "9s", 0.975, (("9p", 0.02),)))
    assert keys(reading) == ["no_shape"]
    assert reading.suggestions == ()


def test_a_false_win_stays_visible_beside_the_suggestion() -> None:
    reading = read(FINE, (8, "9s", 0.9, (("9p", 0.05),)))
    assert "no_shape" in keys(reading)
    assert hand_json(reading.hand)["concealed"] == "123456m78p1119s22555z"
    assert [one.changes for one in reading.suggestions] == [((8, "9p"),)]


def test_a_fine_hand_gets_no_suggestion_however_doubtful() -> None:
    reading = read(FINE, (4, "5m", 0.45, (("8m", 0.44),)), (0, "1m", 0.5, (("1p", 0.4),)))
    assert reading.suggestions == ()
    assert keys(reading) == ["low_confidence"]


def test_five_of_a_kind() -> None:
    third, fourth = (3, "1m", 0.7, (("4m", 0.25),)), (4, "1m", 0.9, (("5m", 0.06),))
    reading = read("1m 1m 1m 1m 1m 6m 7p 8p 9p 1s 1s 1s 2z 2z 5z 5z 5z", third, fourth)
    check = reading.checks[0]
    assert check.message.key == "too_many_of_a_kind"
    assert check.tiles[:2] == (3, 4), "the least sure first"
    assert reading.suggestions[0].changes == ((3, "4m"), (4, "5m"))


def test_a_flower_twice() -> None:
    reading = read(f"3f . 3f . {FINE}", (1, "3f", 0.6, (("4f", 0.3),)))
    assert reading.checks[0].message.key == "too_many_of_a_kind"
    assert set(reading.checks[0].tiles) == {0, 1}
    assert reading.suggestions[0].changes == ((1, "4f"),)
    assert reading.suggestions[0].because.key == "suggest_copies"


def test_a_bird_taken_for_a_flower() -> None:
    """1s read as a flower: the row is one tile short, and whole again with the suggestion."""
    reading = read(FINE, (9, "1f", 0.7, (("1s", 0.25),)))
    assert "tile_count_short" in keys(reading)
    assert reading.suggestions[0].changes == ((9, "1s"),)


def test_a_kong_hidden_by_a_misread_tile() -> None:
    reading = read("1m 2m 3m 4m 5m 6m 7p 8p 9p 1s 1s 1s 2z 2z . 5z 5z 6z 5z", (16, "6z", 0.6, (("5z", 0.38),)))
    assert reading.suggestions[0].changes == ((16, "5z"),)


@pytest.mark.parametrize("flowers", ["1f 2f 3f 4f 5f 6f 7f 8f", "1f 2f 3f 4f 5f 6f 7f"])
def test_a_flower_win_needs_no_shape(flowers: str) -> None:
    reading = read(f"{flowers} . {FINE.replace('9p', '9s')}")
    assert "no_shape" not in keys(reading)


def test_seven_pairs_and_a_pung_are_a_shape() -> None:
    reading = read("1m 1m 2m 2m 4m 4m 7p 7p 9p 9p 1s 1s 2z 2z 5z 5z 5z")
    assert keys(reading) == []


def confused(seed: int, wrong: int) -> tuple[Reading, set[int], dict[int, str]]:
    """A winning hand with ``wrong`` misread tiles, each with its true name among the others, and with doubtful right
    tiles; the indices of the sure ones, and the true names of the misread."""
    rng = random.Random(seed)
    made = made_hand(seed, turn=rng.uniform(-20, 20), tilt=15, jitter=0.01)
    detections = list(made.detections)
    places = [place for place, one in enumerate(detections) if one.tile != "back"]
    chosen = rng.sample(places, wrong + 3)
    truth = {}
    for place in chosen[:wrong]:
        right = detections[place].tile
        seen = rng.choice([code for code in CODES[:34] if code != right])
        truth[place] = right
        sure = rng.uniform(0.5, 0.9)
        detections[place] = replace(
            detections[place], tile=seen, confidence=sure, others=((right, 0.8 * (1 - sure)), ("9s", 0.1 * (1 - sure)))
        )
    for place in chosen[wrong:]:
        detections[place] = replace(detections[place], confidence=0.8, others=((rng.choice(CODES[:34]), 0.15),))
    settled = {place for place, one in enumerate(detections) if one.confidence >= SETTLED}
    return understand(detections, arrange(detections, made.size), made.size), settled, truth


@settings(max_examples=80, deadline=None)
@given(seed=st.integers(0, 10**6), wrong=st.integers(0, 3))
def test_suggestions_keep_the_rules(seed: int, wrong: int) -> None:
    reading, settled, _ = confused(seed, wrong)
    now = standing(reading.hand, reading.layout)
    if now.fine:
        assert reading.suggestions == ()
    for one in reading.suggestions:
        assert 0 < one.probability <= 1
        assert not {place for place, _ in one.changes} & settled
        for place, code in one.changes:
            assert code in dict(reading.detections[place].others)
        changed = [replace(one_) for one_ in reading.detections]
        for place, code in one.changes:
            changed[place] = replace(changed[place], tile=code)
        layout = arrange(changed, reading.size)
        after = standing(hand_of([detection.tile for detection in changed], layout), layout)
        assert (after.excess, abs(after.off), not after.wins) != (now.excess, abs(now.off), not now.wins)
        assert after.excess + abs(after.off) <= now.excess + abs(now.off) or (after.wins and not now.wins)
    assert [detection.tile for detection in reading.detections] == [one.tile for one in reading.detections]


def test_a_misread_tile_is_mostly_found() -> None:
    """Of hands with one misread tile that the rules can see, the first suggestion puts most right."""
    right = seen = 0
    for seed in range(60):
        reading, _, truth = confused(seed, 1)
        if standing(reading.hand, reading.layout).fine:
            continue
        seen += 1
        right += bool(reading.suggestions) and dict(reading.suggestions[0].changes) == truth
    assert seen > 40
    assert right / seen > 0.8


def test_the_reading_is_the_same_with_and_without_suggestions() -> None:
    reading = read(FINE, (4, "4m", 0.6, (("5m", 0.35),)))
    assert suggest(reading.detections, reading.layout) == reading.suggestions
    assert reading.hand == hand_of([one.tile for one in reading.detections], reading.layout)
    assert not divisions(suit_keys(reading.hand.concealed))
    assert counts(reading.hand.tiles)[index("4m")] == 2
