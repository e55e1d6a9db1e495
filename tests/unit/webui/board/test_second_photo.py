"""A second photo is requested if taps would not settle the first, and the request names its purpose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from scoring.languages import WHOLE
from tests.unit.webui.board.test_questions import SIZE, board, laid
from vision.detection.types import SURE, Detection
from vision.layout.grouping import arrange
from vision.reading.reading import Reading, understand
from webui.board.codec import from_state, to_state
from webui.board.corrections import Name
from webui.board.editing import perform
from webui.board.panels.reading.second_photo import Part, lacking, second_photo, second_photo_view
from webui.board.panels.reading.warnings import photo_warnings, warning_views
from webui.board.photos.merge import merged, off, with_second
from webui.board.photos.readings import board_of
from webui.board.state import Board, BoardPhoto, BoardTile, Note
from webui.i18n import Texts

FAR_AWAY = (3200, 2400)
"""The photo as large as a phone's: a tile of 60 by 80 of its pixels is small as it is read."""
ROW = "1m 2m 3m 4m 5m 6m 7p 8p 9p 2s 2s 2s 3s 4s 5s 1z 1z"


def hand(
    doubtful: Sequence[int] = (), unread: Sequence[int] = (), *notes: Note, codes: str = ROW, x: float = 200
) -> Board:
    """Seventeen tiles in a row, the first number 0; some in doubt, some not read."""
    tiles = [
        replace(tile, confidence=0.5 if at in doubtful else 0.3 if at in unread else 0.99, unread=at in unread)
        for at, tile in enumerate(laid("concealed", codes, 800, x))
    ]
    return replace(board(*tiles), size=FAR_AWAY, notes=notes)


def note(code: str, *tiles: int) -> Note:
    return Note(code, "photo", {"zh": code, "en": code}, tiles)


@pytest.mark.parametrize(
    ("read", "tiles", "ways"),
    [
        pytest.param(hand(), None, (), id="sure"),
        pytest.param(hand([3]), None, (), id="a-tap-is-sooner"),
        pytest.param(hand([3, 9]), None, (), id="two-taps-are-sooner"),
        pytest.param(hand([3], [9]), None, (), id="one-not-read"),
        pytest.param(hand([3, 4, 5]), (3, 4, 5), ("closer",), id="three"),
        pytest.param(hand([3], [4, 5]), (3, 4, 5), ("closer",), id="three-some-not-read"),
        pytest.param(hand([3, 4, 5], [], note("quality_glare", 4)), (3, 4, 5), ("glare", "closer"), id="glare"),
        pytest.param(
            hand([], [], note("quality_glare", 4), codes=ROW.replace("5m", "5z")),
            (4,),
            ("glare", "closer"),
            id="burnt-out",
        ),
        pytest.param(hand([], [], note("quality_slanting", *range(17))), None, (), id="slanting-and-sure"),
        pytest.param(
            hand([0, 1, 2], [], note("quality_slanting", *range(17))), (0, 1, 2), ("slanting", "closer"), id="slanting"
        ),
        pytest.param(hand([7], [], note("quality_blurred", 7)), (7,), ("blurred", "closer"), id="poor-as-a-whole"),
        pytest.param(hand([], [], note("quality_small", *range(17))), None, (), id="small-and-sure"),
        pytest.param(hand([0], [], note("at_edge", 0)), (0,), ("whole",), id="cut-off-and-in-doubt"),
        pytest.param(hand([], [], note("at_edge", 0)), None, (), id="touches-the-edge-and-is-sure"),
        pytest.param(hand([], [], note("at_edge", 0), codes=ROW[3:]), (0,), ("whole",), id="cut-off-and-one-lacks"),
        pytest.param(hand(codes=ROW[3:]), None, (), id="one-lacks"),
        pytest.param(hand(codes=ROW[3:], x=20), (), ("whole",), id="one-lacks-and-the-row-runs-out"),
        pytest.param(
            hand([3], [], note("quality_small", 3), codes=ROW[6:]), (3,), ("every", "closer"), id="small-and-two-lack"
        ),
        pytest.param(hand([0], [], note("at_edge", 0), note("quality_small", 0)), (0,), ("whole",), id="cut-and-small"),
        pytest.param(hand(codes=ROW[6:]), (), ("every",), id="two-lack"),
    ],
)  # fmt: skip
def test_what_a_second_photo_must_show(read: Board, tiles: tuple[int, ...] | None, ways: tuple[str, ...]) -> None:
    wanted = second_photo(read, lacking(read))
    assert (wanted.tiles, wanted.ways) == (tiles, ways) if wanted else tiles is None


