"""建議: how likely each suggestion is, and how many names are tried and offered."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from vision.detection.types import Detection
from vision.layout.grouping import Group, TableLayout, arrange
from vision.reading.checks import hand_of
from vision.reading.reading import Reading, understand
from vision.reading.suggestions import AT_LEAST, EXCESS, NO_SHAPE, OFF, SETTLED, Suggestion, suggest

SIZE = (3000, 1000)
FINE = "1m 2m 3m 4m 5m 6m 7p 8p 9p 1s 1s 1s 2z 2z 5z 5z 5z"
UNFIT = FINE.replace("9p", "9s")
Others = tuple[tuple[str, float], ...]
Doubtful = dict[str, tuple[str, float, Others]]


def read(codes: str, **doubtful: tuple[str, float, Others]) -> Reading:
    """Codes in one row, ``.`` for a gap; doubtful tiles as ``_PLACE=(code, confidence, others)``."""
    seen: list[Detection] = []
    for step, code in enumerate(codes.split()):
        if code != ".":
            seen.append(Detection(code, (60.0 * step + 20, 100.0, 60.0 * step + 78, 178.0), 0.995))
    for name, (code, confidence, others) in doubtful.items():
        place = int(name[1:])
        seen[place] = replace(seen[place], tile=code, confidence=confidence, others=others)
    return understand(seen, arrange(seen, SIZE), SIZE)


def offered(reading: Reading) -> list[tuple[tuple[int, str], ...]]:
    return [suggestion.changes for suggestion in reading.suggestions]


@pytest.mark.parametrize(
    ("codes", "doubtful", "key", "cost", "against"),
    [
        (FINE, {"_4": ("4m", 0.6, (("5m", 0.35),))}, "suggest_shape", math.log(0.6 / 0.35), NO_SHAPE),
        (FINE, {"_4": ("4m", 0.3, (("5m", 0.35),))}, "suggest_shape", 0.0, NO_SHAPE),
        (f"3f . 3f . {FINE}", {"_1": ("3f", 0.6, (("4f", 0.3),))}, "suggest_copies", math.log(2), EXCESS),
        (FINE, {"_9": ("1f", 0.7, (("1s", 0.25),))}, "suggest_shape", math.log(0.7 / 0.25), OFF + NO_SHAPE),
        (UNFIT, {"_9": ("1f", 0.7, (("1s", 0.25),))}, "suggest_count", math.log(0.7 / 0.25), OFF),
    ],
    ids=["no shape", "the other name is likelier", "a flower twice", "a tile too few", "too few and no shape"],
)
def test_how_likely_a_suggestion_is(codes: str, doubtful: Doubtful, key: str, cost: float, against: float) -> None:
    (suggestion,) = read(codes, **doubtful).suggestions
    assert suggestion.because.key == key
    likely = math.exp(-cost)
    assert suggestion.probability == pytest.approx(likely / (likely + math.exp(-against)), rel=1e-9)


def test_another_name_that_is_as_likely_and_helps_nothing_is_not_offered() -> None:
    assert offered(read(UNFIT, _0=("1m", 0.4, (("9m", 0.5),)))) == []


def test_of_four_missing_tiles_one_more_helps_nothing() -> None:
    """A count that is off by three is as bad as any worse one."""
    tiles = " ".join(FINE.split()[:14])
    assert offered(read(tiles, _9=("1f", 0.7, (("1s", 0.25),)))) == []
    assert offered(read(f"{tiles} 5z", _9=("1f", 0.7, (("1s", 0.25),)))) == [((9, "1s"),)]


@pytest.mark.parametrize(("confidence", "doubted"), [(SETTLED, False), (SETTLED - 0.001, True)])
def test_a_settled_tile_is_in_no_suggestion(confidence: float, doubted: bool) -> None:
    assert bool(offered(read(FINE, _4=("4m", confidence, (("5m", 0.02),))))) is doubted


@pytest.mark.parametrize(("share", "tried"), [(AT_LEAST, True), (AT_LEAST - 0.0001, False)])
def test_hardly_likely_names_are_not_tried(share: float, tried: bool) -> None:
    assert bool(offered(read(FINE, _4=("4m", 0.5, (("5m", share),))))) is tried


def test_what_was_not_read_is_asked_and_not_guessed() -> None:
    reading = read(FINE, _4=("4m", 0.5, (("5m", 0.4),)))
    hidden = [replace(tile, unread=at == 4) for at, tile in enumerate(reading.detections)]
    assert suggest(hidden, reading.layout) == ()


def test_a_layout_without_its_table_gets_no_suggestion() -> None:
    reading = read(FINE, _4=("4m", 0.5, (("5m", 0.4),)))
    assert suggest(reading.detections, replace(reading.layout, table=None)) == ()
    bare = TableLayout(0.0, (), (Group("concealed", (0,)),))
    assert suggest([Detection("1m", (0, 0, 9, 9), 0.5, (("2m", 0.4),))], bare) == ()


@pytest.mark.parametrize(("wrong", "found"), [(1, True), (2, True), (3, True), (4, False)])
def test_up_to_three_tiles_are_changed_at_once(wrong: int, found: bool) -> None:
    places, names = (0, 3, 6, 9), ("3z", "4z", "6z", "7z")
    codes = FINE.split()
    doubtful = {
        f"_{place}": (name, 0.5, ((codes[place], 0.45),))
        for place, name in list(zip(places, names, strict=True))[:wrong]
    }
    assert offered(read(FINE, **doubtful)) == (
        [tuple((place, codes[place]) for place in places[:wrong])] if found else []
    )


def test_two_readings_are_shown_and_the_likelier_is_first() -> None:
    """Three names complete the row of characters."""
    row = "2m 3m 4m 5m 6m 9m 7p 8p 9p 1s 1s 1s 2z 2z 5z 5z 5z"
    alike = read(row, _5=("9m", 0.4, (("1m", 0.19), ("4m", 0.2), ("7m", 0.18))))
    assert offered(alike) == [((5, "4m"),), ((5, "1m"),)]
    unlike = read(row, _5=("9m", 0.4, (("1m", 0.4), ("4m", 0.05))))
    assert offered(unlike) == [((5, "1m"),)], "the other is too unlikely"


def test_a_change_more_than_needed_is_not_offered() -> None:
    reading = read(FINE, _8=("9s", 0.5, (("9p", 0.45),)), _0=("1m", 0.5, (("4m", 0.45),)))
    assert offered(reading) == [((8, "9p"),)]


def test_a_suggestion_names_old_and_new_tiles_and_their_places_in_the_list() -> None:
    reading = read(FINE, _8=("9s", 0.9, (("9p", 0.05),)))
    (suggestion,) = reading.suggestions
    assert suggestion.because.args == {"changes": (("9s", "9p"),)}
    shown = Suggestion(((4, "5m"), (2, "1z")), suggestion.because, 0.12345).to_json([9, 2, 4], "en")
    assert shown["changes"] == [{"tile": 2, "to": "5m"}, {"tile": 1, "to": "1z"}]
    assert shown["probability"] == 0.123
    assert shown["because"] == suggestion.because.text("en")
    codes = [tile.tile for tile in reading.detections]
    assert hand_of(codes, reading.layout) == reading.hand, "nothing was changed"
