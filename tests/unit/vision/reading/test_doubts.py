"""檢查: each doubt with its tiles, and from which number of tiles on."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from scoring.hands.hand import Hand, Meld
from scoring.hands.notation import parse_tiles
from vision.detection.types import SURE, Detection
from vision.layout.grouping import Doubt, Group, TableLayout
from vision.reading.checks import SHOWN_TILES, Check, Standing, check, hand_of, standing
from vision.reading.reading import understand

CLOSED = "1m 2m 3m 4m 5m 6m 7p 8p 9p 1s 1s 1s 2z 2z 5z 5z 5z"
Laid = tuple[str, ...]


def laid(*groups: Laid, doubts: Sequence[Doubt] = ()) -> tuple[list[str], TableLayout]:
    """Codes and layout of groups as (kind, codes), a meld as (kind, codes, set)."""
    codes: list[str] = []
    made: list[Group] = []
    for kind, text, *meld in groups:
        start = len(codes)
        codes += text.split()
        members = tuple(range(start, len(codes)))
        made.append(Group(kind, members, meld[0] if meld else None))  # type: ignore[arg-type]
    return codes, TableLayout(0.0, (), tuple(made), tuple(doubts))


def seen(codes: Sequence[str], sure: Sequence[float] = (), unread: Sequence[int] = ()) -> list[Detection]:
    """A detection for each code, with confidences from the first on; 0.99 for the others."""
    confidences = [*sure, *[0.99] * (len(codes) - len(sure))]
    box = (0.0, 0.0, 30.0, 40.0)
    return [
        Detection(code, box, confidence, unread=at in unread)
        for at, (code, confidence) in enumerate(zip(codes, confidences, strict=True))
    ]


def doubts_of(
    *groups: Laid, sure: Sequence[float] = (), unread: Sequence[int] = (), doubts: Sequence[Doubt] = ()
) -> dict[str, Check]:
    """The checks of such a table by their keys."""
    codes, layout = laid(*groups, doubts=doubts)
    found = check(hand_of(codes, layout), seen(codes, sure, unread), layout)
    assert len({one.message.key for one in found}) == len(found)
    return {one.message.key: one for one in found}


@pytest.mark.parametrize(
    ("groups", "hand"),
    [
        ([("concealed", "3m 1m 2m")], Hand(parse_tiles("123m"))),
        ([("concealed", "9s 9s"), ("winning", "9s")], Hand(parse_tiles("999s"), winning_tile=parse_tiles("9s")[0])),
        ([("winning", "back"), ("concealed", "1m")], Hand(parse_tiles("1m"))),
        ([("winning", "2m"), ("other", "3m"), ("concealed", "1m")], Hand(parse_tiles("12m"), (), (), 1)),
        ([("flowers", "6f 1f"), ("other", "9p")], Hand((), (), parse_tiles("16f"))),
        ([("meld", "3s 1s 2s", "chow")], Hand((), (Meld("chow", parse_tiles("123s")),))),
        ([("meld", "7z 7z 7z 7z", "added_kong")], Hand((), (Meld("added_kong", parse_tiles("7777z")),))),
        ([("meld", "back 5m back back", "concealed_kong")], Hand((), (Meld("concealed_kong", parse_tiles("5555m")),))),
        ([("meld", "back back back back", "concealed_kong")], Hand((), (Meld("concealed_kong", ()),))),
    ],
    ids=["closed", "winning", "back as winning", "aside", "flowers", "chow", "added kong", "one face", "no face"],
)
def test_the_hand_of_a_layout(groups: list[Laid], hand: Hand) -> None:
    codes, layout = laid(*groups)
    assert hand_of(codes, layout) == hand


FLOWERS = "1f 2f 3f 4f 5f 6f 7f 8f"


@pytest.mark.parametrize(
    ("groups", "answer"),
    [
        ([("concealed", CLOSED.removesuffix(" 5z"))], Standing(0, -1, False)),
        ([("concealed", f"{CLOSED} 9p")], Standing(0, 1, False)),
        ([("concealed", "1m 1m 1m 1m 1m 1m 2m")], Standing(2, -10, False)),
        ([("concealed", CLOSED), ("flowers", "3f 3f")], Standing(1, 0, True)),
        ([("concealed", CLOSED[:41]), ("meld", "5z 5z 5z", "pung")], Standing(0, 0, True)),
        ([("concealed", CLOSED[:41]), ("meld", "5z 5z 5z 5z", "kong")], Standing(0, 0, True)),
        ([("concealed", CLOSED[:41]), ("meld", "back back back back", "concealed_kong")], Standing(0, 0, True)),
        ([("concealed", CLOSED[:38]), ("winning", "2z"), ("meld", "5z 5z 5z", "pung")], Standing(0, 0, True)),
        ([("concealed", CLOSED), ("other", "9p 9p")], Standing(0, 0, True)),
        ([("concealed", "1m 1m 2m 2m 4m 4m 7p 7p 9p 9p 1s 1s 2z 2z 5z 5z 5z")], Standing(0, 0, True)),
        (
            [("concealed", "1m 1m 2m 2m 4m 4m 7p 7p 9p 9p 1s 1s 2z 2z"), ("meld", "5z 5z 5z", "pung")],
            Standing(0, 0, False),
        ),
        ([("concealed", CLOSED.replace("1m", "1f"))], Standing(0, 0, False)),
        ([("flowers", FLOWERS)], Standing(0, 0, True)),
        ([("flowers", FLOWERS), ("concealed", "1m 9p")], Standing(0, -15, True)),
        ([("flowers", FLOWERS), ("meld", "5z 5z 5z", "pung")], Standing(0, -14, True)),
        ([("flowers", FLOWERS[:20]), ("concealed", f"{CLOSED} 9p")], Standing(0, 0, True)),
        ([("flowers", FLOWERS[:17]), ("concealed", "1m 9p")], Standing(0, -15, False)),
    ],
    ids=[
        *("one too few", "one too many", "six of a kind", "a flower twice", "a pung", "a kong", "a kong face down"),
        *("the winning tile apart", "tiles aside", "seven pairs", "pairs beside a pung", "a flower in the hand"),
        *("eight flowers alone", "eight flowers and two tiles", "eight flowers and a pung", "seven flowers, one more"),
        "six flowers",
    ],
)
def test_what_holds_under_every_rule_book(groups: list[Laid], answer: Standing) -> None:
    codes, layout = laid(*groups)
    assert standing(hand_of(codes, layout), layout) == answer


def test_without_a_tile_the_photo_is_at_fault() -> None:
    (only,) = check(Hand(()), (), TableLayout(0.0, (), ()))
    assert (only.message.key, only.about, only.tiles) == ("nothing_found", "photo", ())


@pytest.mark.parametrize("count", [4, 5, 6])
def test_more_than_four_of_a_kind(count: int) -> None:
    found = doubts_of(("concealed", f"{'1m ' * (count - 1)}2m 3m"), ("meld", "1m 2m 3m", "chow"), sure=(0.9, 0.95, 0.7))
    assert ("too_many_of_a_kind" in found) is (count > 4)
    if count > 4:
        told = found["too_many_of_a_kind"]
        assert told.message.args == {"tile": "1m", "count": count, "copies": 4}
        assert told.tiles == (2, 0, 1, *range(3, count - 1), count + 1), "the least sure first, none that is aside"


def test_a_fifth_tile_that_is_aside_is_not_too_many() -> None:
    assert "too_many_of_a_kind" not in doubts_of(("concealed", "1m 1m 1m 1m"), ("other", "1m"))


@pytest.mark.parametrize(
    ("closed", "more", "short"),
    [
        (CLOSED.removesuffix(" 5z"), (), (16, 17, 1)),
        (CLOSED[:35], (("meld", "5z 5z 5z 5z", "kong"),), (16, 18, 2)),
        (CLOSED[:35], (("flowers", FLOWERS[:20]),), (12, 17, 5)),
        (CLOSED[:35], (("flowers", FLOWERS),), None),
        (CLOSED, (), None),
    ],
    ids=["sixteen", "a kong has four", "seven flowers", "eight flowers", "whole"],
)
def test_too_few_tiles(closed: str, more: tuple[Laid, ...], short: tuple[int, int, int] | None) -> None:
    found = doubts_of(("concealed", closed), *more, ("other", "9p 9s"), sure=[0.99] * 0)
    assert ("tile_count_short" in found) is (short is not None)
    assert "tile_count_long" not in found
    if short:
        told = found["tile_count_short"]
        assert told.message.args == dict(zip(("count", "needed", "missing"), short, strict=True))
        first = len(closed.split()) + sum(len(codes.split()) for _, codes, *_ in more)
        assert sorted(told.tiles) == [first, first + 1], "a tile that is aside may be the missing one"


def test_too_many_tiles_names_the_least_sure_ones() -> None:
    found = doubts_of(("concealed", f"{CLOSED} 9p"), ("winning", "9s"), sure=(0.99, 0.85, 0.99, 0.9, 0.95))
    told = found["tile_count_long"]
    assert told.message.args == {"count": 19, "needed": 17, "extra": 2}
    assert told.tiles == (1, 3)


@pytest.mark.parametrize(
    ("closed", "melds", "distance"),
    [
        (CLOSED.replace("9p", "9s"), 0, 1),
        (CLOSED.replace("9p", "9s").replace("6m", "4z"), 0, 2),
        (CLOSED, 0, None),
        (CLOSED.replace("9p", "9s").removesuffix(" 5z"), 0, None),
        (CLOSED.replace("9p", "1s").replace("5m", "1s"), 0, None),
        (CLOSED.replace("9p", "1f"), 0, None),
        ("1m 9p", 5, 1),
        ("1m 1m", 5, None),
    ],
    ids=["one", "two", "wins", "one too few", "five of a kind", "a flower among them", "no pair", "a pair"],
)
def test_a_hand_without_a_shape_says_how_far_it_is(closed: str, melds: int, distance: int | None) -> None:
    pungs = [("meld", f"{number}s {number}s {number}s", "pung") for number in range(1, melds + 1)]
    found = doubts_of(("concealed", closed), *pungs)
    assert ("no_shape" in found) is (distance is not None)
    if distance:
        told = found["no_shape"]
        assert told.message.args["distance"] == distance
        named = [closed.split()[place] for place in told.tiles]
        assert sorted(named) == sorted(told.message.args["tiles"])
        assert len(set(told.tiles)) == len(told.tiles)


@pytest.mark.parametrize(
    "closed",
    [
        "1m 2m 3m 4m 5m 6m 7p 8p 8p 1s 1s 1s 2z 2z 5z 5z 5z",
        "1m 2m 3m 4m 5m 6m 1s 1s 1s 2z 2z 3z 3z 4z 4z 5z 5z",
        "1m 1m 4m 4m 7m 7m 1p 1p 4p 4p 7p 7p 1s 4s 7s 1z 2z",
    ],
)
@pytest.mark.parametrize("rising", [True, False])
def test_of_tiles_alike_the_least_sure_are_suspected(closed: str, rising: bool) -> None:
    codes = closed.split()
    sure = sorted((0.8 + at / 100 for at in range(17)), reverse=not rising)
    told = doubts_of(("concealed", closed), sure=sure)["no_shape"]
    for code in set(told.message.args["tiles"]):
        lost = told.message.args["tiles"].count(code)
        alike = sorted((place for place in range(17) if codes[place] == code), key=sure.__getitem__)
        assert [place for place in told.tiles if codes[place] == code] == alike[:lost]


@pytest.mark.parametrize(("confidence", "doubtful"), [(SURE - 0.01, True), (SURE, False)])
def test_a_tile_is_doubtful_below_the_threshold(confidence: float, doubtful: bool) -> None:
    found = doubts_of(("concealed", CLOSED), ("other", "9p"), sure=(0.99, confidence))
    assert ("low_confidence" in found) is doubtful
    if doubtful:
        assert found["low_confidence"].tiles == (1,)
        assert found["low_confidence"].message.args == {"tiles": ("2m",), "count": 1}


def test_six_doubtful_tiles_are_named_and_all_are_counted() -> None:
    confidences = [0.7, 0.5, 0.6, 0.55, 0.4, 0.65, 0.45]
    told = doubts_of(("concealed", CLOSED), sure=confidences)["low_confidence"]
    order = sorted(range(7), key=confidences.__getitem__)
    assert told.tiles == tuple(order)
    assert told.message.args == {"tiles": tuple(CLOSED.split()[at] for at in order[:SHOWN_TILES]), "count": 7}


def test_what_was_not_read_is_not_doubtful_too() -> None:
    found = doubts_of(("concealed", CLOSED), ("other", "9p 9s"), sure=(0.5, 0.4, 0.3), unread=(1, 3, 17))
    assert found["unread"].tiles == (1, 3)
    assert found["unread"].message.args == {"count": 2}
    assert found["low_confidence"].tiles == (2, 0)


def test_tiles_left_aside_and_backs_beside_them() -> None:
    doubts = (Doubt("left_aside", (17, 19)), Doubt("kong_guessed", (0, 1)))
    found = doubts_of(("concealed", CLOSED), ("other", "9p back back 1z"), doubts=doubts)
    assert found["left_aside"].tiles == (17, 19)
    assert found["left_aside"].message.args == {"count": 2}
    assert found["backs_aside"].tiles == (18,)
    assert found["kong_guessed"].tiles == (0, 1)
    assert "left_aside" not in doubts_of(("concealed", CLOSED), ("other", "9p 1z"))
    assert "backs_aside" not in doubts_of(("concealed", CLOSED), ("other", "9p 1z"))


@pytest.mark.parametrize("kind", ["hand_unsure", "melds_unsure", "winning_unsure", "kong_guessed"])
def test_each_guess_of_the_layout_is_told_once(kind: str) -> None:
    doubts = [Doubt(kind, (0, 1)), Doubt(kind, (5,))]  # type: ignore[arg-type]
    found = doubts_of(("concealed", CLOSED), doubts=doubts)
    assert list(found) == [kind]
    assert (found[kind].tiles, found[kind].message.args) == ((0, 1, 5), {"count": 3})


@pytest.mark.parametrize(
    ("tiles", "key", "args", "places"),
    [
        ("back 5m 5m back", "backs_guessed", {"tile": "5m"}, (14, 17)),
        ("back back back back", "backs_unknown", {"count": 4}, (14, 15, 16, 17)),
        ("5m 5m 5m 5m", None, {}, ()),
    ],
    ids=["two faces", "no face", "four faces"],
)
def test_a_kong_face_down_is_a_guess(
    tiles: str, key: str | None, args: dict[str, object], places: tuple[int, ...]
) -> None:
    closed = "1m 2m 3m 1m 2m 3m 7p 8p 9p 1s 1s 1s 2z 2z"
    found = doubts_of(("concealed", closed), ("meld", tiles, "concealed_kong"))
    assert list(found) == ([key] if key else [])
    if key:
        assert (found[key].message.args, found[key].tiles) == (args, places)


def test_the_sentences_of_the_photo_come_first_and_tiles_get_their_place_in_the_list() -> None:
    codes, layout = laid(("concealed", CLOSED), ("other", "9p"))
    blurred = Check(check(Hand(()), (), layout)[0].message, (17, 3), "photo")
    reading = understand(seen(codes, (0.5,)), layout, (100, 50), [blurred])
    assert [one.key for one in reading.warnings] == ["nothing_found", "low_confidence"]
    assert blurred.to_json([3, 0], "zh")["tiles"] == [0]
    assert blurred.to_json([0, 17, 3], "zh")["tiles"] == [1, 2]