def test_large_tiles_gain_nothing_by_coming_closer() -> None:
    near = hand([3, 4, 5])
    boxes = (replace(tile, box=(at * 90, 600, at * 90 + 84, 720)) for at, tile in enumerate(near.tiles))
    wanted = second_photo(replace(near, size=SIZE, tiles=tuple(boxes)), 0)
    assert wanted is not None
    assert wanted.ways == ("blurred",)


def test_a_covered_tile_is_told_by_its_size() -> None:
    read = hand([3, 4, 5])
    low = tuple(
        replace(tile, box=(*tile.box[:3], 835)) if at == 4 and tile.box else tile for at, tile in enumerate(read.tiles)
    )
    wanted = second_photo(replace(read, tiles=low), 0)
    assert wanted is not None
    assert wanted.ways[0] == "uncovered"


@pytest.mark.parametrize(
    ("doubtful", "parts"),
    [
        ([0, 1, 2], [("left", 1, 3)]),
        ([12, 13, 14], [("right", 3, 5)]),
        ([0, 16, 15], [("left", 1, 1), ("right", 1, 2)]),
        ([1, 4, 7, 13], [("all", 1, 17)]),
        ([at for at in range(17) if at != 8], [("all", 1, 17)]),
        ([5, 6, 7, 8, 9, 10], [("left", 6, 11)]),
    ],
)
def test_places_are_counted_from_the_nearer_end(doubtful: list[int], parts: list[tuple[str, int, int]]) -> None:
    read = hand(doubtful)
    wanted = second_photo(read, 0)
    assert wanted is not None
    assert list(wanted.parts) == [Part(0, "concealed", 0, *part) for part in parts]  # type: ignore[arg-type]


def test_rows_are_told_apart_and_a_column_is_counted_from_its_top() -> None:
    front, back = laid("concealed", "1m 2m 3m 4m 5m 6m 7p 8p", 800), laid("concealed", "9p 2s 2s 2s 3s 4s 5s 1z", 650)
    flowers = laid("flowers", "1f 2f 3f", 300)
    tiles = [
        replace(tile, confidence=0.4 if at in (0, 8, 9, 16, 17, 18) else 0.99)
        for at, tile in enumerate([*front, *back, *flowers])
    ]
    wanted = second_photo(replace(board(*tiles), size=FAR_AWAY), 0)
    assert wanted is not None
    assert [(part.group, part.row, part.side, part.first, part.last) for part in wanted.parts] == [
        ("flowers", 0, "all", 1, 3),
        ("concealed", 1, "left", 1, 2),
        ("concealed", 2, "left", 1, 1),
    ]
    column = [
        BoardTile(code, "concealed", (400, 60 + 62 * at, 480, 120 + 62 * at), 0.4 if at < 3 else 0.99)
        for at, code in enumerate(ROW.split())
    ]
    down = second_photo(replace(board(*column), size=FAR_AWAY), 0)
    assert down is not None
    assert [(part.side, part.first, part.last) for part in down.parts] == [("top", 1, 3)]


def test_in_words() -> None:
    view = second_photo_view(hand([12, 13, 14], [], note("quality_glare", 13)), Texts("zh"))
    assert view is not None
    assert view.what == "要看清楚手牌右邊第 3 到 5 張（照片上塗色的牌）"
    assert view.how[0] == "換個角度，避開反光。"
    assert "quality_glare" in view.said
    english = second_photo_view(hand([12, 13, 14]), Texts("en"))
    assert english is not None
    assert english.what == "To be seen clearly: numbers 3 to 5 from the right of the closed tiles (shaded in the photo)"
    short = second_photo_view(hand(codes=ROW[9:]), Texts("zh"))
    assert short is not None
    assert short.what == "數起來還少 3 張"


@pytest.mark.parametrize("lang", WHOLE)
def test_every_way_and_side_has_words(lang: str) -> None:
    of_light = ("quality_glare", "quality_dark", "quality_dim", "quality_coloured")
    for code in (*of_light, "quality_slanting", "quality_blurred", "at_edge"):
        for doubtful in ([0, 1, 2], [3], [14, 15, 16], [1, 4, 7, 13]):
            read = hand([*doubtful, 5, 6], [], note(code, *doubtful))
            view = second_photo_view(replace(read, more=(BoardPhoto("ab", "1.jpg", SIZE),)), Texts(lang))
            assert view is not None
            assert view.what
            assert all(view.how)


def test_it_is_asked_once_and_taps_take_it_away() -> None:
    read = hand([3, 4, 5])
    assert second_photo(replace(read, again=True), 0) is None
    assert second_photo(from_state(to_state(replace(read, again=True))), 0) is None
    looked = perform(read, "look:3")[0]
    assert second_photo(looked, 0) is None
    dropped = perform(hand([3, 4, 5, 6]), "drop:3")[0]
    wanted = second_photo(dropped, 0)
    assert wanted is not None
    assert wanted.tiles == (3, 4, 5)


def reading(
    names: Sequence[tuple[str, float]], unread: Sequence[int] = (), x: float = 90, scale: float = 1.0
) -> Reading:
    seen = [
        Detection(
            code, (x + 62 * at * scale, 300, x + (62 * at + 60) * scale, 300 + 80 * scale), sure, (("9s", 0.02),),
            unread=at in unread,
        )
        for at, (code, sure) in enumerate(names)
    ]  # fmt: skip
    return understand(seen, arrange(seen, SIZE), SIZE)


PHOTOS = [BoardPhoto(f"a{at}", f"{at}.jpg", SIZE) for at in range(2)]


def second(first: Reading, again: Reading) -> Board | None:
    return with_second(board_of(first, PHOTOS[:1]), [again], PHOTOS[1:], off)


def test_the_second_photo_settles_what_it_shows_and_nothing_else() -> None:
    codes = ROW.split()
    first = [(code, 0.4 if at in (2, 3, 15) else 0.98) for at, code in enumerate(codes)]
    part = [(code, 0.98) for code in codes[:8]]
    together = second(reading(first, unread=[3, 15]), reading(part, scale=1.4))
    assert together is not None
    assert [tile.tile for tile in together.tiles if tile.in_doubt or tile.open] == [codes[15]]
    assert next(tile for tile in together.tiles if tile.open).tile == codes[15]
    assert second_photo(together, 0) is None
    assert len(together.tiles) == 17


def test_names_that_contradict_are_asked() -> None:
    codes = ROW.split()
    again = [("9s" if at == 14 else code, 0.99) for at, code in enumerate(codes)]
    together = second(reading([(code, 0.86) for code in codes]), reading(again))
    assert together is not None
    (asked,) = [tile for tile in together.tiles if tile.may_be_another]
    assert {asked.tile, *(code for code, share in asked.others if share >= 0.05)} >= {"9s", "5s"}
    assert (asked.confidence or 0.0) < SURE
    assert any("讀得不一樣" in view.text for view in warning_views(together, "zh"))


def test_a_doubt_that_the_second_photo_settles_is_no_contradiction() -> None:
    codes = ROW.split()
    first = [("9s" if at == 14 else code, 0.35 if at == 14 else 0.98) for at, code in enumerate(codes)]
    blurred = reading(first)
    seen = list(blurred.detections)
    seen[14] = replace(seen[14], others=(("5s", 0.3), ("6s", 0.2)))
    together = second(replace(blurred, detections=tuple(seen)), reading([(code, 0.98) for code in codes]))
    assert together is not None
    assert sorted(tile.tile for tile in together.tiles) == sorted(codes)
    assert not any("讀得不一樣" in view.text for view in warning_views(together, "zh"))


def test_a_photo_of_other_tiles_is_left_out_and_a_first_one_too_poor_to_fit_gives_way() -> None:
    codes = ROW.split()
    whole = [(code, 0.98) for code in codes]
    other = [(code, 0.98) for code in ["9p", "9p", "8s", "8s", "7z", "7z"]]
    assert second(reading(whole), reading(other)) is None
    poor = [(code, 0.3) for code in ["1p", "1p", "6s"]]
    together = second(reading(poor), reading(whole))
    assert together is not None
    assert sorted(tile.tile for tile in together.tiles) == sorted(codes)


def test_what_a_person_put_right_is_not_given_up_for_another_photo() -> None:
    poor = board_of(reading([(code, 0.3) for code in ["1p", "1p", "6s"]]), PHOTOS[:1])
    named = perform(poor, str(Name(0, "4p")))[0]
    again = [reading([(code, 0.98) for code in ROW.split()])]
    both = merged(named, again, PHOTOS[1:])
    assert with_second(named, again, PHOTOS[1:], off) == both


@pytest.mark.parametrize(
    ("read", "told"),
    [
        pytest.param(perform(hand([4], [], note("quality_glare", 4)), "look:4")[0], [], id="on-a-confirmed-face"),
        pytest.param(hand([4], [], note("quality_glare", 4)), ["quality_glare"], id="on-a-doubtful-face"),
        pytest.param(hand([], [], note("quality_glare", 4), codes=ROW.replace("5m", "5z")), ["quality_glare"], id="5z"),
        pytest.param(hand([], [], note("quality_dark", 4)), ["quality_dark"], id="darkness-is-told"),
    ],
)
def test_glare_is_told_if_it_may_hide_a_face(read: Board, told: list[str]) -> None:
    """The page never says that a face cannot be seen beside "every tile is sure"."""
    assert photo_warnings(read, "en") == told
